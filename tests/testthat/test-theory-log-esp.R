# Elementary symmetric polynomials against exact sums.

log_esp <- function(...) getFromNamespace("log_esp", "gpstream")(...)

# e_j as the sum over all sets
esp_by_sets <- function(lambda, j) if (j == 0) 1 else sum(utils::combn(length(lambda), j, function(set) prod(lambda[set])))

test_that("log_esp is the sum over sets, and the fixture", {
  for (lambda in list(3, c(1, 1, 1), c(5, 2, 0.1, 1e-3), c(0.3, 7, 1e-8, 2, 0.01, 4), c(1, 0, 2))) {
    k <- length(lambda)
    expected <- log(vapply(0:k, esp_by_sets, 0, lambda = lambda))
    for (j in 1:k) expect_equal(log_esp(lambda, j), expected[0:j + 1], tolerance = 1e-13)
  }
  wide <- 10^seq(100, -160, by = -20) # e_14 is the product, e_7 that of the seven largest, to the last digit
  expect_equal(log_esp(wide, 14)[c(8, 15)], cumsum(log(wide))[c(7, 14)], tolerance = 1e-14)
  expect_identical(log_esp(rep(0, 3), 2), c(0, -Inf, -Inf))
  expect_identical(log_esp(1:2, 3)[4], -Inf)
  skip_if_not_installed("jsonlite")
  golden <- jsonlite::fromJSON(test_path("fixtures", "golden.json"))$log_esp
  expect_equal(log_esp(golden$lam, 6), golden$log_e, tolerance = 1e-13)
})

# The coefficients of prod(1 + lambda x) for whole lambda are whole; below 2^53 a double has them exactly. Fractions p / 2^q are whole
# after a common factor 2^q, which changes e_k by 2^(qk).
test_that("log_esp agrees with exact rational arithmetic", {
  exact <- function(whole) {
    e <- c(1, numeric(length(whole)))
    for (value in whole) e <- e + c(0, value * e[-length(e)])
    stopifnot(max(e) < 2^53)
    e
  }
  cases <- list(rep(1, 50), 1:14, c(1000, 1, 1, 999, 3, 7), 2^(0:9), c(97, 89, 83, 79, 73, 71, 67, 61), c(rep(2, 10), rep(3, 10), 5, 7))
  for (whole in cases) {
    k <- length(whole)
    expect_equal(log_esp(whole, k), log(exact(whole)), tolerance = 1e-14)
    expect_equal(log_esp(rev(whole) / 1024, k) + (0:k) * 10 * log(2), log(exact(whole)), tolerance = 1e-13)
  }
  expect_equal(exp(log_esp(rep(1, 50), 50)), choose(50, 0:50), tolerance = 1e-12)
})

test_that("log_esp agrees with 200 digits at 2000 values over 18 decades, where e_k overflows", {
  skip_if_not_installed("jsonlite")
  reference <- jsonlite::fromJSON(test_path("fixtures", "log-esp.json"))$spectrum
  i <- 0:1999
  log_e <- log_esp(((7919 * i) %% 10007 + 1) / 2^(i %/% 40), 2000)[reference$k + 1]
  expect_lt(max(abs(log_e - reference$log_e)), 1e-10)
  expect_gt(max(reference$log_e), log(.Machine$double.xmax))
})
