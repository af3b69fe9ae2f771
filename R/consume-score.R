# A batch is predicted before it is learned: rarely enough, and on few enough of its rows, that it costs little beside the learning.
# When and on which rows depends on the stream only, so that a resumed run does the same.

# Rows between two scorings: 8 for each point, because of the factor of the posterior; a quarter of all rows so far, but not more than 3000
# or a 200th of all.
score_gap <- function(points, nobs) max(8 * points, min(nobs / 4, 3000), nobs / 200)

score_part <- 1 / 50 # of the rows of a batch are scored, but not fewer than ...
score_least <- 20

learn_scored <- function(run, batch) {
  start <- now()
  gp <- run$gp
  batch <- for_model(gp, batch, run$response)
  plain <- is.null(batch$data) && is.matrix(batch$x) # has a short way to the core
  if (!plain) batch <- read_quietly(gp, batch)
  scores <- if (score_due(run)) batch_scores(gp, batch, plain)
  run$foretold <- !is.null(scores)
  if (run$foretold) note_scores(gp, bound = gp_objective(gp)) # of what was learned so far: the factor it needs is at hand now
  allowInterrupts(if (plain) quiet_drops(gp_update(gp, batch$x, batch$y)) else gp_learn(gp, batch))
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
    abort("input", "this model has no formula, so say which column is the output, as in y = \"", utils::tail(names(batch), 1),
      "\": there is no column ", backtick(response), ".")
  }
  list(x = batch[names(batch) != response], y = batch[[response]])
}

# Rows that are dropped are counted and told at the end, not in every batch.
quiet_drops <- function(expr) withCallingHandlers(expr, gpstream_message_dropped = function(m) tryInvokeRestart("muffleMessage"))

read_quietly <- function(gp, batch) quiet_drops(read_batch(gp, batch$x, batch$y, batch$data))

# Rows learned since the last batch that was scored, that one included.
rows_unscored <- function(gp) {
  history <- gp_history(gp)
  last <- max(0, which(history$scored > 0))
  sum(history$rows[seq_len(nrow(history)) >= last])
}

score_due <- function(run) {
  if (run$nobs == 0 || run$unscored < score_gap(0, run$nobs)) return(FALSE)
  run$unscored >= score_gap(core_gp_size(gp_handle(run$gp)), run$nobs)
}

# NULL where there is nothing to score, or nothing that can be read: then learning says why.
batch_scores <- function(gp, batch, plain) {
  n <- nrow(batch$x)
  if (n == 0) return(NULL)
  rows <- scored_rows(n)
  x <- batch$x[rows, , drop = FALSE]
  y <- batch$y[rows]
  if (plain) {
    few <- tryCatch(suppressMessages(read_batch(gp, x, y, NULL)), gpstream_error = function(e) NULL)
    if (NROW(few$x) == 0) return(NULL)
    x <- few$x
    y <- few$y
  }
  p <- core_gp_predict(gp_handle(gp), x, TRUE)
  scores <- score_normal(y, p$mean, sqrt(p$variance + p$noise))
  c(as.list(score_sums(scores)), scores["pit"])
}

scored_rows <- function(n) spread_rows(n, max(score_least, floor(n * score_part)))
