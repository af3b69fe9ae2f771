# Learning after the start-up: variance, noise and mean each time the evidence has doubled; with optimize = "online" the kernel,
# too, in small guarded steps; with `optimize_points` the points of each batch.

online_rows <- 50 # the kernel is tried again when so many new rows have come; after a step that was refused, twice as many
online_step <- 0.4 # how far a log parameter may go at a time
online_gain <- 2 # by how much the bound must rise: less is within what the data can say of a parameter

# The state after one more batch, or NULL where nothing is due and the model was updated in place.
learn_batch <- function(gp, state, batch) {
  spec <- spec_of(gp)
  learning <- state$learning
  n <- core_gp_nobs(state$handle) + nrow(batch$x)
  scale_due <- n >= few_rows && n >= 2 * learning$scaled
  kernel_due <- spec$optimize == "online" && n >= learning$fitted + learning$wait
  points_due <- moves_points(spec$select)
  if (!scale_due && !kernel_due && !points_due) {
    absorb_batch(state$handle, batch)
    return(NULL)
  }
  spec <- gp_spec(gp)
  handle <- core_gp_copy(state$handle)
  if (kernel_due) {
    moved <- learn_kernel(handle, with_batch_points(handle, batch), batch, spec, steps = 10, far = online_step, gain = online_gain)
    learning$wait <- if (moved) online_rows else 2 * online_rows
    learning$fitted <- n
  }
  if (points_due) absorb_at_moved_points(handle, batch) else absorb_batch(handle, batch)
  if (scale_due) {
    rescale(handle, spec)
    learning$scaled <- n
  }
  list(handle = handle, frame = state$frame, learning = learning)
}

moves_points <- function(selector) !is.null(selector$optimize_points) && as.logical(selector$optimize_points)

# The paper's "/opt": the batch's points join, all points move to where the streaming bound is higher, the rows are absorbed there.
absorb_at_moved_points <- function(handle, batch, steps = 50) {
  before <- core_gp_info(handle)$turned_away
  ahead <- with_batch_points(handle, batch)
  if (before == 0 && core_gp_info(ahead)$turned_away > 0) warn_full(handle)
  core_gp_grow(handle, batch$x, batch$y, proposed(handle, batch))
  learn_points(handle, ahead, batch, steps)
  core_gp_absorb(handle, batch$x, batch$y)
}
