# The k-DPP: draws and probabilities against the distribution written out, and what cannot be computed is refused.

internal <- function(name) getFromNamespace(name, "gpstream")

# All sets of k rows and their probabilities, by the definition.
enumerated <- function(K, k) {
  sets <- utils::combn(nrow(K), k, simplify = FALSE)
  volume <- vapply(sets, function(A) det(K[A, A, drop = FALSE]), 0)
  list(sets = sets, probability = volume / sum(volume))
}

# Counts of sets against their probabilities.
expect_frequencies <- function(counts, probability) {
  expected <- sum(counts) * probability
  common <- expected >= 5
  counts <- c(counts[common], sum(counts[!common]))
  expected <- c(expected[common], sum(expected[!common]))
  statistic <- sum((counts - expected)^2 / pmax(expected, 1e-9))
  expect_gt(pchisq(statistic, length(counts) - 1, lower.tail = FALSE), 1e-3)
}

# Six rows: far apart (all eigenvalues alike), close (over ten decades), with rows that are equal, and in the plane.
six <- list(
  full = list(kernel_matern12(1, 2), c(0, 0.9, 2, 3.5, 4.1, 6)),
  smooth = list(kernel_se(1, 2), c(0, 0.3, 0.5, 1.1, 2, 2.2)),
  flat = list(kernel_se(2, 1), c(0, 0.3, 0.5, 1.1, 1.4, 1.7)),
  equal = list(kernel_se(1), c(0, 0, 1, 1, 1, 2)),
  plane = list(kernel_rq(c(1, 2)) + kernel_se(0.5, 3), toy(6, 2)$x / 5)
)
rank_of <- function(case) nrow(unique(as.matrix(case[[2]])))

test_that("sets of k of 6 rows are drawn with probability det(K_A) / e_k", {
  for (name in names(six)) {
    case <- six[[name]]
    K <- kernel_matrix(case[[1]], case[[2]])
    for (k in 1:min(rank_of(case), 5)) {
      truth <- enumerated(K, k)
      set.seed(k)
      drawn <- kdpp_sample(case[[1]], case[[2]], rep(k, 2000))
      key <- vapply(drawn, paste, "", collapse = " ")
      names <- vapply(truth$sets, paste, "", collapse = " ")
      expect_true(all(key %in% names))
      expect_frequencies(tabulate(match(key, names), length(names)), truth$probability)
    }
  }
  expect_identical(kdpp_sample(six$full[[1]], six$full[[2]], 6), 1:6)
})

# On 40 rows there are too many sets to count; but the residual trace of a k-DPP draw has a known mean, (k + 1) e_{k+1} / e_k.
test_that("the residual trace of k of 40 rows has the mean that it must have", {
  x <- toy(40, 2)$x
  kernel <- kernel_se(5, 1)
  K <- kernel_matrix(kernel, x)
  log_e <- internal("log_esp")(eigen(K, symmetric = TRUE)$values[1:30], 11)
  for (k in c(3, 10)) {
    set.seed(k)
    trace <- vapply(kdpp_sample(kernel, x, rep(k, 1000)), function(A) 40 - sum(solve(K[A, A], K[A, ]) * K[A, ]), 0)
    expect_lt(abs(mean(trace) - (k + 1) * exp(log_e[k + 2] - log_e[k + 1])), 4 * sd(trace) / sqrt(1000))
  }
})

test_that("log probabilities are those of the definition and sum to 1", {
  for (name in names(six)) {
    case <- six[[name]]
    for (k in 1:rank_of(case)) {
      truth <- enumerated(kernel_matrix(case[[1]], case[[2]]), k)
      log_p <- kdpp_log_prob(case[[1]], case[[2]], truth$sets)
      expect_equal(sum(exp(log_p)), 1, tolerance = 1e-6)
      expect_equal(exp(log_p), truth$probability, tolerance = 1e-6)
    }
  }
})

test_that("log probabilities are right to 200 digits, and where they are not, to within what is said", {
  skip_if_not_installed("jsonlite")
  reference <- jsonlite::fromJSON(test_path("fixtures", "log-esp.json"))$kernel
  x <- (0:59) / 64
  spectrum <- internal("kernel_spectrum")(kernel_se(0.5, 1), matrix(x))
  for (k in 1:13) {
    log_e <- internal("log_esp")(spectrum$values, k)
    bound <- internal("log_esp_error")(log_e, spectrum$rounding + spectrum$left)
    off <- abs(log_e[k + 1] - reference$log_e[k])
    expect_lte(off, bound)
    expect_gt(100 * off, bound) # nor is it far too large
    set <- (0:(k - 1) * 60) %/% k + 1
    log_det <- internal("log_det_correlation")(kernel_se(0.5, 1), matrix(x)[set, , drop = FALSE])
    expect_lte(abs(log_det[["value"]] - reference$log_p[k] - reference$log_e[k]), log_det[["error"]])
    get <- function() kdpp_log_prob(kernel_se(0.5), x, set)
    if (k <= 10) expect_equal(get(), reference$log_p[k], tolerance = 1e-4)
    if (k == 12) expect_warning(get(), "may be off by 0.0", class = "gpstream_warning_precision")
  }
  expect_error(kdpp_log_prob(kernel_se(0.5), (0:39) / 40, (0:13 * 40) %/% 14 + 1), class = "gpstream_error_rank")
  expect_error(kdpp_log_prob(kernel_se(0.5), x, 1:14), "14 rows.*13 eigenvalues", class = "gpstream_error_rank")
  expect_error(kdpp_sample(kernel_se(0.5), x, 14), "14 rows.*13 eigenvalues", class = "gpstream_error_rank")
  expect_warning(kdpp_sample(kernel_se(0.5), x, 12), "total variation", class = "gpstream_warning_precision")
})

test_that("what the pivoted factor leaves out raises log e_k by no more than is said", {
  K <- kernel_matrix(kernel_matern32(3), toy(60, 2)$x)
  exact <- internal("log_esp")(eigen(K, symmetric = TRUE)$values, 20)
  for (rank in c(20, 30, 45)) {
    part <- internal("kernel_spectrum")(kernel_matern32(3, 1), toy(60, 2)$x, rank = rank)
    expect_length(part$values, rank)
    expect_equal(sum(part$values) + part$left, 60)
    less <- internal("log_esp")(part$values, 20)
    for (k in c(1, 5, 20)) {
      bound <- internal("log_esp_error")(less[0:k + 1], part$left)
      expect_gt(exact[k + 1], less[k + 1])
      expect_lt(exact[k + 1], less[k + 1] + bound)
    }
  }
})

test_that("eigenvalues are those of the matrix, through the factor and without it", {
  x <- toy(90, 2)$x
  for (kernel in list(kernel_se(20, 1), kernel_se(5, 1), kernel_matern12(1, 1), kernel_se(0.1, 1))) {
    parts <- internal("kernel_spectrum")(kernel, x)
    truth <- eigen(kernel_matrix(kernel, x), symmetric = TRUE)$values
    kept <- seq_along(parts$values)
    expect_lt(max(abs(parts$values - truth[kept])), 90 * .Machine$double.eps * truth[1])
    expect_lt(sum(abs(truth[-kept])), parts$rounding + parts$left + 90 * .Machine$double.eps * truth[1])
  }
  expect_error(internal("kernel_spectrum")(kernel_se(0.1, 1), x, most = 2000), "rank of more than 22", class = "gpstream_error_memory")
  expect_error(internal("check_rows")(10001), "at most 10,000", class = "gpstream_error_memory")
})

test_that("sets that cannot come have probability 0", {
  x <- c(0, 0, 5, 5, 5, 9)
  expect_identical(kdpp_log_prob(kernel_se(1), x, list(1:2, c(1, 3, 4))), c(-Inf, -Inf))
  expect_equal(kdpp_log_prob(kernel_se(1), x, c(6, 1, 3)), -log(6), tolerance = 1e-8)
  expect_warning(low <- kdpp_log_prob(kernel_se(1), c(0, 1e-9, 5), 1:2), "dependent to within rounding", class = "gpstream_warning_rank")
  expect_identical(low, -Inf)
})

test_that("several sets share the work and come as they were asked for", {
  x <- toy(40, 2)$x
  k <- kernel_se(3)
  set.seed(1)
  sets <- kdpp_sample(k, x, c(2, 9, 30, 2))
  expect_identical(lengths(sets), c(2L, 9L, 30L, 2L))
  for (set in sets) expect_true(is.integer(set) && !is.unsorted(set, strictly = TRUE) && all(set %in% 1:40))
  expect_type(kdpp_sample(k, x, 3), "integer")
  each <- vapply(sets, function(set) kdpp_log_prob(k, x, set), 0)
  expect_equal(kdpp_log_prob(k, x, sets), each, tolerance = 1e-12)
  expect_equal(kdpp_log_prob(k, x, cbind(a = sets[[1]], b = rev(sets[[4]]))), each[c(1, 4)], tolerance = 1e-12)
  expect_equal(kdpp_log_prob(kernel_se(3, 1e9), x, sets), each, tolerance = 1e-12) # the variance cancels
  set.seed(1)
  expect_identical(kdpp_sample(k, as.data.frame(x), c(2, 9, 30, 2)), sets)
})

test_that("50 of 4177 rows are drawn, from a matrix of full rank", {
  skip_on_cran()
  set.seed(1)
  rows <- kdpp_sample(kernel_se(2), toy(4177, 5)$x, 50)
  expect_length(unique(rows), 50)
})

test_that("for a model, no more rows are drawn than the matrix has rank", {
  x <- c(0, 0, 5, 5, 5, 9)
  set.seed(1)
  for (i in 1:20) expect_setequal(x[internal("kdpp_rows")(matrix(x), 5, kernel_se(1, 1))], c(0, 5, 9))
  chosen <- select_points(select_kdpp(5), x, kernel_se(1))
  expect_setequal(chosen$points, c(0, 5, 9))
  few <- internal("kdpp_rows")(matrix((0:59) / 64), 40, kernel_se(0.5, 1))
  expect_true(length(few) >= 9 && length(few) <= 12)
})

test_that("for a model, a large batch is thinned evenly", {
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

test_that("messages say what is wrong", {
  k <- kernel_se(1)
  all_text <- conditions_of(
    kdpp_sample(kernel_se(), 1:5, 2), kdpp_sample(k, numeric(), 2), kdpp_sample(k, c(1, NA), 2), kdpp_sample(k, 1:5, 6), kdpp_sample(k, 1:5, 0),
    kdpp_sample(k, 1:5, "a"), kdpp_sample(k, c(1, 1, 2), 3), kdpp_sample(k, 1:60 / 60, 30), kdpp_log_prob(k, 1:5, 6), kdpp_log_prob(k, 1:5, c(2, 2)),
    kdpp_log_prob(k, 1:5, 1.5), kdpp_log_prob(k, 1:5, list()), kdpp_log_prob(k, 1:5, list(1, "a")), kdpp_log_prob(k, c(1, 1, 2), 1:3),
    kdpp_log_prob(k, c(1, 1 + 1e-9, 2), 1:2)
  )
  expect_false(any(grepl("<simpleError>|<simpleWarning>", all_text)))
  expect_snapshot(writeLines(all_text))
})
