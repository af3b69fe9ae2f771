# The same for evaluations.

#' @name autoplot
#' @aliases autoplot.gpstream_evaluation
#' @rdname autoplot
#' @exportS3Method ggplot2::autoplot
autoplot.gpstream_evaluation <- function(object, score = c("rmse", "mae", "log_score", "crps", "coverage",
                                                           "width", "accuracy", "brier", "calibration"),
                                         ...) {
  check_no_dots(...)
  score <- check_choice(score, c(score_names, "calibration"), "score")
  calibration <- score == "calibration"
  drawn <- if (calibration) models_calibration(object) else score_numbers(object, score)
  models <- unique(drawn$model)
  first <- drawn[drawn$model == models[1], ]
  drawn$model <- factor(drawn$model, models)
  band <- function(rows) {
    ggplot2::geom_ribbon(
      ggplot2::aes(ymin = .data$lwr, ymax = .data$upr, fill = "by chance, 95 in 100"), rows, colour = NA
    )
  }
  picture <- if (calibration) {
    ggplot2::ggplot(drawn, ggplot2::aes(x = .data$level, y = .data$observed, colour = .data$model)) +
      band(first) + ggplot2::geom_abline(slope = 1, intercept = 0, linetype = 2) +
      ggplot2::geom_line() + ggplot2::geom_point() +
      ggplot2::labs(x = "probability of the interval", y = "share of observations within")
  } else {
    each <- ggplot2::geom_line(ggplot2::aes(y = .data$value), alpha = 0.35)
    last <- drawn[!duplicated(drawn$model, fromLast = TRUE), ]
    ggplot2::ggplot(drawn, ggplot2::aes(x = .data$nobs, colour = .data$model)) +
      (if (score == "coverage") band(first)) +
      (if (shows_batches(score, models)) each) +
      ggplot2::geom_line(ggplot2::aes(y = .data$so_far)) +
      ggplot2::geom_point(ggplot2::aes(y = .data$so_far), last) +
      (if (score == "coverage") ggplot2::geom_hline(yintercept = object$level, linetype = 2)) +
      (if (starts_at_zero(score)) ggplot2::expand_limits(y = 0)) +
      ggplot2::labs(x = "observations", y = score)
  }
  labels <- if (calibration) models else score_labels(object, score, models)
  picture + ggplot2::labs(title = evaluation_heading(object, score)) +
    ggplot2::scale_fill_manual(values = tint("#4C7A34", 0.2), name = NULL) +
    ggplot2::scale_colour_manual(values = model_colours(object$overall$model)[models], labels = labels,
      guide = ggplot2::guide_legend(order = 1))
}
