#' CSV files and connections as sources
#'
#' Reads as many lines at a time as a batch needs, never the whole file. For [consume()] and [as_source()].
#'
#' Several files are one source: their rows follow each other, in the order of the names given, or sorted
#' where a pattern or a directory names them (numbers by their value: `part2.csv` before `part10.csv`).
#' Columns are matched by name with those of the first file. Their order does not matter, nor do further
#' ones, but a column that a file lacks is an error that names the file.
#'
#' Fields may stand in double quotes, with separators, doubled quotes and line ends inside; blank lines do
#' not count. The first batch fixes what a column holds: numbers, `TRUE`/`FALSE`, or words; a column that
#' is missing throughout is decided by its first value. Among numbers, `nan`, `NA`, `N/A` and `null` mean a
#' missing value, in any case of letters, and so does an empty field. Types are otherwise those of
#' [read.csv()]. Empty text is missing in a CSV file, and in a data frame alike.
#'
#' A later line that does not fit, or that has too few or too many fields, is a bad one: [consume()] stops
#' before its batch and names the file and the line, or leaves the line out (`on_error = "skip"`). In the
#' latter case a column of the first batch holds numbers where at least four fifths of its values are
#' numbers; `colClasses` decides otherwise.
#'
#' Words become a factor in a model with a formula, with the levels of the first batch: write
#' `factor(g, c("a", "b"))` into the formula where it may not show all of them. Words in ISO form, such as
#' `2024-03-01 12:30`, are times (*Times* in [streaming_gp()]); where there are nearly as many other words as
#' rows they are refused.
#'
#' A connection may be anything R reads lines from: `file("stdin")`, `gzfile()`, `url()`, `socketConnection()`
#' with `blocking = TRUE`. `pipe("tail -n +1 -f log.csv")` follows a file that grows: it ends when it is
#' closed. Choose a `batch_size` as small as you want to wait for: a batch is learned when all its lines have
#' come. A connection that was open stays open; one that was not is opened, and closed at the end.
#'
#' @param x The name of a file (which may be compressed by gzip, bzip2 or xz) or a URL; several names, a
#'   pattern (see [Sys.glob()]), or a directory of files that end in `.csv`; or a connection.
#' @param header Does the first line hold the names of the columns? Otherwise they are `V1`, `V2`, ...
#' @param sep,dec The characters between fields and in decimal numbers. They are not guessed: a header that
#'   `sep` does not cut, but another character would, is an error that says so.
#' @param na.strings Fields that mean a missing value, with or without blanks around them.
#' @param colClasses What columns hold, by name, where the first batch may not show it:
#'   `c(zip = "character")`. One of `"numeric"`, `"logical"` and `"character"` each.
#' @param rows The number of rows where it is known, to tell the time left.
#' @param ... Not used.
#' @return A source.
#' @examples
#' file <- tempfile(fileext = ".csv")
#' write.csv(cars, file, row.names = FALSE)
#' gp <- streaming_gp(dist ~ speed)
#' consume(gp, file, batch_size = 20)
#' gp
#'
#' # two files, one after the other
#' more <- tempfile(fileext = ".csv")
#' write.csv(cars[50:1, 2:1], more, row.names = FALSE)
#' gp <- streaming_gp(dist ~ speed)
#' consume(gp, c(file, more), batch_size = 20)
#' gp$nobs
#' @name as_source.character
#' @aliases as_source.connection
NULL

#' @rdname as_source.character
#' @export
as_source.character <- function(x, header = TRUE, sep = ",", dec = ".", na.strings = c("NA", ""),
                                colClasses = NULL, rows = NULL, ...) {
  check_no_dots(...)
  paths <- csv_files(x)
  if (all(is_arrow_path(paths))) return(arrow_path_source(paths))
  csv_source(NULL, csv_label(names(paths)[1]), header, sep, dec, na.strings, colClasses, rows, paths)
}

#' @rdname as_source.character
#' @export
as_source.connection <- function(x, header = TRUE, sep = ",", dec = ".", na.strings = c("NA", ""),
                                 colClasses = NULL, rows = NULL, ...) {
  check_no_dots(...)
  csv_source(
    x, paste("CSV lines of", dQuote(connection_name(x), FALSE)), header, sep, dec, na.strings,
    colClasses, rows
  )
}

# `paths`: files, one after the other, of which `path` is number `file`, `read` its lines and `rows` the rows
# read of all so far; `starts`: how many of these each file began after; `first_columns`: the columns of the
# first.
csv_source <- function(connection, label, header, sep, dec, na.strings, colClasses, rows, paths = NULL) {
  check_flag(header, "header")
  if (!is.character(na.strings) || anyNA(na.strings)) {
    abort("parameter", "`na.strings` must be a character vector, not ", describe(na.strings), ".")
  }
  new_source("csv", label,
    connection = connection, paths = paths, path = unname(paths[1]), file = 1, starts = 0, sizes = numeric(),
    own = FALSE, ended = FALSE, header = header, sep = check_character(sep, "sep"),
    dec = check_character(dec, "dec"), missing = na.strings, given = check_classes(colClasses),
    columns = NULL, first_columns = NULL, types = NULL, lines = character(), again = character(), read = 0,
    rows = 0, first = NULL, records = NULL, odd = character(), bytes = NULL, at = 0,
    total = check_total(rows), anew = !is.null(paths), remembers = is.null(paths) || any(is_url(paths))
  )
}

check_character <- function(x, arg) {
  ok <- is.character(x) && length(x) == 1 && !is.na(x) && nchar(x) == 1 && x != "\""
  if (!ok) abort("parameter", "`", arg, "` must be one character, not ", describe(x), ".")
  x
}

check_classes <- function(classes) {
  known <- c("numeric", "logical", "character")
  if (is.null(classes)) return(character())
  if (!is.character(classes) || is.null(names(classes)) || !all(classes %in% known)) {
    abort("parameter", "`colClasses` must name columns and say what they hold (", quoted(known),
      "), as in c(zip = \"character\"), not ", describe(classes), ".")
  }
  classes
}

connection_name <- function(connection) {
  tryCatch(summary(connection)$description, error = function(e) "a closed connection")
}
