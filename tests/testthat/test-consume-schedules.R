# Every row of every file is counted exactly once, whatever happens on the way. tools/schedules.R plays a
# thousand of these, with real kills.

test_that("random schedules of files, kills, interrupts and resumes count every row exactly once", {
  killed <- function(work) withRestarts(work(), killed = function() NULL)
  die <- function() {
    # as a process that is killed leaves it
    write_stale_lock("state.gps.lock")
    invokeRestart("killed")
  }
  for (seed in 1:40) expect_identical(play_schedule(seed, killed, die), character())
})
