# gp$optimize(): variance, noise and mean from the evidence alone, without the data.  [derivation 3]
#
# With P = Q diag(lambda) Q', g = Q'b, q = Q'h and xi = v / s2, the objective F is an exact function of (v, s2, mean). The mean
# and s2 have closed forms given xi, which leaves a search in one dimension at O(M) an evaluation.

gp_optimize <- function(gp, what = "scale") {
  check_choice(what, "scale", "what")
  if (!is_started(gp)) abort("input", "there is nothing to learn from yet: the model has seen no data.")
  best <- best_scale(core_gp_spectrum(gp_handle(gp)), gp_info(gp)$mean, learn_mean = identical(gp$spec$mean, "constant"))
  core_gp_set_scale(gp_handle(gp), best$variance, best$noise, best$mean)
  invisible(gp)
}

# Range of xi that is searched: from a signal no one could see to a noise no one could measure.
scale_range <- log(c(1e-8, 1e10))

best_scale <- function(evidence, mean, learn_mean) {
  spread <- evidence$yy / evidence$n - (evidence$sum_y / evidence$n)^2
  if (!(spread > 1e-14 * evidence$yy / evidence$n)) {
    abort("input", "the outputs so far are all the same, which says nothing of the variance and the noise.")
  }
  value <- function(log_xi) profile_scale(exp(log_xi), evidence, mean, learn_mean)$objective
  grid <- seq(scale_range[1], scale_range[2], length.out = 80)
  top <- which.max(vapply(grid, value, numeric(1)))
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
  floor <- 1e-14 * evidence$yy / n
  noise <- max((yy - 2 * shift * y1 + shift^2 * one) / n, floor)
  list(
    variance = xi * noise, noise = noise, mean = evidence$offset + shift,
    objective = -sum(log1p(xi * evidence$lambda)) / 2 - n / 2 * (log(2 * pi * noise) + 1) - xi * evidence$tau / 2
  )
}
