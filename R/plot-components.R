# plot(gp, "components"): what each term adds, along the column it is about; of more than one, along the
# first, the others held where plot() holds them.

# One line a term and place: `term`, `column`, `x`, `level` (of a factor; x is its number then), `fit`, `lwr`,
# `upr`. What comes again is shown once.
component_numbers <- function(gp, at, n, level) {
  if (likelihood_of(gp)$name == "categorical") {
    abort("likelihood", "components are those of one latent function; each class has one of its own.")
  }
  view <- plot_view(gp, 1, at, NULL)
  about <- term_views(gp, view, n)
  if (length(about) == 0) {
    abort("parameter", "the model has no part beside the constant, so there is nothing to show.")
  }
  z <- stats::qnorm((1 + level) / 2)
  lines <- lapply(about, function(one) {
    found <- component_parts(gp, view$handle, one$inputs, TRUE)
    K <- length(found$terms)
    i <- match(one$term, found$terms)
    se <- sqrt(pmax(found$cov[, (i - 1) * K + i], 0))
    data.frame(term = one$panel, column = one$column, x = one$x, level = one$level, fit = found$mean[, i],
      lwr = found$mean[, i] - z * se, upr = found$mean[, i] + z * se)
  })
  out <- do.call(rbind, lines)
  out$term <- factor(out$term, unique(out$term))
  out
}

# Of each term but the constant, where it is shown: `term`, `panel`, and what term_view() gives.
term_views <- function(gp, view, n) {
  info <- gp_info(gp)
  terms <- term_names(gp, view$handle)
  parts <- if (identical(info$kernel$name, "sum")) info$kernel$parts else list(info$kernel)
  slopes <- lapply(info$trend$columns, function(column) list(columns = column))
  parts <- c(list(NULL), slopes, parts) # in the order of the terms
  # in their order, of one name the last: a kernel rather than the slopes beside it
  shown <- vapply(setdiff(terms, "constant"), function(term) max(which(terms == term)), 1L)
  unlist(lapply(shown, function(i) panels_of(parts[[i]], terms[i], view, n)), recursive = FALSE)
}

# A term that is a product with levels, gp(a, by = station) say, has a panel per level.
panels_of <- function(part, term, view, n) {
  product <- identical(part$name, "product")
  own <- if (product) Filter(function(k) k$name != "factor", part$parts) else list(part)
  by <- if (length(own) == length(part$parts) - 1) setdiff(part$parts, own)[[1]]$columns
  if (length(by) == 0) return(list(c(list(term = term, panel = term), term_view(part, view, n))))
  part <- if (length(own) == 1) own[[1]] else list(columns = columns_of(list(parts = own)))
  lapply(view_levels(view, by), function(level) {
    view$held[by] <- level$values
    c(list(term = term, panel = paste0(term, ", ", level$label)), term_view(part, view, n))
  })
}

columns_of <- function(part) {
  if (is.null(part$parts)) part$columns else unique(unlist(lapply(part$parts, columns_of)))
}

# Each level of the factor, logical column or codes in these columns: the values there, and "name = level".
view_levels <- function(view, columns) {
  own <- names(Filter(function(levels) identical(as.numeric(levels), as.numeric(columns)), view$factors))
  if (length(own) > 0) {
    names <- names(view$factors[[own[1]]])
    return(lapply(seq_along(names), function(j) {
      list(values = as.numeric(seq_along(names) == j), name = own[1], level = names[j],
        label = paste(own[1], "=", names[j]))
    }))
  }
  name <- view$names[columns[1]]
  codes <- sort(unique(c(view$points[, columns[1]], view$seen$x[, columns[1]])))
  lapply(codes, function(code) {
    list(values = code, name = name, level = as.character(code), label = paste(name, "=", code))
  })
}

# The column, the values there (of levels their numbers) and the rows.
term_view <- function(part, view, n) {
  columns <- columns_of(part)
  if (length(columns) == 0) columns <- seq_along(view$names)
  factor <- Filter(function(levels) identical(as.numeric(levels), as.numeric(columns)), view$factors)
  if (length(factor) > 0 || identical(part$name, "factor")) {
    levels <- view_levels(view, columns)
    view$shown <- columns
    return(list(column = levels[[1]]$name, x = seq_along(levels), level = vapply(levels, `[[`, "", "level"),
      inputs = view_inputs(view, do.call(rbind, lapply(levels, `[[`, "values")))))
  }
  view$shown <- columns[1]
  limits <- view$seen$range[, view$shown]
  if (identical(part$name, "periodic")) limits <- limits[1] + c(0, part$period)
  if (diff(limits) == 0) limits <- limits + c(-1, 1)
  x <- curve_grid(view, limits, n)
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
  autoplot_lines(gp, drawn, as.character(drawn$term), "what the term adds", "free", level)
}

# A panel for each `term`, several outputs side by side.
autoplot_lines <- function(gp, drawn, term, what, scales, level) {
  outputs <- output_names(gp)
  times <- state_of(gp)$frame$times
  axes <- panel_axes(drawn, term, times)
  panel <- vapply(axes, `[[`, "", "title")[term]
  if (!is.null(outputs)) panel <- paste0(drawn$output, ": ", panel)
  order <- if (is.null(outputs)) seq_along(panel) else order(match(term, term), drawn$output)
  drawn$panel <- factor(panel, unique(panel[order]))
  levels <- !is.na(drawn$level)
  plain <- !any(levels) && !any(drawn$column %in% names(times))
  alone <- !any(levels) && length(unique(drawn$column)) == 1
  if (alone) drawn$x <- number_to_scale(drawn$x, times[[drawn$column[1]]])
  drawn$at <- if (plain || alone) drawn$x else place_on_axes(drawn$x, axes[term])
  band <- band_names(level)[1]
  ggplot2::ggplot(drawn, ggplot2::aes(x = .data$at)) +
    ggplot2::geom_ribbon(ggplot2::aes(ymin = .data$lwr, ymax = .data$upr, fill = !!band), drawn[!levels, ]) +
    (if (any(levels)) ggplot2::geom_linerange(ggplot2::aes(ymin = .data$lwr, ymax = .data$upr),
      drawn[levels, ], colour = page_colours()$narrow, linewidth = 3)) +
    layer_mean(ggplot2::geom_line, drawn[!levels, ]) +
    (if (any(levels)) ggplot2::geom_point(ggplot2::aes(y = .data$fit), drawn[levels, ],
      colour = page_colours()$mean)) +
    ggplot2::scale_fill_manual(values = stats::setNames(page_colours()$narrow, band), name = NULL) +
    ggplot2::facet_wrap(ggplot2::vars(.data$panel), scales = scales, ncol = max(length(outputs), 1)) +
    ggplot2::guides(x = ggplot2::guide_axis(check.overlap = TRUE)) + ggplot2::labs(x = NULL, y = what) +
    if (!plain && !alone) scale_of_panels(axes, drawn)
}

# ggplot2 has one scale for all panels. So that times, levels and numbers have ticks of their own, the i-th
# panel stands between 2 i and 2 i + 1, where breaks and labels are known by their place.
panel_axes <- function(drawn, term, times) {
  lapply(stats::setNames(seq_along(unique(term)), unique(term)), function(i) {
    own <- drawn[term == unique(term)[i], ]
    name <- own$column[1]
    time <- times[[name]]
    levels <- unique(own$level)
    limits <- range(own$x)
    found <- if (!anyNA(levels)) {
      limits <- limits + c(-0.5, 0.5)
      list(at = seq_along(levels), labels = levels)
    } else if (!is.null(time)) {
      time_ticks(limits, time, 4, short = TRUE)
    } else {
      list(at = pretty(limits, 5))
    }
    if (is.null(found$labels)) found$labels <- format(found$at, trim = TRUE, digits = 12)
    inside <- found$at >= limits[1] & found$at <= limits[2]
    along <- if (anyNA(levels)) axis_labels(name, list(time), list(limits), short = TRUE) else name
    label <- unique(term)[i]
    list(
      limits = limits, start = 2 * i, at = 2 * i + (found$at[inside] - limits[1]) / diff(limits),
      labels = found$labels[inside], title = if (label == name) along else paste0(label, ", along ", along)
    )
  })
}

place_on_axes <- function(x, axes) {
  low <- vapply(axes, function(axis) axis$limits[1], 0)
  vapply(axes, `[[`, 0, "start") + (x - low) / (vapply(axes, function(axis) axis$limits[2], 0) - low)
}

scale_of_panels <- function(axes, drawn) {
  at <- unlist(lapply(axes, `[[`, "at"), use.names = FALSE)
  labels <- unlist(lapply(axes, `[[`, "labels"), use.names = FALSE)
  ends <- drawn[!is.na(drawn$level), c("panel", "at")] # levels stand clear of the edges
  ends <- unique(data.frame(panel = ends$panel, at = 2 * floor(ends$at / 2)))
  ends <- rbind(ends, transform(ends, at = at + 1))
  list(ggplot2::geom_blank(data = ends), ggplot2::scale_x_continuous(
    breaks = function(limits) at[floor(at / 2 + 1e-9) == floor(mean(limits) / 2)],
    labels = function(breaks) labels[match(round(breaks, 9), round(at, 9))], minor_breaks = NULL
  ))
}
