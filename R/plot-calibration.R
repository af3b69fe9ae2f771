# plot(gp, "calibration"): the histogram of probability integral transforms, and nominal against observed coverage.

# From counts in equally wide bins: the share of each bin, 1 where it is as large as it should be, and that of the central intervals made of bins.
calibration_numbers <- function(counts) {
  n <- sum(counts)
  bins <- length(counts)
  edges <- seq(0, 1, length.out = bins + 1)
  band <- bins * chance_band(n, 1 / bins)
  pit <- data.frame(from = edges[-1] - 1 / bins, to = edges[-1], count = counts, observed = bins * counts / n, expected = 1, band)
  k <- seq_len(bins / 2)
  inside <- vapply(k, function(i) sum(counts[bins / 2 + seq(1 - i, i)]), 0)
  nominal <- 2 * k / bins
  coverage <- data.frame(level = nominal, observed = inside / n, expected = nominal, chance_band(n, nominal))
  list(pit = pit, coverage = coverage)
}

gp_calibration <- function(gp) {
  counts <- pit_counts(gp)
  if (sum(counts) == 0) {
    abort("input", "nothing was scored yet: consume() and evaluate() predict batches before they are learned, gp$update() does not.")
  }
  calibration_numbers(counts)
}

plot_calibration <- function(gp, given) {
  drawn <- gp_calibration(gp)
  open_panels(given)
  col <- "#1B5E8C"
  chance <- tint("#4C7A34", 0.25)
  draw_pit(panel(c(0, 0.44), c(0, 0.93), c(0, 1), c(0, 1.05 * max(drawn$pit$observed, drawn$pit$upr))), drawn$pit, tint(col, 0.45), chance)
  right <- panel(c(0.56, 1), c(0, 0.93), c(0, 1), c(0, 1))
  draw_reliability(right, list(drawn$coverage), col, chance)
  frame_panel(right, "observations within", percent = TRUE, xlab = "central interval")
  draw_top(given, list(
    list("box", "observed", tint(col, 0.45)), list("box", "by chance, 95 times in 100", chance)
  ))
  drawn
}

draw_pit <- function(panel, pit, col, chance) {
  graphics::rect(panel$x(pit$from), panel$y(0), panel$x(pit$to), panel$y(pit$observed), col = col, border = "white")
  graphics::rect(panel$x(0), panel$y(pit$lwr[1]), panel$x(1), panel$y(pit$upr[1]), border = "#4C7A34", lty = 3, col = NA)
  graphics::segments(panel$x(0), panel$y(1), panel$x(1), panel$y(1), lty = 2, col = "grey30")
  frame_panel(panel, "density, 1 if right", xlab = "probability of a smaller value")
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
