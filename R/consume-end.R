# How a run ends: what it says, and the errors that stop it.

# The original error, with the number and the rows of its batch; its classes stay, so that whoever handles
# them still does.
stop_run <- function(run, played) {
  cause <- played$failed
  rows <- played$rows
  unkept <- tryCatch(keep_checkpoint(run), gpstream_error = conditionMessage)
  from <- run$rows + 1
  these <- if (!is.na(rows)) {
    paste0(" (row", plural(rows), " ", whole(from), if (rows > 1) paste(" to", whole(from + rows - 1)), ")")
  }
  where <- paste0("batch ", whole(run$batch + 1), these)
  stop_with(cause, paste0(
    where, if (is.na(rows)) " could not be read: " else " was not learned: ", conditionMessage(cause),
    odd_words(run, conditionMessage(cause)), "\n", what_is_learned(run), read_ahead(run),
    if (is.character(unkept)) paste0("\nNor was the checkpoint written: ", unkept)
  ), batch = run$batch + 1, rows = if (is.na(rows)) NULL else c(from, from + rows - 1))
}

# What made text of a column that the message is about.
odd_words <- function(run, message) {
  odd <- if (inherits(run$source, "gpstream_source_csv")) run$source$odd
  about <- vapply(names(odd), function(name) grepl(backtick(name), message, fixed = TRUE), NA)
  odd[about][1][any(about)]
}

# The source fails before the run has begun: there is nothing to keep, and a checkpoint to lose.
stop_before <- function(run, cause) {
  stop_with(cause,
    paste0("the rows before batch ", whole(run$batch + 1), " could not be read: ", conditionMessage(cause),
      "\nThe model is as it was", if (!is.null(run$file)) ", and so is the checkpoint", "."),
    batch = run$batch + 1)
}

stop_with <- function(cause, message, ...) {
  kept <- grep("^gpstream_error_", class(cause), value = TRUE)
  stop(structure(
    class = unique(c("gpstream_error_batch", kept, "gpstream_error", "error", "condition")),
    list(message = message, call = NULL, parent = cause, ...)
  ))
}

what_is_learned <- function(run) {
  if (run$learned == 0) return("Nothing was learned before it.")
  paste0("What came before is learned (", count(run$learned, "row"), ").")
}

# Rows in the buffer of a source that nobody has, of something that cannot be read again.
read_ahead <- function(run) {
  rows <- if (inherits(run$source, "gpstream_source")) sum(vapply(run$source$buffer, batch_rows, 0)) else 0
  if (run$given || rows == 0 || run$source$anew) return("")
  paste0(" Lost: ", count(rows, "row"),
    " that had been read but not learned; make the source first, with as_source(), to keep such rows.")
}

tell_end <- function(run, ended) {
  tell_skipped(run$skipped, run$rows, run$reason)
  if (run$dropped > 0) {
    inform("Dropped ", whole(run$dropped), " of ", count(run$taken, "row"),
      " with missing or infinite values.", kind = "dropped")
  }
  if (run$implausible > 0) {
    inform("Left out ", whole(run$implausible), " of ", count(run$taken, "row"), " as implausible.")
  }
  if (ended == "finished" && run$taken == 0 && is.null(run$reason)) {
    if (run$rows == 0) {
      inform("The source has no rows.")
    } else {
      inform("Nothing to do: all ", count(run$rows, "row"), " of the source were taken before.")
    }
  }
  if (ended == "interrupted") {
    inform("Stopped: ", count(run$learned, "row"), " learned. ", how_to_go_on(run), kind = "stopped")
  }
}

tell_skipped <- function(skipped, rows, reason = NULL) {
  if (skipped == 0) return(invisible())
  warn("skipped", "Left out ", whole(skipped), " of ", count(rows, "row"), " that could not be learned",
    if (is.null(reason)) "." else paste0("; the first because ", reason))
}

how_to_go_on <- function(run) {
  lost <- if (!is.null(run$lost)) {
    paste0(" (", count(run$lost, "row"), " taken from the source but not learned)")
  } else {
    ""
  }
  if (!is.null(run$file)) return(paste0("To go on, call consume() again with resume = TRUE", lost, "."))
  if (run$given) return(paste0("To go on, call consume() again with the same source", lost, "."))
  if (!run$source$anew) {
    return(paste0("To be able to go on, make the source first, with as_source(): it remembers its place.",
      read_ahead(run)))
  }
  paste0("To go on, call consume() again with skip = ", format(run$rows, scientific = FALSE),
    "; or, next time, make the source first, with as_source().")
}
