# When a run is kept in a file, and how it is taken up again.

# Seconds as a number, batches in words.
check_every <- function(every) {
  if (is_scalar(every) && every >= 0) return(list(seconds = as.double(every), batches = Inf))
  parts <- if (is_name(every)) {
    regmatches(every, regexec("^ *([0-9]+) *(second|minute|batch)e?s? *$", every))[[1]]
  } else {
    character()
  }
  number <- if (length(parts) == 3) as.double(parts[2]) else 0
  if (number < 1) {
    abort("parameter",
      "`every` must be a number of seconds, or a number of batches as in \"100 batches\", not ",
      describe(every), ".")
  }
  if (parts[3] == "batch") return(list(seconds = Inf, batches = number))
  list(seconds = number * if (parts[3] == "minute") 60 else 1, batches = Inf)
}

checkpoint_due <- function(run) {
  !is.null(run$file) &&
    (run$batch - run$written_batch >= run$every$batches || now() - run$written >= run$every$seconds)
}

kept_counts <- c("rows", "batch", "skipped", "unscored")

# Told now, not after an hour of learning. Whole, because a source may change the working directory.
checkpoint_path <- function(file) {
  if (is.null(file)) return(NULL)
  path <- model_path(file)
  if (dir.exists(path)) {
    abort("io", "`checkpoint` ", dQuote(file, FALSE), " is a directory; give the name of a file in it.")
  }
  if (!dir.exists(dirname(path))) {
    abort("io", "`checkpoint` ", dQuote(file, FALSE), ": there is no directory ",
      dQuote(dirname(path), FALSE), ".")
  }
  file.path(normalizePath(dirname(path)), basename(path))
}

keep_checkpoint <- function(run) {
  if (is.null(run$file)) return(invisible())
  position <- c(mget(kept_counts, run), in_position(run$source), kept_alarm(run$alarm))
  write_checkpoint(run$gp, run$path, position)
  run$written <- now()
  run$written_batch <- run$batch
}

# The model becomes what it was at the checkpoint, the source is read up to there. FALSE: there is no
# checkpoint yet.
take_up <- function(run) {
  if (!is_checkpoint(run$path)) return(FALSE)
  saved <- read_checkpoint(run$path, like = run$gp)
  check_same_run(run, saved)
  list2env(saved$position[kept_counts], run)
  run$written_batch <- run$batch
  check_same_source(run, of_position(saved$position))
  pass_to(run, run$rows, resuming = TRUE)
  run$gp$spec <- spec_of(saved$gp)
  run$gp$state <- state_of(saved$gp)
  take_up_alarm(run, saved$position)
  TRUE
}

check_same_run <- function(run, saved) {
  counted <- vapply(kept_counts, function(name) is_count(saved$position[[name]]), NA)
  if (!all(counted) || is.null(of_position(saved$position))) {
    abort("input", "`checkpoint` ", dQuote(run$file, FALSE), " was not written by consume(), or by one with ",
      "a cluster.")
  }
  check_same_model(run, saved)
  check_same_alarm(run, saved$position)
}

check_same_model <- function(run, saved) {
  seen <- c(gp_nobs(run$gp), gp_nobs(saved$gp))
  if (seen[1] > seen[2]) {
    abort("input", "the model has seen ", count(seen[1], "row"), ", the checkpoint ", dQuote(run$file, FALSE),
      " only ", whole(seen[2]), ": resuming would lose what came after it.")
  }
  differ <- Filter(
    function(name) !same_setting(spec_of(run$gp)[[name]], spec_of(saved$gp)[[name]]), names(spec_of(run$gp))
  )
  if (seen[1] > 0) differ <- intersect(differ, "formula") # the rest can be assigned later
  if (length(differ) > 0) {
    abort("input", "the checkpoint ", dQuote(run$file, FALSE), " was written by a model with another ",
      backtick(differ), ".")
  }
}

is_count <- function(x) is_scalar(x) && is.finite(x) && x >= 0 && x == round(x)

# Formulas may come from different places.
same_setting <- function(a, b) {
  if (inherits(a, "formula") && inherits(b, "formula")) return(identical(deparse(a), deparse(b)))
  identical(unclass(a), unclass(b))
}

# Up to row `rows` of the source, which may stand somewhere already.
pass_to <- function(run, rows, resuming = FALSE) {
  at <- stand(run$source)
  if (at > rows) {
    abort("source", "the source stands at row ", whole(at), ", behind row ", whole(rows),
      ", at which the run goes on; make it anew.")
  }
  run$rows <- at
  passed <- if (rows > at) {
    tryCatch(pass_over(run$source, rows - at, run$size), error = function(e) stop_before(run, e))
  } else {
    0
  }
  if (at + passed < rows) {
    other <- paste0(", but the checkpoint was written after ", whole(rows),
      ": it is not the source of that run.")
    abort("source", "the source ends after ", count(at + passed, "row"),
      if (resuming) other else ", before those that are to be learned.")
  }
  if (at + passed > rows) {
    abort("source", "the source cannot be read up to row ", whole(rows),
      ", after which the run goes on: its batches end at row ", whole(at + passed), ".")
  }
  run$rows <- rows
}

# Where the source stands; somebody else's at its beginning, for all we know.
stand <- function(source) {
  taken <- source_taken(source)
  if (is.na(taken)) 0 else taken
}

# What columns hold is known from the run that is resumed.
check_same_source <- function(run, kept) {
  now <- tryCatch(identity_of(run$source, kept, reads = TRUE), error = function(e) stop_before(run, e))
  change <- source_change(kept, now)
  if (!is.null(change)) refuse_source(run, kept$label, change)
  if (inherits(run$source, "gpstream_source_csv")) {
    types <- stats::setNames(kept$types, kept$columns)
    types[names(run$source$given)] <- run$source$given
    run$source$given <- types
  }
}

refuse_source <- function(run, label, change) {
  abort("input", "`checkpoint` ", dQuote(run$file, FALSE), " was written on ", label,
    if (nzchar(change)) paste0(", but ", change) else paste0(", not on ", source_title(run$source)), ". ",
    recipe(run))
}

recipe <- function(run) {
  file <- dQuote(run$file, FALSE)
  paste0("To learn a new source from its start, write gp <- load_gp(", file, "); consume(gp, ", run$called,
    ", checkpoint = ", file, ").")
}

# A run that was stopped must not be lost because somebody forgot to say `resume`, nor a file of data because
# of a slip; and rows that the checkpoint's model has learned are not learned again.
guard_checkpoint <- function(run, skip) {
  if (is.null(run$file) || !file.exists(run$path)) return(invisible())
  saved <- read_guarded(run)
  seen <- c(gp_nobs(saved$gp), gp_nobs(run$gp))
  kept <- of_position(saved$position)
  anew <- inherits(run$source, "gpstream_source") && run$source$anew
  change <- if (is.null(kept)) "" else source_change(kept, identity_of(run$source, kept, reads = anew))
  if (seen[1] > seen[2]) refuse_older(run, seen, kept, change)
  at <- saved$position$rows
  if (is.null(change) && anew && seen[1] == seen[2] && is_count(at) && at > stand(run$source) + skip) {
    abort("input", "`checkpoint` ", dQuote(run$file, FALSE), " was written after row ", whole(at),
      " of this source, and its model has learned them: use resume = TRUE to go on, or delete the file.")
  }
}

read_guarded <- function(run) {
  saved <- tryCatch(read_checkpoint(run$path, like = run$gp), gpstream_error = identity)
  if (!inherits(saved, "error")) return(saved)
  abort("input", "`checkpoint` ", dQuote(run$file, FALSE),
    " would be replaced, but is not known to be a checkpoint: ", conditionMessage(saved),
    " Give another name, or delete the file.")
}

# `seen`: the rows of the checkpoint's model and of this one.
refuse_older <- function(run, seen, kept, change) {
  abort("input", "`checkpoint` ", dQuote(run$file, FALSE), " holds a model that has seen ",
    count(seen[1], "row"), if (!is.null(change) && !is.null(kept)) paste(" of", kept$label),
    ", this one has seen ", whole(seen[2]),
    if (is.null(change)) {
      ": use resume = TRUE to go on with it, or delete the file."
    } else {
      paste0(". ", recipe(run))
    })
}
