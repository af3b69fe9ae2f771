# The likelihoods of bench/likelihoods.R, as they are documented: `open` with its parameters to be learned, `given` with those by which
# draw() draws, and what is learned of them; `log_density` of y where the function is f, or `e`, what the model has for its expectation
# under N(m, s2), by the formulas of the derivation; `beyond`, new observations where nothing is cut off.

squared_noise <- function(gp) gp$noise
ald <- function(n, tau, phi) phi * (stats::rexp(n) / tau - stats::rexp(n) / (1 - tau))
ald_bound <- function(tau, phi) function(y, m, s2) {
  log(tau * (1 - tau) / phi) - (sqrt((y - m)^2 + s2) + (2 * tau - 1) * (y - m)) / (2 * phi)
}
student_bound <- function(df, scale) function(y, m, s2) {
  stats::dt(sqrt((y - m)^2 + s2) / scale, df, log = TRUE) - log(scale)
}
yes <- function(probability) function(f) as.numeric(stats::runif(length(f)) < probability(f))
cuts <- stats::qlogis(1:2 / 3) # of three classes, where nothing is learned
below <- function(y, f) stats::plogis(c(cuts, Inf)[as.integer(y)] - f, log.p = TRUE) +
  stats::plogis(f - c(-Inf, cuts)[as.integer(y)], log.p = TRUE) + c(0, log1p(-exp(-diff(cuts))), 0)[as.integer(y)]

likelihoods <- list(
  gaussian = list(kind = "number", open = likelihood_gaussian(), noise = 0.09, learned = squared_noise,
    draw = function(f) stats::rnorm(length(f), f, 0.3), log_density = function(y, f) stats::dnorm(y, f, 0.3, log = TRUE)),
  student = list(kind = "number", open = likelihood_student(), given = likelihood_student(3, 0.3), learned = squared_noise, noise = 0.09,
    draw = function(f) f + 0.3 * stats::rt(length(f), 3), e = student_bound(3, 0.3)),
  laplace = list(kind = "number", open = likelihood_laplace(), noise = 0.15, learned = squared_noise,
    draw = function(f) f + ald(length(f), 0.5, 0.15), e = ald_bound(0.5, 0.15)),
  quantile = list(kind = "number", open = likelihood_quantile(0.8), noise = 0.1, learned = squared_noise,
    draw = function(f) f + ald(length(f), 0.8, 0.1), e = ald_bound(0.8, 0.1)),
  tobit = list(kind = "number", open = likelihood_tobit(lower = -1), true = 1, scale = 2, learned = function(gp) gp$likelihood$numbers$noise,
    draw = function(f) pmax(stats::rnorm(length(f), f), -1), beyond = function(f) stats::rnorm(length(f), f),
    log_density = function(y, f) ifelse(y > -1, stats::dnorm(y, f, log = TRUE), stats::pnorm(-1 - f, log.p = TRUE))),
  bernoulli = list(kind = "class", open = likelihood_bernoulli(), scale = 2, draw = yes(stats::plogis), probability = stats::plogis,
    log_density = function(y, f) stats::plogis((2 * y - 1) * f, log.p = TRUE)),
  probit = list(kind = "class", open = likelihood_bernoulli("probit"), draw = yes(stats::pnorm), probability = stats::pnorm,
    log_density = function(y, f) stats::pnorm((2 * y - 1) * f, log.p = TRUE)),
  binomial = list(kind = "class", open = likelihood_binomial(), probability = stats::plogis,
    draw = function(f) {
      trials <- sample(5, length(f), TRUE)
      hits <- stats::rbinom(length(f), trials, stats::plogis(f))
      cbind(hits, trials - hits)
    },
    log_density = function(y, f) lchoose(y[, 1] + y[, 2], y[, 1]) + y[, 1] * stats::plogis(f, log.p = TRUE) +
      y[, 2] * stats::plogis(-f, log.p = TRUE)),
  ordinal = list(kind = "class", open = likelihood_ordinal(), scale = 2, true = diff(cuts), learned = function(gp) gp$likelihood$numbers$gap2,
    probability = function(f) cbind(stats::plogis(cuts[1] - f), stats::plogis(cuts[2] - f) - stats::plogis(cuts[1] - f), stats::plogis(f - cuts[2])),
    draw = function(f) {
      at <- f + stats::rlogis(length(f))
      factor(1 + (at > cuts[1]) + (at > cuts[2]), 1:3, ordered = TRUE)
    }, log_density = below),
  poisson = list(kind = "count", open = likelihood_poisson(), draw = function(f) stats::rpois(length(f), exp(f)),
    log_density = function(y, f) stats::dpois(y, exp(f), log = TRUE)),
  negbin = list(kind = "count", open = likelihood_negbin(), given = likelihood_negbin(2), true = 2, learned = function(gp) gp$likelihood$numbers$size,
    draw = function(f) stats::rnbinom(length(f), 2, mu = exp(f)), log_density = function(y, f) stats::dnbinom(y, 2, mu = exp(f), log = TRUE)),
  gamma = list(kind = "number", open = likelihood_gamma(), given = likelihood_gamma(2), true = 2, learned = function(gp) gp$likelihood$numbers$shape,
    draw = function(f) stats::rgamma(length(f), 2, 2 * exp(-f)), log_density = function(y, f) stats::dgamma(y, 2, 2 * exp(-f), log = TRUE)),
  exponential = list(kind = "number", open = likelihood_exponential(), draw = function(f) stats::rexp(length(f), exp(-f)),
    log_density = function(y, f) stats::dexp(y, exp(-f), log = TRUE)),
  weibull = list(kind = "number", open = likelihood_weibull(), given = likelihood_weibull(2), true = 2, learned = function(gp) gp$likelihood$numbers$shape,
    beyond = function(f) stats::rweibull(length(f), 2, exp(f / 2)),
    draw = function(f) {
      time <- stats::rweibull(length(f), 2, exp(f / 2))
      end <- stats::runif(length(f), 0, 5)
      survival::Surv(pmin(time, end), time <= end)
    },
    log_density = function(y, f) y[, 2] * (log(2) + log(y[, 1]) - f) - y[, 1]^2 * exp(-f))
)
for (name in names(likelihoods)) {
  likelihoods[[name]]$name <- name
  if (is.null(likelihoods[[name]]$given)) likelihoods[[name]]$given <- likelihoods[[name]]$open
  if (is.null(likelihoods[[name]]$scale)) likelihoods[[name]]$scale <- 1
}
if (!requireNamespace("survival", quietly = TRUE)) likelihoods$weibull$draw <- likelihoods$weibull$beyond

# E log p under N(m, s2), by the trapezoidal rule.
expected <- function(one, y, m, s2) {
  if (!is.null(one$e)) return(one$e(y, m, s2))
  z <- seq(-9, 9, by = 0.1)
  weight <- exp(-z^2 / 2) / sum(exp(-z^2 / 2))
  as.vector(vapply(z, function(at) one$log_density(y, m + sqrt(s2) * at), numeric(length(m))) %*% weight)
}
rows_of <- function(y, i) if (is.matrix(y) && !inherits(y, "Surv")) y[i, , drop = FALSE] else y[i]

# A draw from a squared exponential of a lengthscale, exp(-d^2 / lengthscale^2).
random_function <- function(scale, lengthscale, D = 1, waves = 300) {
  w <- matrix(stats::rnorm(D * waves), D) * sqrt(2) / lengthscale
  shift <- stats::runif(waves, 0, 2 * pi)
  function(x) scale * sqrt(2 / waves) * rowSums(cos(as.matrix(x) %*% w + rep(shift, each = NROW(x))))
}
