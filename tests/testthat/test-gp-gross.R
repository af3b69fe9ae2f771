# Gross errors under Gaussian noise do not pass silently.

gross_stream <- function(n, at = integer(), size = 1e6) {
  set.seed(6)
  x <- runif(n, 0, 10)
  y <- sin(x) + rnorm(n, sd = 0.1)
  y[at] <- size
  list(x = x, y = y)
}
said <- function(gp) paste(utils::capture.output(print(summary(gp))), collapse = "\n")
given <- function(...) streaming_gp(kernel = kernel_se(1, 1), noise = 0.01, mean = 0, optimize = "none", ...)

test_that("one y of 1e6 does not pass silently: summary() names it and likelihood_student()", {
  one <- gross_stream(400, 150)
  learned <- streaming_gp()$update(one$x, one$y)
  expect_match(said(learned), "1 row far from all else, 1e+06", fixed = TRUE)
  expect_match(said(learned), "likelihood_student()", fixed = TRUE)
  expect_lt(gross_score <- streaming_gp()$update(one$x[-150], one$y[-150])$score(one$x[150], 1e6)$p, 1e-100)
  kept <- given(lookback = 300)$update(one$x, one$y)
  expect_match(said(kept), "1e+06", fixed = TRUE)
  gone <- given(lookback = 50)$update(one$x, one$y)
  expect_match(said(gone), "rows that are gone")
})

test_that("several are counted", {
  several <- gross_stream(400, c(20, 100, 101, 333), c(50, -80, 60, 55))
  found <- gpstream:::gross_errors(streaming_gp()$update(several$x, several$y))
  expect_equal(found[c("count", "farthest")], list(count = 4L, farthest = -80))
})

test_that("rows that Gaussian noise can be believed of are not named", {
  fine <- gross_stream(400)
  expect_null(gpstream:::gross_errors(streaming_gp()$update(fine$x, fine$y)))
  expect_null(gpstream:::gross_errors(given()$update(fine$x, fine$y)))
  expect_null(gpstream:::gross_errors(given()$update(1:100, rep(2, 100))))
  expect_null(gpstream:::gross_errors(given()$update(1:5, c(0, 0, 1e6, 0, 0))))
  expect_null(gpstream:::gross_errors(given()))
  steps <- streaming_gp()$update(1:400, rep(c(0, 3), each = 200) + fine$y / 10)
  expect_null(gpstream:::gross_errors(steps))
  counts <- streaming_gp(likelihood = likelihood_poisson())$update(fine$x, rpois(400, exp(fine$y)))
  expect_null(gpstream:::gross_errors(counts))
})
