# gp$history, and the scores in it. The core keeps running sums; a row of the data frame is the difference of
# two of them, so it is exact for all batches it stands for.

history_columns <- c("batch", "nobs", "points", "scored", "squared", "log_score", "covered", "timed",
  "seconds", "bound", "alarms", "unlearned", "correct", "brier")

gp_history <- function(gp) {
  sums <- if (is_started(gp)) core_gp_history(gp_handle(gp)) else matrix(0, 0, length(history_columns))
  colnames(sums) <- history_columns
  step <- apply(rbind(0, sums), 2, diff)
  dim(step) <- dim(sums) # one row is no matrix to apply()
  colnames(step) <- history_columns
  where <- function(known, value) ifelse(known, value, NA_real_)
  scored <- step[, "scored"]
  classes <- has_classes(likelihood_of(gp)) & scored > 0
  data.frame(
    batch = sums[, "batch"], rows = step[, "nobs"] + step[, "unlearned"], nobs = sums[, "nobs"],
    points = sums[, "points"],
    added = step[, "points"], bound = where(!is.na(sums[, "bound"]), sums[, "bound"]),
    scored = scored,
    rmse = where(scored > 0, sqrt(pmax(step[, "squared"], 0) / scored)),
    log_score = where(scored > 0, step[, "log_score"] / scored),
    coverage = where(scored > 0 & !classes, step[, "covered"] / scored),
    accuracy = where(classes, step[, "correct"] / scored), brier = where(classes, step[, "brier"] / scored),
    seconds = where(step[, "timed"] > 0, step[, "seconds"]), alarms = sums[, "alarms"],
    unlearned = step[, "unlearned"],
    row.names = NULL
  )
}

# How well the newest batch was foretold, noted after it was learned: sums over the `scored` rows that were
# predicted before, of squared errors and log scores, how many of them lay within their 95 % interval, and the
# values of their predictive distribution functions; the seconds that the batch took; the objective after it;
# of classes, how often the most probable came, and the sum of Brier scores.
note_scores <- function(gp, scored = 0, squared = 0, log_score = 0, covered = 0, pit = numeric(),
                        seconds = NA_real_, bound = NA_real_, correct = 0, brier = 0) {
  if (is_started(gp)) {
    core_gp_note(
      gp_handle(gp), scored, squared, log_score, covered, as.double(pit), seconds, bound, correct, brier
    )
  }
  invisible(gp)
}

# The same from the scores of a batch, if it was scored.
note_batch <- function(gp, scores, seconds) {
  if (is.null(scores)) return(note_scores(gp, seconds = seconds))
  keep <- !is.na(scores$error)
  sums <- score_sums(scores, keep)
  classes <- has_classes(likelihood_of(gp))
  note_scores(
    gp, sums[["scored"]], sums[["squared"]], sums[["log_score"]],
    if (classes) 0 else sum(scores$covered_95[keep]), scores$pit[keep], seconds,
    correct = if (classes) sums[["correct"]] else 0, brier = if (classes) sums[["brier"]] else 0
  )
}

# How many scored outputs of the whole stream fell into each twentieth of their predictive distribution:
# equally many, if it is right.
pit_counts <- function(gp) if (is_started(gp)) core_gp_pit(gp_handle(gp)) else numeric(20)
