# Batches of a source through one or several models: each is taken, read, predicted, scored, learned and
# noted, or put back where it was not learned. consume(), evaluate() and watch() play their batches here, and
# nowhere else.
#
# A run is an environment. `models`: what they are is said below. `learns`: or are they only scored?
# `level`: of the intervals that are scored. `skips`: is a batch that fails left out, or put back? `stops`:
# may Ctrl-C undo a batch that is being learned, or does it wait until all models have? A single model's can
# always be undone. `outputs(batch)`: the observations, for models that cannot tell; `by_row`: is it looked
# for which rows of a batch fail, so that only these are left out? The rest belongs to whoever runs it, but
# for what is of the batch in play: `playing`; `pending`, the batch itself once it is taken; `nobs`, the rows
# each model had learned before; `scores`, how well it was predicted; `touched`, how many models have learned
# it.
new_run <- function(..., learns = TRUE, level = 0.95, skips = FALSE, stops = TRUE,
                    outputs = function(batch) NULL, by_row = FALSE) {
  settings <- list(
    learns = learns, level = level, skips = skips, stops = stops, outputs = outputs, by_row = by_row
  )
  list2env(c(list(...), settings), parent = emptyenv())
}

# Batches of at most size() rows, until that is 0 or the source has ended; which of both is told. After each
# of them, after(played): `rows`, how many there were, and of each model `learned` (rows; NA where it does not
# tell), `read` (the batch as it reads it), `scores` (NULL: not scored) and `seconds`; or, where something
# went wrong, `failed`, the error, and `rows`, NA if the source cannot even tell these. What alarms ask for is
# done just before. Interrupts are heard before a batch, where the source waits, and as `stops` says.
play <- function(run, size, after) {
  run$nobs <- models_nobs(run)
  if (inherits(run$source, "gpstream_source")) run$source$skips <- run$skips
  on.exit({
    naming$rows <- NULL
    if (!is.null(run$pending)) break_off(run)
  })
  suspendInterrupts(repeat {
    ended <- tryCatch(play_on(run, size, after), error = identity)
    if (!inherits(ended, "error")) return(ended)
    if (!run$playing) stop(ended) # of after()
    failed <- give_up(run, ended)
    if (!is.null(failed)) after(failed)
  })
}

# Handlers are costly beside a small batch: a run has them once for all of its batches.
play_on <- function(run, size, after) {
  repeat {
    run$playing <- TRUE
    allowInterrupts(Sys.sleep(0))
    n <- size()
    if (n == 0) return("stopped")
    run$pending <- if (is.null(run$again)) take_batch(run$source, n) else run$again
    run$again <- NULL
    if (is.null(run$pending)) return("finished")
    played <- play_batch(run, run$pending)
    run$pending <- NULL
    run$playing <- FALSE
    heed_alarms(run)
    after(played)
  }
}

play_batch <- function(run, batch) {
  models <- run$models
  run$touched <- 0
  learned <- seconds <- implausible <- 0 * run$nobs
  read <- scores <- vector("list", length(models))
  rows <- batch_rows(batch)
  passed <- source_rows(batch)
  if (rows == 0) return(list(rows = 0, passed = passed, learned = learned, implausible = implausible))
  naming$rows <- rows_named(run, batch)
  time <- now()
  y <- run$outputs(batch)
  for (i in seq_along(models)) {
    gp <- models[[i]]$gp
    first <- run$learns && !is.null(gp) && run$nobs[i] == 0 # decides what the model is: it is only learned
    seen <- allowInterrupts({
      read[[i]] <- models[[i]]$read(batch, y)
      if (!first) models[[i]]$foresee(read[[i]])
    })
    if (!is.null(seen)) {
      # the objective is that of what was learned so far: the factor it needs is at hand now
      if (run$learns && !is.null(gp)) note_scores(gp, bound = gp_objective(gp))
      scores[[i]] <- allowInterrupts(score_predictive(seen$y, seen$predictive, run$level))
    }
    lap <- now()
    seconds[i] <- lap - time
    time <- lap
  }
  run$scores <- scores
  # the update of a single model happens wholly or not at all
  heard <- if (run$stops || (length(models) == 1 && !is.null(models[[1]]$gp))) allowInterrupts else identity
  for (i in seq_along(models)[run$learns]) {
    left_out <- heard(models[[i]]$learn(read[[i]]))
    run$touched <- i
    nobs <- model_nobs(models[[i]])
    learned[i] <- nobs - run$nobs[i]
    if (!is.na(nobs) && is.numeric(left_out)) implausible[i] <- left_out
    run$nobs[i] <- nobs
    lap <- now()
    seconds[i] <- seconds[i] + lap - time
    time <- lap
    if (!is.na(nobs) && learned[i] > 0) note_batch(models[[i]]$gp, scores[[i]], seconds[i])
  }
  naming$rows <- NULL
  list(
    rows = rows, passed = passed, learned = learned, implausible = implausible, read = read, scores = scores,
    seconds = seconds
  )
}

# After an error. NULL: rows were left out, and the run goes on with the others.
give_up <- function(run, why) {
  batch <- run$pending
  run$pending <- NULL
  naming$rows <- NULL
  if (is.null(batch)) {
    rows <- if (inherits(why, "gpstream_error_rows")) why$rows else NA
    if (run$skips && !is.na(rows)) {
      drop_bad(run$source) # or they would come again and again
      if (run$by_row) {
        note_reason(run, why)
        return(NULL)
      }
    }
    return(list(rows = rows, failed = why))
  }
  bad <- if (run$by_row && !is_learned(run)) bad_among(run, batch, why)
  if (length(bad) > 0 && (run$skips || length(bad) < batch_rows(batch))) {
    why <- with_row(why, rows_named(run, batch)(bad[1]))
  }
  if (run$skips && length(bad) > 0) return(leave_out(run, batch, bad, why))
  if (!run$skips && !is_learned(run)) return_rows(run, batch)
  list(rows = source_rows(batch), failed = why)
}

# A source of somebody else's cannot take the others back: they are the next batch.
leave_out <- function(run, batch, bad, why) {
  note_reason(run, why)
  if (inherits(run$source, "gpstream_source")) {
    put_back_without(run$source, batch, bad)
    return(NULL)
  }
  left <- gaps_without(attr(batch, "gaps"), batch_rows(batch), bad)
  if (length(left$keep) == 0) return(list(rows = source_rows(batch), failed = why))
  left$gaps[1] <- left$gaps[1] + left$behind # its rows are counted, in whatever order
  run$again <- with_gaps(batch_part(batch, left$keep), left$gaps)
  NULL
}

# Which rows of a batch cannot be read or, where all can, not be learned: by halves. All, where that is not
# the fault of single ones. A row is learned by a copy of the model.
bad_among <- function(run, batch, why) {
  model <- run$models[[1]]
  all <- seq_len(batch_rows(batch))
  fails <- function(try) function(rows) {
    part <- if (length(rows) < length(all)) batch_part(batch, rows) else batch
    naming$rows <- rows_named(run, batch, rows)
    on.exit(naming$rows <- NULL)
    tryCatch({
      quiet_drops(suppressWarnings(try(model$read(part, NULL))))
      NULL
    }, error = identity)
  }
  unread <- fails(identity)
  if (is.null(unread(all))) return(if (is.null(model$probe)) all else search_bad(all, fails(model$probe)))
  alike <- function(i) {
    e <- unread(i)
    !is.null(e) && conditionMessage(e) == conditionMessage(why)
  }
  if (all(vapply(spread_rows(length(all), 20), alike, NA))) return(all) # a column is missing, say
  search_bad(all, unread)
}

search_bad <- function(all, fails) {
  among <- function(rows) {
    if (is.null(fails(rows))) return(integer())
    if (length(rows) == 1) return(rows)
    half <- seq_along(rows) <= length(rows) / 2
    c(among(rows[half]), among(rows[!half]))
  }
  bad <- among(all)
  if (length(bad) == 0) all else bad
}

# An error that names no row does so now.
with_row <- function(e, row) {
  if (!grepl("\\brow [0-9]", conditionMessage(e))) e$message <- paste0(row, ": ", conditionMessage(e))
  e
}

# Messages name a row of the batch in play as its source does.
naming <- new.env()

rows_named <- function(run, batch, rows = seq_len(batch_rows(batch))) {
  source <- run$source
  taken <- source_taken(source)
  start <- if (!is.na(taken)) taken - source_rows(batch) else if (is.null(run$rows)) 0 else run$rows
  gaps <- attr(batch, "gaps")
  function(i) name_row(source, start + rows[i] + if (is.null(gaps)) 0 else cumsum(gaps)[rows[i]])
}

row_name <- function(i) if (is.null(naming$rows)) paste("row", i) else naming$rows(i)

# After Ctrl-C. `late`: what was played, if that came when the batch had just been learned.
break_off <- function(run) {
  batch <- run$pending
  run$pending <- NULL
  if (!is_learned(run)) return(return_rows(run, batch))
  learned <- models_nobs(run) - run$nobs
  for (i in which(learned > 0)) note_batch(run$models[[i]]$gp, run$scores[[i]], NA)
  run$late <- list(
    rows = batch_rows(batch), passed = source_rows(batch), learned = learned, implausible = 0,
    scores = run$scores, seconds = 0 * learned
  )
}

is_learned <- function(run) run$touched > 0 || any(models_nobs(run) > run$nobs, na.rm = TRUE)

# A source of somebody else's cannot take its rows back.
return_rows <- function(run, batch) {
  if (inherits(run$source, "gpstream_source")) put_back(run$source, batch) else run$lost <- batch_rows(batch)
}

# --- models -------------------------------------------------------------------------------------------------
# A model in a run is a list: `gp`, if it is a streaming model, whose history is then kept; `read(batch, y)`,
# which gives what the others take; `probe()`, where that can be tried: as `learn()`, of a copy;
# `foresee()`: list(y = , predictive = ) of rows to be scored, or NULL;
# `learn()`, which tells how many rows it left out as implausible; `heed()`, where there is an alarm:
# does what it asks for.

model_nobs <- function(model) if (is.null(model$gp)) NA_real_ else gp_nobs(model$gp)
models_nobs <- function(run) vapply(run$models, model_nobs, 0)

# For a run that scores some rows of a batch: `scored(n)` says which of n. `short`: plain numbers go to the
# core as they are, where their way is shorter; of these only rows that are scored are read. `alarm`: sees
# every row before it is learned. `if_plausible`: as of gp$update().
streaming_model <- function(gp, response, scored, short = FALSE, alarm = NULL, if_plausible = NULL) {
  short <- short && is.null(alarm) && is.null(if_plausible)
  watched(alarm, list(
    gp = gp,
    read = function(batch, y) {
      given <- for_model(gp, batch, response)
      if (short && is.null(given$data) && is.matrix(given$x)) return(given)
      c(read_batch(gp, given$x, given$y, given$data), list(given = given))
    },
    foresee = function(rows) {
      at <- scored(nrow(rows$x))
      if (length(at) == 0) return(NULL)
      some <- response_rows(rows[intersect(names(rows), c("x", "y", "more", "offset"))], at)
      if (is.null(rows$frame)) {
        # what cannot be read is not scored: learning says why
        readable <- function() suppressMessages(read_batch(gp, some$x, some$y, NULL))
        some <- tryCatch(readable(), gpstream_error = function(e) NULL)
      }
      if (NROW(some$x) == 0) return(NULL)
      list(y = some$y, predictive = predictive_at(gp_handle(gp), some$x, some$more, some$offset))
    },
    learn = function(rows) {
      if (!is.null(rows$frame)) return(learn_plausible(gp, rows, if_plausible))
      gp_update(gp, rows$x, rows$y)
      0
    },
    probe = function(rows) {
      copy <- gp_copy(gp)
      if (is.null(rows$frame)) gp_update(copy, rows$x, rows$y) else learn_plausible(copy, rows, if_plausible)
    }
  ))
}

# A data frame for a formula; inputs and outputs for a model without one.
for_model <- function(gp, batch, response) for_spec(spec_of(gp), batch, response)
for_spec <- function(spec, batch, response) {
  if (!is.null(spec$formula)) {
    if (!is_pair(batch)) return(list(data = batch))
    abort("input", "this model has a formula: give it a source of data frames, with the response as a ",
      "column.")
  }
  if (is_pair(batch)) return(batch)
  if (!response %in% names(batch)) {
    abort("input", "this model has no formula, so say which column is the output, as in y = \"",
      utils::tail(names(batch), 1), "\": there is no column ", backtick(response), ".")
  }
  list(x = batch[names(batch) != response], y = batch[[response]])
}

# Rows that are dropped are counted and told at the end, not in every batch.
quiet_drops <- function(expr) {
  withCallingHandlers(expr, gpstream_message_dropped = function(m) tryInvokeRestart("muffleMessage"))
}

gp_nobs <- function(gp) if (is_started(gp)) core_gp_nobs(gp_handle(gp)) else 0

now <- function() as.numeric(Sys.time())
