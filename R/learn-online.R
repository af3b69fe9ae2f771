# Learning after the start-up: variance, noise and mean each time the evidence has doubled; with optimize = "online" the kernel,
# too, in small guarded steps; with `optimize_points` the points of each batch.

online_rows <- 50 # the kernel is tried again when so many new rows have come; after a step that was refused, twice as many unless ...
online_step <- log(2) # how far a log parameter may go at a time
online_gain <- 2 # by how much the bound must rise: less is within what the data can say of a parameter
online_surprise <- 2 # ... the mean squared standardised error of a batch is above this; then much shorter lengthscales are tried, too

# The state after one more batch, or NULL where nothing is due and the model was updated in place.
learn_batch <- function(gp, state, batch) {
  spec <- spec_of(gp)
  learning <- state$learning
  n <- core_gp_nobs(state$handle) + nrow(batch$x)
  scale_due <- n >= few_rows && n >= 2 * learning$scaled
  may <- spec$optimize == "online" && n >= learning$fitted + online_rows && needs_rows(spec)
  surprised <- may && surprise(state$handle, batch) > online_surprise
  kernel_due <- surprised || (may && n >= learning$fitted + learning$wait)
  points_due <- moves_points(spec$select)
  if (!scale_due && !kernel_due && !points_due) {
    absorb_batch(state$handle, batch, spec$select)
    return(NULL)
  }
  spec <- gp_spec(gp)
  handle <- core_gp_copy(state$handle)
  if (kernel_due) {
    starts <- if (surprised) 2^-(0:3) else 1
    moved <- learn_kernel(handle, with_batch_points(handle, batch), batch, spec, steps = 10, far = online_step, gain = online_gain, starts)
    learning$wait <- if (moved) online_rows else 2 * online_rows
    learning$fitted <- n
  }
  handle <- absorbed(handle, batch, spec$select)
  if (scale_due) {
    rescale(handle, spec)
    learning$scaled <- n
  }
  list(handle = handle, frame = state$frame, learning = learning)
}

# How far off the model is on a batch, in its own standard deviations, squared; a few rows say nothing.
surprise <- function(handle, batch) {
  if (nrow(batch$x) < few_rows) return(0)
  p <- core_gp_predict(handle, batch$x, TRUE)
  mean((batch$y - p$mean)^2 / (p$variance + p$noise))
}

moves_points <- function(select) isTRUE(select$optimize_points)

# The model after the batch: the same one, or, where points move, one that takes its place.
absorbed <- function(handle, batch, select, quiet = FALSE) {
  if (moves_points(select)) return(at_moved_points(handle, batch, quiet))
  absorb_batch(handle, batch, select, quiet)
  handle
}

# The paper's "/opt": the batch's points join, all points move to where the streaming bound is higher, the rows are absorbed there.
at_moved_points <- function(handle, batch, quiet, steps = 50) {
  ahead <- with_batch_points(handle, batch)
  info <- core_gp_info(ahead)
  if (!quiet && info$turned_away > 0 && core_gp_info(handle)$turned_away == 0) warn_full(info$select)
  learn_points(ahead, ahead, batch, steps)
  core_gp_absorb(ahead, batch$x, batch$y)
  ahead
}
