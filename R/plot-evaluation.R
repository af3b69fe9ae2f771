#' Plot an evaluation
#'
#' One score of each model along the stream, or how well calibrated the models are.
#'
#' @param x An evaluation made by [evaluate()].
#' @param score Which score: `"rmse"`, `"mae"`, `"log_score"`, `"crps"`, `"coverage"`, `"width"` or, of
#'   classes, `"accuracy"` or `"brier"`; or `"calibration"`, the share of observations that
#'   central intervals hold, against their probability.
#' @param xlim,ylim Ranges of the axes.
#' @param main,xlab,ylab Title and labels; `""` for none.
#' @param col Colours, one for each model.
#' @param legend Draw the key?
#' @param ... Graphical parameters such as `las` or `cex.axis`, for [graphics::plot.default()].
#'
#' @details
#' Light: batch by batch (not for more than three models, nor for the coverage of several); dark: all so far,
#' which ends at the number in the key, that of `x$overall`. The band, for the coverage and for the
#' calibration, is where it would be by chance, 95 times in 100, for a model that is right, if rows were
#' independent. A model without the score (no standard deviations) is left out.
#'
#' @return Invisibly, a data frame of what was drawn: `model`, `nobs`, `value` (of the batch) and `so_far`,
#'   for the coverage also `lwr` and `upr`; for the calibration `model`, `level`, `observed`, `expected`,
#'   `lwr` and `upr`.
#' @examples
#' toy <- toy_data("C", n = 600, seed = 1)
#' short <- streaming_gp(y ~ x, kernel = kernel_se(1))
#' long <- streaming_gp(y ~ x, kernel = kernel_se(5))
#' stream <- data.frame(x = toy$x, y = toy$y)
#' scores <- evaluate(list(short = short, long = long), stream, batch_size = 50)
#' plot(scores, "log_score")
#' plot(scores, "calibration")
#' @export
plot.gpstream_evaluation <- function(x, score = c("rmse", "mae", "log_score", "crps", "coverage", "width",
                                                  "accuracy", "brier", "calibration"),
                                     xlim = NULL, ylim = NULL, main = NULL, xlab = NULL, ylab = NULL,
                                     col = NULL, legend = TRUE, ...) {
  score <- check_choice(score, c(score_names, "calibration"), "score")
  check_flag(legend, "legend")
  if (!is.null(xlim)) xlim <- check_limits(xlim, "xlim")
  if (!is.null(ylim)) ylim <- check_limits(ylim, "ylim")
  if (!is.null(col)) check_colours(col)
  given <- list(
    xlim = xlim, ylim = ylim, main = if (is.null(main)) evaluation_heading(x, score) else main, note = "",
    xlab = xlab, ylab = ylab, legend = legend, dots = check_dots(list(...))
  )
  colours <- model_colours(x$overall$model, col)
  drawn <- if (score == "calibration") {
    plot_models_calibration(x, given, colours)
  } else {
    plot_scores(x, score, given, colours)
  }
  invisible(drawn)
}

score_names <- c("rmse", "mae", "log_score", "crps", "coverage", "width", "accuracy", "brier")

evaluation_heading <- function(x, score) {
  title <- switch(score,
    rmse = "Root mean squared error", mae = "Mean absolute error",
    log_score = "Mean log score (higher is better)", crps = "Continuous ranked probability score",
    coverage = paste("Coverage of", 100 * x$level, "% prediction intervals"),
    width = paste("Mean width of", 100 * x$level, "% prediction intervals"),
    accuracy = "Share of rows whose class was the most probable", brier = "Brier score",
    calibration = "Observations within central intervals"
  )
  paste0(title, ", ", count(max(x$overall$scored, 0), "row"))
}

model_colours <- function(names, col = NULL) {
  if (is.null(col)) {
    col <- c("#1B5E8C", "#B5451B", "#4C7A34", "#7B4F9D", "#A67C00", "grey40")
    if (length(names) > length(col)) col <- grDevices::hcl.colors(length(names), "Dark 3")
  }
  stats::setNames(rep_len(col, length(names)), names)
}

# --- scores along the stream --------------------------------------------------------------------------------

# One row for each batch that was scored and each model that has the score.
score_numbers <- function(x, score) {
  batches <- x$batches[x$batches$scored > 0 & is.finite(x$batches[[score]]), ]
  if (nrow(batches) == 0) {
    abort("input", "there is nothing to plot: no batch has a value of ", backtick(score), ".")
  }
  # means of squares, not of roots
  up <- if (score == "rmse") function(v) v^2 else identity
  down <- if (score == "rmse") sqrt else identity
  so_far <- stats::ave(batches$scored * up(batches[[score]]), batches$model, FUN = cumsum)
  n <- stats::ave(batches$scored, batches$model, FUN = cumsum)
  drawn <- data.frame(
    model = batches$model, nobs = batches$nobs, value = batches[[score]], so_far = down(so_far / n),
    row.names = NULL
  )
  if (score == "coverage") cbind(drawn, chance_band(n, x$level)) else drawn
}

# The batches of many models, or the coverage of small batches, would hide everything else.
shows_batches <- function(score, models) length(unique(models)) <= if (score == "coverage") 1 else 3

starts_at_zero <- function(score) score %in% c("rmse", "mae", "crps", "width", "brier")

# Names of models with what they come to, of all rows.
score_labels <- function(x, score, models) {
  overall <- x$overall[match(models, x$overall$model), score]
  values <- if (score %in% c("coverage", "accuracy")) {
    sprintf("%.1f %%", 100 * overall)
  } else {
    vapply(signif(overall, 3), format, "")
  }
  stats::setNames(paste(models, values, sep = ": "), models)
}

plot_scores <- function(x, score, given, colours) {
  drawn <- score_numbers(x, score)
  from_zero <- starts_at_zero(score)
  models <- intersect(names(colours), drawn$model)
  each <- shows_batches(score, models)
  limits <- range(
    if (each) drawn$value, drawn$so_far, if (from_zero) 0, if (score == "coverage") c(x$level - 0.05, 1)
  )
  xlim <- if (is.null(given$xlim)) c(0, 1.02 * max(drawn$nobs)) else given$xlim
  room <- if (diff(limits) > 0) c(if (from_zero) 0 else -0.04, 0.04) * diff(limits) else c(-1, 1)
  ylim <- if (is.null(given$ylim)) limits + room else given$ylim
  open_plot(given, xlim, ylim, c("observations", score))
  chance <- tint("#4C7A34", 0.2)
  if (score == "coverage") draw_chance(drawn, x$level, chance)
  if (each) for (model in models) draw_lines(drawn[drawn$model == model, ], colours[[model]], "value")
  types <- stats::setNames(rep_len(c(1, 5, 3, 4, 2, 6), length(models)), models) # models that are level
  for (model in models) draw_lines(drawn[drawn$model == model, ], colours[[model]], "so_far", types[[model]])
  graphics::box(bty = "l")
  labels <- score_labels(x, score, models)
  key <- Map(function(label, colour, type) list("line", label, colour, type), labels, colours[models], types)
  if (each) key <- c(key, list(list("thin", "each batch", "grey60")))
  if (score == "coverage") key <- c(key, list(list("box", "by chance, 95 times in 100", chance)))
  draw_top(given, unname(key))
  drawn
}

draw_lines <- function(rows, col, column, type = 1) {
  thin <- column == "value"
  col <- if (thin) tint(col, 0.5) else col
  graphics::lines(rows$nobs, rows[[column]], col = col, lwd = if (thin) 1 else 2, lty = type)
  if (nrow(rows) <= 60) {
    graphics::points(
      rows$nobs, rows[[column]], pch = 16, cex = if (thin) 0.5 else 0.7 * (nrow(rows) == 1), col = col
    )
  }
}

# All models are scored on the same rows, but one without the score has none.
draw_chance <- function(drawn, level, col) {
  rows <- drawn[drawn$model == drawn$model[1], ]
  draw_band(rows$nobs, rows$lwr, rows$upr, col)
  graphics::abline(h = level, lty = 2, col = "grey40")
}

# --- calibration --------------------------------------------------------------------------------------------

models_calibration <- function(x) {
  known <- x$overall$model[colSums(x$pit) > 0]
  if (length(known) == 0) {
    abort("input", "there is nothing to plot: no row was scored with a standard deviation.")
  }
  tables <- lapply(known, function(model) {
    data.frame(model = model, calibration_numbers(x$pit[, model])$coverage)
  })
  do.call(rbind, tables)
}

plot_models_calibration <- function(x, given, colours) {
  drawn <- models_calibration(x)
  xlim <- if (is.null(given$xlim)) c(0, 1) else given$xlim
  ylim <- if (is.null(given$ylim)) c(0, 1) else given$ylim
  open_plot(given, xlim, ylim, c("probability of the interval", "share of observations within"))
  chance <- tint("#4C7A34", 0.25)
  models <- unique(drawn$model)
  whole_plot <- panel(c(0, 1), c(0, 1), c(0, 1), c(0, 1))
  draw_reliability(whole_plot, unname(split(drawn, factor(drawn$model, models))), colours[models], chance)
  graphics::box(bty = "l")
  key <- lapply(models, function(model) list("line", model, colours[[model]]))
  draw_top(given, c(key, list(list("box", "by chance, 95 times in 100", chance))))
  drawn
}
