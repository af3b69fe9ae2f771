# What a plot shows, as numbers; plot.R draws them.
#
# The model's input columns, which of them are the axes (`shown`), and one row of values for the others
# (`held`). The axes are columns as the model sees them: for a formula, those of its model matrix.

plot_view <- function(gp, columns, at, xlim) {
  if (!is_started(gp)) return(prior_view(gp, columns, at, xlim))
  points <- gp_points(gp)
  names <- column_names(gp)
  factors <- factor_columns(state_of(gp)$frame)
  times <- column_times(state_of(gp)$frame)
  held <- held_values(points, names, factors, at, times)
  factor <- shown_factor(columns, names, factors)
  shown <- if (!is.null(factor)) {
    factors[[factor]]
  } else if (is.null(columns)) {
    default_columns(ncol(points), factors)
  } else {
    check_columns(columns, c(names, names(factors)), length(names))
  }
  moving <- intersect(names(at), c(names[shown], factor))
  if (length(moving) > 0) {
    abort("parameter", "`at` has ", backtick(moving), ", which is an axis of the plot; choose `columns`.")
  }
  list(
    handle = gp_handle(gp), kernel = gp_info(gp)$kernel, noise = gp_info(gp)$noise, points = points,
    names = names, times = times, factor = factor, classes = if (shows_classes(gp)) gp_frame(gp)$classes,
    trend = gp_info(gp)$trend,
    shown = shown, held = held,
    note = held_note(names, shown, held, factors, state_of(gp)$frame$xlevels, times)
  )
}

# Before the first batch there is nothing to show but a prior in one column.
prior_view <- function(gp, columns, at, xlim) {
  if (is.null(xlim)) abort("input", "the model has seen no data yet; give `xlim` to plot its prior.")
  if (!is.null(columns) || !is.null(at)) {
    abort("input",
      "there is no use for `columns` and `at` before the first batch, which decides what the columns are.")
  }
  formula <- spec_of(gp)$formula
  variables <- if (is.null(formula)) "x" else all.vars(formula[[3]])
  if (length(variables) != 1 || variables == ".") {
    abort("input", "the model has seen no data yet, and a prior is plotted for one input only.")
  }
  nothing <- prediction_model(gp, stats::setNames(data.frame(xlim), variables))
  list(
    handle = nothing$handle, kernel = core_gp_info(nothing$handle)$kernel, noise = 1,
    points = matrix(numeric(), 0, 1),
    names = if (is.null(formula)) "x" else colnames(nothing$x), times = unname(nothing$times[1]), shown = 1L,
    held = 0, note = ""
  )
}

column_names <- function(gp) input_names(state_of(gp)$frame)

# For each factor of the formula, the columns that are its levels, with their names.
factor_columns <- function(frame) {
  columns <- Map(function(name, levels) {
    stats::setNames(match(paste0(name, levels), bare_start(frame$names)), levels)
  }, names(frame$xlevels), frame$xlevels)
  Filter(function(found) !anyNA(found), columns)
}

# The factor along whose levels a plot goes: one by its name, or the first where there is no other column.
shown_factor <- function(columns, names, factors) {
  if (is.null(columns) && length(setdiff(seq_along(names), unlist(factors))) > 0) return(NULL)
  if (is.null(columns)) return(names(factors)[1])
  if (is_name(columns) && columns %in% setdiff(names(factors), names)) columns
}

default_columns <- function(D, factors) {
  numeric <- setdiff(seq_len(D), unlist(factors))
  if (length(numeric) > 0) utils::head(numeric, 2) else 1L
}

# Of the names the first `D` are columns; the others, of factors, stand alone.
check_columns <- function(columns, names, D) {
  found <- if (is.character(columns)) {
    match(columns, names[seq_len(D)])
  } else if (is.numeric(columns)) {
    match(columns, seq_len(D))
  }
  if (!length(found) %in% 1:2 || anyNA(found) || anyDuplicated(found)) {
    few <- is.atomic(columns) && length(columns) %in% 1:3
    abort("parameter", "`columns` must be one or two of ", quoted(names), ", or their numbers, not ",
      if (few) paste(format(columns), collapse = ", ") else describe(columns), ".")
  }
  found
}

held_values <- function(points, names, factors, at, times) {
  held <- apply(points, 2, stats::median)
  for (levels in factors) {
    held[levels] <- seq_along(levels) == which.max(colSums(points[, levels, drop = FALSE]))
  }
  if (is.null(at)) return(held)
  if (!(is.list(at) || is.numeric(at)) || is.null(names(at)) || is_time(at)) {
    abort("parameter", "`at` must be a list of values with names, not ", describe(at), ".")
  }
  for (name in names(at)) {
    value <- at[[name]]
    if (name %in% names(factors)) {
      levels <- names(factors[[name]])
      if (length(value) != 1 || !as.character(value) %in% levels) {
        abort("parameter", "`at` must give one of the levels ", quoted(levels), " for ", backtick(name),
          ", not ", describe(value), ".")
      }
      held[factors[[name]]] <- levels == as.character(value)
    } else if (name %in% names && !is.null(times[[match(name, names)]])) {
      held[match(name, names)] <- held_time(value, times[[match(name, names)]], name)
    } else if (name %in% names) {
      if (!is_scalar(value) || !is.finite(value)) {
        abort("parameter", "`at` must give one finite number for ", backtick(name), ", not ",
          describe(value), ".")
      }
      held[match(name, names)] <- value
    } else {
      abort("parameter", "`at` has ", backtick(name), ", which is none of ",
        quoted(unique(c(names, names(factors)))), ".")
    }
  }
  held
}

held_time <- function(value, time, name) {
  number <- time_to_number(value, time, paste0("what `at` gives for ", backtick(name)))
  if (length(number) == 1 && is.finite(number)) return(number)
  abort("parameter", "`at` must give one time for ", backtick(name), ", not ", describe(value), ".")
}

held_note <- function(names, shown, held, factors, xlevels, times) {
  others <- setdiff(seq_along(names), c(shown, unlist(factors)))
  words <- function(j) {
    if (is.null(times[[j]])) format(signif(held[j], 3)) else format_held(held[j], times[[j]])
  }
  notes <- paste(names[others], "=", vapply(others, words, ""))[seq_along(others)]
  for (name in names(factors)) {
    if (!any(factors[[name]] %in% shown)) {
      notes <- c(notes, paste(name, "=", xlevels[[name]][which.max(held[factors[[name]]])]))
    }
  }
  if (length(notes) > 0) paste("at", paste(notes, collapse = ", ")) else ""
}

# --- the numbers --------------------------------------------------------------------------------------------

# Rows of inputs: the held values, with the shown columns replaced.
view_inputs <- function(view, values) {
  x <- matrix(view$held, nrow(values), length(view$names), byrow = TRUE, dimnames = list(NULL, view$names))
  x[, view$shown] <- values
  x
}

# Of classes without an order the most probable, and a column "probability.<class>" for each of them.
view_frame <- function(view, x, new) {
  se <- predictive_sd(predictive_latent(new))
  if (is.null(view$classes)) {
    return(data.frame(input_columns(view, x), fit = predictive_mean(new), se.fit = se, check.names = FALSE))
  }
  chances <- class_probabilities(new, view$classes)
  colnames(chances) <- paste0("probability.", view$classes)
  data.frame(input_columns(view, x), fit = view$classes[max.col(chances, "first")], se.fit = se, chances,
    check.names = FALSE)
}

# What the standard error was before any data, but for the constant, of which next to nothing is known then.
# `within`: of the lines of the trend no more than among the points, for they go on for ever.
prior_sd <- function(view, x, within = FALSE) {
  variance <- core_kernel_diagonal(view$kernel, unname(x))
  for (i in seq_along(view$trend$columns)) {
    from_centre <- function(x) abs(x[, view$trend$columns[i]] - view$trend$centre[i]) / view$trend$scale[i]
    away <- from_centre(x)
    if (within) away <- pmin(away, max(from_centre(view$points)))
    variance <- variance + view$trend$variance[i + 1] * away^2
  }
  sqrt(variance)
}

view_limits <- function(view, j, more = numeric()) {
  limits <- range(view$points[, view$shown[j]], more)
  if (diff(limits) > 0) grDevices::extendrange(limits, f = 0.06) else limits + c(-2, 2) * view_radius(view, j)
}

# Distance along an axis at which the correlation has fallen to one half; of a kernel that has none, what the
# points lie apart.
view_radius <- function(view, j) {
  column <- view$shown[j]
  tryCatch(core_kernel_radius(view$kernel, 0.5, length(view$names))[column], gpstream_error = function(e) {
    apart <- diff(sort(unique(view$points[, column])))
    if (length(apart) > 0) min(apart) else 1
  })
}

curve_grid <- function(view, xlim, n) {
  if (is.null(n)) n <- min(max(401, ceiling(12 * abs(diff(xlim)) / view_radius(view, 1))), 4001)
  seq(xlim[1], xlim[2], length.out = n)
}

# Would the selector leave a row here out, because the points tell enough of it?
view_covered <- function(view, x, rule) {
  share <- covered_share(rule, view$kernel, view$noise)
  if (!is.null(share)) return(core_gp_residual(view$handle, unname(x)) <= share)
  if (!rule$name %in% c("oips", "knearest")) return(rep(NA, nrow(x)))
  if (nrow(view$points) == 0) return(rep(FALSE, nrow(x)))
  correlation <- kernel_correlation(view$kernel, x, unname(view$points))
  apply(correlation, 1, if (rule$name == "oips") max else nearest_statistic(rule)) >= rule$rho
}

# What select_knearest() holds against rho, of the correlations of a row with all points.
nearest_statistic <- function(rule) {
  of <- switch(rule$statistic, mean = mean, median = stats::median)
  function(correlation) of(utils::head(sort(correlation, decreasing = TRUE), rule$k))
}

# What a rule on the residual lets the points leave of a row; NULL for another rule.
covered_share <- function(rule, kernel, noise) {
  switch(rule$name, variance = rule$tol, noise = min(max(rule$tol * noise / kernel$variance, 1e-6), 0.9))
}

# Rows the model still holds, where they lie on the curve.
window_rows <- function(gp, view) {
  if (!is_started(gp) || length(view$names) > 1 || gp_info(gp)$window == 0) {
    return(data.frame(x = numeric(), y = numeric()))
  }
  core <- core_gp_state(gp_handle(gp))
  told <- core$window_told # weight, what is observed beside y, offset
  y <- as.vector(core$window_y) + core$offset
  if (length(told) > 0) y <- shown_response(likelihood_of(gp), y, told[, 2], told[, 3])
  seen <- !is.na(y) # of several outputs this one
  data.frame(x = as.vector(core$window_x)[seen], y = y[seen])
}
