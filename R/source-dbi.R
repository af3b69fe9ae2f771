#' Databases as sources
#'
#' Fetches the rows of a query batch by batch. For [consume()] and [as_source()].
#'
#' With a connection, the query is sent when the first rows are wanted, and its result is cleared at the end,
#' when it fails, or when the source is no longer used; while it is open, most drivers allow no other query on
#' the same connection. A result that you sent yourself is fetched from and left for you to clear. Drivers
#' that would bring the whole result into memory at once (RPostgreSQL) are asked through a cursor of the
#' server instead. (duckdb does so too; where that matters, give `arrow::to_arrow()` of a table, or
#' [Parquet files][as_source.RecordBatchReader()].)
#'
#' Without `ORDER BY` a database may give rows in any order, and in another one next time: a run that is to be
#' resumed needs it.
#'
#' A value that does not fit its column (SQLite keeps words in columns of numbers) makes its row a bad one:
#' [consume()] stops before its batch or, by sending the query again, leaves it out. Of a result that you sent
#' yourself all rows that were fetched with it are left out.
#'
#' @param x A connection made by `DBI::dbConnect()`, a result made by `DBI::dbSendQuery()`, or a table as
#' dplyr   has it: `dplyr::tbl(db, "cars")`, and whatever verbs made of it (needs the package dbplyr).
#' @param sql The query.
#' @param table In place of `sql`, the name of a table (or a `DBI::Id()`), all of which is read.
#' @param rows The number of rows where it is known, to tell the time left.
#' @param ... Not used.
#' @return A source.
#' @examplesIf requireNamespace("RSQLite", quietly = TRUE)
#' db <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
#' DBI::dbWriteTable(db, "cars", cars)
#' gp <- streaming_gp(dist ~ speed)
#' consume(gp, db, sql = "SELECT dist, speed FROM cars ORDER BY speed", batch_size = 20)
#' gp
#' consume(streaming_gp(dist ~ speed), db, table = "cars")
#' DBI::dbDisconnect(db)
#' @name as_source.DBIConnection
#' @aliases as_source.DBIResult
NULL

#' @rdname as_source.DBIConnection
#' @export
as_source.DBIConnection <- function(x, sql, rows = NULL, table = NULL, ...) {
  check_no_dots(...)
  need_package("DBI", "reads from databases")
  if (!is.null(table)) {
    if (!missing(sql)) abort("parameter", "`sql` and `table` both say what to read; give one.")
    sql <- table_query(x, table)
  }
  if (missing(sql)) {
    abort("input",
      "`sql` is missing: give the query whose rows are wanted, as in sql = \"SELECT a, y FROM t\", ",
      "or the name of a `table`.")
  }
  if (!is.character(sql) || length(sql) != 1 || is.na(sql)) {
    abort("type", "`sql` must be a single string, not ", describe(sql), ".")
  }
  dbi_source(
    if (inherits(x, "PostgreSQLConnection")) "cursor" else "dbi", sql, rows, connection = x,
    result = NULL, own = TRUE
  )
}

#' @rdname as_source.DBIConnection
#' @export
as_source.DBIResult <- function(x, rows = NULL, ...) {
  check_no_dots(...)
  need_package("DBI", "reads from databases")
  sql <- tryCatch(DBI::dbGetStatement(x), error = function(e) "")
  dbi_source("dbi", sql, rows, connection = NULL, result = x, own = FALSE)
}

#' @rdname as_source.DBIConnection
#' @export
as_source.tbl_sql <- function(x, rows = NULL, ...) {
  need_package("dbplyr", "turns verbs of dplyr into queries")
  as_source(dbplyr::remote_con(x), sql = as.character(dbplyr::remote_query(x)), rows = rows, ...)
}

table_query <- function(connection, table) {
  if (!is_name(table) && !inherits(table, c("Id", "SQL"))) {
    abort("type", "`table` must be the name of a table, not ", describe(table), ".")
  }
  paste("SELECT * FROM", DBI::dbQuoteIdentifier(connection, table))
}

dbi_source <- function(family, sql, rows, own, ...) {
  short <- if (nchar(sql) > 40) paste0(substr(sql, 1, 37), "...") else sql
  source <- new_source(
    family, paste0("query ", dQuote(short, FALSE)), sql = sql, ended = FALSE, bad = NULL, ready = NULL,
    fetched = 0, kinds = NULL, own = own, ..., total = check_total(rows), anew = own
  )
  reg.finalizer(source, finalize_source)
  source
}

need_package <- function(package, what) {
  if (requireNamespace(package, quietly = TRUE)) return(invisible())
  abort("package", "the package ", package, ", which ", what, ", is not installed: install.packages(\"",
    package, "\").")
}

# --- fetching -----------------------------------------------------------------------------------------------

open_results <- list2env(list(count = 0))

draw.gpstream_source_dbi <- function(source, n) {
  if (source$ended) return(NULL)
  if (!is.null(source$ready)) {
    chunk <- source$ready
    source$ready <- NULL
    return(chunk)
  }
  if (is.null(source$result)) send_query(source)
  fetched(source, function() DBI::dbFetch(source$result, n))
}

send_query <- function(source) {
  # the result of a source that nobody needs any more must not be cleared while the driver clears it itself
  if (open_results$count > 0) gc()
  source$result <- as_source_error(source, DBI::dbSendQuery(source$connection, source$sql))
  open_results$count <- open_results$count + 1
}

release.gpstream_source_dbi <- function(source) {
  if (source$own && !source$ended && !is.null(source$result)) {
    open_results$count <- open_results$count - 1
    quietly(DBI::dbClearResult(source$result))
  }
  source$ended <- TRUE
}

# A driver that makes a value fit its column says so in a warning only: not for us to learn. The rows are
# gone, so that all that is kept of them for drop_bad() is their number.
changed_value <- "mixed type|coerc|out of range|overflow"

fetched <- function(source, fetch) {
  if (!is.null(source$bad)) stop(source$bad)
  complaint <- NULL
  chunk <- withCallingHandlers(fetch(),
    error = function(e) stop_source(source, e),
    warning = function(w) {
      if (!grepl(changed_value, conditionMessage(w))) return()
      complaint <<- conditionMessage(w)
      tryInvokeRestart("muffleWarning")
    }
  )
  if (NROW(chunk) == 0) {
    release(source)
    return(NULL)
  }
  if (!is.null(complaint)) {
    source$bad <- error_rows(nrow(chunk), "type", "the database warns: ", complaint)
    stop(source$bad)
  }
  source$fetched <- source$fetched + nrow(chunk)
  chunk <- plain_numbers(chunk)
  if (is.null(source$kinds)) source$kinds <- kinds_of(chunk)
  chunk
}

# The rows have been fetched, so that all are lost, unless the query can be sent again.
drop_bad.gpstream_source_cursor <- function(source) {
  source$behind <- source$behind + source$bad$rows
  source$fetched <- source$fetched + source$bad$rows
  source$bad <- NULL
}

# They are fetched anew, one by one: a bad one brings its warning, or is not what its columns hold.
drop_bad.gpstream_source_dbi <- function(source) {
  if (!source$own) return(drop_bad.gpstream_source_cursor(source))
  n <- source$bad$rows
  source$bad <- NULL
  DBI::dbClearResult(source$result)
  open_results$count <- open_results$count - 1
  send_query(source)
  passed <- 0
  while (passed < source$fetched) {
    got <- nrow(suppressWarnings(DBI::dbFetch(source$result, min(10000, source$fetched - passed))))
    if (got == 0) stop_source(source, simpleError("the query has fewer rows than before."))
    passed <- passed + got
  }
  rows <- lapply(seq_len(n), function(i) {
    tryCatch(plain_numbers(DBI::dbFetch(source$result, 1)), warning = function(w) NULL)
  })
  source$fetched <- source$fetched + n
  kinds <- source$kinds
  if (is.null(kinds)) {
    known <- lapply(Filter(Negate(is.null), rows), kinds_of)
    kinds <- do.call(Map, c(list(most_common), known))
  }
  bad <- which(!vapply(rows, function(row) !is.null(row) && all(mapply(is_kind, kinds_of(row), kinds)), NA))
  left <- gaps_without(NULL, n, bad)
  if (length(left$keep) == 0) {
    source$behind <- source$behind + n
  } else {
    source$ready <- with_gaps(bind_frames(rows[left$keep], "data"), left$gaps, left$behind)
  }
}

# What columns hold; NA where all values are missing.
kinds_of <- function(chunk) lapply(chunk, function(x) if (all(is.na(x))) NA_character_ else kind(x)[1])
is_kind <- function(one, other) is.na(one) || is.na(other) || one == other
most_common <- function(...) {
  kinds <- table(c(...))
  if (length(kinds) == 0) NA_character_ else names(which.max(kinds))
}

# The database's own message, with our class; whatever is open is closed.
as_source_error <- function(source, expr) {
  withCallingHandlers(expr, error = function(e) stop_source(source, e))
}

stop_source <- function(source, e) {
  release(source)
  abort("source", "cannot read ", source$label, ": ", trimws(conditionMessage(e)))
}

quietly <- function(expr) try(suppressWarnings(expr), silent = TRUE)

# --- a cursor of PostgreSQL ---------------------------------------------------------------------------------
# WITH HOLD: it needs no transaction of its own, and does not suffer from the user's.

draw.gpstream_source_cursor <- function(source, n) {
  if (source$ended) return(NULL)
  if (is.null(source$result)) {
    source$result <- paste0("gpstream_", Sys.getpid(), "_", format(as.numeric(Sys.time()) * 1e6, digits = 16))
    as_source_error(
      source,
      tell(source$connection, "DECLARE ", source$result, " NO SCROLL CURSOR WITH HOLD FOR ", source$sql)
    )
  }
  fetched(source, function() {
    ask(source$connection, "FETCH FORWARD ", format(n, scientific = FALSE), " FROM ", source$result)
  })
}

release.gpstream_source_cursor <- function(source) {
  if (!source$ended && !is.null(source$result)) quietly(tell(source$connection, "CLOSE ", source$result))
  source$ended <- TRUE
}

# dbGetQuery() of RPostgreSQL turns errors into warnings; these do not.
tell <- function(connection, ...) DBI::dbClearResult(DBI::dbSendQuery(connection, paste0(...)))

ask <- function(connection, ...) {
  result <- DBI::dbSendQuery(connection, paste0(...))
  on.exit(DBI::dbClearResult(result))
  DBI::dbFetch(result, -1)
}
