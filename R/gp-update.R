# gp$update(): read the batch, hand it to the core.

gp_update <- function(gp, x, y = NULL, data = NULL, weights = NULL, if_plausible = NULL, offset = NULL,
                      ...) {
  # an ordinary batch of a model that has nothing to learn from it by itself goes straight to the core
  if (!missing(x) && is.null(data) && is.null(weights) && is.null(if_plausible) && is.null(offset) &&
    ...length() == 0 && core_gp_take(gp@.xData$state, x, y)) {
    return(invisible(gp))
  }
  check_no_dots(...)
  check_plausible(if_plausible)
  batch <- read_batch(gp, x, y, data, weights, offset)
  if (!is_started(gp)) refuse_lost(attr(batch, "lost"))
  learn_plausible(gp, batch, if_plausible)
  invisible(gp)
}

# x, y, weights, more and offset where there are any, and the frame with which later batches are read.
read_batch <- function(gp, x, y, data, weights = NULL, offset = NULL) {
  frame <- if (is_started(gp)) gp_frame(gp)
  read_rows(spec_of(gp), likelihood_of(gp), frame, x, y, data, weights, offset)
}

# The same where the model is elsewhere: by what it was given, and by its frame, NULL before the first batch.
read_rows <- function(spec, likelihood, frame, x, y, data, weights = NULL, offset = NULL) {
  if (is.null(spec$formula)) {
    if (!is.null(data)) abort("input", "this model has no formula; use update(x, y).")
    if (missing(x)) abort("input", "`x` is missing; use update(x, y).")
    read <- if (is.null(frame)) first_input(x, "x") else list(x = later_input(x, frame, "x"))
    x <- read$x
    response <- response_for(y, nrow(x), likelihood, known_response(frame, likelihood))
    if (is.null(frame)) {
      frame <- c(
        read$frame, list(classes = response$classes, trials = response$trials),
        if (is.matrix(response$y)) list(outputs = colnames(response$y))
      )
    }
    if (isFALSE(frame$trials)) response$more <- NULL
    batch <- c(
      list(x = x), response[c("y", "more")],
      list(weights = as_weights(weights, nrow(x)), offset = as_offset(offset, nrow(x), likelihood))
    )
    kept <- clean_rows(batch, spec$na_action)
    return(structure(c(kept, list(frame = frame)), lost = if (nrow(kept$x) == 0) batch))
  }
  if (!is.null(y)) {
    abort("input", "this model has a formula; use update(data), with the response as a column of `data`.")
  }
  if (missing(x) && is.null(data)) abort("input", "`data` is missing; use update(data).")
  data <- as_data(if (is.null(data)) x else data, "data")
  if (nrow(data) == 0) return(list(x = matrix(0, 0, 1)))
  if (is.null(frame)) frame <- formula_frame(check_formula(spec$formula), data, "data")
  batch <- formula_batch(frame, data, "data", likelihood)
  if (!isTRUE(frame$alone)) frame$alone <- nrow(data) > 1 # one row does not show all that others change
  if (is.null(frame$D)) {
    frame <- c(
      frame, input_frame(batch$x),
      list(groups = batch$groups, classes = batch$classes, trials = batch$trials),
      if (is.matrix(batch$y)) list(outputs = colnames(batch$y))
    )
  }
  if (isFALSE(frame$trials)) batch$more <- NULL
  frame$prototype <- see_rows(frame$prototype, data, frame, batch$x)
  if (!is.null(offset)) abort("input", "this model has a formula: the offset belongs there, as offset(...).")
  if (!is.null(batch$offset)) refuse_offset(likelihood)
  rows <- c(
    batch[c("x", "y", "more", "offset")],
    list(weights = as_weights(if (is.null(weights)) spec$weights else weights, nrow(data), data))
  )
  kept <- clean_rows(rows, spec$na_action, c("data", batch$response))
  structure(
    c(kept, list(frame = frame, numeric = batch$numeric)), lost = if (nrow(kept$x) == 0) rows
  )
}

# A first batch of which nothing is left, all of it `lost`, is a mistake; one row may well be missing, and a
# stream of batches goes on (consume() tells at its end).
refuse_lost <- function(batch) {
  if (is.null(batch)) return(invisible())
  counted <- if (is.null(batch$weights)) nrow(batch$x) else sum(batch$weights != 0 | is.na(batch$weights))
  if (counted < 2) return(invisible())
  lost <- which(colSums(is.finite(batch$x)) == 0)
  names <- if (is.null(colnames(batch$x))) paste("column", lost) else backtick(colnames(batch$x)[lost])
  abort("input", "no row of the first batch is without missing or infinite values, so there is nothing to ",
    "learn from", if (length(lost) > 0) paste0("; there are none but such in ", few(names)), ".")
}

refuse_offset <- function(likelihood) {
  if (likelihood$name != "categorical") return(invisible())
  abort("input", "there is no offset for ", format(likelihood), ", which have a latent function each.")
}

# What is known to be added to f. NULL: nothing.
as_offset <- function(offset, rows, likelihood) {
  if (is.null(offset)) return(NULL)
  refuse_offset(likelihood)
  if (likelihood$name == "gaussian") {
    abort("input", "with Gaussian noise there is no `offset`; subtract it from `y`.")
  }
  offset <- plain_numbers(offset)
  if (!is.numeric(offset) || is.object(offset)) {
    abort("type", "`offset` must be a numeric vector, not ", describe(offset), ".")
  }
  if (length(offset) != rows) {
    abort("dimension", "`offset` has ", count(length(offset), "value"), " for ", count(rows, "row"), ".")
  }
  as.double(offset)
}

# Precision weights: one number a row or, with a formula, the name of a column. NULL: none.
as_weights <- function(weights, rows, data = NULL) {
  if (is.null(weights)) return(NULL)
  if (is.character(weights) && !is.null(data)) {
    if (length(weights) != 1 || !weights %in% names(data)) {
      abort("input", "`weights` must be the name of a column of `data`, not ", describe(weights), ".")
    }
    weights <- data[[weights]]
  }
  weights <- plain_numbers(weights)
  if (!is.numeric(weights) || is.object(weights) || !is.null(dim(weights))) {
    abort("type", "`weights` must be a numeric vector", if (!is.null(data)) " or the name of a column",
      ", not ", describe(weights), ".")
  }
  if (length(weights) != rows) {
    abort("dimension", "`weights` has ", count(length(weights), "value"), " for ", count(rows, "row"), ".")
  }
  bad <- which(weights < 0 | weights > 1e100)
  if (length(bad) > 0) {
    abort("input", "`weights` must not be negative or above 1e100, but in ", row_name(bad[1]), " it is ",
      format(weights[bad[1]]), ".")
  }
  as.double(weights)
}

# `plain`: are the columns of numbers taken as they come? See core_gp_take(). Functions of R are bound first.
set_state <- function(gp, handle, frame) {
  named <- !is.null(spec_of(gp)$formula) || (frame$D > 1 && !is.null(frame$names)) ||
    length(frame$times) > 0 || is_custom(likelihood_of(gp))
  gp$state <- list(handle = handle, frame = frame, plain = !named)
}

#' @export
update.StreamingGP <- function(object, ...) {
  if (...length() > 0 && inherits(..1, "formula")) refuse_refit(object, ..1)
  object$update(...)
}

# update(lm, . ~ . - x) fits the rows again, which are gone here.
refuse_refit <- function(gp, change) {
  own <- spec_of(gp)$formula
  new <- if (is.null(own)) change else {
    tryCatch(stats::update.formula(own, change), error = function(e) change)
  }
  abort("input", "update() takes new rows, not a formula: the data the model has seen are gone. Make ",
    "another model by streaming_gp(", deparse1(new), ", data).")
}
