# The k-DPP of a positive semi-definite matrix K: sets of k rows with P(A) = det(K_A) / e_k(lambda), where lambda are the
# eigenvalues of K and e_k is the elementary symmetric polynomial of degree k.  [Kulesza and Taskar 2011]

# log e_j of the first n values, j = 0, ..., k in rows and n = 0, ..., N in columns, by
#   e_j(1..n) = e_j(1..n-1) + lambda_n e_{j-1}(1..n-1)
log_esp_table <- function(lambda, k) {
  log_e <- matrix(-Inf, k + 1, length(lambda) + 1)
  log_e[1, ] <- 0
  for (n in seq_along(lambda)) {
    before <- log_e[, n]
    log_e[-1, n + 1] <- log_add(before[-1], log(lambda[n]) + before[seq_len(k)])
  }
  log_e
}

# log e_0, ..., log e_k
log_esp <- function(lambda, k) log_esp_table(lambda, k)[, length(lambda) + 1]

# log(exp(a) + exp(b))
log_add <- function(a, b) {
  high <- pmax(a, b)
  ifelse(high == -Inf, -Inf, high + log1p(exp(-abs(a - b))))
}

# k rows, in increasing order, or as many as K has eigenvalues that are not lost in rounding.
kdpp_draw <- function(K, k) {
  parts <- eigen(K, symmetric = TRUE)
  real <- parts$values > nrow(K) * .Machine$double.eps * parts$values[1]
  lambda <- parts$values[real]
  vectors <- kdpp_eigenvectors(lambda, min(k, length(lambda)))
  sort(projection_draw(parts$vectors[, vectors, drop = FALSE]))
}

# A set of k eigenvectors J, with probability prod(lambda_J) / e_k: from the last to the first, n belongs to it with probability
#   lambda_n e_{j-1}(1..n-1) / e_j(1..n)    while j are still to be chosen
kdpp_eigenvectors <- function(lambda, k) {
  log_e <- log_esp_table(lambda, k)
  chosen <- integer()
  for (n in rev(seq_along(lambda))) {
    j <- k - length(chosen)
    if (j == 0) break
    if (log(stats::runif(1)) < log(lambda[n]) + log_e[j, n] - log_e[j + 1, n + 1]) chosen <- c(chosen, n)
  }
  chosen
}

# The projection DPP of V V', V with orthonormal columns: a row with probability in proportion to what is left of the diagonal,
# then one step of Cholesky with it as the pivot, until as many are drawn as V has columns.
projection_draw <- function(V) {
  left <- rowSums(V^2)
  steps <- matrix(0, nrow(V), ncol(V))
  rows <- integer()
  for (j in seq_len(ncol(V))) {
    i <- sample.int(nrow(V), 1, prob = left)
    done <- seq_len(j - 1)
    steps[, j] <- (V %*% V[i, ] - steps[, done, drop = FALSE] %*% steps[i, done]) / sqrt(left[i])
    left <- pmax(left - steps[, j]^2, 0)
    rows <- c(rows, i)
    left[rows] <- 0
  }
  rows
}

# Of a large batch, rows spread evenly: the eigenvalues cost the cube of their number.
kdpp_rows <- function(x, k, kernel, most = 2000) {
  n <- min(nrow(x), most)
  rows <- as.integer((seq_len(n) - 1) * nrow(x) / n) + 1L
  x <- x[rows, , drop = FALSE]
  rows[kdpp_draw(core_kernel_matrix(kernel, x, x) / kernel$variance, k)]
}
