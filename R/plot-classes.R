# plot(gp) of classes without an order: the probability of each along one column, or the most probable one as
# a map of two.

shows_classes <- function(gp) likelihood_of(gp)$name == "categorical"

class_colours <- function(classes, col = NULL) {
  own <- c("#1B5E8C", "#B5451B", "#C79A2B", "#5B7F3B", "#7A5195", "#2F9C95", "#8C564B", "#6B6B6B")
  rep_len(if (is.null(col)) own else col, length(classes))
}

# A column "probability.<class>" for each of them.
class_frame <- function(gp, view, x, new) {
  classes <- gp_frame(gp)$classes
  chances <- class_probabilities(new, classes)
  colnames(chances) <- paste0("probability.", classes)
  latent <- predictive_latent(new)
  data.frame(input_columns(view, x), fit = classes[max.col(chances, "first")],
    se.fit = predictive_sd(latent), chances, check.names = FALSE)
}

class_columns <- function(drawn) drawn[startsWith(names(drawn), "probability.")]

class_curve_numbers <- function(gp, view, xlim, n) {
  if (is.null(xlim)) xlim <- view_limits(view, 1, window_rows(gp, view)$x)
  x <- view_inputs(view, cbind(curve_grid(view, xlim, n)))
  drawn <- class_frame(gp, view, x, predictive_at(view$handle, x))
  drawn$covered <- view_covered(view, x, gp_info(gp)$select)
  drawn
}

# The rows of the look-back stand above, in the colours of their classes.
plot_class_curve <- function(gp, view, given, n, col) {
  drawn <- class_curve_numbers(gp, view, given$xlim, n)
  classes <- gp_frame(gp)$classes
  colours <- class_colours(classes, col)
  recent <- window_rows(gp, view)
  along <- as.double(drawn[[view$shown]])
  ylim <- if (is.null(given$ylim)) c(-0.05, if (length(recent$x) > 0) 1.08 else 1.02) else given$ylim
  open_plot(given, along[c(1, length(along))], ylim,
    c(view$names[view$shown], paste("probability of", response_name(gp))), times = view$times[view$shown])
  graphics::points(
    on_axis(view, 1, recent$x), rep(1.04, length(recent$x)), pch = "|", cex = 0.6, col = colours[recent$y]
  )
  graphics::matlines(along, class_columns(drawn), lty = 1, lwd = 2, col = colours)
  draw_strip(along, drawn$covered, points_on_axes(view), curve_colours(colours[1]))
  graphics::box(bty = "l")
  draw_top(given, Map(function(name, colour) list("line", name, colour), classes, colours, USE.NAMES = FALSE))
  drawn
}

class_map_numbers <- function(gp, view, xlim, ylim, n) {
  map_numbers(view, xlim, ylim, n, function(view, x, new) class_frame(gp, view, x, new))
}

# From white, where no class is more probable than chance, to the colour of the one that is certain.
class_shades <- function(drawn, colours) {
  chances <- as.matrix(class_columns(drawn))
  best <- max.col(chances, "first")
  strength <- (chances[cbind(seq_along(best), best)] - 1 / ncol(chances)) / (1 - 1 / ncol(chances))
  step <- pmin(19, floor(20 * pmax(strength, 0)))
  shades <- unlist(lapply(colours, function(one) vapply(seq(0.08, 1, length.out = 20), tint, "", col = one)))
  list(code = 20 * (best - 1) + step, palette = shades)
}

plot_class_map <- function(gp, view, given, n, col) {
  map <- class_map_numbers(gp, view, given$xlim, given$ylim, n)
  classes <- gp_frame(gp)$classes
  colours <- class_colours(classes, col)
  shades <- class_shades(map$drawn, colours)
  cells <- matrix(ifelse(map$known, shades$code, NA), length(map$side[[1]]))
  open_plot(
    given, map$limits[[1]], map$limits[[2]], view$names[view$shown], times = view$times[view$shown]
  )
  draw_cells(map$side, cells, c(-0.5, length(shades$palette) - 0.5), shades$palette)
  draw_rings(points_on_axes(view), "white")
  graphics::box()
  key <- Map(function(name, colour) list("box", name, colour), classes, colours, USE.NAMES = FALSE)
  draw_top(given, c(key, list(list("ring", "inducing point", "#B5451B")),
    if (!all(map$known)) list(list("box", "nothing known", "white"))))
  map$drawn
}

autoplot_class_curve <- function(gp, view, xlim, ylim, n) {
  drawn <- plain_durations(class_curve_numbers(gp, view, xlim, n))
  classes <- gp_frame(gp)$classes
  name <- view$names[view$shown]
  long <- data.frame(
    x = drawn[[name]], p = unlist(class_columns(drawn)),
    class = factor(rep(classes, each = nrow(drawn)), classes)
  )
  ggplot2::ggplot(long, ggplot2::aes(x = .data$x)) +
    ggplot2::geom_line(ggplot2::aes(y = .data$p, colour = .data$class)) +
    ggplot2::geom_rug(ggplot2::aes(x = .data$x), projected_rug(view),
      colour = "#B5451B", sides = "b") +
    ggplot2::scale_colour_manual(values = class_colours(classes), name = NULL) +
    ggplot2::coord_cartesian(ylim = if (is.null(ylim)) 0:1 else ylim) +
    axis_names(view, paste("probability of", response_name(gp))) +
    ggplot2::labs(subtitle = blank_null(view$note))
}

autoplot_class_map <- function(gp, view, xlim, ylim, n) {
  map <- class_map_numbers(gp, view, xlim, ylim, n)
  classes <- gp_frame(gp)$classes
  map$drawn <- plain_durations(map$drawn)
  map$drawn$class <- factor(ifelse(map$known, map$drawn$fit, NA), classes)
  map$drawn$p <- do.call(pmax, class_columns(map$drawn))
  names <- view$names[view$shown]
  ggplot2::ggplot(map$drawn, ggplot2::aes(x = .data[[names[1]]], y = .data[[names[2]]])) +
    ggplot2::geom_raster(ggplot2::aes(fill = .data$class, alpha = .data$p)) +
    ggplot2::geom_point(data = projected_points(view), shape = 21, fill = "white", colour = "#B5451B") +
    ggplot2::scale_fill_manual(values = class_colours(classes), name = response_name(gp), drop = FALSE,
      na.value = "white") +
    ggplot2::scale_alpha(range = c(0.1, 1), limits = c(1 / length(classes), 1), name = "probability") +
    axis_names(view) + ggplot2::labs(subtitle = blank_null(view$note))
}
