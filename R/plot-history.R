# plot(gp, "history"): inducing points, error and coverage along the stream; of classes, how many were right.

# gp$history, and what the scores come to so far. Batches that were not scored count for nothing.
history_numbers <- function(gp) {
  history <- gp_history(gp)
  if (nrow(history) == 0) abort("input", "the model has seen no data yet: there is no history to show.")
  so_far <- function(means) cumsum(ifelse(history$scored > 0, history$scored * means, 0))
  n <- cumsum(history$scored)
  n[n == 0] <- NA
  history$rmse_so_far <- sqrt(so_far(history$rmse^2) / n)
  classes <- has_classes(likelihood_of(gp))
  if (classes) history$accuracy_so_far <- so_far(history$accuracy) / n
  history$coverage_so_far <- if (classes) NA_real_ else so_far(history$coverage) / n
  cbind(history, chance_band(if (classes) n * NA else n, history_level))
}

# The share that is shown: its column, and its title.
history_share <- function(gp) {
  if (has_classes(likelihood_of(gp))) {
    list(name = "accuracy", title = "share of rows whose class was the most probable")
  } else {
    list(name = "coverage", title = "coverage of 95 % prediction intervals")
  }
}

# Said where there are no scores.
how_to_score <- "consume() and evaluate() score batches before they are learned, gp$update() does not."

history_level <- 0.95 # of the intervals whose coverage is noted

# Between which shares of n independent rows an event of probability p lies, 95 times in 100.
chance_band <- function(n, p) {
  data.frame(lwr = stats::qbinom(0.025, n, p) / n, upr = stats::qbinom(0.975, n, p) / n)
}

plot_history <- function(gp, given) {
  history <- history_numbers(gp)
  scored <- history[history$scored > 0, ]
  panels <- if (nrow(scored) > 0) 3 else 1
  covers <- !has_classes(likelihood_of(gp))
  if (panels == 1) inform("No error and coverage yet: ", how_to_score)
  open_panels(given)
  xlim <- c(0, max(history$nobs))
  strip <- function(i, ylim) {
    panel(c(0, 1), c(panels - i, panels - i + 1) / panels - c(0, title_room()), xlim, ylim)
  }
  col <- "#1B5E8C"

  points <- strip(1, c(0, max(history$points, 1)))
  graphics::lines(
    points$x(c(0, history$nobs)), points$y(c(0, history$points)), type = "s", col = col, lwd = 2, xpd = NA
  )
  if (nrow(history) <= 60) {
    graphics::points(
      points$x(history$nobs), points$y(history$points), pch = 16, cex = 0.7, col = col, xpd = NA
    )
  }
  frame_panel(points, "inducing points", bottom = panels == 1, ticks = c(5, if (panels == 1) 5 else 3))
  if (panels == 3) {
    error <- strip(2, c(0, max(scored$rmse)))
    draw_series(error, scored$nobs, scored$rmse, scored$rmse_so_far, "#B5451B")
    frame_panel(
      error, paste("RMSE of", response_name(gp), "on rows not yet learned"), bottom = FALSE, ticks = c(5, 3)
    )
    shown <- history_share(gp)
    each <- scored[[shown$name]]
    share <- strip(3, c(min(each, 0.85), 1))
    if (covers) {
      panel_band(share, scored$nobs, scored$lwr, scored$upr, tint("#4C7A34", 0.2))
      graphics::segments(0, share$y(history_level), 1, share$y(history_level), lty = 2, col = "grey40")
    }
    draw_series(share, scored$nobs, each, scored[[paste0(shown$name, "_so_far")]], "#4C7A34")
    frame_panel(share, shown$title, percent = c(FALSE, TRUE), ticks = c(5, 3))
  }
  label_below(if (is.null(given$xlab)) "observations" else given$xlab, points)
  if (panels == 3) draw_top(given, history_key(covers)) else draw_top(replace(given, "legend", FALSE), list())
  history
}

# Light and with dots where there are few: each batch; dark: all so far.
draw_series <- function(panel, x, each, so_far, col) {
  x <- panel$x(x)
  light <- tint(col, 0.55)
  graphics::lines(x, panel$y(each), col = light)
  if (length(x) <= 60) graphics::points(x, panel$y(each), pch = 16, cex = 0.5, col = light)
  graphics::lines(x, panel$y(so_far), col = col, lwd = 2)
}

history_key <- function(covers = TRUE) {
  c(
    list(list("thin", "each batch, light", "grey60"), list("line", "all so far, dark", "grey20")),
    if (covers) list(list("box", "by chance, 95 times in 100", tint("#4C7A34", 0.2)))
  )
}
