# Random cases for the bounds on the Nystrom error; also used by bench/theorem-2.R.

# Any kernel, isotropic or not, D columns.
random_kernel <- function(D) {
  simple <- function() {
    lengthscale <- sqrt(D) * 10^runif(if (runif(1) < 0.5) 1 else D, -1, 0.5)
    sample(kernel_constructors, 1)[[1]](lengthscale, 10^runif(1, -2, 2))
  }
  switch(sample(4, 1), simple(), simple(), simple() + simple(), simple() * simple())
}

# Rows that the bounds should find hard: `n` x D.
random_rows <- function(kind, n, D, kernel, rho) {
  switch(kind,
    uniform = matrix(runif(n * D), n),
    clustered = matrix(runif(5 * D), 5)[sample(5, n, TRUE), , drop = FALSE] + rnorm(n * D, sd = 10^runif(1, -4, -1)),
    repeated = matrix(runif(n * D), n)[sample(ceiling(n / 3), n, TRUE), , drop = FALSE],
    line = outer(seq(0, by = 1.001 * min(kernel_radius(kernel, rho)), length.out = n), c(1, rep(0, D - 1))),
    # every row at correlation rho with the first, in a direction of its own: the bound by the nearest point is attained, or nearly
    sphere = {
      direction <- matrix(rnorm(n * D), n)
      away <- (1 - 1e-9) * kernel_radius(kernel, rho)
      rbind(0, sweep(direction / sqrt(rowSums(direction^2)), 2, rep_len(away, D), "*")[-1, , drop = FALSE])
    },
    # a pair of rows again and again, on either side of the threshold
    edge = matrix(min(kernel_radius(kernel, rho)) * (1 + rep_len(c(-1, 1, -1), n) * 1e-7) * rep_len(0:2, n), n, D) *
      rep(c(1, numeric(D - 1)), each = n)
  )
}

row_kinds <- c("uniform", "clustered", "repeated", "line", "sphere", "edge")

# One case, from its seed: what nystrom_error() finds, and what is claimed to be larger, each at least the one before.
nystrom_case <- function(seed, n_most = 100) {
  set.seed(seed)
  D <- sample(10, 1)
  n <- sample(n_most, 1)
  rho <- runif(1, 0.1, 0.99)
  kernel <- random_kernel(D)
  kind <- sample(row_kinds, 1)
  x <- random_rows(kind, n, D, kernel, rho)
  z <- select_points(select_oips(rho, max_points = Inf), x, kernel)$points
  m <- nrow(z)
  v <- kernel$variance
  error <- vapply(c("spectral", "frobenius", "trace"), function(norm) nystrom_error(kernel, x, z, norm), 0)
  left <- 1 - apply(kernel_matrix(kernel, x, z) / v, 1, max)^2
  bound <- vapply(c("nearest", "gershgorin", "frobenius", "paper"), function(type) bound_nystrom(n, m, rho, v, type), 0)
  chain <- c(error, row_by_row = v * sum(pmax(left, 0)), bound)
  names(chain)[5:8] <- paste0("bound_", names(bound))
  points <- getFromNamespace("core_nystrom_error", "gpstream")(kernel, x, z, "trace")[["points"]]
  list(seed = seed, D = D, n = n, m = m, rho = rho, kernel = kernel$name, kind = kind, refused = m - points, chain = chain, scale = n * v)
}

# How far the chain is from rising, per row and unit of variance; rounding is about 1e-15.
chain_violation <- function(case) max(-diff(case$chain)) / case$scale
