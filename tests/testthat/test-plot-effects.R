# plot(gp, "effects"): predictions along each column, the others where plot() holds them.

effect_data <- function(n = 80) {
  x <- data.frame(a = 5 * ((1:n * sqrt(2)) %% 1), b = 5 * ((1:n * sqrt(3)) %% 1), g = rep(c("u", "v"), length.out = n), day = as.Date("2024-01-01") + seq_len(n))
  x$y <- sin(x$a) + 0.3 * x$b + (x$g == "v")
  x$n <- round(exp(x$y))
  x
}

test_that("what is drawn are predictions with confidence intervals, others at typical values or as given", {
  data <- effect_data()
  gp <- streaming_gp(y ~ a + b + g + day, data, kernel = kernel_se(c(1, 3, 3, 3, 100), 1), noise = 0.1, optimize = "none")
  shown <- on_device(plot(gp, "effects", n = 11))
  expect_identical(unique(shown$column), c("a", "b", "g", "day"))
  held <- data.frame(a = shown$x[1:11], b = median(data$b), g = "u", day = median(data$day))
  expect_equal(shown$fit[1:11], unname(predict(gp, held)), tolerance = 1e-9)
  limits <- predict(gp, held, interval = "confidence", level = 0.95)
  expect_equal(as.matrix(shown[1:11, c("lwr", "upr")]), limits[, c("lwr", "upr")], tolerance = 1e-9, ignore_attr = TRUE)
  expect_identical(shown$level[shown$column == "g"], c("u", "v"))
  other <- on_device(plot(gp, "effects", n = 11, at = list(b = 4, g = "v")))
  held$b <- 4
  held$g <- "v"
  expect_equal(other$fit[1:11], unname(predict(gp, held)), tolerance = 1e-9)
})

test_that("counts are on the scale of what is expected; classes, and nothing learned, are refused", {
  data <- effect_data()
  counts <- streaming_gp(n ~ a, data, kernel = kernel_se(1, 1), likelihood = likelihood_poisson(), optimize = "none")
  shown <- on_device(plot(counts, "effects", n = 5))
  expect_equal(shown$fit, unname(predict(counts, data.frame(a = shown$x))), tolerance = 1e-9)
  classes <- streaming_gp(factor(g) ~ a + b, data, kernel = kernel_se(1, 1), likelihood = likelihood_categorical(), optimize = "none")
  expect_error(plot(classes, "effects"), "several classes", class = "gpstream_error_likelihood")
  expect_error(plot(streaming_gp(), "effects"), "no data yet", class = "gpstream_error_input")
  expect_error(plot(counts, "effects", columns = 1), "`columns`", class = "gpstream_error_parameter")
})

test_that("autoplot() has the same lines, a panel a column", {
  skip_if_not_installed("ggplot2")
  gp <- streaming_gp(y ~ a + g, effect_data(), kernel = kernel_se(1, 1), noise = 0.1, optimize = "none")
  picture <- ggplot2::autoplot(gp, "effects", n = 7)
  expect_equal(picture$data$fit, on_device(plot(gp, "effects", n = 7))$fit)
  expect_length(levels(picture$data$panel), 2)
  expect_silent(on_device(print(picture)))
})

test_that("the axis of a factor in autoplot() has its levels and nothing between them", {
  skip_if_not_installed("ggplot2")
  data <- data.frame(x = seq(0, 10, length.out = 60), g = rep(c("u", "v", "w"), 20))
  data$y <- sin(data$x) + (data$g == "v")
  gp <- streaming_gp(y ~ x + g, data, kernel = kernel_se(1, 1), noise = 0.01, optimize = "none")
  expect_identical(panel_labels(ggplot2::autoplot(gp, "effects")), list(c("0", "2", "4", "6", "8", "10"), c("u", "v", "w")))
})
