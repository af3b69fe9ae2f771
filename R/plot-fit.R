# plot(gp): what the model believes, along one column or as a map of two.

# --- one column ---------------------------------------------------------------------------------------------

# What is drawn: see the value of plot().
curve_numbers <- function(gp, view, xlim, n, level) {
  if (is.null(xlim)) xlim <- view_limits(view, 1, window_rows(gp, view)$x)
  x <- view_inputs(view, cbind(curve_grid(view, xlim, n)))
  new <- predictive_at(view$handle, x)
  drawn <- view_frame(view, x, new)
  drawn[c("lwr", "upr")] <- predicted_limits(new, "response", "confidence", level)
  drawn[c("lwr_new", "upr_new")] <- predictive_interval(new, level)
  drawn$covered <- view_covered(view, x, gp_info(gp)$select)
  drawn
}

plot_curve <- function(gp, view, given, n, level, col) {
  drawn <- curve_numbers(gp, view, given$xlim, n, level)
  recent <- window_rows(gp, view)
  along <- as.double(drawn[[view$shown]])
  colours <- curve_colours(if (is.null(col)) "#1B5E8C" else col[1])
  wide <- !shows_probability(gp)
  within <- range(if (wide) drawn[c("lwr_new", "upr_new")] else 0:1, drawn$lwr, drawn$upr, recent$y)
  ylim <- if (is.null(given$ylim)) with_room(within) else given$ylim
  xlim <- along[c(1, length(along))]
  open_response_plot(gp, given, xlim, ylim, view$names[view$shown], view$times[[view$shown]])
  if (wide) draw_band(along, drawn$lwr_new, drawn$upr_new, colours$wide)
  draw_band(along, drawn$lwr, drawn$upr, colours$narrow)
  graphics::points(
    on_axis(view, 1, recent$x), recent$y, pch = 16, cex = if (length(recent$x) > 300) 0.4 else 0.6,
    col = colours$rows
  )
  graphics::lines(along, drawn$fit, col = colours$mean, lwd = 2)
  draw_strip(along, drawn$covered, points_on_axes(view), colours)
  graphics::box(bty = "l")
  draw_top(given, curve_key(view, level, colours, gp_info(gp), recent, wide))
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
    points, bottom, points, top, col = colours$point, lwd = if (length(points) > 150) 0.5 else 1.5
  )
}

# From where to where values are TRUE, without a break.
true_runs <- function(values) {
  runs <- rle(values %in% TRUE)
  last <- cumsum(runs$lengths)[runs$values]
  data.frame(first = last - runs$lengths[runs$values] + 1, last = last)
}

curve_key <- function(view, level, colours, info, recent, wide = TRUE) {
  percent <- paste0(format(100 * level), " %")
  point <- if (length(view$names) > 1) "inducing point, projected" else "inducing point"
  key <- list(
    list("line", "mean", colours$mean),
    list("box", paste(percent, "confidence"), colours$narrow),
    if (wide) list("box", paste(percent, "prediction"), colours$wide),
    if (length(recent$x) > 0) list("dot", "look-back row", colours$rows),
    if (info$size > 0) list("tick", point, colours$point),
    if (info$size > 0 && info$select$name %in% c("oips", "noise", "variance", "knearest")) {
      rho <- if (!is.null(info$select$rho)) paste0(" (rho ", format(info$select$rho), ")")
      list("box", paste0("covered", rho), colours$covered)
    }
  )
  Filter(Negate(is.null), key)
}

# --- two columns --------------------------------------------------------------------------------------------

# `side`: where the cells are, as the axes have it.
map_numbers <- function(view, xlim, ylim, n, frame = view_frame) {
  if (is.null(xlim)) xlim <- view_limits(view, 1)
  if (is.null(ylim)) ylim <- view_limits(view, 2)
  if (is.null(n)) n <- if (nrow(view$points) > 300) 101 else 151
  side <- map_sides(xlim, ylim, n)
  x <- view_inputs(view, as.matrix(expand.grid(side)))
  drawn <- frame(view, x, predictive_at(view$handle, x))
  list(
    drawn = drawn, known = is_known(drawn, view), side = axes_of(view, side),
    limits = axes_of(view, list(xlim, ylim))
  )
}

map_sides <- function(xlim, ylim, n) {
  if (n > 2000) abort("parameter", "`n` must be at most 2,000 for a map, not ", describe(n), ".")
  lapply(list(xlim, ylim), function(limits) seq(min(limits), max(limits), length.out = n))
}

# Where the model knows more than the prior; everywhere, if that is nowhere.
is_known <- function(drawn, view) {
  known <- drawn$se.fit <= 0.95 * sqrt(view$kernel$variance)
  if (any(known)) known else rep(TRUE, length(known))
}

plot_map <- function(gp, view, given, n, col) {
  map <- map_numbers(view, given$xlim, given$ylim, n)
  height <- matrix(ifelse(map$known, map$drawn$fit, NA), length(map$side[[1]]))
  palette <- if (is.null(col)) map_palette() else col
  limits <- range(height, na.rm = TRUE)
  flat <- diff(limits) <= 1e-10 * max(abs(limits))
  if (flat) limits <- limits + c(-1, 1)
  levels <- pretty(limits, 7)

  open_plot(
    given, map$limits[[1]], map$limits[[2]], view$names[view$shown], times = view$times[view$shown]
  )
  draw_cells(map$side, height, limits, palette)
  if (!flat) {
    graphics::contour(
      map$side[[1]], map$side[[2]], height, levels = levels, add = TRUE, drawlabels = FALSE,
      col = "grey30", lwd = 0.6
    )
  }
  draw_rings(points_on_axes(view), "white")
  graphics::box()
  key <- list(
    list("bar", paste("mean of", response_name(gp)), palette, limits, levels),
    list("ring", "inducing point", "#B5451B"),
    if (!all(map$known)) list("box", "nothing known", "white")
  )
  draw_top(given, Filter(Negate(is.null), key))
  map$drawn
}

map_palette <- function() grDevices::hcl.colors(64, "YlGnBu", rev = TRUE)

draw_rings <- function(at, fill) {
  many <- nrow(at) > 150
  graphics::points(
    at, pch = 21, bg = fill, col = "#B5451B", cex = if (many) 0.5 else 0.8, lwd = if (many) 0.8 else 1.2
  )
}

# As a raster where the device can: smaller files, no seams between cells.
draw_cells <- function(side, height, limits, palette) {
  raster <- identical(grDevices::dev.capabilities("rasterImage")$rasterImage, "yes")
  graphics::image(side[[1]], side[[2]], height, zlim = limits, col = palette, add = TRUE, useRaster = raster)
}
