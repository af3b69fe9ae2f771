# Checkpoints: a run that was stopped, or killed, and resumed is identical to one that never was.

test_that("a resumed run is identical to one that was never stopped, from every source", {
  data <- stream_rows(700)
  csv <- tempfile(fileext = ".csv")
  utils::write.csv(data, csv, row.names = FALSE)
  sources <- list(frame = function() data, csv = function() csv, `function` = function() chunked(data, c(333, 367)))
  if (requireNamespace("RSQLite", quietly = TRUE)) {
    db <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
    on.exit(DBI::dbDisconnect(db))
    DBI::dbWriteTable(db, "t", data)
    sources$sqlite <- function() as_source(db, sql = "SELECT * FROM t ORDER BY rowid")
  }
  models <- list(given = stream_model, learned = function() streaming_gp(y ~ a + g, kernel = kernel_se("ard"), memory = 100))
  for (make in models) {
    expected <- consumed(data, gp = make())
    for (source in sources) {
      for (stop_at in c(100, 300, 600)) {
        file <- tempfile(fileext = ".gps")
        consume(make(), source(), 100, checkpoint = file, max_rows = stop_at)
        gp <- make()
        consume(gp, source(), 100, checkpoint = file, resume = TRUE)
        expect_identical(timeless(gp), expected)
      }
    }
  }
})

test_that("resumed again and again, one batch at a time", {
  data <- stream_rows(1200)
  file <- tempfile(fileext = ".gps")
  for (i in 1:12) {
    gp <- stream_model()
    consume(gp, data, 100, checkpoint = file, resume = TRUE, max_rows = 100)
    expect_identical(gp$nobs, 100 * i)
  }
  expect_identical(timeless(gp), consumed(data))
  before <- as.list(gp)
  expect_message(consume(gp, data, 100, checkpoint = file, resume = TRUE), "Nothing to do: all 1,200 rows", class = "gpstream_message")
  expect_identical(as.list(gp), before)
  # rows that have come since
  more <- stream_rows(1500)
  consume(gp, more, 100, checkpoint = file, resume = TRUE)
  expect_identical(timeless(gp), consumed(more))
})

test_that("the same source object goes on from where it stands", {
  data <- stream_rows(500)
  file <- tempfile(fileext = ".gps")
  gp <- stream_model()
  source <- as_source(data)
  consume(gp, source, 100, checkpoint = file, max_rows = 300)
  consume(gp, source, 100, checkpoint = file, resume = TRUE)
  expect_identical(timeless(gp), consumed(data))
  expect_error(consume(stream_model(), { next_batch(s <- as_source(stream_rows(900)), 600); s }, 100, checkpoint = file, resume = TRUE),
    "the source stands at row 600, behind row 500", class = "gpstream_error_source")
})

test_that("after an error there is a checkpoint; skipped rows are counted across runs", {
  data <- stream_rows(500)
  bad <- transform(data, y = replace(y, c(150, 450), NA))
  file <- tempfile(fileext = ".gps")
  gp <- stream_model()
  stopped_by(consume(gp, bad, 100, checkpoint = file, every = 1e6), "gpstream_error_batch")
  again <- stream_model()
  consume(again, data, 100, checkpoint = file, resume = TRUE)
  expect_identical(timeless(again), consumed(data))
  unlink(file)
  whole <- stream_model()
  expect_warning(consume(whole, bad, 100, on_error = "skip"), "Left out 2 of 500 rows")
  expect_identical(timeless(whole), consumed(data[-c(150, 450), ]))
  expect_warning(consume(stream_model(), bad, 100, on_error = "skip", checkpoint = file, max_rows = 300), "Left out 1 of 301 rows")
  gp <- stream_model()
  expect_warning(consume(gp, bad, 100, on_error = "skip", checkpoint = file, resume = TRUE), "Left out 2 of 500 rows")
  expect_identical(timeless(gp), timeless(whole))
})

test_that("how often: seconds or batches", {
  expect_identical(check_every(60), list(seconds = 60, batches = Inf))
  expect_identical(check_every("100 batches"), list(seconds = Inf, batches = 100))
  expect_identical(check_every("1 batch"), list(seconds = Inf, batches = 1))
  expect_identical(check_every("2 minutes"), list(seconds = 120, batches = Inf))
  for (bad in list("0 batches", "batches", -1, NA, "5 parsecs", c(1, 2), NULL)) expect_error(check_every(bad), "`every`", class = "gpstream_error_parameter")
  file <- tempfile(fileext = ".gps")
  written <- numeric()
  note <- function() written <<- c(written, if (file.exists(file)) read_checkpoint(file)$position$rows else 0)
  at <- 0
  give <- function() {
    note()
    if ((at <<- at + 1) <= 7) stream_rows(100, from = 100 * (at - 1) + 1)
  }
  consume(stream_model(), give, 100, checkpoint = file, every = "3 batches")
  note()
  expect_identical(written, c(0, 0, 0, 300, 300, 300, 600, 600, 700))
})

test_that("what must not be mixed up is not", {
  data <- stream_rows(500)
  home <- setwd(tempdir()) # so that messages name the file alike everywhere
  on.exit({
    unlink("run.gps")
    setwd(home)
  })
  consume(stream_model(), data, 100, checkpoint = "run.gps", max_rows = 300)
  other <- streaming_gp(y ~ a, kernel = kernel_se(1, 1), noise = 0.01, mean = 0, optimize = "none")
  ahead <- stream_model()
  consume(ahead, data, 100)
  before <- as.list(ahead)
  refused <- conditions_of(
    consume(stream_model(), data, 100, checkpoint = "run.gps"), consume(other, data, 100, checkpoint = "run.gps", resume = TRUE),
    consume(ahead, data, 100, checkpoint = "run.gps", resume = TRUE), consume(stream_model(), data[1:200, ], 100, checkpoint = "run.gps", resume = TRUE),
    consume(stream_model(), data, checkpoint = "no/such/folder/file")
  )
  expect_identical(as.list(ahead), before)
  expect_snapshot(writeLines(refused))
})

test_that("a source that fails before the run goes on leaves model and checkpoint as they were", {
  data <- stream_rows(500)
  file <- tempfile(fileext = ".gps")
  broken <- FALSE
  give <- chunked(data, c(250, 250))
  feed <- function(reset) if (broken) stop("no signal") else give(reset)
  consume(stream_model(), feed, 100, checkpoint = file, max_rows = 300)
  before <- file_bytes(file)
  broken <- TRUE
  gp <- stream_model()
  error <- stopped_by(consume(gp, feed, 100, checkpoint = file, resume = TRUE), "gpstream_error_batch")
  broken <- FALSE
  expect_match(conditionMessage(error), "the rows before batch 4 could not be read: no signal\nThe model is as it was, and so is the checkpoint.", fixed = TRUE)
  expect_identical(file_bytes(file), before)
  expect_identical(gp$nobs, 0)
  consume(gp, feed, 100, checkpoint = file, resume = TRUE)
  expect_identical(timeless(gp), consumed(data))
})

test_that("a file that is no checkpoint is not replaced by one", {
  data <- stream_rows(200)
  csv <- tempfile(fileext = ".csv")
  utils::write.csv(data, csv, row.names = FALSE)
  before <- file_bytes(csv)
  source <- as_source(csv)
  expect_error(consume(stream_model(), source, 100, checkpoint = csv), "would be replaced, but is not known to be a checkpoint: .* not a model file",
    class = "gpstream_error_input")
  expect_identical(file_bytes(csv), before)
  expect_identical(source$taken, 0)
  # one that was written by a model with functions of somebody's own
  file <- tempfile(fileext = ".gps")
  twice <- function(x) 2 * x
  save_gp(streaming_gp(y ~ twice(a), data = data), file)
  expect_error(consume(stream_model(), data, 100, checkpoint = file), "not known to be", class = "gpstream_error_input")
})

test_that("a checkpoint that could not be written is told before a row is read", {
  source <- as_source(stream_rows(200))
  folder <- tempfile()
  dir.create(folder)
  expect_error(consume(stream_model(), source, checkpoint = folder), "is a directory; give the name of a file in it", class = "gpstream_error_io")
  expect_error(consume(stream_model(), source, checkpoint = file.path(folder, "no", "run")), "there is no directory", class = "gpstream_error_io")
  expect_identical(source$taken, 0)
})

test_that("whoever changes the directory meanwhile does not lose the checkpoint", {
  folders <- replicate(2, tempfile())
  for (folder in folders) dir.create(folder)
  home <- setwd(folders[1])
  on.exit(setwd(home))
  at <- 0
  give <- function() {
    setwd(folders[2])
    if ((at <<- at + 1) <= 2) stream_rows(100, from = 100 * (at - 1) + 1)
  }
  consume(stream_model(), give, 100, checkpoint = "run", every = "1 batch")
  expect_identical(list.files(folders[1]), "run.gps")
  expect_identical(list.files(folders[2]), character())
})

test_that("a file with a strange position is none of consume()'s", {
  file <- tempfile(fileext = ".gps")
  gp <- stream_model()
  consume(gp, stream_rows(200), 100, checkpoint = file)
  sound <- read_checkpoint(file)$position
  for (bad in list("7", -1, NaN, Inf, 0.5, c(1, 2), numeric(), TRUE)) {
    for (name in setdiff(names(sound), paste0("source_", c("label", "size", "at")))) {
      write_checkpoint(gp, file, replace(sound, name, list(bad)))
      known <- if (is.character(sound[[name]])) is.character(bad) else startsWith(name, "source_") && is.numeric(bad)
      expect_error(
        consume(stream_model(), stream_rows(300), 100, checkpoint = file, resume = TRUE), if (known) "checkpoint" else "was not written by consume",
        class = "gpstream_error_input"
      )
    }
  }
  save_gp(gp, file)
  expect_error(consume(stream_model(), stream_rows(300), 100, checkpoint = file, resume = TRUE), "was not written by consume", class = "gpstream_error_input")
})

# Runs in a child process that will be killed.
doomed_child <- function(files, rows) {
  library(gpstream)
  at <- 0
  give <- function(reset) {
    if (reset) at <<- 0
    Sys.sleep(0.002)
    if (!reset && (at <<- at + 1) <= 60) rows(50, from = 50 * (at - 1) + 1)
  }
  gp <- streaming_gp(y ~ a + g, kernel = kernel_se(1, 1), noise = 0.01, mean = 0, optimize = "none")
  consume(gp, give, 50, checkpoint = files$file, every = "1 batch", resume = TRUE)
  file.create(files$done)
}

test_that("kill -9, and resuming, is as if nothing had happened", {
  skip_on_cran()
  skip_on_os("windows")
  folder <- tempfile()
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  files <- list(file = file.path(folder, "run.gps"), done = file.path(folder, "done"), pid = file.path(folder, "pid"))
  script <- file.path(folder, "child.R")
  writeLines(c(
    deparse(call("<-", quote(files), files)), deparse(call("<-", quote(child), doomed_child)), deparse(call("<-", quote(rows), stream_rows)),
    "writeLines(format(Sys.getpid()), files$pid)", "child(files, rows)"
  ), script)
  reached <- numeric()
  for (kill in 1:3) {
    unlink(files$pid)
    log <- file.path(folder, "log")
    system2(file.path(R.home("bin"), "Rscript"), c("--vanilla", shQuote(script)), stdout = log, stderr = log, wait = FALSE, env = libraries())
    rows <- function() if (file.exists(files$file)) read_checkpoint(files$file)$position$rows else 0
    start <- rows()
    for (i in 1:1000) if (file.exists(files$pid) && rows() > start + 200) break else Sys.sleep(0.01)
    tools::pskill(as.integer(readLines(files$pid)), tools::SIGKILL)
    Sys.sleep(0.05)
    reached <- c(reached, rows())
  }
  expect_true(all(diff(c(0, reached)) >= 200), info = paste(readLines(log), collapse = "\n"))
  expect_lt(max(reached), 3000)
  gp <- stream_model()
  consume(gp, chunked(stream_rows(3000), rep(50, 60)), 50, checkpoint = files$file, resume = TRUE)
  expect_identical(timeless(gp), consumed(stream_rows(3000), 50))
})

test_that("a checkpoint that cannot be written stops the run, with what is learned", {
  skip_on_os("windows")
  folder <- tempfile()
  give <- function() {
    if ((at <<- at + 1) == 3) unlink(folder, recursive = TRUE)
    if (at <= 5) stream_rows(100, from = 100 * (at - 1) + 1)
  }
  for (on_error in c("stop", "skip")) {
    dir.create(folder)
    at <- 0
    gp <- stream_model()
    error <- stopped_by(consume(gp, give, 100, checkpoint = file.path(folder, "run.gps"), every = "1 batch", on_error = on_error), "gpstream_error_io")
    expect_false(inherits(error, "gpstream_error_batch"))
    expect_match(conditionMessage(error), "run.gps")
    expect_identical(gp$nobs, 300)
  }
})

test_that("a batch that fails is told even where the checkpoint cannot be written, either", {
  skip_on_os("windows")
  folder <- tempfile()
  dir.create(folder)
  at <- 0
  give <- function() {
    if ((at <<- at + 1) == 2) unlink(folder, recursive = TRUE)
    transform(stream_rows(100, from = 100 * (at - 1) + 1), y = if (at == 2) NA else y)
  }
  error <- stopped_by(consume(stream_model(), give, 100, checkpoint = file.path(folder, "run.gps")), "gpstream_error_batch")
  expect_match(conditionMessage(error), "batch 2 .* was not learned: `y` has NA in row 1.*Nor was the checkpoint written: .*run.gps")
})
