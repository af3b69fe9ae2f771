# Lines of a CSV file or connection, as many as are wanted, put together to records.

# What could not be parsed stays in `records`: it is tried again, or what is bad in it is left out by
# drop_bad().
draw.gpstream_source_csv <- function(source, n) {
  repeat {
    if (source$ended) return(NULL)
    chunk <- lines_chunk(source, n)
    if (!is.null(chunk)) return(as_in_first_file(source, chunk))
    if (!next_file(source)) return(NULL)
  }
}

# NULL at the end of a file.
lines_chunk <- function(source, n) {
  open_csv(source)
  if (is.null(source$columns) && !read_columns(source)) return(NULL)
  if (is.null(source$records)) {
    chunk <- plain_numbers_of(source, n)
    if (!is.null(chunk)) return(chunk)
    source$records <- next_records(source, n)
  }
  if (length(source$records$text) == 0) {
    source$records <- NULL
    return(NULL)
  }
  chunk <- parse_records(source, source$records)
  gaps <- source$records$gaps
  if (!is.null(gaps)) chunk <- with_gaps(chunk, gaps, source$records$behind)
  source$records <- NULL
  chunk
}

# Only the bad ones: the others of the batch come again.
drop_bad.gpstream_source_csv <- function(source) {
  records <- source$records
  left <- gaps_without(records$gaps, length(records$text), records$bad)
  if (length(left$keep) == 0) {
    source$behind <- source$behind + left$behind + records$behind
    source$records <- NULL
    return(invisible())
  }
  source$records <- list(text = records$text[left$keep], line = records$line[left$keep], gaps = left$gaps,
    behind = records$behind + left$behind)
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
  if (!source$ended) close_csv(source)
  source$ended <- TRUE
}

close_csv <- function(source) {
  if (source$own) {
    rm(list = connection_key(source$connection), envir = held_open)
    try(close(source$connection), silent = TRUE)
  }
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
  if (length(first$text) == 0) return(FALSE)
  fields <- trimws(split_records(sub("^\ufeff", "", first$text), source$sep)[[1]])
  if (!source$header) {
    source$first <- first
    fields <- paste0("V", seq_along(fields))
  }
  if (anyDuplicated(fields)) {
    abort("io", "cannot read ", source$label, ": its header has the column ",
      backtick(fields[duplicated(fields)][1]), " twice.")
  }
  if (length(fields) == 1) hint_separator(source, first$text)
  check_same_columns(source, fields)
  source$columns <- fields
  source$types <- stats::setNames(unname(source$given[fields]), fields)
  TRUE
}

# One column is rarely meant where its name has other separators in it.
hint_separator <- function(source, text) {
  found <- Filter(function(sep) grepl(sep, text, fixed = TRUE), c(";", "\t", ","))
  if (length(found) == 0 || !source$header || grepl("\"", text, fixed = TRUE)) return(invisible())
  written <- encodeString(found[1], quote = "\"")
  abort("io", "cannot read ", source$label, ": its header is not cut by ", dQuote(source$sep, FALSE),
    ", but has ", written, ". Write sep = ", written, ".")
}

# Without a header the first record has been read for its width.
next_records <- function(source, n) {
  first <- source$first
  source$first <- NULL
  records <- read_records(source, if (is.null(first)) n else n - 1)
  records <- list(text = c(first$text, records$text), line = c(first$line, records$line), behind = 0)
  source$rows <- source$rows + length(records$text)
  records
}

# The next n records and the numbers of their first lines. A record goes on in the next line while a quote is
# open.
read_records <- function(source, n) {
  text <- character()
  at <- numeric()
  while (length(text) < n) {
    lines <- read_lines(source, n - length(text))
    if (length(lines) == 0) break
    longest <- length(lines) + 1000 # a stray quote must not swallow the file
    while (open_quote(lines) && length(lines) < longest &&
      length(more <- read_lines(source, 1)) > 0) {
      lines <- c(lines, more)
    }
    if (open_quote(lines)) lines <- give_back_lines(source, lines)
    number <- source$read - length(lines) + seq_along(lines)
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

# Of a quote that nothing closes, only the line in which it stands is a record: the last that begins outside.
give_back_lines <- function(source, lines) {
  outside <- !c(FALSE, open_quotes(lines))[seq_along(lines)]
  opened <- max(which(outside))
  again <- lines[seq_along(lines) > opened]
  source$again <- c(again, source$again)
  source$read <- source$read - length(again)
  lines[seq_len(opened)]
}

count_quotes <- function(lines) nchar(lines, "bytes") - nchar(gsub("\"", "", lines, fixed = TRUE), "bytes")
open_quotes <- function(lines) cumsum(count_quotes(lines)) %% 2 == 1
open_quote <- function(lines) any(grepl("\"", lines, fixed = TRUE)) && sum(count_quotes(lines)) %% 2 == 1

# From a pipe, a socket or a terminal line by line, into `lines`: whoever waits can be interrupted, and what
# has come is kept.
read_lines <- function(source, n) {
  if (length(source$again) > 0) {
    lines <- utils::head(source$again, n)
    source$again <- utils::tail(source$again, -length(lines))
    source$read <- source$read + length(lines)
    return(lines)
  }
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
  passed <- pass_buffer(source, rows)
  while (passed < rows && !source$ended) {
    if (is.null(source$records)) {
      open_csv(source)
      if (!is.null(source$columns) || read_columns(source)) {
        source$records <- next_records(source, min(10000, rows - passed, if (anyNA(source$types)) n))
      }
    }
    records <- source$records
    if (length(records$text) == 0) {
      source$records <- NULL
      next_file(source)
      next
    }
    if (anyNA(source$types)) learn_types(source, records)
    got <- length(records$text) + sum(records$gaps) + records$behind
    source$records <- NULL
    passed <- passed + got + source$behind
    source$taken <- source$taken + got + source$behind
    source$behind <- 0
  }
  passed
}
