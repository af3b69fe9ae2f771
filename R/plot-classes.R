# plot(gp) of classes without an order: the probability of each along one column, or the most probable one as
# a map of two.

shows_classes <- function(gp) likelihood_of(gp)$name == "categorical"

class_colours <- function(classes, col = NULL) {
  own <- c("#1B5E8C", "#B5451B", "#C79A2B", "#5B7F3B", "#7A5195", "#2F9C95", "#8C564B", "#6B6B6B")
  rep_len(if (is.null(col)) own else col, length(classes))
}

class_columns <- function(drawn) drawn[startsWith(names(drawn), "probability.")]

# Rows stand above, in the colours of their classes.
plot_class_curve <- function(gp, view, given, n, col) {
  drawn <- curve_numbers(gp, view, given$xlim, n)
  classes <- view$classes
  colours <- class_colours(classes, col)
  rows <- observed_rows(gp, view)
  along <- as.double(drawn[[view$shown]])
  ylim <- if (is.null(given$ylim)) c(-0.05, if (length(rows$x) > 0) 1.08 else 1.02) else given$ylim
  open_plot(given, along[c(1, length(along))], ylim,
    c(view$names[view$shown], paste("probability of", response_name(gp))), times = view$times[view$shown])
  graphics::points(
    on_axis(view, 1, rows$x), rep(1.04, length(rows$x)), pch = "|", cex = 0.6, col = colours[rows$y]
  )
  graphics::matlines(along, class_columns(drawn), lty = 1, lwd = 2, col = colours)
  draw_strip(along, drawn$covered, points_on_axes(view), curve_colours(colours[1]))
  graphics::box(bty = "l")
  draw_top(given, Map(function(name, colour) list("line", name, colour), classes, colours, USE.NAMES = FALSE))
  drawn
}

# From 0, where no class is more probable than chance or nothing is known, to 1, where one is certain.
class_strength <- function(drawn) {
  chances <- class_columns(drawn)
  excess <- (do.call(pmax, chances) - 1 / ncol(chances)) / (1 - 1 / ncol(chances))
  pmin(3 * drawn$known, 1) * (0.08 + 0.92 * pmin(pmax(excess, 0), 1))
}

plot_class_map <- function(gp, view, given, n, col) {
  map <- map_numbers(view, given$xlim, given$ylim, n)
  classes <- view$classes
  colours <- class_colours(classes, col)
  cells <- function(values) matrix(values, length(map$side[[1]]))
  open_plot(
    given, map$limits[[1]], map$limits[[2]], view$names[view$shown], times = view$times[view$shown]
  )
  best <- match(map$drawn$fit, classes)
  limits <- c(0.5, length(classes) + 0.5)
  draw_cells(map$side, cells(best), limits, colours, cells(class_strength(map$drawn)))
  draw_rings(points_on_axes(view), "white")
  graphics::box()
  key <- Map(function(name, colour) list("box", name, colour), classes, colours, USE.NAMES = FALSE)
  ring <- list("ring", "inducing point", "#B5451B")
  draw_top(given, c(key, list(ring, fading_key("less certain", colours[1]))))
  map$drawn
}

# A row for each class.
class_rows <- function(drawn, view, name) {
  data.frame(
    x = drawn[[name]], p = unlist(class_columns(drawn), use.names = FALSE),
    class = factor(rep(view$classes, each = nrow(drawn)), view$classes)
  )
}

autoplot_class_curve <- function(gp, view, xlim, ylim, n) {
  drawn <- plain_durations(curve_numbers(gp, view, xlim, n))
  ggplot2::ggplot(class_rows(drawn, view, view$names[view$shown]), ggplot2::aes(x = .data$x)) +
    ggplot2::geom_line(ggplot2::aes(y = .data$p, colour = .data$class)) +
    layers_strip(
      data.frame(x = number_to_scale(view$points[, view$shown], view$times[[view$shown]])),
      drawn[drawn$covered %in% TRUE, ], view$names[view$shown], FALSE
    ) +
    ggplot2::scale_colour_manual(values = class_colours(view$classes), name = NULL) +
    ggplot2::coord_cartesian(ylim = if (is.null(ylim)) 0:1 else ylim) +
    axis_names(view, paste("probability of", response_name(gp)), drawn) +
    ggplot2::labs(subtitle = blank_null(view$note))
}

autoplot_class_map <- function(gp, view, xlim, ylim, n) {
  drawn <- for_raster(map_numbers(view, xlim, ylim, n)$drawn, view)
  drawn$class <- factor(drawn$fit, view$classes)
  names <- view$names[view$shown]
  ggplot2::ggplot(drawn, ggplot2::aes(x = .data[[names[1]]], y = .data[[names[2]]])) +
    ggplot2::geom_raster(ggplot2::aes(fill = .data$class), alpha = class_strength(drawn)) +
    ggplot2::geom_point(data = projected_points(view), shape = 21, fill = "white", colour = "#B5451B") +
    ggplot2::scale_fill_manual(values = class_colours(view$classes), name = response_name(gp), drop = FALSE) +
    axis_names(view, ends = drawn) +
    ggplot2::labs(subtitle = blank_null(view$note), caption = "pale: less certain")
}
