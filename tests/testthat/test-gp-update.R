# Weights are precisions, as in lm().

given <- function(...) streaming_gp(kernel = kernel_se(0.8, 1), noise = 0.05, mean = 0.3, optimize = "none", ...)

test_that("B replicates of a row are one row of weight B in every prediction, whatever the cut and the look-back", {
  d <- example_stream(60)
  times <- rep(c(1, 3, 2, 5, 1, 1), 10)
  at <- matrix(seq(-1, 5, length.out = 30))
  for (lookback in c(0, 10, Inf)) {
    copies <- given(lookback = if (is.finite(lookback)) lookback else Inf, select = select_fixed(d$x[1:12, , drop = FALSE]))
    copies$update(d$x[rep(1:60, times), , drop = FALSE], d$y[rep(1:60, times)])
    for (size in c(1, 7, 60)) {
      weighted <- given(lookback = lookback, select = select_fixed(d$x[1:12, , drop = FALSE]))
      for (rows in split(1:60, ceiling(1:60 / size))) weighted$update(d$x[rows, , drop = FALSE], d$y[rows], weights = times[rows])
      a <- predict(weighted, at, se.fit = TRUE)
      b <- predict(copies, at, se.fit = TRUE)
      expect_equal(a$fit, b$fit, tolerance = 1e-10)
      expect_equal(a$se.fit, b$se.fit, tolerance = 1e-10)
    }
  }
})

test_that("weights of 1 are no weights, bitwise; of 0, no rows", {
  d <- example_stream(40)
  plain <- given()$update(d$x, d$y)
  expect_identical(as.list(given()$update(d$x, d$y, weights = rep(1, 40)))$core, as.list(plain)$core)
  some <- rep(c(1, 0), 20)
  expect_identical(
    as.list(given()$update(d$x, d$y, weights = some))$core,
    as.list(given()$update(d$x[some > 0, , drop = FALSE], d$y[some > 0]))$core
  )
})

test_that("with a formula, weights are a vector or a column, named once or with the batch", {
  d <- data.frame(u = seq(0, 4, length.out = 50), w = rep(c(1, 4), 25))
  d$y <- sin(d$u)
  make <- function(...) streaming_gp(y ~ u, kernel = kernel_se(0.8, 1), noise = 0.05, mean = 0, optimize = "none", ...)
  expected <- as.list(make()$update(d, weights = d$w))$core
  expect_identical(as.list(make()$update(d, weights = "w"))$core, expected)
  expect_identical(as.list(make(weights = "w")$update(d))$core, expected)
  expect_identical(as.list(consume(make(weights = "w"), d, batch_size = 50))$core$P, expected$P)
})

test_that("scale and kernel are learned with the weights: a few bad rows of little weight do no harm", {
  set.seed(5)
  x <- runif(300, 0, 6)
  noisy <- rep(c(FALSE, FALSE, TRUE), 100)
  y <- sin(x) + rnorm(300, sd = ifelse(noisy, 1, 0.1))
  gp <- streaming_gp()$update(x, y, weights = ifelse(noisy, 0.01, 1))
  expect_lt(abs(log(gp$noise / 0.01)), 0.35)
  expect_lt(sqrt(mean((predict(gp, seq(0.2, 5.8, 0.2)) - sin(seq(0.2, 5.8, 0.2)))^2)), 0.05)
})

test_that("weights survive saving and copying", {
  d <- example_stream(30)
  gp <- given(lookback = 10)$update(d$x, d$y, weights = seq_len(30))
  expect_identical(as.list(unserialize(serialize(gp, NULL)))$core, as.list(gp)$core)
  file <- tempfile()
  save_gp(gp, file)
  expect_identical(as.list(load_gp(file))$core, as.list(gp)$core)
})

test_that("weights that make no sense are refused, and nothing changes", {
  d <- example_stream(5)
  gp <- given()$update(d$x, d$y)
  expect_refused(gp, gp$update(d$x, d$y, weights = 1:4), "dimension", "`weights` has 4 values for 5 rows")
  expect_refused(gp, gp$update(d$x, d$y, weights = -1:3), "input", "in row 1 it is -1")
  expect_refused(gp, gp$update(d$x, d$y, weights = c(1, NA, 1, 1, 1)), "nonfinite", "`weights` has NA in row 2")
  expect_refused(gp, gp$update(d$x, d$y, weights = "w"), "type", "numeric vector")
  expect_error(streaming_gp(weights = "w"), "needs a `formula`", class = "gpstream_error_parameter")
  expect_error(streaming_gp(y ~ x, weights = 1:3), "name of a column", class = "gpstream_error_parameter")
  framed <- streaming_gp(y ~ x, optimize = "none")
  expect_error(framed$update(data.frame(x = 1:3, y = 1:3), weights = "z"), "name of a column", class = "gpstream_error_input")
})
