# Ctrl-C at any moment of consume(), and going on, is as if nothing had happened.

# Runs in a child process, interrupted from outside each time it says that it is ready.
consuming_child <- function(files, rows, timeless) {
  library(gpstream)
  data <- rows(6000)
  new <- function() streaming_gp(y ~ a + g, kernel = kernel_se(0.3, 1), noise = 0.01, mean = 0, optimize = "none", select = select_oips(0.95))
  whole <- new()
  consume(whole, data, 1500)
  out <- list()
  for (kind in c("frame", "function")) {
    gp <- new()
    at <- 0
    give <- function() {
      Sys.sleep(0.02)
      suspendInterrupts(if ((at <<- at + 1) <= 12) data[500 * (at - 1) + 1:500, ]) # or what it had counted would be lost
    }
    source <- if (kind == "frame") as_source(data) else as_source(give)
    stops <- 0
    for (turn in 1:100) {
      if (gp$nobs == 6000) break
      if (length(files$ready) > 0) {
        file.create(files$ready[1])
        files$ready <- files$ready[-1]
      }
      withCallingHandlers(consume(gp, source, 1500), message = function(m) {
        stops <<- stops + grepl("^Stopped", conditionMessage(m))
        tryInvokeRestart("muffleMessage")
      })
    }
    out[[kind]] <- list(stops = stops, same = identical(timeless(gp), timeless(whole)))
  }
  saveRDS(out, files$answer)
}

test_that("Ctrl-C, and going on, is as if nothing had happened", {
  skip_on_cran()
  skip_on_os("windows")
  folder <- tempfile()
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  files <- list(ready = file.path(folder, 1:8), answer = file.path(folder, "answer"), pid = file.path(folder, "pid"))
  script <- file.path(folder, "child.R")
  writeLines(c(
    deparse(call("<-", quote(files), files)), deparse(call("<-", quote(child), consuming_child)), deparse(call("<-", quote(rows), stream_rows)),
    deparse(call("<-", quote(timeless), timeless)), "writeLines(format(Sys.getpid()), files$pid)", "suspendInterrupts(child(files, rows, timeless))" # those that come between two runs wait for the next
  ), script)
  log <- file.path(folder, "log")
  system2(file.path(R.home("bin"), "Rscript"), c("--vanilla", shQuote(script)), stdout = log, stderr = log, wait = FALSE, env = libraries())
  wait_for <- function(file) {
    for (i in 1:600) if (file.exists(file) || file.exists(files$answer)) return(file.exists(file)) else Sys.sleep(0.02)
    FALSE
  }
  for (i in seq_along(files$ready)) {
    if (!wait_for(files$ready[i])) break
    Sys.sleep(c(0.005, 0.05, 0.1, 0.03)[1 + i %% 4])
    tools::pskill(as.integer(readLines(files$pid)), tools::SIGINT)
  }
  expect_true(wait_for(files$answer), info = paste(readLines(log), collapse = "\n"))
  Sys.sleep(0.2)
  out <- readRDS(files$answer)
  expect_true(out$frame$same)
  expect_true(out$`function`$same)
  expect_gt(out$frame$stops + out$`function`$stops, 1)
})
