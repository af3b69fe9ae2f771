# The formula interface: stats::model.frame with terms, factor levels and columns fixed by the first batch.
# A factor becomes one 0/1 column per level, so that all its levels are equally far apart.

check_formula <- function(formula) {
  if (is.null(formula)) return(NULL)
  if (!inherits(formula, "formula") || length(formula) != 3) {
    abort("parameter", "`formula` must have the form y ~ x, not ", if (inherits(formula, "formula")) deparse(formula) else describe(formula), ".")
  }
  formula
}

# What later batches are read with.
formula_frame <- function(formula, data) {
  check_variables(all.vars(formula), formula, data)
  terms <- as_input_error(stats::terms(formula, data = data))
  if (!is.null(attr(terms, "offset"))) abort("parameter", "`formula` must not have an offset; subtract it from the response.")
  if (length(attr(terms, "term.labels")) == 0) abort("parameter", "`formula` needs at least one input on its right-hand side.")
  attr(terms, "intercept") <- 1L
  frame <- as_input_error(stats::model.frame(terms, data, na.action = stats::na.pass))
  terms <- attr(frame, "terms")
  list(terms = terms, xlevels = stats::.getXlevels(terms, frame), variables = intersect(all.vars(terms), names(data)))
}

# y is NULL when the response is not wanted.
formula_batch <- function(frame, data, response = TRUE) {
  terms <- if (response) frame$terms else stats::delete.response(frame$terms)
  lacking <- setdiff(intersect(frame$variables, all.vars(terms)), names(data))
  if (length(lacking) > 0) abort("dimension", "`data` has no column ", backtick(lacking), ", which the formula needs.")
  model <- as_input_error(stats::model.frame(terms, data, na.action = stats::na.pass, xlev = frame$xlevels))
  full <- lapply(frame$xlevels, function(levels) {
    matrix(diag(length(levels)), length(levels), dimnames = list(levels, levels))
  })
  x <- as_input_error(stats::model.matrix(terms, model, contrasts.arg = full, xlev = frame$xlevels))
  numeric <- !attr(x, "assign") %in% categorical_terms(terms, names(frame$xlevels))
  keep <- attr(x, "assign") > 0
  list(
    x = matrix(as.double(x[, keep]), nrow(x), sum(keep), dimnames = list(named_rows(data), colnames(x)[keep])),
    y = if (response) formula_response(model),
    numeric = numeric[keep]
  )
}

formula_response <- function(model) {
  y <- stats::model.response(model)
  if (!is_number_like(y) || NCOL(y) != 1) {
    abort("type", "the response ", backtick(names(model)[1]), " must be numeric, not ", describe(y), ".", conversion_hint(y))
  }
  as.double(y)
}

categorical_terms <- function(terms, factors) {
  if (length(factors) == 0) return(integer())
  table <- attr(terms, "factors")
  which(colSums(table[rownames(table) %in% factors, , drop = FALSE]) > 0)
}

named_rows <- function(data) if (is.data.frame(data) && .row_names_info(data) > 0) row.names(data)

as_data <- function(data, arg = "data") {
  if (is.matrix(data) && !is.null(colnames(data))) data <- as.data.frame(data)
  if (!is.data.frame(data)) abort("type", "`", arg, "` must be a data frame, because the model has a formula, not ", describe(data), ".")
  data
}

# Variables come from the data. A single number in the formula's environment (y ~ x^k) is fine; a whole vector there would be
# silently recycled into every batch.
check_variables <- function(variables, formula, data) {
  for (name in setdiff(variables, c(names(data), "."))) {
    value <- get0(name, environment(formula), mode = "numeric")
    if (is.null(value) || length(value) != 1) abort("dimension", "`data` has no column ", backtick(name), ", which the formula needs.")
  }
}

# The message of base R's own error, with our class.
as_input_error <- function(expr) {
  tryCatch(expr,
    gpstream_error = stop,
    error = function(e) abort("input", "`data` does not fit the formula: ", conditionMessage(e), ".")
  )
}
