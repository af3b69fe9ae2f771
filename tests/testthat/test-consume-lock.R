# One process at a time has a checkpoint.

test_that("a second run on a checkpoint is refused while the first lasts, and not after it", {
  folder <- tempfile()
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  file <- file.path(folder, "run.gps")
  data <- stream_rows(200)
  error <- NULL
  at <- 0
  give <- function() {
    if (at == 1) error <<- tryCatch(consume(stream_model(), data, checkpoint = file, resume = TRUE), error = identity)
    if ((at <<- at + 1) <= 2) data[100 * (at - 1) + 1:100, ]
  }
  gp <- stream_model()
  consume(gp, give, 100, checkpoint = file, every = "1 batch")
  expect_s3_class(error, "gpstream_error_locked")
  expect_match(conditionMessage(error), paste0("is in use by process ", Sys.getpid(), " (this one). Wait until it has ended."), fixed = TRUE)
  expect_identical(timeless(gp), consumed(data))
  expect_identical(list.files(folder), "run.gps")
})

test_that("the lock goes with an error, an interrupt and a refusal", {
  folder <- tempfile()
  dir.create(folder)
  file <- file.path(folder, "run.gps")
  stop_by <- list(function() stop("gone"), function() signalCondition(structure(class = c("interrupt", "condition"), list(message = ""))))
  for (ends in stop_by) {
    give <- function() {
      if (at == 1) ends()
      if ((at <<- at + 1) <= 1) stream_rows(100)
    }
    at <- 0
    try(suppressMessages(consume(stream_model(), give, 100, checkpoint = file)), silent = TRUE)
    expect_identical(list.files(folder), "run.gps")
    unlink(file)
  }
  consume(stream_model(), stream_rows(100), checkpoint = file)
  expect_error(consume(stream_model(), stream_rows(100, 900), checkpoint = file), class = "gpstream_error_input")
  expect_error(consume(stream_model(), mean(7), checkpoint = file), class = "gpstream_error_input")
  expect_identical(list.files(folder), "run.gps")
})

test_that("locks that were left behind are taken over, those of other hosts are not", {
  file <- tempfile(fileext = ".gps")
  lock <- paste0(file, ".lock")
  here <- Sys.info()[["nodename"]]
  says <- function(...) writeLines(c(...), lock, sep = "\n")
  run <- function() consume(stream_model(), stream_rows(100), checkpoint = file, resume = TRUE)
  says("99999999", here, "1", "1")
  expect_silent(suppressMessages(run()))
  expect_false(file.exists(lock))
  if (process_start(Sys.getpid()) != "unknown") { # another process had our number
    says(Sys.getpid(), here, "1", "1")
    suppressMessages(run())
    expect_false(file.exists(lock))
  }
  says(1, "elsewhere", "1", "1")
  error <- stopped_by(run(), "gpstream_error_locked")
  expect_match(conditionMessage(error), paste0("process 1 on the host \"elsewhere\". Wait until it has ended; if it has, delete \"", lock), fixed = TRUE)
  expect_true(file.exists(lock))
  unlink(lock)
})

test_that("of many processes that take a lock at once, fresh or left behind, one has it", {
  skip_on_os("windows")
  skip_on_cran()
  file <- tempfile(fileext = ".gps")
  for (stale in c(FALSE, TRUE)) for (turn in 1:5) {
    if (stale) write_stale_lock(paste0(file, ".lock"))
    jobs <- lapply(1:4, function(i) parallel::mcparallel({
      lock <- new_lock(file)
      got <- tryCatch({
        take_lock(lock, file)
        TRUE
      }, gpstream_error_locked = function(e) FALSE)
      Sys.sleep(0.2) # none ends before all have tried
      got
    }))
    expect_identical(sum(unlist(parallel::mccollect(jobs))), 1L)
    unlink(paste0(file, ".lock"))
  }
})
