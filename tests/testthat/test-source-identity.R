# A checkpoint knows its source.

day_file <- function(rows, from = 1, name = tempfile(fileext = ".csv")) {
  utils::write.csv(stream_rows(rows, from), name, row.names = FALSE)
  name
}

test_that("another file is refused, with a recipe that works (found 4)", {
  folder <- tempfile()
  dir.create(folder)
  old <- setwd(folder)
  on.exit(setwd(old))
  day_file(300, name = "day1.csv")
  day_file(500, 301, "day2.csv")
  consume(stream_model(), "day1.csv", 100, checkpoint = "cron")
  before <- file_bytes("cron.gps")
  gp <- stream_model()
  error <- stopped_by(consume(gp, "day2.csv", 100, checkpoint = "cron", resume = TRUE), "gpstream_error_input")
  expect_identical(conditionMessage(error), paste0(
    "`checkpoint` \"cron\" was written on CSV file \"day1.csv\", not on CSV file \"day2.csv\". To learn a new source from its start, write ",
    "gp <- load_gp(\"cron\"); consume(gp, \"day2.csv\", checkpoint = \"cron\")."
  ))
  expect_identical(gp$nobs, 0)
  error <- stopped_by(consume(gp, "day2.csv", 100, checkpoint = "cron"), "gpstream_error_input")
  expect_match(conditionMessage(error), "has seen 300 rows of CSV file \"day1.csv\", this one has seen 0. To learn a new source.*load_gp")
  expect_no_match(conditionMessage(error), "resume")
  expect_identical(file_bytes("cron.gps"), before)
  # the recipe
  gp <- load_gp("cron")
  consume(gp, "day2.csv", 100, checkpoint = "cron", max_rows = 200)
  expect_identical(gp$nobs, 500)
  # killed there, and called again in the same way: no row twice
  expect_error(consume(load_gp("cron"), "day2.csv", 100, checkpoint = "cron"), "was written after row 200 of this source.*use resume = TRUE", class = "gpstream_error_input")
  gp <- stream_model()
  consume(gp, "day2.csv", 100, checkpoint = "cron", resume = TRUE)
  expect_identical(timeless(gp), consumed(stream_rows(800)))
})

# Each kind of source as list(the same again, one that has grown or NULL, others).
identity_cases <- function(home) {
  rows <- stream_rows(300)
  other <- stream_rows(300, 5000)
  grown <- stream_rows(400)
  file <- function(...) day_file(..., name = tempfile(tmpdir = home, fileext = ".csv"))
  one <- file(300)
  packed <- paste0(one, ".gz")
  con <- gzfile(packed, "wt")
  writeLines(readLines(one), con)
  close(con)
  cases <- list(
    frame = list(rows, grown, list(other, rows[, 3:1], transform(rows, y = replace(y, 7, 0)), chunked(rows, 300), one)),
    `function` = list(function() chunked(rows, c(77, 223)), function() chunked(grown, 400), list(chunked(other, 300), rows)),
    csv = list(one, NULL, list(file(300, 5000), rows, packed)),
    packed = list(packed, NULL, list(one)),
    lines = list(function() pipe(paste("cat", shQuote(one))), NULL, list(bquote(pipe(.(paste("cat", shQuote(file(300, 9000)))))), one))
  )
  if (.Platform$OS.type == "windows") cases$lines <- NULL
  lapply(cases, function(case) {
    opens <- case[[1]]
    list(
      again = if (is.function(opens)) opens else function() opens,
      grown = if (is.function(case[[2]])) case[[2]] else if (!is.null(case[[2]])) function() case[[2]], others = case[[3]]
    )
  })
}

test_that("kinds of sources x cuts: the same or a grown one goes on, any other is refused and changes nothing", {
  home <- tempfile()
  dir.create(home)
  on.exit(unlink(home, recursive = TRUE))
  cases <- identity_cases(home)
  for (kind in names(cases)) for (cut in c(10, 100, 250)) {
    case <- cases[[kind]]
    file <- tempfile(fileext = ".gps")
    consume(stream_model(), case$again(), 50, checkpoint = file, max_rows = cut)
    before <- file_bytes(file)
    for (other in case$others) {
      gp <- stream_model()
      error <- stopped_by(consume(gp, eval(other), 50, checkpoint = file, resume = TRUE), "gpstream_error_input")
      expect_match(conditionMessage(error), "load_gp", info = kind)
      expect_identical(gp$nobs, 0)
    }
    expect_identical(file_bytes(file), before)
    gp <- stream_model()
    from <- if (is.null(case$grown)) case$again() else case$grown()
    consume(gp, from, 50, checkpoint = file, resume = TRUE)
    expect_identical(gp$nobs, if (is.null(case$grown)) 300 else 400)
  }
})

test_that("a query is known by its text and its first rows", {
  skip_if_not_installed("RSQLite")
  db <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  on.exit(DBI::dbDisconnect(db))
  DBI::dbWriteTable(db, "t", stream_rows(300))
  file <- tempfile(fileext = ".gps")
  run <- function(sql, ..., gp = stream_model()) consume(gp, db, 50, sql = sql, checkpoint = file, ...)
  run("SELECT * FROM t ORDER BY rowid", max_rows = 150)
  for (sql in c("SELECT * FROM t ORDER BY a", "SELECT * FROM t WHERE a > 1 ORDER BY rowid")) {
    expect_error(run(sql, resume = TRUE), "was written on query .*load_gp", class = "gpstream_error_input")
  }
  DBI::dbExecute(db, "UPDATE t SET a = a + 1 WHERE rowid = 3")
  expect_error(run("SELECT * FROM t ORDER BY rowid", resume = TRUE), "its first rows are others", class = "gpstream_error_input")
  DBI::dbExecute(db, "UPDATE t SET a = a - 1 WHERE rowid = 3")
  gp <- stream_model()
  run("SELECT *  FROM t\n ORDER BY rowid", resume = TRUE, gp = gp)
  expect_identical(timeless(gp), consumed(stream_rows(300), 50))
})

test_that("a file that was appended to is the same one; one whose beginning changed, or that was left and grew, is not", {
  home <- tempfile()
  dir.create(home)
  files <- file.path(home, c("a.csv", "b.csv"))
  for (i in 1:2) day_file(100, 100 * i - 99, files[i])
  grow <- function(path, from) {
    utils::write.table(stream_rows(50, from), path, append = TRUE, sep = ",", row.names = FALSE, col.names = FALSE, qmethod = "double")
  }
  file <- tempfile(fileext = ".gps")
  run <- function(..., gp = stream_model()) consume(gp, files, 50, checkpoint = file, ...)
  run(max_rows = 100)
  grow(files[1], 901) # it may still be the one that is read
  gp <- stream_model()
  run(resume = TRUE, gp = gp, max_rows = 100)
  expect_identical(gp$nobs, 200)
  kept <- lapply(files, readLines)
  grow(files[1], 951)
  expect_error(run(resume = TRUE), "the file \"a.csv\" has changed since.*load_gp", class = "gpstream_error_input")
  writeLines(kept[[1]], files[1])
  writeLines(sub("^[0-9.]+", "77", kept[[2]]), files[2])
  expect_error(run(resume = TRUE), "the file \"b.csv\" has changed since", class = "gpstream_error_input")
  writeLines(kept[[2]], files[2])
  grow(files[2], 961)
  run(resume = TRUE, gp = gp)
  expect_identical(gp$nobs, 300)
})

test_that("the hash does not depend on how rows are held or cut", {
  rows <- stream_rows(40)
  expected <- hash_rows(rows)
  expect_match(expected, "^[0-9a-f]{16}$")
  expect_identical(hash_rows(transform(rows, g = factor(g))), expected)
  expect_identical(hash_rows(bind_chunks(list(batch_part(rows, 1:7), batch_part(rows, 8:40)))), expected)
  expect_identical(hash_rows(transform(rows, y = replace(y, 3, NA))), hash_rows(transform(rows, y = replace(y, 3, NaN))))
  others <- list(rows[-1, ], rows[40:1, ], rows[3:1], transform(rows, a = replace(a, 9, a[9] + 1e-15)), transform(rows, g = replace(g, 2, "w")))
  for (other in others) expect_false(hash_rows(other) == expected)
  expect_identical(core_hash(charToRaw("a")), "af63dc4c8601ec8c") # FNV-1a's own test
})
