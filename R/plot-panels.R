# Several panels inside one plot, without changing a graphical parameter: the plot region has coordinates from 0 to 1, and a panel is a
# part of it with its own scales.

open_panels <- function(given) {
  open_plot(given, c(0, 1), c(0, 1), c("", ""), axes = FALSE)
}

# `across` and `up`: from where to where in the plot region. x() and y() put values into it.
panel <- function(across, up, xlim, ylim) {
  inside <- function(values, limits, ends) ends[1] + (values - limits[1]) / diff(limits) * diff(ends)
  list(
    across = across, up = up, xlim = xlim, ylim = ylim,
    x = function(values) inside(values, xlim, across),
    y = function(values) inside(values, ylim, up)
  )
}

# Two axes, and above the panel what it shows.
frame_panel <- function(panel, title, xlab = NULL, percent = FALSE, bottom = TRUE) {
  draw_axis(2, panel, panel$ylim, panel$y, panel$across[1], percent[length(percent)])
  if (bottom) draw_axis(1, panel, panel$xlim, panel$x, panel$up[1], percent[1])
  graphics::segments(panel$across[1], panel$up[1], panel$across[2], panel$up[1])
  graphics::segments(panel$across[1], panel$up[1], panel$across[1], panel$up[2])
  graphics::text(panel$across[1], panel$up[2], title, adj = c(0, -0.5), cex = 0.85, xpd = NA)
  if (!is.null(xlab)) graphics::mtext(xlab, 1, at = mean(panel$across), line = 2.5)
}

draw_axis <- function(side, panel, limits, place, pos, percent) {
  high <- side == 2 && abs(diff(panel$up)) < 0.5
  at <- pretty(limits, if (high) 3 else 5)
  at <- at[at >= min(limits) & at <= max(limits)]
  labels <- if (percent) paste0(100 * at, " %") else format(at, big.mark = ",", scientific = 5, trim = TRUE)
  graphics::axis(side, at = place(at), labels = labels, pos = pos, las = 1, lwd = 0, lwd.ticks = 1)
}

# A polygon cut off at the edges of the panel.
panel_band <- function(panel, x, lower, upper, col) {
  cut_off <- function(values) pmin(pmax(values, panel$ylim[1]), panel$ylim[2])
  draw_band(panel$x(x), panel$y(cut_off(lower)), panel$y(cut_off(upper)), col)
}
