#' Plots with ggplot2
#'
#' `ggplot2::autoplot()` of a model or an evaluation draws what [plot()][plot.StreamingGP] draws, as a ggplot
#' object, to which layers, scales and themes can be added. Needs the package ggplot2. `"points"` has no map
#' of correlations, `"calibration"` of a model not the share of observations that intervals hold.
#'
#' @param object A model made by [streaming_gp()], or an evaluation made by [evaluate()].
#' @param what,columns,at,xlim,ylim,n,level,score As in [plot.StreamingGP()] and [plot.gpstream_evaluation()].
#' @param ... Not used.
#' @return A ggplot object; its data are those that `plot()` returns.
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' library(ggplot2)
#' gp <- streaming_gp(dist ~ speed, data = cars, kernel = kernel_se(lengthscale = 8))
#' autoplot(gp) + theme_minimal()
#' autoplot(gp, "points")
#' @name autoplot
NULL

utils::globalVariables(".data") # the pronoun of aes()

#' @rdname autoplot
#' @exportS3Method ggplot2::autoplot
autoplot.StreamingGP <- function(object,
                                 what = c("fit", "history", "points", "calibration", "components", "effects"),
                                 columns = NULL, at = NULL, xlim = NULL, ylim = NULL, n = NULL, level = 0.95,
                                 ...) {
  check_no_dots(...)
  what <- check_choice(what, plot_kinds, "what")
  level <- check_fraction(level, "level")
  if (!is.null(n)) n <- check_count(n, "n", 2, most = 1e5)
  if (!is.null(xlim)) xlim <- check_limits(xlim, "xlim")
  if (!is.null(ylim)) ylim <- check_limits(ylim, "ylim")
  check_useful(what, list(columns = columns, at = at, xlim = xlim, ylim = ylim, n = n))
  if (what == "calibration") only_one_output(object, "autoplot(gp, \"calibration\")")
  if (!is.null(output_names(object)) && what == "points") object <- sharpest_output(object)
  picture <- switch(what,
    fit = autoplot_fit(object, columns, at, xlim, ylim, n, level),
    history = autoplot_history(object),
    points = autoplot_points(object, columns, xlim, ylim, n),
    calibration = autoplot_calibration(gp_calibration(object)),
    components = autoplot_components(object, at, n, level),
    effects = autoplot_effects(object, at, n, level)
  )
  picture + ggplot2::labs(title = plot_heading(object))
}

# --- fit ----------------------------------------------------------------------------------------------------

autoplot_fit <- function(gp, columns, at, xlim, ylim, n, level) {
  look <- function(gp) plot_view(gp, columns, at, xlim)
  view <- look(gp)
  limits <- limit_numbers(view, xlim, ylim)
  several <- !is.null(output_names(gp))
  if (shows_classes(gp)) {
    draw <- if (length(view$shown) == 2) autoplot_class_map else autoplot_class_curve
    return(draw(gp, view, limits$xlim, limits$ylim, n))
  }
  if (length(view$shown) == 2 && several) {
    abort("parameter", "autoplot() shows several outputs along one column, say `columns` = ",
      quoted(view$names[1]), "; plot() has maps.")
  }
  if (length(view$shown) == 2) return(autoplot_map(gp, view, limits$xlim, limits$ylim, n))
  drawn <- plain_durations(of_each_output(gp, function(one) {
    curve_numbers(one, look(one), limits$xlim, n, level)
  }))
  recent <- of_each_output(gp, function(one) as.data.frame(window_rows(one, view)))
  recent$x <- number_to_scale(recent$x, view$times[[view$shown]])
  percent <- paste0(format(100 * level), " %")
  colours <- curve_colours("#1B5E8C")
  name <- view$names[view$shown]
  bands <- stats::setNames(c(colours$narrow, colours$wide), paste(percent, c("confidence", "prediction")))
  wide <- !shows_probability(gp)
  classes <- axis_classes(gp)
  ggplot2::ggplot(drawn, ggplot2::aes(x = .data[[name]])) +
    (if (wide) {
      ggplot2::geom_ribbon(ggplot2::aes(ymin = .data$lwr_new, ymax = .data$upr_new, fill = names(bands)[2]))
    }) +
    ggplot2::geom_ribbon(ggplot2::aes(ymin = .data$lwr, ymax = .data$upr, fill = names(bands)[1])) +
    ggplot2::geom_point(ggplot2::aes(x = .data$x, y = .data$y), recent, colour = colours$rows, size = 0.8) +
    ggplot2::geom_line(ggplot2::aes(y = .data$fit), colour = colours$mean) +
    ggplot2::geom_rug(ggplot2::aes(x = .data$x), projected_rug(view),
      colour = colours$point, sides = "b") +
    ggplot2::scale_fill_manual(values = if (wide) bands else bands[1], name = NULL) +
    (if (!is.null(classes)) ggplot2::scale_y_continuous(breaks = seq_along(classes), labels = classes)) +
    (if (several) ggplot2::facet_wrap(ggplot2::vars(.data$output), scales = "free_y")) +
    ggplot2::coord_cartesian(ylim = limits$ylim) +
    axis_names(view, if (several) "" else response_label(gp)) +
    ggplot2::labs(subtitle = blank_null(view$note))
}

autoplot_map <- function(gp, view, xlim, ylim, n) {
  map <- map_numbers(view, xlim, ylim, n)
  map$drawn <- plain_durations(map$drawn)
  map$drawn$known <- map$known
  names <- view$names[view$shown]
  ggplot2::ggplot(map$drawn, ggplot2::aes(x = .data[[names[1]]], y = .data[[names[2]]])) +
    ggplot2::geom_raster(ggplot2::aes(fill = ifelse(.data$known, .data$fit, NA))) +
    ggplot2::geom_point(data = projected_points(view), shape = 21, fill = "white", colour = "#B5451B") +
    ggplot2::scale_fill_gradientn(colours = map_palette(), na.value = "white", name = response_name(gp)) +
    axis_names(view) + ggplot2::labs(subtitle = blank_null(view$note))
}

# `up`: what is not a column.
axis_names <- function(view, up = NULL) {
  labels <- c(axis_labels(view$names[view$shown], view$times[view$shown]), up)
  ggplot2::labs(x = labels[1], y = labels[2])
}

blank_null <- function(text) if (is_blank(text)) NULL else text

projected_rug <- function(view) {
  data.frame(x = number_to_scale(view$points[, view$shown], view$times[[view$shown]]))
}

projected_points <- function(view) {
  frame <- plain_durations(input_columns(view, view$points)[view$shown])
  frame$order <- seq_len(nrow(frame))
  frame
}

# --- history ------------------------------------------------------------------------------------------------

# One row for each panel and batch.
autoplot_history <- function(gp) {
  history <- history_numbers(gp)
  scored <- history[history$scored > 0, ]
  if (nrow(scored) == 0) inform("No error and coverage yet: ", how_to_score)
  panels <- c("inducing points", paste("RMSE of", response_name(gp)), "coverage of 95 % intervals")
  part <- function(rows, i, each, so_far, lwr = NULL, upr = NULL) {
    fill <- function(values) if (is.null(values)) rep(NA_real_, nrow(rows)) else values
    data.frame(
      panel = rep(panels[i], nrow(rows)), nobs = rows$nobs, each = each, so_far = so_far, lwr = fill(lwr),
      upr = fill(upr)
    )
  }
  drawn <- rbind(
    part(history, 1, history$points, history$points),
    part(scored, 2, scored$rmse, scored$rmse_so_far),
    part(scored, 3, scored$coverage, scored$coverage_so_far, scored$lwr, scored$upr)
  )
  drawn$panel <- factor(drawn$panel, panels[panels %in% drawn$panel])
  picture <- ggplot2::ggplot(drawn, ggplot2::aes(x = .data$nobs)) +
    ggplot2::facet_wrap(~panel, ncol = 1, scales = "free_y")
  if (nrow(scored) > 0) {
    band <- drawn[drawn$panel == panels[3], ]
    picture <- picture +
      ggplot2::geom_ribbon(ggplot2::aes(ymin = .data$lwr, ymax = .data$upr), band,
        fill = tint("#4C7A34", 0.2)) +
      ggplot2::geom_hline(
        ggplot2::aes(yintercept = .data$level), data.frame(panel = band$panel[1], level = history_level),
        linetype = 2
      )
  }
  series <- if (nrow(history) > 1) ggplot2::geom_line else ggplot2::geom_point
  zero <- data.frame(panel = factor(levels(drawn$panel)[1], levels(drawn$panel)), nobs = 0, y = 0)
  picture + ggplot2::geom_blank(ggplot2::aes(y = .data$y), zero) +
    series(ggplot2::aes(y = .data$each), colour = "grey70") +
    series(ggplot2::aes(y = .data$so_far), colour = "#1B5E8C") +
    ggplot2::labs(x = "observations", y = NULL)
}

# --- points -------------------------------------------------------------------------------------------------

autoplot_points <- function(gp, columns, xlim, ylim, n) {
  points <- plain_durations(point_numbers(gp))
  points$order <- seq_len(nrow(points))
  view <- plot_view(gp, columns, NULL, xlim)
  limits <- limit_numbers(view, xlim, ylim)
  shown <- limits_on_axes(view, limits)
  names <- view$names[view$shown]
  colours <- ggplot2::scale_fill_gradientn(colours = order_colours(64), name = "order")
  rings <- function(y) {
    ggplot2::geom_point(
      ggplot2::aes(y = {{ y }}, fill = .data$order), shape = 21, colour = "#B5451B", size = 2
    )
  }
  picture <- ggplot2::ggplot(points, ggplot2::aes(x = .data[[names[1]]]))
  if (length(view$names) == 1) {
    line <- plain_durations(line_numbers(gp, view, limits$xlim, n))
    picture + ggplot2::geom_line(ggplot2::aes(x = .data$x, y = .data$correlation), line, colour = "#1B5E8C") +
      (if (!is.na(threshold(gp))) ggplot2::geom_hline(yintercept = threshold(gp), linetype = 2)) +
      rings(1) + colours + ggplot2::coord_cartesian(ylim = ylim) +
        axis_names(view, "highest correlation with a point")
  } else if (length(names) == 2) {
    picture + rings(.data[[names[2]]]) + colours + ggplot2::coord_cartesian(shown[[1]], shown[[2]]) +
      axis_names(view)
  } else {
    picture + rings(.data$order) + colours + ggplot2::coord_cartesian(shown[[1]], ylim) +
      axis_names(view, "order of joining")
  }
}

# --- calibration --------------------------------------------------------------------------------------------

autoplot_calibration <- function(calibration) {
  names <- c(
    pit = "density at the probability of a smaller value, 1 if right", factors = "factor of intervals"
  )
  parts <- calibration[intersect(names(names), names(calibration))]
  both <- length(parts) > 1
  if (both) for (part in names(parts)) parts[[part]]$panel <- factor(names[[part]], names)
  picture <- ggplot2::ggplot(parts[[1]]) + ggplot2::geom_hline(yintercept = 1, linetype = 2)
  if (both) picture <- picture + ggplot2::facet_wrap(~panel, ncol = 1, scales = "free")
  if (!is.null(parts$pit)) picture <- picture + layers_pit(parts$pit)
  if (!is.null(parts$factors)) picture <- picture + layers_factors(parts$factors)
  picture + if (both) {
    ggplot2::labs(x = "probability", y = NULL)
  } else if (!is.null(parts$pit)) {
    ggplot2::labs(x = "probability of a smaller value", y = "density, 1 if right")
  } else {
    ggplot2::labs(x = "probability of the prediction interval", y = names[["factors"]])
  }
}

layers_pit <- function(pit) {
  edges <- pit[c(1, 1), ]
  edges$at <- c(pit$lwr[1], pit$upr[1])
  list(
    ggplot2::geom_col(ggplot2::aes(x = (.data$from + .data$to) / 2, y = .data$observed), pit,
      width = 1 / nrow(pit), fill = tint("#1B5E8C", 0.45), colour = "white"),
    ggplot2::geom_hline(ggplot2::aes(yintercept = .data$at), edges, linetype = 3, colour = "#4C7A34"),
    ggplot2::labs(subtitle = "between the dotted lines by chance, 95 times in 100")
  )
}

layers_factors <- function(factors) {
  list(
    ggplot2::geom_segment(
      ggplot2::aes(x = .data$level, xend = .data$level, y = 1, yend = .data$factor), factors,
      colour = tint("#1B5E8C", 0.45), linewidth = 1
    ),
    ggplot2::geom_point(ggplot2::aes(x = .data$level, y = .data$factor), factors, colour = "#1B5E8C")
  )
}
