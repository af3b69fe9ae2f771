# The pictures of the benchmark, from its tables alone.

blue <- "#1B5E8C"
pale <- "#6FA8D0"
dark <- "#0B2C45"
red <- "#B5451B"
green <- "#4C7A34"
purple <- "#6B4C8C"
brown <- "#8C6D1B"
grey <- "grey55"
colours <- c(gpstream = blue, laGP = red, hetGP = green, DiceKriging = purple, mgcv = brown, GPTreeO = "#2F8C8C", kernlab = grey)

draw_plots <- function(table, curve, out) {
  have <- function(workload) any(table$workload == workload)
  if (have("W2 one row") && !is.null(curve)) picture(out, "cost-n", 7.4, cost_by_n(table, curve))
  if (have("by M")) picture(out, "cost-m", 7.4, cost_by_m(table))
  if (have("stream")) picture(out, "accuracy-time", 9.4, accuracy_by_time(table))
}

picture <- function(out, name, width, code) {
  png(file.path(out, paste0(name, ".png")), width, 4, units = "in", res = 100, type = if (capabilities("cairo")) "cairo" else getOption("bitmapType"))
  on.exit(dev.off())
  par(mar = c(3.4, 4.4, 2.2, 1), las = 1, cex.main = 1, font.main = 1, tcl = -0.3)
  code
}

# Logarithmic axes, with marks at 1, 2, 5 where there is room.
log_frame <- function(x, y, xlab, ylab, main, xwords = plain_numbers, ywords = plain_numbers) {
  plot(1, 1, type = "n", log = "xy", xlim = x, ylim = y, xlab = "", ylab = "", main = main, axes = FALSE)
  for (side in 1:2) {
    span <- par("usr")[2 * side - 1:0]
    decades <- 10^seq(floor(span[1]), ceiling(span[2]))
    marks <- sort(if (diff(span) < 2.5) c(decades, 2 * decades, 5 * decades) else decades)
    marks <- marks[log10(marks) >= span[1] & log10(marks) <= span[2]]
    axis(side, marks, (if (side == 1) xwords else ywords)(marks), lwd = 0, lwd.ticks = 1, cex.axis = 0.85, mgp = c(3, if (side == 1) 0.5 else 0.6, 0))
    abline(v = if (side == 1) marks, h = if (side == 2) marks, col = "grey92")
  }
  box(col = "grey60")
  title(xlab = xlab, line = 2)
  title(ylab = ylab, line = 3.3)
}

plain_numbers <- function(x) vapply(x, format, "", big.mark = ",", scientific = FALSE, drop0trailing = TRUE)

# From microseconds.
durations <- function(us) {
  unit <- findInterval(us, c(0, 1e3, 1e6) * 0.999)
  paste(plain_numbers(signif(us / c(1, 1e3, 1e6)[unit], 3)), c("\u00b5s", "ms", "s")[unit])
}
seconds <- function(s) durations(1e6 * s)

# A key beside the plot, in the right margin.
key <- function(words, col, lty = 1, pch = NA) {
  usr <- par("usr")
  legend(10^(usr[2] + 0.02 * (usr[2] - usr[1])), 10^usr[4], words, col = col, lty = lty, pch = pch, lwd = 2, pt.cex = 0.8, bty = "n", cex = 0.85, xpd = NA, seg.len = 1.6)
}

cost_by_n <- function(table, curve) {
  par(mar = c(3.4, 4.6, 2.2, 11.5))
  curve <- curve[curve$n >= 10, ]
  exact <- table[table$workload == "W2 one row" & grepl(": update$", table$setting) & table$method %in% c("laGP", "hetGP", "DiceKriging"), ]
  log_frame(c(10, max(curve$n)), range(curve$median, exact$median) * c(0.6, 1.5), "rows so far", "time for the next row",
            "One row at a time: what the next one costs", ywords = durations)
  kinds <- unique(curve[c("points", "order")])
  kinds$lty <- ifelse(kinds$order == "random", 1, 2)
  kinds$col <- ifelse(kinds$points > 200, blue, pale)
  for (k in seq_len(nrow(kinds))) {
    part <- curve[curve$points == kinds$points[k] & curve$order == kinds$order[k], ]
    lines(part$n, part$median, col = kinds$col[k], lwd = 2, lty = kinds$lty[k])
  }
  names <- rev(unique(exact$method))
  for (name in names) {
    part <- exact[exact$method == name, ]
    part <- part[order(part$rows), ]
    points(part$rows, part$median, type = "o", col = colours[name], pch = 19, cex = 0.8, lwd = 2)
  }
  key(c(paste0(names, rep(", exact", length(names))), sprintf("gpstream, M = %.0f, %s", kinds$points, kinds$order)), c(colours[names], kinds$col),
      c(rep(1, length(names)), kinds$lty), c(rep(19, length(names)), rep(NA, nrow(kinds))))
}

cost_by_m <- function(table) {
  par(mar = c(3.4, 4.6, 2.2, 11.5))
  part <- table[table$workload == "by M", ]
  log_frame(range(part$points), range(part$median) * c(0.6, 2), "inducing points M", "time per row", "What a row costs against M", ywords = durations)
  words <- c("gpstream, one row and one prediction" = "one row, predict one", "gpstream" = "one row", "gpstream, batch of 1000" = "a batch of 1000",
             "gpstream, predict mean and sd" = "predict 1000, mean, sd", "gpstream, predict mean" = "predict 1000, mean")
  shade <- setNames(c(purple, blue, red, green, grey), names(words))
  for (task in names(words)) {
    own <- part[part$method == task, ]
    points(own$points, own$median, type = "o", col = shade[task], pch = 19, cex = 0.8, lwd = 2)
  }
  M <- range(part$points)
  lines(M, max(part$median) * 1.4 * (M / M[2])^2, lty = 3)
  key(c(words, "slope 2"), c(shade, "black"), c(rep(1, length(words)), 3))
}

accuracy_by_time <- function(table) {
  layout(matrix(1:2, 1), widths = c(1, 1.575))
  part <- table[table$workload == "stream", ]
  part$family <- sub(",.*", "", part$method)
  part <- part[part$family != "kernlab", ] # no useful fit: it would only squeeze the others
  families <- setdiff(unique(part$family), "gpstream")
  looks <- c("look-back 1000" = dark, "look-back 100" = blue, "look-back 0" = pale)
  for (setting in unique(part$setting)) {
    last <- setting == part$setting[nrow(part)]
    par(mar = c(3.4, 4.6, 2.2, if (last) 11.5 else 1))
    at <- part[part$setting == setting, ]
    log_frame(range(part$median) * c(0.8, 1.3), range(part$rmse) * c(0.8, 1.3), "time for the whole stream", "RMSE afterwards", sub(",.*", " stream", setting), seconds)
    for (family in families) joined(at[at$family == family, ], colours[family], 19)
    own <- at[at$family == "gpstream", ]
    look <- ifelse(own$method == "gpstream", "look-back 100", sub(".*, ", "", own$method))
    for (kind in rev(names(looks))) joined(own[look == kind, ], looks[kind], 17)
  }
  key(c(paste0("gpstream, ", names(looks)), families), c(looks, colours[families]), pch = rep(c(17, 19), c(length(looks), length(families))))
}

joined <- function(some, col, pch) {
  some <- some[order(some$points, some$rows), ]
  points(some$median, some$rmse, type = "o", pch = pch, lwd = 2, cex = 0.8, col = col)
}
