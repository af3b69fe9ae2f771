# gp$optimize(): variance, noise and mean from the evidence alone, without the data.  [derivation 3]
#
# With P = Q diag(lambda) Q', g = Q'b, q = Q'h and xi = v / s2, the objective F is an exact function of (v, s2, mean). The mean
# and s2 have closed forms given xi, which leaves a search in one dimension at O(M) an evaluation.

gp_optimize <- function(gp, what = "scale") {
  check_choice(what, "scale", "what")
  if (!is_started(gp)) abort("input", "there is nothing to learn from yet: the model has seen no data.")
  handle <- gp_handle(gp)
  now <- core_gp_info(handle)
  best <- best_scale(core_gp_spectrum(handle), now$mean, learn_mean = identical(spec_of(gp)$mean, "constant"))
  before <- core_gp_objective(handle)
  core_gp_set_scale(handle, best$variance, best$noise, best$mean)
  if (!(core_gp_objective(handle) >= before)) core_gp_set_scale(handle, now$kernel$variance, now$noise, now$mean)
  invisible(gp)
}

# Values of log xi that are searched: from a signal no one could see to a noise no one could measure, or that is lost in the
# rounding of P.
scale_grid <- function(lambda) {
  most <- min(1e10, 0.01 / (.Machine$double.eps * max(lambda)))
  seq(log(1e-8), log(most), length.out = 80)
}

best_scale <- function(evidence, mean, learn_mean) {
  if (evidence$n < 2) abort("input", "one observation says nothing of the variance and the noise.")
  shift <- if (learn_mean) evidence$sum_y / evidence$n else mean - evidence$offset
  about_mean <- evidence$yy - 2 * shift * evidence$sum_y + evidence$n * shift^2
  if (!(about_mean > 1e-14 * evidence$yy)) {
    abort("input", "the outputs so far all equal the mean, which says nothing of the variance and the noise.")
  }
  value <- function(log_xi) profile_scale(exp(log_xi), evidence, mean, learn_mean)$objective
  grid <- scale_grid(evidence$lambda)
  top <- which.max(vapply(grid, value, numeric(1)))
  if (top == 1) warn("convergence", "no signal is visible in the data: the variance is at the lower end of its range.")
  if (top == length(grid)) warn("convergence", "no noise is visible in the data: it is at the lower end of its range.")
  around <- grid[pmin(pmax(top + c(-1, 1), 1), length(grid))]
  log_xi <- stats::optimize(value, around, maximum = TRUE, tol = 1e-10)$maximum
  profile_scale(exp(log_xi), evidence, mean, learn_mean)
}

# F at its maximum over the noise, and over the mean where that is learned.
profile_scale <- function(xi, evidence, mean, learn_mean) {
  n <- evidence$n
  shrink <- xi / (1 + xi * evidence$lambda)
  yy <- evidence$yy - sum(shrink * evidence$g^2)
  y1 <- evidence$sum_y - sum(shrink * evidence$g * evidence$q)
  one <- n - sum(shrink * evidence$q^2)
  shift <- if (learn_mean) y1 / one else mean - evidence$offset
  rss <- yy - 2 * shift * y1 + shift^2 * one
  noise <- max(rss, 1e-14 * evidence$yy) / n
  list(
    variance = xi * noise, noise = noise, mean = evidence$offset + shift,
    objective = -sum(log1p(xi * evidence$lambda)) / 2 - n / 2 * log(2 * pi * noise) - rss / (2 * noise) - xi * evidence$tau / 2
  )
}
