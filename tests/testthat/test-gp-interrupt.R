# A failed or interrupted update leaves the object bitwise as it was, and the next update works.

test_that("Ctrl-C just after a batch was learned keeps what the batch added to the ranges of the columns", {
  skip_on_os("windows")
  ns <- asNamespace("gpstream")
  learn <- ns$learn_rows
  replace_learn <- function(f) {
    unlockBinding("learn_rows", ns)
    assign("learn_rows", f, ns)
    lockBinding("learn_rows", ns)
  }
  on.exit(replace_learn(learn))
  make <- function() streaming_gp(y ~ x, data.frame(x = 1:5, y = 1:5), kernel = kernel_se(2, 1), noise = 0.1, mean = 0, optimize = "none")
  whole <- make()
  whole$update(data.frame(x = c(-3, 20), y = 0))
  gp <- make()
  replace_learn(function(...) {
    learn(...)
    tools::pskill(Sys.getpid(), tools::SIGINT)
    Sys.sleep(1)
  })
  ended <- tryCatch(gp$update(data.frame(x = c(-3, 20), y = 0)), interrupt = function(i) "interrupted")
  expect_identical(ended, "interrupted")
  expect_identical(as.list(gp), as.list(whole))
})

test_that("an update that fails leaves no trace, whatever failed", {
  failing <- list(
    function(gp) gp$update(c(1, NA, 50), 1:3), function(gp) gp$update(c(1, 50), c(1, 1e200)), function(gp) gp$update(50, "a"),
    function(gp) gp$points <- c(1, NA), function(gp) gp$noise <- -1, # and, where there are columns to differ from:
    function(gp) gp$update(cbind(1, 50), 1), function(gp) gp$kernel <- kernel_se(c(1, 2), 1)
  )
  for (n in c(0, 20)) {
    for (fail in failing[if (n == 0) 1:5 else 1:7]) {
      gp <- toy_gp(n)
      untouched <- gp$copy()
      before <- as.list(gp)
      expect_error(fail(gp), class = "gpstream_error")
      expect_identical(as.list(gp), before)
      expect_identical(as.list(continue_stream(gp)), as.list(continue_stream(untouched)))
    }
  }
  sel <- oips(kernel_se(1))$update(1:3)
  expect_error(sel$update(c(50, NA)), class = "gpstream_error")
  expect_identical(list(sel$points, sel$index, sel$seen), list(matrix(c(1, 2, 3)), c(1, 2, 3), 3))
})

# Runs in a child process: long updates, each interrupted from outside at a moment of the parent's choosing.
interrupted_child <- function(files) {
  library(gpstream)
  slow <- list(
    # many points join before the interrupt comes
    selecting = list(select_oips(0.9), 3e6),
    # none joins: the time goes into absorbing
    absorbing = list(select_fixed(seq(0, 400, length.out = 800)), 4e5)
  )
  out <- list()
  for (delay in seq_len(length(files$ready) / length(slow))) {
    for (name in names(slow)) {
      gp <- streaming_gp(optimize = "none", kernel = kernel_se(1, 1), noise = 0.01, mean = 0, select = slow[[name]][[1]], lookback = 50)
      gp$update(seq(0, 90, by = 0.5), sin(seq(0, 90, by = 0.5)))
      twin <- gp$copy()
      before <- as.list(gp)
      x <- (seq_len(slow[[name]][[2]]) * sqrt(2)) %% 1 * 400
      y <- sin(x)
      file.create(files$ready[length(out) + 1])
      ended <- tryCatch(
        {
          gp$update(x, y)
          "finished"
        },
        interrupt = function(i) "interrupted"
      )
      same <- identical(as.list(gp), before)
      gp$update(x[1:60], y[1:60])
      twin$update(x[1:60], y[1:60])
      out[[length(out) + 1]] <- list(case = name, ended = ended, same = same, continues = identical(as.list(gp), as.list(twin)))
    }
  }
  saveRDS(out, files$answer)
}

test_that("Ctrl-C at any moment of an update leaves the object as it was, and the next update works", {
  skip_on_cran()
  skip_on_os("windows")
  delays <- c(0.01, 0.2, 0.7)
  folder <- tempfile()
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  files <- list(ready = file.path(folder, seq_len(2 * length(delays))), answer = file.path(folder, "answer"), pid = file.path(folder, "pid"))
  script <- file.path(folder, "child.R")
  writeLines(c(
    deparse(call("<-", quote(files), files)), deparse(call("<-", quote(child), interrupted_child)),
    "writeLines(format(Sys.getpid()), files$pid)", "child(files)"
  ), script)
  log <- file.path(folder, "log")
  system2(file.path(R.home("bin"), "Rscript"), c("--vanilla", shQuote(script)), stdout = log, stderr = log, wait = FALSE, env = libraries())
  wait_for <- function(file) {
    for (i in 1:600) if (file.exists(file)) return(TRUE) else Sys.sleep(0.05)
    FALSE
  }
  for (i in seq_along(files$ready)) {
    if (!wait_for(files$ready[i])) break
    Sys.sleep(delays[(i + 1) %/% 2])
    tools::pskill(as.integer(readLines(files$pid)), tools::SIGINT)
  }
  expect_true(wait_for(files$answer), info = paste(readLines(log), collapse = "\n"))
  Sys.sleep(0.2)
  for (one in readRDS(files$answer)) expect_identical(one[-1], list(ended = "interrupted", same = TRUE, continues = TRUE), info = one$case)
})
