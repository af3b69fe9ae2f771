# Maps: colours that fade, cells finer than predictions, the standard error.

test_that("colours fade from 70 % of the prior's standard error to all of it", {
  expect_equal(gpstream:::knowledge(c(0, 0.7, 0.85, 1, 1.2, NaN)), c(1, 1, 0.5, 0, 0, 1))
  expect_equal(gpstream:::knowledge(c(1, 1.1)), c(1, 1)) # nothing is known anywhere: a blank map says less
  gp <- quake_model()
  on_device(drawn <- plot(gp, n = 20, xlim = c(140, 190)))
  expect_equal(drawn$known, pmin(pmax((1 - drawn$se.fit / sqrt(gp$kernel$variance)) / 0.3, 0), 1))
  expect_equal(range(drawn$known), 0:1)
})

test_that("the prior of a kernel that is no longer stationary is that of each place", {
  x <- as.matrix(expand.grid(a = 1:4, b = 1:4))
  gp <- streaming_gp(optimize = "none", kernel = kernel_linear(2), noise = 0.1, mean = 0)
  gp$update(x, x[, 1])
  on_device(drawn <- plot(gp, n = 5, xlim = c(1, 5), ylim = c(1, 5)))
  prior <- sqrt(diag(kernel_matrix(gp$kernel, as.matrix(drawn[1:2]))))
  expect_equal(drawn$known, gpstream:::knowledge(drawn$se.fit / prior))
})

test_that("finer cells lie on straight lines between the predictions", {
  values <- outer(1:4, c(2, 3, 7), "+")
  finer <- gpstream:::refine(values, 3)
  expect_identical(dim(finer), c(10L, 7L))
  expect_equal(finer, outer(seq(1, 4, length.out = 10), approx(c(2, 3, 7), n = 7)$y, "+"))
  values[2, 2] <- NA
  finer <- gpstream:::refine(values, 2)
  expect_equal(finer[c(1, 5, 7), c(1, 5)], values[c(1, 3, 4), c(1, 3)])
  expect_true(is.na(finer[3, 3]))
})

test_that("times of a raster lie at equal distances, to the last bit", {
  view <- list(names = c("t", "u"), shown = 1:2)
  times <- seq(as.POSIXct("2024-03-28", tz = "Europe/Berlin"), by = 86400 / 7, length.out = 151)
  even <- gpstream:::for_raster(data.frame(t = rep(times, 2), u = rep(1:2, each = 151)), view)$t
  expect_identical(unique(diff(diff(as.double(even[1:151])))), 0)
  expect_lt(max(abs(as.double(even - rep(times, 2), units = "secs"))), 1e-3)
  expect_s3_class(even, "POSIXct")
})
