# tidy(), glance() and augment() of the package generics.

skip_if_not_installed("generics")
cars_gp <- function() streaming_gp(dist ~ speed, data = cars, kernel = kernel_se(8, 800), noise = 225, mean = 40, optimize = "none")

test_that("tidy() has the parameters, one a row", {
  gp <- chick_model()
  tidied <- generics::tidy(gp)
  expect_identical(class(tidied), "data.frame")
  expect_identical(stats::setNames(tidied$estimate, tidied$term), coef(gp))
})

test_that("glance() is one row: the model, and what its scores come to", {
  gp <- scored_model()
  e <- evaluate(scored_model(), data.frame(x = numeric(), y = numeric()))
  row <- generics::glance(gp)
  expect_equal(nrow(row), 1)
  expect_equal(row[c("nobs", "points", "batches", "objective")], data.frame(nobs = 200, points = gp$size, batches = 5, objective = gp$objective))
  expect_equal(row$sigma, sigma(gp))
  on_device(history <- plot(gp, "history"))
  expect_equal(c(row$rmse, row$coverage), c(history$rmse_so_far[5], history$coverage_so_far[5]))
  expect_equal(row$scored, 160)
  bare <- generics::glance(cars_gp())
  expect_equal(bare$scored, 0)
  expect_true(all(is.na(bare[c("rmse", "log_score", "coverage")])))
  expect_equal(generics::glance(streaming_gp())$nobs, 0)
})

test_that("augment() adds what predict() says, and residuals where there is a response", {
  gp <- cars_gp()
  rows <- generics::augment(gp, cars, level = 0.8)
  p <- predict(gp, cars, se.fit = TRUE, interval = "prediction", level = 0.8)
  expect_equal(rows, cbind(cars, .fitted = p$fit[, "fit"], .se.fit = p$se.fit, .lower = p$fit[, "lwr"], .upper = p$fit[, "upr"],
    .resid = cars$dist - p$fit[, "fit"]), ignore_attr = TRUE)
  narrow <- generics::augment(gp, cars["speed"], interval = "confidence")
  expect_named(narrow, c("speed", ".fitted", ".se.fit", ".lower", ".upper"))
  expect_equal(narrow$.upper, unname(predict(gp, cars, interval = "confidence")[, "upr"]))
  expect_named(generics::augment(gp, cars["speed"], interval = "none"), c("speed", ".fitted", ".se.fit"))
  logged <- streaming_gp(log(dist) ~ speed, data = cars, kernel = kernel_se(8, 1), noise = 0.1, optimize = "none")
  expect_equal(generics::augment(logged, cars)$.resid, log(cars$dist) - unname(predict(logged, cars)))
})

test_that("augment() without a formula names the columns, before the first batch, too", {
  expect_named(generics::augment(toy_gp(20), 1:3, interval = "none"), c("x", ".fitted", ".se.fit"))
  expect_named(generics::augment(toy_gp(20, 2), cbind(1:3, 1), interval = "none"), c("x1", "x2", ".fitted", ".se.fit"))
  expect_equal(generics::augment(toy_gp(0), cbind(a = 1:3))$a, 1:3)
  expect_equal(generics::augment(toy_gp(20), c(1, NA))$.fitted, predict(toy_gp(20), c(1, NA)))
})

test_that("an evaluation, tidied, is one row a model", {
  e <- two_models()
  expect_identical(generics::tidy(e), e$overall)
})

test_that("arguments are checked", {
  gp <- cars_gp()
  expect_error(generics::augment(gp), "`newdata`", class = "gpstream_error_input")
  expect_error(generics::augment(gp, cars, interval = "credible"), "`interval`", class = "gpstream_error_parameter")
  expect_error(generics::augment(gp, cars, level = 95), "`level`", class = "gpstream_error_parameter")
  expect_error(generics::tidy(gp, conf.int = TRUE), "`conf.int`", class = "gpstream_error_parameter")
})
