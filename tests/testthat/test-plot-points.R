# plot(gp, "points"): what it says it drew.

test_that("the points, what is known there, and the nearest other one", {
  gp <- sine_model()
  on_device(drawn <- plot(gp, "points"))
  expect_named(drawn, c("x", "mean", "sd", "nearest"))
  expect_equal(drawn$x, gp$points[, 1])
  at_points <- predict(gp, gp$points, se.fit = TRUE)
  expect_close(drawn$mean, at_points$fit, 1e-6)
  expect_close(drawn$sd, at_points$se.fit, 1e-4)
  distance <- as.matrix(dist(gp$points))
  diag(distance) <- Inf
  expect_equal(drawn$nearest, exp(-apply(distance, 1, min)^2), ignore_attr = TRUE)
  expect_true(all(drawn$nearest < 0.8)) # or they would not all have joined
})

test_that("the curve is the correlation with the nearest point, open where OIPS would take a row", {
  gp <- sine_model(select = select_oips(0.6))
  line <- gpstream:::line_numbers(gp, gpstream:::plot_view(gp, NULL, NULL, NULL), c(-3, 9), 100)
  expect_equal(line$correlation, exp(-apply(abs(outer(line$x, gp$points[, 1], "-")), 1, min)^2))
  expect_identical(line$open, oips(gp$kernel, 0.6)$update(gp$points)$predict(line$x) < 0.6)
  fixed <- sine_model(select = select_fixed(0:6))
  expect_true(all(is.na(gpstream:::line_numbers(fixed, gpstream:::plot_view(fixed, NULL, NULL, NULL), c(-3, 9), 10)$open)))
})

test_that("two and more columns, one point, none", {
  quakes_gp <- quake_model()
  on_device(drawn <- plot(quakes_gp, "points"))
  expect_equal(as.matrix(drawn[c("long", "lat")]), quakes_gp$points, ignore_attr = TRUE)
  on_device(drawn <- plot(quakes_gp, "points", columns = "lat"))
  expect_equal(drawn$lat, quakes_gp$points[, "lat"])
  on_device(drawn <- plot(chick_model(), "points"))
  expect_named(drawn, c("Time", paste0("Diet", 1:4), "mean", "sd", "nearest"))
  wide <- toy_gp(30, 3)
  on_device(drawn <- plot(wide, "points", columns = c(1, 3)))
  expect_named(drawn, c("x1", "x2", "x3", "mean", "sd", "nearest"))
  one <- toy_gp(0)$update(3, 2)
  on_device(drawn <- plot(one, "points"))
  expect_true(is.na(drawn$nearest))
  expect_error(plot(toy_gp(0), "points"), "no data yet", class = "gpstream_error_input")
})
