# Several CSV files as one source: which they are, and how one follows the other.

# Names of files, patterns and directories -> files, in a defined order, with the names people gave them;
# whole, because a source may change the working directory.
csv_files <- function(x) {
  if (length(x) == 0 || anyNA(x)) {
    abort("type", "names of files must be strings, not ", describe(x), ".")
  }
  paths <- unlist(lapply(x, function(one) {
    if (is_url(one)) return(one)
    if (dir.exists(one)) return(files_in(one))
    if (file.exists(one)) return(one)
    found <- if (grepl("[*?[]", one)) Filter(function(path) !dir.exists(path), Sys.glob(one))
    if (length(found) == 0) abort("io", "there is no file ", dQuote(one, FALSE), ".")
    in_natural_order(found)
  }))
  names(paths) <- paths
  paths[!is_url(paths)] <- normalizePath(paths[!is_url(paths)])
  twice <- names(paths)[duplicated(paths)]
  if (length(twice) > 0) abort("input", "the file ", dQuote(twice[1], FALSE), " is named twice.")
  arrow <- is_arrow_path(paths)
  if (any(arrow) && !all(arrow)) {
    abort("type", dQuote(names(paths)[arrow][1], FALSE), " must be read apart from CSV files such as ",
      dQuote(names(paths)[!arrow][1], FALSE), ".")
  }
  paths
}

# A directory without CSV files is one of Arrow.
files_in <- function(folder) {
  files <- list.files(folder, "[.]csv([.](gz|bz2|xz))?$", ignore.case = TRUE, full.names = TRUE)
  files <- files[!dir.exists(files)]
  if (length(files) == 0) folder else in_natural_order(files)
}

# part2 before part10, whatever the locale.
in_natural_order <- function(paths) {
  numbers <- gregexpr("[0-9]+", paths)
  keys <- paths
  regmatches(keys, numbers) <- lapply(regmatches(paths, numbers), function(digits) {
    digits <- sub("^0+(?=[0-9])", "", digits, perl = TRUE)
    paste0(strrep("0", pmax(0, 20 - nchar(digits))), digits)
  })
  paths[order(keys, paths, method = "radix")]
}

is_url <- function(path) grepl("^[a-z]+://", path)

csv_label <- function(path) paste("CSV file", dQuote(path, FALSE))

# FALSE after the last one.
next_file <- function(source) {
  if (source$file >= length(source$paths)) {
    release(source)
    return(FALSE)
  }
  source$sizes[source$file] <- file.size(source$path)
  if (!is.null(source$columns) && is.null(source$first_columns)) source$first_columns <- source$columns
  if (!is.null(source$types)) source$given[names(source$types)] <- source$types
  close_csv(source)
  list2env(list(connection = NULL, own = FALSE, columns = NULL, types = NULL, bytes = NULL, at = 0, read = 0,
    file = source$file + 1), source)
  source$starts[source$file] <- source$rows
  source$path <- source$paths[[source$file]]
  source$label <- csv_label(names(source$paths)[source$file])
  TRUE
}

# Columns are those of the first file, by name; others do not matter.
check_same_columns <- function(source, fields) {
  lacking <- setdiff(source$first_columns, fields)
  if (length(lacking) == 0) return(invisible())
  abort("io", "cannot read ", source$label, ": it has no column ", backtick(lacking), ", which ",
    dQuote(names(source$paths)[1], FALSE), " has.")
}

as_in_first_file <- function(source, chunk) {
  if (is.null(source$first_columns) || identical(names(chunk), source$first_columns)) return(chunk)
  columns <- structure(unclass(chunk)[source$first_columns], class = "data.frame",
    row.names = .set_row_names(batch_rows(chunk)))
  with_gaps(columns, attr(chunk, "gaps"), attr(chunk, "behind"))
}

# A row by its number in the file it is in.
name_row <- function(source, row) UseMethod("name_row")
name_row.default <- function(source, row) paste("row", whole(row))
name_row.gpstream_source_csv <- function(source, row) {
  if (is.null(source$paths)) return(paste("row", whole(row)))
  file <- max(1, which(source$starts < row))
  paste0("row ", whole(row - source$starts[file]), " of ", csv_label(names(source$paths)[file]))
}
