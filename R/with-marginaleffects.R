# marginaleffects: standard errors by the delta method, for which a model needs coefficients, their
# covariance, and predictions that depend on them. A function has no coefficients of its own, but its values
# at the rows that are asked for do: f = m + R z with a root R of their joint covariance and independent z.
# That is exact, and z is as long as the covariance has rank.
#
# Whatever is asked of a model is asked of a reader of it that is made for the call, and remembers the rows.

# By an option, which is how marginaleffects is told of classes.
register_marginaleffects <- function(...) {
  known <- getOption("marginaleffects_model_classes")
  options(marginaleffects_model_classes = union(known, "StreamingGP"))
}

#' @exportS3Method marginaleffects::sanitize_model_specific
sanitize_model_specific.StreamingGP <- function(model, ...) {
  refuse_several(model, "marginaleffects")
  margins_reader(model, list2env(list(asked = list(), x = NULL, root = NULL)))
}

# A twin with the same core, for reading only. `z`: coefficients in place of those that are the model's.
margins_reader <- function(model, margins, z = NULL) {
  out <- StreamingGP$new(spec = spec_of(model))
  out$state <- state_of(model)
  assign("margins", margins, out@.xData)
  assign("margins_z", z, out@.xData)
  out
}

# Counted from here, coefficients are changed by just 1 where marginaleffects takes differences, whose step is
# sqrt(eps) times the coefficient: predictions are linear in them, so that a long step has the least error.
margins_origin <- 2^26

#' @exportS3Method marginaleffects::get_predict
get_predict.StreamingGP <- function(model, newdata, type = "response", ...) {
  if (!type %in% c("response", "latent")) {
    abort("parameter", "`type` must be \"response\" or \"latent\", not ", describe(type), ".")
  }
  margins <- model@.xData$margins
  rows <- asked_rows(model, margins, as.data.frame(newdata))
  out <- data.frame(estimate = if (type == "latent") rows$latent else rows$response)
  z <- model@.xData$margins_z
  if (!is.null(z)) {
    step <- drop(margins_root(model, margins)[rows$index, , drop = FALSE] %*% (z - margins_origin))
    out$estimate <- out$estimate + if (type == "latent") step else rows$slope * step
  }
  if ("rowid" %in% names(newdata)) out <- cbind(rowid = newdata$rowid, out)
  out
}

#' @exportS3Method marginaleffects::get_coef
get_coef.StreamingGP <- function(model, ...) {
  root <- margins_root(model, model@.xData$margins)
  stats::setNames(rep(margins_origin, ncol(root)), margins_names(ncol(root)))
}

# Where rows are yet to come, for as many coefficients as there may be: marginaleffects takes those it needs.
#' @exportS3Method marginaleffects::get_vcov
get_vcov.StreamingGP <- function(model, vcov = TRUE, ...) {
  if (isFALSE(vcov)) return(NULL)
  if (is.matrix(vcov) || is.function(vcov) || inherits(vcov, "formula") || is.character(vcov)) {
    abort("parameter", "`vcov` must be TRUE or FALSE: the covariance is that of the posterior.")
  }
  margins <- model@.xData$margins
  n <- if (length(margins$asked) == 0) margins_most else ncol(margins_root(model, margins))
  matrix(diag(n), n, dimnames = list(margins_names(n), margins_names(n)))
}

margins_most <- 1000
margins_names <- function(n) sprintf("z%d", seq_len(n))

#' @exportS3Method marginaleffects::set_coef
set_coef.StreamingGP <- function(model, coefs, ...) {
  margins_reader(model, model@.xData$margins, unname(coefs))
}

# --- rows ---------------------------------------------------------------------------------------------------

# What is known of rows, and where they stand among all that were asked for in this call. The same rows are
# asked for again and again.
asked_rows <- function(model, margins, newdata) {
  newdata <- as.list(newdata)[intersect(gp_prototype(model)$inputs, names(newdata))]
  for (one in margins$asked) if (identical(one$newdata, newdata)) return(one)
  reader <- prediction_model(model, as_rows(newdata))
  rows <- complete_rows(reader$x, reader$offset)
  new <- predictive_at(reader$handle, rows$x, offset = rows$offset)
  gaussian <- is_gaussian(model)
  out <- list(
    newdata = newdata, latent = rows$fill(new$mean),
    response = rows$fill(if (gaussian) new$mean else predictive_mean(new)),
    slope = rows$fill(if (gaussian) 1 + 0 * new$mean else response_slope(new)),
    index = rows$fill(NROW(margins$x) + seq_len(nrow(rows$x)))
  )
  if (is.null(margins)) return(out)
  margins$x <- rbind(margins$x, unname(rows$x))
  margins$root <- NULL
  margins$asked <- c(margins$asked, list(out))
  out
}

# By how much what is expected of an observation rises with the function.
response_slope <- function(new) {
  h <- 1e-4 * sqrt(new$variance) + 1e-8
  at <- function(mean) predictive_mean(replace(new, "mean", list(mean)))
  (at(new$mean + h) - at(new$mean - h)) / (2 * h)
}

# Of the joint covariance, a row each, as long as there is something left: neighbours are nearly the same.
margins_root <- function(model, margins) {
  if (is.null(margins) || length(margins$asked) == 0) return(matrix(0, 0, 0))
  if (is.null(margins$root)) {
    cov <- core_gp_covariance(gp_handle(model), margins$x)
    pivoted <- suppressWarnings(chol(cov, pivot = TRUE, tol = 1e-18 * max(diag(cov))))
    rank <- min(attr(pivoted, "rank"), margins_most)
    margins$root <- t(pivoted[seq_len(rank), order(attr(pivoted, "pivot")), drop = FALSE])
  }
  margins$root
}
