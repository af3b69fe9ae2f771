# A device that keeps nothing, and models to draw on it.

on_device <- function(code, ...) {
  grDevices::pdf(NULL, ...)
  on.exit(grDevices::dev.off())
  expect_no_warning(force(code))
}

# The labels of the ticks below each panel of a ggplot.
panel_labels <- function(picture) {
  lapply(ggplot2::ggplot_build(picture)$layout$panel_params, function(panel) {
    labels <- panel$x$get_labels()
    as.character(labels[!is.na(labels) & !is.na(panel$x$get_breaks())])
  })
}

sine_model <- function(...) {
  x <- seq(0, 6, length.out = 60)
  gp <- streaming_gp(optimize = "none", kernel = kernel_se(1, 1), noise = 0.05, mean = "zero", lookback = 20, ...)
  gp$update(x, sin(x))
}

quake_model <- function() streaming_gp(optimize = "none", depth ~ long + lat, data = quakes, kernel = kernel_se(3), noise = 60^2)

chick_model <- function() {
  streaming_gp(optimize = "none", weight ~ Time + Diet, data = as.data.frame(ChickWeight), kernel = kernel_se(c(8, 2, 2, 2, 2)), noise = 200)
}

# A model that was scored before it learned: 5 batches of 40 rows, the first of them not scored.
scored_model <- function(...) {
  gp <- streaming_gp(y ~ x, kernel = kernel_se(1, 1), noise = 0.05, mean = 0, optimize = "none", ...)
  evaluate(gp, data.frame(x = toy(200)$x[, 1], y = toy(200)$y), batch_size = 40)
  gp
}

two_models <- function() {
  models <- list(
    short = streaming_gp(y ~ x, kernel = kernel_se(1, 1), noise = 0.05, mean = 0, optimize = "none"),
    mean = baseline_mean(), zero = list(predict = function(x) 0, update = function(x, y) NULL)
  )
  evaluate(models, data.frame(x = toy(200)$x[, 1], y = toy(200)$y), batch_size = 40)
}
