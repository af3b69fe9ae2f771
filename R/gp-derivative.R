# predict(gp, newdata, deriv = ): the slope of the latent function along an input column.

predict_slope <- function(gp, newdata, deriv, se.fit, interval, level, cov) {
  if (interval == "prediction") {
    abort("parameter", "`interval` must be \"none\" or \"confidence\" with `deriv`: a slope is not observed.")
  }
  reader <- prediction_model(gp, newdata)
  frame <- if (is_started(gp)) gp_frame(gp) else reader$frame
  column <- slope_column(deriv, frame, reader$handle)
  rows <- complete_rows(reader$x)
  spread <- se.fit || cov || interval != "none"
  found <- core_gp_derivative(reader$handle, rows$x, column, spread)
  if (ncol(found$mean) > 1) {
    names <- function_names(likelihood_of(gp), frame$classes)
    return(function_columns(found$mean, found$variance, rows, se.fit, names, cov || interval != "none"))
  }
  fit <- rows$fill(found$mean[, 1])
  if (!spread) return(fit)
  se <- rows$fill(sqrt(found$variance[, 1]))
  if (interval == "confidence") {
    z <- stats::qnorm((1 + level) / 2)
    fit <- cbind(fit = fit, lwr = fit - z * se, upr = fit + z * se)
    rownames(fit) <- rows$names
  }
  if (!se.fit && !cov) return(fit)
  out <- list(fit = fit, se.fit = se)
  if (cov) out$cov <- rows$fill_matrix(core_gp_derivative_cov(reader$handle, rows$x, column))
  out
}

# The number of the input column, by name or number.
slope_column <- function(deriv, frame, handle) {
  names <- input_names(frame)
  known <- if (is.character(deriv) && length(deriv) == 1 && !is.na(deriv)) {
    refuse_slope(deriv, frame)
    columns_named(deriv, frame)[[1]]
  } else if (is_scalar(deriv)) {
    match(deriv, seq_along(names))
  }
  if (length(known) != 1 || is.na(known)) {
    abort("parameter", "`deriv` must be one of the input columns ",
      quoted(names[setdiff(seq_along(names), unlist(factor_columns(frame)))]), ", or its number, not ",
      describe(deriv), ".")
  }
  refuse_slope(names[known], frame)
  if (!core_gp_smooth(handle)[known]) {
    abort("parameter", "the function has no slope along ", backtick(bare(names[known])), ": ",
      "its kernel is too rough there, as Matern 1/2, Brownian motion and levels of a factor are.")
  }
  known
}

# With a formula a slope is by a variable that is one column and moves no other one.
refuse_slope <- function(name, frame) {
  if (is.null(frame$terms)) return(invisible())
  no_slope <- function(...) abort("parameter", "there is no slope by ", backtick(bare(name)), ": ", ...)
  terms <- stats::delete.response(frame$terms)
  variables <- as.list(attr(terms, "variables"))[-1]
  labels <- vapply(variables, deparse1, "")
  own <- match(bare(name), bare(labels))
  within <- function(names) vapply(variables, function(one) any(names %in% all.vars(one)), NA)
  if (is.na(own)) {
    column <- columns_named(name, frame)[[1]]
    if (length(column) > 0) no_slope("it is no column of numbers that moves by itself.")
    others <- labels[within(bare(name))]
    if (length(others) > 0) {
      one <- length(others) == 1 && bare(others) %in% bare(input_names(frame))
      no_slope("it is in the formula as ", backtick(bare(others)),
        if (one) "; ask for the slope by that column.", if (!one) ", more than one column.")
    }
    return(invisible()) # unknown altogether
  }
  if (labels[own] %in% names(frame$xlevels) || is_logical_input(name, input_names(frame))) {
    no_slope("it is a factor; compare predictions at its levels.")
  }
  others <- setdiff(labels[within(all.vars(variables[[own]]))], labels[own])
  table <- attr(terms, "factors")
  products <- colnames(table)[table[labels[own], ] > 0 & attr(terms, "order") > 1]
  if (length(c(others, products)) > 0) {
    no_slope("it is also in ", backtick(c(others, products)), ", which would move with it.")
  }
}
