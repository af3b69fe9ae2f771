#' Baselines for an evaluation
#'
#' Simple models to set beside a Gaussian process in [evaluate()], which says how to write one of your own.
#'
#' `baseline_mean()` predicts the mean and the standard deviation of all outputs so far, once there are two.
#' `baseline_refit()` keeps the newest rows and fits a model to them after each batch:
#' `fit = function(data) lm(y ~ x, data)`, or [stats::loess()], or anything with a `predict()` method. Where
#' that method knows standard errors (`se.fit = TRUE`), these and the residual standard deviation make up that
#' of a prediction. A model with a link function, of class `"glm"` or `"gam"`, is asked for the mean of the
#' response (`type = "response"`); about it an observation varies as the family says, by the dispersion times
#' the variance function.
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

# Of a model with a link function (glm(), gam() and what is made of them) the mean of the response.
refit_prediction <- function(model, data) {
  ask <- function(...) stats::predict(model, data, ...)
  if (has_link(model)) ask <- function(...) stats::predict(model, data, type = "response", ...)
  # some methods ignore the argument or do not have it
  value <- tryCatch(ask(se.fit = TRUE), error = function(e) ask())
  if (!is.list(value) || is.null(value$fit)) return(as.vector(value))
  fit <- as.vector(value$fit)
  sd <- sqrt(as.vector(value$se.fit)^2 + refit_variance(model, value, fit))
  # as many rows as parameters: not fitted yet
  list(mean = ifelse(is.nan(sd), NA_real_, fit), sd = sd)
}

has_link <- function(model) inherits(model, c("glm", "gam"))

# Of an observation about its mean: where there is a family, the dispersion times its variance function.
refit_variance <- function(model, value, fit) {
  if (has_link(model)) {
    family <- tryCatch(stats::family(model), error = function(e) NULL)
    if (is.function(family$variance)) return(family_dispersion(model, family) * family$variance(fit))
    return(NA_real_)
  }
  if (!is.null(value$residual.scale)) return(value$residual.scale^2)
  tryCatch(stats::sigma(model), error = function(e) NA_real_)^2
}

# 1 where the family fixes it, otherwise as summary() estimates it; unknown without a residual to spare.
family_dispersion <- function(model, family) {
  if (family$family %in% c("poisson", "binomial") || startsWith(family$family, "Negative Binomial")) return(1)
  if (is.numeric(model$sig2) && length(model$sig2) == 1) return(model$sig2) # of mgcv
  rest <- stats::df.residual(model)
  if (rest > 0) sum(stats::residuals(model, "pearson")^2) / rest else NaN
}
