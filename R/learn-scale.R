# Variance, noise and mean from the evidence alone, without the data.  [derivation 3]
#
# With P = Q diag(lambda) Q', g = Q'b, q = Q'h and xi = v / s2, the objective F is an exact function of (v, s2, mean). The mean
# and s2 have closed forms given xi, which leaves a search in one dimension at O(M) an evaluation. What is not open stays.

# The best scale becomes the model's, where it is better than the present one; the evidence is that of `after`. By itself
# (`quiet`) a model does not take a mean that is farther than one standard deviation from the average output: it would come
# from the shape of the kernel, not from the data, and show wherever there are none.
rescale <- function(handle, spec, quiet = TRUE, after = handle) {
  evidence <- core_gp_spectrum(after)
  now <- core_gp_info(handle)
  open <- list(variance = open_amplitude(spec$kernel), noise = is.null(spec$noise), mean = identical(spec$mean, "constant"))
  if (!any(unlist(open))) return(invisible())
  nothing <- nothing_to_scale(evidence, now, open)
  if (!is.null(nothing)) {
    if (quiet) return(invisible())
    abort("input", nothing)
  }
  best <- best_scale(evidence, now, open, quiet)
  average <- evidence$sum_y / evidence$n
  if (quiet && open$mean && abs(best$mean - evidence$offset - average) > sqrt(max(evidence$yy / evidence$n - average^2, 0))) {
    open$mean <- FALSE
    best <- best_scale(evidence, replace(now, "mean", average + evidence$offset), open, quiet)
  }
  before <- core_gp_objective(after)
  core_gp_set_scale(after, best$variance, best$noise, best$mean)
  better <- isTRUE(core_gp_objective(after) >= before)
  scale <- if (better) best else list(variance = now$kernel$variance, noise = now$noise, mean = now$mean)
  core_gp_set_scale(handle, scale$variance, scale$noise, scale$mean)
}

nothing_to_scale <- function(evidence, now, open) {
  if (evidence$n < 2) return("one observation says nothing of the variance and the noise.")
  shift <- if (open$mean) evidence$sum_y / evidence$n else now$mean - evidence$offset
  about_mean <- evidence$yy - 2 * shift * evidence$sum_y + evidence$n * shift^2
  if (!(about_mean > 1e-14 * evidence$yy)) "the outputs so far all equal the mean, which says nothing of the variance and the noise."
}

# Values of log xi that are searched: from a signal no one could see to a noise no one could measure, or that is lost in the
# rounding of P.
scale_grid <- function(lambda) {
  most <- min(1e10, 0.01 / (.Machine$double.eps * max(lambda)))
  seq(log(1e-8), log(most), length.out = 80)
}

best_scale <- function(evidence, now, open, quiet = FALSE) {
  value <- function(log_xi) profile_scale(exp(log_xi), evidence, now, open)$objective
  if (!open$variance && !open$noise) return(profile_scale(now$kernel$variance / now$noise, evidence, now, open))
  grid <- scale_grid(evidence$lambda)
  top <- which.max(vapply(grid, value, numeric(1)))
  if (!quiet && top == 1) warn("convergence", "no signal is visible in the data: the variance is at the lower end of its range.")
  if (!quiet && top == length(grid)) warn("convergence", "no noise is visible in the data: it is at the lower end of its range.")
  around <- grid[pmin(pmax(top + c(-1, 1), 1), length(grid))]
  log_xi <- stats::optimize(value, around, maximum = TRUE, tol = 1e-10)$maximum
  profile_scale(exp(log_xi), evidence, now, open)
}

# F at its maximum over the noise and the mean, where these are open.
profile_scale <- function(xi, evidence, now, open) {
  n <- evidence$n
  shrink <- xi / (1 + xi * evidence$lambda)
  yy <- evidence$yy - sum(shrink * evidence$g^2)
  y1 <- evidence$sum_y - sum(shrink * evidence$g * evidence$q)
  one <- n - sum(shrink * evidence$q^2)
  shift <- if (open$mean) y1 / one else now$mean - evidence$offset
  rss <- yy - 2 * shift * y1 + shift^2 * one
  noise <- if (!open$noise) now$noise else if (!open$variance) now$kernel$variance / xi else max(rss, 1e-14 * evidence$yy) / n
  list(
    variance = if (open$variance) xi * noise else now$kernel$variance, noise = noise, mean = evidence$offset + shift,
    objective = -sum(log1p(xi * evidence$lambda)) / 2 - n / 2 * log(2 * pi * noise) - rss / (2 * noise) - xi * evidence$tau / 2
  )
}
