# Several panels inside one plot, without changing a graphical parameter: the plot region has coordinates from
# 0 to 1, and a panel is a part of it with its own scales.

open_panels <- function(given) {
  open_plot(given, c(0, 1), c(0, 1), c("", ""), axes = FALSE)
}

# `across` and `up`: from where to where in the plot region. x() and y() put values into it.
panel <- function(across, up, xlim, ylim) {
  if (diff(ylim) == 0) ylim[2] <- ylim[1] + 1
  inside <- function(values, limits, ends) ends[1] + (values - limits[1]) / diff(limits) * diff(ends)
  list(
    across = across, up = up, xlim = xlim, ylim = ylim,
    x = function(values) inside(values, xlim, across),
    y = function(values) inside(values, ylim, up)
  )
}

# Where the i-th of several panels is that have an axis each; the last row takes the room below, where other
# plots have the name of the axis.
panel_place <- function(i, panels) {
  inch <- graphics::par("pin")
  line <- graphics::par("cin")[2] * graphics::par("cex")
  wide <- max(1, min(floor(inch[1] / 2.2), ceiling(panels / 3)))
  high <- ceiling(panels / wide)
  below <- max(0, graphics::par("mai")[1] - 2.5 * line) / inch[2]
  gap <- c(min(3.5 * line / inch[1], 0.5 / wide), min(4 * line / inch[2], 0.6 * (1 + below) / high))
  room <- (c(1, 1 + below) + gap * c(1, 2 / 3)) / c(wide, high)
  left <- ((i - 1) %% wide) * room[1]
  top <- 1 - ((i - 1) %/% wide) * room[2]
  list(
    across = c(left, left + room[1] - gap[1]),
    up = c(top - room[2] + gap[2] * 2 / 3, top - gap[2] / 3)
  )
}

# Two axes, and above the panel what it shows. `percent` and `ticks`: for x and for y. `time`: what x is,
# where it is one.
frame_panel <- function(panel, title, xlab = NULL, percent = c(FALSE, FALSE), bottom = TRUE,
                        ticks = c(5, 5), time = NULL) {
  draw_axis(2, panel$ylim, panel$y, panel$across[1], percent[2], ticks[2])
  if (bottom) draw_axis(1, panel$xlim, panel$x, panel$up[1], percent[1], ticks[1], time)
  graphics::segments(panel$across[1], panel$up[1], panel$across[2], panel$up[1], xpd = NA)
  graphics::segments(panel$across[1], panel$up[1], panel$across[1], panel$up[2], xpd = NA)
  fit_text(panel, panel$up[2], title, c(0, -0.5), 0.85)
  if (!is.null(xlab)) label_below(xlab, panel)
}

draw_axis <- function(side, limits, place, pos, percent, ticks, time = NULL) {
  found <- list(at = pretty(limits, ticks))
  if (!is.null(time)) found <- time_ticks(limits, time, ticks, short = TRUE)
  at <- found$at[found$at >= min(limits) & found$at <= max(limits)]
  labels <- if (percent) {
    paste0(100 * at, " %")
  } else if (is.null(found$labels)) {
    format(at, big.mark = ",", scientific = 5, trim = TRUE)
  } else {
    found$labels
  }
  graphics::axis(side, at = place(at), labels = labels, pos = pos, las = 1, lwd = 0, lwd.ticks = 1)
}

# Text that is no wider than its panel: what comes after a comma is left out before it is too small to read.
fit_text <- function(panel, y, label, adj, cex) {
  while (0.6 * graphics::strwidth(label) > diff(panel$across) && grepl(", [^,]*$", label)) {
    label <- sub(", [^,]*$", "", label)
  }
  cex <- min(cex, cex * diff(panel$across) / graphics::strwidth(label, cex = cex))
  graphics::text(panel$across[1] + adj[1] * diff(panel$across), y, label, adj = adj, cex = cex, xpd = NA)
}

# In two lines where one would have to be small and the margin has room for them.
label_below <- function(label, panel) {
  wide <- diff(panel$across)
  wrap <- graphics::strwidth(label) > wide && graphics::par("mar")[1] >= 4.5
  lines <- if (wrap) strwrap(label, 0.6 * nchar(label)) else label
  size <- min(1, wide / max(graphics::strwidth(lines))) * graphics::par("cex")
  for (i in seq_along(lines)) {
    graphics::mtext(lines[i], 1, at = mean(panel$across), line = 1.5 + i, cex = size)
  }
}

# Room for what stands above a panel, and for the axis to the left of one, as shares of the plot region.
title_room <- function() {
  min(0.25, 1.5 * graphics::par("cin")[2] * graphics::par("cex") / graphics::par("pin")[2])
}
axis_room <- function(label) {
  room <- 1.8 * graphics::par("cin")[2] * graphics::par("cex")
  min(0.3, (graphics::strwidth(label, "inches") + room) / graphics::par("pin")[1])
}

# A polygon cut off at the edges of the panel.
panel_band <- function(panel, x, lower, upper, col) {
  cut_off <- function(values) pmin(pmax(values, panel$ylim[1]), panel$ylim[2])
  draw_band(panel$x(x), panel$y(cut_off(lower)), panel$y(cut_off(upper)), col)
}
