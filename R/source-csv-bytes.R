# Bytes of a CSV file, which need not become text where lines hold nothing but numbers. `bytes` are those that
# have been read, of which the first `at` are used up.

has_bytes <- function(source) {
  !is_url(source$path) && utils::file_test("-f", source$path) &&
    identical(getOption("encoding"), "native.enc")
}

# The next n rows, where it is known that all columns hold numbers, and where their lines are plain.
plain_numbers_of <- function(source, n) {
  known <- !is.null(source$bytes) && is.null(source$first) && length(source$again) == 0 &&
    all(source$types %in% "numeric") &&
    source$dec == "." && nchar(source$sep, "bytes") == 1
  if (!known) return(NULL)
  found <- as_io_error(source, find_lines(source, n))
  if (found$lines == 0) return(NULL)
  columns <- core_csv_numbers(
    source$bytes, source$at, found$lines, source$sep, length(source$columns), source$missing
  )
  if (is.null(columns)) return(NULL)
  source$at <- found$end
  source$read <- source$read + found$lines
  source$rows <- source$rows + found$lines
  structure(columns, names = source$columns, class = "data.frame",
    row.names = .set_row_names(found$lines))
}

# Text, as readLines() has it.
lines_of_bytes <- function(source, n) {
  found <- find_lines(source, n)
  if (found$lines == 0) return(character())
  lines <- rawConnection(source$bytes[(source$at + 1):found$end])
  on.exit(close(lines))
  source$at <- found$end
  readLines(lines, warn = FALSE)
}

# Where the next n lines end, or as many as there are.
find_lines <- function(source, n) {
  repeat {
    found <- core_csv_lines(source$bytes, source$at, n)
    if (found[1] == n || !more_bytes(source)) return(list(lines = found[1], end = found[2]))
  }
}

# The last line may lack its end, which it gets.
more_bytes <- function(source) {
  unused <- length(source$bytes) - source$at
  more <- readBin(source$connection, "raw", max(2^20, unused))
  rest <- utils::tail(source$bytes, unused)
  if (length(more) == 0) {
    if (unused == 0 || rest[unused] == charToRaw("\n")) return(FALSE)
    more <- charToRaw("\n")
  }
  source$bytes <- c(rest, more)
  source$at <- 0
  TRUE
}
