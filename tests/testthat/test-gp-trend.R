# A trend whose coefficients are integrated out, as far as it is to be had: from the core, and in a state.

trended <- function(x, y, lookback = 10, by = 7, ratio = c(3, 0.5), rho = 0.8) {
  gp <- streaming_gp(kernel = kernel_se(0.8, 1.3), noise = 0.04, mean = 0.5, select = select_oips(rho), lookback = lookback,
    optimize = "none")
  trend <- list(columns = 1, centre = 2, scale = 1.5, ratio = ratio)
  spec <- c(gp$spec, list(trend = trend))
  handle <- gpstream:::core_gp_new(spec, x[0, , drop = FALSE], numeric(), numeric(), numeric())
  for (start in seq(1, length(y), by)) {
    rows <- start:min(length(y), start + by - 1)
    gpstream:::core_gp_learn(handle, x[rows, , drop = FALSE], y[rows], numeric(), numeric(), numeric(), spec, TRUE)
  }
  frame <- as.list(gp$copy()$update(x[1, , drop = FALSE], y[1]))$frame
  streaming_gp_restore(list(format = gpstream:::core_format(), package = "0", spec = gp$spec, frame = frame, core = gpstream:::core_gp_state(handle)))
}

some_rows <- function(n = 60) {
  set.seed(3)
  x <- matrix(runif(n, 0, 4))
  list(x = x, y = 1 + 2 * x[, 1] + sin(3 * x[, 1]) + rnorm(n, sd = 0.2))
}

# the dense model: the trend is a term of the kernel
dense_trend <- function(d, at, ratio = c(3, 0.5)) {
  basis <- function(x) cbind(1, (x - 2) / 1.5)
  k <- function(a, b) 1.3 * (exp(-outer(a, b, "-")^2 / 0.8^2) + basis(a) %*% (ratio * t(basis(b))))
  K <- k(d$x[, 1], d$x[, 1]) + diag(0.04, nrow(d$x))
  across <- k(d$x[, 1], at)
  away <- d$y - 0.5
  B <- 1.3 * diag(ratio)
  A <- B %*% t(basis(d$x[, 1]))
  list(
    mean = drop(0.5 + crossprod(across, solve(K, away))), cov = k(at, at) - crossprod(across, solve(K, across)),
    evidence = -(length(away) * log(2 * pi) + determinant(K)$modulus[[1]] + sum(away * solve(K, away))) / 2,
    beta = drop(c(0.5, 0) + A %*% solve(K, away)), beta_cov = B - A %*% solve(K, t(A))
  )
}

test_that("a model with a trend predicts, draws and tells its coefficients as the dense model does", {
  d <- some_rows()
  at <- seq(-2, 6, by = 0.5)
  exact <- dense_trend(d, at)
  gp <- trended(d$x, d$y, Inf, rho = 0.99) # points so close that nothing is missed
  p <- predict(gp, at, se.fit = TRUE)
  expect_equal(unname(p$fit), exact$mean, tolerance = 1e-4)
  expect_equal(unname(p$se.fit), sqrt(diag(exact$cov)), tolerance = 1e-4)
  expect_equal(unname(predict(gp, at, cov = TRUE)$cov), exact$cov, tolerance = 1e-3)
  expect_equal(gp$objective, exact$evidence, tolerance = 1e-3)
  draws <- simulate(gp, 4000, seed = 1, newdata = at)
  expect_equal(apply(draws, 1, sd), unname(p$se.fit), tolerance = 0.1, ignore_attr = TRUE)
  told <- gpstream:::core_gp_trend(gpstream:::gp_handle(gp))
  expect_named(told, c("columns", "centre", "scale", "asked", "variance", "coefficients", "cov"))
  expect_equal(told$coefficients, exact$beta, tolerance = 1e-4)
  expect_equal(told$cov, exact$beta_cov, tolerance = 1e-4)
  expect_equal(gpstream:::core_gp_info(gpstream:::gp_handle(gp))$trend, list(columns = 1L, centre = 2, scale = 1.5, asked = 1, variance = 1.3 * c(3, 0.5)))
})

test_that("the certificate of a model with a trend brackets the log evidence, for any look-back", {
  d <- some_rows()
  exact <- dense_trend(d, 0)$evidence
  for (lookback in c(0, 10, Inf)) {
    for (rho in c(0.8, 0.95, 0.99)) {
      kept <- trended(d$x, d$y, lookback, rho = rho)$certificate()
      expect_lte(kept$lower, exact)
      expect_gte(kept$upper, exact)
    }
  }
  expect_lt(kept$kl, 0.1)
  moved <- trended(d$x, d$y, 10, rho = 0.95)
  moved$points <- moved$points[-3, , drop = FALSE]
  kept <- moved$certificate()
  expect_true(kept$lower <= exact && exact <= kept$upper)
})

test_that("ratios can be changed at any time, and a model with a trend can be saved", {
  d <- some_rows()
  gp <- trended(d$x, d$y, 10)
  other <- trended(d$x, d$y, 10, ratio = c(0, 2))
  gpstream:::core_gp_set_trend(gpstream:::gp_handle(gp), c(0, 2))
  expect_equal(predict(gp, 1:4, se.fit = TRUE), predict(other, 1:4, se.fit = TRUE), tolerance = 1e-10)
  expect_error(gpstream:::core_gp_set_trend(gpstream:::gp_handle(gp), 1), class = "gpstream_error_parameter")
  twin <- load_gp(save_gp(gp, tempfile(fileext = ".gps")))
  expect_identical(as.list(twin)$core, as.list(gp)$core)
  expect_equal(as.list(gp)$core$trend, rbind(c(0, 0, 1, 0), c(1, 2, 1.5, 2)))
  expect_error(trended(d$x, d$y, ratio = 1), class = "gpstream_error_parameter")
})

test_that("the bound of a batch and the best scale know of the trend", {
  d <- some_rows()
  for (lookback in c(0, 10)) {
    gp <- trended(d$x, d$y, lookback)
    new <- list(x = c(1.1, 2.5, 3.9), y = c(3, 6, 9))
    before <- gp$objective
    bound <- gpstream:::core_gp_bound(gpstream:::gp_handle(gp), matrix(new$x), new$y)
    expect_equal(sum(bound[-1]), bound[["bound"]], tolerance = 1e-8)
    expect_equal(gp$copy()$update(new$x, new$y)$objective - before, bound[["bound"]], tolerance = 1e-8)
  }
  learned <- gp$copy()
  learned$optimize(what = "scale")
  expect_gt(learned$objective, gp$objective)
  expect_equal(as.list(learned)$core$mean, 0.5) # its constant is integrated out
  at <- function(v, s2) {
    gpstream:::core_gp_set_scale(gpstream:::gp_handle(twin), v, s2, 0.5)
    twin$objective
  }
  twin <- learned$copy()
  for (step in c(0.99, 1.01)) {
    expect_lt(at(learned$kernel$variance * step, learned$noise), learned$objective)
    expect_lt(at(learned$kernel$variance, learned$noise * step), learned$objective)
  }
})
