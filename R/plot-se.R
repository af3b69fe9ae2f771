# plot(gp, "se"): how uncertain the function is, along one column or as a map of two, beside what it was
# before any data.

se_label <- function(gp) {
  paste("standard error of", if (is_gaussian(gp)) response_name(gp) else "the latent function")
}

plot_se <- function(gp, view, given, n, level, col) {
  if (!is.null(view$by)) return(plot_by_level(gp, view, given, n, level, col, "se.fit"))
  if (!is.null(view$factor)) return(plot_levels(gp, view, given, level, col, "se.fit"))
  if (length(view$shown) == 2) return(plot_map(gp, view, given, n, col, "se.fit"))
  drawn <- curve_numbers(gp, view, given$xlim, n, level, "se.fit")
  along <- as.double(drawn[[view$shown]])
  colours <- curve_colours(if (is.null(col)) "#1B5E8C" else col[1])
  ylim <- if (is.null(given$ylim)) c(-0.05, 1.05) * max(drawn$se.fit, drawn$prior) else given$ylim
  labels <- c(view$names[view$shown], se_label(gp))
  open_plot(given, along[c(1, length(along))], ylim, labels, times = view$times[view$shown])
  graphics::lines(along, drawn$prior, col = "grey40", lty = 2)
  graphics::lines(along, drawn$se.fit, col = colours$mean, lwd = 2)
  draw_strip(along, drawn$covered, points_on_axes(view), colours)
  graphics::box(bty = "l")
  draw_top(given, c(
    list(list("line", "standard error", colours$mean), list("dash", "before any data", "grey40")),
    strip_key(view, colours, gp_info(gp))
  ))
  drawn
}

layers_se <- function() {
  list(
    ggplot2::geom_line(ggplot2::aes(y = .data$prior, linetype = "before any data"), colour = "grey40"),
    ggplot2::geom_line(ggplot2::aes(y = .data$se.fit, linetype = "standard error"), colour = "#1B5E8C"),
    ggplot2::scale_linetype_manual(values = c("before any data" = 2, "standard error" = 1), name = NULL),
    ggplot2::expand_limits(y = 0)
  )
}
