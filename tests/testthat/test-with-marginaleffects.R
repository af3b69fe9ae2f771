# marginaleffects: estimates and standard errors are those of the joint posterior.

skip_if_not_installed("marginaleffects")
skip_if_not(exists("%||%"), "marginaleffects 1.0.0 uses what base R has since 4.4")

two_inputs <- function() {
  data <- as.data.frame(toy(120, 2)$x)
  names(data) <- c("a", "b")
  data$g <- factor(c("u", "v")[1 + seq_len(120) %% 2])
  data$y <- sin(data$a) + cos(data$b) + (data$g == "v")
  data
}
two_gp <- function(data = two_inputs()) {
  streaming_gp(y ~ a + b + g, data = data, kernel = kernel_se(4, 1), noise = 0.01, optimize = "none")
}

# Mean and standard error of weights %*% f(rows).
combined <- function(gp, rows, weights) {
  p <- predict(gp, rows, cov = TRUE)
  list(fit = drop(weights %*% p$fit), se = sqrt(rowSums((weights %*% p$cov) * weights)))
}

test_that("predictions, averages and contrasts have the standard errors of the posterior", {
  gp <- two_gp()
  at <- two_inputs()[c(3, 50, 77), ]
  p <- predict(gp, at, se.fit = TRUE)
  out <- marginaleffects::predictions(gp, newdata = at)
  expect_equal(out$estimate, unname(p$fit))
  expect_equal(out$std.error, unname(p$se.fit), tolerance = 1e-6)
  mean <- combined(gp, at, matrix(1 / 3, 1, 3))
  average <- marginaleffects::avg_predictions(gp, newdata = at)
  expect_equal(c(average$estimate, average$std.error), c(mean$fit, mean$se), tolerance = 1e-6)
  levels <- marginaleffects::comparisons(gp, newdata = at, variables = "g")
  both <- rbind(transform(at, g = factor("u", c("u", "v"))), transform(at, g = factor("v", c("u", "v"))))
  change <- combined(gp, both, cbind(-diag(3), diag(3)))
  expect_equal(levels$estimate, change$fit)
  expect_equal(levels$std.error, change$se, tolerance = 1e-6)
})

test_that("slopes are the derivatives of the function, with their standard errors", {
  gp <- two_gp()
  at <- two_inputs()[c(3, 50, 77), ]
  h <- 1e-2
  out <- marginaleffects::slopes(gp, newdata = at, variables = "a", eps = h)
  if ("deriv" %in% names(formals(predict.StreamingGP))) {
    p <- predict(gp, at, se.fit = TRUE, deriv = "a")
    near <- marginaleffects::slopes(gp, newdata = at, variables = "a", eps = 1e-3)
    expect_equal(near$estimate, unname(p$fit), tolerance = 1e-6)
    expect_equal(near$std.error, unname(p$se.fit), tolerance = 1e-6)
  }
  ends <- rbind(transform(at, a = a - h / 2), transform(at, a = a + h / 2))
  slope <- combined(gp, ends, cbind(-diag(3), diag(3)) / h)
  expect_equal(out$estimate, slope$fit, tolerance = 1e-8)
  expect_equal(out$std.error, slope$se, tolerance = 1e-6)
})

test_that("rows that the model kept stand for the data; grids are made of them", {
  data <- two_inputs()
  gp <- streaming_gp(y ~ a + b + g, data = data)
  out <- marginaleffects::avg_slopes(gp, variables = "a")
  expect_equal(nrow(out), 1)
  grid <- marginaleffects::predictions(gp, newdata = marginaleffects::datagrid(a = c(1, 5)))
  kept <- kept_rows(gp)
  expect_equal(unique(grid$b), mean(kept$b))
  expect_identical(gp$nobs, 120)
})

test_that("of likelihoods with a link, standard errors are those of the response", {
  gp <- streaming_gp(count ~ spray, data = InsectSprays, kernel = kernel_se(1, 1), likelihood = likelihood_poisson(), optimize = "none")
  at <- data.frame(spray = factor(c("A", "C"), LETTERS[1:6]))
  out <- marginaleffects::predictions(gp, newdata = at)
  p <- predict(gp, at, se.fit = TRUE)
  expect_equal(out$estimate, unname(p$fit))
  expect_equal(out$std.error, unname(p$fit * p$se.fit), tolerance = 1e-5) # exp() of something normal
  several <- streaming_gp(
    Species ~ Petal.Length, data = iris[seq(1, 150, by = 5), ], kernel = kernel_se(2, 1), likelihood = likelihood_categorical(), optimize = "none"
  )
  expect_error(marginaleffects::predictions(several, newdata = iris[1:2, ]), "one latent function")
  expect_error(marginaleffects::predictions(gp, newdata = at, vcov = "HC0"), "`vcov` must be")
})
