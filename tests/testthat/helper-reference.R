# Plain R references, written from the formulas and not from the package. Kernel values come from kernel_matrix(), which
# test-kernel-specs.R checks against the definitions.

# Sparse regression on all rows at once with inducing points Z [Titsias09].
batch_posterior <- function(kernel, Z, x, y, noise, at) {
  L <- t(chol(kernel_matrix(kernel, Z)))
  W <- forwardsolve(L, kernel_matrix(kernel, Z, x))
  Ws <- forwardsolve(L, kernel_matrix(kernel, Z, at))
  C <- t(chol(diag(nrow(L)) + tcrossprod(W) / noise))
  m <- backsolve(t(C), forwardsolve(C, W %*% y / noise))
  prior <- kernel$variance
  list(
    mean = drop(crossprod(Ws, m)),
    var = prior - colSums(Ws^2) + colSums(forwardsolve(C, Ws)^2),
    objective = -sum(log(diag(C))) + sum((W %*% y / noise) * m) / 2 - length(y) / 2 * log(2 * pi * noise) - sum(y^2) / (2 * noise) -
      (length(y) * prior - sum(W^2)) / (2 * noise)
  )
}

exact_gp <- function(kernel, x, y, noise, at) {
  C <- t(chol(kernel_matrix(kernel, x) + diag(noise, length(y))))
  V <- forwardsolve(C, kernel_matrix(kernel, x, at))
  z <- forwardsolve(C, y)
  list(
    mean = drop(crossprod(V, z)), var = kernel$variance - colSums(V^2),
    evidence = -sum(z^2) / 2 - sum(log(diag(C))) - length(y) / 2 * log(2 * pi)
  )
}

# Algorithm 1 of GFO21 in five lines: the rows that join.
oips_reference <- function(correlation, rho) {
  chosen <- integer()
  for (i in seq_len(nrow(correlation))) {
    if (length(chosen) == 0 || max(abs(correlation[chosen, i])) < rho) chosen <- c(chosen, i)
  }
  chosen
}

stream <- function(gp, x, y, size) {
  x <- as.matrix(x)
  for (rows in split(seq_along(y), ceiling(seq_along(y) / size))) gp$update(x[rows, , drop = FALSE], y[rows])
  gp
}

# Largest difference, relative to the largest value or `scale`.
expect_close <- function(object, expected, tolerance, scale = 0) {
  off <- max(abs(object - expected)) / max(abs(object), abs(expected), scale, 1e-300)
  testthat::expect(off <= tolerance, sprintf("off by %.2g, more than %.2g", off, tolerance))
  invisible(object)
}

expect_posterior <- function(gp, truth, at, tolerance) {
  p <- predict(gp, at, se.fit = TRUE)
  expect_close(p$fit, truth$mean, tolerance, sqrt(gp$kernel$variance))
  expect_close(p$se.fit^2, truth$var, tolerance, gp$kernel$variance)
  expect_close(gp$objective, truth$objective, tolerance, 1)
}

# Functions of the distance in lengthscales alone, all with (lengthscale, variance).
kernel_constructors <- list(
  se = kernel_se, matern12 = kernel_matern12, matern32 = kernel_matern32, matern52 = kernel_matern52, rq = kernel_rq
)
stationary <- names(kernel_constructors)

example_stream <- function(n, D = 1, seed = 1, range = 3, sd = 0.1) {
  set.seed(seed)
  x <- matrix(runif(n * D, 0, range), n)
  list(x = x, y = sin(2 * x[, 1]) + 0.5 * rowSums(x) / D + rnorm(n, sd = sd), at = matrix(runif(40 * D, 0, range), 40))
}
