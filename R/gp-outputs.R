# Several outputs of the same rows, cbind(u, v) ~ x or a matrix y: common points and a common kernel, and of
# each output an amplitude, a noise, a mean and a trend. What is asked of a model is asked of each output, by
# a model of that one alone.

# The names of the outputs where there are several, or NULL; before the first batch, as a formula has them.
output_names <- function(gp) {
  if (is_started(gp)) return(state_of(gp)$frame$outputs)
  if (is_gaussian(gp)) formula_outputs(spec_of(gp)$formula)
}

formula_outputs <- function(formula) {
  if (length(formula) != 3 || !is.call(formula[[2]]) || !identical(formula[[2]][[1]], quote(cbind)) ||
    length(formula[[2]]) < 3) {
    return(NULL)
  }
  named_outputs(NULL, length(formula[[2]]) - 1, formula[[2]])
}

# Those of a response, with words for columns that have no name.
named_outputs <- function(names, count, label = NULL) {
  if (is.null(names)) names <- rep("", count)
  own <- if (is.call(label) && identical(label[[1]], quote(cbind)) && length(label) == count + 1) {
    said <- names(label)[-1]
    words <- vapply(as.list(label)[-1], deparse1, "")
    if (is.null(said)) words else ifelse(nzchar(said), said, words)
  } else {
    paste0("y", seq_len(count))
  }
  make.unique(ifelse(is.na(names) | !nzchar(names), own, names))
}

# The response of a model with several outputs: a matrix with a column each. `known`: the outputs of the first
# batch; NULL before it.
outputs_response <- function(y, arg, known) {
  if (is.data.frame(y)) {
    ok <- vapply(y, function(column) is_number_like(column) && NCOL(column) == 1, NA)
    if (!all(ok)) {
      bad <- which(!ok)[1]
      abort("type", "output ", backtick(names(y)[bad]), " must be numeric, not ", describe(y[[bad]]), ".")
    }
    y <- as.matrix(y)
  }
  if (!is_number_like(y)) abort("type", backtick(arg), " must be numeric, not ", describe(y), ".")
  if (length(dim(y)) > 2) {
    abort("dimension", backtick(arg), " must have a row for each row of inputs, and a column an output.")
  }
  label <- tryCatch(str2lang(arg), error = function(e) NULL)
  names <- named_outputs(colnames(y), NCOL(y), label)
  if (is.null(known)) known <- names
  y <- matrix(as.double(y), NROW(y), NCOL(y), dimnames = list(NULL, names))
  if (!is.null(label) && is.call(label) && setequal(names, known)) return(list(y = y[, known, drop = FALSE]))
  told <- "; the first batch had the outputs "
  if (ncol(y) != length(known)) {
    abort("dimension", backtick(arg), " has ", count(ncol(y), "column"), told, backtick(known), ".")
  }
  by_name <- setequal(names, known)
  unnamed <- identical(names, paste0("y", seq_along(known)))
  if (!by_name && !unnamed) {
    abort("dimension", backtick(arg), " has the columns ", backtick(names), told, backtick(known), ".")
  }
  if (by_name) y <- y[, known, drop = FALSE] else colnames(y) <- known
  list(y = y)
}

# cbind() takes the levels of a factor for numbers.
check_bound <- function(response, data) {
  call <- tryCatch(str2lang(response), error = function(e) NULL)
  if (!is.call(call) || !identical(call[[1]], quote(cbind))) return(invisible())
  for (part in Filter(is.name, as.list(call)[-1])) {
    value <- data[[as.character(part)]]
    if (!is.factor(value)) next
    abort("type", "output ", backtick(as.character(part)), " of the response ", backtick(response),
      " must be numeric, not ", describe(value), ".")
  }
}

# What a response is held against. A frame without a number of columns is not settled yet.
known_response <- function(frame, likelihood) {
  if (is.null(frame$D) || likelihood$name != "gaussian") return(frame$classes)
  as.character(frame$outputs)
}

# One output after the other, as the core takes them.
in_a_row <- function(y) if (is.matrix(y)) as.double(y) else y

# --- one of them --------------------------------------------------------------------------------------------

# A model of one output, for reading only.
gp_output <- function(gp, k) {
  names <- output_names(gp)
  spec <- spec_of(gp)
  spec["noise"] <- list(of_output(spec$noise, names, k))
  if (is.numeric(spec$mean)) spec$mean <- of_output(spec$mean, names, k)
  if (!is.null(spec$formula)) spec$formula[[2]] <- as.name(names[k])
  out <- StreamingGP$new(spec = spec)
  if (!is_started(gp)) return(out)
  frame <- gp_frame(gp)
  frame$outputs <- NULL
  set_state(out, core_gp_output(gp_handle(gp), k), frame)
  out$state[c("whole", "output")] <- list(gp, k) # which has the training sample
  out
}

# Of numbers that have names one, of a single number that.
of_output <- function(values, names, k) if (length(values) > 1) values[[names[k]]] else values

# f(model of an output), for all of them.
each_output <- function(gp, f, ...) {
  names <- output_names(gp)
  stats::setNames(lapply(seq_along(names), function(k) f(gp_output(gp, k), ...)), names)
}

# The output of which least is noise: it says how dense the points are.
sharpest_output <- function(gp) {
  if (is.null(output_names(gp))) return(gp)
  info <- gp_info(gp)
  gp_output(gp, which.max(info$variance / info$noise))
}

only_one_output <- function(gp, what) {
  names <- output_names(gp)
  if (is.null(names)) return(invisible())
  abort("parameter", what, " is for one output; this model has ", length(names), ": ",
    backtick(utils::head(names, 5)), if (length(names) > 5) ", ...", ".")
}

# --- numbers that are given ---------------------------------------------------------------------------------

# Of several outputs one number for all, or one each with their names.
check_each_output <- function(values, check) {
  if (length(values) < 2 || is.null(names(values)) || !is.numeric(values)) return(check(values))
  vapply(values, check, 0)
}

# In the order of the outputs, for the core.
for_outputs <- function(values, outputs, arg) {
  if (!is.numeric(values) || length(values) < 2) return(values)
  if (!setequal(names(values), outputs) || anyDuplicated(names(values))) {
    abort("parameter", "`", arg, "` has values for ", backtick(names(values)), ", but the ",
      if (length(outputs) == 0) "model has one output" else paste0("outputs are ", backtick(outputs)), ".")
  }
  as.double(values[outputs])
}

# --- predictions --------------------------------------------------------------------------------------------

# A column an output; with intervals, a matrix an output.
predict_outputs <- function(gp, newdata, se.fit, interval, level, type, cov, deriv = NULL) {
  names <- output_names(gp)
  if (is_started(gp) && is.null(deriv) && !se.fit && !cov && interval == "none") {
    reader <- prediction_model(gp, newdata)
    rows <- complete_rows(reader$x)
    mean <- core_gp_predict(reader$handle, rows$x, FALSE)$mean
    return(rows$fill_rows(matrix(mean, ncol = length(names), dimnames = list(NULL, names))))
  }
  found <- each_output(gp, function(one) {
    predict.StreamingGP(one, newdata, TRUE, interval, level, type, cov, deriv = deriv)
  })
  fit <- bind_outputs(lapply(found, `[[`, "fit"))
  if (!se.fit && !cov) return(fit)
  out <- list(
    fit = fit, se.fit = bind_outputs(lapply(found, `[[`, "se.fit"))
  )
  if (is.null(deriv)) out$residual.scale <- vapply(found, `[[`, 0, "residual.scale")
  if (cov) out$cov <- bind_outputs(lapply(found, `[[`, "cov"))
  out
}

# Vectors as the columns of a matrix, matrices as the slices of an array.
bind_outputs <- function(each) {
  first <- each[[1]]
  if (!is.matrix(first)) {
    names <- list(names(first), names(each))
    return(matrix(unlist(each, use.names = FALSE), ncol = length(each), dimnames = names))
  }
  rows <- rownames(first)
  array(
    unlist(each, use.names = FALSE), c(dim(first), length(each)), list(rows, colnames(first), names(each))
  )
}

# Data frames of the outputs one below the other.
stack_outputs <- function(each) {
  rows <- lapply(names(each), function(name) {
    data.frame(
      output = factor(rep(name, nrow(each[[name]])), names(each)), each[[name]], row.names = NULL,
      check.names = FALSE
    )
  })
  do.call(rbind, rows)
}

# The data frame f(model): of several outputs that of each, one below the other.
of_each_output <- function(gp, f, ...) {
  if (is.null(output_names(gp))) f(gp, ...) else stack_outputs(each_output(gp, f, ...))
}

score_outputs <- function(gp, x, y, data, weights, joint) {
  rows <- score_rows(gp, x, y, data, weights)
  if (!is.matrix(rows$y)) abort("dimension", "`y` must have the outputs ", backtick(output_names(gp)), ".")
  inputs <- if (is.null(data)) x else data
  each <- lapply(seq_len(ncol(rows$y)), function(k) {
    rows$y <- rows$y[, k]
    rows$handle <- prediction_model(gp_output(gp, k), inputs)$handle
    data.frame(row = seq_along(rows$y), scores_of(gp, rows, joint), row.names = NULL)
  })
  stack_outputs(stats::setNames(each, output_names(gp)))
}

simulate_outputs <- function(gp, nsim, newdata, type) {
  bind_outputs(each_output(gp, function(one) {
    as.matrix(simulate.StreamingGP(one, nsim, NULL, newdata, type))
  }))
}

# --- pictures -----------------------------------------------------------------------------------------------

# A panel an output, side by side unless the page is divided already.
plot_outputs <- function(gp, draw) {
  names <- output_names(gp)
  if (all(graphics::par("mfrow") == 1)) {
    grid <- grDevices::n2mfrow(length(names)) # at least as many rows as columns
    if (diff(graphics::par("din")) < 0) grid <- rev(grid)
    before <- graphics::par(mfrow = grid)
    on.exit(graphics::par(before))
  }
  stack_outputs(each_output(gp, draw))
}
