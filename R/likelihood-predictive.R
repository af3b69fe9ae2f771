# What new observations may be, one distribution a row: the only place in R that knows how the latent function
# and the likelihood make it. The distributions themselves are in the core.

# `mean` and `variance` are those of the latent function, of several a column each; `dispersion` is the noise
# variance; `likelihood` is a name and numbers, `more` what it needs beside; `calibration` corrects the
# intervals of new observations (core_gp_calibration()).
new_predictive <- function(mean, variance, dispersion, likelihood = gaussian_noise, calibration = NULL,
                           more = NULL) {
  parts <- list(
    likelihood = likelihood, mean = in_columns(mean, likelihood), variance = in_columns(variance, likelihood)
  )
  structure(
    c(parts, list(dispersion = dispersion, calibration = calibration, more = more)),
    class = "gpstream_predictive"
  )
}

# Of several latent functions, a column each.
in_columns <- function(x, likelihood) {
  K <- latents(likelihood)
  if (K == 1) as.double(x) else matrix(as.double(x), ncol = K)
}

# How many latent functions there are.
latents <- function(likelihood) {
  switch(likelihood$name, heteroscedastic = 2, categorical = likelihood$numbers$classes, 1)
}

gaussian_noise <- list(name = "gaussian", numbers = list())

# Of a model, at rows as it reads them.
predictive_at <- function(handle, x, more = NULL, offset = NULL) {
  latent <- core_gp_predict(handle, x, TRUE)
  if (length(latent$noise) > 1) return(predictive_outputs(handle, latent))
  out <- new_predictive(latent$mean, latent$variance, latent$noise, core_gp_likelihood(handle),
    core_gp_calibration(handle), more)
  if (is.null(offset)) return(out)
  if (is.matrix(out$mean)) out$mean[, 1] <- out$mean[, 1] + offset else out$mean <- out$mean + offset
  out
}

# Of several outputs, one each.
predictive_outputs <- function(handle, latent) {
  count <- length(latent$noise)
  mean <- matrix(latent$mean, ncol = count)
  variance <- matrix(latent$variance, ncol = count)
  structure(
    lapply(seq_len(count), function(k) {
      new_predictive(mean[, k], variance[, k], latent$noise[k], calibration = core_gp_calibration(handle, k))
    }),
    class = "gpstream_predictives"
  )
}

# Of something that tells a mean and a standard deviation of the observation only. NA: unknown.
predictive_normal <- function(mean, sd) new_predictive(mean, rep_len(sd^2, length(mean)), 0)

# Put in the places that are TRUE in `there`; unknown elsewhere.
predictive_spread <- function(p, there) {
  if (inherits(p, "gpstream_predictives")) {
    return(structure(lapply(p, predictive_spread, there), class = class(p)))
  }
  place <- function(values) {
    out <- matrix(NA_real_, length(there), NCOL(values))
    out[there, ] <- values
    if (is.matrix(values)) out else out[, 1]
  }
  new_predictive(place(p$mean), place(p$variance), p$dispersion, p$likelihood, p$calibration,
    if (!is.null(p$more)) place(p$more))
}

# The latent function itself, of several the first.
predictive_latent <- function(p) new_predictive(as.matrix(p$mean)[, 1], as.matrix(p$variance)[, 1], 0)

# What is expected of an observation, of which the latent function is known to be `f`; where a quantile is
# asked for, that.
predictive_expected <- function(p, f) {
  if (p$likelihood$name %in% c("quantile", "heteroscedastic")) return(f)
  predictive_mean(new_predictive(f, numeric(length(f)), p$dispersion, p$likelihood, NULL, p$more))
}

predictive <- function(p, what, at = numeric()) {
  core_predictive(
    p$likelihood, as.double(p$mean), as.double(p$variance), numbers_or_none(p$more), p$dispersion, what,
    as.double(at)
  )
}

is_discrete <- function(p) {
  if (is_custom(p$likelihood)) return(isTRUE(p$likelihood$functions$discrete))
  p$likelihood$name %in% c("bernoulli", "probit", "binomial", "ordinal", "categorical", "poisson", "negbin")
}

# Is one of a few classes observed?
has_classes <- function(likelihood) likelihood$name %in% c("bernoulli", "probit", "ordinal", "categorical")

# Are classes numbered from 1? (Two of them from 0.)
from_one <- function(name) name %in% c("ordinal", "categorical")

# The probabilities of the classes, a column each.
predictive_classes <- function(p) {
  if (!from_one(p$likelihood$name)) {
    yes <- predictive_mean(p)
    return(cbind(1 - yes, yes, deparse.level = 0))
  }
  n <- NROW(p$mean)
  K <- if (p$likelihood$name == "categorical") latents(p$likelihood) else length(p$likelihood$numbers) + 1
  below <- matrix(vapply(seq_len(K), function(k) predictive_cdf(p, rep(k, n)), numeric(n)), n, K)
  below - cbind(matrix(0, n, 1), below[, -K, drop = FALSE])
}

predictive_mean <- function(p) predictive(p, "mean")

# What predict() gives for the response: the quantile that a model is of, otherwise the mean.
predictive_fit <- function(p) if (p$likelihood$name == "quantile") as.double(p$mean) else predictive_mean(p)
predictive_sd <- function(p) sqrt(predictive(p, "variance"))
predictive_quantile <- function(p, probability) {
  out <- predictive(p, "quantile", probability)
  # of a distribution function of R's, which may take a number for the next whole one
  if (is_custom(p$likelihood) && is_discrete(p)) round(out) else out
}
predictive_log_density <- function(p, y) predictive(p, "log_density", y)
predictive_cdf <- function(p, y) predictive(p, "probability", y)

# The probability of a smaller observation; where several are alike, a share of theirs that goes through all
# shares from row to row (the fractions of multiples of the golden ratio), so that it is uniform for a model
# that is right.
predictive_pit <- function(p, y) {
  upper <- predictive_cdf(p, y)
  if (!is_discrete(p)) return(upper)
  lower <- predictive_cdf(p, y - 1)
  lower + (upper - lower) * (seq_along(y) * (sqrt(5) - 1) / 2) %% 1
}
predictive_crps <- function(p, y) predictive(p, "crps", y)

# The central interval, one row each, as wide as past misses ask for.
predictive_interval <- function(p, level) {
  limits <- matrix(
    predictive_quantile(p, c(1 - level, 1 + level) / 2), ncol = 2, dimnames = list(NULL, c("lwr", "upr"))
  )
  factor <- if (is.null(p$calibration)) 1 else exp(core_log_factor(p$calibration, level))
  if (factor == 1) return(limits)
  middle <- predictive_quantile(p, 0.5)
  wider <- middle + factor * (limits - middle)
  ifelse(is.finite(limits) & is.finite(middle), wider, limits) # or Inf - Inf
}

# One draw a row. Each uniform number is made of two, as by rnorm(): those of runif() have 32 bits only.
predictive_draw <- function(p) {
  parts <- matrix(stats::runif(2 * NROW(p$mean)), 2)
  out <- predictive(p, "draw", (floor(2^27 * parts[1, ]) + parts[2, ]) / 2^27)
  if (is_custom(p$likelihood) && is_discrete(p)) round(out) else out
}
