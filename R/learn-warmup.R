# Start-up. While the lengthscale is being found, every row is kept (the look-back is unlimited) and the model is made anew from
# all of them whenever there are half as many again; when `warmup` rows have come it is made a last time, with the user's
# look-back, and the rows go.
#
# `learning`, in the state of a model that learns:  warm: still warming up?  fitted: rows when the kernel was last learned or
# tried;  wait: rows until it is tried again;  scaled: rows when variance, noise and mean were last learned.

new_learning <- function(warm, n) list(warm = warm, fitted = n, wait = online_rows, scaled = n)

few_rows <- 10 # below this number, the heuristics

# Is there something to learn that the evidence alone cannot tell?
needs_rows <- function(spec) {
  if (spec$optimize == "none") return(FALSE)
  open_shape(spec$kernel)
}

open_shape <- function(given) {
  if (is_composite(given)) return(any(vapply(given$parts, open_shape, logical(1))) || (given$name == "sum" && !is_resolved(given)))
  !is.numeric(given$lengthscale) || any(vapply(kernel_extras(given), function(extra) is.null(given[[extra]]), logical(1)))
}

# The state after one more batch; `state` is empty before the first.
warm_up <- function(gp, state, batch) {
  spec <- gp_spec(gp)
  kept <- if (length(state) > 0) core_gp_rows(state$handle)
  x <- rbind(kept$x, batch$x, deparse.level = 0)
  y <- c(kept$y, batch$y)
  n <- length(y)
  over <- n >= spec$warmup
  fitted <- if (length(state) > 0) state$learning$fitted else 0
  if (!over && fitted >= few_rows && n < 1.5 * fitted) {
    state$handle <- absorbed(core_gp_copy(state$handle), batch, spec$select)
    return(state)
  }
  settings <- if (n < few_rows) resolve_settings(spec, x, y) else learned_settings(spec, x, y)
  if (spec$any_rho && n >= few_rows) settings$select <- close_enough(settings, x, y)
  if (!over) settings$lookback <- Inf
  handle <- core_gp_new(settings, ncol(x), state$handle)
  full <- length(state) > 0 && core_gp_info(state$handle)$turned_away > 0
  handle <- absorbed(handle, list(x = x, y = y), settings$select, quiet = full)
  if (n >= few_rows) rescale(handle, spec)
  list(handle = handle, frame = batch$frame, learning = new_learning(!over, n))
}

# Kernel and noise that make the rows most probable (with a weak prior): exactly so for at most 200 of them, from a few starts, the
# heuristics, twice, half and a fifth of their lengthscale, and the best of some that are far shorter; then, where there are more,
# for those.
learned_settings <- function(spec, x, y, steps = 100) {
  settings <- resolve_settings(spec, x, y)
  if (!(diff(range(y)) > 0)) return(settings)
  open <- open_to_learn(spec, settings$kernel)
  prior <- search_prior(settings, open)
  search <- function(rows, points, start, steps) {
    objective <- core_objective(core_gp_new(settings, ncol(x)), x[rows, , drop = FALSE], y[rows])
    search_kernel(objective, points, start, open, search_range(settings$kernel, x[rows, , drop = FALSE]), steps, prior)
  }
  few <- spread_rows(nrow(x), 200)
  from <- function(factor, steps) {
    start <- replace(settings, "kernel", list(stretched_kernel(settings$kernel, spec$kernel, factor)))
    search(few, x[few, , drop = FALSE], start, steps)
  }
  best_of <- function(tries) which.max(vapply(tries, `[[`, 0, "objective"))
  far_shorter <- c(0.08, 0.03, 0.012)
  starts <- c(1, 0.5, 2, 0.2, far_shorter[best_of(lapply(far_shorter, from, steps = 0))])
  tries <- lapply(starts, from, steps = 8)
  best <- tries[[best_of(tries)]]
  best <- search(few, x[few, , drop = FALSE], best, steps)
  more <- spread_rows(nrow(x), max(spec$warmup, 500))
  points <- if (length(more) > length(few)) tight_points(best, x[more, , drop = FALSE])
  if (!is.null(points)) best <- search(more, points, best, steps)
  settings[c("kernel", "noise", "mean")] <- best[c("kernel", "noise", "mean")]
  settings
}

# Points that leave less of the prior variance of every row unexplained than a hundredth of the noise, so that the bound is as good
# as exact; NULL where that takes too many.
tight_points <- function(settings, x, most = 300) {
  tol <- min(0.01 * settings$noise / settings$kernel$variance, 0.5)
  set <- core_set_new(settings$kernel, select_variance(tol, most), ncol(x))
  if (core_set_update(set, x) == 0) core_set_state(set)$points
}

# OIPS with the lowest rho at which the points leave less of the prior variance unexplained than a hundredth of the noise; but not
# so many points that three quarters of the rows are.
close_enough <- function(settings, x, y) {
  some <- spread_rows(nrow(x), 500)
  chosen <- settings$select
  for (rho in c(0.8, 0.9, 0.95, 0.98, 0.99, 0.995)) {
    settings$select$rho <- rho
    trial <- core_gp_new(settings, ncol(x))
    core_gp_update(trial, x[some, , drop = FALSE], y[some], FALSE)
    seen <- core_gp_info(trial)
    if (rho > 0.8 && seen$size > 0.75 * length(some)) break
    chosen <- settings$select
    if (settings$kernel$variance * seen$tau / length(some) <= 0.01 * settings$noise) break
  }
  chosen
}

# At most `most` of n rows, evenly spread.
spread_rows <- function(n, most) if (n <= most) seq_len(n) else round(seq(1, n, length.out = most))

# Lengthscales that were not given, times a factor; in a composite each part a `step` of the one before it, because equal parts
# would stay equal.
stretched_kernel <- function(kernel, given, factor, step = 1 / 3) {
  if (is_composite(kernel)) {
    kernel$parts <- unname(Map(stretched_kernel, kernel$parts, given$parts, factor * step^(seq_along(kernel$parts) - 1)))
    return(kernel)
  }
  if (!is.numeric(given$lengthscale)) kernel$lengthscale <- kernel$lengthscale * factor
  kernel
}
