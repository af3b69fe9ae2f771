#' Covariance and intervals of the coefficients of the trend
#'
#' `vcov()` gives the posterior covariance matrix of the constant and the slopes of a linear trend, those that
#' [coef()][coef.StreamingGP] names `mean` and `slope.`; `confint()` gives their intervals. They answer how
#' certain a slope is.
#'
#' The coefficients of the trend are integrated out: their posterior is normal, given kernel, noise and the
#' other parameters as they are. The constant is the trend at the mean of the columns. A slope shares what the
#' data say with the kernels of the same column: next to `gp(x)` the slope of `trend(x)` is far less certain
#' than in [lm()], and so is the constant next to any other term. The slope of the whole function at a place
#' is `predict(gp, newdata, deriv = "x", interval = "confidence")`.
#'
#' `anova()` does not exist for a stream, and says why.
#'
#' @param object A model made by [streaming_gp()] that has learned the coefficients of a trend: one with
#'   [trend()][formula-terms] in its formula, or with `mean = "linear"` or `"constant"`.
#' @param parm The coefficients, by name or number. By default all of them.
#' @param level Probability of the intervals.
#' @param ... Not used.
#' @return `vcov()`: a matrix, with the names that `coef()` has. `confint()`: a matrix with the lower and the
#'   upper limit of each coefficient. Coefficients of several outputs have its name behind.
#' @seealso [predict.StreamingGP()] with `deriv`, [components()], [tidy]
#' @examples
#' gp <- streaming_gp(mpg ~ trend(wt, walk = FALSE) + trend(hp, walk = FALSE), mtcars)
#' vcov(gp)
#' confint(gp)
#' confint(lm(mpg ~ wt + hp, mtcars))
#' @name vcov
NULL

#' @rdname vcov
#' @export
vcov.StreamingGP <- function(object, ...) {
  check_no_dots(...)
  names <- output_names(object)
  if (is.null(names)) return(trend_covariance(object))
  each <- each_output(object, trend_covariance)
  own <- lapply(names(each), function(name) paste0(colnames(each[[name]]), ".", name))
  out <- matrix(0, sum(lengths(own)), sum(lengths(own)), dimnames = list(unlist(own), unlist(own)))
  for (i in seq_along(each)) out[own[[i]], own[[i]]] <- each[[i]]
  order <- intersect(names(coef.StreamingGP(object)), colnames(out))
  out[order, order, drop = FALSE]
}

# Of coefficients that are integrated out; the others are known.
trend_covariance <- function(gp) {
  if (likelihood_of(gp)$name == "categorical") {
    abort("likelihood", "vcov() is for one latent function; each class has one of its own.")
  }
  if (!is_started(gp) || !has_trend(gp_info(gp))) {
    abort("input", "the model has no coefficients of a trend with a posterior. Write a trend into the ",
      "formula, y ~ trend(x), or take predict(gp, newdata, deriv = \"x\", interval = \"confidence\").")
  }
  trend <- core_gp_trend(gp_handle(gp))
  unit <- c(1, trend$scale)
  names <- trend_coefficients(trend, state_of(gp)$frame)
  cov <- matrix(trend$cov, length(unit)) / outer(unit, unit)
  open <- which(trend$variance > 0 & seq_along(unit) <= length(names))
  `dimnames<-`(cov[open, open, drop = FALSE], list(names[open], names[open]))
}

# The slopes that were asked for, as coef() names them.
trend_coefficients <- function(trend, frame) {
  slopes <- utils::head(trend$columns, trend$asked)
  if (!is.null(frame$names)) slopes <- frame$names[slopes]
  c("mean", if (length(slopes) > 0) paste0("slope.", slopes))
}

#' @rdname vcov
#' @export
confint.StreamingGP <- function(object, parm, level = 0.95, ...) {
  check_no_dots(...)
  level <- check_fraction(level, "level")
  cov <- vcov.StreamingGP(object)
  known <- colnames(cov)
  if (missing(parm)) parm <- known
  chosen <- match(parm, if (is.character(parm)) known else seq_along(known))
  if (length(chosen) == 0 || anyNA(chosen)) {
    abort("parameter", "`parm` must be some of ", quoted(known), ", or their numbers, not ",
      if (is.character(parm)) quoted(parm) else describe(parm), ". ",
      "Other parameters are estimated without an interval.")
  }
  ends <- c((1 - level) / 2, (1 + level) / 2)
  out <- coef.StreamingGP(object)[known[chosen]] + outer(sqrt(diag(cov))[chosen], stats::qnorm(ends))
  dimnames(out) <- list(known[chosen], paste(format(100 * ends, trim = TRUE, digits = 3), "%"))
  out
}

#' @rdname vcov
#' @export
anova.StreamingGP <- function(object, ...) {
  abort("input", "a stream has no analysis of variance: its data are gone. Compare models by ",
    "evaluate(list(a = , b = ), data), and terms by importance(gp, by = \"term\").")
}
