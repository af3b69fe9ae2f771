# simulate() draws from the joint posterior, and leaves the random generator as simulate() methods do.

gp <- toy_gp(40)
at <- c(0.2, 0.3, 5, 30, 31)

test_that("mean and covariance of many draws are those of the posterior", {
  n <- 20000
  joint <- predict(gp, at, cov = TRUE)
  noise <- diag(gp$noise, length(at))
  for (type in c("latent", "response")) {
    draws <- t(simulate(gp, n, seed = 1, newdata = at, type = type))
    expected <- joint$cov + if (type == "response") noise else 0
    expect_lt(max(abs(colMeans(draws) - joint$fit) / sqrt(diag(expected) / n)), 4.5)
    # the standard error of a covariance s_ij is sqrt((s_ii s_jj + s_ij^2) / n)
    error <- sqrt((outer(diag(expected), diag(expected)) + expected^2) / n)
    expect_lt(max(abs(cov(draws) - expected) / error), 4.5)
  }
})

test_that("a draw is a function: near inputs have near values", {
  x <- seq(20, 24, by = 0.02)
  draw <- simulate(gp, 1, seed = 3, newdata = x)[[1]]
  expect_lt(max(abs(diff(draw))), 0.15) # the slope has standard deviation sqrt(2)
  expect_gt(diff(range(draw)), 0.5)
  expect_true(all(is.finite(unlist(simulate(gp, 3, newdata = rep(1, 50)))))) # a singular covariance
})

test_that("a seed reproduces the draws and the generator goes on as if nothing had been", {
  set.seed(10)
  before <- .Random.seed
  a <- simulate(gp, 2, seed = 42, newdata = at)
  expect_identical(.Random.seed, before)
  b <- simulate(gp, 2, seed = 42, newdata = at)
  expect_identical(b, a)
  expect_identical(attr(a, "seed"), structure(42, kind = as.list(RNGkind())))
  expect_false(identical(simulate(gp, 2, seed = 43, newdata = at)[[1]], a[[1]]))
  expect_error(simulate(gp, 2, seed = "a", newdata = at), "`seed`", class = "gpstream_error_parameter")
  expect_error(simulate(gp, 2, seed = 1, newdata = "a"), "`newdata`", class = "gpstream_error_type")
  expect_identical(.Random.seed, before)
})

test_that("without a seed the draws come from the generator, whose state is told", {
  set.seed(10)
  before <- .Random.seed
  a <- simulate(gp, 2, newdata = at)
  expect_identical(attr(a, "seed"), before)
  expect_false(identical(.Random.seed, before))
  set.seed(10)
  expect_identical(simulate(gp, 2, newdata = at), a)
})

test_that("a generator that was never used is fine", {
  old <- get(".Random.seed", globalenv())
  on.exit(assign(".Random.seed", old, globalenv()))
  rm(".Random.seed", envir = globalenv())
  expect_silent(simulate(gp, 1, seed = 1, newdata = at))
  rm(".Random.seed", envir = globalenv())
  expect_silent(simulate(gp, 1, newdata = at))
})

test_that("the result has the form of simulate.lm", {
  line <- lm(dist ~ speed, cars)
  ours <- simulate(streaming_gp(optimize = "none", dist ~ speed, cars), 3, seed = 1, newdata = cars)
  theirs <- simulate(line, 3, seed = 1)
  expect_identical(dim(ours), dim(theirs))
  expect_identical(names(ours), names(theirs))
  expect_s3_class(ours, "data.frame")
  named <- simulate(gp, 2, newdata = c(a = 1, b = 2))
  expect_identical(row.names(named), c("a", "b"))
})

test_that("NA in, NA out", {
  draws <- simulate(gp, 3, seed = 1, newdata = c(1, NA, 2))
  expect_identical(unname(is.na(as.matrix(draws))), matrix(c(FALSE, TRUE, FALSE), 3, 3))
  expect_true(all(is.na(unlist(simulate(gp, 2, seed = 1, newdata = NA_real_, type = "response")))))
})

test_that("before any data the draws are from the prior", {
  new <- streaming_gp(optimize = "none", kernel = kernel_se(1, 4), noise = 1, mean = 10)
  draws <- unlist(simulate(new, 4000, seed = 2, newdata = 0))
  expect_lt(abs(mean(draws) - 10), 4.5 * 2 / sqrt(4000))
  expect_lt(abs(var(draws) / 4 - 1), 4.5 * sqrt(2 / 4000))
})

test_that("the root of a covariance is one, singular or not", {
  x <- seq(0, 3, length.out = 40)
  for (cov in list(kernel_matrix(kernel_matern12(1, 2), x), kernel_matrix(kernel_se(5, 1), x), kernel_matrix(kernel_se(1, 1), rep(x[1:5], 8)), matrix(0, 3, 3), matrix(4))) {
    root <- gpstream:::covariance_root(cov)
    expect_lte(max(abs(crossprod(root) - cov)), 1e-12 * max(cov, 1))
  }
  same <- simulate(toy_gp(), 3, seed = 1, newdata = c(2, 2, 5, 2)) # one row three times is one value
  expect_equal(same[c(2, 4), ], same[c(1, 1), ], ignore_attr = TRUE, tolerance = 1e-12)
})
