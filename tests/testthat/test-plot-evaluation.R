# plot() of an evaluation: what it says it drew.

test_that("each score: the batches, and all so far, which ends at the overall one", {
  e <- two_models()
  for (score in c("rmse", "mae", "log_score", "crps", "coverage", "width")) {
    on_device(drawn <- plot(e, score))
    known <- e$overall[!is.na(e$overall[[score]]), ]
    expect_setequal(drawn$model, known$model)
    ends <- drawn[!duplicated(drawn$model, fromLast = TRUE), ]
    expect_equal(ends$so_far, known[[score]][match(ends$model, known$model)])
    expect_equal(drawn$value, e$batches[[score]][!is.na(e$batches[[score]])])
    expect_equal(drawn$so_far[!duplicated(drawn$model)], drawn$value[!duplicated(drawn$model)])
  }
})

test_that("calibration: one line for each model that gives standard deviations", {
  e <- two_models()
  on_device(drawn <- plot(e, "calibration"))
  expect_equal(unique(drawn$model), c("short", "mean"))
  alone <- gpstream:::calibration_numbers(e$pit[, "mean"])$coverage
  expect_equal(drawn[drawn$model == "mean", names(alone)], alone, ignore_attr = TRUE)
})

test_that("one batch, many models, nothing to draw", {
  gp <- scored_model()
  one <- evaluate(gp, data.frame(x = 1:9, y = sin(1:9)), learn = FALSE)
  on_device(drawn <- plot(one))
  expect_equal(drawn$value, drawn$so_far)
  many <- stats::setNames(rep(list(baseline_mean()), 8), letters[1:8])
  on_device(plot(evaluate(c(many, list(gp = gp$copy())), data.frame(x = 1:9, y = sin(1:9)), batch_size = 3)))
  none <- evaluate(gp$copy(), data.frame(x = numeric(), y = numeric()))
  expect_error(plot(none), "nothing to plot", class = "gpstream_error_input")
  expect_error(plot(none, "calibration"), "nothing to plot", class = "gpstream_error_input")
  zero <- evaluate(list(predict = function(x) 0, update = function(x, y) NULL), list(x = 1:3, y = 1:3))
  expect_error(plot(zero, "crps"), "no batch has a value of `crps`", class = "gpstream_error_input")
})

test_that("arguments are checked, by name", {
  e <- two_models()
  expect_error(plot(e, "auc"), "`score`", class = "gpstream_error_parameter")
  expect_error(plot(e, ylim = 1), "`ylim`", class = "gpstream_error_parameter")
  expect_error(plot(e, col = "no colour"), "`col`", class = "gpstream_error_parameter")
  expect_error(plot(e, legend = 1), "`legend`", class = "gpstream_error_parameter")
  expect_error(plot(e, type = "l"), "`type`", class = "gpstream_error_parameter")
})
