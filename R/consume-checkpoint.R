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

kept_counts <- c("rows", "batch", "skipped", "skipped_rows", "unscored")

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
  write_checkpoint(run$gp, run$path, c(mget(kept_counts, run), kept_alarm(run$alarm)))
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
  pass_to(run, run$rows, resuming = TRUE)
  run$gp$spec <- spec_of(saved$gp)
  run$gp$state <- state_of(saved$gp)
  take_up_alarm(run, saved$position)
  TRUE
}

check_same_run <- function(run, saved) {
  counted <- vapply(kept_counts, function(name) is_count(saved$position[[name]]), NA)
  if (!all(counted)) {
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

# A run that was stopped must not be lost because somebody forgot to say `resume`, nor a file of data because
# of a slip.
guard_checkpoint <- function(run) {
  if (is.null(run$file) || !file.exists(run$path)) return(invisible())
  saved <- tryCatch(read_checkpoint(run$path, like = run$gp), gpstream_error = identity)
  if (inherits(saved, "error")) {
    abort("input", "`checkpoint` ", dQuote(run$file, FALSE),
      " would be replaced, but is not known to be a checkpoint: ", conditionMessage(saved),
      " Give another name, or delete the file.")
  }
  if (gp_nobs(saved$gp) > gp_nobs(run$gp)) {
    abort("input", "`checkpoint` ", dQuote(run$file, FALSE), " holds a model that has seen ",
      count(gp_nobs(saved$gp), "row"), ", this one has seen ", whole(gp_nobs(run$gp)),
      ": use resume = TRUE to go on with it, or delete the file.")
  }
}
