#' Predictions of a streaming Gaussian process
#'
#' Follows [stats::predict.lm()]: a numeric vector by default, a matrix with intervals, a list with standard
#' errors.
#'
#' Long inputs are worked through in blocks, so memory does not grow with the number of rows times the number
#' of inducing points. Without standard errors, intervals or covariances the cost of a row is proportional to
#' the number of inducing points, otherwise to its square.
#'
#' Prediction intervals of a model that goes on learning are corrected by what such intervals missed so far
#' (`gp$calibration`; *Intervals* in [streaming_gp()]): they are then not `fit` plus or minus a quantile times
#' the standard deviation of an observation, but a factor as wide. A model made with `calibrate = FALSE`
#' leaves them as they are. Confidence intervals and `se.fit` are always the model's own.
#'
#' @param object A model made by [streaming_gp()].
#' @param newdata Where to predict: for a model with a formula a data frame, otherwise a numeric vector (one
#'   column), matrix or data frame. Columns are matched by name where both sides have names. A row with a
#'   missing value gives `NA`.
#' @param se.fit Also give the standard deviation of the latent function?
#' @param interval `"confidence"` for an interval of the latent function, `"prediction"` for one of a new
#'   observation.
#' @param level Probability of the intervals.
#' @param type `"response"` or `"latent"`: the same for Gaussian noise.
#' @param cov Also give the joint covariance of the latent function at all rows?
#' @param ... Not used.
#'
#' @return A numeric vector; with `interval`, a matrix with columns `fit`, `lwr` and `upr`. With `se.fit` or
#'   `cov`, a list with `fit` (one of these), `se.fit`, `residual.scale` (the standard deviation of the noise)
#'   and, where asked for, `cov`. Row names of `newdata` are kept. Before any data the prediction is the
#'   prior.
#' @examples
#' gp <- streaming_gp(kernel = kernel_se(lengthscale = 2), noise = 4)
#' gp$update(cars$speed, cars$dist)
#' predict(gp, c(5, 10, 15))
#' predict(gp, c(5, 10, 15), interval = "prediction", level = 0.9)
#' predict(gp, c(5, 10, 15), se.fit = TRUE)
#' @export
predict.StreamingGP <- function(object, newdata, se.fit = FALSE,
                                interval = c("none", "confidence", "prediction"), level = 0.95,
                                type = c("response", "latent"), cov = FALSE, ...) {
  check_no_dots(...)
  if (missing(newdata)) {
    abort("input", "`newdata` is missing: the data the model has seen are gone, so say where to predict.")
  }
  check_flag(se.fit, "se.fit")
  check_flag(cov, "cov")
  interval <- check_choice(interval, c("none", "confidence", "prediction"), "interval")
  check_choice(type, c("response", "latent"), "type")
  level <- check_fraction(level, "level")

  reader <- prediction_model(object, newdata)
  rows <- complete_rows(reader$x)
  x <- rows$x
  spread <- se.fit || cov || interval != "none"
  if (!spread) return(rows$fill(core_gp_predict(reader$handle, x, FALSE)$mean))
  new <- predictive_at(reader$handle, x)
  fit <- rows$fill(predictive_mean(new))
  if (interval != "none") {
    limits <- predictive_interval(if (interval == "prediction") new else predictive_latent(new), level)
    fit <- cbind(fit = fit, lwr = rows$fill(limits[, "lwr"]), upr = rows$fill(limits[, "upr"]))
    rownames(fit) <- rows$names
  }
  if (!se.fit && !cov) return(fit)
  out <- list(fit = fit, se.fit = rows$fill(sqrt(new$variance)), residual.scale = sqrt(new$dispersion))
  if (cov) out$cov <- rows$fill_matrix(core_gp_covariance(reader$handle, x))
  out
}

# The inputs as the model reads them, and the model; before the first row, a model that has seen nothing.
prediction_model <- function(gp, newdata, arg = "newdata") {
  formula <- spec_of(gp)$formula
  if (is_started(gp)) {
    handle <- gp_handle(gp)
    frame <- gp_frame(gp)
    x <- if (is.null(formula)) {
      later_input(newdata, frame, arg)
    } else {
      formula_batch(frame, as_data(newdata, arg), arg, response = FALSE)$x
    }
    return(list(x = x, handle = handle))
  }
  spec <- gp_spec(gp)
  x <- if (is.null(formula)) as_input(newdata, arg) else prior_input(spec$formula, as_data(newdata, arg), arg)
  check_fixed_columns(spec$select, x)
  list(x = x, handle = core_gp_new(spec, x[0, , drop = FALSE], numeric()))
}

# Before the first batch the terms are those of the new data themselves; the response need not be among them.
prior_input <- function(formula, data, arg) {
  inputs <- stats::delete.response(as_input_error(stats::terms(formula, data = data), arg))
  formula_batch(formula_frame(inputs, data, arg), data, arg, response = FALSE)$x
}

# Rows without missing values, and how to put the answers back in place.
complete_rows <- function(x) {
  names <- rownames(x)
  missing <- rowSums(is.na(x)) > 0
  check_finite(x[!missing, , drop = FALSE], "newdata")
  list(
    x = if (any(missing)) x[!missing, , drop = FALSE] else x,
    names = names,
    fill = function(values) {
      out <- rep(NA_real_, length(missing))
      out[!missing] <- values
      stats::setNames(out, names)
    },
    fill_matrix = function(values) {
      out <- matrix(
        NA_real_, length(missing), length(missing), dimnames = if (!is.null(names)) list(names, names)
      )
      out[!missing, !missing] <- values
      out
    }
  )
}
