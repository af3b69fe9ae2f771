# Streams that go on: a series, tracks that never return, tracks that do.

# A smooth random function: 400 cosines, lengthscale 1.
random_function <- function(D) {
  frequency <- matrix(stats::rnorm(400 * D, sd = sqrt(2)), D)
  phase <- stats::runif(400, 0, 2 * pi)
  function(x) rowSums(cos(x %*% frequency + rep(phase, each = nrow(x)))) * sqrt(2 / 400)
}

wander <- function(n, D) {
  heading <- matrix(stats::rnorm(D), 1)
  steps <- matrix(0, n, D)
  for (i in seq_len(n)) {
    heading <- heading + 0.15 * stats::rnorm(D)
    heading <- heading / sqrt(sum(heading^2))
    steps[i, ] <- 0.05 * heading
  }
  apply(steps, 2, cumsum)
}
patrol <- function(n, D) {
  s <- 0.05 * seq_len(n)
  sapply(seq_len(D), function(d) 4 * sin(s * c(0.24, 0.17, 0.13)[d] + d)) + stats::rnorm(n * D, sd = 0.1)
}
