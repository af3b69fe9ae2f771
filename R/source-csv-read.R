# Lines of a CSV file or connection, as many as are wanted, put together to records.

# What could not be parsed stays in `records`: it is tried again, or dropped by drop_bad().
draw.gpstream_source_csv <- function(source, n) {
  if (source$ended) return(NULL)
  open_csv(source)
  if (is.null(source$columns) && !read_columns(source)) return(NULL)
  if (is.null(source$records)) {
    chunk <- plain_numbers_of(source, n)
    if (!is.null(chunk)) return(chunk)
    source$records <- next_records(source, n)
  }
  if (length(source$records$text) == 0) {
    release(source)
    return(NULL)
  }
  chunk <- parse_records(source, source$records)
  source$records <- NULL
  chunk
}

drop_bad.gpstream_source_csv <- function(source) {
  source$taken <- source$taken + length(source$records$text)
  source$records <- NULL
}

# Connections that sources have opened: kept here, lest R finds one before its source and warns that it was
# not closed.
held_open <- new.env()

connection_key <- function(connection) as.character(as.integer(connection))

open_csv <- function(source) {
  if (is.null(source$connection)) {
    if (has_bytes(source)) source$bytes <- raw()
    connect <- if (is_url(source$path)) url else if (is.null(source$bytes)) file else gzfile
    source$connection <- as_io_error(source, connect(source$path))
  }
  if (as_io_error(source, isOpen(source$connection))) return(invisible())
  on.exit(if (!source$own && !is.null(source$path)) close_unopened(source))
  as_io_error(source, open(source$connection, if (is.null(source$bytes)) "rt" else "rb"))
  source$own <- TRUE
  assign(connection_key(source$connection), source$connection, held_open)
  reg.finalizer(source, finalize_source)
}

close_unopened <- function(source) {
  close(source$connection)
  source$connection <- NULL
}

release.gpstream_source_csv <- function(source) {
  if (source$own && !source$ended) {
    rm(list = connection_key(source$connection), envir = held_open)
    try(close(source$connection), silent = TRUE)
  }
  source$ended <- TRUE
  source$lines <- character()
  if (!is.null(source$bytes)) source$bytes <- raw()
}

# Warnings too: R only warns of a damaged archive or a broken network, and gives what it has.
as_io_error <- function(source, expr) {
  fail <- function(e) abort("io", "cannot read ", source$label, ": ", conditionMessage(e), ".")
  tryCatch(expr, error = fail, warning = fail)
}

# The header; FALSE when there is nothing at all.
read_columns <- function(source) {
  first <- read_records(source, 1)
  if (length(first$text) == 0) {
    release(source)
    return(FALSE)
  }
  fields <- trimws(split_records(sub("^\ufeff", "", first$text), source$sep)[[1]])
  if (!source$header) {
    source$first <- first
    fields <- paste0("V", seq_along(fields))
  }
  if (anyDuplicated(fields)) {
    abort("io", "cannot read ", source$label, ": its header has the column ",
      backtick(fields[duplicated(fields)][1]), " twice.")
  }
  source$columns <- fields
  source$types <- stats::setNames(unname(source$given[fields]), fields)
  TRUE
}

# Without a header the first record has been read for its width.
next_records <- function(source, n) {
  first <- source$first
  source$first <- NULL
  if (is.null(first)) return(read_records(source, n))
  rest <- read_records(source, n - 1)
  list(text = c(first$text, rest$text), line = c(first$line, rest$line))
}

# The next n records and the numbers of their first lines. A record goes on in the next line while a quote is
# open.
read_records <- function(source, n) {
  text <- character()
  at <- numeric()
  while (length(text) < n) {
    lines <- read_lines(source, n - length(text))
    if (length(lines) == 0) break
    number <- source$read - length(lines) + seq_along(lines)
    longest <- length(lines) + 1000 # a stray quote must not swallow the file
    while (open_quote(lines) && length(lines) < longest &&
      length(more <- read_lines(source, 1)) > 0) {
      lines <- c(lines, more)
    }
    if (any(grepl("\"", lines, fixed = TRUE))) {
      starts <- cumsum(c(TRUE, !open_quotes(lines)[-length(lines)]))
      number <- source$read - length(lines) + which(!duplicated(starts))
      lines <- vapply(split(lines, starts), paste, "", collapse = "\n", USE.NAMES = FALSE)
    }
    filled <- grepl("[^ \t\r\n]", lines)
    text <- c(text, lines[filled])
    at <- c(at, number[filled])
  }
  list(text = text, line = at)
}

count_quotes <- function(lines) nchar(lines, "bytes") - nchar(gsub("\"", "", lines, fixed = TRUE), "bytes")
open_quotes <- function(lines) cumsum(count_quotes(lines)) %% 2 == 1
open_quote <- function(lines) any(grepl("\"", lines, fixed = TRUE)) && sum(count_quotes(lines)) %% 2 == 1

# From a pipe, a socket or a terminal line by line, into `lines`: whoever waits can be interrupted, and what
# has come is kept.
read_lines <- function(source, n) {
  as_io_error(source, if (waits(source$connection)) {
    while (length(source$lines) < n) {
      line <- allowInterrupts(readLines(source$connection, 1, warn = FALSE))
      if (length(line) == 0) break
      source$lines <- c(source$lines, line)
    }
    lines <- source$lines
    source$lines <- character()
  } else if (!is.null(source$bytes)) {
    lines <- lines_of_bytes(source, n)
  } else {
    lines <- readLines(source$connection, n, warn = FALSE)
  })
  source$read <- source$read + length(lines)
  if (all(validUTF8(lines))) lines else iconv(lines, "latin1", "UTF-8")
}

waits <- function(connection) {
  !inherits(connection, c("file", "gzfile", "bzfile", "xzfile", "unz", "textConnection")) ||
    connection_name(connection) %in% c("stdin", "/dev/stdin")
}

# Lines need not be parsed once it is known what their columns hold.
pass_over.gpstream_source_csv <- function(source, rows, n) {
  passed <- 0
  while (passed < rows &&
    (is.null(source$types) || anyNA(source$types) || length(source$buffer) > 0 || !is.null(source$records))) {
    got <- pass_over.default(source, min(n, rows - passed), n)
    if (got == 0) return(passed)
    passed <- passed + got
  }
  while (passed < rows && !source$ended) {
    got <- length(read_records(source, min(10000, rows - passed))$text)
    if (got == 0) release(source)
    passed <- passed + got
    source$taken <- source$taken + got
  }
  passed
}
