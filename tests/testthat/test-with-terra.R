# terra: a raster is predicted as its cells are.

skip_if_not_installed("terra")

test_that("maps are predict() on their cells, with layers of standard errors and limits", {
  set.seed(1)
  data <- data.frame(lon = runif(80), lat = runif(80), height = runif(80))
  data$y <- sin(5 * data$lon) + data$lat * data$height
  gp <- streaming_gp(y ~ lon + lat + height, data = data, kernel = kernel_se(0.5, 1), noise = 0.01, optimize = "none")
  map <- terra::rast(nrows = 6, ncols = 8, xmin = 0, xmax = 1, ymin = 0, ymax = 1, names = "height")
  terra::values(map) <- replace(seq(0, 1, length.out = 48), 13, NA)
  cells <- data.frame(terra::crds(map, na.rm = FALSE), terra::values(map))
  names(cells)[1:2] <- c("lon", "lat")
  p <- predict(gp, cells, se.fit = TRUE)
  out <- terra::interpolate(map, gp, xyNames = c("lon", "lat"), se.fit = TRUE)
  expect_identical(names(out)[1:2], c("fit", "se.fit"))
  expect_equal(terra::values(out$fit)[, 1], unname(p$fit))
  expect_equal(terra::values(out$se.fit)[, 1], unname(p$se.fit))
  layers <- c(terra::init(map, "x"), terra::init(map, "y"), map)
  names(layers) <- c("lon", "lat", "height")
  limits <- terra::predict(layers, gp, interval = "prediction")
  expect_equal(terra::values(limits), unname(predict(gp, cells, interval = "prediction")), ignore_attr = TRUE)
  expect_identical(names(limits), c("fit", "lwr", "upr"))
})
