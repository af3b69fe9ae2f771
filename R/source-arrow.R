#' Arrow readers and Parquet files as sources
#'
#' Reads Arrow data one record batch at a time. For [consume()] and [as_source()].
#'
#' A dataset is scanned as it lies; a reader or stream is read from where it stands. Record batches of any
#' size are re-cut to the size of a batch. Parquet files and datasets need the package arrow; array streams
#' come from the package nanoarrow.
#'
#' @param x The name of a Parquet, Feather or Arrow file or of a directory of them (see [as_source()]); a
#'   dataset or a query on one (`arrow::open_dataset()`), or anything `arrow::as_record_batch_reader()` takes;
#'   a record-batch reader; an array stream of nanoarrow.
#' @param rows The number of rows where it is known, to tell the time left.
#' @param ... Not used.
#' @return A source.
#' @examplesIf requireNamespace("arrow", quietly = TRUE)
#' folder <- tempfile()
#' arrow::write_dataset(cars, folder)
#' gp <- streaming_gp(dist ~ speed)
#' consume(gp, folder, batch_size = 20)
#' gp
#' @export
as_source.RecordBatchReader <- function(x, rows = NULL, ...) {
  check_no_dots(...)
  new_source(
    "arrow", "Arrow record batches", reader = x, draw = function() x$read_next_batch(),
    total = check_total(rows), anew = FALSE
  )
}

#' @rdname as_source.RecordBatchReader
#' @export
as_source.nanoarrow_array_stream <- function(x, rows = NULL, ...) {
  check_no_dots(...)
  new_source(
    "arrow", "Arrow array stream", reader = x, draw = function() x$get_next(),
    total = check_total(rows), anew = FALSE
  )
}

#' @rdname as_source.RecordBatchReader
#' @export
as_source.Dataset <- function(x, rows = NULL, ...) {
  check_no_dots(...)
  need_package("arrow", "reads datasets")
  source <- as_source(arrow::as_record_batch_reader(x), rows = rows)
  source$anew <- TRUE
  source
}

#' @rdname as_source.RecordBatchReader
#' @export
as_source.arrow_dplyr_query <- as_source.Dataset

#' @rdname as_source.RecordBatchReader
#' @export
as_source.ArrowTabular <- as_source.Dataset

is_arrow_path <- function(paths) {
  grepl("[.](parquet|feather|arrow)$", paths, ignore.case = TRUE) | dir.exists(paths)
}

arrow_path_source <- function(paths) {
  need_package("arrow", "reads Parquet files")
  source <- tryCatch(as_source(arrow::open_dataset(unname(paths))), error = function(e) {
    abort("io", "cannot read ", dQuote(names(paths)[1], FALSE), ": ", conditionMessage(e))
  })
  source$label <- paste("Arrow data", dQuote(names(paths)[1], FALSE))
  source
}

draw.gpstream_source_arrow <- function(source, n) {
  chunk <- tryCatch(source$draw(), error = function(e) {
    abort("source", "cannot read ", source$label, ": ", conditionMessage(e))
  })
  if (!is.null(chunk)) plain_numbers(as.data.frame(chunk))
}
