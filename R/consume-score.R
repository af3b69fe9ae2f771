# A batch is predicted before it is learned: rarely enough, and on few enough of its rows, that it costs less than a tenth of the
# learning. When and on which rows depends on the stream only, so that a resumed run does the same.

score_gap <- 4 # rows between two scorings, in numbers of points
score_part <- 1 / 20 # of the rows of a batch, but not fewer than ...
score_least <- 20

learn_scored <- function(run, batch) {
  start <- now()
  gp <- run$gp
  batch <- read_quietly(gp, for_model(gp, batch, run$response))
  scores <- if (score_due(run)) batch_scores(gp, batch)
  run$foretold <- !is.null(scores)
  if (run$foretold) note_scores(gp, bound = gp_objective(gp)) # of what was learned so far: the factor it needs is at hand now
  allowInterrupts(gp_learn(gp, batch))
  if (nrow(batch$x) == 0) return(NULL)
  seconds <- now() - start
  if (is.null(scores)) {
    note_scores(gp, seconds = seconds)
  } else {
    note_scores(gp, scores$scored, scores$squared, scores$log_score, scores$covered, scores$pit, seconds)
    run$scored <- run$scored + scores$scored
    run$squared <- run$squared + scores$squared
  }
  NULL
}

# A data frame for a formula; inputs and outputs for a model without one.
for_model <- function(gp, batch, response) {
  if (!is.null(spec_of(gp)$formula)) {
    if (is_pair(batch)) abort("input", "this model has a formula: give it a source of data frames, with the response as a column.")
    return(list(data = batch))
  }
  if (is_pair(batch)) return(batch)
  if (!response %in% names(batch)) {
    abort("input", "this model has no formula, so say which column is the output, as in y = \"", utils::tail(names(batch), 1), "\": there is no column ", backtick(response), ".")
  }
  list(x = batch[names(batch) != response], y = batch[[response]])
}

# Rows that are dropped are counted and told at the end, not in every batch.
read_quietly <- function(gp, batch) {
  withCallingHandlers(read_batch(gp, batch$x, batch$y, batch$data), gpstream_message_dropped = function(m) tryInvokeRestart("muffleMessage"))
}

# Rows learned since the last batch that was scored, that one included.
rows_unscored <- function(gp) {
  history <- gp_history(gp)
  last <- max(0, which(history$scored > 0))
  sum(history$rows[seq_len(nrow(history)) >= last])
}

score_due <- function(run) {
  if (!is_started(run$gp)) return(FALSE)
  run$unscored >= score_gap * core_gp_info(gp_handle(run$gp))$size
}

batch_scores <- function(gp, batch, most = max(score_least, floor(n * score_part))) {
  n <- nrow(batch$x)
  if (n == 0) return(NULL)
  rows <- spread_rows(n, most)
  y <- batch$y[rows]
  p <- core_gp_predict(gp_handle(gp), batch$x[rows, , drop = FALSE], TRUE)
  sd <- sqrt(p$variance + p$noise)
  z <- (y - p$mean) / sd
  list(
    scored = length(rows), squared = sum((y - p$mean)^2), log_score = sum(stats::dnorm(z, log = TRUE) - log(sd)),
    covered = sum(abs(z) <= stats::qnorm(0.975)), pit = stats::pnorm(z)
  )
}
