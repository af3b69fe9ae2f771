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
