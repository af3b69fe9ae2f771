# plot(gp, "components"): what each term adds, along the column it is about; of more than one, along the
# first, the others held where plot() holds them.

# One line a term and place: `term`, `column`, `x`, `level` (of a factor; x is its number then), `fit`, `lwr`,
# `upr`. What comes again is shown once.
component_numbers <- function(gp, at, n, level) {
  if (likelihood_of(gp)$name == "categorical") {
    abort("likelihood", "components are those of one latent function; each class has one of its own.")
  }
  view <- plot_view(gp, 1, at, NULL)
  about <- term_views(gp, view, if (is.null(n)) 401 else n)
  if (length(about) == 0) {
    abort("parameter", "the model has no part beside the constant, so there is nothing to show.")
  }
  z <- stats::qnorm((1 + level) / 2)
  lines <- lapply(names(about), function(term) {
    one <- about[[term]]
    found <- component_parts(gp, view$handle, one$inputs, TRUE)
    K <- length(found$terms)
    i <- match(term, found$terms)
    se <- sqrt(pmax(found$cov[, (i - 1) * K + i], 0))
    data.frame(term = term, column = one$column, x = one$x, level = one$level, fit = found$mean[, i],
      lwr = found$mean[, i] - z * se, upr = found$mean[, i] + z * se)
  })
  out <- do.call(rbind, lines)
  out$term <- factor(out$term, unique(out$term))
  out
}

# Of each term but the constant, where it is shown: the column, the values there and the rows.
term_views <- function(gp, view, n) {
  info <- gp_info(gp)
  terms <- term_names(gp, view$handle)
  parts <- if (identical(info$kernel$name, "sum")) info$kernel$parts else list(info$kernel)
  slopes <- lapply(info$trend$columns, function(column) list(columns = column))
  parts <- c(list(NULL), slopes, parts) # in the order of the terms
  # in their order, of one name the last: a kernel rather than the slopes beside it
  shown <- vapply(setdiff(terms, "constant"), function(term) max(which(terms == term)), 1L)
  factors <- factor_columns(state_of(gp)$frame)
  stats::setNames(lapply(parts[shown], term_view, view, n, factors), terms[shown])
}

term_view <- function(part, view, n, factors) {
  columns <- if (length(part$columns) == 0) seq_along(view$names) else part$columns
  own <- names(Filter(function(levels) identical(as.numeric(levels), as.numeric(columns)), factors))
  if (length(own) > 0) {
    view$shown <- columns
    levels <- names(factors[[own[1]]])
    return(list(column = own[1], x = seq_along(levels), level = levels,
      inputs = view_inputs(view, diag(length(levels)))))
  }
  view$shown <- columns[1]
  if (identical(part$name, "factor")) { # a logical column, or codes
    codes <- sort(unique(view$points[, view$shown]))
    return(list(column = view$names[view$shown], x = seq_along(codes), level = as.character(codes),
      inputs = view_inputs(view, cbind(codes))))
  }
  limits <- range(view$points[, view$shown])
  if (identical(part$name, "periodic")) limits <- limits[1] + c(0, part$period)
  if (diff(limits) == 0) limits <- limits + c(-1, 1)
  x <- seq(limits[1], limits[2], length.out = n)
  list(column = view$names[view$shown], x = x, level = NA_character_, inputs = view_inputs(view, cbind(x)))
}

plot_components <- function(gp, at, given, n, level, col) {
  drawn <- component_numbers(gp, at, n, level)
  draw_terms(gp, drawn, split(drawn, drawn$term), given, level, col, "what the term adds")
}

# A panel a term; where all are about the same thing, `effects`, with one axis and without a line at 0.
draw_terms <- function(gp, drawn, terms, given, level, col, what, effects = FALSE) {
  times <- state_of(gp)$frame$times
  colours <- curve_colours(if (is.null(col)) "#1B5E8C" else col[1])
  open_panels(given)
  before <- graphics::par(xpd = NA) # panels reach into the margin below
  on.exit(graphics::par(before))
  for (i in seq_along(terms)) {
    one <- terms[[i]]
    time <- times[[one$column[1]]]
    place <- panel_place(i, length(terms))
    levels <- !is.na(one$level[1])
    shown <- if (effects) drawn else one
    room <- grDevices::extendrange(c(shown$lwr, shown$upr), f = if (effects) 0.04 else if (levels) 0.1 else 0)
    box <- panel(place$across, place$up, range(one$x) + levels * c(-0.5, 0.5), room)
    if (!levels) panel_band(box, one$x, one$lwr, one$upr, colours$narrow)
    if (!effects) {
      graphics::segments(box$across[1], box$y(max(min(0, box$ylim[2]), box$ylim[1])), box$across[2],
        col = "grey60", lty = 3)
    }
    if (levels) {
      draw_levels(box, one, colours)
    } else {
      graphics::lines(box$x(one$x), box$y(one$fit), col = colours$mean, lwd = 2)
    }
    along <- if (!levels) axis_labels(one$column[1], list(time), list(one$x), short = TRUE) else one$column[1]
    parts <- c(if (!effects) as.character(one$term[1]), if (effects || !levels) along)
    title <- paste(parts, collapse = ", along ")
    frame_panel(box, title, ticks = c(5, 4), time = time, bottom = !levels)
  }
  draw_top(given, list(
    list("line", what, colours$mean),
    list("box", paste0(format(100 * level), " % confidence"), colours$narrow)
  ))
  drawn
}

draw_levels <- function(box, one, colours) {
  x <- box$x(one$x)
  graphics::segments(x, box$y(one$lwr), x, box$y(one$upr), col = colours$narrow, lwd = 12, lend = 1)
  graphics::points(x, box$y(one$fit), pch = 16, cex = 0.6, col = colours$mean)
  graphics::axis(1, at = x, labels = one$level, pos = box$up[1], lwd = 0, lwd.ticks = 1)
}

autoplot_components <- function(gp, at, n, level) {
  drawn <- of_each_output(gp, component_numbers, at, n, level)
  drawn <- component_times(drawn, state_of(gp)$frame$times)
  panel <- paste0(drawn$term, ", along ", drawn$column)
  autoplot_lines(drawn, panel, drawn$term, "what the term adds", "free", output_names(gp))
}

# Several outputs side by side.
autoplot_lines <- function(drawn, panel, term, what, scales, outputs) {
  levels <- !is.na(drawn$level)
  for (one in unique(term[levels])) { # the axis has numbers
    own <- term == one
    places <- unique(paste(drawn$x[own], drawn$level[own], sep = " = "))
    panel[own] <- paste0(one, ": ", paste(places, collapse = ", "))
  }
  if (!is.null(outputs)) panel <- paste0(drawn$output, ": ", panel)
  order <- if (is.null(outputs)) seq_along(panel) else order(match(term, term), drawn$output)
  drawn$panel <- factor(panel, unique(panel[order]))
  colours <- curve_colours("#1B5E8C")
  ggplot2::ggplot(drawn, ggplot2::aes(x = .data$x)) +
    ggplot2::geom_ribbon(ggplot2::aes(ymin = .data$lwr, ymax = .data$upr), drawn[!levels, ],
      fill = colours$narrow) +
    ggplot2::geom_line(ggplot2::aes(y = .data$fit), drawn[!levels, ], colour = colours$mean) +
    ggplot2::geom_pointrange(ggplot2::aes(y = .data$fit, ymin = .data$lwr, ymax = .data$upr),
      drawn[levels, ], colour = colours$mean) +
    ggplot2::facet_wrap(ggplot2::vars(.data$panel), scales = scales, ncol = max(length(outputs), 1)) +
    ggplot2::labs(x = NULL, y = what) + if (any(levels)) level_breaks(drawn$x[levels], term[levels])
}

# Levels are numbered, and between two of them there is nothing. A panel is known by its range, which is a
# little wider on both sides.
level_breaks <- function(number, term) {
  counts <- tapply(number, term, max)
  ggplot2::scale_x_continuous(breaks = function(limits) {
    count <- round(sum(limits) - 1, 6)
    if (limits[1] > 0 && limits[1] <= 1 && count %in% counts) seq_len(count) else pretty(limits)
  })
}

# Panels have one kind of axis: times where all are along one, otherwise numbers of which the title tells what
# they are.
component_times <- function(drawn, times) {
  along <- unique(drawn$column)
  alone <- length(along) == 1 && !identical(times[[along]]$class, "difftime")
  if (alone) drawn$x <- number_to_scale(drawn$x, times[[along]])
  for (name in if (!alone) intersect(along, names(times))) {
    drawn$column[drawn$column == name] <- paste0(name, ", ", format_time(times[[name]]))
  }
  drawn
}
