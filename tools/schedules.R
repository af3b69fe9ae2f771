# Random schedules of files that grow, of kills and resumes: is every row counted exactly once?
#   Rscript tools/schedules.R [N] [SEED]      N schedules (1000) from this seed on; to repeat one: N = 1
# Every run that is stopped is a process of its own, and is stopped by kill -9, at a random moment while it
# reads its rows. With the installed gpstream; about a minute for a hundred. The schedules are those of
# tests/testthat/helper-schedules.R.
suppressPackageStartupMessages(library(testthat))
library(gpstream)

arguments <- as.integer(commandArgs(TRUE))
N <- if (length(arguments) > 0) arguments[1] else 1000
first <- if (length(arguments) > 1) arguments[2] else 1

here <- dirname(normalizePath(sub("--file=", "", grep("--file=", commandArgs(), value = TRUE)[1])))
helpers <- new.env(parent = asNamespace("gpstream"))
for (file in c("helper-streams.R", "helper-files.R", "helper-schedules.R")) {
  sys.source(file.path(here, "..", "tests", "testthat", file), helpers)
}

kills <- runs <- 0
apart <- function(work) {
  runs <<- runs + 1
  job <- parallel::mcparallel({
    work()
    "done"
  }, silent = TRUE)
  done <- suppressWarnings(parallel::mccollect(job))[[1]]
  if (inherits(done, "try-error")) stop(done, call. = FALSE)
  kills <<- kills + is.null(done)
}
die <- function() tools::pskill(Sys.getpid(), tools::SIGKILL)

started <- proc.time()[[3]]
wrong <- character()
for (seed in seq(first, length.out = N)) {
  found <- tryCatch(helpers$play_schedule(seed, apart, die), error = function(e) {
    paste0("seed ", seed, ": ", conditionMessage(e))
  })
  if (length(found) > 0) cat(found, sep = "\n")
  wrong <- c(wrong, found[1][length(found) > 0])
}
cat(sprintf("%d schedules from seed %d: %d runs that were stopped, %d of them by kill -9; %d schedules failed; %.0f s\n",
  N, first, runs, kills, length(wrong), proc.time()[[3]] - started))
if (length(wrong) > 0) quit(status = 1)
