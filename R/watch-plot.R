# The pictures of the live page: plain functions of the player. As in plot.R, no graphical parameter is
# changed.

watch_colours <- list(
  mean = "#1B5E8C", rows = "grey55", newest = "#4C7A34", point = "#B5451B", fresh = "#E8A33D",
  surprise = "#C2185B"
)

# `across` and `up` are columns of the model by number; `up = 0` is the response. `near`: only where the
# latest rows are.
watch_picture <- function(player, across = NULL, up = NULL, near = FALSE) {
  gp <- player$gp
  if (!is_started(gp)) return(watch_nothing("Waiting for the first batch"))
  if (is.null(player$seen)) return(invisible(plot.StreamingGP(gp)))
  D <- ncol(player$seen$x)
  axes <- watch_axes(gp, across, up)
  if (D == 1) {
    watch_curve(player, near)
  } else if (axes[2] > 0) {
    watch_map(player, axes, near)
  } else {
    watch_newest(player, axes[1])
  }
}

# What is shown unless the user chooses: the map of two columns; with more, the response along the column of
# time or the first one. A factor, told by the column of its first level, has no map.
watch_axes <- function(gp, across = NULL, up = NULL) {
  frame <- gp_frame(gp)
  choices <- watch_choices(gp)
  if (is.null(across)) {
    timed <- which(!vapply(column_times(frame), is.null, NA))
    across <- if (frame$D > 2) c(timed, choices$across)[[1]] else choices$across[[1]]
  }
  if (is.null(up)) up <- if (frame$D == 2) 3 - across else 0
  c(across, if (up == across || !all(c(across, up) %in% choices$up)) 0 else up)
}

watch_choices <- function(gp) {
  names <- column_names(gp)
  factors <- factor_columns(gp_frame(gp))
  numeric <- setdiff(seq_along(names), unlist(factors))
  up <- stats::setNames(numeric, names[numeric])
  list(across = c(up, vapply(factors, function(levels) levels[1], 0L)), up = up)
}

watch_nothing <- function(text) {
  graphics::plot.default(0, 0, type = "n", axes = FALSE, xlab = "", ylab = "", main = "")
  graphics::text(0, 0, text, col = "grey40")
}

# The range of a column: of all rows, or of those that are kept to be shown.
watch_limits <- function(player, column, near) {
  wider(if (near) range(player$seen$x[, column]) else player$limits[, column])
}

wider <- function(limits) {
  if (diff(limits) > 0) return(grDevices::extendrange(limits, f = 0.04))
  limits + c(-1, 1) * max(1, abs(limits[1]) / 100)
}

# The axes hold what was seen, not all of the band, so that they stand still.
watch_curve <- function(player, near) {
  gp <- player$gp
  view <- plot_view(gp, 1, NULL, NULL)
  seen <- player$seen
  newest <- is_newest(seen)
  y <- if (near) range(seen$y) else player$limits[, 2]
  below <- if (is_gaussian(gp)) -0.2 else -0.09 # no tick where there is no count
  ylim <- if (diff(y) > 0) y + c(below, 0.12) * diff(y) else y + c(-1, 1)
  given <- list(xlim = watch_limits(player, 1, near), ylim = ylim, main = "", note = "", legend = FALSE)
  n <- if (nrow(view$points) > 300) {
    301
  } else {
    min(max(301, ceiling(12 * diff(given$xlim) / view_radius(view, 1))), 1201)
  }
  if (shows_classes(gp)) {
    drawn <- plot_class_curve(gp, view, replace(given, "legend", TRUE)[names(given) != "ylim"], n, NULL)
    watch_ticks(points_on_axes(view)[is_fresh(player), 1])
    return(invisible(drawn))
  }
  col <- watch_colours
  drawn <- plot_curve(gp, view, given, n, 0.95, col$mean, list(x = numeric(), y = numeric()))
  x <- on_axis(view, 1, seen$x)
  graphics::points(x, seen$y, pch = 16, cex = 0.5, col = col$rows)
  graphics::lines(as.double(drawn[[1]]), drawn$fit, col = col$mean, lwd = 2)
  graphics::points(x[newest], seen$y[newest], pch = 16, cex = 0.9, col = col$newest)
  watch_surprises(x, seen$y, seen$surprise)
  watch_ticks(points_on_axes(view)[is_fresh(player), 1])
  given$legend <- TRUE
  key <- curve_key(view, 0.95, curve_colours(col$mean), gp_info(gp), list(x = NULL), !shows_probability(gp))
  more <- list(
    list("tick", "new point", col$fresh), list("dot", "row", col$rows),
    list("dot", "newest batch", col$newest)
  )
  draw_top(given, c(key, more, surprise_key(seen$surprise)))
  invisible(drawn)
}

# A ring around rows that the model thought improbable.
watch_surprises <- function(x, y, surprise) {
  graphics::points(x[surprise], y[surprise], pch = 1, cex = 1.7, lwd = 2, col = watch_colours$surprise)
}

surprise_key <- function(surprise) {
  if (any(surprise)) list(list("ring", "surprising, 1 in 1,000", watch_colours$surprise))
}

# New inducing points, along the bottom.
watch_ticks <- function(at) {
  usr <- graphics::par("usr")
  if (length(at) > 0) {
    graphics::segments(at, usr[3], at, usr[3] + 0.07 * diff(usr[3:4]), lwd = 3, col = watch_colours$fresh)
  }
}

watch_map <- function(player, axes, near) {
  gp <- player$gp
  view <- plot_view(gp, axes, NULL, NULL)
  limits <- lapply(axes, function(column) watch_limits(player, column, near))
  given <- list(xlim = limits[[1]], ylim = limits[[2]], main = "", note = "", legend = FALSE)
  cells <- if (nrow(view$points) > 300) 61 else if (nrow(view$points) > 100) 91 else 121 # draws in time
  drawn <- if (shows_classes(gp)) {
    plot_class_map(gp, view, replace(given, "legend", TRUE), cells, NULL)
  } else {
    plot_map(gp, view, given, cells, NULL)
  }
  newest <- is_newest(player$seen)
  col <- watch_colours
  graphics::points(
    points_on_axes(view)[is_fresh(player), , drop = FALSE], pch = 21, bg = col$fresh, col = col$point,
    cex = 1.3
  )
  rows <- points_on_axes(view, player$seen$x)
  graphics::points(rows[newest, , drop = FALSE], pch = 16, cex = 0.8)
  watch_surprises(rows[, 1], rows[, 2], player$seen$surprise)
  if (shows_classes(gp)) return(invisible(drawn))
  given <- replace(given, c("note", "legend"), list(view$note, TRUE))
  draw_top(given, c(
    map_key(map_scale(gp, drawn, "fit")),
    list(
      list("ring", "inducing point", col$point), list("dot", "new point", col$fresh),
      list("dot", "newest batch", "black")
    ), surprise_key(player$seen$surprise)
  ))
  invisible(drawn)
}

# Many columns: the newest rows along one of them, what was observed and what the model says now. Rows of a
# level stand beside one another, in their order.
watch_newest <- function(player, across, most = 100) {
  gp <- player$gp
  seen <- player$seen
  last <- utils::tail(seq_along(seen$y), most)
  time <- column_times(gp_frame(gp))[[across]]
  factor <- names(Filter(function(columns) across %in% columns, factor_columns(gp_frame(gp))))
  levels <- gp_frame(gp)$xlevels[factor][1][[1]]
  on_axis <- function(numbers) as.double(number_to_time(numbers, time))
  x <- if (is.null(levels)) {
    on_axis(seen$x[last, across])
  } else {
    own <- seen$x[last, factor_columns(gp_frame(gp))[[factor]], drop = FALSE]
    max.col(own, "first") + seq(-0.3, 0.3, length.out = length(last))
  }
  y <- seen$y[last]
  new <- predictive_at(gp_handle(gp), seen$x[last, , drop = FALSE])
  drawn <- data.frame(x = x, y = y, fit = predictive_shown(new), predictive_interval(new, 0.95))
  newest <- is_newest(seen)[last]
  col <- watch_colours
  given <- list(main = "", note = "", legend = TRUE)
  ylim <- with_room(range(y, drawn$lwr, drawn$upr))
  if (is.null(levels)) {
    moving <- if (is.null(time)) watch_limits(player, across, TRUE) else wider(range(seen$x[last, across]))
    xlim <- on_axis(moving)
    open_response_plot(gp, given, xlim, ylim, column_names(gp)[across], time)
  } else {
    open_response_plot(gp, given, c(0.5, length(levels) + 0.5), ylim, factor, xaxt = "n")
    graphics::axis(1, seq_along(levels), levels)
  }
  wide <- !shows_probability(gp) && !shows_classes(gp)
  if (wide) graphics::segments(x, drawn$lwr, x, drawn$upr, col = tint(col$mean, 0.3), lwd = 3)
  graphics::points(x, drawn$fit, pch = 16, cex = 0.8, col = col$mean)
  graphics::points(
    x, y, pch = 21, cex = 0.9, col = ifelse(newest, col$newest, "grey40"),
    bg = ifelse(newest, col$newest, "white")
  )
  watch_surprises(x, y, seen$surprise[last])
  graphics::box(bty = "l")
  key <- list(
    list("dot", "predicted", col$mean), if (wide) list("box", "95 % prediction", tint(col$mean, 0.3)),
    list("ring", "observed", "grey40"), list("dot", "newest batch", col$newest)
  )
  draw_top(given, c(Filter(Negate(is.null), key), surprise_key(seen$surprise[last])))
  invisible(drawn)
}

# --- over time ----------------------------------------------------------------------------------------------

watch_error <- function(player) {
  table <- player_table(player$record)
  table <- table[is.finite(table$rmse), ]
  if (nrow(table) == 0) return(watch_nothing("No rows scored yet"))
  # of other likelihoods the dispersion is none, or not on the scale of errors
  noise <- if (is_gaussian(player$gp)) sigma.StreamingGP(player$gp)
  watch_trend(table$nobs, table$rmse, c(0, 1.15 * max(table$rmse, noise)), watch_colours$mean)
  if (!is.null(noise)) graphics::abline(h = noise, lty = 2, col = "grey40")
  at <- alarms_at(player$gp)
  graphics::abline(v = at, col = watch_colours$point)
  if (length(at) > 0) graphics::mtext("alarm", at = at, cex = 0.8 * graphics::par("cex"), col = "grey30")
  if (!is.null(noise)) {
    graphics::mtext(" noise", side = 4, at = noise, las = 1, cex = 0.9 * graphics::par("cex"), col = "grey30")
  }
  invisible(table)
}

watch_growth <- function(player) {
  record <- player$record
  if (nrow(record) < 2) return(watch_nothing("No rows yet"))
  watch_trend(
    record[, "nobs"], record[, "points"], c(0, 1.1 * max(record[, "points"])), watch_colours$point, "s"
  )
  invisible(record)
}

watch_trend <- function(x, y, ylim, col, type = if (length(x) > 1) "l" else "p") {
  graphics::plot.default(x, y,
    type = type, xlim = c(0, 1.02 * max(x)), ylim = ylim, las = 1, bty = "l", xaxs = "i", yaxs = "i",
    lab = c(5, 3, 7), main = "", xlab = "", ylab = "", col = col, lwd = 2, pch = 16
  )
}
