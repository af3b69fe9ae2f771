# Elementary symmetric polynomials e_k of the eigenvalues of a kernel matrix, and determinants, in logarithms.

# log e_0, ..., log e_k of the values lambda, by e_j(1..n) = e_j(1..n-1) + lambda_n e_{j-1}(1..n-1): sums of
# positive terms, so that nothing cancels.
log_esp <- function(lambda, k) {
  log_e <- c(0, rep(-Inf, k))
  for (log_lambda in log(lambda)) log_e[-1] <- log_add(log_e[-1], log_lambda + log_e[seq_len(k)])
  log_e
}

# log(exp(a) + exp(b))
log_add <- function(a, b) {
  sum <- pmax(a, b) + log1p(exp(-abs(a - b)))
  sum[is.nan(sum)] <- -Inf # both were
  sum
}

# How much log e_k can be raised by adding amounts to the eigenvalues, and further eigenvalues, that sum to
# tau.
log_esp_error <- function(log_e, tau) {
  j <- seq_along(log_e) - 1
  terms <- j * log(tau) - lgamma(j + 1) + rev(log_e) - log_e[length(log_e)]
  max(terms) + log(sum(exp(terms - max(terms))))
}

# The eigenvalues of the correlation matrix, all or those of a pivoted Cholesky factor of this rank.
kernel_spectrum <- function(kernel, x, rank = Inf, most = largest_matrix) {
  core_kernel_spectrum(kernel, x, rank, most)
}

# Entries, 800 MB.
largest_matrix <- 1e8

# log det of the correlation matrix of some rows, -Inf where a pivot is rounding; and what rounding can have
# done to it: Cholesky is exact for a matrix with other entries in their last digits, E, which makes
# tr(K^-1 E).
log_det_correlation <- function(kernel, x) {
  root <- tryCatch(chol(core_kernel_matrix(kernel, x, x) / kernel$variance), error = function(e) NULL)
  eps <- nrow(x) * .Machine$double.eps
  if (is.null(root) || min(diag(root))^2 <= eps) {
    if (!anyDuplicated(x)) {
      warn("rank",
        "the rows of a set are dependent to within rounding: its log probability is given as -Inf.")
    }
    return(c(value = -Inf, error = 0))
  }
  c(value = 2 * sum(log(diag(root))), error = eps * sum(backsolve(root, diag(nrow(x)))^2))
}
