#' Plots with ggplot2
#'
#' `ggplot2::autoplot()` of a model or an evaluation draws what [plot()][plot.StreamingGP] draws, as a ggplot
#' object, to which layers, scales and themes can be added. Needs the package ggplot2. `"calibration"` of a
#' model has not the share of observations that intervals hold; several outputs are shown along one column.
#'
#' @param object A model made by [streaming_gp()], or an evaluation made by [evaluate()].
#' @param what,columns,at,xlim,ylim,n,level,score As in [plot.StreamingGP()] and [plot.gpstream_evaluation()].
#' @param ... Not used.
#' @return A ggplot object; its data are those that `plot()` returns (of classes along a column, and of the
#'   history, in long form). Where panels are along unlike columns, `at` is the place on the axis of what `x`
#'   is.
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' library(ggplot2)
#' gp <- streaming_gp(dist ~ speed, data = cars, kernel = kernel_se(lengthscale = 8))
#' autoplot(gp) + theme_minimal()
#' autoplot(gp, "se")
#' @name autoplot
NULL

utils::globalVariables(".data") # the pronoun of aes()

#' @rdname autoplot
#' @exportS3Method ggplot2::autoplot
autoplot.StreamingGP <- function(object,
                                 what = c("fit", "se", "history", "points", "calibration", "components",
                                          "effects"),
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
    fit = autoplot_fit(object, "fit", columns, at, xlim, ylim, n, level),
    se = autoplot_fit(object, "se.fit", columns, at, xlim, ylim, n, level),
    history = autoplot_history(object),
    points = autoplot_points(object, columns, xlim, ylim, n),
    calibration = autoplot_calibration(gp_calibration(object)),
    components = autoplot_components(object, at, n, level),
    effects = autoplot_effects(object, at, n, level)
  )
  picture + ggplot2::labs(title = plot_heading(object))
}

# --- fit ----------------------------------------------------------------------------------------------------

# `of`: the column of the data frame that is shown.
autoplot_fit <- function(gp, of, columns, at, xlim, ylim, n, level) {
  look <- function(gp) plot_view(gp, columns, at, xlim)
  view <- look(gp)
  several <- !is.null(output_names(gp))
  if (several && (length(view$shown) == 2 || !is.null(view$factor) || !is.null(view$by))) {
    abort("parameter", "autoplot() shows several outputs along one column, say `columns` = ",
      quoted(view$names[1]), "; plot() has all.")
  }
  limits <- limit_numbers(view, xlim, ylim)
  classes <- of == "fit" && shows_classes(gp)
  if (!is.null(view$factor)) return(autoplot_levels(gp, view, limits$ylim, level, of))
  if (!is.null(view$by)) return(autoplot_by_level(gp, view, limits$xlim, limits$ylim, n, level, of))
  if (length(view$shown) == 2 && classes) return(autoplot_class_map(gp, view, limits$xlim, limits$ylim, n))
  if (length(view$shown) == 2) return(autoplot_map(gp, view, limits$xlim, limits$ylim, n, of))
  if (classes) return(autoplot_class_curve(gp, view, limits$xlim, limits$ylim, n))
  drawn <- plain_durations(of_each_output(gp, function(one) {
    curve_numbers(one, look(one), limits$xlim, n, level, of)
  }))
  rows <- of_each_output(gp, function(one) observed_rows(one, view))
  time <- view$times[[view$shown]]
  rows$x <- number_to_scale(rows$x, time)
  along <- view$names[view$shown]
  points <- data.frame(x = number_to_scale(view$points[, view$shown], time))
  label <- if (several) NULL else if (of == "fit") response_label(gp) else se_label(gp)
  ggplot2::ggplot(drawn, ggplot2::aes(x = .data[[along]])) +
    (if (of == "fit") layers_curve(rows, level, !shows_probability(gp)) else layers_se()) +
    layers_strip(points, drawn[drawn$covered %in% TRUE, ], along) +
    (if (several) ggplot2::facet_wrap(ggplot2::vars(.data$output), scales = "free_y")) +
    (if (of == "fit") class_axis(gp)) + ggplot2::coord_cartesian(ylim = limits$ylim) +
    axis_names(view, label, drawn) + ggplot2::labs(subtitle = blank_null(view$note))
}

# Bands are seen on a grey page, too.
page_colours <- function() {
  col <- "#1B5E8C"
  replace(curve_colours(col), c("narrow", "wide"), list(tint(col, 0.5), tint(col, 0.28)))
}

layers_curve <- function(rows, level, wide) {
  colours <- page_colours()
  list(
    layers_bands(level, wide, ggplot2::geom_ribbon),
    ggplot2::geom_point(ggplot2::aes(x = .data$x, y = .data$y, shape = "observation"), rows,
      colour = colours$rows, size = 0.8),
    layer_mean(ggplot2::geom_line),
    ggplot2::scale_shape_manual(values = c(observation = 16), name = NULL)
  )
}

layer_mean <- function(geom, ...) {
  list(
    geom(ggplot2::aes(y = .data$fit, linetype = "mean"), ..., colour = page_colours()$mean),
    ggplot2::scale_linetype_manual(values = c(mean = 1), name = NULL)
  )
}

layers_bands <- function(level, wide, geom, ...) {
  colours <- page_colours()
  bands <- stats::setNames(c(colours$narrow, colours$wide), band_names(level))
  list(
    if (wide) {
      geom(ggplot2::aes(ymin = .data$lwr_new, ymax = .data$upr_new, fill = names(bands)[2]), ...)
    },
    geom(ggplot2::aes(ymin = .data$lwr, ymax = .data$upr, fill = names(bands)[1]), ...),
    ggplot2::scale_fill_manual(values = if (wide) bands else bands[1], name = NULL)
  )
}

# Along the bottom: what is covered (column `along` of `covered`), and the inducing points (`x` of `points`).
# `key`: is colour free to tell them apart in the key?
layers_strip <- function(points, covered, along, key = TRUE) {
  colours <- curve_colours("#1B5E8C")
  rug <- function(name, x, data, colour, ...) {
    if (nrow(data) == 0) return(NULL)
    if (!key) return(ggplot2::geom_rug(ggplot2::aes(x = .data[[x]]), data, colour = colour, sides = "b", ...))
    ggplot2::geom_rug(ggplot2::aes(x = .data[[x]], colour = {{ name }}), data, sides = "b", ...)
  }
  shades <- c("inducing point" = colours$point, covered = colours$covered)
  list(
    rug("covered", along, covered, shades[["covered"]], linewidth = 1.2),
    rug("inducing point", "x", points, shades[["inducing point"]]),
    if (key) ggplot2::scale_colour_manual(values = shades, name = NULL)
  )
}

# `up`: what is not a column. `ends`: a data frame, for what ticks do not say of times.
axis_names <- function(view, up = NULL, ends = NULL) {
  times <- view$times[view$shown]
  limits <- lapply(seq_along(times), function(j) {
    if (has_ticks(times, j)) time_to_number(range(ends[[view$names[view$shown[j]]]]), times[[j]])
  })
  labels <- c(axis_labels(view$names[view$shown], times, if (is.null(ends)) list() else limits), up)
  ggplot2::labs(x = labels[1], y = if (length(labels) > 1) labels[2])
}

blank_null <- function(text) if (is_blank(text)) NULL else text

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
  panels <- c("inducing points", paste("RMSE of", response_name(gp)), history_share(gp)$title)
  share <- history_share(gp)$name
  covers <- share == "coverage"
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
    part(scored, 3, scored[[share]], scored[[paste0(share, "_so_far")]], scored$lwr, scored$upr)
  )
  drawn$panel <- factor(drawn$panel, panels[panels %in% drawn$panel])
  picture <- ggplot2::ggplot(drawn, ggplot2::aes(x = .data$nobs)) +
    ggplot2::facet_wrap(~panel, ncol = 1, scales = "free_y")
  if (nrow(scored) > 0 && covers) {
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
  zero <- data.frame(panel = factor(panels[1:2], levels(drawn$panel)), nobs = 0, y = 0)
  zero <- zero[!is.na(zero$panel), ]
  picture + ggplot2::geom_blank(ggplot2::aes(y = .data$y), zero) +
    series(ggplot2::aes(y = .data$each), colour = "grey70") +
    series(ggplot2::aes(y = .data$so_far), colour = "#1B5E8C") +
    ggplot2::labs(x = "observations", y = NULL)
}

# --- points -------------------------------------------------------------------------------------------------

autoplot_points <- function(gp, columns, xlim, ylim, n) {
  points <- plain_durations(point_numbers(gp))
  points$order <- seq_len(nrow(points))
  view <- points_view(gp, columns, xlim)
  limits <- limit_numbers(view, xlim, ylim)
  shown <- limits_on_axes(view, limits)
  names <- view$names[view$shown]
  rings <- function(y) {
    list(
      ggplot2::geom_point(ggplot2::aes(y = {{ y }}), shape = 21, fill = NA, colour = "#B5451B", size = 2.2),
      ggplot2::geom_point(ggplot2::aes(y = {{ y }}, colour = .data$order), shape = 16, size = 1.8),
      ggplot2::scale_colour_gradientn(colours = order_colours(64), name = "order")
    )
  }
  picture <- ggplot2::ggplot(points, ggplot2::aes(x = .data[[names[1]]]))
  if (length(view$names) == 1) {
    line <- plain_durations(line_numbers(gp, view, limits$xlim, n))
    picture + ggplot2::geom_line(ggplot2::aes(x = .data$x, y = .data$correlation), line, colour = "#1B5E8C") +
      (if (!is.na(threshold(gp))) ggplot2::geom_hline(yintercept = threshold(gp), linetype = 2)) +
      rings(1) + ggplot2::expand_limits(y = 0) + ggplot2::coord_cartesian(ylim = ylim) +
        axis_names(view, "highest correlation with a point", points)
  } else if (length(names) == 2) {
    map <- length(view$names) == 2
    picture + (if (map) layers_nearness(gp, view, limits, n)) + rings(.data[[names[2]]]) +
      ggplot2::coord_cartesian(shown[[1]], shown[[2]], expand = !map) + axis_names(view, ends = points)
  } else {
    picture + rings(.data$order) + ggplot2::coord_cartesian(shown[[1]], ylim) +
      axis_names(view, "order of joining", points)
  }
}

layers_nearness <- function(gp, view, limits, n) {
  drawn <- for_raster(nearness_numbers(view, limits$xlim, limits$ylim, n)$drawn, view)
  up <- view$names[view$shown[2]]
  rho <- threshold(gp)
  list(
    ggplot2::geom_raster(ggplot2::aes(y = .data[[up]], fill = .data$correlation), drawn),
    if (!is.na(rho) && min(drawn$correlation) < rho) {
      ggplot2::geom_contour(ggplot2::aes(y = .data[[up]], z = .data$correlation), drawn, breaks = rho,
        colour = "grey30", linewidth = 0.3)
    },
    ggplot2::scale_fill_gradientn(
      colours = nearness_palette(), limits = 0:1, name = "highest\ncorrelation",
      oob = function(values, range) pmin(pmax(values, range[1]), range[2])
    )
  )
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
    # as in plot(): a factor of 1.001 is not to look like something
    ggplot2::geom_blank(ggplot2::aes(x = .data$level, y = .data$end),
      transform(factors[c(1, 1), ], end = c(0.8, 1.25))),
    ggplot2::geom_point(ggplot2::aes(x = .data$level, y = .data$factor), factors, colour = "#1B5E8C")
  )
}
