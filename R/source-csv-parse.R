# Records of a CSV file -> a data frame whose columns hold what they held in the first batch.

parse_records <- function(source, records) {
  fields <- csv_fields(source, records)
  faults <- attr(fields, "faults")
  if (is.null(faults)) faults <- rep(NA_character_, length(records$text))
  types <- source$types
  columns <- lapply(stats::setNames(seq_along(fields), source$columns), function(j) {
    words <- fields[[j]]
    if (is.double(words)) return(words)
    if (is.na(types[j])) {
      types[j] <<- guess_type(words, source$dec, source$skips)
      if (types[j] %in% "character") note_odd(source, records, words, j)
    }
    values <- convert_words(words, types[j], source$dec)
    bad <- which(is_bad_word(words, values) & is.na(faults))
    faults[bad] <<- paste0(" has ", dQuote(words[bad], FALSE), " in column ", backtick(source$columns[j]),
      ", where the first batch has ", if (types[j] %in% "numeric") "numbers" else "TRUE and FALSE", ".")
    values
  })
  if (!all(is.na(faults))) bad_rows(source, records, faults)
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

# With the attribute `faults`, where there are any: what is wrong with a record, else NA.
odd_fields <- function(source, records) {
  width <- length(source$columns)
  faults <- rep(NA_character_, length(records$text))
  faults[count_quotes(records$text) %% 2 == 1] <- " has a quote that is not closed."
  whole <- which(is.na(faults))
  fields <- split_records(records$text[whole], source$sep)
  ragged <- lengths(fields) != width
  found <- vapply(lengths(fields[ragged]), count, "", "field")
  faults[whole[ragged]] <- paste0(" has ", found, ", but there ", if (width == 1) "is " else "are ",
    count(width, "column"), ".")
  cells <- matrix(NA_character_, length(faults), width)
  if (!all(ragged)) cells[whole[!ragged], ] <- matrix(unlist(fields[!ragged]), ncol = width, byrow = TRUE)
  columns <- lapply(seq_len(width), function(j) {
    words <- cells[, j]
    replace(words, trimws(words) %in% source$missing, NA)
  })
  if (!all(is.na(faults))) attr(columns, "faults") <- faults
  columns
}

# Rows that the source cannot read, but may leave out.
bad_rows <- function(source, records, faults) {
  bad <- which(!is.na(faults))
  source$records$bad <- bad
  stop(error_rows(length(faults), "io", "line ", whole(records$line[bad[1]]), " of ", source$label,
    faults[bad[1]]))
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

# A few words among numbers make a column of text, as in read.csv(); should the model refuse it, this is why.
note_odd <- function(source, records, words, j) {
  odd <- which(is_bad_word(words, convert_words(words, "numeric", source$dec)))
  if (length(odd) == 0 || length(odd) > sum(!is.na(words)) * few_bad) return(invisible())
  source$odd[source$columns[j]] <- paste0(" Look at line ", whole(records$line[odd[1]]), " of ", source$label,
    ", which has ", dQuote(words[odd[1]], FALSE), " there; most others have numbers.")
}

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
