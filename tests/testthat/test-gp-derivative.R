# predict(deriv = ): the exact slope of the posterior, for every kernel that has one.

# Everything given, so that nothing is learned; rows along one column of two.
slope_kernels <- list(
  kernel_se(c(1.2, 2), 1.5), kernel_matern32(1.1, 1.5), kernel_matern52(c(0.9, 2), 1.5), kernel_rq(1.3, 2, alpha = 0.7),
  kernel_periodic(3, 0.8, 1.2), kernel_cosine(c(0.2, 0.1), 1.4), kernel_linear(1.3, origin = c(0, 1), scale = c(1, 2)) + kernel_constant(0.5),
  kernel_brownian(1.2, origin = -1, scale = 2, columns = 1, integrated = TRUE), gpstream:::kernel_amplitude(1.4, c(0.55, 2.35, 4.15), c(0.4, -0.3), along = 1) * kernel_rq(1, 1),
  kernel_gibbs(1.2, 1.3, knots = c(0.55, 2.35, 4.15), values = c(0.4, -0.3), along = 1), kernel_warped(kernel_matern52(1, 1.2), 1, c(0.55, 2.35, 4.15), c(0.4, -0.3)),
  kernel_se(1, 1.2, columns = 1) * kernel_matern12(2, 1, columns = 2) + kernel_factor(0.3, 0.5, columns = 2)
)

kernel_words <- function(kernel) c(kernel$name, unlist(lapply(kernel$parts, kernel_words)))

slope_rows <- function(n) cbind(a = 4 * ((1:n * sqrt(2)) %% 1), b = 4 * ((1:n * sqrt(3)) %% 1))

slope_gp <- function(kernel, n = 40, mean = 0.3, ...) {
  gp <- streaming_gp(kernel = kernel, noise = 0.05, mean = mean, optimize = "none", select = select_fixed(slope_rows(12)), ...)
  x <- slope_rows(n)
  gp$update(x, sin(x[, 1]) + 0.3 * x[, 2])
}

# To order h^4, and the weights that take values at x + 2h, x + h, x - h and x - 2h there.
differences <- function(x, column, h) {
  steps <- lapply(c(2, 1, -1, -2) * h, function(step) {
    x[, column] <- x[, column] + step
    x
  })
  list(x = do.call(rbind, steps), to = kronecker(t(c(-1, 8, -8, 1)) / (12 * h), diag(nrow(x))))
}

test_that("the slope is the difference of predictions, with its covariance, for every kernel that has one", {
  known <- unique(unlist(lapply(slope_kernels, kernel_words)))
  rough <- c("matern12", "brownian", "factor")
  expect_setequal(setdiff(known, rough), setdiff(gpstream:::core_kernel_names(), rough))
  at <- cbind(a = c(0.3, 1.7, 3.1, 5), b = c(1, 3.3, 0.2, 2))
  for (kernel in slope_kernels) {
    gp <- slope_gp(kernel)
    fine <- differences(at, "a", 2e-3)
    wide <- differences(at, "a", 2e-4)
    found <- predict(gp, at, deriv = "a", cov = TRUE)
    expect_equal(found$fit, drop(fine$to %*% predict(gp, fine$x)), tolerance = 1e-6, info = format(kernel))
    by_differences <- wide$to %*% predict(gp, wide$x, cov = TRUE)$cov %*% t(wide$to)
    expect_lt(max(abs(found$cov - by_differences)) / max(abs(by_differences)), 2e-3)
    expect_equal(found$se.fit, sqrt(pmax(diag(found$cov), 0)), tolerance = 1e-6)
    expect_identical(predict(gp, at, deriv = 1), found$fit)
  }
})

test_that("with the rows as points it is the exact posterior, trend included", {
  x <- c(0, 0.7, 1.1, 2, 3.2)
  y <- c(1, 0.2, 0.4, 1.5, 1.1)
  at <- c(-1, 0.9, 2.5)
  l <- 1.3
  gp <- streaming_gp(kernel = kernel_se(l, 2), noise = 0.1, mean = 0.5, optimize = "none", select = select_fixed(x))$update(x, y)
  d <- outer(at, x, "-") / l
  k <- 2 * -2 * d / l * exp(-d^2)
  own <- outer(at, at, "-") / l
  prior <- 2 * (2 - 4 * own^2) / l^2 * exp(-own^2)
  solve_rows <- solve(2 * exp(-(outer(x, x, "-") / l)^2) + diag(0.1, 5))
  found <- predict(gp, at, deriv = "x", cov = TRUE)
  expect_equal(found$fit, drop(k %*% solve_rows %*% (y - 0.5)), tolerance = 1e-10)
  expect_equal(found$cov, prior - k %*% solve_rows %*% t(k), tolerance = 1e-8)
  lwr <- predict(gp, at, deriv = 1, interval = "confidence", level = 0.9)
  expect_equal(lwr[, "lwr"], found$fit - qnorm(0.95) * found$se.fit, tolerance = 1e-12)
  # a line, and nothing else: its slope is the coefficient, everywhere
  line <- streaming_gp(kernel = kernel_se(1, 1e-8), noise = 0.1, mean = "linear", optimize = "none")$update(x, 3 - 2 * x)
  trend <- predict(line, c(0, 9), deriv = 1, se.fit = TRUE)
  expect_equal(trend$fit, unname(rep(coef(line)[["slope.1"]], 2)), tolerance = 1e-4)
})

test_that("before the first batch it is the prior's; missing rows are missing; names are kept", {
  new <- streaming_gp(kernel = kernel_se(2, 3), noise = 1, mean = 7)
  prior <- predict(new, c(1, 5), deriv = 1, se.fit = TRUE)
  expect_identical(prior$fit, c(0, 0))
  expect_equal(prior$se.fit, rep(sqrt(3 * 2 / 4), 2), tolerance = 1e-12)
  found <- predict(slope_gp(kernel_se(1, 1)), rbind(u = c(a = 1, b = 2), v = c(NA, 1)), deriv = "b", interval = "confidence")
  expect_identical(dimnames(found), list(c("u", "v"), c("fit", "lwr", "upr")))
  expect_identical(is.na(found[, "lwr"]), c(u = FALSE, v = TRUE))
  expect_identical(predict(toy_gp(), numeric(), deriv = 1), numeric())
})

test_that("likelihoods have slopes of their latent functions, outputs one each", {
  data <- data.frame(x = slope_rows(60)[, 1])
  data$n <- round(exp(sin(data$x)) + 1)
  at <- data.frame(x = c(0.5, 2))
  counts <- streaming_gp(n ~ x, data, kernel = kernel_se(1, 1), likelihood = likelihood_poisson(), optimize = "none")
  by <- function(gp, type = "latent", h = 1e-4) {
    (predict(gp, at + h, type = type) - predict(gp, at - h, type = type)) / (2 * h)
  }
  expect_equal(predict(counts, at, deriv = "x"), unname(by(counts)), tolerance = 1e-5)
  varying <- streaming_gp(n ~ x, data, kernel = kernel_se(1, 1), likelihood = likelihood_heteroscedastic(), optimize = "none")
  both <- predict(varying, at, deriv = "x", se.fit = TRUE)
  expect_equal(both$fit, by(varying), tolerance = 1e-5)
  expect_identical(dim(both$se.fit), c(2L, 2L))
  expect_error(predict(varying, at, deriv = "x", cov = TRUE), "`cov`", class = "gpstream_error_parameter")
  two <- streaming_gp(cbind(n, m = 2 * n) ~ x, data, kernel = kernel_se(1, 1), noise = 1, optimize = "none")
  found <- predict(two, at, deriv = "x", se.fit = TRUE)
  expect_equal(found$fit, by(two, "response"), tolerance = 1e-5)
  expect_identical(names(found), c("fit", "se.fit"))
})

test_that("what has no slope, or not one, is refused in a sentence", {
  data <- data.frame(y = sin(1:30), x = 1:30 / 5, z = cos(1:30), g = rep(c("u", "v"), 15), l = rep(c(TRUE, FALSE, FALSE), 10))
  data$day <- as.Date("2024-01-01") + 1:30
  make <- function(formula, ...) streaming_gp(formula, data, kernel = kernel_se(1, 1), noise = 0.1, optimize = "none", ...)
  slope <- function(gp, deriv, ...) predict(gp, data[1:2, ], deriv = deriv, ...)
  plain <- make(y ~ x + z + g + l + day)
  squared <- make(y ~ x + I(x^2))
  product <- make(y ~ x * z)
  logs <- make(y ~ log(x) + poly(z, 2))
  parts <- streaming_gp(y ~ gp(x, kernel = kernel_se(1, 1)) + g, data, noise = 0.1, optimize = "none")
  rough <- streaming_gp(y ~ x, data, kernel = kernel_matern12(1, 1), noise = 0.1, optimize = "none")
  expect_length(slope(plain, "x"), 2)
  expect_length(slope(plain, "day"), 2)
  expect_length(slope(parts, "x"), 2)
  expect_equal(unname(slope(logs, "log(x)")), unname(slope(logs, 1)))
  text <- conditions_of(
    slope(plain, "g"), slope(plain, "gu"), slope(plain, 3), slope(plain, "l"), slope(plain, "w"), slope(plain, 9), slope(plain, c("x", "z")),
    slope(plain, NA), slope(squared, "x"), slope(squared, "I(x^2)"), slope(product, "z"), slope(logs, "x"), slope(logs, "z"), slope(parts, "g"), slope(rough, "x"),
    slope(plain, "x", interval = "prediction"), slope(plain, "x", type = "class")
  )
  expect_snapshot(writeLines(text))
})
