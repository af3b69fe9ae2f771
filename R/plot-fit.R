# plot(gp) along one column: what the model believes.

# The data frame of plot() and autoplot(): see the value of plot().
curve_numbers <- function(gp, view, xlim, n, level = 0.95, of = "fit") {
  if (is.null(xlim)) xlim <- view_limits(view, 1)
  curve_frame(gp, view, view_inputs(view, cbind(curve_grid(view, xlim, n))), level, of)
}

curve_frame <- function(gp, view, x, level, of) {
  new <- predictive_at(view$handle, x)
  drawn <- view_frame(view, x, new)
  if (is.null(view$classes)) {
    drawn[c("lwr", "upr")] <- predicted_limits(new, "response", "confidence", level)
    drawn[c("lwr_new", "upr_new")] <- predictive_interval(new, level)
  }
  if (of == "se.fit") drawn$prior <- prior_sd(view, x)
  drawn$covered <- view_covered(view, x, gp_info(gp)$select)
  drawn
}

plot_curve <- function(gp, view, given, n, level, col, rows = observed_rows(gp, view)) {
  drawn <- curve_numbers(gp, view, given$xlim, n, level)
  along <- as.double(drawn[[view$shown]])
  colours <- curve_colours(if (is.null(col)) "#1B5E8C" else col[1])
  wide <- !shows_probability(gp)
  within <- range(if (wide) drawn[c("lwr_new", "upr_new")] else 0:1, drawn$lwr, drawn$upr, rows$y)
  ylim <- if (is.null(given$ylim)) with_room(within) else given$ylim
  xlim <- along[c(1, length(along))]
  open_response_plot(gp, given, xlim, ylim, view$names[view$shown], view$times[[view$shown]])
  if (wide) draw_band(along, drawn$lwr_new, drawn$upr_new, colours$wide)
  draw_band(along, drawn$lwr, drawn$upr, colours$narrow)
  size <- if (length(rows$x) > 300) 0.4 else 0.6
  graphics::points(on_axis(view, 1, rows$x), rows$y, pch = 16, cex = size, col = colours$rows)
  graphics::lines(along, drawn$fit, col = colours$mean, lwd = 2)
  draw_strip(along, drawn$covered, points_on_axes(view), colours)
  graphics::box(bty = "l")
  draw_top(given, curve_key(view, level, colours, gp_info(gp), rows, wide))
  drawn
}

with_room <- function(limits) {
  if (diff(limits) == 0) limits <- limits + c(-1, 1)
  limits + c(-0.09, 0.03) * diff(limits)
}

curve_colours <- function(col) {
  list(
    mean = col, narrow = tint(col, 0.38), wide = tint(col, 0.14), rows = "grey35", point = "#B5451B",
    covered = tint("#B5451B", 0.3)
  )
}

# Mixed with white instead of transparent, which not every device can draw.
tint <- function(col, strength) {
  grDevices::rgb(t(255 - strength * (255 - grDevices::col2rgb(col))), maxColorValue = 255)
}

draw_band <- function(x, lower, upper, col) {
  graphics::polygon(c(x, rev(x)), c(lower, rev(upper)), col = col, border = NA)
}

# Along the bottom: what is covered, and a tick for each inducing point.
draw_strip <- function(x, covered, points, colours) {
  bottom <- graphics::par("usr")[3]
  top <- bottom + 0.035 * diff(graphics::par("usr")[3:4])
  half <- (x[2] - x[1]) / 2
  runs <- true_runs(covered)
  if (nrow(runs) > 0) {
    graphics::rect(x[runs$first] - half, bottom, x[runs$last] + half, top, col = colours$covered, border = NA)
  }
  if (length(points) == 0) return(invisible())
  graphics::segments(
    points, bottom, points, top, col = colours$point, lwd = if (length(points) > 150) 1 else 1.5
  )
}

# From where to where values are TRUE, without a break.
true_runs <- function(values) {
  runs <- rle(values %in% TRUE)
  last <- cumsum(runs$lengths)[runs$values]
  data.frame(first = last - runs$lengths[runs$values] + 1, last = last)
}

curve_key <- function(view, level, colours, info, rows, wide = TRUE) {
  c(
    band_key(level, colours, wide),
    if (length(rows$x) > 0) list(list("dot", "observation", colours$rows)),
    strip_key(view, colours, info)
  )
}

band_key <- function(level, colours, wide) {
  names <- band_names(level)
  c(
    list(list("line", "mean", colours$mean), list("box", names[1], colours$narrow)),
    if (wide) list(list("box", names[2], colours$wide))
  )
}

band_names <- function(level) paste0(format(100 * level), " % ", c("confidence", "prediction"))

strip_key <- function(view, colours, info) {
  if (info$size == 0) return(NULL)
  point <- if (length(view$names) > 1) "inducing point, projected" else "inducing point"
  rho <- if (!is.null(info$select$rho)) paste0(" (rho ", format(info$select$rho), ")")
  covers <- info$select$name %in% c("oips", "noise", "variance", "knearest")
  c(
    list(list("tick", point, colours$point)),
    if (covers) list(list("box", paste0("covered", rho), colours$covered))
  )
}
