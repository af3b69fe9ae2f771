# plot(gp) along the levels of a factor, where that is the only input or asked for by name.

# As curve_numbers(), with the factor instead of its columns.
level_numbers <- function(gp, view, level, of = "fit") {
  drawn <- curve_frame(gp, view, view_inputs(view, diag(length(view$shown))), level, of)
  levels <- level_names(view)
  drawn[view$names] <- NULL
  cbind(stats::setNames(data.frame(factor(levels, levels)), view$factor), drawn)
}

level_names <- function(view) substring(view$names[view$shown], nchar(view$factor) + 1)

plot_levels <- function(gp, view, given, level, col, of = "fit") {
  drawn <- level_numbers(gp, view, level, of)
  x <- seq_len(nrow(drawn))
  colours <- curve_colours(if (is.null(col)) "#1B5E8C" else col[1])
  classes <- of == "fit" && shows_classes(gp)
  wide <- of == "fit" && !classes && !shows_probability(gp)
  shown <- if (classes) class_columns(drawn) else drawn[of]
  bands <- drawn[intersect(names(drawn), c("lwr", "upr", if (wide) c("lwr_new", "upr_new")))]
  limits <- range(shown, if (of == "se.fit") c(0, drawn$prior) else bands)
  ylim <- if (is.null(given$ylim)) grDevices::extendrange(limits, f = 0.04) else given$ylim
  xlim <- if (is.null(given$xlim)) c(0.5, nrow(drawn) + 0.5) else given$xlim
  label <- if (of == "se.fit") se_label(gp) else if (classes) paste("probability of", response_name(gp))
  if (is.null(label)) {
    open_response_plot(gp, given, xlim, ylim, view$factor, xaxt = "n")
  } else {
    open_plot(given, xlim, ylim, c(view$factor, label), xaxt = "n")
  }
  graphics::axis(1, x, level_names(view))
  bar <- function(lower, upper, col) graphics::segments(x, lower, x, upper, col = col, lwd = 10, lend = 1)
  if (wide) bar(drawn$lwr_new, drawn$upr_new, colours$wide)
  if (of == "fit" && !classes) bar(drawn$lwr, drawn$upr, colours$narrow)
  if (of == "se.fit") graphics::points(x, drawn$prior, pch = "-", cex = 2, col = "grey40")
  own <- if (classes) class_colours(view$classes, col) else colours$mean
  graphics::matpoints(x, shown, pch = 16, col = own)
  graphics::box(bty = "l")
  draw_top(given, if (classes) {
    Map(function(name, colour) list("dot", name, colour), view$classes, own, USE.NAMES = FALSE)
  } else if (of == "se.fit") {
    list(list("dot", "standard error", own), list("line", "before any data", "grey40"))
  } else {
    replace(band_key(level, colours, wide), 1, list(list("dot", "mean", own)))
  })
  drawn
}

autoplot_levels <- function(gp, view, ylim, level, of) {
  drawn <- level_numbers(gp, view, level, of)
  classes <- of == "fit" && shows_classes(gp)
  label <- if (of == "se.fit") se_label(gp) else if (classes) paste("probability of", response_name(gp))
  picture <- ggplot2::ggplot(drawn, ggplot2::aes(x = .data[[view$factor]]))
  marks <- if (classes) {
    long <- class_rows(drawn, view, view$factor)
    list(
      ggplot2::geom_point(ggplot2::aes(x = .data$x, y = .data$p, colour = .data$class), long),
      ggplot2::scale_colour_manual(values = class_colours(view$classes), name = NULL)
    )
  } else if (of == "se.fit") {
    list(
      ggplot2::geom_point(ggplot2::aes(y = .data$prior, shape = "before any data")),
      ggplot2::geom_point(ggplot2::aes(y = .data$se.fit, shape = "standard error"), colour = "#1B5E8C"),
      ggplot2::scale_shape_manual(values = c("before any data" = 95, "standard error" = 16), name = NULL),
      ggplot2::expand_limits(y = 0)
    )
  } else {
    list(
      ggplot2::aes(y = .data$fit),
      layers_bands(level, !shows_probability(gp), ggplot2::geom_crossbar, width = 0.15, colour = NA),
      ggplot2::geom_point(ggplot2::aes(shape = "mean"), colour = "#1B5E8C"),
      ggplot2::scale_shape_manual(values = c(mean = 16), name = NULL)
    )
  }
  picture + marks + (if (of == "fit") class_axis(gp)) + ggplot2::coord_cartesian(ylim = ylim) +
    ggplot2::labs(
      x = view$factor, y = if (is.null(label)) response_label(gp) else label, subtitle = blank_null(view$note)
    )
}
