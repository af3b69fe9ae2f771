# insight: what a model tells of itself.

skip_if_not_installed("insight")

test_that("a model says what is observed and of what it is a function", {
  gp <- streaming_gp(weight ~ gp(Time) + Diet, data = ChickWeight[1:120, ])
  expect_identical(insight::find_response(gp), "weight")
  expect_identical(insight::find_predictors(gp, flatten = TRUE), c("Time", "Diet"))
  expect_identical(unname(insight::get_parameters(gp)$Estimate), unname(coef(gp)))
  expect_true(insight::model_info(gp)$is_linear)
  data <- insight::get_data(gp)
  expect_true(all(c("Time", "Diet", "weight") %in% names(data)))
  expect_true(nrow(merge(data, ChickWeight[1:120, ])) >= nrow(unique(data)))
  counts <- streaming_gp(count ~ spray, data = InsectSprays, kernel = kernel_se(1, 1), likelihood = likelihood_poisson(), optimize = "none")
  expect_true(insight::model_info(counts)$is_count)
  plain <- toy_gp(D = 2)
  expect_identical(insight::find_predictors(plain, flatten = TRUE), c("x1", "x2"))
})
