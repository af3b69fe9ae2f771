# plot(gp, columns = c(column, factor)): a panel for each level; and the dots where factors are held.

station_data <- function() {
  set.seed(1)
  d <- data.frame(x = runif(90, 0, 10), station = rep(c("A", "B", "C"), 30))
  transform(d, y = sin(x) + (station == "B") + rnorm(90, sd = 0.1))
}

test_that("the observations of the level that is shown are dots", {
  d <- station_data()
  for (gp in list(streaming_gp(y ~ x + station, d), streaming_gp(y ~ x + station, d, kernel_se(1, 1), noise = 0.01))) {
    look <- function(...) gpstream:::observed_rows(gp, gpstream:::plot_view(gp, ..., NULL))
    for (level in c("A", "B")) {
      rows <- look(NULL, list(station = level))
      expect_equal(rows, d[d$station == level, c("x", "y")], ignore_attr = TRUE)
    }
    expect_identical(nrow(look("station", NULL)), 0L)
  }
  wide <- streaming_gp(y ~ x + z + station, transform(d, z = x^2))
  expect_identical(nrow(gpstream:::observed_rows(wide, gpstream:::plot_view(wide, "x", NULL, NULL))), 0L) # z is held
})

test_that("a column by a factor has the predictions of each level, in either order", {
  d <- station_data()
  gp <- streaming_gp(y ~ x + station, d)
  drawn <- on_device(plot(gp, columns = c("x", "station"), n = 7))
  expect_named(drawn, c("station", "x", "fit", "se.fit", "lwr", "upr", "lwr_new", "upr_new", "covered"))
  expect_equal(drawn$fit, unname(predict(gp, drawn)), tolerance = 1e-12)
  expect_equal(drawn$upr_new, unname(predict(gp, drawn, interval = "prediction")[, "upr"]), tolerance = 1e-12)
  expect_identical(on_device(plot(gp, columns = c("station", "x"), n = 7)), drawn)
  expect_equal(on_device(plot(gp, "se", columns = c("station", "x"), n = 7))$se.fit, drawn$se.fit)
  on_device(plot(gp, columns = c("station", "x"), ylim = c(0, 1), xlim = c(2, 4)), width = 3, height = 3)
  classes <- streaming_gp(station ~ x + late, transform(d, late = factor(x > 5)), likelihood = likelihood_categorical())
  chances <- on_device(plot(classes, columns = c("x", "late"), n = 5))
  expect_equal(rowSums(chances[startsWith(names(chances), "probability.")]), rep(1, 10), ignore_attr = TRUE)
  two <- streaming_gp(cbind(y, v = -y) ~ x + station, d)
  expect_identical(nrow(on_device(plot(two, columns = c("x", "station"), n = 5))), 30L)
  skip_if_not_installed("ggplot2")
  for (what in c("fit", "se")) {
    built <- ggplot2::ggplot_build(ggplot2::autoplot(gp, what, columns = c("x", "station"), n = 7))
    expect_identical(nrow(built$layout$layout), 3L)
    expect_equal(built$plot$data, on_device(plot(gp, what, columns = c("x", "station"), n = 7)))
  }
  expect_no_error(ggplot2::ggplot_build(ggplot2::autoplot(classes, columns = c("x", "late"), n = 5)))
  expect_error(ggplot2::autoplot(two, columns = c("x", "station")), "several outputs", class = "gpstream_error_parameter")
})

test_that("columns that cannot be shown are told as the user wrote them", {
  d <- transform(station_data(), kind = rep(c("u", "v"), 45), time = as.Date("2024-01-01") + 1:90)
  gp <- streaming_gp(y ~ time + station + kind, d)
  expect_error(plot(gp, columns = c("time", "hour")), paste("`columns` must be one or two of \"time\", \"station\", \"kind\",",
    "at most one of them a factor, or their numbers, not \"time\", \"hour\"."), fixed = TRUE)
  expect_error(plot(gp, columns = c("station", "kind")), "not \"station\", \"kind\".", fixed = TRUE)
  expect_error(plot(gp, at = list(colour = 1)), "which is none of \"time\", \"station\", \"kind\".", fixed = TRUE)
  expect_error(plot(gp, at = list(station = "A"), columns = c("time", "station")), "is an axis", class = "gpstream_error_parameter")
  expect_error(plot(gp, "points", columns = c("time", "station")), "no factor beside", class = "gpstream_error_parameter")
})

test_that("autoplot() of parts has an axis for each panel, and mean and points are in its key", {
  skip_if_not_installed("ggplot2")
  d <- transform(station_data(), time = as.POSIXct("2024-05-01", tz = "UTC") + 86400 * sort(3 * x))
  gp <- streaming_gp(y ~ trend(time) + station + gp(x), d)
  for (what in c("components", "effects")) {
    labels <- panel_labels(ggplot2::autoplot(gp, what, n = 9))
    expect_true(any(grepl("^May", labels[[1]])))
    expect_identical(labels[[2]], c("A", "B", "C"))
    expect_true(all(c("2", "8") %in% labels[[3]]))
    expect_equal(ggplot2::autoplot(gp, what, n = 9)$data$x, on_device(plot(gp, what, n = 9))$x)
  }
  key <- function(picture) {
    scales <- ggplot2::ggplot_build(picture)$plot$scales$scales
    unlist(lapply(scales, function(scale) if (!any(c("x", "y") %in% scale$aesthetics)) scale$get_labels()))
  }
  line <- streaming_gp(y ~ x, d)
  expect_setequal(key(ggplot2::autoplot(line)), c("95 % confidence", "95 % prediction", "mean", "observation", "covered", "inducing point"))
})
