# The k-DPP: its normalising constants, and draws against the distribution written out.

internal <- function(name) getFromNamespace(name, "gpstream")

# e_j as the sum over all sets
esp_by_sets <- function(lambda, j) if (j == 0) 1 else sum(utils::combn(length(lambda), j, function(set) prod(lambda[set])))

# Counts of sets against their probabilities.
expect_frequencies <- function(counts, probability) {
  expected <- sum(counts) * probability
  common <- expected >= 5
  counts <- c(counts[common], sum(counts[!common]))
  expected <- c(expected[common], sum(expected[!common]))
  statistic <- sum((counts - expected)^2 / pmax(expected, 1e-9))
  expect_gt(pchisq(statistic, length(counts) - 1, lower.tail = FALSE), 1e-3)
}

test_that("log_esp is the sum over sets, and the fixture", {
  log_esp <- internal("log_esp")
  for (lambda in list(3, c(1, 1, 1), c(5, 2, 0.1, 1e-3), c(0.3, 7, 1e-8, 2, 0.01, 4), c(1, 0, 2))) {
    k <- length(lambda)
    expected <- log(vapply(0:k, esp_by_sets, 0, lambda = lambda))
    for (j in 1:k) expect_equal(log_esp(lambda, j), expected[0:j + 1], tolerance = 1e-13)
  }
  wide <- 10^seq(100, -160, by = -20) # e_14 is the product, e_7 that of the seven largest, to the last digit
  expect_equal(log_esp(wide, 14)[c(8, 15)], cumsum(log(wide))[c(7, 14)], tolerance = 1e-14)
  expect_identical(log_esp(rep(0, 3), 2), c(0, -Inf, -Inf))
  skip_if_not_installed("jsonlite")
  golden <- jsonlite::fromJSON(test_path("fixtures", "golden.json"))$log_esp
  expect_equal(log_esp(golden$lam, 6), golden$log_e, tolerance = 1e-13)
})

test_that("sets of k rows come with probability det(K_A) / e_k", {
  K <- kernel_matrix(kernel_se(1, 2), c(0, 0.3, 0.5, 1.1, 2, 2.2))
  lambda <- eigen(K, symmetric = TRUE)$values
  for (k in 1:5) {
    sets <- utils::combn(6, k)
    probability <- apply(sets, 2, function(A) det(K[A, A, drop = FALSE])) / exp(internal("log_esp")(lambda, k)[k + 1])
    expect_equal(sum(probability), 1)
    set.seed(k)
    drawn <- replicate(2000, paste(internal("kdpp_draw")(K, k), collapse = " "))
    names <- apply(sets, 2, paste, collapse = " ")
    expect_true(all(drawn %in% names))
    expect_frequencies(tabulate(match(drawn, names), ncol(sets)), probability)
  }
  expect_identical(internal("kdpp_draw")(K, 6), 1:6)
})

test_that("no more rows are drawn than the matrix has rank", {
  x <- c(0, 0, 5, 5, 5, 9)
  set.seed(1)
  for (i in 1:20) expect_setequal(x[internal("kdpp_draw")(kernel_matrix(kernel_se(1), x), 5)], c(0, 5, 9))
  set.seed(2)
  chosen <- select_points(select_kdpp(5), x, kernel_se(1))
  expect_setequal(chosen$points, c(0, 5, 9))
})

test_that("a large batch is thinned evenly", {
  x <- matrix(as.double(1:95))
  set.seed(1)
  rows <- internal("kdpp_rows")(x, 10, kernel_se(1, 1), most = 10)
  expect_identical(rows, as.integer((0:9) * 9.5) + 1L)
  expect_identical(internal("kdpp_rows")(x, 95, kernel_se(0.1, 1)), 1:95)
})

test_that("rows of a k-DPP lie farther from each other than random rows", {
  x <- toy(150, 2)$x
  k <- kernel_se(2, 1)
  spread <- function(selector) mean(replicate(15, determinant(kernel_matrix(k, select_points(selector, x, k)$points))$modulus))
  set.seed(1)
  expect_gt(spread(select_kdpp(10)), spread(select_random(10)) + 2)
})
