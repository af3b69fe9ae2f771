# The result of evaluate(): what is printed, and as a data frame. plot-evaluation.R draws it.

#' @export
print.gpstream_evaluation <- function(x, digits = 3, ...) {
  digits <- check_digits(digits)
  overall <- x$overall
  rows <- max(overall$rows, 0)
  scored <- max(overall$scored, 0)
  cat(if (x$learn) "Prequential evaluation" else "Evaluation, nothing learned",
    ": ", count(max(x$batches$batch, 0), "batch", "es"), ", ", count(rows, "row"), ", ", whole(scored),
    " scored\n", if (rows > 0) "\n", sep = "")
  if (rows == 0) return(invisible(x))
  print(evaluation_table(overall, digits), row.names = FALSE, right = FALSE)
  classes <- !all(is.na(overall$accuracy))
  cat("\nBetter is a higher log_score", if (classes) " and accuracy", ", a lower rmse, mae, crps",
    if (classes) ", brier",
    if (!all(is.na(overall$coverage))) {
      paste0("; coverage and width are those of ", 100 * x$level, " % prediction intervals")
    }, ".\n", sep = "")
  if (scored < rows) {
    cat(count(rows - scored, "row"), " not scored: no output, or no prediction by one of the models.\n",
      sep = "")
  }
  invisible(x)
}

# Columns that say nothing are left out.
evaluation_table <- function(overall, digits) {
  shown <- c("rmse", "mae", "log_score", "crps", "accuracy", "brier", "coverage", "width", "points",
    "seconds")
  known <- vapply(overall[shown], function(values) !all(is.na(values)), NA)
  text <- lapply(overall[shown[known]], function(values) {
    ifelse(
      is.na(values), "", vapply(values, function(value) format(signif(value, digits), big.mark = ","), "")
    )
  })
  text$seconds <- format(signif(overall$seconds, 2), scientific = FALSE, drop0trailing = TRUE)
  for (share in intersect(c("coverage", "accuracy"), shown[known])) {
    text[[share]] <- ifelse(is.na(overall[[share]]), "", sprintf("%.1f %%", 100 * overall[[share]]))
  }
  data.frame(model = overall$model, text, check.names = FALSE)
}

#' @rdname evaluate
#' @param x An evaluation.
#' @param row.names,optional Not used.
#' @export
as.data.frame.gpstream_evaluation <- function(x, row.names = NULL, optional = FALSE, ...) x$batches
