#' Kernels for lines, walks and levels
#'
#' `kernel_linear()` is for straight lines, `kernel_constant()` for what is the same everywhere,
#' `kernel_brownian()` for walks that go on from where they are, and `kernel_factor()` for categories.
#'
#' With \eqn{t = (x - o) / s}, origin \eqn{o} and scale \eqn{s}:
#'
#' | constructor | kernel |
#' |---|---|
#' | `kernel_constant()` | \eqn{v} |
#' | `kernel_linear()` | \eqn{v \sum_d t_d t'_d} |
#' | `kernel_brownian()` | \eqn{v \min(|t|, |t'|)} on one side of the origin, 0 across it |
#' | `kernel_brownian(integrated = TRUE)` | \eqn{v m^2 (3 M - m) / 6}, \eqn{m} and \eqn{M} being the smaller and the larger of \eqn{|t|} and \eqn{|t'|} |
#' | `kernel_factor()` | \eqn{v} for the same level, \eqn{v c} for two others |
#'
#' Origin and scale are fixed by the first rows where they are not given: for lines they are mean and standard
#' deviation of each column, for walks a little before the first value, and the range. The integrated walk
#' about a linear trend is the cubic smoothing spline.
#'
#' A factor in a formula is one 0/1 column a level; `kernel_factor(columns = "station")` looks at all of them
#' and has one parameter, the correlation of any two levels, where other kernels have a lengthscale. In a
#' product, `kernel_factor(columns = "station") * kernel_se(columns = "x")`, every level has a function of its
#' own, as alike as the correlation says.
#'
#' For these kernels correlation says little about which rows should become inducing points: where no selector
#' is given, models choose them by the noise ([select_noise()]).
#'
#' @param variance,columns As for other [kernels].
#' @param origin Where lines cross, or a walk begins: one number or, for lines, one for each column. `NULL`:
#'   from the first rows.
#' @param scale The unit in which the column is measured; as `origin`.
#' @param integrated Is the walk the slope of the function?
#' @param correlation Of two levels, at least 0 and below 1; `NULL`: to be found.
#' @return An object of class `gpstream_kernel`.
#' @seealso [kernels]
#' @examples
#' kernel_linear() + kernel_se(1)
#' kernel_matrix(kernel_brownian(origin = 0, scale = 1), 1:3)
#' kernel_factor(0.5, columns = 2)
#' @export
kernel_linear <- function(variance = NULL, origin = NULL, scale = NULL, columns = NULL) {
  if (!is.null(origin)) origin <- check_numbers(origin, "origin")
  if (!is.null(scale)) scale <- check_scale(scale)
  make_kernel("linear", variance, columns, origin = origin, scale = scale)
}

#' @rdname kernel_linear
#' @export
kernel_constant <- function(variance = NULL, columns = NULL) make_kernel("constant", variance, columns)

#' @rdname kernel_linear
#' @export
kernel_brownian <- function(variance = NULL, origin = NULL, scale = NULL, columns = NULL,
                            integrated = FALSE) {
  check_flag(integrated, "integrated")
  if (!is.null(origin) && !is_scalar(origin)) {
    abort("parameter", "`origin` must be a single number, not ", describe(origin), ".")
  }
  if (!is.null(scale)) scale <- check_positive(scale, "scale")
  make_kernel(if (integrated) "integrated_brownian" else "brownian", variance, columns, origin = origin,
    scale = scale)
}

# By the name that it has in the core.
kernel_integrated_brownian <- function(variance = NULL, origin = NULL, scale = NULL, columns = NULL) {
  kernel_brownian(variance, origin, scale, columns, integrated = TRUE)
}

#' @rdname kernel_linear
#' @export
kernel_factor <- function(correlation = NULL, variance = NULL, columns = NULL) {
  ok <- is.null(correlation) || (is_scalar(correlation) && correlation >= 0 && correlation < 1)
  if (!ok) {
    abort("parameter", "`correlation` must be a single number of at least 0 and below 1, not ",
      describe(correlation), ".")
  }
  make_kernel("factor", variance, columns, correlation = correlation)
}

check_scale <- function(scale) {
  scale <- check_numbers(scale, "scale")
  if (any(scale <= 0)) abort("parameter", "`scale` must be positive, not ", min(scale), ".")
  scale
}
