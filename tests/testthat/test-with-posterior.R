# posterior: draws.

skip_if_not_installed("posterior")

test_that("draws are those of simulate(), in the shape of that package", {
  gp <- toy_gp()
  at <- c(1, 2.5, 4)
  draws <- posterior::as_draws_matrix(gp, newdata = at, ndraws = 7, seed = 3)
  expect_s3_class(draws, "draws_matrix")
  expect_identical(posterior::variables(draws), c("f[1]", "f[2]", "f[3]"))
  expect_equal(matrix(draws, 7), t(as.matrix(simulate(gp, 7, seed = 3, newdata = at))), ignore_attr = TRUE)
  expect_identical(posterior::as_draws(gp, newdata = at, ndraws = 7, seed = 3), draws)
  seen <- posterior::as_draws_df(gp, newdata = at, ndraws = 5, seed = 3, type = "response")
  expect_equal(posterior::variables(seen), c("y[1]", "y[2]", "y[3]"))
  expect_error(posterior::as_draws(gp), "`newdata` is missing", class = "gpstream_error_input")
})
