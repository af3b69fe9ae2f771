# plot(gp, "points"): where the inducing points are, and where a row would become a new one.

point_numbers <- function(gp) {
  if (!is_started(gp)) abort("input", "the model has seen no data yet: it has no inducing points.")
  points <- gp_points(gp)
  colnames(points) <- column_names(gp)
  posterior <- gp_posterior(gp)
  kernel <- gp_info(gp)$kernel
  correlation <- kernel_correlation(kernel, unname(points), unname(points))
  diag(correlation) <- NA
  nearest <- if (nrow(points) > 1) apply(correlation, 1, max, na.rm = TRUE) else NA_real_
  view <- list(names = column_names(gp), times = column_times(state_of(gp)$frame))
  data.frame(
    input_columns(view, points), mean = as.vector(posterior$mean), sd = sqrt(diag(posterior$cov)),
    nearest = nearest, check.names = FALSE
  )
}

plot_points <- function(gp, columns, given, n) {
  drawn <- point_numbers(gp)
  view <- points_view(gp, columns, given$xlim)
  given[c("xlim", "ylim")] <- limit_numbers(view, given$xlim, given$ylim)
  D <- length(view$names)
  if (D == 1) {
    points_on_line(gp, view, given, n)
  } else if (D == 2 && length(view$shown) == 2) {
    points_on_map(gp, view, given, n)
  } else {
    points_projected(view, given)
  }
  drawn
}

# Of a factor the column of its first level: points are where they are.
points_view <- function(gp, columns, xlim) {
  view <- plot_view(gp, columns, NULL, xlim)
  if (!is.null(view$by)) {
    abort("parameter", "`columns` of plot(gp, \"points\") must have no factor beside another column, not ",
      backtick(view$by), ".")
  }
  view$seen$range <- apply(rbind(view$seen$range, unname(view$points)), 2, range)
  if (!is.null(view$factor)) view$shown <- view$shown[1]
  view
}

# Highest correlation of each row of x with a point; the threshold of the selector, NA where it has none.
nearness <- function(view, x) {
  apply(kernel_correlation(view$kernel, x, unname(view$points)), 1, max)
}

threshold <- function(gp) {
  rule <- gp_info(gp)$select
  if (rule$name == "oips") rule$rho else NA_real_
}

# `x`: as the axis has it.
line_numbers <- function(gp, view, xlim, n) {
  if (is.null(xlim)) xlim <- view_limits(view, 1)
  x <- curve_grid(view, xlim, n)
  drawn <- data.frame(x = number_to_time(x, view$times[[1]]), correlation = nearness(view, cbind(x)))
  drawn$open <- drawn$correlation < threshold(gp)
  drawn
}

points_on_line <- function(gp, view, given, n) {
  line <- line_numbers(gp, view, given$xlim, n)
  line$x <- as.double(line$x)
  rho <- threshold(gp)
  xlim <- line$x[c(1, nrow(line))]
  open_plot(
    given, xlim, if (is.null(given$ylim)) c(0, 1.05) else given$ylim,
    c(view$names, "highest correlation with a point"), times = view$times
  )
  edges <- graphics::par("usr")[3:4]
  half <- diff(line$x[1:2]) / 2
  runs <- true_runs(line$open)
  open_colour <- tint("#4C7A34", 0.2)
  if (nrow(runs) > 0) {
    graphics::rect(
      line$x[runs$first] - half, edges[1], line$x[runs$last] + half, edges[2], col = open_colour, border = NA
    )
  }
  if (!is.na(rho)) graphics::abline(h = rho, lty = 2, col = "grey40")
  graphics::lines(line$x, line$correlation, col = "#1B5E8C", lwd = 1.5)
  draw_rings(cbind(points_on_axes(view), 1), order_colours(nrow(view$points)))
  graphics::box(bty = "l")
  draw_top(given, Filter(Negate(is.null), list(
    order_key(nrow(view$points)), list("line", "highest correlation", "#1B5E8C"),
    if (!is.na(rho)) list("box", paste0("a row here joins (rho ", format(rho), ")"), open_colour)
  )))
}

# As map_numbers(): of each cell the highest correlation with a point.
nearness_numbers <- function(view, xlim, ylim, n) {
  if (is.null(xlim)) xlim <- view_limits(view, 1)
  if (is.null(ylim)) ylim <- view_limits(view, 2)
  side <- map_sides(xlim, ylim, if (is.null(n)) 101 else n)
  x <- view_inputs(view, as.matrix(expand.grid(side)))
  list(
    drawn = data.frame(input_columns(view, x), correlation = nearness(view, x), check.names = FALSE),
    side = axes_of(view, side), limits = axes_of(view, list(xlim, ylim))
  )
}

points_on_map <- function(gp, view, given, n) {
  rho <- threshold(gp)
  map <- nearness_numbers(view, given$xlim, given$ylim, n)
  palette <- nearness_palette()
  open_plot(
    given, map$limits[[1]], map$limits[[2]], view$names[view$shown], times = view$times[view$shown]
  )
  height <- map$drawn$correlation
  draw_surface(map$side, height, list(
    limits = c(0, 1), palette = palette, strength = rep(1, length(height)), levels = rho,
    seen = rep(TRUE, length(height)), lines = !is.na(rho)
  ))
  draw_rings(points_on_axes(view), order_colours(nrow(view$points)))
  graphics::box()
  label <- paste0("highest correlation", if (!is.na(rho)) paste0(" (line: rho ", format(rho), ")"))
  draw_top(given, list(order_key(nrow(view$points)), list("bar", label, palette, c(0, 1), rho[!is.na(rho)])))
}

nearness_palette <- function() grDevices::colorRampPalette(c("white", tint("#1B5E8C", 0.6)))(64)

points_projected <- function(view, given) {
  M <- nrow(view$points)
  one <- length(view$shown) == 1
  at <- if (one) cbind(points_on_axes(view), seq_len(M)) else points_on_axes(view)
  xlim <- if (is.null(given$xlim)) view_limits(view, 1) else given$xlim
  ylim <- if (!is.null(given$ylim)) given$ylim else if (one) c(0, M + 1) else view_limits(view, 2)
  limits <- axes_of(view, list(xlim, ylim))
  open_plot(
    given, limits[[1]], limits[[2]], c(view$names[view$shown], if (one) "order of joining"),
    times = view$times[view$shown]
  )
  draw_rings(at, order_colours(M))
  graphics::box()
  draw_top(given, list(order_key(M)))
}

# From the first point to the last: dark to light.
order_colours <- function(M) grDevices::colorRampPalette(c("#7A2A0C", "#F7C9A8", "#FDEFE6"))(max(M, 1))

order_key <- function(M) {
  if (M == 1) {
    list("ring", "inducing point", "#B5451B")
  } else {
    list("bar", "inducing points, first to last", order_colours(64), c(1, M), numeric())
  }
}
