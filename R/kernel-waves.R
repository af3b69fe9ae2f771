#' Kernels for waves
#'
#' `kernel_periodic()` is for what comes again after each period: a day, a season. `kernel_cosine()` is one
#' wave. `kernel_spectral()` is a wave of one column whose frequency, amplitude and smoothness vary along it.
#'
#' \deqn{k(x, x') = v \exp(-\sin^2(\pi (x - x') / p) / l^2)}{k(x, x') = v exp(-sin^2(pi (x - x') / p) / l^2)}
#' for the periodic kernel with period \eqn{p}; its lengthscale has no units, 1 being a smooth wave and less
#' than 0.3 one with many bumps. Several columns have one period. A wave that changes slowly from one period
#' to the next is a product, `kernel_periodic(period) * kernel_se(lengthscale)`.
#' \deqn{k(x, x') = v \cos(2 \pi f (x - x'))}{k(x, x') = v cos(2 pi f (x - x'))}
#' for the cosine with frequency \eqn{f}. `kernel_cosine(f) * kernel_se(l)`, added up, is a stationary
#' spectral mixture. `kernel_spectral()` is the generalised spectral mixture kernel of Remes, Heinonen and
#' Kaski with one component, in the form in which the frequency is the slope of the phase: the product of a
#' varying amplitude, a cosine on a warped column and a Gibbs kernel ([kernel_gibbs()]).
#'
#' Where the period or the frequency is left open (`NULL`), the spectrum of the rows that a model learns from
#' says where to look for it: waves of which at least two have come, and no faster than the typical gap
#' between rows can show. Several candidates compete by their evidence. With an open period a model must learn
#' (`optimize` is not `"none"`), from rows that show the wave at least twice.
#'
#' @param period The period: a number in units of the column, or a duration such as `"24 hours"`, `"1 week"`
#'   or `"1 year"` where the column is a time. `NULL`: to be found.
#' @param frequency Waves in a unit of the column, one number for each column. `NULL`: to be found, for one
#'   column.
#' @param lengthscale,variance,columns As for other [kernels].
#' @inheritParams kernel_gibbs
#' @return An object of class `gpstream_kernel`.
#' @references
#' Remes, S., Heinonen, M. and Kaski, S. (2017) Non-Stationary Spectral Kernels. NeurIPS.
#' @seealso [kernels]
#' @examples
#' kernel_periodic(12) + kernel_se(40)
#' kernel_periodic("1 day", columns = "time") * kernel_se(columns = "time")
#'
#' x <- sort(runif(300, 0, 10))
#' y <- sin(2 * pi * x / 1.7) + rnorm(300, sd = 0.2)
#' gp <- streaming_gp(kernel = kernel_periodic())
#' gp$update(x, y)
#' gp$kernel
#' @export
kernel_periodic <- function(period = NULL, lengthscale = NULL, variance = NULL, columns = NULL) {
  if (is.character(period) || inherits(period, "difftime")) {
    parse_duration(period, "period")
  } else if (!is.null(period)) {
    period <- check_positive(period, "period")
  }
  new_kernel("periodic", lengthscale, variance, columns, period = period)
}

#' @rdname kernel_periodic
#' @export
kernel_cosine <- function(frequency = NULL, variance = NULL, columns = NULL) {
  if (!is.null(frequency)) frequency <- check_numbers(frequency, "frequency")
  make_kernel("cosine", variance, columns, frequency = frequency)
}

#' @rdname kernel_periodic
#' @export
kernel_spectral <- function(frequency = NULL, lengthscale = NULL, variance = NULL, knots = 4,
                            columns = NULL) {
  if (length(columns) > 1) abort("parameter", "`columns` of kernel_spectral() must be one column.")
  if (length(frequency) > 1) abort("parameter", "`frequency` of kernel_spectral() must be one number.")
  along <- if (is.null(columns)) 1 else columns
  kernel_amplitude(variance, knots, columns = columns) *
    kernel_warped(kernel_cosine(frequency, 1, columns), along, knots) *
    kernel_gibbs(lengthscale, 1, knots, columns = columns)
}

check_numbers <- function(x, arg) {
  if (!is.numeric(x) || is.object(x) || length(x) == 0 || !all(is.finite(x))) {
    abort("parameter", "`", arg, "` must be finite numbers, not ", describe(x), ".")
  }
  as.double(x)
}
