# The core's own tests (tests/core) check these identities in extended precision over many designs; here they pass through R.

test_that("with Z given, any split into batches gives the dense batch posterior, every kernel, D 1 to 10", {
  for (design in 1:20) {
    D <- (design - 1) %% 10 + 1
    make <- kernel_constructors[[(design - 1) %% length(kernel_constructors) + 1]]
    data <- example_stream(60, D, design, range = 1)
    kernel <- make(lengthscale = 0.5 * sqrt(D), variance = 1.7)
    Z <- if (D == 1) seq(0, 1, length.out = 8) else matrix(runif(12 * D), 12)
    truth <- batch_posterior(kernel, Z, data$x, data$y, 0.05, data$at)
    for (size in c(1, 7, 60)) {
      gp <- streaming_gp(optimize = "none", kernel = kernel, noise = 0.05, select = select_fixed(Z), mean = "zero")
      expect_posterior(stream(gp, data$x, data$y, size), truth, data$at, 1e-10)
    }
  }
})

test_that("Z = X gives the exact Gaussian process", {
  for (make in kernel_constructors) {
    data <- example_stream(30, 2)
    kernel <- make(lengthscale = 1, variance = 2)
    gp <- streaming_gp(optimize = "none", kernel = kernel, noise = 0.1, select = select_fixed(data$x), mean = "zero")
    stream(gp, data$x, data$y, 7)
    truth <- exact_gp(kernel, data$x, data$y, 0.1, data$at)
    expect_posterior(gp, c(truth[1:2], objective = truth$evidence), data$at, 1e-8)
  }
})

test_that("lookback = Inf: any stream, in any cut, gives the batch sparse posterior with the final Z", {
  for (seed in 1:5) {
    data <- example_stream(150, D = 1 + seed %% 3, seed = seed)
    if (seed > 2) data$x <- data$x[order(data$x[, 1]), , drop = FALSE]
    kernel <- kernel_se(0.8, 1.3)
    for (size in c(1, 20, 150)) {
      gp <- streaming_gp(optimize = "none", kernel = kernel, noise = 0.01, select = select_oips(0.7), lookback = Inf, mean = "zero")
      stream(gp, data$x, data$y, size)
      expect_posterior(gp, batch_posterior(kernel, gp$points, data$x, data$y, 0.01, data$at), data$at, 1e-10)
    }
  }
})

test_that("lookback = 0 is the recursion of [GFO21 A.1], natural parameters in plain R", {
  data <- example_stream(60, seed = 3)
  kernel <- kernel_se(0.7, 1.5)
  noise <- 0.05
  gp <- streaming_gp(optimize = "none", kernel = kernel, noise = noise, select = select_oips(0.7), lookback = 0, mean = "zero")
  precision <- linear <- NULL
  for (start in seq(1, 60, by = 6)) {
    rows <- start:(start + 5)
    old <- gp$points
    gp$update(data$x[rows, , drop = FALSE], data$y[rows])
    inverse <- chol2inv(chol(kernel_matrix(kernel, gp$points)))
    kappa <- kernel_matrix(kernel, data$x[rows, , drop = FALSE], gp$points) %*% inverse
    new <- list(crossprod(kappa) / noise, crossprod(kappa, data$y[rows]) / noise)
    if (nrow(old) > 0) {
      kappa_old <- kernel_matrix(kernel, old, gp$points) %*% inverse
      new <- list(new[[1]] + t(kappa_old) %*% precision %*% kappa_old, new[[2]] + t(kappa_old) %*% linear)
    }
    precision <- new[[1]]
    linear <- new[[2]]
  }
  sigma <- solve(inverse + precision)
  expect_close(gp$posterior$mean, drop(sigma %*% linear), 1e-8)
  expect_close(gp$posterior$cov, sigma, 1e-8)
})

test_that("on a sorted stream 50 rows of look-back recover 90 % of what lookback = 0 loses in RMSE", {
  set.seed(12)
  x <- sort(runif(400, 0, 10))
  y <- sin(2 * x) + rnorm(400, sd = 0.1)
  rmse <- vapply(c(0, 50, Inf), function(lookback) {
    gp <- streaming_gp(optimize = "none", kernel = kernel_se(1, 1), noise = 0.01, select = select_oips(0.7), lookback = lookback, mean = "zero")
    stream(gp, x, y, 1)
    sqrt(mean((predict(gp, x) - sin(2 * x))^2))
  }, numeric(1))
  expect_gt(rmse[1], 3 * rmse[3])
  expect_gt((rmse[1] - rmse[2]) / (rmse[1] - rmse[3]), 0.9)
})

test_that("changing v, s2 or the mean and reading out equals a model that had them from the start", {
  data <- example_stream(200, 2)
  build <- function(variance, noise, mean) {
    gp <- streaming_gp(optimize = "none", kernel = kernel_matern52(1, variance), noise = noise, mean = mean, lookback = 20)
    stream(gp, data$x, data$y + 4, 15)
  }
  gp <- build(1, 0.5, 0)
  gp$kernel <- kernel_matern52(1, 0.3)
  gp$noise <- 0.02
  gp$mean <- 4
  other <- build(0.3, 0.02, 4)
  for (part in c("fit", "se.fit")) {
    expect_close(predict(gp, data$at, se.fit = TRUE)[[part]], predict(other, data$at, se.fit = TRUE)[[part]], 1e-10)
  }
  expect_close(gp$objective, other$objective, 1e-10)
})

test_that("the order of batches does not matter when Z is given", {
  data <- example_stream(90, 2)
  build <- function(order) {
    gp <- streaming_gp(optimize = "none", kernel = kernel_se(1, 1), noise = 0.1, select = select_fixed(data$at[1:10, ]), mean = "zero")
    stream(gp, data$x[order, ], data$y[order], 9)
  }
  a <- build(1:90)
  b <- build(90:1)
  expect_close(predict(a, data$at), predict(b, data$at), 1e-10)
  expect_close(a$objective, b$objective, 1e-10)
})

test_that("scaling y and x (with the lengthscale) scales the predictions and nothing else", {
  data <- example_stream(80)
  base <- stream(streaming_gp(optimize = "none", kernel = kernel_se(0.8, 1), noise = 0.01, mean = "zero"), data$x, data$y, 10)
  for (c in 10^seq(-6, 6, by = 2)) {
    gp <- stream(streaming_gp(optimize = "none", kernel = kernel_se(0.8 * c, c^2), noise = 0.01 * c^2, mean = "zero"), data$x * c, data$y * c, 10)
    expect_close(predict(gp, data$at * c) / c, predict(base, data$at), 1e-8)
    expect_close(predict(gp, data$at * c, se.fit = TRUE)$se.fit / c, predict(base, data$at, se.fit = TRUE)$se.fit, 1e-8)
  }
})

test_that("with all points given, any cut gives the same whatever the look-back (M13)", {
  for (seed in 1:3) {
    data <- example_stream(150, D = seed, seed = seed)
    Z <- data$x[seq(1, 150, by = 10), , drop = FALSE]
    for (lookback in c(0, 20)) {
      fits <- lapply(c(1, 20, 150), function(size) {
        gp <- streaming_gp(
          optimize = "none", kernel = kernel_se(0.8, 1.3), noise = 0.01, select = select_fixed(Z), lookback = lookback, mean = "zero"
        )
        predict(stream(gp, data$x, data$y, size), data$at, se.fit = TRUE)
      })
      for (other in fits[-1]) expect_equal(other, fits[[1]], tolerance = 1e-10)
    }
  }
})

test_that("points that join: the figures of ?streaming_gp, and larger batches come closer to the posterior of all rows (M13)", {
  gaps <- vapply(12:21, function(seed) {
    set.seed(seed)
    x <- sort(runif(400, 0, 10))
    y <- sin(2 * x) + rnorm(400, sd = 0.1)
    fit <- function(size, lookback) {
      gp <- streaming_gp(optimize = "none", kernel = kernel_se(1, 1), noise = 0.01, lookback = lookback, mean = "zero")
      stream(gp, x, y, size)
      list(at = predict(gp, x), points = gp$points)
    }
    whole <- fit(400, Inf)
    unlist(lapply(c(0, 100), function(lookback) {
      one <- fit(1, lookback)
      many <- fit(200, lookback)
      expect_identical(one$points, whole$points)
      expect_identical(many$points, whole$points)
      c(max(abs(one$at - many$at)), mean((one$at - whole$at)^2), mean((many$at - whole$at)^2))
    }))
  }, numeric(6))
  expect_lt(max(gaps[1, ]), 0.6)
  expect_gt(max(gaps[1, ]), 0.4)
  expect_lt(max(gaps[4, ]), 0.01)
  expect_gt(max(gaps[4, ]), 0.004)
  expect_true(all(gaps[3, ] < gaps[2, ]), label = "200 at a time is closer, without a look-back")
  expect_lt(mean(gaps[6, ]), mean(gaps[5, ]))
})
