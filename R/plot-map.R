# Maps of two columns: the mean or the standard error as colours, which fade where next to nothing is known.

# `drawn`: the data frame of plot() and autoplot(). `side`, `limits`: where cells and axes are.
map_numbers <- function(view, xlim, ylim, n) {
  if (is.null(xlim)) xlim <- view_limits(view, 1)
  if (is.null(ylim)) ylim <- view_limits(view, 2)
  if (is.null(n)) n <- if (nrow(view$points) > 300) 101 else 151
  side <- map_sides(xlim, ylim, n)
  x <- view_inputs(view, as.matrix(expand.grid(side)))
  drawn <- view_frame(view, x, predictive_at(view$handle, x))
  drawn$known <- knowledge(drawn$se.fit / prior_sd(view, x, within = TRUE))
  list(drawn = drawn, side = axes_of(view, side), limits = axes_of(view, list(xlim, ylim)))
}

map_sides <- function(xlim, ylim, n) {
  if (n > 2000) abort("parameter", "`n` must be at most 2,000 for a map, not ", describe(n), ".")
  lapply(list(xlim, ylim), function(limits) seq(min(limits), max(limits), length.out = n))
}

# From 1, where the standard error is at most 70 % of what it was before any data, to 0, where it is the same;
# 1 everywhere, if it is the same everywhere.
knowledge <- function(left) {
  known <- ifelse(is.finite(left), pmin(pmax((1 - left) / 0.3, 0), 1), 1)
  if (any(known > 0)) known else rep(1, length(known))
}

# Enough for a colour to be seen; only there it counts for the scale.
is_known <- function(drawn) drawn$known > 1 / 6

# What the colours of a map stand for.
map_scale <- function(gp, drawn, of, col = NULL) {
  seen <- of == "se.fit" | is_known(drawn)
  limits <- range(drawn[[of]][seen])
  flat <- diff(limits) <= 1e-10 * max(abs(limits))
  if (flat) limits <- limits + c(-1, 1)
  list(
    limits = limits, levels = pretty(limits, 7), lines = !flat, seen = rep_len(seen, nrow(drawn)),
    strength = if (of == "fit") drawn$known else rep(1, nrow(drawn)),
    label = if (of == "se.fit") se_label(gp) else fit_label(gp),
    palette = if (!is.null(col)) col else if (of == "fit") map_palette() else se_palette()
  )
}

map_palette <- function() grDevices::hcl.colors(64, "YlGnBu", rev = TRUE)
se_palette <- function() grDevices::hcl.colors(64, "Purples 2", rev = TRUE)

fit_label <- function(gp) {
  if (shows_probability(gp)) response_label(gp) else paste("mean of", response_name(gp))
}

plot_map <- function(gp, view, given, n, col, of = "fit") {
  map <- map_numbers(view, given$xlim, given$ylim, n)
  scale <- map_scale(gp, map$drawn, of, col)
  open_plot(
    given, map$limits[[1]], map$limits[[2]], view$names[view$shown], times = view$times[view$shown]
  )
  draw_surface(map$side, map$drawn[[of]], scale)
  draw_rings(points_on_axes(view), "white")
  graphics::box()
  draw_top(given, c(map_key(scale), list(list("ring", "inducing point", "#B5451B"))))
  map$drawn
}

# Colours and contour lines, on cells finer than those of the predictions.
draw_surface <- function(side, values, scale) {
  n <- length(side[[1]])
  finer <- ceiling(300 / n)
  cells <- function(values) refine(matrix(values, n), finer)
  side <- lapply(side, function(at) seq(at[1], at[length(at)], length.out = finer * (length(at) - 1) + 1))
  draw_cells(side, cells(values), scale$limits, scale$palette, cells(scale$strength))
  if (scale$lines) {
    graphics::contour(
      side[[1]], side[[2]], cells(ifelse(scale$seen, values, NA)), levels = scale$levels, add = TRUE,
      drawlabels = FALSE, col = "grey30"
    )
  }
}

# Straight lines between the values, along rows and columns.
refine <- function(values, times) {
  along <- function(m) {
    at <- seq(1, nrow(m), length.out = times * (nrow(m) - 1) + 1)
    low <- pmin(floor(at), nrow(m) - 1)
    share <- at - low
    between <- (1 - share) * m[low, ] + share * m[low + 1, ]
    between[share == 0, ] <- m[low[share == 0], ] # beside a value that is missing
    between
  }
  if (times == 1) values else t(along(t(along(values))))
}

map_key <- function(scale) {
  apart <- paste(format(signif(diff(scale$levels[1:2]), 6)), "apart")
  Filter(Negate(is.null), list(
    list("bar", scale$label, scale$palette, scale$limits, scale$levels),
    if (scale$lines) list("thin", apart, "grey30"),
    if (any(scale$strength < 1)) fading_key("less known", scale$palette[ceiling(length(scale$palette) / 2)])
  ))
}

fading_key <- function(label, col) {
  list("bar", label, vapply(seq(1, 0, length.out = 12), tint, "", col = col), NULL, NULL)
}

# Those on an edge of the plot are drawn whole.
draw_rings <- function(at, fill) {
  many <- nrow(at) > 150
  usr <- graphics::par("usr")
  within <- function(values, ends) values >= min(ends) & values <= max(ends)
  at[!within(at[, 1], usr[1:2]) | !within(at[, 2], usr[3:4]), ] <- NA
  graphics::points(
    at, pch = 21, bg = fill, col = "#B5451B", cex = if (many) 0.5 else 0.8, lwd = if (many) 1 else 1.2,
    xpd = TRUE
  )
}

# Values as colours of a palette, mixed with white where `strength` is below 1. As a raster where the device
# can: smaller files, no seams between cells.
draw_cells <- function(side, values, limits, palette, strength = 1) {
  K <- length(palette)
  shades <- unlist(lapply(0:20 / 20, function(share) tint(palette, share)))
  colour <- pmin(pmax(floor(K * (values - limits[1]) / diff(limits)), 0), K - 1)
  raster <- identical(grDevices::dev.capabilities("rasterImage")$rasterImage, "yes")
  graphics::image(
    side[[1]], side[[2]], colour + K * round(20 * strength), zlim = c(-0.5, length(shades) - 0.5),
    col = shades, add = TRUE, useRaster = raster
  )
}

autoplot_map <- function(gp, view, xlim, ylim, n, of) {
  drawn <- for_raster(map_numbers(view, xlim, ylim, n)$drawn, view)
  scale <- map_scale(gp, drawn, of)
  drawn$line <- ifelse(scale$seen, drawn[[of]], NA)
  names <- view$names[view$shown]
  ggplot2::ggplot(drawn, ggplot2::aes(x = .data[[names[1]]], y = .data[[names[2]]])) +
    ggplot2::geom_raster(ggplot2::aes(fill = .data[[of]]), alpha = scale$strength) +
    (if (scale$lines) {
      ggplot2::geom_contour(ggplot2::aes(z = .data$line), breaks = scale$levels, colour = "grey30",
        linewidth = 0.2, na.rm = TRUE)
    }) +
    ggplot2::geom_point(data = projected_points(view), shape = 21, fill = "white", colour = "#B5451B") +
    ggplot2::scale_fill_gradientn(
      colours = scale$palette, limits = scale$limits, name = paste(strwrap(scale$label, 22), collapse = "\n"),
      oob = function(values, range) pmin(pmax(values, range[1]), range[2])
    ) +
    axis_names(view, ends = drawn) + ggplot2::labs(subtitle = blank_null(view$note))
}

# Without durations, and with times at distances that are equal to the last bit, as a raster wants them.
for_raster <- function(drawn, view) {
  drawn <- plain_durations(drawn)
  for (name in Filter(function(name) inherits(drawn[[name]], "POSIXct"), view$names[view$shown])) {
    values <- unique(drawn[[name]])
    exact <- function(seconds) round(seconds * 2^20) / 2^20
    step <- exact(as.double(values[length(values)] - values[1], units = "secs") / (length(values) - 1))
    even <- exact(as.double(values[1])) + step * (seq_along(values) - 1)
    drawn[[name]] <- .POSIXct(even[match(drawn[[name]], values)], attr(values, "tzone"))
  }
  drawn
}
