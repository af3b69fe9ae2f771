# What new observations may be: the core against R's own normal distribution, and the places it is asked from.

normal <- function(mean, variance, dispersion = 0) gpstream:::new_predictive(mean, variance, dispersion)
quantile_of <- function(p, at) gpstream:::predictive_quantile(p, at)

test_that("the distribution is R's normal one, in both tails", {
  mean <- c(-3, 0, 2, 1e6)
  variance <- c(0.1, 2, 1e-6, 9)
  p <- normal(mean, variance, 0.25)
  sd <- sqrt(variance + 0.25)
  expect_equal(gpstream:::predictive_mean(p), mean)
  expect_equal(gpstream:::predictive_sd(p), sd, tolerance = 1e-15)
  for (z in c(-30, -3, -0.1, 0, 1, 8)) {
    y <- mean + z * sd
    expect_equal(gpstream:::predictive_log_density(p, y), dnorm(y, mean, sd, log = TRUE), tolerance = 1e-12)
    expect_equal(gpstream:::predictive_cdf(p, y), pnorm(y, mean, sd), tolerance = 1e-12)
  }
  standard <- normal(0, 1)
  chances <- c(1e-300, 1e-20, 0.001, 0.025, 0.3, 0.4999, 0.5, 0.50001, 0.9, 1 - 1e-15)
  expect_equal(vapply(chances, quantile_of, 0, p = standard), qnorm(chances), tolerance = 1e-14)
})

test_that("intervals are those of the quantiles; the latent function has no noise", {
  p <- normal(c(1, 2), c(4, 0), 5)
  half <- qnorm(0.95) * sqrt(c(9, 5))
  expect_equal(gpstream:::predictive_interval(p, 0.9), cbind(lwr = 1:2 - half, upr = 1:2 + half))
  expect_equal(gpstream:::predictive_sd(gpstream:::predictive_latent(p)), c(2, 0))
})

test_that("draws are those of rnorm(), of no rows none", {
  skip_if_not(identical(RNGkind()[2], "Inversion"))
  p <- normal(c(1, -2, 5), c(1, 0, 3), 1)
  set.seed(3)
  drawn <- gpstream:::predictive_draw(p)
  after <- stats::runif(1)
  set.seed(3)
  expect_equal(drawn, rnorm(3, c(1, -2, 5), sqrt(c(2, 1, 4))), tolerance = 1e-13)
  expect_identical(after, stats::runif(1))
  expect_identical(gpstream:::predictive_draw(normal(numeric(), numeric(), 1)), numeric())
})

test_that("a model's predictive is what predict() says", {
  gp <- toy_gp(40)
  x <- toy(5, from = 41)$x
  p <- gpstream:::predictive_at(gpstream:::gp_handle(gp), x)
  said <- predict(gp, x, se.fit = TRUE, interval = "prediction", level = 0.8)
  expect_equal(gpstream:::predictive_mean(p), said$fit[, "fit"])
  expect_equal(gpstream:::predictive_interval(p, 0.8), said$fit[, c("lwr", "upr")])
  expect_equal(gpstream:::predictive_sd(p)^2, said$se.fit^2 + said$residual.scale^2)
})

test_that("an unknown likelihood, or rows that do not fit, are refused", {
  unknown <- gpstream:::new_predictive(0, 1, 1, list(name = "cauchy", numbers = list()))
  expect_error(quantile_of(unknown, 0.5), "cauchy", class = "gpstream_error_parameter")
  expect_error(gpstream:::predictive_cdf(normal(0, 1), 1:2), class = "gpstream_error_dimension")
  expect_equal(quantile_of(normal(c(0, 5), c(1, 1)), c(0.1, 0.9)), c(qnorm(0.1, c(0, 5)), qnorm(0.9, c(0, 5))))
})
