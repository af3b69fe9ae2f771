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

test_that("tidy() and glance() name the likelihood and its parameters", {
  gp <- streaming_gp(dist ~ speed, data = cars, kernel = kernel_se(8), likelihood = likelihood_student(df = 5))
  tidied <- generics::tidy(gp)
  expect_identical(unique(tidied$likelihood), "student")
  expect_equal(tidied$estimate[tidied$term == "likelihood.df"], 5)
  expect_match(generics::glance(gp)$likelihood, "Student-t noise.*df 5")
  expect_match(generics::glance(cars_gp())$likelihood, "Gaussian")
})

test_that("augment() takes classes, ordered ones, trials and times", {
  set.seed(2)
  x <- runif(80, -2, 2)
  yes <- rbinom(80, 4, plogis(x))
  data <- data.frame(x, alarm = factor(ifelse(x + rlogis(80) > 0, "on", "off")), yes, no = 4 - yes,
    grade = cut(x + rlogis(80), c(-Inf, -1, 1, Inf), c("low", "mid", "high"), ordered_result = TRUE),
    time = rexp(80, exp(-x)), seen = rbinom(80, 1, 0.8))
  augmented <- function(formula, likelihood, ...) {
    gp <- streaming_gp(formula, data, kernel = kernel_se(1), likelihood = likelihood)
    list(gp = gp, rows = generics::augment(gp, data, ...))
  }
  one <- augmented(alarm ~ x, likelihood_bernoulli())
  p <- unname(predict(one$gp, data))
  expect_equal(one$rows$.fitted, p)
  expect_equal(one$rows$.resid, (data$alarm == "on") - p)
  expect_true(all(one$rows$.lower %in% 0:1 & one$rows$.upper %in% 0:1))
  few <- generics::augment(one$gp, data[data$alarm == "on", ][1:3, ])
  expect_equal(few$.resid, 1 - few$.fitted)
  trials <- augmented(cbind(yes, no) ~ x, likelihood_binomial())
  expect_equal(trials$rows$.resid, data$yes / 4 - trials$rows$.fitted)
  grades <- augmented(grade ~ x, likelihood_ordinal())$rows
  expect_named(grades, c(names(data), ".fitted", ".probability.low", ".probability.mid", ".probability.high", ".se.fit", ".lower", ".upper"))
  expect_equal(grades$.probability.low + grades$.probability.mid + grades$.probability.high, rep(1, 80))
  expect_true(is.ordered(grades$.fitted) && all(grades$.lower <= grades$.fitted & grades$.fitted <= grades$.upper))
  skip_if_not_installed("survival")
  times <- augmented(survival::Surv(time, seen) ~ x, likelihood_weibull())$rows
  expect_equal(is.na(times$.resid), data$seen == 0)
})

test_that("augment() of a tibble is a tibble", {
  skip_if_not_installed("tibble")
  gp <- cars_gp()
  rows <- generics::augment(gp, tibble::as_tibble(cars))
  expect_s3_class(rows, "tbl_df")
  expect_identical(as.data.frame(rows), generics::augment(gp, cars))
})
