# Likelihoods with several latent functions, for bench/likelihoods.R: `draw` takes a matrix with a function in each column, `e` is what the
# model has for E log p where these are N(m, s2), by the formulas of the derivation.
tilted <- function(m, s2) { # its probabilities
  a <- matrix(1 / ncol(m), nrow(m), ncol(m))
  for (turn in 1:500) {
    p <- exp(m + (0.5 - a) * s2)
    a <- a + (p / rowSums(p) - a) / (1 + apply(s2, 1, max) / 4)
  }
  a
}
several <- list(
  heteroscedastic = list(name = "heteroscedastic", kind = "number", K = 2, open = likelihood_heteroscedastic(),
    draw = function(f) f[, 1] + exp(f[, 2] / 2 - 1) * stats::rnorm(nrow(f)),
    e = function(y, m, s2) -0.5 * log(2 * pi) - m[, 2] / 2 - 0.5 * ((y - m[, 1])^2 + s2[, 1]) * exp(-m[, 2] + s2[, 2] / 2)),
  categorical = list(name = "categorical", kind = "class", K = 3, open = likelihood_categorical(),
    probability = function(f) exp(f) / rowSums(exp(f)),
    draw = function(f) factor(max.col(f - log(-log(matrix(stats::runif(length(f)), nrow(f)))), "first"), 1:3),
    e = function(y, m, s2) {
      a <- tilted(m, s2)
      m[cbind(seq_along(y), as.integer(y))] - 0.5 * rowSums(a^2 * s2) - log(rowSums(exp(m + (0.5 - a) * s2)))
    })
)

functions_at <- function(one, x, lengthscale, size) {
  matrix(vapply(seq_len(one$K), function(k) random_function(size, lengthscale, NCOL(x))(x), numeric(NROW(x))), ncol = one$K)
}

# As one_stream() has it, with lengthscales that all functions have.
one_stream_of_several <- function(one, seed) {
  set.seed(seed)
  x <- stats::runif(800, 0, 10)
  f <- functions_at(one, x, exp(stats::runif(1, 0, 1.1)), exp(stats::runif(1, -0.7, 0.3)))
  f <- f + rep(stats::rnorm(one$K, sd = 0.5), each = 800)
  y <- one$draw(f)
  list(gp = feed(streaming_gp(likelihood = one$open), x[1:400], y[1:400]), x = x[401:800], f = f[401:800, ])
}

# The objective of the posterior there is. (What each function knows at the points is not public: the only place here that asks the
# package's inside.)
bound_of_several <- function(gp, one, x, y) {
  handle <- gpstream:::gp_handle(gp)
  prior <- gpstream:::core_gp_functions(handle)
  R <- chol(exp(-as.matrix(stats::dist(gp$points))^2 / lengthscale^2))
  at <- gpstream:::core_gp_predict(handle, gp$points, FALSE)$mean
  apart <- vapply(seq_len(one$K), function(k) {
    S <- gpstream:::core_gp_covariance(handle, gp$points, k) / prior$variance[k]
    u <- backsolve(R, at[seq_len(nrow(S)) + (k - 1) * nrow(S)] - prior$mean[k], transpose = TRUE)
    trace <- sum(diag(backsolve(R, backsolve(R, S, transpose = TRUE))))
    log_det <- as.numeric(determinant(S)$modulus) - 2 * sum(log(diag(R)))
    (trace + sum(u^2) / prior$variance[k] - nrow(S) - log_det) / 2
  }, 0)
  p <- latent(gp, x)
  sum(one$e(y, p$fit, p$se.fit^2)) - sum(apart)
}
stream_several <- function(one, order) {
  found <- vapply(seq_len(if (quick) 1 else 3), function(seed) {
    set.seed(seed)
    x <- stats::runif(1200, 0, 10)
    y <- one$draw(functions_at(one, x, lengthscale, 1))
    rows <- if (order == "sorted") order(x[1:800]) else 1:800
    model <- function(...) {
      streaming_gp(kernel = kernel_se(lengthscale, 1), mean = 0, likelihood = one$open, optimize = "none", ...)
    }
    stream <- feed(model(), x[rows], y[rows], 10)
    there <- feed(model(select = select_fixed(stream$points)), x[rows], y[rows], 10)
    batch <- model(lookback = Inf, select = select_fixed(stream$points))
    batch$update(x[rows[1:10]], y[rows[1:10]]) # the first batch has a say in the noise
    batch$update(x[rows[-(1:10)]], y[rows[-(1:10)]])
    batch$refresh()
    density <- function(gp) sum(gp$score(x[801:1200], y[801:1200])$log_density)
    ours <- latent(stream, x[801:1200])
    theirs <- latent(batch, x[801:1200])
    best <- bound_of_several(batch, one, x[rows], y[rows])
    loss <- function(gp) best - bound_of_several(gp, one, x[rows], y[rows])
    c(loss(stream), loss(there), abs(best - batch$objective), density(batch) - density(stream),
      max(abs(ours$fit - theirs$fit) / theirs$se.fit))
  }, numeric(5))
  case <- sprintf("%s, 1-D, %s", one$name, order)
  note("streaming", case, "nats lost, largest of three (bar 1.5)", max(found[1, ]))
  note("streaming", case, "with the points there from the start", max(found[2, ]))
  note("streaming", case, "all rows at once: objective off by", max(found[3, ]))
  note("streaming", case, "log density of 400 new rows lost, nats, largest", max(found[4, ]))
  note("streaming", case, "means apart, in latent sd, largest", max(found[5, ]))
}
