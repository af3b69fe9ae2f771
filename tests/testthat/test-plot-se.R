# plot(gp, "se"): the standard error that predict() has, beside the prior's.

test_that("along a column and as a map", {
  gp <- sine_model()
  on_device(drawn <- plot(gp, "se", xlim = c(-3, 9), n = 30))
  expect_equal(drawn$se.fit, predict(gp, drawn$x, se.fit = TRUE)$se.fit)
  expect_equal(drawn$prior, rep(1, 30))
  on_device(drawn <- plot(quake_model(), "se", n = 12))
  expect_equal(drawn$se.fit, unname(predict(quake_model(), drawn, se.fit = TRUE)$se.fit))
  on_device(expect_equal(plot(gp, "se", level = 0.5)$lwr, plot(gp, level = 0.5)$lwr))
})

test_that("before any data is what an empty model has, but for its constant", {
  rows <- data.frame(a = toy(100, 2)$x[, 1], b = toy(100, 2)$x[, 2], y = toy(100, 2)$y)
  gp <- streaming_gp(y ~ a + b, rows)
  view <- gpstream:::plot_view(gp, "a", NULL, NULL)
  at <- rbind(view$points[1:3, ], c(30, -30))
  empty <- gpstream:::core_gp_predict(gpstream:::core_gp_emptied(gpstream:::gp_handle(gp)), unname(at), TRUE)$variance
  expect_gt(length(view$trend$columns), 0)
  expect_equal(gpstream:::prior_sd(view, at)^2, as.vector(empty) - view$trend$variance[1], tolerance = 1e-6)
  near <- gpstream:::prior_sd(view, at, within = TRUE)
  expect_equal(near[1:3], gpstream:::prior_sd(view, at)[1:3])
  expect_lt(near[4], gpstream:::prior_sd(view, at)[4])
})

test_that("times, classes, counts, factors and several outputs; autoplot has the same data", {
  set.seed(1)
  rows <- transform(clock_rows(), kind = rep(c("u", "v", "w"), 40), count = rpois(120, 3), other = rev(y))
  known <- list(kernel = kernel_se(3, 1), optimize = "none")
  make <- function(formula, ...) do.call(streaming_gp, c(list(formula, rows, ...), known))
  models <- list(
    sine_model(), quake_model(), clock_model(y ~ time, rows), make(kind ~ depth, likelihood = likelihood_categorical()),
    make(kind ~ depth + time, likelihood = likelihood_categorical()), make(count ~ depth, likelihood = likelihood_poisson()),
    make(y ~ kind), make(cbind(y, other) ~ depth)
  )
  for (gp in models) {
    on_device(drawn <- plot(gp, "se", n = 15))
    expect_true(all(drawn$se.fit >= 0) && all(is.finite(drawn$se.fit)))
    if (!is.null(drawn$prior)) expect_true(all(drawn$se.fit <= drawn$prior * (1 + 1e-8)))
    if (!requireNamespace("ggplot2", quietly = TRUE)) next
    picture <- ggplot2::autoplot(gp, "se", n = 15)
    if (!inherits(drawn$time, "POSIXct")) expect_equal(picture$data[names(drawn)], drawn)
    on_device(expect_no_warning(print(picture)))
  }
  expect_identical(gpstream:::se_label(models[[6]]), "standard error of the latent function")
  expect_identical(gpstream:::se_label(models[[7]]), "standard error of y")
})
