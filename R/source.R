#' Where batches come from
#'
#' `as_source()` turns data frames, matrices, functions, files, connections, databases and Arrow readers into
#' a *source*, from which `next_batch()` takes the next rows. [consume()] calls both by itself; call
#' `as_source()` first where a source is to be used more than once, for instance to go on after Ctrl-C.
#'
#' A source remembers how far it has been read; it is changed by being read, and a plain assignment does not
#' copy it. Never more than a batch or two of rows are held in memory, whatever the length of the source
#' (except for what is in memory already).
#'
#' @param x What to read from:
#'   * a data frame; or a vector (of numbers or times) or matrix of inputs with `y` of the outputs, or
#'     `list(x = , y = )` of both;
#'   * a function: `function(reset)`, the protocol of the package biglm, which goes back to the first row when
#'     called with `reset = TRUE` and otherwise gives the next rows as a data frame (or `list(x = , y = )`),
#'     `NULL` after the last; or `function()`, which only does the latter. Chunks of any size are re-cut to
#'     the size of a batch;
#'   * the name of a CSV file (also compressed, also a URL), several of them, a pattern such as
#'     `"part*.csv"` or a directory, or a connection from which CSV lines come: see
#'     [as_source.character()];
#'   * a connection to a database, with `sql` or `table`, a result of `DBI::dbSendQuery()`, or a table of
#'     dplyr: see [as_source.DBIConnection()];
#'   * a Parquet file or a directory of them, an Arrow dataset, record-batch reader or array stream: see
#'     [as_source.RecordBatchReader()];
#'   * a source, which stays what it is.
#' @param ... For methods.
#' @param y The outputs, one for each row of `x`; with a data frame, the inputs are its columns then.
#' @param rows The number of rows where it is known: it is used to tell the time left, nothing else.
#' @param source A source.
#' @param n How many rows to give at most.
#'
#' @return `as_source()`: a source. `next_batch()`: a data frame (or, where inputs and outputs were given
#'   apart, `list(x = , y = )`) of the next rows, at most `n` of them; `NULL` when there are none left. Fewer
#'   than `n` come at the end, and where the columns change their names or types, so that what is sound does
#'   not suffer from what is not.
#'
#' @section Sources of your own:
#' An object of any class with a method for `next_batch()` can be given to [consume()]. What a class needs
#' more than a few lines for is better made of a function. A method that waits for its rows should do so
#' within `allowInterrupts()`, so that Ctrl-C reaches it.
#' Ctrl-C reaches a function anywhere: one that counts what it has given should count and give within
#' `suspendInterrupts()`, after it has waited, or rows that it has counted may be lost.
#'
#' @examples
#' source <- as_source(cars)
#' next_batch(source, 3)
#' next_batch(source, 3)
#'
#' # a function that gives rows for ever
#' sensor <- function() data.frame(time = Sys.time(), y = rnorm(1))
#' next_batch(as_source(sensor), 2)
#'
#' # a class of one's own: integers up to a limit
#' next_batch.upto <- function(source, n) {
#'   if (source$at >= source$end) return(NULL)
#'   i <- seq(source$at + 1, min(source$at + n, source$end))
#'   source$at <- max(i)
#'   data.frame(x = i, y = sqrt(i))
#' }
#' .S3method("next_batch", "upto")
#' upto <- structure(list2env(list(at = 0, end = 250)), class = "upto")
#' gp <- streaming_gp(y ~ x)
#' consume(gp, upto, batch_size = 100)
#' @export
as_source <- function(x, ...) UseMethod("as_source")

#' @rdname as_source
#' @export
next_batch <- function(source, n) {
  check_count(n, "n", 1, most = 1e9)
  UseMethod("next_batch")
}

#' @rdname as_source
#' @export
as_source.gpstream_source <- function(x, ...) {
  check_no_dots(...)
  x
}

# Whoever wrote a method for next_batch() has a source.
#' @export
as_source.default <- function(x, ...) {
  check_no_dots(...)
  if (is_source(x)) return(x)
  abort("type", "`x` must be something rows can be read from (a data frame, a matrix with `y`, a function, ",
    "a file, a connection, a database; see ?as_source), not ", describe(x), ".")
}

is_source <- function(x) {
  if (inherits(x, "gpstream_source")) return(TRUE)
  is.object(x) &&
    any(vapply(
      class(x), function(name) !is.null(utils::getS3method("next_batch", name, optional = TRUE)), NA
    ))
}

#' @export
next_batch.default <- function(source, n) {
  abort("type", "`source` must be a source made by as_source(), not ", describe(source), ".")
}

# For batches that are played: a method of somebody else's may give anything, and ours know what n is.
take_batch <- function(source, n) {
  if (inherits(source, "gpstream_source")) return(next_batch.gpstream_source(source, n))
  batch <- next_batch(source, n)
  if (!is.null(batch)) check_chunk(batch)
  batch
}

# --- the package's own sources ------------------------------------------------------------------------------
# An environment with: what it reads from, `taken` (rows given out or left out), `buffer` (rows drawn and not
# given out, a list of chunks), `behind` (rows left out since the last chunk), `total` (rows in all, NA where
# unknown), `label` (for people), `anew` (would another source of the same begin at the first row?),
# `remembers` (see source-identity.R), `skips` (are bad lines left out?). A family has one method of draw(),
# and where there is a quicker way than drawing and dropping, of pass_over(); where something must be closed,
# of release(); where rows may be bad, of drop_bad(); where more than rows tells it from others, of
# identity_of().

new_source <- function(family, label, ..., total = NA_real_, anew = TRUE, remembers = TRUE) {
  source <- list2env(
    list(..., label = label, total = total, anew = anew, taken = 0, buffer = list(), behind = 0,
      remembers = remembers, head = list(), skips = FALSE),
    parent = emptyenv()
  )
  structure(source, class = c(paste0("gpstream_source_", family), "gpstream_source"))
}

# The next chunk, of about n rows or of whatever size is natural; NULL when there are none left.
draw <- function(source, n) UseMethod("draw")

release <- function(source) UseMethod("release")
release.default <- function(source) invisible()

# At the top level, so that it holds no source itself.
finalize_source <- function(source) release(source)

# Interrupts wait until what was drawn is in the buffer: nothing is lost between a file and the model.
# Families that may wait long for their rows let them through.
#' @export
next_batch.gpstream_source <- function(source, n) {
  suspendInterrupts({
    batch <- if (length(source$buffer) == 0) draw_whole(source, n)
    if (is.null(batch)) {
      fill_buffer(source, n)
      batch <- cut_buffer(source, n)
    }
    source$taken <- source$taken + source_rows(batch)
    if (is.null(batch)) {
      source$taken <- source$taken + source$behind
      source$behind <- 0
    }
  })
  batch
}

# Rows that a source has but cannot read, such as a torn line: an error with the number of rows it was asked
# for. They stay where they are until drop_bad() leaves those out that are bad.
error_rows <- function(rows, kind, ...) {
  structure(
    class = c(paste0("gpstream_error_", kind), "gpstream_error_rows", "gpstream_error", "error", "condition"),
    list(message = paste0(...), call = NULL, rows = as.double(rows))
  )
}

drop_bad <- function(source) UseMethod("drop_bad")

# Passes over the next `rows` rows, in batches of n; how many there were.
pass_over <- function(source, rows, n) UseMethod("pass_over")
pass_over.default <- function(source, rows, n) {
  passed <- 0
  while (passed < rows) {
    got <- take_batch(source, min(n, rows - passed))
    if (is.null(got)) break
    passed <- passed + batch_rows(got)
  }
  passed
}

pass_over.gpstream_source <- function(source, rows, n) {
  passed <- pass_buffer(source, rows)
  while (passed < rows) {
    chunk <- tryCatch(drawn(source, min(n, rows - passed)), gpstream_error_rows = function(e) {
      drop_bad(source)
      list()
    })
    if (is.null(chunk) && source$behind == 0) break
    if (length(chunk) > 0) {
      source$buffer <- pieces(chunk, n, n)
      passed <- passed + pass_buffer(source, rows - passed)
    } else {
      passed <- passed + source$behind
      source$taken <- source$taken + source$behind
      source$behind <- 0
    }
  }
  passed
}

# Rows in all, and rows given out so far; NA for a source that does not tell.
source_total <- function(source) if (inherits(source, "gpstream_source")) source$total else NA_real_
source_taken <- function(source) if (inherits(source, "gpstream_source")) source$taken else NA_real_

#' @export
print.gpstream_source <- function(x, ...) {
  cat("<source> ", x$label, ": ", count(x$taken, "row"), " taken",
    if (!is.na(x$total)) paste(" of", whole(x$total)), "\n", sep = "")
  invisible(x)
}

check_total <- function(rows) if (is.null(rows)) NA_real_ else check_count(rows, "rows", most = 1e15)
