# The data of the benchmark: one smooth function for each number of columns D, uniform inputs on [0, 1]^D, noise of standard
# deviation 0.1, fixed seeds. Random streams come in no order; ordered ones sweep through the first column, forth and back.

noise_variance <- 0.01
with_seed <- function(seed, code) {
  set.seed(seed, "Mersenne-Twister", "Inversion", "Rejection")
  code
}

# Six waves. `spread` is the standard deviation of their frequencies: 7.7 is what kernel_se(0.184) expects in two columns.
target <- function(D, spread = if (D <= 3) 5 else 1.2) {
  waves <- with_seed(100 + D, list(w = matrix(rnorm(6 * D, sd = spread), D), phase = runif(6, 0, 2 * pi)))
  function(x) rowSums(sin(sweep(x %*% waves$w, 2, waves$phase, "+"))) / sqrt(3)
}

observe <- function(x, f) list(x = x, y = f(x) + rnorm(nrow(x), sd = sqrt(noise_variance)))

draw <- function(n, D, seed, f = target(D)) with_seed(seed, observe(matrix(runif(n * D), ncol = D), f))

# `passes` sweeps of the first column from one side to the other; the other columns are uniform.
sweep_through <- function(n, D, seed, f = target(D), passes = 1) {
  with_seed(seed, {
    x <- matrix(runif(n * D), ncol = D)
    at <- (seq_len(n) - 0.5) / n * passes
    x[, 1] <- abs(at - 2 * round(at / 2))
    observe(x, f)
  })
}

test_set <- function(D, n = 1000, f = target(D)) {
  data <- draw(n, D, 999, f)
  c(data, list(f = f(data$x)))
}

# Beside every time: RMSE against the function itself, and the mean log density of new observations (higher is better).
# A method that was asked at fewer places is scored on those; one may bring log densities of its own.
score <- function(prediction, test) {
  asked <- seq_along(prediction$mean)
  density <- if (!is.null(prediction$log_density)) {
    mean(prediction$log_density)
  } else if (is.null(prediction$sd)) {
    NA
  } else {
    mean(dnorm(test$y[asked], prediction$mean, prediction$sd, log = TRUE))
  }
  c(rmse = sqrt(mean((prediction$mean - test$f[asked])^2)), log_score = density)
}

# Lengthscales at which OIPS with rho = 0.8 keeps about that many points of a random stream.
lengthscales <- list(
  "2" = c("100" = 0.184, "500" = 0.0785, "1000" = 0.0552),
  "3" = c("1000" = 0.188),
  "8" = c("128" = 1.65, "500" = 1.28, "1500" = 1.1)
)

# What every method is told where nothing is learned.
known <- function(D, points) {
  list(lengthscale = lengthscales[[as.character(D)]][[as.character(points)]], variance = 1, noise = noise_variance, points = points)
}

one_row_each <- function(x) lapply(seq_len(nrow(x)), function(i) x[i, , drop = FALSE])
