# parsnip, workflows, recipes, tune and yardstick.

skip_if_not_installed("parsnip")

test_that("numbers: all types are what predict() says", {
  spec <- parsnip::set_engine(gaussian_process("regression", rho = 0.7), "gpstream", kernel = kernel_se(8, 800), noise = 225)
  fitted <- parsnip::fit(spec, dist ~ speed, data = cars)
  gp <- parsnip::extract_fit_engine(fitted)
  expect_s4_class(gp, "StreamingGP")
  expect_identical(gp_info(gp)$select$rho, 0.7)
  at <- data.frame(speed = c(8, 15, 22))
  expect_equal(predict(fitted, at)$.pred, unname(predict(gp, at)))
  for (type in c(conf_int = "confidence", pred_int = "prediction")) {
    name <- c(confidence = "conf_int", prediction = "pred_int")[[type]]
    p <- predict(fitted, at, type = name, level = 0.8)
    expect_equal(as.matrix(p), unname(predict(gp, at, interval = type, level = 0.8)[, c("lwr", "upr")]), ignore_attr = TRUE)
    expect_named(p, c(".pred_lower", ".pred_upper"))
  }
  expect_equal(generics::augment(fitted, cars)$.resid, cars$dist - unname(predict(gp, cars)))
  spec <- stats::update(spec, rho = 0.9)
  expect_identical(gp_info(parsnip::extract_fit_engine(parsnip::fit(spec, dist ~ speed, data = cars)))$select$rho, 0.9)
})

test_that("classes: two, several, ordered", {
  few <- iris[seq(1, 150, by = 5), ]
  two <- droplevels(few[few$Species != "setosa", ])
  ordered <- transform(few, Species = factor(Species, ordered = TRUE))
  spec <- parsnip::set_engine(gaussian_process("classification"), "gpstream", kernel = kernel_se(2, 1), optimize = "none")
  for (data in list(two, few, ordered)) {
    fitted <- parsnip::fit(spec, Species ~ Petal.Length, data = data)
    gp <- parsnip::extract_fit_engine(fitted)
    at <- data[c(2, 12, 19), ]
    expect_identical(as.character(predict(fitted, at)$.pred_class), as.character(predict(gp, at, type = "class")))
    shares <- predict(fitted, at, type = "prob")
    expect_named(shares, paste0(".pred_", levels(data$Species)))
    expect_equal(rowSums(shares), rep(1, 3), ignore_attr = TRUE)
    p <- predict(gp, at)
    expect_equal(shares[[nlevels(data$Species)]], unname(if (is.matrix(p)) p[, ncol(p)] else p))
  }
})

test_that("a workflow with a recipe is tuned over rho", {
  for (name in c("recipes", "workflows", "tune", "dials", "rsample", "yardstick")) skip_if_not_installed(name)
  spec <- parsnip::set_engine(
    gaussian_process("regression", rho = tune::tune()), "gpstream", kernel = kernel_se(2, 1), noise = 0.1, optimize = "none"
  )
  recipe <- recipes::step_normalize(recipes::recipe(mpg ~ wt + hp, data = mtcars), recipes::all_numeric_predictors())
  flow <- workflows::add_model(workflows::add_recipe(workflows::workflow(), recipe), spec)
  set.seed(1)
  folds <- rsample::vfold_cv(mtcars, v = 2)
  tuned <- tune::tune_grid(flow, folds, grid = data.frame(rho = c(0.5, 0.9)), metrics = yardstick::metric_set(yardstick::rmse))
  expect_identical(sort(unique(tune::collect_metrics(tuned)$rho)), c(0.5, 0.9))
  best <- tune::finalize_workflow(flow, data.frame(rho = 0.9))
  fitted <- parsnip::fit(best, mtcars)
  expect_identical(gp_info(parsnip::extract_fit_engine(fitted))$select$rho, 0.9)
  scored <- yardstick::rmse(generics::augment(fitted, mtcars), truth = mpg, estimate = .pred)
  expect_equal(scored$.estimate, sqrt(mean((mtcars$mpg - predict(fitted, mtcars)$.pred)^2)))
  expect_s3_class(tune_rho(), "quant_param")
})
