# plot(gp, "calibration"): the histogram of probability integral transforms, and nominal against observed
# coverage.

# From counts in equally wide bins: the share of each bin, 1 where it is as large as it should be, and that of
# the central intervals made of bins.
calibration_numbers <- function(counts) {
  n <- sum(counts)
  bins <- length(counts)
  edges <- seq(0, 1, length.out = bins + 1)
  band <- bins * chance_band(n, 1 / bins)
  pit <- data.frame(
    from = edges[-1] - 1 / bins, to = edges[-1], count = counts, observed = bins * counts / n,
    expected = 1, band
  )
  k <- seq_len(bins / 2)
  inside <- vapply(k, function(i) sum(counts[bins / 2 + seq(1 - i, i)]), 0)
  nominal <- 2 * k / bins
  coverage <- data.frame(level = nominal, observed = inside / n, expected = nominal, chance_band(n, nominal))
  list(pit = pit, coverage = coverage)
}

gp_calibration <- function(gp) {
  counts <- pit_counts(gp)
  if (sum(counts) == 0) abort("input", "nothing was scored yet: ", how_to_score)
  calibration_numbers(counts)
}

plot_calibration <- function(gp, given) {
  drawn <- gp_calibration(gp)
  open_panels(given)
  col <- "#1B5E8C"
  chance <- tint("#4C7A34", 0.25)
  half <- (1 - axis_room("100 %")) / 2
  both <- half * graphics::par("pin")[1] > 1 # inch: otherwise the left one alone
  up <- c(0, 1 - title_room())
  left <- panel(c(0, if (both) half else 1), up, c(0, 1), c(0, 1.05 * max(drawn$pit$observed, drawn$pit$upr)))
  draw_pit(left, drawn$pit, tint(col, 0.45), chance)
  frame_panel(left, "density, 1 if right", xlab = "probability of a smaller value", ticks = c(2, 5))
  if (both) {
    right <- panel(c(1 - half, 1), up, c(0, 1), c(0, 1))
    draw_reliability(right, list(drawn$coverage), col, chance)
    frame_panel(
      right, "observations within", xlab = "central interval", percent = c(TRUE, TRUE), ticks = c(2, 5)
    )
  }
  draw_top(
    given, list(list("box", "observed", tint(col, 0.45)), list("box", "by chance, 95 times in 100", chance))
  )
  drawn
}

# Bars, a band over them, and in a third colour where both are: no device needs to know transparency.
draw_pit <- function(panel, pit, col, chance) {
  bars <- function(from, to, col, ...) {
    graphics::rect(panel$x(pit$from), panel$y(from), panel$x(pit$to), panel$y(to), col = col, ...)
  }
  bars(0, pit$observed, col, border = NA)
  bars(pit$lwr, pit$upr, chance, border = NA)
  bars(pit$lwr, pmax(pit$lwr, pmin(pit$observed, pit$upr)), tint("#2E6B63", 0.5), border = NA)
  bars(0, pit$observed, NA, border = "white")
  graphics::segments(panel$x(0), panel$y(1), panel$x(1), panel$y(1), lty = 2, col = "grey30")
}

# One line a model; the band of the first.
draw_reliability <- function(panel, tables, col, chance) {
  first <- tables[[1]]
  panel_band(panel, c(0, first$level), c(0, first$lwr), c(0, first$upr), chance)
  graphics::segments(panel$x(0), panel$y(0), panel$x(1), panel$y(1), lty = 2, col = "grey30")
  for (i in seq_along(tables)) {
    x <- panel$x(c(0, tables[[i]]$level))
    y <- panel$y(c(0, tables[[i]]$observed))
    graphics::lines(x, y, col = col[i], lwd = 2)
    graphics::points(x[-1], y[-1], pch = 16, cex = 0.6, col = col[i])
  }
}
