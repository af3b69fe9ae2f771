#' Models and evaluations as data frames
#'
#' Methods for the generics of the package generics, which broom and tidymodels use: load one of these, or
#' call `generics::tidy(gp)`.
#'
#' @param x A model made by [streaming_gp()], or an evaluation made by [evaluate()].
#' @param newdata Where to predict, as in [predict.StreamingGP()].
#' @param interval Which interval `.lower` and `.upper` are: `"prediction"` (of an observation),
#'   `"confidence"` (of the function), or `"none"`.
#' @param level Probability of the interval.
#' @param y,... For `generics::evaluate()`: the source, and further arguments of [evaluate()]. Not used
#'   otherwise.
#' @return Plain data frames; `augment()` of a tibble gives a tibble.
#' \describe{
#'   \item{`tidy()`}{of a model, one row a parameter: `term` and `estimate`, as from [coef()], `std.error`,
#'     that of the constant and the slopes of a trend ([vcov()][vcov.StreamingGP]; `NA` for others), and
#'     `likelihood`, the name of the likelihood, whose own terms begin with `likelihood.`. Of an
#'     evaluation, one row a model: `x$overall`.}
#'   \item{`glance()`}{of a model, one row: `nobs`, `points`, `batches`, `sigma` (the standard deviation of
#'     the noise; `NA` where several outputs have one each), `objective`, `likelihood` and its parameters in
#'     words, and of what was scored before it was learned (see `gp$history`) `scored`, `rmse`, `log_score`,
#'     `coverage` and, of classes, `accuracy` and `brier`.}
#'   \item{`augment()`}{the rows of `newdata` with `.fitted`, `.se.fit` (of the function), `.lower`, `.upper`
#'     and, where the response is among the columns, `.resid`: of two classes from 0 or 1, of trials from
#'     the share of successes, `NA` where a value is only known to be beyond a limit. Of ordered classes
#'     `.fitted` is the most probable one, `.probability.` and a level are the probabilities, `.lower` and
#'     `.upper` are there for observations only, and there is no `.resid`. Of several outputs each has columns
#'     of its own, `.fitted.u`, ....}
#' }
#' @examplesIf requireNamespace("generics", quietly = TRUE)
#' gp <- streaming_gp(dist ~ speed, data = cars, kernel = kernel_se(lengthscale = 8))
#' generics::tidy(gp)
#' generics::glance(gp)
#' head(generics::augment(gp, cars))
#' @name tidy
NULL

#' @rdname tidy
#' @exportS3Method generics::tidy
tidy.StreamingGP <- function(x, ...) {
  check_no_dots(...)
  values <- coef.StreamingGP(x)
  error <- rep(NA_real_, length(values))
  if (is_started(x) && likelihood_of(x)$name != "categorical" && has_trend(gp_info(x))) {
    variance <- diag(vcov.StreamingGP(x))
    error[match(names(variance), names(values))] <- sqrt(variance)
  }
  data.frame(
    term = names(values), estimate = unname(values), std.error = error, likelihood = likelihood_of(x)$name
  )
}

#' @rdname tidy
#' @exportS3Method generics::glance
glance.StreamingGP <- function(x, ...) {
  check_no_dots(...)
  info <- gp_info(x)
  history <- gp_history(x)
  history <- history[history$scored > 0, ]
  n <- sum(history$scored)
  over <- function(means) if (n > 0) sum(history$scored * means) / n else NA_real_
  sigma <- sigma.StreamingGP(x)
  data.frame(
    nobs = info$nobs, points = info$size, batches = info$batches,
    sigma = if (length(sigma) == 1) sigma else NA_real_, # several outputs have one each
    objective = gp_objective(x), likelihood = format_likelihood(likelihood_now(x)), scored = n,
    rmse = sqrt(over(history$rmse^2)), log_score = over(history$log_score), coverage = over(history$coverage),
    accuracy = over(history$accuracy), brier = over(history$brier)
  )
}

#' @rdname tidy
#' @exportS3Method generics::augment
augment.StreamingGP <- function(x, newdata, interval = c("prediction", "confidence", "none"), level = 0.95,
                                ...) {
  check_no_dots(...)
  if (missing(newdata)) {
    abort("input", "`newdata` is missing: the data the model has seen are gone, so say where to predict.")
  }
  interval <- check_choice(interval, c("prediction", "confidence", "none"), "interval")
  level <- check_fraction(level, "level")
  out <- augment_rows(x, newdata, interval, level)
  if (inherits(newdata, "tbl_df")) class(out) <- c("tbl_df", "tbl", "data.frame")
  out
}

augment_rows <- function(x, newdata, interval, level) {
  out <- augmented_rows(x, newdata)
  if (!is.null(output_names(x))) return(augment_outputs(x, out, newdata, interval, level))
  if (from_one(likelihood_of(x)$name)) return(augment_classes(x, newdata, out, interval, level))
  predicted <- predict.StreamingGP(x, newdata, se.fit = TRUE, interval = interval, level = level)
  fit <- predicted$fit
  out$.fitted <- unname(if (interval == "none") fit else fit[, "fit"])
  out$.se.fit <- unname(predicted$se.fit)
  if (interval != "none") {
    out$.lower <- unname(fit[, "lwr"])
    out$.upper <- unname(fit[, "upr"])
  }
  formula <- spec_of(x)$formula
  if (!is.null(formula) && all(all.vars(formula[[2]]) %in% names(out))) {
    seen <- formula_output(formula, out, likelihood_of(x), known_classes(x))
    out$.resid <- observed_value(seen, likelihood_of(x)$name) - out$.fitted
  }
  out
}

# A column for each output, with its name behind.
augment_outputs <- function(gp, out, newdata, interval, level) {
  each <- each_output(gp, augment_rows, newdata, interval, level)
  for (name in names(each)) {
    new <- each[[name]][intersect(c(".fitted", ".se.fit", ".lower", ".upper", ".resid"), names(each[[name]]))]
    out[paste0(names(new), ".", name)] <- new
  }
  out
}

# What was observed, as what is expected is told.
observed_value <- function(seen, name) {
  switch(name,
    binomial = seen$y / seen$more, weibull = ifelse(seen$more == 1, seen$y, NA),
    tobit = ifelse(seen$more == 0, seen$y, NA), seen$y
  )
}

augment_classes <- function(gp, newdata, out, interval, level) {
  out$.fitted <- unname(predict.StreamingGP(gp, newdata, type = "class"))
  predicted <- predict.StreamingGP(gp, newdata, se.fit = TRUE)
  classes <- colnames(predicted$fit)
  out[paste0(".probability.", classes)] <- unname(predicted$fit)
  if (likelihood_of(gp)$name == "categorical") return(out)
  out$.se.fit <- unname(predicted$se.fit)
  if (interval != "prediction") return(out)
  # the first class with at least that probability not to be exceeded
  below <- t(apply(predicted$fit, 1, cumsum))
  quantile <- function(p) factor(classes[1 + rowSums(below < p - 1e-12)], classes, ordered = TRUE)
  out$.lower <- quantile((1 - level) / 2)
  out$.upper <- quantile((1 + level) / 2)
  out
}

# A data frame stays what it is; other inputs get the names that plots give their columns.
augmented_rows <- function(gp, newdata) {
  if (is.data.frame(newdata)) return(as.data.frame(newdata))
  time <- if (is.null(dim(newdata))) as_time(newdata)
  rows <- if (is.null(time)) as.data.frame(as_input(newdata, "newdata")) else data.frame(x = time)
  if (is.null(colnames(newdata))) {
    names(rows) <- if (is_started(gp)) {
      column_names(gp)
    } else if (ncol(rows) == 1) {
      "x"
    } else {
      paste0("x", seq_along(rows))
    }
  }
  rows
}

#' @rdname tidy
#' @exportS3Method generics::tidy
tidy.gpstream_evaluation <- function(x, ...) {
  check_no_dots(...)
  x$overall
}

# Other packages export evaluate(), too: generics::evaluate() of a model is ours.
#' @rdname tidy
#' @exportS3Method generics::evaluate
evaluate.StreamingGP <- function(x, y, ...) evaluate(x, y, ...)
