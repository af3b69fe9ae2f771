# plot(gp, columns = c("time", "station")): along a column, with a panel for each level of a factor, all with
# the same axes.

# A view for each level, with its name.
level_views <- function(view) {
  own <- view$factors[[view$by]]
  lapply(stats::setNames(seq_along(own), names(own)), function(i) {
    view$held[own] <- seq_along(own) == i
    view
  })
}

# As curve_numbers(), one level below the other; the factor stands in the place of its columns.
by_level_numbers <- function(gp, view, xlim, n, level, of = "fit") {
  each <- lapply(level_views(view), function(one) {
    drawn <- curve_numbers(gp, one, xlim, n, level, of)
    drawn[setdiff(names(drawn), view$names[view$factors[[view$by]]])]
  })
  stack_levels(each, view)
}

# The observations of each level, and the inducing points that have it.
by_level_rows <- function(gp, view) {
  stack_levels(lapply(level_views(view), function(one) observed_rows(gp, one)), view)
}

by_level_points <- function(view) {
  own <- view$factors[[view$by]]
  stack_levels(lapply(stats::setNames(own, names(own)), function(column) {
    data.frame(x = view$points[view$points[, column] > 0.5, view$shown])
  }), view)
}

stack_levels <- function(each, view) {
  levels <- factor(rep(names(each), vapply(each, nrow, 0L)), names(each))
  out <- do.call(rbind, unname(each))
  cbind(stats::setNames(data.frame(levels), view$by), out)
}

plot_by_level <- function(gp, view, given, n, level, col, of) {
  drawn <- by_level_numbers(gp, view, given$xlim, n, level, of)
  classes <- of == "fit" && shows_classes(gp)
  wide <- of == "fit" && !classes && !shows_probability(gp)
  rows <- if (of == "fit" && !classes) by_level_rows(gp, view) else by_level_rows(gp, view)[0, ]
  points <- by_level_points(view)
  colours <- curve_colours(if (is.null(col)) "#1B5E8C" else col[1])
  lines <- if (classes) class_columns(drawn) else drawn[c(of, if (of == "se.fit") "prior")]
  bands <- drawn[c(if (of == "fit" && !classes) c("lwr", "upr"), if (wide) c("lwr_new", "upr_new"))]
  strokes <- if (classes) class_colours(view$classes, col) else c(colours$mean, "grey40")
  ylim <- given$ylim
  if (is.null(ylim)) ylim <- with_room(range(unlist(c(lines, bands)), rows$y, if (of == "se.fit") 0))
  along <- view$names[view$shown]
  time <- view$times[[view$shown]]
  x <- if (is.null(time)) drawn[[along]] else time_to_number(drawn[[along]], time)
  label <- if (of == "se.fit") se_label(gp) else if (classes) "probability" else response_label(gp)
  open_panels(given)
  before <- graphics::par(xpd = NA) # panels reach into the margin below
  on.exit(graphics::par(before))
  levels <- levels(drawn[[view$by]])
  for (i in seq_along(levels)) {
    of_level <- function(frame) frame[[view$by]] == levels[i]
    own <- of_level(drawn)
    place <- panel_place(i, length(levels))
    box <- panel(place$across, place$up, range(x), ylim)
    inside <- function(values, limits) ifelse(values < min(limits) | values > max(limits), NA, values)
    if (wide) panel_band(box, x[own], drawn$lwr_new[own], drawn$upr_new[own], colours$wide)
    if (of == "fit" && !classes) panel_band(box, x[own], drawn$lwr[own], drawn$upr[own], colours$narrow)
    seen <- rows[of_level(rows), ]
    graphics::points(box$x(inside(seen$x, box$xlim)), box$y(inside(seen$y, ylim)), pch = 16, cex = 0.4,
      col = colours$rows)
    for (k in seq_along(lines)) {
      graphics::lines(box$x(x[own]), box$y(inside(lines[[k]][own], ylim)), col = strokes[k], lwd = 2,
        lty = if (names(lines)[k] == "prior") 2 else 1)
    }
    at <- box$x(inside(points$x[of_level(points)], box$xlim))
    if (length(at) > 0) {
      graphics::segments(at, place$up[1], at, place$up[1] + 0.05 * diff(place$up), col = colours$point)
    }
    title <- paste0(view$by, " = ", levels[i], ", ", label, " along ",
      axis_labels(along, list(time), list(x), short = TRUE))
    frame_panel(box, title, ticks = c(5, 4), time = time)
  }
  draw_top(given, c(
    if (classes) {
      Map(function(name, colour) list("line", name, colour), view$classes, strokes, USE.NAMES = FALSE)
    } else if (of == "se.fit") {
      list(list("line", "standard error", colours$mean), list("dash", "before any data", "grey40"))
    } else {
      band_key(level, colours, wide)
    },
    if (nrow(rows) > 0) list(list("dot", "observation", colours$rows)),
    list(list("tick", "inducing point", colours$point))
  ))
  drawn
}

autoplot_by_level <- function(gp, view, xlim, ylim, n, level, of) {
  drawn <- plain_durations(by_level_numbers(gp, view, xlim, n, level, of))
  along <- view$names[view$shown]
  on_scale <- function(frame) {
    frame$x <- number_to_scale(frame$x, view$times[[view$shown]])
    frame
  }
  classes <- of == "fit" && shows_classes(gp)
  marks <- if (classes) {
    long <- class_rows(drawn, view, along)
    long[[view$by]] <- rep(drawn[[view$by]], length(view$classes))
    list(
      ggplot2::geom_line(ggplot2::aes(x = .data$x, y = .data$p, colour = .data$class), long),
      ggplot2::scale_colour_manual(values = class_colours(view$classes), name = NULL)
    )
  } else if (of == "fit") {
    layers_curve(on_scale(by_level_rows(gp, view)), level, !shows_probability(gp))
  } else {
    layers_se()
  }
  label <- if (of == "se.fit") se_label(gp) else if (classes) "probability" else response_label(gp)
  ggplot2::ggplot(drawn, ggplot2::aes(x = .data[[along]])) + marks +
    layers_strip(on_scale(by_level_points(view)), drawn[drawn$covered %in% TRUE, ], along, !classes) +
    ggplot2::facet_wrap(ggplot2::vars(.data[[view$by]]), labeller = ggplot2::label_both,
      ncol = ceiling(nlevels(drawn[[view$by]]) / 3)) +
    ggplot2::guides(x = ggplot2::guide_axis(check.overlap = TRUE)) +
    (if (of == "fit" && !classes) class_axis(gp)) + ggplot2::coord_cartesian(ylim = ylim) +
    axis_names(view, label, drawn) + ggplot2::labs(subtitle = blank_null(view$note))
}
