# autoplot() has the data that plot() returns, and draws.

drawn_by <- function(picture) {
  on_device(expect_no_message(built <- ggplot2::ggplot_build(picture)))
  on_device(print(picture))
  built
}

test_that("the fit, along one column and as a map", {
  skip_if_not_installed("ggplot2")
  for (case in list(list(sine_model()), list(sine_model(), xlim = c(-1, 8), n = 50, level = 0.9), list(chick_model(), at = list(Diet = "3")))) {
    picture <- do.call(ggplot2::autoplot, case)
    on_device(expected <- do.call(plot, case))
    expect_equal(picture$data, expected)
    drawn_by(picture)
  }
  map <- ggplot2::autoplot(quake_model(), n = 20)
  on_device(expected <- plot(quake_model(), n = 20))
  expect_equal(map$data[names(expected)], expected)
  built <- drawn_by(map)
  expect_equal(nrow(built$data[[3]]), quake_model()$size)
  expect_equal(built$data[[1]]$alpha, expected$known)
  drawn_by(ggplot2::autoplot(toy_gp(0), xlim = 0:1))
})

test_that("history, with and without scores", {
  skip_if_not_installed("ggplot2")
  gp <- scored_model()
  picture <- ggplot2::autoplot(gp, "history")
  on_device(expected <- plot(gp, "history"))
  expect_equal(nlevels(picture$data$panel), 3)
  expect_equal(picture$data$each, c(expected$points, expected$rmse[-1], expected$coverage[-1]))
  expect_equal(picture$data$so_far, c(expected$points, expected$rmse_so_far[-1], expected$coverage_so_far[-1]))
  drawn_by(picture)
  expect_message(bare <- ggplot2::autoplot(toy_gp(30), "history"), "No error and coverage yet", class = "gpstream_message")
  expect_equal(nlevels(bare$data$panel), 1)
  drawn_by(bare)
})

test_that("points in one, two and more columns", {
  skip_if_not_installed("ggplot2")
  for (gp in list(sine_model(), quake_model(), chick_model(), toy_gp(30, 3), toy_gp(0)$update(3, 2))) {
    picture <- ggplot2::autoplot(gp, "points")
    on_device(expected <- plot(gp, "points"))
    expect_equal(picture$data[names(expected)], expected)
    drawn_by(picture)
  }
})

test_that("calibration and evaluations", {
  skip_if_not_installed("ggplot2")
  gp <- scored_model()
  picture <- ggplot2::autoplot(gp, "calibration")
  on_device(expected <- plot(gp, "calibration"))
  expect_equal(picture$data, expected$pit)
  drawn_by(picture)
  e <- two_models()
  for (score in c("rmse", "log_score", "coverage", "calibration")) {
    picture <- ggplot2::autoplot(e, score)
    on_device(expected <- plot(e, score))
    bands <- Filter(function(layer) "ymin" %in% names(layer), drawn_by(picture)$data)
    expect_length(bands, sum(score == c("coverage", "calibration")))
    for (band in bands) expect_equal(band$ymax, expected$upr[expected$model == expected$model[1]])
    data <- picture$data
    data$model <- as.character(data$model)
    expect_equal(data[names(expected)], expected)
    drawn_by(picture)
  }
})

test_that("the factors of intervals, alone and below the histogram", {
  skip_if_not_installed("ggplot2")
  gp <- streaming_gp(y ~ x, kernel = kernel_se())
  rows <- data.frame(x = toy(150)$x[, 1], y = toy(150)$y)
  gp$update(rows[1:50, ])
  expect_message(picture <- ggplot2::autoplot(gp, "calibration"), "No histogram and coverage yet", class = "gpstream_message")
  expect_equal(picture$data, gp$calibration)
  expect_equal(drawn_by(picture)$layout$layout$PANEL, factor(1))
  consume(gp, rows[51:150, ], batch_size = 50, progress = FALSE)
  picture <- ggplot2::autoplot(gp, "calibration")
  on_device(expected <- plot(gp, "calibration"))
  expect_equal(picture$data[names(expected$pit)], expected$pit)
  built <- drawn_by(picture)
  expect_equal(nrow(built$layout$layout), 2)
  shown <- Filter(function(layer) setequal(layer$x, expected$factors$level), built$data)
  expect_length(shown, 2)
  for (layer in shown) expect_true(all(layer$PANEL == 2))
  expect_equal(shown[[2]]$y, expected$factors$factor)
})

test_that("arguments are checked", {
  skip_if_not_installed("ggplot2")
  gp <- sine_model()
  expect_error(ggplot2::autoplot(gp, "residuals"), "`what`", class = "gpstream_error_parameter")
  expect_error(ggplot2::autoplot(gp, "history", n = 5), "`n`", class = "gpstream_error_parameter")
  expect_error(ggplot2::autoplot(gp, colour = 5), "`colour`", class = "gpstream_error_parameter")
  expect_error(ggplot2::autoplot(gp, "calibration"), "nothing was scored", class = "gpstream_error_input")
  expect_error(ggplot2::autoplot(two_models(), "auc"), "`score`", class = "gpstream_error_parameter")
})

test_that("the methods are there without the package being attached, and wait for it", {
  skip_if_not_installed("ggplot2")
  skip_if_not_installed("generics")
  script <- paste(
    "library(gpstream)", "stopifnot(!any(c('ggplot2', 'generics') %in% loadedNamespaces()))", "gp <- streaming_gp(dist ~ speed, data = cars)",
    "stopifnot(inherits(ggplot2::autoplot(gp), 'ggplot'), is.data.frame(generics::tidy(gp)))", sep = "; "
  )
  expect_identical(system2(file.path(R.home("bin"), "Rscript"), c("-e", shQuote(script)), env = libraries(), stdout = FALSE, stderr = FALSE), 0L)
})
