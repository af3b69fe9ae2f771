#' How far the Nystrom approximation is from the kernel matrix
#'
#' Inducing points `z` replace the kernel matrix \eqn{K} of the rows of `x` by the Nystrom approximation
#' \eqn{Q = K_{xz} K_z^{-1} K_{zx}}. This is the size of \eqn{K - Q}, computed and not bounded.
#'
#' \eqn{K - Q} is the covariance of the function at `x` given its values at `z`. It is positive semi-definite,
#' and so the spectral norm (the largest eigenvalue) is at most the Frobenius norm (the root of the sum of
#' squares), and that at most the trace (the sum of what the points leave of the variance of each row). The
#' trace is what matters for the evidence: see `vignette("theorem-2", "gpstream")`. For N rows, M points and
#' blocks of 512 rows:
#'
#' | norm | time | memory |
#' |---|---|---|
#' | `"trace"` | N M^2 | 512 M |
#' | `"frobenius"` | N^2 M | N M, at most 256 MB; beyond that, features are computed more than once |
#' | `"spectral"` | N^2 (M + number of steps), N^3 up to 1000 rows | N M; and N^2 up to 4000 rows |
#'
#' Up to 1000 rows the spectral norm comes from all eigenvalues, beyond that from the method of Lanczos, which
#' goes on until its residual proves an eigenvalue within a fraction 1e-10 of the answer (or within 1e-13 N
#' times the variance where that is more). If it does not get there in 600 steps, this is an error of class
#' `gpstream_error_not_converged`.
#'
#' Points of `z` that are numerically combinations of others (conditional variance at most 1e-12) are left
#' out; so a point may stand in `z` twice. The error is then that of the points that remain. It is never less
#' than that of all: hardly more for rows near the points, but for rows far from all of them, to which points
#' that lie close together extrapolate, it can be much more. (A model is more careful, and refuses such points
#' from 1e-8 on.)
#'
#' What is computed is a difference of numbers of the size of the variance, and known to their rounding, which
#' grows where points lie so close together that they are nearly left out and rows lie far from them. It is
#' tested against the definition to 1e-8 N times the variance.
#'
#' @inheritParams kernel_matrix
#' @param x Inputs of the kernel matrix: a numeric vector (one column), a matrix or a data frame; rows are
#'   observations.
#' @param z The inducing points, with the same columns; such as `gp$points`. They need not be rows of `x`.
#' @param norm `"trace"`, `"frobenius"` or `"spectral"`.
#' @return One number, in units of the kernel's variance.
#' @seealso [bound_nystrom()] for what can be said in advance.
#' @examples
#' x <- matrix(runif(900), ncol = 3)
#' k <- kernel_se(lengthscale = 0.3)
#' z <- select_points(select_oips(rho = 0.7), x, k)$points
#' nystrom_error(k, x, z)
#' nystrom_error(k, x, z, norm = "spectral")
#' bound_nystrom(nrow(x), nrow(z), rho = 0.7)
#' @export
nystrom_error <- function(kernel, x, z, norm = c("trace", "frobenius", "spectral")) {
  kernel <- check_kernel(kernel)
  norm <- check_choice(norm, c("trace", "frobenius", "spectral"), "norm")
  x <- as_input(x, "x")
  z <- as_input(z, "z")
  if (ncol(z) != ncol(x)) {
    abort("dimension", "`z` has ", ncol(z), " column", plural(ncol(z)), ", but `x` has ", ncol(x), ".")
  }
  check_finite(x, "x")
  check_finite(z, "z")
  core_nystrom_error(kernel_in_use(kernel, x), x, z, norm)[["error"]]
}
