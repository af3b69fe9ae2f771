#' Bounds on the error of the Nystrom approximation
#'
#' What can be said about the trace of \eqn{K - Q} (see [nystrom_error()]), and so about its Frobenius and
#' spectral norms, before it is computed: from the threshold of OIPS, or for points drawn by a k-DPP.
#'
#' `bound_nystrom()` needs this and nothing else: the `m` points are rows among the `n`, and **every other row
#' has a correlation of at least `rho` with one of them**. So it holds for the points of [select_oips()] where
#' they are, for any stationary kernel and any data in any order. It does not hold for a model whose points
#' were moved (`optimize_points`), that turned rows away at `max_points`, or that refused points as
#' numerically dependent (`summary()` tells), nor under another kernel than the one the points were chosen
#' with. For a squared exponential kernel whose lengthscale went from l0 to l1 while the points stayed, use
#' `rho^((l0 / l1)^2)`; for other kernels with one lengthscale, the correlation under the new kernel at the
#' [kernel_radius()] of the old one.
#'
#' | type | bound divided by the variance | from |
#' |---|---|---|
#' | `"nearest"` | \eqn{(n - m)(1 - \rho^2)} | conditioning on the nearest point alone |
#' | `"gershgorin"` | \eqn{(n - m)(1 - \rho^2 / (1 + (m - 1) \rho))} | the largest eigenvalue of \eqn{K_z}, by Gershgorin |
#' | `"frobenius"` | \eqn{(n - m)(1 - \rho^2 / (1 + \sqrt{m (m - 1)} \rho))} | the same, by the Frobenius norm |
#' | `"paper"` | \eqn{(n - m)(1 - \rho^2 / (1 + m (m - 1) \rho))} | Theorem 2 of Galy-Fajou and Opper, as printed |
#'
#' Each is at most the next. The last three need, besides, that the points have correlations below `rho` (in
#' absolute value) with each other, which OIPS ensures. The proofs, and how loose the bounds are, are in
#' `vignette("theorem-2", "gpstream")`.
#'
#' `bound_nystrom_kdpp()` is about the *expected* trace when `m` rows are drawn from the k-DPP of \eqn{K}, the
#' sets with probability in proportion to \eqn{\det K_z}: exactly \eqn{(m + 1) e_{m+1} / e_m} with the
#' elementary symmetric polynomials \eqn{e} of the eigenvalues (`type = "expected"`), at most
#' \eqn{(m + 1) \sum_{i > m} \lambda_i} (`type = "burt"`). It says nothing about points chosen otherwise.
#' Eigenvalues that were computed are rounding below about n times 1e-16 of the largest, and so is what is
#' made of them.
#'
#' @param n,m Numbers of rows and of points, whole numbers with 1 <= m <= n; single numbers, or of one length.
#'   For `bound_nystrom_kdpp()`, `m` from 0 to the number of eigenvalues.
#' @param rho The correlation that every row has with a point, between 0 and 1.
#' @param variance The variance of the kernel.
#' @param type Which bound; see below.
#' @return A numeric vector, in units of the variance; for `bound_nystrom_kdpp()` of the eigenvalues.
#' @examples
#' bound_nystrom(1000, 142, rho = 0.7)
#' types <- c("nearest", "gershgorin", "frobenius", "paper")
#' sapply(types, function(type) bound_nystrom(1000, 142, 0.7, type = type))
#'
#' x <- matrix(runif(600), ncol = 3)
#' K <- kernel_matrix(kernel_se(lengthscale = 1), x)
#' lambda <- eigen(K, symmetric = TRUE, only.values = TRUE)$values
#' bound_nystrom_kdpp(lambda, m = c(5, 10, 20))
#' bound_nystrom_kdpp(lambda, m = c(5, 10, 20), type = "expected")
#' @references
#' Galy-Fajou, T. and Opper, M. (2021) Adaptive Inducing Points Selection for Gaussian Processes.
#' arXiv:2107.10066. Theorem 2.
#'
#' Burt, D. R., Rasmussen, C. E. and van der Wilk, M. (2019) Rates of Convergence for Sparse Variational
#' Gaussian Process Regression. ICML.
#'
#' Belabbas, M.-A. and Wolfe, P. J. (2009) Spectral Methods in Machine Learning and New Strategies for Very
#' Large Datasets. PNAS 106.
#' @export
bound_nystrom <- function(n, m, rho, variance = 1, type = c("nearest", "gershgorin", "frobenius", "paper")) {
  type <- check_choice(type, c("nearest", "gershgorin", "frobenius", "paper"), "type")
  n <- check_counts(n, "n", 1, most = 1e15)
  m <- check_counts(m, "m", 1, most = 1e15)
  rho <- check_fraction(rho, "rho")
  variance <- check_variance(variance, "variance")
  if (length(n) == 0 || length(m) == 0) return(numeric())
  if (length(n) > 1 && length(m) > 1 && length(n) != length(m)) {
    abort("dimension", "`n` and `m` must be of one length, not ", length(n), " and ", length(m), ".")
  }
  if (any(n < m)) abort("parameter", "`m` must be at most `n`: the points are rows among the `n`.")
  # at least the largest eigenvalue of the points' correlation matrix; the nearest point alone does not need
  # it
  largest <- switch(type,
    nearest = 1,
    gershgorin = 1 + (m - 1) * rho,
    frobenius = 1 + sqrt(m * (m - 1)) * rho,
    paper = 1 + m * (m - 1) * rho
  )
  variance * (n - m) * (1 - rho^2 / largest)
}

#' @rdname bound_nystrom
#' @param eigenvalues The eigenvalues of \eqn{K}, in any order; those that are not given count as 0. What
#'   rounding made negative counts as 0.
#' @export
bound_nystrom_kdpp <- function(eigenvalues, m, type = c("burt", "expected")) {
  type <- check_choice(type, c("burt", "expected"), "type")
  lambda <- check_spectrum(eigenvalues, "eigenvalues")
  m <- check_counts(m, "m", 0, most = length(lambda))
  if (length(m) == 0) return(numeric())
  if (type == "burt") {
    left <- rev(cumsum(rev(c(lambda, 0)))) # from the smallest on: what is left beyond the m largest
    return((m + 1) * left[m + 1])
  }
  log_e <- c(log_esp(lambda, min(max(m) + 1, length(lambda))), -Inf)
  # no more points than the rank: there is nothing left
  ifelse(log_e[m + 2] == -Inf, 0, (m + 1) * exp(log_e[m + 2] - log_e[m + 1]))
}

# Eigenvalues of a positive semi-definite matrix, from the largest on; rounding below 0 removed.
check_spectrum <- function(x, arg) {
  ok <- is.numeric(x) && !is.object(x) && length(x) > 0 && all(is.finite(x)) && all(x >= -1e-8 * max(abs(x)))
  if (!ok) {
    abort("parameter", "`", arg, "` must be the eigenvalues of a kernel matrix, numbers of at least 0, not ",
      describe(x), ".")
  }
  sort(pmax(as.double(x), 0), decreasing = TRUE)
}
