# Run the testthat suite of the *installed* gpstream: Rscript tools/suite.R [counts.rds]
# from the directory that holds tests/testthat. FILTER=regex picks test files; GCT=n tortures the
# garbage collector (see below). Failures are printed in full; exit status 1 if there are any.
library(testthat)
library(gpstream)

# GCT=n: collect at every n-th allocation, but only while C++ code runs (whole tests would take days), and only in
# some calls of each entry point: the first 5 and every 2^k-th.
torture <- as.integer(Sys.getenv("GCT", "0"))
if (torture > 0) local({
  ns <- asNamespace("gpstream")
  calls_native <- function(f) is.function(f) && any(all.names(body(f)) == ".Call")
  entries <- Filter(function(name) calls_native(ns[[name]]), ls(ns, all.names = TRUE))
  for (name in entries) local({
    entry <- ns[[name]]
    calls <- 0L
    wrapper <- function(...) {
      calls <<- calls + 1L
      if (calls > 5L && bitwAnd(calls, calls - 1L) != 0L) return(entry(...))
      list(...) # evaluates the arguments before the torture starts
      on.exit(gctorture2(0))
      gctorture2(torture)
      entry(...)
    }
    environment(wrapper) <- environment()
    unlockBinding(name, ns)
    assign(name, wrapper, ns)
  })
  cat("tortured entry points:", length(entries), "\n")
  if (length(entries) == 0) stop("found no entry points to torture")
})

filter <- Sys.getenv("FILTER")
results <- as.data.frame(test_dir("tests/testthat", package = "gpstream", load_package = "installed",
                                  filter = if (nzchar(filter)) filter, reporter = "check",
                                  stop_on_failure = FALSE))
counts <- c(passed = sum(results$passed), failed = sum(results$failed) + sum(results$error),
      skipped = sum(results$skipped))
took <- sort(tapply(results$user + results$system, results$file, sum), decreasing = TRUE)
cat(sprintf("%.0f s of processor time; most: %s\n", sum(took),
            paste(sprintf("%s %.0f", names(took), took)[seq_len(min(12, length(took)))], collapse = ", ")))
out <- commandArgs(TRUE)
if (length(out)) saveRDS(counts, out[1])
if (counts["failed"] > 0 || counts["passed"] == 0) quit(status = 1)
