# What new observations may be, one distribution a row: the only place in R that knows how the latent function
# and the likelihood make it. The distributions themselves are in the core.

# `mean` and `variance` are those of the latent function, `dispersion` is the noise variance.
new_predictive <- function(mean, variance, dispersion, likelihood = "gaussian") {
  parts <- list(likelihood = likelihood, mean = as.double(mean), variance = as.double(variance))
  structure(c(parts, list(dispersion = dispersion)), class = "gpstream_predictive")
}

# Of a model, at rows as it reads them.
predictive_at <- function(handle, x) {
  latent <- core_gp_predict(handle, x, TRUE)
  new_predictive(latent$mean, latent$variance, latent$noise)
}

# Of something that tells a mean and a standard deviation of the observation only. NA: unknown.
predictive_normal <- function(mean, sd) new_predictive(mean, rep_len(sd^2, length(mean)), 0)

# Put in the places that are TRUE in `there`; unknown elsewhere.
predictive_spread <- function(p, there) {
  place <- function(values) replace(rep(NA_real_, length(there)), there, values)
  new_predictive(place(p$mean), place(p$variance), p$dispersion, p$likelihood)
}

# The latent function itself.
predictive_latent <- function(p) new_predictive(p$mean, p$variance, 0)

predictive <- function(p, what, at = numeric()) {
  core_predictive(p$likelihood, p$mean, p$variance, p$dispersion, what, as.double(at))
}

predictive_mean <- function(p) predictive(p, "mean")
predictive_sd <- function(p) sqrt(predictive(p, "variance"))
predictive_quantile <- function(p, probability) predictive(p, "quantile", probability)
predictive_log_density <- function(p, y) predictive(p, "log_density", y)
predictive_cdf <- function(p, y) predictive(p, "probability", y)
predictive_crps <- function(p, y) predictive(p, "crps", y)

# The central interval, one row each.
predictive_interval <- function(p, level) {
  limits <- predictive_quantile(p, c(1 - level, 1 + level) / 2)
  matrix(limits, ncol = 2, dimnames = list(NULL, c("lwr", "upr")))
}

# One draw a row. Each uniform number is made of two, as by rnorm(): those of runif() have 32 bits only.
predictive_draw <- function(p) {
  parts <- matrix(stats::runif(2 * length(p$mean)), 2)
  predictive(p, "draw", (floor(2^27 * parts[1, ]) + parts[2, ]) / 2^27)
}
