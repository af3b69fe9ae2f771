# How a run ends: what it says, and the errors that stop it.

# The original error, with the number and the rows of its batch; its classes stay, so that whoever handles them still does.
stop_run <- function(run, cause, rows = NA) {
  keep_checkpoint(run)
  from <- run$rows + 1
  these <- if (!is.na(rows)) paste0(" (row", plural(rows), " ", whole(from), if (rows > 1) paste(" to", whole(from + rows - 1)), ")")
  where <- paste0("batch ", whole(run$batch + 1), these)
  stop(structure(
    class = unique(c("gpstream_error_batch", grep("^gpstream_error_", class(cause), value = TRUE), "gpstream_error", "error", "condition")),
    list(
      message = paste0(where, if (is.na(rows)) " could not be read: " else " was not learned: ", conditionMessage(cause), "\n", what_is_learned(run)),
      call = NULL, parent = cause, batch = run$batch + 1, rows = if (is.na(rows)) NULL else c(from, from + rows - 1)
    )
  ))
}

what_is_learned <- function(run) {
  if (run$learned == 0) return("Nothing was learned before it.")
  paste0("What came before is learned (", count(run$learned, "row"), ").")
}

tell_end <- function(run, ended) {
  if (run$skipped > 0) {
    warn("skipped", count(run$skipped, "batch", "es"), " (", count(run$skipped_rows, "row"), ") of ", whole(run$batch), " could not be learned and ",
      if (run$skipped == 1) "was" else "were", " skipped", if (!is.null(run$reason)) paste0("; the first because ", run$reason) else ".")
  }
  if (run$dropped > 0) inform("Dropped ", whole(run$dropped), " of ", count(run$taken, "row"), " with missing or infinite values.")
  if (ended == "finished" && run$taken == 0) {
    if (run$rows == 0) inform("The source has no rows.") else inform("Nothing to do: all ", count(run$rows, "row"), " of the source were taken before.")
  }
  if (ended == "interrupted") inform("Stopped: ", count(run$learned, "row"), " learned. ", how_to_go_on(run))
}

how_to_go_on <- function(run) {
  lost <- if (!is.null(run$lost)) paste0(" (", count(run$lost, "row"), " taken from the source but not learned)") else ""
  if (!is.null(run$file)) return(paste0("To go on, call consume() again with resume = TRUE", lost, "."))
  if (run$given) return(paste0("To go on, call consume() again with the same source", lost, "."))
  paste0("To go on, call consume() again with skip = ", format(run$rows, scientific = FALSE),
    "; or, next time, make the source first, with as_source().")
}
