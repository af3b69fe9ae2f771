# The same for evaluations.

#' @name autoplot
#' @aliases autoplot.gpstream_evaluation
#' @rdname autoplot
#' @exportS3Method ggplot2::autoplot
autoplot.gpstream_evaluation <- function(object, score = c("rmse", "mae", "log_score", "crps", "coverage",
                                                           "width", "calibration"), ...) {
  check_no_dots(...)
  score <- check_choice(score, c(score_names, "calibration"), "score")
  drawn <- if (score == "calibration") models_calibration(object) else score_numbers(object, score)
  drawn$model <- factor(drawn$model, unique(drawn$model))
  colours <- ggplot2::scale_colour_manual(values = model_colours(object$overall$model))
  picture <- if (score == "calibration") {
    ggplot2::ggplot(drawn, ggplot2::aes(x = .data$level, y = .data$observed, colour = .data$model)) +
      ggplot2::geom_abline(slope = 1, intercept = 0, linetype = 2) +
      ggplot2::geom_line() + ggplot2::geom_point() +
      ggplot2::labs(x = "probability of the interval", y = "share of observations within")
  } else {
    each <- ggplot2::geom_line(ggplot2::aes(y = .data$value), alpha = 0.35)
    last <- drawn[!duplicated(drawn$model, fromLast = TRUE), ]
    ggplot2::ggplot(drawn, ggplot2::aes(x = .data$nobs, colour = .data$model)) +
      (if (shows_batches(score, drawn$model)) each) +
      ggplot2::geom_line(ggplot2::aes(y = .data$so_far)) +
      ggplot2::geom_point(ggplot2::aes(y = .data$so_far), last) +
      (if (score == "coverage") ggplot2::geom_hline(yintercept = object$level, linetype = 2)) +
      ggplot2::labs(x = "observations", y = score)
  }
  picture + colours + ggplot2::labs(title = evaluation_heading(object, score))
}
