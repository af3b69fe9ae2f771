# Inputs and outputs as users have them -> a double matrix with one row per observation, and a double vector.
# The one place where this conversion is done.

# `times`: of a model, what its columns are, a time each or NULL for numbers, in the order of `x`; NULL where
# no model says so, and all are numbers.
as_input <- function(x, arg, times = NULL) {
  x <- as_double_matrix(x, arg, times)
  if (ncol(x) == 0 && nrow(x) > 0) abort("dimension", "`", arg, "` has no columns.")
  x
}

as_double_matrix <- function(x, arg, times) {
  timed <- !vapply(times, is.null, NA)
  if (!any(timed) && is.double(x) && is.matrix(x) && !is.object(x)) return(x)
  x <- plain_numbers(x)
  if (is.data.frame(x)) return(data_frame_input(x, arg, times))
  if (any(timed)) return(time_input(x, arg, times))
  if (inherits(x, "Matrix")) {
    abort("type", "`", arg, "` is a sparse or packed <", class(x)[1], ">; use as.matrix(", arg, ").")
  }
  if (length(dim(x)) > 2) {
    abort("type", "`", arg, "` must have rows and columns, not ", length(dim(x)), " dimensions.")
  }
  if (!is_number_like(x)) {
    abort("type", "`", arg, "` must be numeric (a vector, matrix or data frame), not ", describe(x), ".",
      conversion_hint(x, !is.null(times)))
  }
  out <- matrix(as.double(x), nrow = NROW(x), ncol = NCOL(x))
  if (is.matrix(x)) dimnames(out) <- dimnames(x) else rownames(out) <- names(x)
  out
}

# Whole numbers of 64 bits, as databases and readers of files have them, as doubles. They are stored as such,
# with other bits in them: to any code that does not know their class they are tiny numbers.
is_integer64 <- function(x) inherits(x, "integer64") && is.double(x)
from_integer64 <- function(x) {
  halves <- readBin(writeBin(as.vector(unclass(x)), raw(), endian = "little"), "integer", 2 * length(x),
    endian = "little")
  low <- halves[c(TRUE, FALSE)]
  high <- halves[c(FALSE, TRUE)]
  low <- ifelse(is.na(low), 2^31, ifelse(low < 0, low + 2^32, low)) # the bits that R reads as NA are a number
  out <- high * 2^32 + low
  attributes(out) <- attributes(x)[setdiff(names(attributes(x)), "class")]
  out
}

# What users have as numbers, as R's own; a data frame column by column.
plain_numbers <- function(x) {
  if (is_integer64(x)) return(from_integer64(x))
  for (j in if (is.data.frame(x)) which(vapply(x, is_integer64, NA))) x[[j]] <- from_integer64(x[[j]])
  x
}

is_number_like <- function(x) is.numeric(x) || is.logical(x)

# Without columns there is one.
time_input <- function(x, arg, times) {
  if (!is.null(dim(x)) || length(times) != 1) {
    abort("type", "`", arg, "` must be a data frame with times in it, as the first batch was, not ",
      describe(x), ".")
  }
  numbers <- time_to_number(x, times[[1]], backtick(arg))
  matrix(numbers, ncol = 1, dimnames = if (is.atomic(x) && !is.null(names(x))) list(names(x), NULL))
}

conversion_hint <- function(x, model = FALSE) {
  if (!is.null(as_time(x))) return(if (model) " The first batch had numbers." else " Only models read times.")
  if (is.character(x) && length(x) > 1 && mostly_iso(x)) {
    return(paste0(" Of its values ", not_all_iso(x), "."))
  }
  date <- if (is.character(x)) date_call(x, "x")
  if (!is.null(date)) return(paste0(" Write ", date, "."))
  if (is.factor(x) || is.character(x)) return(" Categories need the formula interface.")
  ""
}

data_frame_input <- function(x, arg, times) {
  for (j in which(!vapply(times, is.null, NA))) {
    x[[j]] <- time_to_number(x[[j]], times[[j]], paste0("column ", backtick(names(x)[j]), " of `", arg, "`"))
  }
  ok <- vapply(x, function(column) is_number_like(column) && NCOL(column) == 1, logical(1))
  if (!all(ok)) {
    bad <- x[[which(!ok)[1]]]
    abort("type", "column ", backtick(names(x)[!ok][1]), " of `", arg, "` must be numeric, not ",
      describe(bad), ".", conversion_hint(bad, !is.null(times)))
  }
  out <- matrix(as.double(unlist(lapply(x, as.double), use.names = FALSE)), nrow = nrow(x), ncol = ncol(x))
  rows <- if (.row_names_info(x) > 0) row.names(x)
  dimnames(out) <- list(rows, names(x))
  out
}

# The response of so many rows, as read_response() gives it.
response_for <- function(y, rows, likelihood, known = NULL) {
  out <- read_response(y, likelihood, known = known)
  if (NROW(out$y) == rows) return(out)
  what <- if (is.matrix(out$y)) "row" else "value"
  abort("dimension", "`y` has ", NROW(out$y), " ", what, plural(NROW(out$y)), " for ", rows, " row",
    plural(rows), " of `x`.")
}

# Which columns the model was built with: fixed by its first batch.
input_frame <- function(x) {
  names <- colnames(x)
  if (is.null(names) || anyDuplicated(names) || any(!nzchar(names))) names <- NULL
  list(D = ncol(x), names = names)
}

# Names for columns that may have none.
input_names <- function(frame) {
  if (!is.null(frame$names)) frame$names else if (frame$D == 1) "x" else paste0("x", seq_len(frame$D))
}

# The first batch of a model without a formula: x, and the frame with which later ones are read.
first_input <- function(x, arg) {
  times <- input_times(x)
  x <- as_input(x, arg, times)
  frame <- input_frame(x)
  found <- !vapply(times, is.null, NA)
  list(
    x = x, frame = c(frame, if (any(found)) list(times = stats::setNames(times, input_names(frame))[found]))
  )
}

is_frame <- function(frame, columns = frame$D) {
  is.list(frame) && is_scalar(frame$D) && frame$D == columns &&
    (is.null(frame$names) || (is.character(frame$names) && length(frame$names) == columns)) &&
    (is.null(frame$terms) ||
      (inherits(frame$terms, "terms") && is.character(frame$variables) &&
        (is.null(frame$xlevels) || is.list(frame$xlevels)))) &&
    is_times(frame$times)
}

# Later inputs: by name where both sides have names, otherwise by position. Other columns of a data frame do
# not matter.
later_input <- function(x, frame, arg) {
  if (is.data.frame(x) && !is.null(frame$names) && all(frame$names %in% names(x))) {
    x <- as.data.frame(x)[frame$names]
  }
  match_columns(as_input(x, arg, later_times(x, frame)), frame, arg)
}

# The times among columns of x, which are matched as match_columns() does.
later_times <- function(x, frame) {
  if (is.null(frame$times)) return(list())
  names <- if (is.data.frame(x)) names(x) else colnames(x)
  if (is.null(frame$names) || is.null(names)) names <- input_names(frame)
  columns <- if (is.data.frame(x)) ncol(x) else length(names)
  lapply(utils::head(names, columns), function(name) frame$times[[name]])
}

match_columns <- function(x, frame, arg) {
  if (nrow(x) == 0) return(matrix(0, 0, frame$D))
  names <- colnames(x)
  if (!is.null(frame$names) && !is.null(names)) {
    lacking <- setdiff(frame$names, names)
    if (length(lacking) > 0) {
      abort("dimension", "`", arg, "` has no column ", backtick(lacking), "; the model was built with ",
        backtick(frame$names), ".")
    }
    if (identical(names, frame$names)) return(x)
    return(x[, frame$names, drop = FALSE])
  }
  if (ncol(x) != frame$D) {
    abort(
      "dimension", "`", arg, "` has ", ncol(x), " column", plural(ncol(x)),
      ", but the model was built with ", frame$D, ".",
      if (ncol(x) == 1 && nrow(x) == frame$D) paste0(" A vector is read as ", frame$D,
        " rows; for one row use matrix(", arg, ", nrow = 1).")
    )
  }
  if (frame$D > 1 && nrow(x) > 0 && is.null(frame$names) != is.null(names)) {
    inform("Columns of `", arg, "` are matched by position: only ",
      if (is.null(names)) "the model" else backtick(arg), " has column names.")
  }
  x
}

# A value that is not finite, told by where it stands.
check_finite <- function(x, arg, cure = "") {
  bad <- which(!is.finite(x))[1]
  if (is.na(bad)) return(invisible())
  what <- if (is.nan(x[bad])) "NaN" else if (is.na(x[bad])) "NA" else format(x[bad])
  where <- row_name((bad - 1) %% NROW(x) + 1)
  if (is.matrix(x)) {
    column <- (bad - 1) %/% nrow(x) + 1
    where <- paste0(where, ", column ", if (is.null(colnames(x))) column else backtick(colnames(x)[column]))
  }
  abort("nonfinite", "`", arg, "` has ", what, " in ", where, ".", cure)
}

# Outputs beyond this overflow when squared and summed.
largest_output <- 1e140

# Rows of weight 0 say nothing.
# `batch`: x and, as they were read, y, weights, more and offset.
clean_rows <- function(batch, na_action, args = c("x", "y")) {
  if (any(batch$weights == 0, na.rm = TRUE)) {
    keep <- is.na(batch$weights) | batch$weights > 0
    return(clean_rows(response_rows(batch, keep), na_action, args))
  }
  if (is.matrix(batch$y)) return(clean_outputs(batch, na_action, args))
  finite <- function(values) is.null(values) || all(is.finite(values))
  if (!all(vapply(batch[c("x", "y", "weights", "more", "offset")], finite, NA))) {
    if (!identical(na_action, "omit")) {
      cure <- " To drop such rows, make the model with na_action = \"omit\"."
      check_finite(batch$x, args[1], cure)
      check_finite(batch$y, args[2], cure)
      check_finite(batch$more, args[2], cure)
      check_finite(batch$weights, "weights", cure)
      check_finite(batch$offset, "offset", cure)
    }
    keep <- rowSums(!is.finite(batch$x)) == 0
    for (name in c("y", "weights", "more", "offset")) {
      if (!is.null(batch[[name]])) keep <- keep & is.finite(batch[[name]])
    }
    inform("Dropped ", sum(!keep), " of ", length(keep), " rows with missing or infinite values.",
      kind = "dropped")
    batch <- response_rows(batch, keep)
  }
  if (length(batch$y) > 0 && max(abs(batch$y)) > largest_output) {
    abort("input", "`", args[2], "` has values as large as ", format(max(abs(batch$y)), digits = 3),
      ", which overflow when squared; rescale it.")
  }
  batch[!vapply(batch, is.null, NA)]
}

# Of several outputs what is missing is missing: the row says what it says of the others. A row of which
# nothing was observed is like any other that has a value missing.
clean_outputs <- function(batch, na_action, args) {
  y <- batch$y
  if (identical(na_action, "omit")) y[is.infinite(y)] <- NA
  check_finite(replace(y, is.na(y), 0), args[2])
  batch$y <- ifelse(rowSums(!is.na(y)) > 0, 0, NA_real_)
  batch$offset <- seq_along(batch$y) # so that it is known which rows stay
  batch <- clean_rows(batch, na_action, args)
  batch$y <- y[batch$offset, , drop = FALSE]
  batch$offset <- NULL
  if (any(abs(batch$y) > largest_output, na.rm = TRUE)) {
    abort("input", "`", args[2], "` has values as large as ",
      format(max(abs(batch$y), na.rm = TRUE), digits = 3), ", which overflow when squared; rescale it.")
  }
  batch
}
