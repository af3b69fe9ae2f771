# gp$history: how the model grew, and how well it foretold what came.

test_that("history tells how the model grew, in bounded length", {
  gp <- toy_gp(0)
  columns <- c("batch", "rows", "nobs", "points", "added", "bound", "scored", "rmse", "log_score", "coverage", "accuracy", "brier", "seconds", "alarms",
    "unlearned")
  expect_named(gp$history, columns)
  expect_equal(nrow(gp$history), 0)
  gp$update(c(0, 5), 1:2)
  expect_named(gp$history, columns)
  gp$update(numeric(), numeric())
  gp$update(c(0, 5, 10), 1:3)
  expect_equal(gp$history[1:5], data.frame(batch = 1:2, rows = c(2, 3), nobs = c(2, 5), points = c(2, 3), added = c(2, 1)))
  expect_identical(gp$history$scored, c(0, 0))
  expect_true(all(is.na(gp$history[c("bound", "rmse", "log_score", "coverage", "accuracy", "brier", "seconds")])))
  expect_identical(gp$history$alarms, c(0, 0))
  for (i in 1:2500) gp$update(1, 1)
  expect_lte(nrow(gp$history), 1000)
  last <- gp$history[nrow(gp$history), ]
  expect_equal(c(last$batch, last$nobs, last$points), c(2502, 2505, gp$size))
  expect_equal(sum(gp$history$rows), 2505)
})

test_that("scores belong to the newest batch, and several notes of one batch add up", {
  gp <- toy_gp(0)
  expect_identical(gpstream:::note_scores(gp, scored = 1), gp) # nothing was learned yet: nothing to note
  gp$update(1:2, 1:2)
  gp$update(3:4, 1:2)
  gpstream:::note_scores(gp, scored = 4, squared = 9, log_score = -8, covered = 3, pit = c(0, 0.5, 0.51, 1), seconds = 2, bound = -12)
  gp$update(5, 1)
  gpstream:::note_scores(gp, scored = 1, squared = 1, log_score = 1, covered = 1, pit = 0.049)
  gpstream:::note_scores(gp, scored = 1, squared = 7, log_score = 3, covered = 1, seconds = 0)
  expect_equal(gp$history$scored, c(0, 4, 2))
  expect_equal(gp$history$rmse, c(NA, 1.5, 2))
  expect_equal(gp$history$log_score, c(NA, -2, 2))
  expect_equal(gp$history$coverage, c(NA, 0.75, 1))
  expect_equal(gp$history$seconds, c(NA, 2, 0))
  expect_equal(gp$history$bound, c(NA, -12, NA))
  expect_identical(which(gpstream:::pit_counts(gp) > 0), c(1L, 11L, 20L))
  expect_identical(gpstream:::pit_counts(gp)[c(1, 11, 20)], c(2, 2, 1))
  expect_identical(gpstream:::pit_counts(toy_gp(0)), numeric(20))
})

test_that("a thinned row is exact for all batches it stands for", {
  gp <- toy_gp(0)
  n <- 2345
  noted <- data.frame(scored = seq_len(n) %% 4, squared = (seq_len(n) * 7) %% 11, log_score = -((seq_len(n) * 5) %% 13), seconds = (seq_len(n) %% 3) / 8)
  noted[noted$scored == 0, c("squared", "log_score")] <- 0
  for (i in seq_len(n)) {
    gp$update(i %% 10, i)
    with(noted[i, ], gpstream:::note_scores(gp, scored, squared, log_score, min(scored, 1), numeric(), seconds, if (i %% 5 == 0) -i else NA))
  }
  h <- gp$history
  expect_lte(nrow(h), 1000)
  group <- cut(seq_len(n), c(0, h$batch))
  sums <- function(column) as.vector(tapply(column, group, sum))
  expect_identical(h$scored, sums(noted$scored))
  expect_equal(h$rmse, ifelse(h$scored > 0, sqrt(sums(noted$squared) / h$scored), NA))
  expect_equal(h$log_score, ifelse(h$scored > 0, sums(noted$log_score) / h$scored, NA))
  expect_equal(h$coverage, ifelse(h$scored > 0, sums(pmin(noted$scored, 1)) / h$scored, NA))
  expect_equal(h$seconds, sums(noted$seconds))
  newest <- as.vector(tapply(ifelse(seq_len(n) %% 5 == 0, -seq_len(n), NA), group, function(b) if (all(is.na(b))) NA else min(b, na.rm = TRUE)))
  expect_equal(h$bound, newest) # the newest that was read among the batches of a row
})

test_that("scores survive the warm-up, copies and saving, and a wrong note changes nothing", {
  gp <- streaming_gp(warmup = 30)
  for (i in 1:8) {
    rows <- toy(5, from = 5 * i)
    gp$update(rows$x, rows$y)
    gpstream:::note_scores(gp, scored = i, squared = i, log_score = 0, covered = 0, pit = rep(i / 10, i))
  }
  expect_equal(gp$history$scored, 1:8)
  for (twin in list(gp$copy(), unserialize(serialize(gp, NULL)), streaming_gp_restore(as.list(gp)))) {
    gpstream:::note_scores(twin, scored = 1)
    expect_equal(twin$history$scored, c(1:7, 9))
    expect_identical(gpstream:::pit_counts(twin), gpstream:::pit_counts(gp))
  }
  expect_refused(gp, gpstream:::note_scores(gp, scored = 1, squared = NaN), "nonfinite", "finite")
  expect_refused(gp, gpstream:::note_scores(gp, scored = -100), "nonfinite", "negative")
  expect_refused(gp, gpstream:::note_scores(gp, scored = 1, pit = 1.5), "input", "between 0 and 1")
})
