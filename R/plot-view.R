# What a plot shows, as numbers; plot.R draws them.
#
# The model's input columns, which of them are the axes (`shown`), and one row of values for the others
# (`held`). The axes are columns as the model sees them: for a formula, those of its model matrix. `seen`: the
# rows at whose middle values are held, and the range of the axes. `by`: a factor, with a panel per level.

plot_view <- function(gp, columns, at, xlim) {
  if (!is_started(gp)) return(prior_view(gp, columns, at, xlim))
  seen <- seen_rows(gp)
  names <- column_names(gp)
  factors <- factor_columns(state_of(gp)$frame)
  times <- column_times(state_of(gp)$frame)
  held <- held_values(seen$x, names, factors, at, times)
  factor <- shown_factor(columns, names, factors)
  by <- level_factor(columns, names, factors)
  if (!is.null(by)) columns <- setdiff(columns, by)
  shown <- if (!is.null(factor)) {
    factors[[factor]]
  } else if (is.null(columns)) {
    default_columns(length(names), factors)
  } else {
    check_columns(columns, names, factors)
  }
  moving <- intersect(names(at), c(names[shown], factor, by))
  if (length(moving) > 0) {
    abort("parameter", "`at` has ", backtick(moving), ", which is an axis of the plot; choose `columns`.")
  }
  list(
    handle = gp_handle(gp), kernel = gp_info(gp)$kernel, noise = gp_info(gp)$noise, points = gp_points(gp),
    seen = seen, names = names, times = times, factor = factor, factors = factors, by = by,
    classes = if (shows_classes(gp)) gp_frame(gp)$classes, trend = gp_info(gp)$trend, shown = shown,
    held = held, note = held_note(names, c(shown, unlist(factors[by])), held, factors, times)
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
    points = matrix(numeric(), 0, 1), seen = list(x = matrix(numeric(), 0, 1), range = cbind(xlim)),
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

# The factor of one column along which, and one factor by whose levels a plot goes; NULL for other columns.
level_factor <- function(columns, names, factors) {
  if (!is.character(columns) || length(columns) != 2) return(NULL)
  own <- columns %in% setdiff(names(factors), names)
  if (sum(own) == 1) columns[own]
}

# The numbers of columns of the model, which the levels of a factor are, too; a factor has its name in words.
check_columns <- function(columns, names, factors) {
  found <- if (is.character(columns)) match(columns, names) else if (is.numeric(columns)) {
    match(columns, seq_along(names))
  }
  if (!length(found) %in% 1:2 || anyNA(found) || anyDuplicated(found)) {
    came <- if (is.character(columns) && length(columns) < 4) {
      quoted(columns)
    } else if (is.numeric(columns) && length(columns) < 4) {
      paste(columns, collapse = ", ")
    } else {
      describe(columns)
    }
    abort("parameter", "`columns` must be one or two of ", quoted(known_names(names, factors)),
      if (length(factors) > 0) ", at most one of them a factor", ", or their numbers, not ",
      came, ".")
  }
  found
}

# The names of inputs as the user has them: a factor is one.
known_names <- function(names, factors) {
  levels <- match(seq_along(names), unlist(factors))
  unique(ifelse(is.na(levels), names, rep(names(factors), lengths(factors))[levels]))
}

held_values <- function(x, names, factors, at, times) {
  held <- apply(x, 2, stats::median)
  for (levels in factors) {
    held[levels] <- seq_along(levels) == which.max(colSums(x[, levels, drop = FALSE]))
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
        quoted(known_names(names, factors)), ".")
    }
  }
  held
}

held_time <- function(value, time, name) {
  number <- time_to_number(value, time, paste0("what `at` gives for ", backtick(name)))
  if (length(number) == 1 && is.finite(number)) return(number)
  abort("parameter", "`at` must give one time for ", backtick(name), ", not ", describe(value), ".")
}

held_note <- function(names, shown, held, factors, times) {
  others <- setdiff(seq_along(names), c(shown, unlist(factors)))
  words <- function(j) {
    if (is.null(times[[j]])) format(signif(held[j], 3)) else format_held(held[j], times[[j]])
  }
  notes <- paste(names[others], "=", vapply(others, words, ""))[seq_along(others)]
  for (name in names(factors)) {
    if (!any(factors[[name]] %in% shown)) {
      notes <- c(notes, paste(name, "=", names(factors[[name]])[which.max(held[factors[[name]]])]))
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
# `within`: of the lines of the trend no more than among the rows seen, for they go on for ever.
prior_sd <- function(view, x, within = FALSE) {
  variance <- core_kernel_diagonal(view$kernel, unname(x))
  for (i in seq_along(view$trend$columns)) {
    from_centre <- function(x) abs(x[, view$trend$columns[i]] - view$trend$centre[i]) / view$trend$scale[i]
    away <- from_centre(x)
    if (within) away <- pmin(away, max(from_centre(view$seen$range)))
    variance <- variance + view$trend$variance[i + 1] * away^2
  }
  sqrt(variance)
}

# From the lowest to the highest value of all rows; wider where there is one value only.
view_limits <- function(view, j) {
  limits <- view$seen$range[, view$shown[j]]
  if (diff(limits) > 0) limits else limits + c(-2, 2) * view_radius(view, j)
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

# Rows that the model still holds and that lie on the curve: of the training sample or, where there is none,
# of the look-back window. With other columns than factors held at a value, none does.
observed_rows <- function(gp, view) {
  none <- data.frame(x = numeric(), y = numeric())
  others <- setdiff(seq_along(view$names), view$shown)
  if (!is_started(gp) || length(view$shown) != 1 || length(setdiff(others, unlist(view$factors))) > 0) {
    return(none)
  }
  rows <- held_observations(gp)
  on <- rowSums(rows$x[, others, drop = FALSE] != rep(view$held[others], each = nrow(rows$x))) == 0
  on <- on & !is.na(rows$y) # of several outputs this one
  data.frame(x = rows$x[on, view$shown], y = rows$y[on])
}

# `x` in the columns of the model, and `y` as the axis has it.
held_observations <- function(gp) {
  whole <- whole_model(gp)
  kept <- gp_memory(whole)
  if (nrow(kept$x) > 0 && is_gaussian(gp)) {
    y <- kept$y
    if (is.matrix(y)) y <- y[, state_of(gp)$output]
    return(list(x = unname(kept$x), y = as.vector(y)))
  }
  core <- core_gp_state(gp_handle(gp))
  told <- core$window_told # weight, what is observed beside y, offset
  y <- as.vector(core$window_y) + core$offset
  if (length(told) > 0) y <- shown_response(likelihood_of(gp), y, told[, 2], told[, 3])
  list(x = matrix(as.double(core$window_x), length(y), state_of(gp)$frame$D), y = y)
}
