# What evaluate() plays: streaming models and the user's own, as consume-play.R wants them, with every row
# scored.

check_models <- function(gp, response) {
  if (inherits(gp, "StreamingGP")) return(list(gp = evaluated_model(gp, response)))
  if (is_own_model(gp)) return(list(model = own_model(gp, "model")))
  if (!is.list(gp) || is.object(gp) || length(gp) == 0) {
    abort("type", "`gp` must be a model made by streaming_gp(), or a list of models with names, not ",
      describe(gp), ".")
  }
  names <- names(gp)
  if (is.null(names) || anyNA(names) || !all(nzchar(names)) || anyDuplicated(names)) {
    abort("parameter",
      "a list of models needs a different name for each, as in list(a = model_a, b = model_b).")
  }
  models <- Map(as_model, gp, names, response)
  check_distinct(models)
  check_responses(models)
  models
}

as_model <- function(model, name, response) {
  if (inherits(model, "StreamingGP")) return(evaluated_model(model, response))
  if (is_own_model(model)) return(own_model(model, name))
  abort("type", "model ", backtick(name),
    " must be made by streaming_gp(), or be a list of two functions, `predict` and `update`, not ",
    describe(model), ".")
}

# Twice the same reference would learn every batch twice.
check_distinct <- function(models) {
  objects <- lapply(Filter(function(model) !is.null(model$gp), models), function(model) model$gp@.xData)
  for (i in seq_along(objects)) {
    for (j in seq_len(i - 1)) {
      if (identical(objects[[i]], objects[[j]])) {
        abort("input", "models ", backtick(names(objects)[c(j, i)]), " are one and the same; use gp$copy().")
      }
    }
  }
}

# Scores of unlike outputs cannot be compared.
check_responses <- function(models) {
  formulas <- lapply(models, function(model) if (!is.null(model$gp)) spec_of(model$gp)$formula)
  responses <- unique(vapply(Filter(Negate(is.null), formulas), function(f) deparse1(f[[2]]), ""))
  if (length(responses) > 1) {
    abort("input", "the models must have the same response, not ", backtick(responses), ".")
  }
}

# `response`: the column of the outputs, for a model that has no formula to tell. Rows that cannot be learned
# may still be scored: what is learned is read only then.
evaluated_model <- function(gp, response) {
  gp_info(gp) # which refuses an object that was edited by hand
  list(
    gp = gp,
    read = function(batch, y) c(for_model(gp, batch, response), list(observed = y)),
    foresee = function(given) {
      list(y = given$observed, predictive = predict_batch(gp, given, observed_more(gp, given)))
    },
    learn = function(given) gp_update(gp, given$x, given$y, given$data)
  )
}

# What is observed beside y, trials say; NULL: nothing.
observed_more <- function(gp, given) {
  likelihood <- likelihood_of(gp)
  if (!likelihood$name %in% c("binomial", "weibull", "tobit")) return(NULL)
  formula <- spec_of(gp)$formula
  if (!is.null(formula)) return(formula_output(formula, given$data, likelihood, known_classes(gp))$more)
  response_for(given$y, NROW(given$x), likelihood, known_classes(gp))$more
}

known_classes <- function(gp) if (is_started(gp)) known_response(gp_frame(gp), likelihood_of(gp))

# --- a model of the user's own ------------------------------------------------------------------------------

is_own_model <- function(model) {
  is.list(model) && is.function(model[["predict"]]) && is.function(model[["update"]])
}

own_model <- function(model, name) {
  list(
    read = function(batch, y) list(x = batch_inputs(batch), y = y),
    foresee = function(rows) {
      if (is.matrix(rows$y)) {
        abort("input", "model ", backtick(name), " has one output, others have several outputs.")
      }
      answer <- as_own_error(model$predict(rows$x), name, "predict")
      list(y = rows$y, predictive = own_prediction(answer, length(rows$y), name))
    },
    learn = function(rows) as_own_error(own_update(model, rows$x, rows$y), name, "update")
  )
}

# Only rows that have an output are learned.
own_update <- function(model, x, y) {
  there <- !is.na(y)
  if (any(there)) model$update(if (all(there)) x else x[there, , drop = FALSE], y[there])
}

# Times come as they are, beside the outputs, as from a data frame.
batch_inputs <- function(batch) {
  if (!is_pair(batch)) return(batch)
  time <- if (is.null(dim(batch$x))) as_time(batch$x)
  if (!is.null(time)) return(data.frame(x = time, y = batch$y))
  if (is.data.frame(batch$x) && any(vapply(batch$x, is_time, NA))) return(data.frame(batch$x, y = batch$y))
  as_input(batch$x, "x")
}

own_prediction <- function(value, rows, name) {
  parts <- if (is.matrix(value) && !is.null(colnames(value))) {
    as.data.frame(value)
  } else if (is.list(value)) {
    value
  } else {
    list(mean = as.vector(value))
  }
  parts <- list(mean = parts[["mean"]], sd = if (is.null(parts[["sd"]])) NA_real_ else parts[["sd"]])
  is_numbers <- function(values) is.numeric(values) || (is.logical(values) && all(is.na(values)))
  ok <- vapply(parts, function(values) is_numbers(values) && length(values) %in% c(1, rows), NA)
  if (!all(ok) || any(parts$sd < 0, na.rm = TRUE)) {
    abort("type", "model ", backtick(name), ": predict() must return ", count(rows, "mean"),
      ", or `mean` and `sd` of so many, not ", describe(value), ".")
  }
  known <- lapply(parts, function(values) {
    rep_len(ifelse(is.finite(values), as.double(values), NA_real_), rows)
  })
  predictive_normal(known$mean, known$sd)
}

# An error in the user's function, with our class and the name of the model.
as_own_error <- function(expr, name, step) {
  tryCatch(expr, error = function(e) {
    abort("input", "model ", backtick(name), ": ", step, "() failed: ", conditionMessage(e))
  })
}

# --- outputs ------------------------------------------------------------------------------------------------

# The observations of a batch, NA where one is missing or infinite. Of a data frame, the response of the
# models' formula, or the column that was named.
batch_output <- function(models, response, batch) {
  y <- if (is_pair(batch)) {
    read_by(models, batch$y, batch_rows(batch))
  } else {
    frame_output(models, response, batch)
  }
  ifelse(is.finite(y), y, NA_real_)
}

frame_output <- function(models, response, batch) {
  for (model in models) {
    formula <- if (!is.null(model$gp)) spec_of(model$gp)$formula
    if (!is.null(formula)) {
      return(formula_output(formula, batch, likelihood_of(model$gp), known_classes(model$gp))$y)
    }
  }
  if (response %in% names(batch)) {
    return(read_by(models, batch[[response]], nrow(batch)))
  }
  abort("input", "say which column is the output, as in y = \"", utils::tail(names(batch), 1),
    "\": there is no column ", backtick(response), ".")
}

# As the first model that has a likelihood reads them.
read_by <- function(models, y, rows) {
  for (model in models) {
    if (!is.null(model$gp)) return(response_for(y, rows, likelihood_of(model$gp), known_classes(model$gp))$y)
  }
  response_for(y, rows, likelihood_gaussian(), character())$y
}
