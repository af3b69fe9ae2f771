# Batches of a source through one or several models: each is taken, read, predicted, scored, learned and
# noted, or put back where it was not learned. consume(), evaluate() and watch() play their batches here, and
# nowhere else.
#
# A run is an environment. `models`: what they are is said below. `learns`: or are they only scored?
# `level`: of the intervals that are scored. `skips`: is a batch that fails left out, or put back? `stops`:
# may Ctrl-C undo a batch that is being learned, or does it wait until all models have? A single model's can
# always be undone. `outputs(batch)`: the observations, for models that cannot tell. The rest belongs to
# whoever runs it, but for what is of the batch in play: `playing`; `pending`, the batch itself once it is
# taken; `nobs`, the rows each model had learned before; `scores`, how well it was foretold; `touched`, how
# many models have learned it.
new_run <- function(..., learns = TRUE, level = 0.95, skips = FALSE, stops = TRUE,
                    outputs = function(batch) NULL) {
  settings <- list(learns = learns, level = level, skips = skips, stops = stops, outputs = outputs)
  list2env(c(list(...), settings), parent = emptyenv())
}

# Batches of at most size() rows, until that is 0 or the source has ended; which of both is told. After each
# of them, after(played): `rows`, how many there were, and of each model `learned` (rows; NA where it does not
# tell), `read` (the batch as it reads it), `scores` (NULL: not scored) and `seconds`; or, where something
# went wrong, `failed`, the error, and `rows`, NA if the source cannot even tell these. What alarms ask for is
# done just before. Interrupts are heard before a batch, where the source waits, and as `stops` says.
play <- function(run, size, after) {
  run$nobs <- models_nobs(run)
  on.exit(if (!is.null(run$pending)) break_off(run))
  suspendInterrupts(repeat {
    ended <- tryCatch(play_on(run, size, after), error = identity)
    if (!inherits(ended, "error")) return(ended)
    if (!run$playing) stop(ended) # of after()
    after(give_up(run, ended))
  })
}

# Handlers are costly beside a small batch: a run has them once for all of its batches.
play_on <- function(run, size, after) {
  repeat {
    run$playing <- TRUE
    allowInterrupts(Sys.sleep(0))
    n <- size()
    if (n == 0) return("stopped")
    run$pending <- take_batch(run$source, n)
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
  if (rows == 0) return(list(rows = 0, learned = learned, implausible = implausible))
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
  list(
    rows = rows, learned = learned, implausible = implausible, read = read, scores = scores, seconds = seconds
  )
}

# After an error.
give_up <- function(run, why) {
  batch <- run$pending
  run$pending <- NULL
  if (!is.null(batch)) {
    if (!run$skips && !is_learned(run)) return_rows(run, batch)
    return(list(rows = batch_rows(batch), failed = why))
  }
  rows <- if (inherits(why, "gpstream_error_rows")) why$rows else NA
  if (run$skips && !is.na(rows)) drop_bad(run$source) # or they would come again and again
  list(rows = rows, failed = why)
}

# After Ctrl-C. `late`: what was played, if that came when the batch had just been learned.
break_off <- function(run) {
  batch <- run$pending
  run$pending <- NULL
  if (!is_learned(run)) return(return_rows(run, batch))
  learned <- models_nobs(run) - run$nobs
  for (i in which(learned > 0)) note_batch(run$models[[i]]$gp, run$scores[[i]], NA)
  run$late <- list(
    rows = batch_rows(batch), learned = learned, implausible = 0, scores = run$scores, seconds = 0 * learned
  )
}

is_learned <- function(run) run$touched > 0 || any(models_nobs(run) > run$nobs, na.rm = TRUE)

# A source of somebody else's cannot take its rows back.
return_rows <- function(run, batch) {
  if (inherits(run$source, "gpstream_source")) put_back(run$source, batch) else run$lost <- batch_rows(batch)
}

# --- models -------------------------------------------------------------------------------------------------
# A model in a run is a list: `gp`, if it is a streaming model, whose history is then kept; `read(batch, y)`,
# which gives what the other two take; `foresee()`: list(y = , predictive = ) of rows to be scored, or NULL;
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
