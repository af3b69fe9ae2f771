# gp$optimize(): the user's own word. Everything named in `what` is learned, given or not; on a copy that takes the model's place
# at the end, so that an interrupted call changes nothing.

gp_optimize <- function(gp, x, y, what, steps) {
  choices <- c("scale", "kernel", "points")
  what <- check_choices(what, choices, "what")
  steps <- check_count(steps, "steps", 1, most = 1e6)
  if (!missing(x) && is.character(x) && all(x %in% choices)) abort("type", "`x` must be the inputs of a batch; say optimize(what = ", quoted(x[1]), ").")
  if (!is_started(gp)) abort("input", "there is nothing to learn from yet: the model has seen no data.")
  batch <- if (missing(x)) NULL else read_batch(gp, x, y, NULL)
  if (!is.null(batch) && nrow(batch$x) == 0) batch <- NULL
  state <- state_of(gp)
  handle <- core_gp_copy(gp_handle(gp))
  everything <- list(kernel = opened_kernel(core_gp_info(handle)$kernel), noise = NULL, mean = spec_of(gp)$mean)
  for (one in what) {
    ahead <- with_batch_points(handle, batch)
    switch(one,
      scale = rescale(handle, everything, quiet = FALSE, after = with_batch(ahead, batch)),
      kernel = learn_kernel(handle, ahead, batch, everything, steps),
      points = learn_points(handle, ahead, batch, steps)
    )
  }
  state$handle <- handle
  gp$state <- state
  invisible(gp)
}

# The model once the points of the batch have joined; once its rows have been absorbed, too.
with_batch_points <- function(handle, batch) {
  ahead <- core_gp_copy(handle)
  if (!is.null(batch)) core_gp_grow(ahead, batch$x, batch$y, gp_proposal(ahead, x = batch$x))
  ahead
}

with_batch <- function(ahead, batch) {
  if (is.null(batch)) return(ahead)
  after <- core_gp_copy(ahead)
  core_gp_absorb(after, batch$x, batch$y)
  after
}

objective_of <- function(ahead, batch) {
  if (is.null(batch)) batch <- list(x = matrix(0, 0, core_gp_info(ahead)$columns), y = numeric())
  core_objective(ahead, batch$x, batch$y)
}

# Rows at hand: the look-back window and the batch.
rows_at_hand <- function(ahead, batch) rbind(core_gp_rows(ahead)$x, batch$x, deparse.level = 0)

# Learn what `spec` leaves open of the kernel, with the noise; the model takes over the best that is found from the `starts`
# (factors of its lengthscales) where the bound rises by more than `gain`. From each start the log parameters may go `far`.
# Returns whether they moved.
learn_kernel <- function(handle, ahead, batch, spec, steps, far = Inf, gain = 0, starts = 1) {
  part <- if (is.finite(far)) part_of(batch, 2000) else batch # where time matters
  objective <- objective_of(ahead, part)
  rows <- rows_at_hand(ahead, part)
  best <- list(value = -Inf)
  for (start in starts) {
    found <- found_kernel(core_gp_info(ahead), objective, core_gp_points(ahead), rows, spec, steps, far, start)
    moved <- core_gp_copy(handle)
    core_gp_rebase(moved, found$kernel, core_gp_points(handle))
    core_gp_set_scale(moved, found$kernel$variance, found$noise, found$mean)
    value <- core_gp_objective(with_batch(with_batch_points(moved, batch), batch))
    if (isTRUE(value > best$value)) best <- list(value = value, kernel = found$kernel, noise = found$noise, mean = found$mean)
  }
  if (!rises(best$value, ahead, batch, gain)) return(FALSE)
  core_gp_rebase(handle, best$kernel, core_gp_points(handle))
  core_gp_set_scale(handle, best$kernel$variance, best$noise, best$mean)
  TRUE
}

part_of <- function(batch, most) {
  some <- spread_rows(nrow(batch$x), most)
  list(x = batch$x[some, , drop = FALSE], y = batch$y[some])
}

found_kernel <- function(now, objective, points, rows, spec, steps, far, start) {
  open <- open_to_learn(spec, now$kernel)
  now$kernel <- stretched_kernel(now$kernel, spec$kernel, start, step = 1)
  points <- closer_points(now, spec, points, rows)
  range <- trust_region(search_range(now$kernel, rbind(points, rows, deparse.level = 0)), now$kernel, far)
  search_kernel(objective, points, now, open, range, steps)
}

# The points, and those that the rows at hand would add if lengthscales were halved: with points as far apart as the present
# kernel wants them, no shorter lengthscale could show its worth.
closer_points <- function(now, spec, points, rows) {
  if (is.null(now$select$max_points)) return(points)
  set <- core_set_new(stretched_kernel(now$kernel, spec$kernel, 0.5, step = 1), now$select, ncol(points))
  core_set_update(set, rbind(points, rows, deparse.level = 0))
  core_set_state(set)$points
}

# Move the points, those of the batch included, to where the bound is higher; within the range of the rows and points, and a little beyond.
learn_points <- function(handle, ahead, batch, steps) {
  now <- core_gp_info(ahead)
  start <- core_gp_points(ahead)
  objective <- objective_of(ahead, batch)
  evaluate <- remember(function(p) {
    nowhere <- list(objective = -1e100, points = 0 * p)
    out <- tryCatch(
      core_objective_at(objective, now$kernel, matrix(p, nrow(start)), now$noise, now$mean, TRUE),
      gpstream_error = function(e) nowhere
    )
    if (all(is.finite(c(out$objective, out$points)))) out else nowhere
  })
  rows <- rbind(start, rows_at_hand(ahead, batch), deparse.level = 0)
  ends <- apply(rows, 2, range)
  margin <- 0.05 * (ends[2, ] - ends[1, ])
  found <- stats::optim(as.vector(start), function(p) evaluate(p)$objective, function(p) as.vector(evaluate(p)$points), method = "L-BFGS-B",
    lower = rep(ends[1, ] - margin, each = nrow(start)), upper = rep(ends[2, ] + margin, each = nrow(start)),
    control = list(fnscale = -1, maxit = steps, factr = 1e8))
  if (!rises(found$value, ahead, batch)) return(FALSE)
  core_gp_rebase(handle, now$kernel, matrix(found$par, nrow(start)))
  TRUE
}

# Is a value of the bound above that of the model as it is, by more than rounding?
rises <- function(value, ahead, batch, gain = 0) {
  before <- core_gp_objective(with_batch(ahead, batch))
  isTRUE(value > before + max(gain, 1e-8 * abs(before)))
}

# f, with its last answer kept: an optimiser asks for value and slope in turn.
remember <- function(f) {
  last <- NULL
  function(p) {
    if (!identical(p, last$p)) last <<- list(p = p, value = f(p))
    last$value
  }
}
