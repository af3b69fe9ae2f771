# Databases: RSQLite always (where installed); duckdb and PostgreSQL where there are any.

sqlite <- function(data = stream_rows(), name = "t") {
  skip_if_not_installed("RSQLite")
  db <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  DBI::dbWriteTable(db, name, data)
  db
}

test_that("a query gives the rows that are in the table, however it is cut", {
  data <- stream_rows(50)
  db <- sqlite(data)
  on.exit(DBI::dbDisconnect(db))
  for (n in c(1, 7, 50, 99)) {
    expect_identical(do.call(rbind, drained(as_source(db, sql = "SELECT * FROM t"), n)), data)
    result <- DBI::dbSendQuery(db, "SELECT * FROM t")
    expect_identical(do.call(rbind, drained(as_source(result), n)), data)
    expect_true(DBI::dbIsValid(result)) # whoever sent it clears it
    DBI::dbClearResult(result)
  }
  expect_null(next_batch(as_source(db, sql = "SELECT * FROM t WHERE a < 0"), 5))
})

test_that("results are cleared at the end, after an error, and when the source is gone", {
  db <- sqlite(stream_rows(20))
  on.exit(DBI::dbDisconnect(db))
  source <- as_source(db, sql = "SELECT * FROM t")
  next_batch(source, 5)
  expect_true(DBI::dbIsValid(source$result))
  drained(source, 50)
  expect_false(DBI::dbIsValid(source$result))
  source <- as_source(db, sql = "SELECT * FROM t")
  next_batch(source, 5)
  result <- source$result
  rm(source)
  gc()
  expect_false(DBI::dbIsValid(result))
})

test_that("errors of the database have its words and our class, and nothing is lost", {
  data <- stream_rows(400)
  db <- sqlite(data)
  gp <- stream_model()
  error <- stopped_by(consume(gp, db, sql = "SELECT * FROM nowhere"), "gpstream_error_source")
  expect_match(conditionMessage(error), "batch 1 could not be read: .*no such table: nowhere")
  expect_identical(gp$nobs, 0)
  # half-way: the 250th row cannot be computed
  sql <- "SELECT a, g, CASE WHEN rowid = 250 THEN abs(-9223372036854775808) ELSE y END AS y FROM t"
  error <- stopped_by(consume(gp, db, 100, sql = sql), "gpstream_error_batch")
  expect_match(conditionMessage(error), "batch 3 could not be read: .*overflow.*200 rows")
  expect_identical(timeless(gp), consumed(data[1:200, ]))
  # the result goes, and then the connection
  source <- as_source(db, sql = "SELECT * FROM t")
  gp <- stream_model()
  consume(gp, source, 100, max_rows = 200)
  DBI::dbClearResult(source$result)
  stopped_by(consume(gp, source, 100), "gpstream_error_source")
  expect_identical(timeless(gp), consumed(data[1:200, ]))
  DBI::dbDisconnect(db)
  stopped_by(consume(gp, db, sql = "SELECT 1"), "gpstream_error_source")
})

test_that("words in a column of numbers, which RSQLite turns into zeros, make a bad batch", {
  data <- stream_rows(400)
  db <- sqlite(data)
  on.exit(DBI::dbDisconnect(db))
  DBI::dbExecute(db, "UPDATE t SET y = 'broken' WHERE rowid = 250")
  gp <- stream_model()
  error <- stopped_by(consume(gp, db, 100, sql = "SELECT * FROM t"), "gpstream_error_type")
  expect_match(conditionMessage(error), "batch 3 \\(rows 201 to 300\\) was not learned: .*mixed type")
  gp <- stream_model()
  expect_warning(consume(gp, db, 100, sql = "SELECT * FROM t", on_error = "skip"), "Left out 1 of 400 rows .* mixed type", class = "gpstream_warning_skipped")
  expect_identical(timeless(gp), consumed(data[-250, ]))
})

test_that("arguments", {
  db <- sqlite()
  on.exit(DBI::dbDisconnect(db))
  refused <- conditions_of(as_source(db), as_source(db, sql = 1), as_source(db, sql = c("a", "b")), as_source(db, sql = "SELECT 1", rows = -1), as_source(db, "SELECT 1", n = 3))
  expect_snapshot(writeLines(refused))
  printed <- printed_by(as_source(db, sql = "SELECT a, y FROM t WHERE a > 7 AND y > 0 ORDER BY a", rows = 40), as_source(db, sql = "SELECT 1"))
  expect_snapshot(writeLines(printed))
})

test_that("duckdb", {
  skip_if_not_installed("duckdb")
  data <- stream_rows(500)
  db <- DBI::dbConnect(duckdb::duckdb())
  on.exit(DBI::dbDisconnect(db, shutdown = TRUE))
  DBI::dbWriteTable(db, "t", data)
  expect_identical(consumed(as_source(db, sql = "SELECT * FROM t")), consumed(data))
})

# --- PostgreSQL: a server of our own, for as long as the test runs -------------------------------------------------------------

# Its programs, or NULL; the server refuses to run as root, so that root becomes somebody else.
postgres_bin <- function() {
  found <- c(Sys.glob("/usr/lib/postgresql/*/bin"), dirname(Sys.which("initdb")))
  found <- found[nzchar(found) & file.exists(file.path(found, "initdb"))]
  if (length(found) > 0) utils::tail(found, 1)
}

start_postgres <- function() {
  bin <- postgres_bin()
  if (is.null(bin) || .Platform$OS.type != "unix") skip("no PostgreSQL server here")
  root <- identical(unname(Sys.info()["effective_user"]), "root")
  if (root && system2("id", "postgres", stdout = FALSE, stderr = FALSE) != 0) skip("nobody to run a PostgreSQL server as")
  folder <- tempfile("pg", tmpdir = "/tmp")
  dir.create(folder, mode = "0777")
  Sys.chmod(folder, "0777", FALSE)
  port <- 20000 + Sys.getpid() %% 20000
  as_server <- function(command) {
    if (root) command <- paste("su postgres -s /bin/sh -c", shQuote(command))
    system(paste(command, ">", file.path(folder, "log"), "2>&1"))
  }
  data <- file.path(folder, "data")
  ok <- as_server(paste(file.path(bin, "initdb"), "-D", data, "-U tester -A trust --no-sync")) == 0 &&
    as_server(paste0(file.path(bin, "pg_ctl"), " -D ", data, " -w -l ", folder, "/server -o '-p ", port, " -k ", folder, " -c listen_addresses=127.0.0.1 -c fsync=off' start")) == 0
  stop_server <- function() {
    as_server(paste(file.path(bin, "pg_ctl"), "-D", data, "-m immediate stop"))
    unlink(folder, recursive = TRUE)
  }
  if (!ok) {
    stop_server()
    skip("the PostgreSQL server does not start")
  }
  list(port = port, stop = stop_server)
}

test_that("PostgreSQL, by a cursor: rows, errors, two sources at once, and none of it left behind", {
  skip_on_cran()
  drivers <- Filter(function(name) requireNamespace(name, quietly = TRUE), c("RPostgreSQL", "RPostgres"))
  if (length(drivers) == 0) skip("no driver for PostgreSQL")
  server <- start_postgres()
  on.exit(server$stop())
  data <- stream_rows(500)
  expected <- consumed(data)
  for (driver in drivers) {
    make <- if (driver == "RPostgres") RPostgres::Postgres else RPostgreSQL::PostgreSQL
    db <- DBI::dbConnect(make(), host = "127.0.0.1", port = server$port, user = "tester", dbname = "postgres")
    DBI::dbWriteTable(db, "t", cbind(i = 1:500, data), row.names = FALSE, overwrite = TRUE)
    sql <- "SELECT a, g, y FROM t ORDER BY i"
    cursors <- function() DBI::dbGetQuery(db, "SELECT name FROM pg_cursors WHERE name LIKE 'gpstream%'")$name
    expect_identical(consumed(as_source(db, sql = sql)), expected, info = driver)
    expect_length(cursors(), 0)
    # stopped, and continued; a source that is dropped leaves nothing
    source <- as_source(db, sql = sql)
    gp <- stream_model()
    consume(gp, source, 100, max_rows = 200)
    if (driver == "RPostgreSQL") {
      expect_length(cursors(), 1)
      expect_identical(nrow(next_batch(as_source(db, sql = "SELECT 7 AS a"), 5)), 1L) # the connection is free for others
    }
    consume(gp, source, 100)
    expect_identical(timeless(gp), expected, info = driver)
    source <- as_source(db, sql = sql)
    next_batch(source, 10)
    rm(source)
    gc()
    expect_length(cursors(), 0)
    # errors at once and half-way
    stopped_by(consume(stream_model(), db, sql = "SELECT * FROM nowhere"), "gpstream_error_source")
    gp <- stream_model()
    half <- "SELECT a, g, y / (CASE WHEN i = 250 THEN 0 ELSE 1 END) AS y FROM t ORDER BY i"
    error <- stopped_by(consume(gp, db, 100, sql = half), "gpstream_error_source")
    expect_match(conditionMessage(error), "division by zero", info = driver)
    expect_identical(DBI::dbGetQuery(db, "SELECT count(*) AS n FROM t WHERE i <= 7")$n == 7, TRUE) # the connection lives
    DBI::dbDisconnect(db)
  }
})

test_that("PostgreSQL: a million rows do not come at once", {
  skip_on_cran()
  skip_if_not_installed("RPostgreSQL")
  skip_if_not(file.exists("/proc/self/status"))
  server <- start_postgres()
  on.exit(server$stop())
  db <- DBI::dbConnect(RPostgreSQL::PostgreSQL(), host = "127.0.0.1", port = server$port, user = "tester", dbname = "postgres")
  resident <- function() {
    gc()
    as.numeric(gsub("[^0-9]", "", grep("^VmRSS", readLines("/proc/self/status"), value = TRUE))) / 1024
  }
  source <- as_source(db, sql = "SELECT i, sin(i) AS y FROM generate_series(1, 1000000) AS i")
  next_batch(source, 1000)
  before <- resident()
  expect_identical(pass_over(source, 5e5, 1000), 5e5)
  expect_lt(resident() - before, 40) # the table has some 80
  expect_identical(next_batch(source, 1)$i, 501001L)
  DBI::dbDisconnect(db)
})

test_that("tables are read by name, or as dplyr has them", {
  data <- stream_rows(50)
  db <- sqlite(data)
  on.exit(DBI::dbDisconnect(db))
  expect_identical(do.call(rbind, drained(as_source(db, table = "t"), 20)), data)
  expect_identical(do.call(rbind, drained(as_source(db, table = DBI::Id(table = "t")), 20)), data)
  expect_error(as_source(db, table = 1), "name of a table, not 1", class = "gpstream_error_type")
  expect_error(as_source(db, sql = "SELECT 1", table = "t"), "give one", class = "gpstream_error_parameter")
  skip_if_not_installed("dbplyr")
  expect_identical(do.call(rbind, drained(as_source(dplyr::tbl(db, "t")), 20)), data)
  some <- dplyr::filter(dplyr::tbl(db, "t"), a > 5)
  expect_equal(do.call(rbind, drained(as_source(some), 20)), data[data$a > 5, ], ignore_attr = TRUE)
  gp <- stream_model()
  consume(gp, dplyr::tbl(db, "t"), 20)
  expect_identical(gp$nobs, 50)
})
