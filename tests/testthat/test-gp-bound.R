# The streaming bound L_t of a batch and its four terms [GFO21 A.1; derivation 5].

fixed_model <- function(kernel, Z, noise = 0.05, lookback = 0) {
  streaming_gp(kernel = kernel, noise = noise, mean = 0, select = select_fixed(Z), lookback = lookback, optimize = "none")
}

test_that("fixed points: the bounds of the batches add up to the batch bound, below the exact evidence, and equal to it at Z = X", {
  for (seed in 1:3) for (lookback in c(0, 20, Inf)) {
    data <- example_stream(60, D = seed, seed = seed)
    kernel <- kernel_matern52(1.1, 1.7)
    gp <- fixed_model(kernel, data$at[1:9, , drop = FALSE], lookback = lookback)
    total <- 0
    for (rows in split(1:60, rep(1:6, c(1, 20, 3, 16, 19, 1)))) {
      x <- data$x[rows, , drop = FALSE]
      total <- total + gp$bound(x, data$y[rows])$bound
      gp$update(x, data$y[rows])
    }
    truth <- batch_posterior(kernel, gp$points, data$x, data$y, 0.05, data$at)$objective
    expect_close(total, truth, 1e-8)
    evidence <- exact_gp(kernel, data$x, data$y, 0.05, data$at)$evidence
    expect_lte(total, evidence)
    expect_close(fixed_model(kernel, data$x)$bound(data$x, data$y)$bound, evidence, 1e-8)
  }
})

# KL(N(m, S) || N(m0, S0)), with the inverses written out
dense_kl <- function(m, S, m0, S0) {
  away <- m - m0
  (sum(diag(solve(S0, S))) + sum(away * solve(S0, away)) - length(m) + determinant(S0)$modulus - determinant(S)$modulus)[[1]] / 2
}

test_that("the four terms are those of the paper, written out with explicit inverses, while points join", {
  for (D in 1:2) {
    data <- example_stream(60, D, seed = D + 3)
    kernel <- kernel_matern32(0.8, 1.4)
    gp <- streaming_gp(kernel = kernel, noise = 0.06, mean = 0.3, lookback = 0, optimize = "none")
    gp$update(data$x[1:40, , drop = FALSE] / 2, data$y[1:40])
    old <- gp$posterior
    K_old <- kernel_matrix(kernel, gp$points)
    x <- data$x[41:60, , drop = FALSE]
    y <- data$y[41:60]
    found <- gp$bound(x, y)
    after <- gp$copy()$update(x, y)
    new <- after$posterior
    M <- gp$size
    expect_gt(after$size, M)
    Z <- after$points
    K <- kernel_matrix(kernel, Z)
    kappa <- t(solve(K, kernel_matrix(kernel, Z, x)))
    conditional <- 1.4 - rowSums(kappa * kernel_matrix(kernel, x, Z))
    u <- seq_len(M)
    expected <- c(
      prior = -dense_kl(new$mean - 0.3, new$cov, rep(0, nrow(Z)), K),
      likelihood = -10 * log(2 * pi * 0.06) - sum((y - 0.3 - kappa %*% (new$mean - 0.3))^2 + conditional + rowSums((kappa %*% new$cov) * kappa)) / 0.12,
      old_prior = dense_kl(new$mean[u] - 0.3, new$cov[u, u, drop = FALSE], rep(0, M), K_old),
      old_posterior = -dense_kl(new$mean[u], new$cov[u, u, drop = FALSE], old$mean, old$cov)
    )
    expect_named(found$terms, names(expected))
    expect_close(found$terms, expected, 1e-8)
    expect_close(found$bound, sum(expected), 1e-8)
    expect_close(found$bound, after$objective - gp$objective, 1e-10)
    expect_equal(found$points, 0)
  }
})

test_that("one point, one column: each term is the integral it stands for", {
  kernel <- kernel_se(1, 1.3)
  gp <- fixed_model(kernel, 0.2, noise = 0.3)
  gp$update(c(0.1, 0.7), c(0.5, 0.9))
  x <- c(-0.4, 0.6, 1)
  y <- c(0.1, 1.2, -0.3)
  old <- gp$posterior
  found <- gp$bound(x, y)
  new <- gp$update(x, y)$posterior
  q <- function(u) dnorm(u, new$mean, sqrt(new$cov[1]))
  integral <- function(f) integrate(function(u) q(u) * f(u), new$mean - 12 * sqrt(new$cov[1]), new$mean + 12 * sqrt(new$cov[1]), rel.tol = 1e-12)$value
  log_q <- function(u) dnorm(u, new$mean, sqrt(new$cov[1]), log = TRUE)
  log_p <- function(u) dnorm(u, 0, sqrt(1.3), log = TRUE)
  log_old <- function(u) dnorm(u, old$mean, sqrt(old$cov[1]), log = TRUE)
  k <- drop(kernel_matrix(kernel, x, 0.2)) / 1.3
  likelihood <- sum(vapply(1:3, function(i) {
    integral(function(u) {
      left <- 1.3 * (1 - k[i]^2) # E over f given u of log N(y | f, s2)
      dnorm(y[i], k[i] * u, sqrt(0.3), log = TRUE) - left / 0.6
    })
  }, 0))
  expected <- c(
    integral(function(u) log_p(u) - log_q(u)), likelihood, integral(function(u) log_q(u) - log_p(u)), integral(function(u) log_old(u) - log_q(u))
  )
  expect_close(found$terms, expected, 1e-9)
})

test_that("with a look-back, what it made of the old evidence stands apart, and all add up to the rise of the objective", {
  data <- example_stream(80)
  x <- sort(data$x)
  gp <- streaming_gp(kernel = kernel_se(0.4, 1), noise = 0.02, mean = 0, lookback = 30, optimize = "none")
  stream(gp, x[1:50], data$y[1:50], 5)
  gp$objective # read once, the posterior is factored, and reading it again changes nothing
  before <- as.list(gp)
  found <- gp$bound(x[51:80], data$y[51:80])
  expect_identical(as.list(gp), before)
  rise <- gp$copy()$update(x[51:80], data$y[51:80])$objective - gp$objective
  expect_close(found$bound, rise, 1e-10)
  expect_close(sum(found$terms) + found$points, rise, 1e-10)
  expect_true(found$points != 0)
})

test_that("the bound is the rise of the objective where rows are absorbed before others join, count as noise or are set aside", {
  selectors <- list(
    select_oips(0.8, support = 2), select_oips(0.95, max_points = 6), select_oips(0.95, max_points = 6, when_full = "replace"),
    select_noise(1), select_variance(0.02, max_points = 6)
  )
  for (select in selectors) for (seed in 1:4) {
    data <- example_stream(60, D = 2, seed = seed)
    gp <- streaming_gp(kernel = kernel_matern32(0.5, 1), noise = 0.05, mean = 0, select = select, lookback = 20, optimize = "none")
    gp$update(data$x[1:12, ], data$y[1:12])
    found <- gp$bound(data$x[13:60, ], data$y[13:60])
    rise <- gp$copy()$update(data$x[13:60, ], data$y[13:60])$objective - gp$objective
    expect_close(found$bound, rise, 1e-9)
    expect_close(sum(found$terms) + found$points, rise, 1e-9)
  }
})

test_that("growing points: the sum of the streaming bounds can exceed the log evidence [derivation 5]", {
  kernel <- kernel_se(1, 1)
  x <- c(0, 0.5, 0.65)
  y <- c(0, 3, -3)
  gp <- streaming_gp(kernel = kernel, noise = 0.01, mean = 0, select = select_oips(0.7), lookback = 0, optimize = "none")
  total <- 0
  for (i in 1:3) {
    total <- total + gp$bound(x[i], y[i])$bound
    gp$update(x[i], y[i])
  }
  evidence <- exact_gp(kernel, cbind(x), y, 0.01, cbind(x))$evidence
  expect_equal(c(total, evidence), c(-314.6, -536.6), tolerance = 2e-4)
  expect_close(total, gp$objective, 1e-10)
})

test_that("a bound before the first batch, of no rows, by formula, and of bad rows", {
  gp <- streaming_gp(kernel = kernel_se(1, 1), noise = 0.1, mean = 0, optimize = "none")
  first <- gp$bound(1:5, sin(1:5))
  expect_equal(gp$nobs, 0)
  expect_close(first$bound, gp$update(1:5, sin(1:5))$objective, 1e-12)
  expect_equal(gp$bound(numeric(), numeric())$bound, 0)
  expect_equal(streaming_gp(dist ~ speed, data = cars[1:20, ])$bound(cars[21:30, ])$points, 0, tolerance = 1)
  expect_refused(gp, gp$bound(1:3, c(1, NA, 2)), "nonfinite", "NA in row 2")
  expect_refused(gp, gp$bound(1:3, 1:2), "dimension", "`y`")
})
