test_that("variances are never negative, never above the prior, never NaN: near-duplicates, rho = 0.999, lengthscales 1e-3 to 1e3", {
  set.seed(1)
  x <- runif(150)
  x <- c(x, x + 1e-12 * rnorm(150))
  y <- sin(6 * x) + rnorm(300, sd = 0.1)
  at <- c(x, seq(-1, 2, length.out = 200), 1e6)
  for (make in kernel_constructors) for (l in 10^seq(-3, 3, by = 1.5)) for (noise in c(1e-8, 0.01)) {
    gp <- streaming_gp(optimize = "none", kernel = make(l, 1), noise = noise, select = select_oips(0.999, max_points = 400), mean = "zero")
    p <- predict(stream(gp, x, y, 60), at, se.fit = TRUE)
    expect_true(all(is.finite(p$fit)) && all(is.finite(p$se.fit)))
    expect_gte(min(p$se.fit), 0)
    expect_lte(max(p$se.fit^2), 1 + 1e-12)
  }
})

test_that("95 % intervals cover 95 +- 0.9 % over 1000 streams simulated from the prior", {
  skip_on_cran()
  set.seed(2)
  kernel <- kernel_se(0.4, 1)
  hits <- replicate(1000, {
    x <- runif(205, 0, 2)
    root <- t(chol(kernel_matrix(kernel, x) + diag(1e-9, 205)))
    y <- drop(root %*% rnorm(205)) + rnorm(205, sd = 0.2)
    gp <- streaming_gp(optimize = "none", kernel = kernel, noise = 0.04, mean = "zero")
    for (i in 0:9) gp$update(x[20 * i + 1:20], y[20 * i + 1:20])
    p <- predict(gp, x[201:205], interval = "prediction")
    mean(y[201:205] > p[, "lwr"] & y[201:205] < p[, "upr"])
  })
  expect_lt(abs(mean(hits) - 0.95), 0.009)
})

test_that("a point that carries nothing new is refused and counted, not padded with jitter", {
  gp <- streaming_gp(optimize = "none", kernel = kernel_se(100, 1), noise = 0.01, select = select_fixed(seq(0, 1, length.out = 50)))
  gp$update(runif(20), rnorm(20))
  expect_lt(gp$size, 10)
  expect_identical(gpstream:::gp_info(gp)$refused, 50 - as.double(gp$size))
  expect_output(print(summary(gp)), "refused")
})

test_that("the sum of the streaming bounds is not a bound when Z grows: the counterexample of the documentation", {
  x <- c(0, 0.5, 0.65)
  y <- c(0, 3, -3)
  kernel <- kernel_se(1, 1)
  gp <- streaming_gp(optimize = "none", kernel = kernel, noise = 0.01, select = select_oips(0.7), lookback = 0, mean = "zero")
  gp$update(x[1:2], y[1:2])
  gp$update(x[3], y[3])
  expect_close(gp$objective, -314.62, 1e-4)
  expect_gt(gp$objective, exact_gp(kernel, x, y, 0.01, x)$evidence)
})

test_that("the core does not know R", {
  core <- test_path("..", "..", "src", "core")
  skip_if_not(dir.exists(core))
  files <- list.files(core, pattern = "[.]h$", recursive = TRUE, full.names = TRUE)
  expect_gt(length(files), 10)
  text <- unlist(lapply(files, readLines))
  expect_false(any(grepl("Rcpp|<R[._]|\\.inverse\\(\\)|Rf_", text)))
})

test_that("a posterior can be read and saved even where xi times the rounding of the evidence exceeds 1", {
  set.seed(2)
  x <- runif(2e4)
  gp <- streaming_gp(optimize = "none", kernel = kernel_se(0.3, 1), noise = 1e-12, select = select_fixed(seq(-2, 3, length.out = 60)))
  gp$update(x, sin(6 * x))
  p <- predict(gp, c(0.5, 2), se.fit = TRUE)
  expect_lt(abs(p$fit[1] - sin(3)), 1e-4)
  expect_true(all(p$se.fit >= 0 & p$se.fit <= 1 + 1e-8))
  expect_identical(predict(unserialize(serialize(gp, NULL)), x[1:9]), predict(gp, x[1:9]))
})
