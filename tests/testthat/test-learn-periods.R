# Periods and frequencies that are not given, kernels whose smoothness varies, and which rows become points under the kernels
# for which correlation says little.  [derivation 22]

learned <- function(kernel, x, y, ...) {
  gp <- streaming_gp(kernel = kernel, ...)
  gp$update(x, y)
  gp
}
saw <- function(t) 2 * (t %% 1) - 1

test_that("a period is found at irregular times, whatever its size", {
  for (period in c(0.031, 1.7, 4400)) {
    set.seed(1)
    x <- sort(runif(300, 0, 6 * period))
    gp <- learned(kernel_periodic(), x, sin(2 * pi * x / period) + rnorm(300, sd = 0.2))
    expect_equal(gp$kernel$period, period, tolerance = 0.01)
    ahead <- seq(7, 9, length.out = 50) * period
    expect_lt(sqrt(mean((predict(gp, ahead) - sin(2 * pi * ahead / period))^2)), 0.15)
  }
})

test_that("a period is found beside a trend", {
  set.seed(2)
  d <- data.frame(t = sort(runif(300, 0, 10)))
  d$y <- 0.8 * d$t + sin(2 * pi * d$t / 1.7) + rnorm(300, sd = 0.2)
  gp <- streaming_gp(y ~ trend(t) + season(t), d)
  expect_equal(gp$kernel$parts[[2]]$period, 1.7, tolerance = 0.01)
  ahead <- data.frame(t = seq(10.5, 13, by = 0.1))
  expect_lt(sqrt(mean((predict(gp, ahead) - 0.8 * ahead$t - sin(2 * pi * ahead$t / 1.7))^2)), 0.4)
})

test_that("of a wave that is no sine the period is found, not its half", {
  waves <- list(saw = saw, second = function(t) 0.5 * sin(2 * pi * t) + sin(4 * pi * t), peak = function(t) exp(3 * cos(2 * pi * t)) / 10)
  for (wave in waves) {
    set.seed(3)
    x <- sort(runif(300, 0, 10))
    gp <- learned(kernel_periodic(), x, wave(x / 1.7) + rnorm(300, sd = 0.1))
    expect_equal(gp$kernel$period, 1.7, tolerance = 0.015)
  }
})

test_that("two seasons are found at once", {
  set.seed(4)
  d <- data.frame(t = sort(runif(400, 0, 40)))
  d$y <- sin(2 * pi * d$t / 1.7) + 0.7 * sin(2 * pi * d$t / 7) + rnorm(400, sd = 0.2)
  for (kernel in list(NULL, kernel_periodic() + kernel_periodic())) {
    gp <- if (is.null(kernel)) streaming_gp(y ~ season(t) + season(t, NULL), d) else learned(kernel, d$t, d$y)
    periods <- vapply(gp$kernel$parts, `[[`, 0, "period")
    expect_equal(sort(periods), c(1.7, 7), tolerance = 0.01)
  }
})

test_that("a period that was given stays to the bit, also beside one that is found", {
  set.seed(5)
  x <- sort(runif(300, 0, 10))
  y <- sin(2 * pi * x / 1.7) + rnorm(300, sd = 0.2)
  gp <- learned(kernel_periodic(1.7 + 1e-9), x, y)
  expect_identical(gp$kernel$period, 1.7 + 1e-9)
  gp$update(x + 10, sin(2 * pi * (x + 10) / 1.7))
  expect_identical(gp$kernel$period, 1.7 + 1e-9)
  gp <- learned(kernel_periodic(pi) + kernel_periodic(), x, y + sin(2 * x))
  expect_identical(gp$kernel$parts[[1]]$period, pi)
  expect_equal(gp$kernel$parts[[2]]$period, 1.7, tolerance = 0.02)
})

test_that("the frequency of a cosine is found, of several columns it is given", {
  set.seed(6)
  x <- sort(runif(300, 0, 10))
  gp <- learned(kernel_cosine(), x, sin(2 * pi * x / 1.7) + rnorm(300, sd = 0.2))
  expect_equal(1 / abs(gp$kernel$frequency), 1.7, tolerance = 0.01)
  expect_lte(nrow(gp$points), 3) # of rank 2
  X <- cbind(x, runif(300))
  gp <- learned(kernel_cosine(c(1 / 1.7, 2)), X, sin(2 * pi * (X[, 1] / 1.7 + 2 * X[, 2])) + rnorm(300, sd = 0.1))
  expect_identical(gp$kernel$frequency, c(1 / 1.7, 2))
  expect_lt(sqrt(mean((predict(gp, X) - sin(2 * pi * (X[, 1] / 1.7 + 2 * X[, 2])))^2)), 0.05)
})

test_that("periods of times are found in the unit of the column", {
  set.seed(7)
  d <- data.frame(when = as.POSIXct("2024-03-01", tz = "UTC") + sort(runif(400, 0, 10 * 86400)))
  hours <- as.numeric(d$when) / 3600
  d$y <- sin(2 * pi * hours / 24) + rnorm(400, sd = 0.2)
  gp <- streaming_gp(y ~ season(when), d)
  at <- d$when[400] + 3600 * (1:48)
  expect_lt(sqrt(mean((predict(gp, data.frame(when = at)) - sin(2 * pi * as.numeric(at) / 86400))^2)), 0.15)
})

test_that("of several outputs any may show the period", {
  set.seed(1)
  d <- data.frame(t = sort(runif(150, 0, 20)), other = cumsum(rnorm(150)))
  d$wave <- sin(2 * pi * d$t / 0.53) + rnorm(150, sd = 0.2)
  late <- transform(d, other = replace(other, -(1:3), NA))
  for (rows in list(d, late)) {
    expect_equal(streaming_gp(cbind(other, wave) ~ season(t), rows)$kernel$period, 0.53, tolerance = 0.01)
  }
})

# --- smoothness that varies ---------------------------------------------------------------------------------------------------------

set.seed(8)
wiggly <- function(x) ifelse(x < 3, sin(2 * pi * x / 0.7), sin(2 * pi * 3 / 0.7) + sin(2 * pi * (x - 3) / 14)) # below 3
toy_x <- runif(600, 0, 10)
toy_y <- wiggly(toy_x) + rnorm(600, sd = 0.1)
at <- seq(0.05, 9.95, by = 0.05)
rmse <- function(gp) sqrt(mean((predict(gp, at) - wiggly(at))^2))
density <- function(gp) c(sum(gp$points < 3) / 3, sum(gp$points >= 3) / 7)

test_that("kernels whose smoothness varies put the points where the function needs them", {
  se <- learned(kernel_se(), toy_x, toy_y, select = select_oips(0.9))
  for (kernel in list(kernel_gibbs(), kernel_warped())) {
    gp <- learned(kernel, toy_x, toy_y, select = select_oips(0.9))
    expect_lt(rmse(gp), 0.05)
    expect_gt(density(gp)[1], 2.5 * density(gp)[2])
    expect_lt(nrow(gp$points), 0.7 * nrow(se$points))
  }
  expect_lt(density(se)[1], 1.5 * density(se)[2])
})

test_that("the same with the rule by the noise, which models that learn choose for themselves", {
  for (kernel in list(kernel_gibbs(), kernel_warped())) {
    gp <- learned(kernel, toy_x, toy_y)
    expect_lt(rmse(gp), 0.05)
    expect_gt(density(gp)[1], 2 * density(gp)[2])
  }
})

test_that("a spectral kernel learns a wave whose frequency changes", {
  skip_on_cran()
  gp <- learned(kernel_spectral(), toy_x, toy_y)
  expect_lt(rmse(gp), 0.06)
  p <- predict(gp, toy_x, interval = "prediction")
  expect_gt(mean(p[, "lwr"] < toy_y & toy_y < p[, "upr"]), 0.9)
})

# --- which rule for which kernel ---------------------------------------------------------------------------------------------------

rule <- function(gp) sub("^points +", "", grep("^points", capture.output(print(gp)), value = TRUE))

test_that("where nothing is learned and no rule given, kernels of which correlation tells little have that of the noise", {
  set.seed(9)
  X <- matrix(runif(200), ncol = 2)
  made <- function(kernel) {
    gp <- streaming_gp(kernel = kernel, noise = 0.01, mean = 0, optimize = "none")
    gp$update(X, X[, 1])
    rule(gp)
  }
  se <- kernel_se(1, 1)
  first <- kernel_se(1, 1, columns = 1)
  by_noise <- list(
    kernel_linear(1, 0, 1), kernel_brownian(1, 0, 1, columns = 1), kernel_brownian(1, 0, 1, columns = 1, integrated = TRUE),
    kernel_cosine(c(1, 1), 1), se + kernel_linear(1, 0, 1), first + kernel_se(1, 1, columns = 2),
    first + kernel_periodic(1, 1, 1, columns = 2)
  )
  for (kernel in by_noise) expect_match(made(kernel), "^residual beside the noise \\(tol 1, ")
  by_correlation <- list(
    se, se + kernel_matern12(1, 1), se * kernel_rq(1, 1), kernel_periodic(1, 1, 1), kernel_gibbs(1, 1, c(0, 1), 1),
    kernel_warped(se, 1, c(0, 1), 1), kernel_constant(1), first * kernel_se(1, 1, columns = 2)
  )
  for (kernel in by_correlation) expect_match(made(kernel), "^OIPS \\(rho 0.8, ")
  given <- streaming_gp(kernel = kernel_linear(1, 0, 1), noise = 0.01, optimize = "none", select = select_oips(0.9))
  given$update(X, X[, 1])
  expect_match(rule(given), "^OIPS \\(rho 0.9, ")
})

test_that("a sum with a linear part does not use up points: at most its rank and one more", {
  count <- function(kernel, X, select) {
    gp <- streaming_gp(kernel = kernel, noise = 0.01, mean = 0, optimize = "none", select = select)
    gp$update(X, rowSums(X))
    nrow(gp$points)
  }
  for (seed in 1:5) {
    set.seed(seed)
    for (D in 1:3) {
      X <- matrix(runif(300 * D), ncol = D)
      se <- kernel_se(sqrt(D) / 2, 1)
      for (variance in c(0.1, 1, 100)) {
        line <- kernel_linear(variance, rep(0.5, D), rep(0.3, D))
        expect_lte(count(se + line, X, select_noise(1)), count(se, X, select_noise(1)) + D + 1)
        expect_lte(count(line, X, select_noise(1)), D)
        expect_lte(count(line, X, select_oips(0.99)), D)
      }
    }
  }
})

test_that("OIPS compares correlations whatever the diagonal: points apart, rows covered, and the variance says nothing", {
  set.seed(10)
  kernels <- list(
    kernel_brownian(1, 0, 1), kernel_brownian(1, 0, 1, integrated = TRUE), kernel_linear(1, 0, 1) + kernel_se(0.3, 1),
    gpstream:::kernel_amplitude(1, c(0, 1), 3) * kernel_matern32(0.2, 1), kernel_linear(1, 0.2, 1) * kernel_se(0.4, 1),
    kernel_gibbs(0.1, 1, c(0, 1), 2), kernel_warped(kernel_se(0.1, 1), NULL, c(0, 1), 2), kernel_periodic(0.4, 0.5, 1),
    kernel_constant(1), kernel_cosine(0.7, 1), kernel_factor(0.3, 1), kernel_se(0.1, 1), kernel_matern12(0.2, 1),
    kernel_matern52(0.2, 1), kernel_rq(0.2, 1), kernel_linear(1, -1, 1)
  )
  x <- matrix(c(0, runif(250), 0, 1e-3), ncol = 1) # f(0) = 0 is known for some of them
  for (kernel in kernels) {
    for (rho in c(0.5, 0.9)) {
      sel <- oips(kernel, rho)
      for (rows in split(seq_len(nrow(x)), rep(1:7, length.out = nrow(x)))) sel$update(x[sort(rows), , drop = FALSE])
      once <- oips(kernel, rho)$update(x[unlist(split(seq_len(nrow(x)), rep(1:7, length.out = nrow(x)))), , drop = FALSE])
      expect_identical(sel$points, once$points)
      correlation <- function(a, b) {
        da <- diag(kernel_matrix(kernel, a))
        db <- diag(kernel_matrix(kernel, b))
        out <- abs(kernel_matrix(kernel, a, b)) / sqrt(outer(da, db))
        out[da == 0, ] <- 1 # nothing to learn there
        out
      }
      expect_true(all(diag(kernel_matrix(kernel, sel$points)) > 0))
      between <- correlation(sel$points, sel$points)
      expect_true(all(between[upper.tri(between)] < rho))
      expect_gte(min(apply(correlation(x, sel$points), 1, max)), rho * (1 - 1e-12))
      scaled <- kernel
      if (is.null(scaled$parts)) {
        scaled$variance <- 1e-3
        expect_identical(oips(scaled, rho)$update(x)$points, oips(kernel, rho)$update(x)$points)
      }
    }
  }
})
