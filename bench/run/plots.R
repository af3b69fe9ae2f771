# The pictures of the benchmark, from its tables alone.

blue <- "#1B5E8C"
red <- "#B5451B"
green <- "#4C7A34"
purple <- "#6B4C8C"
brown <- "#8C6D1B"
grey <- "grey55"
colours <- c(gpstream = blue, laGP = red, hetGP = green, DiceKriging = purple, mgcv = brown, GPTreeO = "#2F8C8C", kernlab = grey)

draw_plots <- function(table, curve, out) {
  have <- function(workload) any(table$workload == workload)
  if (have("W2 one row") && !is.null(curve)) picture(out, "cost-n", cost_by_n(table, curve))
  if (have("by M")) picture(out, "cost-m", cost_by_m(table))
  if (have("stream")) picture(out, "accuracy-time", accuracy_by_time(table), width = 9.4)
}

picture <- function(out, name, code, width = 6.4, height = 4.4) {
  png(file.path(out, paste0(name, ".png")), width, height, units = "in", res = 100, type = if (capabilities("cairo")) "cairo" else getOption("bitmapType"))
  on.exit(dev.off())
  par(mar = c(3.8, 4.2, 2.4, 1), mgp = c(2.6, 0.6, 0), las = 1, cex.main = 1, font.main = 1, tcl = -0.3)
  code
}

# Logarithmic axes with labels 10, 100, 1,000.
log_frame <- function(x, y, xlab, ylab, main = "") {
  plot(1, 1, type = "n", log = "xy", xlim = x, ylim = y, xlab = xlab, ylab = ylab, main = main, axes = FALSE)
  for (side in 1:2) {
    decades <- 10^seq(floor(min(par("usr")[2 * side - 1])), ceiling(par("usr")[2 * side]))
    axis(side, decades, format(decades, big.mark = ",", scientific = FALSE, trim = TRUE, drop0trailing = TRUE), lwd = 0, lwd.ticks = 1)
    abline(v = if (side == 1) decades, h = if (side == 2) decades, col = "grey90")
  }
  box(col = "grey60")
}

cost_by_n <- function(table, curve) {
  exact <- table[table$workload == "W2 one row" & grepl(": update$", table$setting) & table$method %in% c("laGP", "hetGP", "DiceKriging"), ]
  log_frame(c(10, max(curve$n)), range(curve$median, exact$median) * c(0.6, 1.5), "rows so far", "microseconds for one more row",
            "One row at a time: what the next one costs")
  curve <- curve[curve$n >= 10, ]
  for (part in split(curve, paste(curve$points, curve$order))) {
    lines(part$n, part$median, col = blue, lwd = 2, lty = if (part$order[1] == "random") 1 else 2)
  }
  for (name in unique(exact$method)) {
    part <- exact[exact$method == name, ]
    part <- part[order(part$rows), ]
    points(part$rows, part$median, type = "o", col = colours[name], pch = 19, cex = 0.7, lwd = 2)
  }
  sets <- unique(curve[c("points", "order")])
  legend("topright", c(sprintf("gpstream, %d points, %s stream", sets$points, sets$order), unique(exact$method)), bty = "n", cex = 0.8, lwd = 2,
         col = c(rep(blue, nrow(sets)), colours[unique(exact$method)]), lty = c(ifelse(sets$order == "random", 1, 2), rep(1, length(unique(exact$method)))))
}

cost_by_m <- function(table) {
  part <- table[table$workload == "by M", ]
  log_frame(range(part$points), range(part$median) * c(0.6, 2), "inducing points M", "microseconds per row", "What a row costs against M")
  tasks <- unique(part$method)
  shade <- setNames(c(blue, purple, red, grey, green)[seq_along(tasks)], tasks)
  for (task in tasks) {
    own <- part[part$method == task, ]
    points(own$points, own$median, type = "o", col = shade[task], pch = 19, cex = 0.7, lwd = 2)
  }
  M <- range(part$points)
  lines(M, max(part$median) * 1.4 * (M / M[2])^2, lty = 3)
  words <- c("gpstream" = "update by one row", "gpstream, one row and one prediction" = "the same, then predict one", "gpstream, batch of 1000" = "update by 1000 rows",
             "gpstream, predict mean" = "predict 1000, mean", "gpstream, predict mean and sd" = "predict 1000, mean and sd")
  legend("topleft", c(words[tasks], "slope 2"), col = c(shade, "black"), lwd = c(rep(2, length(tasks)), 1), lty = c(rep(1, length(tasks)), 3), bty = "n", cex = 0.8)
}

accuracy_by_time <- function(table) {
  par(mfrow = c(1, 2))
  part <- table[table$workload == "stream", ]
  part$family <- sub(",.*", "", part$method)
  limit <- range(part$rmse)
  for (setting in unique(part$setting)) {
    at <- part[part$setting == setting, ]
    log_frame(range(part$median) * c(0.8, 1.3), limit * c(0.8, 1.3), "seconds for the whole stream", "RMSE afterwards", sub(",.*", " stream", setting))
    for (family in unique(at$family)) {
      one <- at[at$family == family, ]
      without <- grepl("no look-back", one$method)
      for (kind in unique(without)) {
        some <- one[without == kind, ]
        some <- some[order(some$median), ]
        points(some$median, some$rmse, type = "o", pch = if (kind) 1 else 19, lty = if (kind) 2 else 1, lwd = 2, cex = 0.8, col = colours[family])
      }
    }
    if (setting == part$setting[1]) {
      families <- setdiff(unique(part$family), "gpstream")
      legend("topright", c("gpstream", "gpstream, no look-back", families), col = c(blue, blue, colours[families]), pch = c(19, 1, rep(19, length(families))),
             lty = c(1, 2, rep(1, length(families))), lwd = 2, bty = "n", cex = 0.75)
    }
  }
}
