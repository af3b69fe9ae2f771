# Which batches and rows consume() scores: few enough that it costs little beside the learning. That depends
# on the stream only, so that a resumed run does the same.

# Rows between two scorings: 8 for each point, because of the factor of the posterior; a quarter of all rows
# so far, but not more than 3000 or a 200th of all.
score_gap <- function(points, nobs) max(8 * points, min(nobs / 4, 3000), nobs / 200)

score_part <- 1 / 50 # of the rows of a batch are scored, but not fewer than ...
score_least <- 20

scored_rows <- function(n) spread_rows(n, max(score_least, floor(n * score_part)))

score_due <- function(run) {
  if (run$unscored < score_gap(0, run$nobs)) return(FALSE)
  run$unscored >= score_gap(core_gp_size(gp_handle(run$gp)), run$nobs)
}

# Rows learned since the last batch that was scored, that one included.
rows_unscored <- function(gp) {
  history <- gp_history(gp)
  last <- max(0, which(history$scored > 0))
  sum(history$rows[seq_len(nrow(history)) >= last])
}
