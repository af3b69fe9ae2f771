#' Evaluate models on a stream
#'
#' Prequential evaluation: each batch is predicted, scored and only then learned, so that every row is a test
#' row once and a training row afterwards. Several models, and baselines, run side by side on the same
#' batches.
#'
#' @details
#' Models are references: with `learn = TRUE` they have learned the stream afterwards, and their `gp$history`
#' has the scores. `gp$copy()` first where that is not wanted.
#'
#' A model that has seen nothing yet is not scored on its first batch, which it only learns. A row counts
#' where its output is there and every model predicts it: models that stand side by side are compared on the
#' same rows.
#'
#' When a batch cannot be read, predicted or learned, an error of class `gpstream_error_batch` says its
#' number; the models have learned the batches before it, and the scores of these are in the condition, as
#' `evaluation`. Models that stand before the failing one in the list have learned the batch itself, too;
#' where there are none, the source stands before the batch. Ctrl-C returns the scores so far: it undoes the
#' current batch, or, where several models are learning it, waits until all have.
#'
#' @section Models of your own:
#' Anything can stand beside a model: a list of two functions, `predict(x)` and `update(x, y)`. `x` are rows
#' as the source gives them (a data frame, or the matrix of inputs), `y` their outputs; rows without an output
#' are not learned. `predict()` returns the means, or a list or data frame of `mean` and `sd`, the standard
#' deviation of an observation; without it only RMSE and MAE are known. `NA`: no prediction. [baseline_mean()]
#' and [baseline_refit()] make such lists.
#'
#' @param gp A model made by [streaming_gp()], or a list of models and baselines with names.
#' @param source Where the rows come from: whatever [as_source()] takes, such as a data frame.
#' @param batch_size Number of rows of a batch.
#' @param level Probability of the prediction intervals.
#' @param learn Learn each batch after it was scored? `FALSE` for rows that are only for testing.
#' @param ... For [as_source()].
#' @param y For models without a formula: the name of the column that is the output, `"y"` if not given. Or,
#'   for a vector or matrix of inputs as `source`, the outputs.
#'
#' @return An object of class `gpstream_evaluation`: a list with two data frames,
#' \describe{
#'   \item{`overall`}{one row a model: `model`, `rows`, `scored` (rows that count), and over these `rmse`,
#'     `mae`, `log_score`, `crps`, `coverage`, `width` and, of classes, `accuracy` and `brier`; `points`, the
#'     number of inducing points at the end, and `seconds` of predicting and learning,}
#'   \item{`batches`}{the same for each batch and model, with `batch` and `nobs`, the rows up to its end;
#'     [as.data.frame()] gives it,}
#' }
#' and `level`, `learn` and `pit`, the counts of the probability integral transforms in 20 bins, one column a
#' model.
#'
#' `rmse` and `mae` are those of what `predict()` gives for the response (of classes in an order, of their
#' numbers).
#' `log_score` is the mean log density of the observations (of counts and classes the mean log probability):
#' higher is better. `crps`, the continuous ranked probability score, is in the units of the output and
#' compares with the mean absolute error: lower is better. `coverage` is the share of observations within the
#' prediction interval, `width` the mean width of that; both are `NA` for classes. Where classes are observed,
#' `accuracy` is the share of rows whose class was the most probable one, and `brier` the mean squared
#' distance between the probabilities and what came: of two classes `(y - p)^2`, of more the sum over them
#' (there `crps` is the ranked score, which knows their order); both are `NA` otherwise.
#' @examples
#' toy <- toy_data("C", n = 300, seed = 1)
#' stream <- data.frame(x = toy$x, y = toy$y)
#' line <- baseline_refit(function(data) lm(y ~ x, data))
#' models <- list(gp = streaming_gp(y ~ x), mean = baseline_mean(), line = line)
#' scores <- evaluate(models, stream, batch_size = 50)
#' scores
#' plot(scores)
#' plot(scores, "coverage")
#'
#' # a test set: nothing is learned
#' gp <- streaming_gp(y ~ x, data = stream)
#' evaluate(gp, data.frame(x = toy$x_test, y = toy$y_test), learn = FALSE)
#' @references
#' Gneiting, T. and Raftery, A. E. (2007) Strictly Proper Scoring Rules, Prediction, and Estimation. JASA 102,
#' 359-378.
#' @seealso [plot.gpstream_evaluation()]
#' @export
evaluate <- function(gp, source, batch_size = 1000, level = 0.95, learn = TRUE, ..., y = NULL) {
  response <- if (is_name(y)) y else "y"
  models <- check_models(gp, response)
  if (missing(source)) abort("input", "`source` is missing: say where the rows come from.")
  batch_size <- check_count(batch_size, "batch_size", 1, most = 1e9)
  level <- check_fraction(level, "level")
  check_flag(learn, "learn")
  given <- is_source(source)
  source <- if (is.null(y) || is_name(y)) as_source(source, ...) else as_source(source, y = y, ...)
  if (!given) on.exit(release(source))

  run <- new_run(
    source = source, models = models, learns = learn, level = level, stops = FALSE,
    outputs = function(batch) batch_output(models, response, batch), done = 0, steps = new.env(),
    dropped = 0 * seq_along(models),
    pit = matrix(0, pit_bins, length(models), dimnames = list(NULL, names(models)))
  )
  so_far <- function() {
    new_evaluation(names(models), mget(step_name(seq_len(run$done)), run$steps), run$pit, level, learn)
  }
  after <- function(played) {
    if (!is.null(played$failed)) stop_at_batch(played$failed, run$done + 1, so_far())
    if (played$rows > 0) count_step(run, played)
  }
  tryCatch(quiet_drops(play(run, function() batch_size, after)), interrupt = function(i) {
    if (!is.null(run$late)) count_step(run, run$late)
    inform("Stopped after ", count(run$done, "batch", "es"), ": these are their scores.")
  })
  tell_dropped(run)
  so_far()
}

# The same error, with the number of the batch and what there is so far.
stop_at_batch <- function(cause, number, evaluation) {
  stop_with(
    cause, paste0("batch ", whole(number), ": ", conditionMessage(cause)), batch = number,
    evaluation = evaluation
  )
}

# A row of sums for each model, over the rows that every model predicts, and the PIT counts.
count_step <- function(run, played) {
  n <- played$rows
  lengths <- vapply(played$scores, function(scores) length(scores$error), 0)
  none <- rep(NA_real_, max(n, lengths)) # of several outputs, as many as these have values
  unknown <- score_predictive(none, predictive_normal(none, NA_real_))
  scores <- lapply(played$scores, function(scores) if (is.null(scores)) unknown else scores)
  keep <- Reduce(`&`, lapply(scores, function(s) !is.na(s$error)))
  sums <- do.call(rbind, lapply(scores, score_sums, keep))
  points <- vapply(run$models, model_size, 0)
  # bare, and in an environment, which is not copied when it grows: there may be very many batches
  run$done <- run$done + 1
  run$steps[[step_name(run$done)]] <- unname(cbind(sums, n, points, played$seconds))
  run$pit <- run$pit + vapply(scores, function(s) as.double(bin_pit(s$pit[keep])), numeric(pit_bins))
  if (run$learns) run$dropped <- run$dropped + ifelse(is.na(played$learned), 0, n - played$learned)
}

model_size <- function(model) {
  if (is.null(model$gp)) {
    NA_real_
  } else if (is_started(model$gp)) {
    as.double(core_gp_size(gp_handle(model$gp)))
  } else {
    0
  }
}

step_name <- function(i) sprintf("%.0f", i)

tell_dropped <- function(run) {
  for (i in which(run$dropped > 0)) {
    inform("Model ", backtick(names(run$models)[i]), " dropped ", count(run$dropped[i], "row"),
      " with missing or infinite values.")
  }
}

new_evaluation <- function(names, steps, pit, level, learn) {
  k <- length(names)
  table <- if (length(steps) > 0) do.call(rbind, steps) else matrix(0, 0, length(sum_columns))
  dimnames(table) <- list(NULL, sum_columns)
  model <- rep(names, length(steps))
  rows <- table[, "rows"]
  batches <- data.frame(
    model = model, batch = rep(seq_along(steps), each = k), rows = rows,
    nobs = stats::ave(rows, model, FUN = cumsum), score_means(table), points = table[, "points"],
    seconds = table[, "seconds"]
  )
  totals <- rowsum(table, factor(model, names), reorder = TRUE)
  totals <- totals[match(names, rownames(totals)), , drop = FALSE]
  totals[is.na(totals) & length(steps) == 0] <- 0
  last <- utils::tail(batches$points, k)
  overall <- data.frame(
    model = names, rows = totals[, "rows"], score_means(totals),
    points = if (length(last) == k) last else rep(NA_real_, k), seconds = totals[, "seconds"]
  )
  rownames(batches) <- rownames(overall) <- NULL
  structure(
    list(overall = overall, batches = batches, level = level, learn = learn, pit = pit),
    class = "gpstream_evaluation"
  )
}

# Of a step: those of score_sums(), and three more.
sum_columns <- c("scored", "squared", "absolute", "log_score", "crps", "covered", "width", "correct",
  "brier", "rows", "points", "seconds")
