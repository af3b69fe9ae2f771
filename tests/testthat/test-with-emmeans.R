# emmeans: means over a grid are those of the joint posterior there.

skip_if_not_installed("emmeans")

test_that("means and contrasts are those of predict(), with standard errors from its covariances", {
  data <- as.data.frame(ChickWeight)[1:150, ] # or nlme, once it is loaded, drops levels
  gp <- streaming_gp(weight ~ Time + Diet, data = data, kernel = kernel_se(10, 2000), noise = 200, optimize = "none")
  means <- as.data.frame(emmeans::emmeans(gp, ~ Diet))
  grid <- data.frame(Time = typical_rows(gp)$Time[1], Diet = factor(1:4, 1:4))
  p <- predict(gp, grid, se.fit = TRUE, cov = TRUE)
  expect_equal(means$emmean, unname(p$fit))
  expect_equal(means$SE, unname(p$se.fit))
  pairs <- as.data.frame(graphics::pairs(emmeans::emmeans(gp, ~ Diet)))
  expect_equal(pairs$estimate[1], p$fit[[1]] - p$fit[[2]])
  expect_equal(pairs$SE[1], sqrt(p$cov[1, 1] + p$cov[2, 2] - 2 * p$cov[1, 2]))
  at <- as.data.frame(emmeans::emmeans(gp, ~ Time, at = list(Time = c(2, 10))))
  over <- predict(gp, expand.grid(Time = c(2, 10), Diet = factor(1:4, 1:4)), cov = TRUE)
  shares <- kronecker(t(rep(1 / 4, 4)), diag(2))
  expect_equal(at$emmean, drop(shares %*% over$fit))
  expect_equal(at$SE, sqrt(diag(shares %*% over$cov %*% t(shares))))
})

test_that("links are known, several functions are refused", {
  gp <- streaming_gp(count ~ spray, data = InsectSprays, kernel = kernel_se(1, 1), likelihood = likelihood_poisson(), optimize = "none")
  means <- as.data.frame(emmeans::emmeans(gp, ~ spray, type = "response"))
  sprays <- data.frame(spray = factor(LETTERS[1:6]))
  expect_equal(means[[2]], exp(unname(predict(gp, sprays, type = "latent"))))
  both <- streaming_gp(cbind(u, v) ~ x, data = data.frame(x = 1:30, u = sin(1:30), v = cos(1:30)))
  expect_error(emmeans::emmeans(both, ~ x), "one latent function")
})
