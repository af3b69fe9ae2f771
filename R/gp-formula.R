# The formula interface: stats::model.frame with terms, factor levels and columns fixed by the first batch.
# A factor becomes one 0/1 column per level, so that all its levels are equally far apart.

check_formula <- function(formula) {
  if (is.null(formula)) return(NULL)
  if (!inherits(formula, "formula") || length(formula) != 3) {
    abort("parameter", "`formula` must have the form y ~ x, not ",
      if (inherits(formula, "formula")) deparse(formula) else describe(formula),
      if (is.numeric(formula)) "; without one, write gp <- streaming_gp() and gp$update(x, y)", ".")
  }
  refuse_bars(formula[[3]])
  formula
}

# (1 | g) of mixed models, as a term; within a function `|` is what R means by it.
refuse_bars <- function(expr) {
  if (!is.call(expr) || !is.name(expr[[1]])) return(invisible())
  operator <- as.character(expr[[1]])
  if (operator %in% c("|", "||")) {
    group <- paste(deparse(expr[[3]]), collapse = " ")
    abort("parameter", "`formula` must not have (", paste(deparse(expr), collapse = " "),
      "): a level for each `", group, "` is that factor by itself, as in y ~ gp(x) + ", group, ".")
  }
  if (operator %in% c("+", "-", "*", ":", "/", "(")) for (part in as.list(expr)[-1]) refuse_bars(part)
}

# `terms`, with the constants that they need, and `special`, what those of gp-terms.R say.
formula_terms <- function(formula, data, arg) {
  special <- special_terms(formula, data, arg)
  if (!is.null(special)) formula <- special$formula
  terms <- as_input_error(stats::terms(formula, data = data), arg)
  if (length(attr(terms, "term.labels")) == 0) {
    abort("parameter", "`formula` needs at least one input on its right-hand side.")
  }
  attr(terms, "intercept") <- 1L
  environment(terms) <- formula_constants(terms, data, arg)
  list(terms = terms, special = special$terms)
}

# What later batches are read with.
formula_frame <- function(formula, data, arg) {
  found <- formula_terms(formula, data, arg)
  special <- found$special
  frame <- as_input_error(stats::model.frame(found$terms, data, na.action = stats::na.pass), arg)
  terms <- attr(frame, "terms")
  others <- names(frame)[c(attr(terms, "response"), attr(terms, "offset"))]
  times <- formula_times(frame[setdiff(names(frame), others)])
  for (name in setdiff(names(frame), c(others, names(times)))) check_categories(frame[[name]], name, arg)
  for (name in names(times)) frame[[name]] <- numeric(nrow(frame)) # text is no category then
  xlevels <- stats::.getXlevels(terms, frame)
  check_special_columns(special, xlevels, times)
  check_term_factors(special, function(name) {
    bare(name) %in% names(xlevels) || is.logical(frame[[match(bare(name), bare(names(frame)))]])
  })
  c(
    list(
      terms = terms, xlevels = xlevels,
      variables = intersect(all.vars(terms), names(data))
    ),
    if (!is.null(times)) list(times = times), if (!is.null(special)) list(special = special)
  )
}

# `likelihood`: with the response, as read_response() has it; NULL: without.
formula_batch <- function(frame, data, arg, likelihood = NULL) {
  response <- !is.null(likelihood)
  terms <- if (response) frame$terms else stats::delete.response(frame$terms)
  lacking <- setdiff(intersect(frame$variables, all.vars(terms)), names(data))
  if (length(lacking) > 0) lacks_column(lacking, arg)
  if (!isTRUE(frame$alone)) check_rows_alone(terms, data, arg)
  model <- as_input_error(stats::model.frame(terms, data, na.action = stats::na.pass), arg)
  model <- as_in_first_batch(model, frame, arg, if (response) names(model)[1])
  if (response && likelihood$name == "gaussian") check_bound(names(model)[1], data)
  # contrasts<-() would refuse a first batch that shows one level only
  for (name in names(frame$xlevels)) {
    levels <- frame$xlevels[[name]]
    attr(model[[name]], "contrasts") <- matrix(
      diag(length(levels)), length(levels), dimnames = list(levels, levels)
    )
  }
  x <- as_input_error(stats::model.matrix(terms, model), arg)
  term <- attr(x, "assign")
  numeric <- !term %in% categorical_terms(terms, names(frame$xlevels))
  keep <- term > 0
  # the columns of a categorical term have one lengthscale
  groups <- ifelse(numeric, max(term) + seq_along(term), term)[keep]
  c(
    list(
      x = matrix(
        as.double(x[, keep]), nrow(x), sum(keep), dimnames = list(named_rows(data), colnames(x)[keep])
      ),
      response = names(model)[1],
      offset = formula_offset(model, frame, likelihood),
      numeric = numeric[keep],
      groups = match(groups, unique(groups)) - 1
    ),
    if (response) formula_response(model, likelihood, known_response(frame, likelihood))
  )
}

formula_offset <- function(model, frame, likelihood) {
  offset <- stats::model.offset(model)
  if (is.null(offset)) return(NULL)
  if (identical(likelihood$name, "gaussian")) {
    abort("parameter", "`formula` must not have an offset with Gaussian noise; subtract it from the ",
      "response.")
  }
  bad <- which(!is.na(offset) & !is.finite(offset))[1]
  if (is.na(bad)) return(as.double(offset))
  abort("input", "the offset in `formula` must be finite, but in ", row_name(bad), " it is ",
    format(offset[bad]),
    if (offset[bad] == -Inf) ": is an exposure 0?", ".")
}

# Numbers stay numbers, times become numbers as they did, categories keep the levels they had.
as_in_first_batch <- function(model, frame, arg, response = NULL) {
  for (name in setdiff(names(model), response)) {
    values <- model[[name]]
    levels <- frame$xlevels[[name]]
    if (!is.null(frame$times[[name]])) {
      what <- paste0(backtick(name), " in `", arg, "`")
      model[[name]] <- time_to_number(values, frame$times[[name]], what)
      next
    }
    if (is.null(levels)) {
      hint <- if (is_time(values)) conversion_hint(values, TRUE)
      if (!is_number_like(values)) {
        abort("type", backtick(name), " in `", arg, "` must be numeric, not ", describe(values), ".", hint)
      }
      check_width(values, name, attr(frame$terms, "dataClasses")[name], arg)
      next
    }
    unknown <- setdiff(as.character(values), c(levels, NA))
    if (length(unknown) > 0) {
      abort("input", backtick(name), " in `", arg, "` has the new level ", quoted(unknown),
        "; the first batch fixed the levels ", quoted(levels), ".", levels_hint(name, c(levels, unknown)))
    }
    model[[name]] <- factor(values, levels)
  }
  model
}

# A stream's first batch seldom has all levels.
levels_hint <- function(name, levels) {
  date <- date_call(levels, name)
  if (!is.null(date)) return(paste0(" For times write ", date, "."))
  own <- tryCatch(all.vars(str2lang(name)), error = function(e) bare(name)) # `a b` has no quotes here
  if (length(own) != 1) return("")
  paste0(" Write factor(", deparse1(as.name(own), backtick = TRUE), ", levels = c(",
    paste(dQuote(utils::head(levels, 5), FALSE), collapse = ", "), if (length(levels) > 5) ", ...",
    ")) into the formula of the model.")
}

# A variable may be a matrix: as wide as in the first batch, of which terms() notes "numeric" or "nmatrix.3".
check_width <- function(values, name, class, arg) {
  wide <- if (isTRUE(startsWith(class, "nmatrix."))) as.integer(substring(class, 9)) else 1L
  if (NCOL(values) == wide) return(invisible())
  abort("dimension", backtick(name), " in `", arg, "` must have ", count(wide, "column"),
    ", as in the first batch, not ", NCOL(values), ".")
}

formula_response <- function(model, likelihood, known = NULL) {
  y <- stats::model.response(model)
  if (likelihood$name == "gaussian" && !is_number_like(y)) {
    abort("type", "the response ", backtick(names(model)[1]), " must be one numeric column, not ",
      describe(y), ".", if (is.factor(y)) " Classes have likelihoods of their own: see ?likelihoods.")
  }
  read_response(y, likelihood, names(model)[1], known)
}

categorical_terms <- function(terms, factors) {
  if (length(factors) == 0) return(integer())
  table <- attr(terms, "factors")
  which(colSums(table[rownames(table) %in% factors, , drop = FALSE]) > 0)
}

named_rows <- function(data) if (is.data.frame(data) && .row_names_info(data) > 0) row.names(data)

as_data <- function(data, arg) {
  if (is.matrix(data) && !is.null(colnames(data))) data <- as.data.frame(data)
  if (!is.data.frame(data)) {
    abort("type", "`", arg, "` must be a data frame, because the model has a formula, not ",
      describe(data), ".")
  }
  data <- without_empty(plain_numbers(data))
  lists <- vapply(data, inherits, NA, "POSIXlt") # which model.frame() would not take
  if (any(lists)) data[lists] <- lapply(data[lists], as.POSIXct)
  data
}

# Empty text is a missing value, as it is in a CSV file.
without_empty <- function(data) {
  for (j in which(vapply(data, function(x) is.character(x) || is.factor(x), NA))) {
    if (is.factor(data[[j]])) {
      empty <- is_empty(levels(data[[j]]))
      if (any(empty)) levels(data[[j]])[empty] <- NA
    } else {
      empty <- is_empty(data[[j]])
      if (any(empty)) data[[j]][empty] <- NA
    }
  }
  data
}

is_empty <- function(text) !nzchar(text) | (startsWith(text, " ") & !nzchar(trimws(text)))

# Variables come from the data. A constant in the formula's environment, such as k in y ~ I(x^k), is kept with
# the model; a variable of its own there would silently go into every batch.
formula_constants <- function(terms, data, arg) {
  variables <- vapply(as.list(attr(terms, "variables"))[-1], deparse1, "")
  others <- setdiff(all.vars(terms), names(data))
  if (length(others) == 0) return(environment(terms))
  constants <- lapply(others, get0, environment(terms))
  ok <- vapply(constants, function(value) is.atomic(value) && length(value) == 1, logical(1)) &
    !others %in% variables
  if (!all(ok)) lacks_column(others[!ok], arg)
  list2env(stats::setNames(constants, others), parent = environment(terms))
}

lacks_column <- function(names, arg) {
  abort("dimension", "`", arg, "` has no column ", backtick(names), ", which the formula needs.")
}

# The message of base R's own error, with our class.
as_input_error <- function(expr, arg) {
  tryCatch(expr, error = function(e) {
    if (inherits(e, "gpstream_error")) stop(e)
    smooth <- grepl("function \"(s|te|ti|t2|lo)\"", conditionMessage(e))
    abort("input", "`", arg, "` does not fit the formula: ", conditionMessage(e),
      if (smooth) "; a smooth function of `x` is gp(x), see ?`formula-terms`", ".")
  })
}
