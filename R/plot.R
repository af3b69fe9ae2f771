#' Plot a streaming Gaussian process
#'
#' With one input column: the mean, a band for the function and a lighter one for new observations, the rows of the
#' look-back window as dots, and along the bottom the inducing points and the stretches that they cover. With two: a map of
#' the mean with contour lines and the inducing points, left blank where the model knows next to nothing (a standard deviation
#' above 95 % of the prior's). With more: the same along one or two of them, the others held at fixed values.
#'
#' Everything is drawn inside the current figure and no graphical parameter is changed, so that `points()`, `lines()` and
#' `par(mfrow = )` work as usual. The key stands in the top margin; it shrinks to fit, and is left out where there is no room.
#'
#' @param x A model made by [streaming_gp()].
#' @param columns One or two input columns to plot along, by name or number. By default the first two that are not levels of
#'   a factor, or the only one.
#' @param at A list of values at which the other columns are held, by name: `list(depth = 3, region = "north")`. What is not
#'   given is held at the median of the inducing points, a factor at its most frequent level among them.
#' @param xlim,ylim Ranges of the axes. By default somewhat wider than the inducing points. Before the first batch, give
#'   `xlim` to see the prior.
#' @param n Number of values along each axis at which to predict; by default enough to show the shortest waves of the kernel.
#' @param level Probability of the bands.
#' @param main,xlab,ylab Title and labels; `""` for none.
#' @param col One colour for the mean and the bands; for a map, a vector of colours from low to high.
#' @param legend Draw the key?
#' @param ... Graphical parameters such as `las`, `asp` or `cex.axis`, for [graphics::plot.default()].
#'
#' @return Invisibly, a data frame of what was drawn: the input columns, `fit` and `se.fit` as from [predict.StreamingGP()] and,
#'   along one column, the bands `lwr`, `upr` (function) and `lwr_new`, `upr_new` (new observations) and `covered`: whether
#'   [select_oips()] would leave a row there out, because an inducing point is near enough (`NA` for another selector).
#' @examples
#' gp <- streaming_gp(dist ~ speed, data = cars, kernel = kernel_se(lengthscale = 8))
#' plot(gp)
#'
#' gp <- streaming_gp(depth ~ long + lat, data = quakes, kernel = kernel_se(3), noise = 60^2)
#' plot(gp)
#' plot(gp, columns = "long", at = list(lat = -20))
#' @export
plot.StreamingGP <- function(x, columns = NULL, at = NULL, xlim = NULL, ylim = NULL, n = NULL, level = 0.95,
                             main = NULL, xlab = NULL, ylab = NULL, col = NULL, legend = TRUE, ...) {
  level <- check_fraction(level, "level")
  check_flag(legend, "legend")
  if (!is.null(n)) n <- check_count(n, "n", 2)
  if (!is.null(xlim)) xlim <- check_limits(xlim, "xlim")
  if (!is.null(ylim)) ylim <- check_limits(ylim, "ylim")
  if (!is.null(col)) check_colours(col)
  view <- plot_view(x, columns, at, xlim)
  given <- list(
    xlim = xlim, ylim = ylim, main = if (is.null(main)) plot_heading(x) else main, note = view$note, xlab = xlab, ylab = ylab,
    legend = legend, dots = check_dots(list(...))
  )
  invisible(if (length(view$shown) == 1) plot_curve(x, view, given, n, level, col) else plot_map(x, view, given, n, col))
}

check_limits <- function(limits, arg) {
  ok <- is.numeric(limits) && length(limits) == 2 && all(is.finite(limits)) && limits[1] != limits[2]
  if (!ok) abort("parameter", "`", arg, "` must be two different finite numbers, not ", describe(limits), ".")
  as.double(limits)
}

check_colours <- function(col) {
  ok <- length(col) > 0 && !inherits(try(grDevices::col2rgb(col), silent = TRUE), "try-error")
  if (!ok) abort("parameter", "`col` must be one or more colours, not ", describe(col), ".")
}

# What goes on to plot.default(); the rest of its arguments would spoil the picture.
check_dots <- function(dots) {
  if (length(dots) > 0 && (is.null(names(dots)) || !all(nzchar(names(dots))))) {
    abort("parameter", "there is no use for an argument without a name here; see the help page for the arguments.")
  }
  useless <- intersect(names(dots), c("y", "type", "log"))
  if (length(useless) > 0) abort("parameter", "there is no use for ", backtick(useless), " here.")
  dots
}

# --- one column ------------------------------------------------------------------------------------------------------

plot_curve <- function(gp, view, given, n, level, col) {
  info <- gp_info(gp)
  recent <- window_rows(gp, view)
  xlim <- if (is.null(given$xlim)) view_limits(view, 1, recent$x) else given$xlim
  x <- view_inputs(view, cbind(curve_grid(view, xlim, n)))
  drawn <- view_prediction(view, x)
  noise <- core_gp_info(view$handle)$noise
  z <- stats::qnorm((1 + level) / 2)
  drawn$lwr <- drawn$fit - z * drawn$se.fit
  drawn$upr <- drawn$fit + z * drawn$se.fit
  drawn$lwr_new <- drawn$fit - z * sqrt(drawn$se.fit^2 + noise)
  drawn$upr_new <- drawn$fit + z * sqrt(drawn$se.fit^2 + noise)
  drawn$covered <- view_covered(view, x, info$select)

  along <- x[, view$shown]
  colours <- curve_colours(if (is.null(col)) "#1B5E8C" else col[1])
  ylim <- if (is.null(given$ylim)) with_room(range(drawn$lwr_new, drawn$upr_new, recent$y)) else given$ylim
  open_plot(given, xlim, ylim, c(view$names[view$shown], response_name(gp)))
  draw_band(along, drawn$lwr_new, drawn$upr_new, colours$wide)
  draw_band(along, drawn$lwr, drawn$upr, colours$narrow)
  graphics::points(recent$x, recent$y, pch = 16, cex = if (length(recent$x) > 300) 0.4 else 0.6, col = colours$rows)
  graphics::lines(along, drawn$fit, col = colours$mean, lwd = 2)
  draw_strip(along, drawn$covered, view$points[, view$shown], colours)
  graphics::box(bty = "l")
  draw_top(given, curve_key(view, level, colours, info, recent))
  drawn
}

with_room <- function(limits) {
  if (diff(limits) == 0) limits <- limits + c(-1, 1)
  limits + c(-0.09, 0.03) * diff(limits)
}

curve_colours <- function(col) {
  list(mean = col, narrow = tint(col, 0.38), wide = tint(col, 0.14), rows = "grey35", point = "#B5451B", covered = tint("#B5451B", 0.3))
}

# Mixed with white instead of transparent, which not every device can draw.
tint <- function(col, strength) {
  grDevices::rgb(t(255 - strength * (255 - grDevices::col2rgb(col))), maxColorValue = 255)
}

draw_band <- function(x, lower, upper, col) graphics::polygon(c(x, rev(x)), c(lower, rev(upper)), col = col, border = NA)

# Along the bottom: what is covered, and a tick for each inducing point.
draw_strip <- function(x, covered, points, colours) {
  bottom <- graphics::par("usr")[3]
  top <- bottom + 0.035 * diff(graphics::par("usr")[3:4])
  half <- (x[2] - x[1]) / 2
  runs <- rle(covered %in% TRUE)
  last <- cumsum(runs$lengths)[runs$values]
  first <- last - runs$lengths[runs$values] + 1
  if (length(last) > 0) graphics::rect(x[first] - half, bottom, x[last] + half, top, col = colours$covered, border = NA)
  if (length(points) == 0) return(invisible())
  graphics::segments(points, bottom, points, top, col = colours$point, lwd = if (length(points) > 150) 0.5 else 1.5)
}

curve_key <- function(view, level, colours, info, recent) {
  percent <- paste0(format(100 * level), " %")
  point <- if (length(view$names) > 1) "inducing point, projected" else "inducing point"
  key <- list(
    list("line", "mean", colours$mean),
    list("box", paste(percent, "confidence"), colours$narrow),
    list("box", paste(percent, "prediction"), colours$wide),
    if (length(recent$x) > 0) list("dot", "look-back row", colours$rows),
    if (info$size > 0) list("tick", point, colours$point),
    if (info$size > 0 && info$select$name == "oips") list("box", paste0("covered (rho ", format(info$select$rho), ")"), colours$covered)
  )
  Filter(Negate(is.null), key)
}

# --- two columns -----------------------------------------------------------------------------------------------------

plot_map <- function(gp, view, given, n, col) {
  xlim <- if (is.null(given$xlim)) view_limits(view, 1) else given$xlim
  ylim <- if (is.null(given$ylim)) view_limits(view, 2) else given$ylim
  if (is.null(n)) n <- if (nrow(view$points) > 300) 101 else 151
  side <- lapply(list(xlim, ylim), function(limits) seq(min(limits), max(limits), length.out = n))
  drawn <- view_prediction(view, view_inputs(view, as.matrix(expand.grid(side))))
  known <- drawn$se.fit <= 0.95 * sqrt(view$kernel$variance)
  if (!any(known)) known[] <- TRUE
  height <- matrix(ifelse(known, drawn$fit, NA), n)
  palette <- if (is.null(col)) grDevices::hcl.colors(64, "YlGnBu", rev = TRUE) else col
  limits <- range(height, na.rm = TRUE)
  flat <- diff(limits) <= 1e-10 * max(abs(limits))
  if (flat) limits <- limits + c(-1, 1)
  levels <- pretty(limits, 7)

  open_plot(given, xlim, ylim, view$names[view$shown])
  draw_cells(side, height, limits, palette)
  if (!flat) {
    graphics::contour(side[[1]], side[[2]], height, levels = levels, add = TRUE, drawlabels = FALSE, col = "grey30", lwd = 0.6)
  }
  many <- nrow(view$points) > 150
  graphics::points(view$points[, view$shown, drop = FALSE],
    pch = 21, bg = "white", col = "#B5451B", cex = if (many) 0.5 else 0.8, lwd = if (many) 0.8 else 1.2
  )
  graphics::box()
  key <- list(
    list("bar", paste("mean of", response_name(gp)), palette, limits, levels),
    list("ring", "inducing point", "#B5451B"),
    if (!all(known)) list("box", "nothing known", "white")
  )
  draw_top(given, Filter(Negate(is.null), key))
  drawn
}

# As a raster where the device can: smaller files, no seams between cells.
draw_cells <- function(side, height, limits, palette) {
  raster <- identical(grDevices::dev.capabilities("rasterImage")$rasterImage, "yes")
  graphics::image(side[[1]], side[[2]], height, zlim = limits, col = palette, add = TRUE, useRaster = raster)
}

# --- frame ------------------------------------------------------------------------------------------------------------

response_name <- function(gp) if (is.null(spec_of(gp)$formula)) "y" else paste(deparse(spec_of(gp)$formula[[2]]), collapse = " ")

plot_heading <- function(gp) {
  info <- gp_info(gp)
  if (info$nobs == 0) "Prior: no observations yet" else paste0(count(info$nobs, "observation"), ", ", count(info$size, "inducing point"))
}

# An empty plot with axes and labels; the caller draws the box over what it puts in.
open_plot <- function(given, xlim, ylim, labels) {
  settings <- list(
    x = xlim, y = ylim, type = "n", xlim = xlim, ylim = ylim, las = 1, bty = "n", xaxs = "i", yaxs = "i", main = "",
    xlab = if (is.null(given$xlab)) labels[1] else given$xlab, ylab = if (is.null(given$ylab)) labels[2] else given$ylab
  )
  settings[names(given$dots)] <- given$dots
  do.call(graphics::plot.default, settings)
}
