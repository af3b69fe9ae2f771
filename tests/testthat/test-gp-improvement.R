# expected_improvement(): the formula, the integral it stands for, and simulation.

test_that("it is the formula, and the integral over the posterior, for minima and maxima", {
  gp <- toy_gp(12)
  at <- c(0.3, 2.2, 5.1, 8, 30)
  known <- predict(gp, at, se.fit = TRUE)
  found <- expected_improvement(gp, at, best = 0.4)
  z <- (0.4 - known$fit) / known$se.fit
  expect_equal(found, known$se.fit * (z * pnorm(z) + dnorm(z)), tolerance = 1e-12)
  by_integral <- mapply(function(m, s) integrate(function(f) (0.4 - f) * dnorm(f, m, s), m - 12 * s, 0.4, rel.tol = 1e-10)$value, known$fit, known$se.fit)
  expect_equal(found, by_integral, tolerance = 1e-7)
  high <- expected_improvement(gp, at, best = 0.4, minimize = FALSE)
  expect_equal(high - found, known$fit - 0.4, tolerance = 1e-12) # E max(f - b, 0) - E max(b - f, 0)
})

test_that("it is the mean over draws of the posterior", {
  gp <- toy_gp(12)
  draws <- as.matrix(simulate(gp, 20000, seed = 1, newdata = c(2, 12)))
  gains <- pmax(0.5 - draws, 0)
  error <- apply(gains, 1, sd) / sqrt(20000)
  expect_true(all(abs(rowMeans(gains) - expected_improvement(gp, c(2, 12), best = 0.5)) < 4 * error))
})

test_that("without `best` it is the lowest or highest mean at the points; a function that is known cannot improve by chance", {
  gp <- toy_gp(12)
  known <- predict(gp, gp$points)
  expect_identical(expected_improvement(gp, 1:5), expected_improvement(gp, 1:5, best = min(known)))
  expect_identical(expected_improvement(gp, 1:5, minimize = FALSE), expected_improvement(gp, 1:5, best = max(known), minimize = FALSE))
  expect_identical(gpstream:::improvement(c(2, -2), c(0, 0)), c(2, 0))
  expect_true(all(gpstream:::improvement(-(1:60), 1) >= 0))
  expect_identical(is.na(expected_improvement(gp, c(1, NA))), c(FALSE, TRUE))
  expect_length(expected_improvement(streaming_gp(kernel = kernel_se(1, 1), noise = 1), 1:3, best = 0), 3)
})

test_that("it goes where the minimum is", {
  f <- function(x) sin(3 * x) + 0.3 * x^2
  at <- seq(-3, 3, length.out = 121)
  gp <- streaming_gp(kernel = kernel_se(0.7, 2), noise = 1e-4, mean = 1, optimize = "none")$update(c(-2, 0, 2), f(c(-2, 0, 2)))
  measured <- numeric()
  for (i in 1:6) {
    measured[i] <- at[which.max(expected_improvement(gp, at))]
    gp$update(measured[i], f(measured[i]))
  }
  expect_lt(min(f(measured)) - min(f(at)), 0.01)
})

test_that("a maximum is the minimum of the negated response, however it is asked for", {
  for (seed in 1:20) {
    set.seed(seed)
    data <- data.frame(a = runif(25), b = rnorm(25, sd = 3), y = rnorm(25))
    at <- data.frame(a = runif(7), b = rnorm(7, sd = 4))
    kernel <- kernel_se(c(0.4, 2), 1.3)
    up <- streaming_gp(y ~ a + b, data, kernel = kernel, noise = 0.2, mean = "zero", optimize = "none")
    down <- streaming_gp(y ~ a + b, transform(data, y = -y), kernel = kernel, noise = 0.2, mean = "zero", optimize = "none")
    expect_equal(expected_improvement(up, at, maximize = TRUE), expected_improvement(down, at), tolerance = 1e-10)
    expect_identical(expected_improvement(up, at, maximize = TRUE), expected_improvement(up, at, minimize = FALSE))
    expect_identical(expected_improvement(up, at, maximize = FALSE), expected_improvement(up, at))
    expect_no_warning(expected_improvement(up, at, best = min(data$y)))
    expect_no_warning(expected_improvement(up, at, best = max(data$y), maximize = TRUE))
    expect_warning(expected_improvement(up, at, best = max(data$y)), class = "gpstream_warning_improvement")
    expect_warning(expected_improvement(up, at, best = min(data$y), maximize = TRUE), class = "gpstream_warning_improvement")
  }
})

test_that("what cannot be improved is told", {
  data <- data.frame(y = 1:6, u = 6:1, x = 1:6)
  two <- streaming_gp(cbind(y, u) ~ x, data, kernel = kernel_se(1, 1), noise = 1, optimize = "none")
  varying <- streaming_gp(likelihood = likelihood_heteroscedastic())
  exposed <- streaming_gp(y ~ x + offset(log(u)), data, kernel = kernel_se(1, 1), likelihood = likelihood_poisson(), optimize = "none")
  expect_length(expected_improvement(exposed, data, best = 0), 6)
  text <- conditions_of(
    expected_improvement(1, 2), expected_improvement(toy_gp()), expected_improvement(toy_gp(), 1, best = "low"), expected_improvement(toy_gp(), 1, minimize = NA),
    expected_improvement(toy_gp(), 1, minimize = TRUE, maximize = TRUE), expected_improvement(toy_gp(), 1, maximize = 2), expected_improvement(toy_gp(), 1, best = 1e3),
    expected_improvement(streaming_gp(kernel = kernel_se(1, 1), noise = 1), 1), expected_improvement(two, data), expected_improvement(varying, 1), expected_improvement(exposed, data),
    expected_improvement(toy_gp(), Inf), expected_improvement(toy_gp(20, 2), 1)
  )
  expect_snapshot(writeLines(text))
})
