#' Baselines for an evaluation
#'
#' Simple models to set beside a Gaussian process in [evaluate()], which says how to write one of your own.
#'
#' `baseline_mean()` predicts the mean and the standard deviation of all outputs so far, once there are two.
#' `baseline_refit()` keeps the newest rows and fits a model to them after each batch:
#' `fit = function(data) lm(y ~ x, data)`, or [stats::loess()], or anything with a `predict()` method. Where
#' that method knows standard errors (`se.fit = TRUE`), these and the residual standard deviation make up that
#' of a prediction.
#'
#' @param fit A function that takes a data frame and returns a fitted model. The data frame has the columns of
#'   the source; from a source of `x` and `y` without a formula, the columns of `x` (`x`, or `x1`, `x2`, ...
#'   where they have no names), and `y`.
#' @param rows How many of the newest rows to keep. `Inf` for all of them.
#' @return A list of two functions, `predict(x)` and `update(x, y)`, which share what they have learned.
#' @examples
#' stream <- data.frame(x = 1:100, y = sqrt(1:100) + rnorm(100))
#' line <- baseline_refit(function(data) lm(y ~ x, data), rows = 50)
#' models <- list(mean = baseline_mean(), line = line, gp = streaming_gp(y ~ x))
#' evaluate(models, stream, batch_size = 10)
#' @name baselines
NULL

#' @rdname baselines
#' @export
baseline_mean <- function() {
  n <- average <- squared <- 0 # Welford's sums, by batches
  list(
    predict = function(x) {
      known <- if (n > 1) c(average, sqrt(squared / (n - 1))) else c(NA_real_, NA_real_)
      list(mean = rep(known[1], nrow(x)), sd = rep(known[2], nrow(x)))
    },
    update = function(x, y) {
      total <- n + length(y)
      apart <- mean(y) - average
      squared <<- squared + sum((y - mean(y))^2) + apart^2 * n * length(y) / total
      average <<- average + apart * length(y) / total
      n <<- total
    }
  )
}

#' @rdname baselines
#' @export
baseline_refit <- function(fit, rows = 1000) {
  if (!is.function(fit)) abort("type", "`fit` must be a function of a data frame, not ", describe(fit), ".")
  rows <- check_count(rows, "rows", 1)
  kept <- model <- NULL
  list(
    predict = function(x) {
      if (is.null(model)) rep(NA_real_, nrow(x)) else refit_prediction(model, baseline_frame(x))
    },
    update = function(x, y) {
      kept <<- utils::tail(rbind(kept, baseline_frame(x, y)), rows)
      model <<- fit(kept)
    }
  )
}

baseline_frame <- function(x, y = NULL) {
  if (is.data.frame(x)) return(as.data.frame(x))
  names <- colnames(x)
  if (is.null(names)) names <- if (ncol(x) == 1) "x" else paste0("x", seq_len(ncol(x)))
  frame <- stats::setNames(as.data.frame(unname(x)), names)
  if (!is.null(y)) frame$y <- y
  frame
}

# Standard errors where the method gives them; some methods ignore the argument or do not have it.
refit_prediction <- function(model, data) {
  value <- tryCatch(stats::predict(model, data, se.fit = TRUE), error = function(e) {
    stats::predict(model, data)
  })
  if (!is.list(value) || is.null(value$fit)) return(as.vector(value))
  scale <- if (is.null(value$residual.scale)) {
    tryCatch(stats::sigma(model), error = function(e) NA_real_)
  } else {
    value$residual.scale
  }
  sd <- sqrt(as.vector(value$se.fit)^2 + scale^2)
  # as many rows as parameters: not fitted yet
  list(mean = ifelse(is.nan(sd), NA_real_, as.vector(value$fit)), sd = sd)
}
