# plot() is tested by what it says it drew, and by drawing on a device that keeps nothing.

test_that("one column: what is drawn is what predict() says", {
  gp <- sine_model()
  on_device(drawn <- plot(gp, xlim = c(-1, 8), n = 50, level = 0.9))
  expect_named(drawn, c("x", "fit", "se.fit", "lwr", "upr", "lwr_new", "upr_new", "covered"))
  expect_equal(drawn$x, seq(-1, 8, length.out = 50))
  expect_equal(drawn$fit, predict(gp, drawn$x))
  expect_equal(drawn$se.fit, predict(gp, drawn$x, se.fit = TRUE)$se.fit)
  bands <- predict(gp, drawn$x, interval = "confidence", level = 0.9)
  expect_equal(cbind(drawn$lwr, drawn$upr), unname(bands[, c("lwr", "upr")]))
  bands <- predict(gp, drawn$x, interval = "prediction", level = 0.9)
  expect_equal(cbind(drawn$lwr_new, drawn$upr_new), unname(bands[, c("lwr", "upr")]))
})

test_that("covered is within the kernel's radius of an inducing point, and what OIPS would leave out", {
  gp <- sine_model(select = select_oips(0.6))
  on_device(drawn <- plot(gp, xlim = c(-3, 9), n = 333))
  distance <- apply(abs(outer(drawn$x, gp$points[, 1], "-")), 1, min)
  expect_identical(drawn$covered, distance <= kernel_radius(gp$kernel, 0.6))
  expect_true(any(drawn$covered) && any(!drawn$covered))

  on_device(drawn <- plot(sine_model(select = select_fixed(0:6))))
  expect_true(all(is.na(drawn$covered)))
})

test_that("the default range is that of the rows seen, finely enough", {
  gp <- streaming_gp(optimize = "none", kernel = kernel_se(0.05, 1), noise = 0.1)
  gp$update(c(0, 10, 10.01), c(0, 1, 1))
  on_device(drawn <- plot(gp))
  expect_equal(range(drawn$x), c(0, 10.01))
  expect_lt(max(diff(drawn$x)), kernel_radius(gp$kernel, 0.5) / 5)

  one <- streaming_gp(optimize = "none", kernel = kernel_se(1, 1), noise = 0.1)
  one$update(3, 2)
  on_device(drawn <- plot(one))
  expect_equal(mean(range(drawn$x)), 3)
})

test_that("the dots are the last rows of the stream, whatever became of the mean", {
  x <- seq(0, 6, length.out = 60)
  gp <- streaming_gp(optimize = "none", kernel = kernel_se(1, 1), noise = 0.1, lookback = 20)
  gp$update(x, 50 + sin(x))
  gp$mean <- 0
  rows <- gpstream:::observed_rows(gp, gpstream:::plot_view(gp, NULL, NULL, NULL))
  expect_equal(rows$x, x[41:60])
  expect_equal(rows$y, 50 + sin(x[41:60]))
})

test_that("two columns: the grid, equal to predict()", {
  gp <- quake_model()
  on_device(drawn <- plot(gp, n = 12))
  expect_named(drawn, c("long", "lat", "fit", "se.fit", "known"))
  expect_identical(nrow(drawn), 144L)
  expect_equal(drawn$fit, unname(predict(gp, drawn)))
  expect_equal(lapply(drawn[c("long", "lat")], range), lapply(quakes[c("long", "lat")], range))

  on_device(drawn <- plot(gp, n = 5, xlim = c(180, 170), ylim = c(-30, -20), col = c("white", "red", "black")))
  expect_equal(range(drawn$long), c(170, 180))
  expect_equal(range(drawn$lat), c(-30, -20))
})

test_that("more columns: the others are held at the median of the rows, a factor at a level", {
  x <- matrix(sin(seq_len(120)), ncol = 4)
  gp <- streaming_gp(optimize = "none", kernel = kernel_se(1, 1), noise = 0.1)
  gp$update(x, rowSums(x))
  on_device(drawn <- plot(gp, n = 4))
  expect_named(drawn, c("x1", "x2", "x3", "x4", "fit", "se.fit", "known"))
  expect_equal(unique(drawn$x3), median(x[, 3]))
  expect_equal(drawn$fit, predict(gp, unname(as.matrix(drawn[1:4]))))

  on_device(drawn <- plot(gp, columns = 4, at = c(x1 = 0.5), n = 7))
  expect_identical(nrow(drawn), 7L)
  expect_equal(unique(drawn$x1), 0.5)
  expect_equal(unique(drawn$x2), median(x[, 2]))

  gp <- chick_model()
  on_device(drawn <- plot(gp, at = list(Diet = "3"), n = 9))
  expect_equal(drawn$fit, unname(predict(gp, data.frame(Time = drawn$Time, Diet = factor("3", 1:4)))))
  on_device(drawn <- plot(gp, n = 9))
  expect_equal(unname(rowSums(drawn[paste0("Diet", 1:4)])), rep(1, 9))
})

test_that("before the first batch: the prior, if xlim says where", {
  gp <- streaming_gp(optimize = "none", kernel = kernel_se(1, 4), noise = 1, mean = 3)
  on_device(drawn <- plot(gp, xlim = c(0, 1), n = 3))
  expect_equal(drawn$fit, rep(3, 3))
  expect_equal(drawn$se.fit, rep(2, 3))
  expect_equal(drawn$upr_new, rep(3 + qnorm(0.975) * sqrt(5), 3))
  expect_identical(drawn$covered, rep(FALSE, 3))
  on_device(drawn <- plot(streaming_gp(optimize = "none", log(y) ~ sqrt(x)), xlim = c(1, 2), n = 3))
  expect_named(drawn[1], "sqrt(x)")

  expect_error(plot(gp), "`xlim`", class = "gpstream_error_input")
  expect_error(plot(gp, xlim = 0:1, columns = 1), "`columns`", class = "gpstream_error_input")
  expect_error(plot(streaming_gp(optimize = "none", y ~ a + b), xlim = 0:1), "one input", class = "gpstream_error_input")
})

test_that("arguments are checked, by name", {
  gp <- sine_model()
  expect_error(plot(gp, xlim = 1), "`xlim`", class = "gpstream_error_parameter")
  expect_error(plot(gp, ylim = c(1, 1)), "`ylim`", class = "gpstream_error_parameter")
  expect_error(plot(gp, n = 1), "`n`", class = "gpstream_error_parameter")
  expect_error(plot(gp, level = 95), "`level`", class = "gpstream_error_parameter")
  expect_error(plot(gp, col = "no colour"), "`col`", class = "gpstream_error_parameter")
  expect_error(plot(gp, legend = "top"), "`legend`", class = "gpstream_error_parameter")
  expect_error(plot(gp, columns = "z"), "`columns`", class = "gpstream_error_parameter")
  expect_error(plot(gp, columns = 0), "`columns`", class = "gpstream_error_parameter")
  expect_error(plot(gp, type = "p"), "`type`", class = "gpstream_error_parameter")
  expect_error(plot(gp, "residuals"), "`what` must be one of \"fit\"", class = "gpstream_error_parameter")
  expect_error(plot(gp, "history", xlim = 0:1, n = 5), "no use for `xlim`, `n`", class = "gpstream_error_parameter")
  expect_error(plot(gp, "points", at = list(x = 1)), "no use for `at`", class = "gpstream_error_parameter")
  expect_error(plot(gp, "calibration", columns = 1), "no use for `columns`", class = "gpstream_error_parameter")
  expect_error(plot(gp, at = list(x = 1)), "`x`", class = "gpstream_error_parameter")

  gp <- chick_model()
  expect_error(plot(gp, columns = 1:3), "`columns`", class = "gpstream_error_parameter")
  expect_error(plot(gp, columns = c(1, 1)), "`columns`", class = "gpstream_error_parameter")
  expect_error(plot(gp, at = list(Diet = "9")), "levels", class = "gpstream_error_parameter")
  expect_error(plot(gp, at = list(Food = 1)), "`Food`", class = "gpstream_error_parameter")
  expect_error(plot(gp, at = list(Diet2 = Inf)), "`Diet2`", class = "gpstream_error_parameter")
  expect_error(plot(gp, at = 1), "`at`", class = "gpstream_error_parameter")
})

test_that("every kind of plot draws without warnings, at any size, and leaves par() as it was", {
  flat <- streaming_gp(optimize = "none", kernel = kernel_se(1, 1), noise = 0.1)
  flat$update(cbind(a = 1:4, b = c(1, 3, 2, 4)), rep(2, 4))
  scored <- scored_model()
  evaluation <- two_models()
  models <- list(sine_model(), sine_model(select = select_fixed(0:6)), quake_model(), chick_model(), flat)
  draw <- c(
    lapply(models, function(gp) function(...) plot(gp, ...)), lapply(models, function(gp) function(...) plot(gp, "points", ...)),
    lapply(c("history", "calibration"), function(what) function(...) plot(scored, what, ...)),
    lapply(c("rmse", "coverage", "calibration"), function(score) function(...) plot(evaluation, score, ...))
  )
  for (picture in draw) {
    for (inches in c(7, 2.2)) {
      on_device(width = inches, height = inches, {
        before <- par(no.readonly = TRUE)
        picture(main = "A title", xlab = "", ylab = "f", las = 0)
        changed <- c("usr", "xaxp", "yaxp") # the plot's own coordinates, for points() and lines()
        expect_identical(par(no.readonly = TRUE)[setdiff(names(before), changed)], before[setdiff(names(before), changed)])
        par(mfrow = c(1, 2), mar = c(2, 2, 1, 0))
        picture(legend = FALSE, main = expression(x^2))
        picture()
      })
    }
  }
})
