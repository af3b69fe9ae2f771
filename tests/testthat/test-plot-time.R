time_model <- function(...) clock_model(y ~ time, clock_rows(), lookback = 20, ...)

# The axes with labels of their own that `code` draws: their sides and labels.
axes_of <- function(code) {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  grDevices::dev.control("enable")
  force(code)
  drawn <- lapply(grDevices::recordPlot()[[1]], function(one) as.list(one[[2]]))
  axes <- Filter(function(one) identical(one[[1]]$name, "C_axis") && is.character(one[[4]]), drawn)
  lapply(axes, function(one) list(side = as.integer(one[[2]]), labels = one[[4]]))
}

test_that("plots along a time have R's own coordinates and a time axis", {
  gp <- time_model()
  rows <- clock_rows()
  on_device({
    drawn <- plot(gp)
    expect_s3_class(drawn$time, "POSIXct")
    expect_identical(attr(drawn$time, "tzone"), "Europe/Berlin")
    expect_equal(graphics::par("usr")[1:2], as.numeric(range(drawn$time)))
    expect_equal(graphics::par("usr")[1:2], as.numeric(range(rows$time)))
    expect_equal(drawn$fit, unname(predict(gp, drawn["time"])), tolerance = 1e-10)
    limits <- as.POSIXct(c("2024-03-29", "2024-03-30"), tz = "UTC")
    expect_equal(as.numeric(range(plot(gp, xlim = limits)$time)), as.numeric(limits))
    expect_equal(as.numeric(range(plot(gp, xlim = c("2024-03-29", "2024-03-30"))$time)), as.numeric(limits))
  })
  asked <- axes_of(plot(gp))
  expect_identical(asked[[1]]$side, 1L)
  expect_true("Mar 30" %in% asked[[1]]$labels)
  expect_length(axes_of(plot(gp, xaxt = "n")), 0)
  expect_length(axes_of(plot(gp, "points")), 1)
  expect_s3_class(on_device(plot(gp, "points"))$time, "POSIXct")
  expect_snapshot(error = TRUE, {
    plot(gp, xlim = 1:2)
    plot(sine_model(), xlim = as.Date("2024-01-01") + 0:1)
    plot(clock_model(y ~ time + depth, clock_rows()), columns = "depth", at = list(time = 3))
  })
})

test_that("a label that would be cut off is left out", {
  gp <- time_model()
  limits <- as.POSIXct(c("2024-03-29 05:00", "2024-03-30 01:00"), tz = "Europe/Berlin")
  labels <- function(right) {
    axes_of({
      graphics::par(mar = c(5, 4, 4, right))
      plot(gp, xlim = limits)
    })[[1]]$labels
  }
  expect_identical(setdiff(labels(3), labels(0)), utils::tail(labels(3), 1))
})

test_that("maps, projections, classes and components", {
  rows <- transform(clock_rows(), day = as.Date("2023-06-01") + 1:120, kind = rep(c("u", "v"), 60))
  two <- clock_model(y ~ depth + day, rows)
  asked <- axes_of(plot(two))
  expect_identical(asked[[1]]$side, 2L)
  expect_true("Jul" %in% substr(asked[[1]]$labels, 1, 3))
  on_device({
    expect_s3_class(plot(two)$day, "Date")
    held <- plot(two, columns = "depth", at = list(day = "2023-07-01"))
    expect_identical(unique(held$day), as.Date("2023-07-01"))
    expect_s3_class(plot(two, "points")$day, "Date")
    expect_type(plot(two, "components")$x, "double")
    three <- clock_model(y ~ depth + day + time, rows)
    plot(three, "points", columns = "time")
    plot(three, "points", columns = c("time", "day"))
    for (formula in list(kind ~ day, kind ~ day + depth)) {
      plot(streaming_gp(formula, rows, likelihood = likelihood_categorical(), kernel = kernel_se(3, 1), optimize = "none"))
    }
    prior <- plot(clock_model(y ~ day), xlim = as.Date(c("2024-01-01", "2024-02-01")))
    expect_identical(range(prior$day), as.Date(c("2024-01-01", "2024-02-01")))
    elapsed <- plot(clock_model(y ~ time, transform(rows, time = time - time[1])))
    expect_s3_class(elapsed$time, "difftime")
  })
  expect_match(gpstream:::plot_view(three, "depth", list(time = "2024-03-29 06:00"), NULL)$note, "time = 2024-03-29 07:00", fixed = TRUE)
})

test_that("what ticks leave out stands beside the name", {
  label <- function(from, to, tz = "UTC") {
    ends <- as.POSIXct(c(from, to), tz = tz)
    time <- gpstream:::fix_time(ends)
    gpstream:::axis_labels("t", list(time), list(gpstream:::time_to_number(ends, time)))
  }
  expect_identical(label("2024-03-28", "2024-04-03"), "t, 2024")
  expect_identical(label("2023-12-20", "2024-01-12"), "t, 2023 to 2024")
  expect_identical(label("2019-03-28", "2024-04-03"), "t")
  expect_identical(label("2024-03-28 10:00", "2024-03-28 10:10", "Europe/Berlin"), "t, 2024-03-28 Europe/Berlin")
  expect_identical(gpstream:::axis_labels(c("t", "y"), list(list(class = "difftime", unit = "mins"))), c("t, mins", "y"))
})

test_that("autoplot has scales of time", {
  skip_if_not_installed("ggplot2")
  gp <- time_model()
  scale_of <- function(picture, axis = "x") class(ggplot2::ggplot_build(picture)$plot$scales$get_scales(axis))[1]
  for (what in c("fit", "points", "components")) {
    expect_identical(scale_of(ggplot2::autoplot(gp, what)), "ScaleContinuousDatetime")
  }
  rows <- transform(clock_rows(), day = as.Date("2023-06-01") + 1:120, kind = rep(c("u", "v"), 60), elapsed = time - time[1])
  two <- clock_model(y ~ depth + day, rows)
  for (what in c("fit", "points")) expect_identical(scale_of(ggplot2::autoplot(two, what), "y"), "ScaleContinuousDate")
  classes <- streaming_gp(kind ~ day, rows, likelihood = likelihood_categorical(), kernel = kernel_se(3, 1), optimize = "none")
  expect_identical(scale_of(ggplot2::autoplot(classes)), "ScaleContinuousDate")
  expect_silent(long <- ggplot2::ggplot_build(ggplot2::autoplot(clock_model(y ~ elapsed, rows))))
  limits <- as.Date(c("2023-06-10", "2023-06-20"))
  expect_silent(ggplot2::ggplot_build(ggplot2::autoplot(two, "points", ylim = limits)))
  expect_silent(ggplot2::ggplot_build(ggplot2::autoplot(two, "components")))
  # of several outputs rows, points and limits are times like the curve
  rows$v <- -rows$y
  both <- clock_model(cbind(y, v) ~ time, rows)
  days <- as.POSIXct(c("2024-03-29", "2024-03-30"), tz = "UTC")
  picture <- ggplot2::autoplot(both, xlim = days)
  expect_identical(scale_of(picture), "ScaleContinuousDatetime")
  drawn <- ggplot2::ggplot_build(picture)$data
  expect_equal(range(drawn[[1]]$x), as.numeric(days))
  expect_equal(range(drawn[[3]]$x), as.numeric(range(utils::tail(rows$time, 100))))
  expect_setequal(drawn[[6]]$x, as.numeric(gpstream:::number_to_time(both$points[, 1], gpstream:::gp_frame(both)$times$time)))
})
