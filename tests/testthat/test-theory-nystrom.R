# nystrom_error() against K - Q written out.

norms <- c("trace", "frobenius", "spectral")

dense_error <- function(kernel, x, z, norm) {
  K <- kernel_matrix(kernel, x)
  parts <- eigen(kernel_matrix(kernel, z), symmetric = TRUE)
  real <- parts$values > 1e-14 * parts$values[1]
  half <- crossprod(parts$vectors[, real, drop = FALSE], kernel_matrix(kernel, z, x)) / sqrt(parts$values[real])
  E <- K - crossprod(half)
  switch(norm,
    trace = sum(diag(E)), frobenius = sqrt(sum(E^2)), spectral = max(eigen(E, symmetric = TRUE, only.values = TRUE)$values)
  )
}

expect_dense <- function(kernel, x, z, tolerance = 1e-8) {
  for (norm in norms) {
    off <- abs(nystrom_error(kernel, x, z, norm) - dense_error(kernel, x, z, norm)) / (nrow(x) * kernel$variance)
    expect(off <= tolerance, sprintf("%s is off by %.2g n v, more than %.2g", norm, off, tolerance))
  }
}

test_that("Theorem 2: trace, Frobenius and spectral norm of K - Q, for every kernel", {
  set.seed(1)
  for (D in c(1, 2, 5)) {
    x <- matrix(runif(80 * D), 80)
    kernels <- lapply(kernel_constructors, function(kernel) kernel(0.5 * sqrt(D), 3))
    kernels <- c(kernels, list(kernels$se + kernels$matern12, kernels$rq * kernels$matern52, kernel_se(seq(0.3, 1, length.out = D), 0.01)))
    for (kernel in kernels) expect_dense(kernel, x, select_points(select_oips(0.7), x, kernel)$points)
    expect_dense(kernels$matern32, x, matrix(runif(6 * D), 6)) # points that are not rows
  }
})

test_that("Theorem 2: ill-conditioned points, to the same tolerance", {
  set.seed(2)
  for (D in 1:2) {
    x <- matrix(runif(150 * D), 150)
    for (rho in c(0.95, 0.99)) {
      for (lengthscale in c(0.3, 1)) {
        kernel <- kernel_se(lengthscale, 1)
        z <- select_points(select_oips(rho), x, kernel)$points
        expect_dense(kernel, x, z)
      }
    }
  }
})

test_that("Theorem 2: a fine grid in order, of which a model would refuse a part", {
  x <- matrix(seq(0, 1, length.out = 97))
  for (m in c(19, 21, 30)) expect_dense(kernel_se(0.3, 2), x, matrix(seq(0, 1, length.out = m)))
})

test_that("beyond 1000 rows the spectral norm is found by Lanczos, and is the largest eigenvalue still", {
  skip_on_cran()
  set.seed(3)
  x <- matrix(runif(2 * 1100), ncol = 2)
  kernel <- kernel_matern32(0.3, 2)
  z <- select_points(select_oips(0.7), x, kernel)$points
  expect_equal(nystrom_error(kernel, x, z, "spectral"), dense_error(kernel, x, z, "spectral"), tolerance = 1e-9)
})

test_that("what the points are given as does not matter: their order, points twice, vectors, data frames", {
  x <- toy(50)$x
  kernel <- kernel_se(1, 2)
  z <- c(1, 4, 7)
  for (norm in norms) {
    error <- nystrom_error(kernel, x, z, norm)
    expect_equal(nystrom_error(kernel, x, c(7, 1, 4, 4, 1), norm), error, tolerance = 1e-12)
    expect_equal(nystrom_error(kernel, data.frame(x), data.frame(z), norm), error, tolerance = 1e-15)
    expect_equal(nystrom_error(kernel_se(1), x, z, norm), error / 2, tolerance = 1e-14) # a variance not given counts as 1
  }
})

test_that("no points leave everything, all rows leave nothing, and more points never leave more", {
  x <- toy(60, 2)$x
  kernel <- kernel_matern52(2, 3)
  none <- matrix(0, 0, 2)
  expect_equal(nystrom_error(kernel, x, none), 60 * 3)
  expect_equal(nystrom_error(kernel, x, none, "frobenius"), sqrt(sum(kernel_matrix(kernel, x)^2)))
  expect_equal(nystrom_error(kernel, x, none, "spectral"), eigen(kernel_matrix(kernel, x))$values[1])
  for (norm in norms) {
    expect_lt(nystrom_error(kernel, x, x, norm), 1e-12)
    expect_identical(nystrom_error(kernel, none, x, norm), 0)
    by_points <- vapply(1:20, function(m) nystrom_error(kernel, x, x[seq_len(m), , drop = FALSE], norm), 0)
    expect_true(all(diff(by_points) < 1e-12))
  }
})

test_that("the trace is what a model with these points from the start leaves unexplained", {
  kernel <- kernel_se(1, 2)
  gp <- streaming_gp(kernel = kernel, noise = 0.1, mean = 0, select = select_fixed(seq(0, 10, by = 1.5)), optimize = "none")
  gp$update(toy(100)$x, toy(100)$y)
  core <- as.list(gp)$core
  expect_equal(nystrom_error(kernel, toy(100)$x, gp$points), 2 * (sum(core$tau) + sum(core$window_r)), tolerance = 1e-12)
})

test_that("many rows are no trouble for the trace", {
  skip_on_cran()
  x <- matrix(runif(2e5), ncol = 2) # 1e5 rows: their kernel matrix would have 80 GB
  z <- as.matrix(expand.grid(1:6, 1:6)) / 6.5
  error <- nystrom_error(kernel_se(0.5), x, z)
  part <- nystrom_error(kernel_se(0.5), x[1:1000, ], z)
  rest <- nystrom_error(kernel_se(0.5), x[-(1:1000), ], z)
  expect_equal(error, part + rest, tolerance = 1e-10)
})
