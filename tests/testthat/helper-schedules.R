# Random schedules of files that grow, of kills, interrupts and resumes: is every row counted exactly once?
# Row i has x = i and an inducing point of its own, so that the posterior mean there, c y / (c + 1), tells how
# often it was learned. Shared with tools/schedules.R.

schedule_model <- function(rows, tick) {
  streaming_gp(y ~ tick(x), kernel = kernel_se(0.1, 1), noise = 1, mean = 0, optimize = "none", select = select_fixed(matrix(as.double(seq_len(rows)))))
}

times_learned <- function(gp, data) {
  if (gp$nobs == 0) return(numeric(nrow(data)))
  m <- predict(gp, data)
  m / (data$y - m)
}

schedule_kinds <- c("files", "folder", "pattern", "frame", "function", "sqlite")

# One schedule. `run(work)`: calls work(), and comes back if it is killed; work is killed where `die()` is
# called. Returns what went wrong, or nothing.
play_schedule <- function(seed, run, die) {
  set.seed(seed)
  home <- tempfile("schedule")
  dir.create(home)
  old <- setwd(home)
  on.exit({
    setwd(old)
    unlink(home, recursive = TRUE)
    if (!is.null(db)) DBI::dbDisconnect(db)
  })
  db <- NULL
  kinds <- if (requireNamespace("RSQLite", quietly = TRUE)) schedule_kinds else setdiff(schedule_kinds, "sqlite")
  kind <- sample(kinds, 1)
  plain <- kind %in% c("files", "folder", "pattern")
  size <- sample(c(1, 3, 7, 10, 50), 1)
  every <- sample(c("1 batch", "2 batches", "1000 batches"), 1)
  most <- 80
  data <- data.frame(x = as.double(seq_len(most)), y = round(1 + (seq_len(most) * sqrt(2)) %% 1, 6))
  bad <- if (stats::runif(1) < 0.5) sort(sample(most, sample(6, 1))) else integer() # lines that are torn, or rows without y
  parts <- list() # rows of each file
  last <- 0
  more <- function(new_file) {
    rows <- seq_len(sample(0:25, 1)) + last
    rows <- rows[rows <= most]
    last <<- max(last, rows)
    n <- length(parts)
    if (new_file || n == 0) parts[[n + 1]] <<- rows else parts[[n]] <<- c(parts[[n]], rows)
    if (plain) write_part(length(parts))
  }
  orders <- replicate(20, sample(c("x", "y", "extra")), simplify = FALSE)
  dir.create("data")
  name <- function(i) sprintf("data/day%d.csv", i) # day10 comes after day9
  write_part <- function(i) {
    rows <- parts[[i]]
    text <- cbind(x = as.character(rows), y = as.character(data$y[rows]), extra = rep("7", length(rows)))[, orders[[i]], drop = FALSE]
    lines <- apply(text, 1, paste, collapse = ",")
    torn <- rows %in% bad
    lines[torn] <- ifelse(rows[torn] %% 2 == 0, rows[torn], sub("7", "seven", lines[torn]))
    writeLines(c(paste(orders[[i]], collapse = ","), lines), name(i))
  }
  for (i in seq_len(sample(3, 1))) more(TRUE)
  if (last < 12) more(FALSE)
  if (length(bad) > 0 && plain) bad <- bad[bad > parts[[which(lengths(parts) > 0)[1]]][5] + 5] # types come from sound lines
  for (i in seq_along(parts)) if (plain) write_part(i)
  if (kind == "sqlite") db <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  source <- function() {
    rows <- transform(data[unlist(parts), ], y = replace(y, unlist(parts) %in% bad, NA))
    row.names(rows) <- NULL
    switch(kind,
      files = name(seq_along(parts)), folder = "data", pattern = "data/day*.csv", frame = rows, `function` = chunked(rows, lengths(parts)),
      sqlite = {
        DBI::dbWriteTable(db, "t", rows, overwrite = TRUE)
        as_source(db, sql = "SELECT * FROM t ORDER BY x")
      }
    )
  }
  left <- Inf # until the process is killed or interrupted
  how <- die
  tick <- function(x) {
    left <<- left - 1
    if (left <= 0) {
      left <<- Inf
      how()
    }
    x
  }
  quiet <- function(code) suppressMessages(suppressWarnings(code, classes = "gpstream_warning_skipped"), classes = "gpstream_message")
  turn <- function(from = source(), ...) {
    gp <- schedule_model(most, tick)
    if (inherits(from, "gpstream_source")) on.exit(release(from))
    quiet(consume(gp, from, size, checkpoint = "state", every = every, on_error = "skip", resume = TRUE, progress = FALSE, ...))
    gp
  }
  wrong <- character()
  note <- function(...) wrong <<- c(wrong, paste0("seed ", seed, " (", kind, "): ", ...))
  for (event in seq_len(sample(2:6, 1))) {
    what <- sample(c("kill", "interrupt", "rows", "grow", "file", "other"), 1)
    if (what %in% c("kill", "interrupt")) {
      how <- if (what == "kill") die else function() signalCondition(structure(class = c("interrupt", "condition"), list(message = "")))
      left <- sample(20, 1)
      run(function() turn())
      left <- Inf
    } else if (what == "rows") {
      run(function() turn(max_rows = sample(30, 1)))
    } else if (what == "grow") {
      more(FALSE)
    } else if (what == "file") {
      more(TRUE)
    } else if (file.exists("state.gps")) {
      note_unless_refused(schedule_other(kind, source(), db), turn, note)
    }
  }
  gp <- turn()
  expected <- as.double(seq_len(most) %in% setdiff(unlist(parts), bad))
  counts <- times_learned(gp, data)
  off <- which(abs(counts - expected) > 1e-6)
  if (length(off) > 0) note("row ", off[1], " was learned ", format(counts[off[1]]), " times, not ", expected[off[1]])
  if (gp$nobs != sum(expected)) note("the model has seen ", gp$nobs, " rows, not ", sum(expected))
  if (length(setdiff(list.files(), c("data", "state.gps"))) > 0) note("files were left: ", toString(list.files()))
  wrong
}

# Sources that are not the one of the checkpoint.
schedule_other <- function(kind, source, db) {
  force(source) # a query needs its table
  others <- list(data.frame(x = 1:30 + 0.5, y = 1), data.frame(a = 1:30, y = 1))
  if (kind == "files") {
    file.copy(source[1], "moved.csv", overwrite = TRUE)
    others <- c(others, "moved.csv", if (length(source) > 1) list(rev(source), source[-1]))
  }
  if (kind == "sqlite") others <- c(others, list(as_source(db, sql = "SELECT x, y FROM t ORDER BY x DESC")))
  if (kind == "function") others <- c(others, list(chunked(others[[1]], 30)))
  others[[sample(length(others), 1)]]
}

note_unless_refused <- function(other, turn, note) {
  before <- file_bytes("state.gps")
  result <- tryCatch(turn(other), error = identity)
  if (file.exists("moved.csv")) unlink("moved.csv")
  if (!inherits(result, "gpstream_error_input") || !grepl("load_gp", conditionMessage(result))) {
    note("another source was not refused: ", if (inherits(result, "error")) conditionMessage(result) else "learned")
  }
  if (!identical(file_bytes("state.gps"), before)) note("the checkpoint was changed")
}

# Of a process that has ended: no host has so many.
write_stale_lock <- function(file) writeLines(c("99999999", Sys.info()[["nodename"]], "1", "1"), file, sep = "\n")
