# plot(gp, "calibration"): the histogram of probability integral transforms, nominal against observed
# coverage, and the factors by which prediction intervals are corrected.

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

# `pit` and `coverage` where batches were scored, `factors` where the model corrects its intervals.
gp_calibration <- function(gp) {
  counts <- pit_counts(gp)
  scored <- sum(counts) > 0
  corrected <- corrects_intervals(gp)
  if (!scored && !corrected) abort("input", "nothing was scored yet: ", how_to_score)
  if (!scored) inform("No histogram and coverage yet: ", how_to_score)
  c(if (scored) calibration_numbers(counts), if (corrected) list(factors = calibration_factors(gp)))
}

plot_calibration <- function(gp, given) {
  drawn <- gp_calibration(gp)
  open_panels(given)
  shown <- names(drawn)
  while (length(shown) > 1 && panel_share(length(shown)) * graphics::par("pin")[1] < 1) { # inch
    shown <- setdiff(shown, if ("coverage" %in% shown) "coverage" else "factors")
  }
  col <- "#1B5E8C"
  chance <- tint("#4C7A34", 0.25)
  up <- c(0, 1 - title_room())
  wide <- panel_share(length(shown))
  for (i in seq_along(shown)) {
    left <- if (i == 1) 0 else (i - 1) * (1 - wide) / (length(shown) - 1)
    draw <- switch(shown[i], pit = panel_pit, coverage = panel_coverage, factors = panel_factors)
    draw(drawn[[shown[i]]], c(left, left + wide), up, col, chance)
  }
  if ("pit" %in% shown) {
    draw_top(
      given, list(list("box", "observed", tint(col, 0.45)), list("box", "by chance, 95 times in 100", chance))
    )
  } else {
    draw_top(replace(given, "legend", FALSE), list())
  }
  drawn
}

# The width of each of so many panels beside one another, with axes between them.
panel_share <- function(panels) (1 - (panels - 1) * axis_room("100 %")) / panels

panel_pit <- function(pit, across, up, col, chance) {
  place <- panel(across, up, c(0, 1), c(0, 1.05 * max(pit$observed, pit$upr)))
  draw_pit(place, pit, tint(col, 0.45), chance)
  frame_panel(place, "density, 1 if right", xlab = "probability of a smaller value", ticks = c(2, 5))
}

panel_coverage <- function(coverage, across, up, col, chance) {
  place <- panel(across, up, c(0, 1), c(0, 1))
  draw_reliability(place, list(coverage), col, chance)
  frame_panel(
    place, "observations within", xlab = "central interval", percent = c(TRUE, TRUE), ticks = c(2, 5)
  )
}

# The levels stand at equal distances; between them there is nothing to see.
panel_factors <- function(factors, across, up, col, chance) {
  ends <- range(factors$factor)
  place <- panel(
    across, up, c(0.5, nrow(factors) + 0.5),
    c(min(0.8, ends[1] - 0.05 * diff(ends)), max(1.25, ends[2] + 0.05 * diff(ends)))
  )
  x <- place$x(seq_len(nrow(factors)))
  graphics::segments(across[1], place$y(1), across[2], place$y(1), lty = 2, col = "grey30")
  graphics::segments(x, place$y(1), x, place$y(factors$factor), col = tint(col, 0.45), lwd = 3, lend = 1)
  graphics::points(x, place$y(factors$factor), pch = 16, col = col)
  frame_panel(place, "factor of intervals", xlab = "prediction interval, %", bottom = FALSE)
  size <- min(1, 0.75 * (x[2] - x[1]) / graphics::strwidth("99")) * graphics::par("cex.axis")
  graphics::axis(
    1, at = x, labels = 100 * factors$level, pos = up[1], lwd = 0, lwd.ticks = 1, gap.axis = 0,
    cex.axis = size
  )
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
