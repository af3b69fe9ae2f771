# The parts of a prediction. That they are those of the joint posterior is tested in the core.

set.seed(16)
x <- sort(runif(300, 0, 10))
d <- data.frame(x = x, z = rnorm(300), exposure = runif(300, 1, 2))
d$y <- 0.3 * x + sin(6 * x) + 0.5 * d$z + rnorm(300, sd = 0.2)
new <- data.frame(x = c(2, 5.5, 12, NA), z = c(0, 1, -1, 0), exposure = 1.5)

test_that("parts add up to the prediction, one line a row and term", {
  gp <- streaming_gp(y ~ x + z, d, kernel = kernel_se(c(3, 2)) + kernel_se(c(0.3, 9)))
  parts <- components(gp, new, cov = TRUE)
  expect_named(parts, c("row", "term", "fit", "se.fit"))
  expect_identical(levels(parts$term), c("constant", "trend.x", "trend.z", "se", "se 1"))
  whole <- predict(gp, new, se.fit = TRUE)
  expect_equal(as.vector(tapply(parts$fit, parts$row, sum)), unname(whole$fit), tolerance = 1e-10)
  joint <- attr(parts, "cov")
  expect_identical(dim(joint), c(4L, 5L, 5L))
  expect_equal(apply(joint, 1, sum), unname(whole$se.fit^2), tolerance = 1e-9)
  expect_equal(sqrt(joint[2, "se", "se"]), parts$se.fit[parts$row == 2 & parts$term == "se"], tolerance = 1e-9)
  expect_true(all(is.na(parts$fit[parts$row == 4])))
})

test_that("parts of counts are those of the latent function, with the offset", {
  d$n <- rpois(300, d$exposure * exp(sin(x)))
  gp <- streaming_gp(n ~ x + offset(log(exposure)), d, likelihood = likelihood_poisson())
  parts <- components(gp, new[1:3, ])
  expect_true("offset" %in% levels(parts$term))
  expect_equal(as.vector(tapply(parts$fit, parts$row, sum)), unname(predict(gp, new[1:3, ], type = "latent")), tolerance = 1e-10)
})

test_that("plots of the parts show what components() gives", {
  gp <- streaming_gp(y ~ x + z, d, kernel = kernel_se(c(3, 2)) + kernel_se(c(0.3, 9)))
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  drawn <- plot(gp, "components", at = list(z = 0.5), n = 21)
  expect_identical(levels(drawn$term), c("trend.x", "trend.z", "se", "se 1"))
  one <- drawn[drawn$term == "se 1", ]
  there <- components(gp, data.frame(x = one$x, z = 0.5), centred = TRUE)
  expect_equal(one$fit, there$fit[there$term == "se 1"], tolerance = 1e-10)
  expect_error(plot(gp, "components", xlim = 0:1), "no use for `xlim`", class = "gpstream_error_parameter")
  skip_if_not_installed("ggplot2")
  expect_s3_class(ggplot2::autoplot(gp, "components"), "ggplot")
})

test_that("formula terms are shown along their columns, a season over one period, levels side by side", {
  d$f <- factor(rep(c("u", "v", "w"), 100))
  gp <- streaming_gp(y ~ season(x, 2) + trend(x) + z + f, d)
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  drawn <- plot(gp, "components", n = 21)
  expect_setequal(levels(drawn$term), c("trend(x)", "season(x, 2)", "gp(z)", "f"))
  season <- drawn[drawn$term == "season(x, 2)", ]
  expect_equal(diff(range(season$x)), 2)
  expect_identical(drawn$level[drawn$term == "f"], c("u", "v", "w"))
  there <- components(gp, data.frame(x = season$x, z = 0, f = "u"), centred = TRUE)
  expect_equal(season$fit, there$fit[there$term == "season(x, 2)"], tolerance = 1e-10)
  nothing <- streaming_gp(kernel = kernel_constant(1), noise = 1, mean = 0, optimize = "none")
  nothing$update(x, d$y)
  expect_error(plot(nothing, "components"), "nothing to show", class = "gpstream_error_parameter")
  skip_if_not_installed("ggplot2")
  expect_s3_class(ggplot2::autoplot(gp, "components"), "ggplot")
})

test_that("levels are shown side by side whatever their column is called, those of a logical column too", {
  d$`a b` <- factor(rep(c("u", "v", "w"), 100))
  d$late <- x > 5
  gp <- streaming_gp(y ~ trend(x) + `a b` + late, d)
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  drawn <- plot(gp, "components", at = list(`a b` = "v"), n = 21)
  expect_identical(drawn$level[drawn$term == "`a b`"], c("u", "v", "w"))
  expect_identical(drawn$level[drawn$term == "late"], c("0", "1"))
  there <- components(gp, data.frame(x = 1, `a b` = c("u", "v", "w"), late = c(FALSE, TRUE, TRUE), check.names = FALSE), centred = TRUE)
  expect_equal(drawn$fit[drawn$term == "`a b`"], there$fit[there$term == "`a b`"], tolerance = 1e-10)
  expect_equal(drawn$fit[drawn$term == "late"], there$fit[there$term == "late"][1:2], tolerance = 1e-10)
  expect_error(plot(gp, "components", at = list(`a b` = "z")), "\"u\", \"v\", \"w\"", class = "gpstream_error_parameter")
  skip_if_not_installed("ggplot2")
  expect_no_error(ggplot2::ggplot_build(ggplot2::autoplot(gp, "components")))
})

test_that("classes have no parts, and rows must be given", {
  gp <- streaming_gp(likelihood = likelihood_categorical())
  gp$update(x, rep(c("a", "b", "c"), 100))
  expect_error(components(gp, 1:2), "class", class = "gpstream_error_likelihood")
  expect_error(plot(gp, "components"), "class", class = "gpstream_error_likelihood")
  expect_error(components(gp), "newdata", class = "gpstream_error_input")
})

test_that("a formula with gp() and a linear mean: terms and slopes add up", {
  data <- data.frame(a = toy(60, 2)$x[, 1], b = toy(60, 2)$x[, 2], y = toy(60, 2)$y)
  for (mean in list("linear", ~ a, "auto")) {
    gp <- streaming_gp(y ~ gp(a) + b, data, mean = mean, optimize = "none")
    parts <- components(gp, data[1:4, ], cov = TRUE)
    slopes <- if (identical(mean, "linear")) c("trend.a", "trend.b") else if (is.language(mean)) "trend.a"
    expect_identical(levels(parts$term), c("constant", slopes, "gp(a)", "gp(b)"))
    expect_close(tapply(parts$fit, parts$row, sum), predict(gp, data[1:4, ]), 1e-10)
  }
})
