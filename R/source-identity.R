# What tells a source from others when a run is resumed: list(kind, name, size, head, hash, at). Of files
# `name` and `size` of each and the `hash` of its first `head` bytes; `at` is the number of the file that was
# being read. Of others what is known by name (an SQL text, columns), and the hash of the first `head` rows.

head_bytes <- 4096
head_rows <- 100

# `like`: what was kept. Then as many bytes or rows are looked at as were then. `reads`: may rows be read for
# that, which stay in the buffer?
identity_of <- function(source, like = NULL, reads = FALSE) UseMethod("identity_of")

# Somebody else's, of which nothing is known but its class.
identity_of.default <- function(source, like = NULL, reads = FALSE) {
  new_identity(class(source)[1])
}

identity_of.gpstream_source <- function(source, like = NULL, reads = FALSE) {
  if (reads) read_head(source, if (is.null(like)) head_rows else like$head)
  head <- if (length(source$head) > 0) bind_chunks(source$head)
  known <- batch_rows(head)
  rows <- if (!is.null(like)) like$head else if (reads) known else min(known, source$taken)
  new_identity(
    sub("gpstream_source_", "", class(source)[1]), source_name(source), head = rows,
    hash = if (rows > 0 && rows <= known) hash_rows(batch_part(head, seq_len(rows))) else ""
  )
}

identity_of.gpstream_source_memory <- function(source, like = NULL, reads = FALSE) {
  rows <- min(if (is.null(like)) head_rows else like$head, source$total)
  head <- batch_part(source$data, seq_len(rows))
  new_identity("memory", names(head), size = source$total, head = rows, hash = hash_rows(head))
}

identity_of.gpstream_source_csv <- function(source, like = NULL, reads = FALSE) {
  if (is.null(source$paths) || any(is_url(source$paths))) return(NextMethod())
  paths <- unname(source$paths)
  heads <- rep(head_bytes, length(paths))
  if (!is.null(like)) heads[seq_along(like$head)] <- like$head
  heads <- heads[seq_along(paths)]
  blocks <- Map(first_bytes, paths, heads)
  size <- file.size(paths)
  done <- seq_along(source$sizes) # as they were when their end was read
  size[done] <- source$sizes
  new_identity(
    "csv", paths, size = size, head = lengths(blocks, use.names = FALSE),
    hash = vapply(blocks, core_hash, "", USE.NAMES = FALSE), at = source$file
  )
}

new_identity <- function(kind, name = character(), size = numeric(), head = 0, hash = "", at = 1) {
  list(kind = kind, name = name, size = size, head = as.double(head), hash = hash, at = as.double(at))
}

source_name <- function(source) UseMethod("source_name")
source_name.default <- function(source) character()
source_name.gpstream_source_csv <- function(source) {
  if (is.null(source$paths)) connection_name(source$connection) else unname(source$paths)
}
source_name.gpstream_source_dbi <- source_name.gpstream_source_cursor <- function(source) {
  gsub("[[:space:]]+", " ", trimws(source$sql))
}

# Of a compressed file, what is in it.
first_bytes <- function(path, n) {
  con <- tryCatch(gzfile(path, "rb"), error = identity, warning = identity)
  if (inherits(con, "condition")) return(raw())
  on.exit(close(con))
  tryCatch(readBin(con, "raw", n), error = function(e) raw())
}

# --- the first rows -----------------------------------------------------------------------------------------

# Up to where columns change their names or types, or rows are left out.
remember_head <- function(source, chunk) {
  held <- sum(vapply(source$head, batch_rows, 0))
  fresh <- batch_part(chunk, seq_len(min(head_rows - held, batch_rows(chunk))))
  changed <- length(source$head) > 0 && !identical(shape(source$head[[1]]), shape(fresh))
  if (!changed && is.null(attr(fresh, "gaps"))) {
    source$head <- c(source$head, list(fresh))
    held <- held + batch_rows(fresh)
  }
  source$remembers <- !changed && held < head_rows && is.null(attr(chunk, "gaps"))
}

read_head <- function(source, rows) {
  while (source$remembers && sum(vapply(source$head, batch_rows, 0)) < rows) {
    chunk <- tryCatch(drawn(source, head_rows), gpstream_error_rows = identity)
    if (is.null(chunk) || inherits(chunk, "error")) return(invisible())
    if (batch_rows(chunk) > 0) source$buffer <- c(source$buffer, list(chunk))
  }
}

# Numbers or text, whatever gave them.
plain_columns <- function(batch) {
  columns <- if (is_pair(batch)) list(x = batch$x, y = batch$y) else as.list(batch)
  columns <- unlist(lapply(names(columns), function(name) {
    column <- columns[[name]]
    if (!is.data.frame(column)) return(stats::setNames(list(column), name))
    stats::setNames(as.list(column), paste0(name, ".", names(column)))
  }), recursive = FALSE)
  lapply(columns, function(column) {
    if (is.factor(column) || !(is.numeric(column) || is.logical(column) || is_time(column))) {
      return(enc2utf8(as.character(column)))
    }
    values <- as.double(unclass(if (inherits(column, "POSIXlt")) as.POSIXct(column) else column))
    replace(values, is.na(values), NA_real_)
  })
}

hash_rows <- function(batch) {
  columns <- plain_columns(batch)
  bytes <- lapply(names(columns), function(name) {
    values <- columns[[name]]
    c(charToRaw(paste0(name, "\n")), if (is.double(values)) writeBin(values, raw(), endian = "little") else
      charToRaw(paste0(values, "\n", collapse = "")))
  })
  core_hash(unlist(c(list(raw()), bytes)))
}

# --- what was kept, and what is given -----------------------------------------------------------------------

# With what columns of CSV files are known to hold.
in_position <- function(source) {
  types <- NULL
  if (inherits(source, "gpstream_source_csv")) {
    types <- source$given
    types[names(source$types)] <- source$types
  }
  identity <- identity_of(source)
  c(stats::setNames(identity, paste0("source_", names(identity))), list(source_label = source_title(source),
    source_columns = as.character(names(types)), source_types = as.character(types)))
}

source_title <- function(source) {
  if (!inherits(source, "gpstream_source")) return(paste0("a source of class ", class(source)[1]))
  if (length(source$paths) > 1) {
    return(paste0(length(source$paths), " CSV files (", quoted(names(source$paths)), ")"))
  }
  source$label
}

of_position <- function(position) {
  names <- c("kind", "name", "size", "head", "hash", "at", "label", "columns", "types")
  kept <- stats::setNames(position[paste0("source_", names)], names)
  words <- vapply(kept[c("kind", "label")], is_name, NA)
  counts <- function(x) is.numeric(x) && all(is.finite(x) & x >= 0 & x == round(x))
  numbers <- vapply(kept[c("size", "head", "at")], counts, NA)
  texts <- vapply(kept[c("name", "hash", "columns", "types")], is.character, NA)
  whole <- all(words, numbers, texts) && length(kept$head) == length(kept$hash) && length(kept$at) == 1 &&
    length(kept$size) %in% c(0, length(kept$hash)) && length(kept$columns) == length(kept$types)
  if (whole) kept
}

# NULL, or why they are not the same.
source_change <- function(kept, now) {
  if (kept$kind != now$kind) return("")
  if (length(kept$size) != length(now$size) && min(length(kept$size), length(now$size)) == 0) return("")
  if (kept$kind == "csv" && length(kept$size) > 0) return(files_change(kept, now))
  if (!identical(kept$name, now$name)) return(if (kept$kind == "memory") "its columns are others" else "")
  if (nzchar(kept$hash[1]) && kept$hash[1] != now$hash[1]) return("its first rows are others")
}

# Files may have come at the end; the one that was read last may have grown.
files_change <- function(kept, now) {
  n <- length(kept$name)
  if (!identical(kept$name, utils::head(now$name, n))) {
    return(if (length(intersect(kept$name, now$name)) > 0) "its list of files is another one" else "")
  }
  file <- seq_len(n)
  other <- match(TRUE, kept$hash != now$hash[file] | (file < kept$at & kept$size != now$size[file]))
  if (!is.na(other)) paste0("the file ", dQuote(basename(kept$name[other]), FALSE), " has changed since")
}
