# Dense formulas in tests/core/test_rebase.cpp.

test_that("assigning the same points or kernel changes nothing", {
  data <- example_stream(120)
  gp <- stream(streaming_gp(optimize = "none", kernel = kernel_matern52(0.8, 1), noise = 0.05, lookback = 10), data$x, data$y, 8)
  gp$objective # reading the posterior factors it
  before <- as.list(gp)
  gp$points <- gp$points
  gp$kernel <- gp$kernel
  gp$noise <- gp$noise
  gp$mean <- gp$mean
  gp$objective
  expect_identical(as.list(gp)$core$P, before$core$P)
  expect_close(as.list(gp)$core$C, before$core$C, 1e-12)
})

test_that("points that are only added leave the posterior of the old ones as it was", {
  data <- example_stream(120)
  gp <- stream(streaming_gp(optimize = "none", kernel = kernel_se(0.8, 1), noise = 0.05, lookback = 0), data$x, data$y, 8)
  old <- gp$posterior
  M <- gp$size
  gp$points <- c(0.123, gp$points[M:1], 2.9, 4.2)
  expect_gt(gp$size, M)
  expect_close(gp$posterior$mean[1:M], old$mean, 1e-12)
  expect_close(gp$posterior$cov[1:M, 1:M], old$cov, 1e-12)
})

test_that("with every row in the window, other points or another kernel are as good as having had them from the start", {
  data <- example_stream(100, 2)
  to <- kernel_matern32(c(1.2, 0.9), 2)
  gp <- stream(streaming_gp(optimize = "none", kernel = kernel_se(0.8, 1), noise = 0.05, lookback = Inf, mean = "zero"), data$x, data$y, 8)
  gp$kernel <- to
  gp$points <- data$at[1:15, ]
  expect_posterior(gp, batch_posterior(to, gp$points, data$x, data$y, 0.05, data$at[20:40, ]), data$at[20:40, ], 1e-8)
})

test_that("a stream goes on after a change of kernel, with the new acceptance radius", {
  data <- example_stream(200)
  gp <- stream(streaming_gp(optimize = "none", kernel = kernel_se(0.8, 1), noise = 0.01), data$x[1:100, ], data$y[1:100], 10)
  gp$kernel <- kernel_se(0.3, 1)
  before <- gp$size
  stream(gp, data$x[101:200, ], data$y[101:200], 10)
  expect_gt(gp$size, before)
  expect_identical(gp$nobs, 200)
  expect_lt(sqrt(mean((predict(gp, data$x) - data$y)^2)), 0.15)
})

golden <- function() {
  skip_if_not_installed("jsonlite")
  jsonlite::fromJSON(test_path("fixtures", "golden.json"))
}

golden_model <- function(g) {
  gp <- streaming_gp(optimize = "none", kernel = kernel_se(g$l, g$v), noise = g$sigma2, select = select_oips(g$rho), lookback = 0, mean = "zero")
  stream(gp, g$x, g$y, g$batch)
}

test_that("fixtures: the stream of an independent implementation", {
  g <- golden()$gaussian_stream
  gp <- golden_model(g)
  expect_identical(drop(gp$points), g$x[g$accepted + 1])
  p <- predict(gp, g$x_test, se.fit = TRUE)
  expect_close(p$fit, g$pred_mean, 1e-8)
  expect_close(p$se.fit^2, g$pred_var, 1e-8)
  expect_close(gp$objective, g$objective, 1e-8)
  core <- as.list(gp)$core
  P <- core$P + t(core$P) - diag(diag(core$P))
  expect_close(g$v / g$sigma2 * P, g$H, 1e-8)
  expect_close(sqrt(g$v) / g$sigma2 * core$b, g$c, 1e-8)
  expect_close(g$v * core$tau[as.integer(names(g$levels)) + 1], unlist(g$levels), 1e-8)
})

test_that("fixtures: other points, then another kernel", {
  all <- golden()
  g <- all$gaussian_stream
  gp <- golden_model(g)
  same <- all$reproject_same_kernel
  gp$points <- same$Z_new
  p <- predict(gp, g$x_test, se.fit = TRUE)
  expect_close(p$fit, same$pred_mean, 1e-8)
  expect_close(p$se.fit^2, same$pred_var, 1e-8)
  expect_close(gp$objective, same$objective, 1e-8)

  new <- all$reproject_new_kernel
  tau <- gpstream:::gp_info(gp)$tau
  gp$kernel <- kernel_se(new$l, new$v)
  p <- predict(gp, g$x_test, se.fit = TRUE)
  expect_close(p$fit, new$pred_mean, 1e-8)
  expect_close(p$se.fit^2, new$pred_var, 1e-8)
  # the fixture leaves the old residual at the old amplitude, we read everything with the new one
  expect_close(gp$objective, new$objective + (g$v - new$v) / (2 * g$sigma2) * tau, 1e-8)
})
