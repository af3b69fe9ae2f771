#' Choose the threshold rho
#'
#' Finds the threshold of [select_oips()] that gives a wanted number of inducing points, or leaves a wanted
#' share of the prior variance unexplained, on a sample of the stream.
#'
#' A higher `rho` means more points and a closer approximation. The number of points a stream will need cannot
#' be told from the kernel alone; a few hundred of its rows, in the order in which they come, tell it well.
#'
#' @param kernel A [kernel][kernels]; a lengthscale that is not given is the median distance between rows of
#'   `x`.
#' @param x A sample of the stream: a numeric vector (one column), matrix or data frame; rows are
#'   observations. With `residual`, it may be left out.
#' @param points How many points there may be. The answer is the highest `rho` found that keeps within that.
#' @param residual Which share of its prior variance a row may be left with, on average, between 0 and 1. The
#'   answer is the lowest `rho` found that does it on the sample (at most 1000 rows of it, evenly spread).
#'   Without a sample it is `sqrt(1 - residual)`, which guarantees it for every row of every stream, and is
#'   usually far more than is needed.
#' @param n With `points`: how many rows the stream will have. Beyond the sample, points go on joining at the
#'   rate of its second half, which is more than will: the rate can only fall while the stream goes on in the
#'   same way.
#' @return One number, to be given to [select_oips()].
#' @examples
#' x <- matrix(runif(1000), ncol = 2)
#' kernel <- kernel_se(lengthscale = 0.3)
#' rho <- suggest_rho(kernel, x, points = 50)
#' nrow(select_points(select_oips(rho), x, kernel)$points)
#'
#' suggest_rho(kernel, x, residual = 0.001)
#' suggest_rho(kernel, residual = 0.001)
#' @seealso [forecast_points()] for a model that runs, [bound_points()] for bounds in advance.
#' @export
suggest_rho <- function(kernel, x = NULL, points = NULL, residual = NULL, n = NULL) {
  check_kernel(kernel)
  if (is.null(points) == is.null(residual)) {
    abort("parameter", "one of `points` and `residual` must be given, and not both.")
  }
  if (!is.null(n) && is.null(points)) abort("parameter", "`n` is of use with `points` only.")
  if (!is.null(residual) && check_fraction(residual, "residual") < 1e-12) {
    abort("parameter", "`residual` must be at least 1e-12, not ", describe(residual), ": less is rounding.")
  }
  if (is.null(x)) {
    if (is.null(residual)) {
      abort("input",
        "`points` needs a sample `x` of the stream: the kernel alone cannot tell how many there will be.")
    }
    return(sqrt(1 - residual))
  }
  x <- as_input(x, "x")
  check_finite(x, "x")
  if (nrow(x) == 0) abort("dimension", "`x` must have at least one row.")
  kernel <- resolve_kernel(kernel, x)
  if (is.null(points)) return(rho_for_residual(kernel, x, residual))
  points <- check_count(points, "points", 1, most = 1e6)
  rho_for_points(kernel, x, points, if (is.null(n)) nrow(x) else check_count(n, "n", nrow(x), most = 1e15))
}

# Thresholds are searched on the scale of -log(1 - rho): from 0.02 to 1 - 1e-6.
rho_range <- c(0.02, 14)
rho_of <- function(t) -expm1(-t)

rho_for_points <- function(kernel, x, points, n) {
  fits <- function(t) expected_points(kernel, x, rho_of(t), n) <= points
  if (!fits(rho_range[1])) {
    abort("input", "even at rho = ", signif(rho_of(rho_range[1]), 2), " there would be more than ",
      count(points, "point"), "; use a longer lengthscale.")
  }
  if (fits(rho_range[2])) {
    abort("input", "with ", count(nrow(x), "row"), " in `x` there are never more than ",
      count(points, "point"), ": give a larger sample, or `n`.")
  }
  rho_of(bisect(fits, rho_range))
}

# The points that OIPS chooses from a sample, and those that would follow up to row n at the rate of the
# second half.
expected_points <- function(kernel, x, rho, n) {
  set <- core_set_new(kernel, select_oips(rho, Inf), ncol(x))
  core_set_update(set, x)
  index <- core_set_state(set)$index
  half <- nrow(x) %/% 2
  length(index) + (n - nrow(x)) * sum(index > half) / (nrow(x) - half)
}

rho_for_residual <- function(kernel, x, residual) {
  x <- x[spread_rows(nrow(x), 1000), , drop = FALSE]
  short <- function(t) {
    spec <- list(kernel = kernel, select = select_oips(rho_of(t), Inf), noise = kernel$variance, mean = 0,
      lookback = 0, optimize = "none", warmup = Inf, memory = 0)
    none <- numeric()
    trial <- core_gp_new(spec, x, numeric(nrow(x)), none, none)
    core_gp_learn(trial, x, numeric(nrow(x)), none, none, none, spec, FALSE)
    core_gp_info(trial)$tau / nrow(x) > residual
  }
  if (!short(rho_range[1])) return(rho_of(rho_range[1]))
  ends <- c(rho_range[1], -log1p(-sqrt(1 - residual))) # at the latter it is guaranteed
  rho_of(bisect(short, ends, side = 2))
}

# Where `holds` changes from TRUE, at the lower end, to FALSE: the highest place found where it holds, or the
# lowest where it does not.
bisect <- function(holds, ends, side = 1, steps = 14) {
  for (i in seq_len(steps)) {
    middle <- sum(ends) / 2
    ends[if (holds(middle)) 1 else 2] <- middle
  }
  ends[side]
}
