# Records of a CSV file -> a data frame whose columns hold what they held in the first batch.

parse_records <- function(source, records) {
  if (any(grepl("\"", records$text, fixed = TRUE))) {
    open <- which(count_quotes(records$text) %% 2 == 1)
    if (length(open) > 0) bad_rows(source, records, open, " has a quote that is not closed.")
  }
  fields <- csv_fields(source, records)
  types <- source$types
  columns <- lapply(stats::setNames(seq_along(fields), source$columns), function(j) {
    words <- fields[[j]]
    if (is.double(words)) return(words)
    if (is.na(types[j])) types[j] <<- guess_type(words, source$dec, source$skips)
    values <- convert_words(words, types[j], source$dec)
    bad <- which(is_bad_word(words, values))
    if (length(bad) > 0) {
      bad_rows(source, records, bad, " has ", dQuote(words[bad[1]], FALSE), " in column ",
        backtick(source$columns[j]), ", where the first batch has ",
        if (types[j] == "numeric") "numbers" else "TRUE and FALSE", ".")
    }
    values
  })
  source$types <- types
  structure(columns, class = "data.frame", row.names = .set_row_names(length(records$text)))
}

# What columns hold, from records that are passed over.
learn_types <- function(source, records) {
  fields <- split_records(records$text, source$sep)
  fields <- fields[lengths(fields) == length(source$columns)]
  for (j in which(is.na(source$types))) {
    words <- vapply(fields, `[`, "", j)
    words[trimws(words) %in% source$missing] <- NA
    source$types[j] <- guess_type(words, source$dec, source$skips)
  }
}

# The words of each column, or its numbers where that is what it is known to hold. Most lines are plain, and
# the core takes them apart; the others, and those where something is wrong, are looked at more closely.
csv_fields <- function(source, records) {
  numeric <- source$types %in% "numeric" & source$dec == "."
  plain <- if (nchar(source$sep, "bytes") == 1) {
    core_csv_columns(records$text, source$sep, numeric, source$missing)
  }
  if (is.null(plain)) odd_fields(source, records) else plain
}

odd_fields <- function(source, records) {
  width <- length(source$columns)
  fields <- split_records(records$text, source$sep)
  ragged <- which(lengths(fields) != width)
  if (length(ragged) > 0) {
    bad_rows(
      source, records, ragged, " has ", count(length(fields[[ragged[1]]]), "field"), ", but there ",
      if (width == 1) "is " else "are ", count(width, "column"), "."
    )
  }
  cells <- matrix(unlist(fields), ncol = width, byrow = TRUE)
  lapply(seq_len(width), function(j) {
    words <- cells[, j]
    replace(words, trimws(words) %in% source$missing, NA)
  })
}

# Rows that the source cannot read, but may leave out.
bad_rows <- function(source, records, which, ...) {
  source$records$bad <- which
  first <- records$line[which[1]]
  stop(error_rows(length(records$text), "io", "line ", whole(first), " of ", source$label, ...))
}

# Fields of each record. strsplit() drops an empty last field, so that each record gets one more separator.
split_records <- function(text, sep) {
  quoted <- grepl("\"", text, fixed = TRUE)
  if (any(quoted)) text[quoted] <- vapply(text[quoted], unquote, "", sep, USE.NAMES = FALSE)
  fields <- strsplit(paste0(text, sep), sep, fixed = TRUE)
  if (any(quoted)) fields[quoted] <- lapply(fields[quoted], function(words) chartr("\001", sep, words))
  fields
}

# Between quotes a separator is a character like others, kept as \001 meanwhile; two quotes in a row are one.
unquote <- function(text, sep) {
  pieces <- strsplit(text, "\"", fixed = TRUE)[[1]]
  inside <- seq_along(pieces) %% 2 == 0
  pieces[inside] <- gsub(sep, "\001", pieces[inside], fixed = TRUE)
  doubled <- !inside & !nzchar(pieces) & seq_along(pieces) > 1 & seq_along(pieces) < length(pieces)
  paste(replace(pieces, doubled, "\""), collapse = "")
}

# NA: nothing to guess from. Where bad lines are left out, a few other words among numbers are such.
guess_type <- function(words, dec, skips = FALSE) {
  words <- words[!core_csv_no_number(words)]
  if (length(words) == 0) return(NA_character_)
  most <- if (skips) length(words) * few_bad else 0
  for (type in c("numeric", "logical")) {
    if (sum(is_bad_word(words, convert_words(words, type, dec))) <= most) return(type)
  }
  "character"
}

few_bad <- 1 / 5

is_bad_word <- function(words, values) {
  unread <- is.na(values) & !is.nan(values)
  unread[unread] <- !core_csv_no_number(words[unread])
  unread
}

convert_words <- function(words, type, dec) {
  if (is.na(type)) return(rep(NA_real_, length(words)))
  if (type == "character") return(words)
  if (type == "logical") return(c(TRUE, FALSE)[match(toupper(trimws(words)), c("TRUE", "FALSE"))])
  if (dec != ".") words <- chartr(dec, ".", words)
  suppressWarnings(as.numeric(words))
}
