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
#' @param newdata Where to predict: for a model with a formula a data frame, otherwise a vector (one column),
#'   matrix or data frame. Columns are matched by name where both sides have names. A row with a
#'   missing value gives `NA`.
#' @param se.fit Also give the standard deviation of the latent function?
#' @param interval `"confidence"` for an interval of the latent function or, with another likelihood than the
#'   Gaussian and `type = "response"`, of what is expected of an observation; `"prediction"` for one of a new
#'   observation. Probabilities of classes have none. Where a count or an amount can be larger than numbers
#'   are, limits and means are `Inf`.
#' @param level Probability of the intervals.
#' @param type `"response"`, what is expected of an observation (for [likelihood_ordinal()] and
#'   [likelihood_categorical()] a matrix of probabilities, a column a class); `"latent"`, the latent function,
#'   the same for Gaussian noise (where there are several, a matrix with a column each); `"class"`, the most
#'   probable class.
#' @param cov Also give the joint covariance of the latent function at all rows?
#' @param ... Not used; an argument that is not known is an error.
#' @param deriv `NULL`, or an input column, by name or number: predict the slope of the latent function along
#'   it instead, see *Slopes* below.
#'
#' @return A numeric vector; with `interval`, a matrix with columns `fit`, `lwr` and `upr`. With `se.fit` or
#'   `cov`, a list with `fit` (one of these), `se.fit`, `residual.scale` (the standard deviation of the noise;
#'   for [likelihood_heteroscedastic()] one a row) and, where asked for, `cov`. Row names of `newdata` are
#'   kept. Before any data the prediction is the prior. Of several outputs, a matrix with a column each; with
#'   `interval` an array (row; `fit`, `lwr`, `upr`; output), `se.fit` a matrix, `residual.scale` a vector with
#'   their names and `cov` an array with a matrix each.
#' @section Slopes:
#' `deriv = "x1"` gives the derivative of the latent function by that column: exactly that of the predicted
#' mean, with the standard deviation (`se.fit`), confidence intervals and joint covariance (`cov`) that the
#' posterior has of it, trend and all terms included; no differences are taken. `type` does not matter, but
#' for `"class"`, which is refused, as are prediction intervals: a slope is not observed. There is no
#' `residual.scale` then.
#'
#' With a formula the column is a variable that enters as it is, or a column such as `"log(x)"`, for the slope
#' by that; refused are factors, variables that are in several columns (`x + I(x^2)`, `a * b`), and variables
#' that enter transformed only. Of a time it is the slope per unit in which the model counts it, which
#' `print()` tells. Functions of some kernels have no slope: Matern 1/2, Brownian motion, and factors along
#' their own columns; that is an error. Where the lengthscale or amplitude of a kernel varies, the slope at a
#' knot is the one to its right.
#'
#' @seealso [importance()], [expected_improvement()], [components()]
#' @examples
#' gp <- streaming_gp(kernel = kernel_se(lengthscale = 2), noise = 4)
#' gp$update(cars$speed, cars$dist)
#' predict(gp, c(5, 10, 15))
#' predict(gp, c(5, 10, 15), interval = "prediction", level = 0.9)
#' predict(gp, c(5, 10, 15), se.fit = TRUE)
#' predict(gp, c(5, 10, 15), deriv = 1, interval = "confidence") # how much longer by each mph
#' @export
predict.StreamingGP <- function(object, newdata, se.fit = FALSE,
                                interval = c("none", "confidence", "prediction"), level = 0.95,
                                type = c("response", "latent", "class"), cov = FALSE, ..., deriv = NULL) {
  check_no_dots(...)
  if (missing(newdata)) {
    abort("input", "`newdata` is missing: the data the model has seen are gone, so say where to predict.")
  }
  check_flag(se.fit, "se.fit")
  check_flag(cov, "cov")
  interval <- check_choice(interval, c("none", "confidence", "prediction"), "interval")
  level <- check_fraction(level, "level")

  if (!is.null(output_names(object))) {
    return(predict_outputs(object, newdata, se.fit, interval, level, check_type(type, object), cov, deriv))
  }
  if (!is_started(object) && from_one(likelihood_of(object)$name)) {
    abort("input", "there is nothing to predict yet: the first batch says which classes there are.")
  }
  type <- check_type(type, object)
  if (!is.null(deriv)) {
    if (type == "class") abort("parameter", "`type` = \"class\" is not for `deriv`: classes have no slope.")
    return(predict_slope(object, newdata, deriv, se.fit, interval, level, cov))
  }
  reader <- prediction_model(object, newdata)
  rows <- complete_rows(reader$x, reader$offset)
  spread <- se.fit || cov || interval != "none"
  several <- latents(likelihood_now(object)) > 1
  if (!spread && !several && (type == "latent" || is_gaussian(object))) {
    mean <- core_gp_predict(reader$handle, rows$x, FALSE)$mean
    return(rows$fill(if (is.null(rows$offset)) mean else mean + rows$offset))
  }
  new <- predictive_at(reader$handle, rows$x, offset = rows$offset)
  if (type == "class") return(predicted_class(new, rows, gp_frame(object)$classes))
  if (several && (type == "latent" || (cov && new$likelihood$name == "categorical"))) {
    return(predicted_functions(new, rows, se.fit, gp_frame(object)$classes, cov || interval != "none"))
  }
  chances <- from_one(new$likelihood$name) && type == "response"
  if (chances && interval != "none") {
    abort("parameter", "`interval` must be \"none\" for classes, not \"", interval, "\". ",
      "Read how uncertain the class is from the probabilities.")
  }
  fit <- if (chances) {
    rows$fill_rows(class_probabilities(new, gp_frame(object)$classes))
  } else {
    rows$fill(if (type == "latent") new$mean else predictive_fit(new))
  }
  if (interval != "none") {
    limits <- predicted_limits(new, type, interval, level)
    fit <- cbind(fit = fit, lwr = rows$fill(limits[, "lwr"]), upr = rows$fill(limits[, "upr"]))
    rownames(fit) <- rows$names
  }
  if (!se.fit && !cov) return(fit)
  if (new$likelihood$name == "categorical") {
    return(list(fit = fit, se.fit = rows$fill_rows(`colnames<-`(sqrt(new$variance), colnames(fit)))))
  }
  se <- sqrt(predictive_latent(new)$variance)
  out <- list(fit = fit, se.fit = rows$fill(se), residual.scale = rows$fill_scale(residual_scale(new)))
  if (cov) out$cov <- rows$fill_matrix(core_gp_covariance(reader$handle, rows$x))
  out
}

check_type <- function(type, gp) {
  if (identical(type, "terms")) {
    abort("parameter", "`type` must not be \"terms\"; components(gp, newdata) gives what each term adds.")
  }
  type <- check_choice(type, c("response", "latent", "class"), "type")
  if (type != "class" || likelihood_of(gp)$name %in% class_likelihoods) return(type)
  abort("parameter", "`type` = \"class\" is for classes; this model has ", format(likelihood_of(gp)), ".")
}

class_likelihoods <- c("bernoulli", "probit", "binomial", "ordinal", "categorical")

# Several latent functions, a column each.
predicted_functions <- function(new, rows, se.fit, classes, more) {
  if (new$likelihood$name == "heteroscedastic") new$mean[, 2] <- new$mean[, 2] + log(new$dispersion)
  names <- function_names(new$likelihood, classes)
  function_columns(new$mean, new$variance, rows, se.fit, names, more)
}

function_names <- function(likelihood, classes) {
  if (likelihood$name == "heteroscedastic") c("f", "log_variance") else classes
}

function_columns <- function(mean, variance, rows, se.fit, names, more) {
  if (more) {
    abort("parameter", "`interval` and `cov` are for one latent function; this model has ", length(names),
      ", for which there is `se.fit`.")
  }
  fit <- rows$fill_rows(`colnames<-`(mean, names))
  if (!se.fit) return(fit)
  list(fit = fit, se.fit = rows$fill_rows(`colnames<-`(sqrt(variance), names)))
}

# The standard deviation of the noise: one number or, where it varies, one a row.
residual_scale <- function(new) {
  if (new$likelihood$name != "heteroscedastic") return(sqrt(new$dispersion))
  sqrt(new$dispersion * exp(new$mean[, 2] + new$variance[, 2] / 2))
}

# Of new observations; or of what is expected of them, which rises (or falls) with the latent function; or of
# that one.
predicted_limits <- function(new, type, interval, level) {
  if (type == "response" && interval == "prediction") return(predictive_interval(new, level))
  limits <- predictive_interval(predictive_latent(new), level)
  if (type == "latent" || new$likelihood$name %in% c("gaussian", "heteroscedastic")) return(limits)
  ends <- list(predictive_expected(new, limits[, "lwr"]), predictive_expected(new, limits[, "upr"]))
  cbind(lwr = pmin(ends[[1]], ends[[2]]), upr = pmax(ends[[1]], ends[[2]]))
}

class_probabilities <- function(new, classes) {
  out <- predictive_classes(new)
  dimnames(out) <- list(NULL, classes)
  out
}

# The most probable class: a factor where there are names for them.
predicted_class <- function(new, rows, classes) {
  if (from_one(new$likelihood$name)) {
    best <- max.col(class_probabilities(new, classes), "first")
    return(factor(rows$fill(classes[best]), classes, ordered = new$likelihood$name == "ordinal"))
  }
  second <- predictive_mean(new) > 0.5
  if (is.null(classes)) rows$fill(as.double(second)) else factor(rows$fill(classes[second + 1]), classes)
}

# The inputs as the model reads them, and the model; before the first row, a model that has seen nothing.
prediction_model <- function(gp, newdata, arg = "newdata") {
  formula <- spec_of(gp)$formula
  if (is_started(gp)) {
    handle <- gp_handle(gp)
    frame <- gp_frame(gp)
    if (is.null(formula)) return(list(x = later_input(newdata, frame, arg), handle = handle))
    return(c(formula_batch(frame, as_data(newdata, arg), arg)[c("x", "offset")], list(handle = handle)))
  }
  spec <- gp_spec(gp)
  input <- if (is.null(formula)) {
    first <- first_input(newdata, arg)
    list(x = first$x, times = first$frame$times)
  } else {
    prior_input(spec$formula, as_data(newdata, arg), arg)
  }
  spec$select <- selector_for(spec$select, colnames(input$x))
  check_fixed_columns(spec$select, input$x)
  none <- numeric()
  frame <- c(input$frame, input_frame(input$x), list(times = input$times))
  spec <- trend_wishes(formula_wishes(spec, frame), frame)
  spec["kernel"] <- list(kernel_for(spec$kernel, frame))
  spec$likelihood <- likelihood_wish(likelihood_of(gp), list(classes = c("1", "2")))
  handle <- core_gp_new(spec, input$x[0, , drop = FALSE], none, none, none)
  c(input[names(input) != "frame"], list(handle = handle, frame = frame))
}

# Before the first batch the terms are those of the new data themselves; the response need not be among them.
prior_input <- function(formula, data, arg) {
  inputs <- stats::delete.response(as_input_error(stats::terms(formula, data = data), arg))
  frame <- formula_frame(inputs, data, arg)
  c(formula_batch(frame, data, arg)[c("x", "offset")], list(frame = frame, times = frame$times))
}

# Rows without missing values, and how to put the answers back in place.
complete_rows <- function(x, offset = NULL, arg = "newdata") {
  names <- rownames(x)
  missing <- rowSums(is.na(x)) > 0
  if (!is.null(offset)) missing <- missing | is.na(offset)
  check_finite(x[!missing, , drop = FALSE], arg)
  list(
    x = if (any(missing)) x[!missing, , drop = FALSE] else x,
    offset = offset[!missing],
    names = names,
    fill = function(values) {
      out <- rep(values[NA_integer_], length(missing))
      out[!missing] <- values
      stats::setNames(out, names)
    },
    fill_scale = function(values) {
      if (length(values) == 1) values else replace(rep(NA_real_, length(missing)), !missing, values)
    },
    fill_rows = function(values) {
      out <- matrix(NA_real_, length(missing), ncol(values), dimnames = list(names, colnames(values)))
      out[!missing, ] <- values
      out
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
