# parsnip: the model specification gaussian_process(), with the engine "gpstream".

#' Gaussian processes for tidymodels
#'
#' `gaussian_process()` is a model specification for the package parsnip, with the engine `"gpstream"`: it can
#' be fitted by itself or in a workflow, and `rho` can be tuned. For numbers (mode `"regression"`) there are
#' predictions of type `"numeric"`, `"conf_int"`, `"pred_int"` and `"raw"`; for classes (mode
#' `"classification"`: two, several, or ordered ones) `"class"`, `"prob"` and `"raw"`.
#'
#' The fit goes through the rows in their order. What is in it is a [streaming_gp()]:
#' `parsnip::extract_fit_engine()` gives it, to be updated with rows that come later.
#'
#' @param mode `"regression"` or `"classification"`.
#' @param engine `"gpstream"`; its further arguments, given to `parsnip::set_engine()`, are those of
#'   [streaming_gp()].
#' @param rho How alike a row and a point may be, for the row not to become a point: see [select_oips()].
#'   `NULL` leaves it to the model.
#' @param range The lowest and the highest `rho` that is tried.
#' @param formula,data,weights,... What parsnip gives to the engine, and arguments of [streaming_gp()].
#' @return `gaussian_process()`: a model specification. `tune_rho()`: a parameter of the package dials.
#'   `fit_gaussian_process()`, which is for parsnip to call: a `StreamingGP`.
#' @examplesIf requireNamespace("parsnip", quietly = TRUE)
#' spec <- gaussian_process("regression", rho = 0.8)
#' fitted <- parsnip::fit(spec, dist ~ speed, data = cars)
#' predict(fitted, data.frame(speed = 10:12), type = "pred_int")
#' @seealso [neighbours]
#' @export
gaussian_process <- function(mode = "unknown", engine = "gpstream", rho = NULL) {
  need_package("parsnip", "has model specifications")
  parsnip::new_model_spec(
    "gaussian_process", args = list(rho = rlang::enquo(rho)), eng_args = NULL, mode = mode,
    user_specified_mode = !missing(mode), method = NULL, engine = engine,
    user_specified_engine = !missing(engine)
  )
}

#' @export
update.gaussian_process <- function(object, parameters = NULL, rho = NULL, fresh = FALSE, ...) {
  parsnip::update_spec(
    object, parameters = parameters, args_enquo_list = list(rho = rlang::enquo(rho)), fresh = fresh,
    cls = "gaussian_process", ...
  )
}

#' @rdname gaussian_process
#' @export
tune_rho <- function(range = c(0.5, 0.95)) {
  need_package("dials", "has parameters to be tuned")
  dials::new_quant_param(
    "double", range = range, inclusive = c(TRUE, TRUE), label = c(rho = "Correlation of Points")
  )
}

# Classes have a likelihood by themselves.
#' @rdname gaussian_process
#' @export
fit_gaussian_process <- function(formula, data, weights = NULL, rho = NULL, ...) {
  given <- list(...)
  if (!is.null(rho)) given$select <- select_oips(rho = rho)
  y <- eval(formula[[2]], data, environment(formula))
  if (is.factor(y) && is.null(given$likelihood) && is.null(given$family)) {
    given$likelihood <- if (is.ordered(y) && nlevels(y) > 2) {
      likelihood_ordinal()
    } else if (nlevels(y) > 2) {
      likelihood_categorical()
    } else {
      likelihood_bernoulli()
    }
  }
  gp <- do.call(streaming_gp, c(list(formula), given), quote = TRUE)
  gp$update(data, weights = if (!is.null(weights)) as.double(weights))
}

# Told to parsnip when both are there.
register_parsnip <- function(...) {
  if ("gpstream" %in% parsnip::get_model_env()$gaussian_process$engine) return(invisible())
  name <- "gaussian_process"
  if (!name %in% parsnip::get_model_env()$models) parsnip::set_new_model(name)
  for (mode in names(parsnip_types)) {
    parsnip::set_model_mode(name, mode)
    parsnip::set_model_engine(name, mode, "gpstream")
    parsnip::set_dependency(name, "gpstream", "gpstream", mode)
    parsnip::set_fit(name, mode, "gpstream", list(
      interface = "formula", protect = c("formula", "data", "weights"),
      func = c(pkg = "gpstream", fun = "fit_gaussian_process"), defaults = list()
    ))
    parsnip::set_encoding(name, mode, "gpstream", list(
      predictor_indicators = "none", compute_intercept = FALSE, remove_intercept = FALSE,
      allow_sparse_x = FALSE
    ))
    for (type in names(parsnip_types[[mode]])) {
      how <- parsnip_types[[mode]][[type]]
      parsnip::set_pred(name, mode, "gpstream", type, list(
        pre = NULL, post = how$post, func = c(fun = "predict"),
        args = c(list(object = quote(object$fit), newdata = quote(new_data)), how$args)
      ))
    }
  }
  parsnip::set_model_arg(name, "gpstream", "rho", "rho", list(pkg = "gpstream", fun = "tune_rho"), FALSE)
}

# What parsnip calls a prediction: arguments of predict(), and what becomes of its answer.
parsnip_types <- local({
  limits <- function(x, object) data.frame(.pred_lower = unname(x[, "lwr"]), .pred_upper = unname(x[, "upr"]))
  within <- function(interval) list(args = list(interval = interval, level = quote(level)), post = limits)
  raw <- list(args = list(), post = NULL)
  list(
    regression = list(
      numeric = list(args = list(), post = function(x, object) unname(x)),
      conf_int = within("confidence"), pred_int = within("prediction"), raw = raw
    ),
    classification = list(
      class = list(args = list(type = "class"), post = function(x, object) unname(as.character(x))),
      prob = list(args = list(), post = function(x, object) {
        if (!is.matrix(x)) x <- cbind(1 - x, x)
        structure(as.data.frame(unname(x)), names = object$lvl)
      }),
      raw = raw
    )
  )
})
