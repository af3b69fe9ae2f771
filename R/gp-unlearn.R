# gp$unlearn(): rows are taken out again, all of them or none.

gp_unlearn <- function(gp, x, y = NULL, at = NULL, weights = NULL) {
  if (!is_started(gp)) abort("input", "there is nothing to unlearn: the model has seen no data.")
  batch <- read_batch(gp, x, y, NULL, weights)
  rows <- if (is.null(dim(x))) length(x) else nrow(x)
  if (rows == 0) return(invisible(gp))
  if (nrow(batch$x) != rows) {
    abort("input", "rows with missing or infinite values, or of weight 0, were never learned: leave them ",
      "out.")
  }
  at <- check_left_at(at, rows)
  weights <- if (is.null(batch$weights)) rep(NA_real_, rows) else batch$weights
  handle <- core_gp_unlearn(learning_handle(gp), unname(batch$x), in_a_row(batch$y), weights, at)
  set_state(gp, handle, gp_frame(gp))
  invisible(gp)
}

# One number a row, NA for a row of the look-back.
check_left_at <- function(at, rows) {
  if (is.null(at)) return(rep(NA_real_, rows))
  ok <- (is.numeric(at) || all(is.na(at))) && !is.object(at)
  if (!ok) {
    abort("type", "`at` must be numbers of rows, NA for rows of the look-back, not ", describe(at), ".")
  }
  if (length(at) != rows) {
    abort("dimension", "`at` has ", count(length(at), "value"), " for ", count(rows, "row"), ".")
  }
  at <- as.double(at)
  check_counts(at[!is.na(at)], "at", 1)
  at
}
