# Inputs and outputs as users have them -> a double matrix with one row per observation, and a double vector.
# The one place where this conversion is done.

as_input <- function(x, arg) {
  x <- as_double_matrix(x, arg)
  if (ncol(x) == 0 && nrow(x) > 0) abort("dimension", "`", arg, "` has no columns.")
  x
}

as_double_matrix <- function(x, arg) {
  if (is.double(x) && is.matrix(x) && !is.object(x)) return(x)
  if (is.data.frame(x)) return(data_frame_input(x, arg))
  if (inherits(x, "Matrix")) {
    abort("type", "`", arg, "` is a sparse or packed <", class(x)[1], ">; use as.matrix(", arg, ").")
  }
  if (length(dim(x)) > 2) {
    abort("type", "`", arg, "` must have rows and columns, not ", length(dim(x)), " dimensions.")
  }
  if (!is_number_like(x)) {
    abort("type", "`", arg, "` must be numeric (a vector, matrix or data frame), not ", describe(x), ".",
      conversion_hint(x))
  }
  out <- matrix(as.double(x), nrow = NROW(x), ncol = NCOL(x))
  if (is.matrix(x)) dimnames(out) <- dimnames(x) else rownames(out) <- names(x)
  out
}

is_number_like <- function(x) (is.numeric(x) || is.logical(x)) && !inherits(x, "integer64")

is_time <- function(x) inherits(x, c("Date", "POSIXt", "difftime"))

conversion_hint <- function(x) {
  if (is_time(x)) return(" Convert it with as.numeric(), in the same unit in every batch.")
  if (is.factor(x) || is.character(x)) return(" Categories need the formula interface.")
  ""
}

data_frame_input <- function(x, arg) {
  ok <- vapply(x, function(column) is_number_like(column) && NCOL(column) == 1, logical(1))
  if (!all(ok)) {
    bad <- x[[which(!ok)[1]]]
    abort("type", "column ", backtick(names(x)[!ok][1]), " of `", arg, "` must be numeric, not ",
      describe(bad), ".", conversion_hint(bad))
  }
  out <- matrix(as.double(unlist(lapply(x, as.double), use.names = FALSE)), nrow = nrow(x), ncol = ncol(x))
  rows <- if (.row_names_info(x) > 0) row.names(x)
  dimnames(out) <- list(rows, names(x))
  out
}

as_output <- function(y, rows) response_for(y, rows, likelihood_gaussian())$y

# The same for any likelihood, as read_response() gives it.
response_for <- function(y, rows, likelihood, known = NULL) {
  out <- read_response(y, likelihood, known = known)
  if (length(out$y) == rows) return(out)
  abort("dimension", "`y` has ", length(out$y), " value", plural(length(out$y)), " for ", rows, " row",
    plural(rows), " of `x`.")
}

# Which columns the model was built with: fixed by its first batch.
input_frame <- function(x) {
  names <- colnames(x)
  if (is.null(names) || anyDuplicated(names) || any(!nzchar(names))) names <- NULL
  list(D = ncol(x), names = names)
}

is_frame <- function(frame, columns = frame$D) {
  is.list(frame) && is_scalar(frame$D) && frame$D == columns &&
    (is.null(frame$names) || (is.character(frame$names) && length(frame$names) == columns)) &&
    (is.null(frame$terms) ||
      (inherits(frame$terms, "terms") && is.character(frame$variables) &&
        (is.null(frame$xlevels) || is.list(frame$xlevels))))
}

# Later inputs: by name where both sides have names, otherwise by position. Other columns of a data frame do
# not matter.
later_input <- function(x, frame, arg) {
  if (is.data.frame(x) && !is.null(frame$names) && all(frame$names %in% names(x))) {
    x <- as.data.frame(x)[frame$names]
  }
  match_columns(as_input(x, arg), frame, arg)
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
  where <- paste0("row ", (bad - 1) %% NROW(x) + 1)
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
