# distributional: a vector of distributions.

skip_if_not_installed("distributional")

test_that("distributions are what predict() foretells, NA where the input is missing", {
  gp <- toy_gp()
  at <- c(1, 2.5, NA, 4)
  d <- as_distribution(gp, at)
  p <- predict(gp, at, interval = "prediction", level = 0.8)
  expect_equal(mean(d), unname(p[, "fit"]))
  expect_equal(quantile(d, 0.9), unname(p[, "upr"]))
  f <- as_distribution(gp, at, type = "latent")
  expect_equal(sqrt(distributional::variance(f)), unname(predict(gp, at, se.fit = TRUE)$se.fit))
  expect_error(as_distribution(gp), "`newdata` is missing", class = "gpstream_error_input")
})

test_that("what that package does not have is a distribution of ours", {
  gp <- streaming_gp(count ~ spray, data = InsectSprays, kernel = kernel_se(1, 1), likelihood = likelihood_poisson(), optimize = "none")
  sprays <- data.frame(spray = factor(c("A", NA, "C"), LETTERS[1:6]))
  d <- as_distribution(gp, sprays)
  p <- predict(gp, sprays, interval = "prediction", level = 0.8)
  expect_equal(mean(d), unname(p[, "fit"]))
  expect_equal(quantile(d, 0.9), unname(p[, "upr"]))
  expect_equal(distributional::cdf(d[1], 1e4), 1)
  mass <- unlist(density(d[3], 0:200))
  expect_equal(sum(mass), 1)
  expect_equal(sum(mass * 0:200), p[[3, "fit"]])
  expect_equal(sum(mass * (0:200)^2) - sum(mass * 0:200)^2, distributional::variance(d[3]))
  expect_length(distributional::generate(d[1], 5)[[1]], 5)
  expect_match(format(d[1]), "poisson")
  iris_gp <- streaming_gp(
    Species ~ Petal.Length, data = iris[seq(1, 150, by = 5), ], kernel = kernel_se(2, 1), likelihood = likelihood_categorical(), optimize = "none"
  )
  shares <- predict(iris_gp, iris[c(1, 60), ])
  d <- as_distribution(iris_gp, iris[c(1, 60), ])
  expect_equal(unname(unlist(density(d, "setosa"))), unname(shares[, "setosa"]))
})
