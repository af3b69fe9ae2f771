#' Expected improvement for Bayesian optimisation
#'
#' Computes the expected improvement of each row of `x` over the best value so far. The row with the largest
#' one is where to measure next. By default the function searches for a minimum: write `maximize = TRUE` to
#' search for a maximum.
#'
#' With mean m and standard deviation s of the latent function at a row, and z = (best - m) / s, it is
#' s (z pnorm(z) + dnorm(z)) for a minimum, max(best - m, 0) where s is 0. For a maximum, z = (m - best) / s.
#' It is the improvement of the function itself, not of observations with noise. For likelihoods other than
#' the Gaussian it is on the latent scale.
#'
#' @param gp A model made by [streaming_gp()], of one output and one latent function.
#' @param x Where to measure, as `newdata` of [predict.StreamingGP()].
#' @param best The best value so far, on the scale of the latent function. `NULL`: the lowest (or highest)
#'   mean at the inducing points.
#' @param minimize `TRUE`, the default: low values are better. `FALSE`: high values are better.
#' @param maximize The opposite of `minimize`; give one of them.
#' @return A number for each row of `x`, never negative; `NA` where something is missing.
#' @references
#' Jones, D. R., Schonlau, M. and Welch, W. J. (1998) Efficient Global Optimization of Expensive Black-Box
#' Functions. Journal of Global Optimization 13, 455-492.
#' @seealso [predict.StreamingGP()], [simulate.StreamingGP()]
#' @examples
#' f <- function(x) sin(3 * x) + 0.3 * x^2
#' gp <- streaming_gp(kernel = kernel_se(0.7), noise = 1e-4)
#' gp$update(c(-2, 0, 2), f(c(-2, 0, 2)))
#' at <- seq(-3, 3, length.out = 201)
#' for (i in 1:6) {
#'   next_one <- at[which.max(expected_improvement(gp, at))]
#'   gp$update(next_one, f(next_one))
#' }
#' c(found = at[which.min(predict(gp, at))], true = at[which.min(f(at))])
#'
#' # where to look for a maximum
#' at[which.max(expected_improvement(gp, at, maximize = TRUE))]
#' @export
expected_improvement <- function(gp, x, best = NULL, minimize = !maximize, maximize = FALSE) {
  check_model(gp)
  if (missing(x)) abort("input", "`x` is missing: say where you could measure.")
  check_flag(maximize, "maximize")
  check_flag(minimize, "minimize")
  if (minimize && maximize) {
    abort("parameter", "`minimize` and `maximize` must not both be TRUE. Give one of them.")
  }
  only_one_output(gp, "expected_improvement()")
  if (likelihood_of(gp)$name %in% c("heteroscedastic", "categorical")) {
    abort("likelihood", "expected_improvement() is for one latent function; ", format(likelihood_of(gp)),
      " has several.")
  }
  if (!is.null(best) && (!is_scalar(best) || !is.finite(best))) {
    abort("parameter", "`best` must be a single finite number or NULL, not ", describe(best), ".")
  }
  reader <- prediction_model(gp, x, "x")
  rows <- complete_rows(reader$x, reader$offset, "x")
  found <- core_gp_predict(reader$handle, rows$x, TRUE)
  mean <- if (is.null(rows$offset)) found$mean else found$mean + rows$offset
  if (is.null(best)) {
    best <- best_so_far(gp, reader$offset, minimize)
  } else if (is.null(reader$offset)) {
    warn_far_side(gp, best, minimize)
  }
  gain <- if (minimize) best - mean else mean - best
  rows$fill(improvement(gain, sqrt(found$variance)))
}

# E max(gain + s e, 0), e standard normal. Tails of the two terms are alike, but each is known to its last
# digits.
improvement <- function(gain, s) {
  z <- gain / s
  ifelse(s > 0, pmax(s * (z * stats::pnorm(z) + stats::dnorm(z)), 0), pmax(gain, 0))
}

best_so_far <- function(gp, offset, minimize) {
  if (!is_started(gp) || gp_info(gp)$size == 0) {
    abort("input", "`best` is needed: the model has seen no rows, of which one could be the best.")
  }
  if (!is.null(offset)) {
    abort("input", "`best` is needed: the formula has an offset, which inducing points have not.")
  }
  known <- means_at_points(gp)
  if (minimize) min(known) else max(known)
}

means_at_points <- function(gp) {
  handle <- gp_handle(gp)
  core_gp_predict(handle, core_gp_points(handle), FALSE)$mean
}

# best = max(y) in a search for a minimum: every row then improves on it.
warn_far_side <- function(gp, best, minimize) {
  if (!is_started(gp) || gp_info(gp)$size < 2) return(invisible())
  known <- means_at_points(gp)
  if (if (minimize) best < max(known) else best > min(known)) return(invisible())
  warn("improvement", "`best` (", format(best), ") is ", if (minimize) "above" else "below",
    " the mean at every inducing point, but ", if (minimize) "low" else "high",
    " values are searched for. Write ", if (minimize) "maximize" else "minimize", " = TRUE to search for ",
    if (minimize) "high" else "low", " ones.")
}
