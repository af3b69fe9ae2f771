#' Stream a source through a model
#'
#' Reads a source batch by batch and learns each batch, in bounded memory, with progress, checkpoints, and a
#' stop on Ctrl-C after which one can go on.
#'
#' Batches are learned as by `gp$update()`: columns are matched by name, types and factor levels are fixed by
#' the first batch, missing values are treated as `na_action` of the model says (rows that are dropped are
#' counted and told at the end). Now and then, a batch is predicted before it is learned, on a few of its
#' rows, so that `gp$history` tells how well the model does on data it has not seen; that costs a few
#' hundredths of the time. Small batches have few rows to score; [evaluate()] scores every row.
#'
#' **Bad rows.** A batch that cannot be learned changes nothing. With `on_error = "stop"` the run ends with an
#' error of class `gpstream_error_batch` that tells its number and rows, the row that cannot be learned and
#' why; what came before the batch is learned, and the source stands before it. With `"skip"` the rows that
#' cannot be read or learned are left out, each by itself, and counted; the model is the one of a run on the
#' other rows. One warning at the end tells how many there were and what was wrong with the first. Rows are
#' named by their number in the source, and in the file where there are files. A source that fails altogether
#' (a lost connection, say) always stops the run.
#'
#' **Ctrl-C** stops after the current batch, or undoes it, and returns the model with everything learned so
#' far, with a message that says how to go on.
#'
#' **Checkpoints** are written to a file of [save_gp()]'s format that is complete at every moment, whatever
#' happens to the process. `resume = TRUE` continues from it at the next row: call `consume()` again as you
#' did, with a model made in the same way and the source from its beginning, as by running the same script
#' again. The result is `identical()` to that of a run that was never stopped, except for the seconds in
#' `gp$history`, on the same machine and with the same back end (see [gpstream_info()]). Without a file yet,
#' the run starts from the beginning.
#'
#' A checkpoint knows its source: the names of files and the first 4096 bytes of each, the text of a query,
#' the columns and first 100 rows of a data frame, the first 100 rows of anything else. A file may have grown,
#' and files may have come at the end of the list. Any other source is refused with `resume = TRUE`. To learn
#' a new source from its start, load the model and go on with it:
#' ```
#' gp <- load_gp("run")
#' consume(gp, "day2.csv", checkpoint = "run")
#' ```
#' For files that come day by day a pattern is simpler: `consume(gp, "day*.csv", checkpoint = "run",
#' resume = TRUE)` learns those that it has not learned yet.
#'
#' One process at a time has a checkpoint. It says so in a file beside it, with `.lock` added to the name, and
#' another one is refused with an error of class `gpstream_error_locked`. The lock of a process that was
#' killed is taken over by the next one on the same host; on another host, delete the file.
#'
#' **Many machines.** With a `cluster` the rows stay where they are, and what travels is what they said: sums
#' over rows, of a size that does not depend on their number. `source` is then a list, an element for each
#' shard of the rows; each is opened on the worker that reads it, several times, and never here: the name of a
#' file, a data frame, `function(reset)` as of [as_source()], or a `function()` that gives any of these or a
#' source, as in the last example. Such a function finds the functions of gpstream on its worker.
#' Columns are matched by name, and a shard may have others, too. A model without a kernel learns one first,
#' from its own rows and an even sample of 1000 rows of all shards, or of more where so many of these have
#' missing values that no kernel comes of the rest ([fit_shards()] learns it from all of them). Points are
#' chosen in two passes, so that every row of every shard is covered by the selector's rule; in a last one
#' each shard learns its rows, and what they said is added in the order of the shards. The result is the batch
#' answer with these points, whichever worker did what; variance, noise and mean, where they are learned, are
#' those of all rows. For likelihoods other than the Gaussian what a row says depends on what its shard knows,
#' and the sum is an approximation. With points that are not chosen from rows as they come ([select_fixed()]
#' and the like) there is the last pass only.
#'
#' A shard whose worker dies is done anew by another worker, one that fails is tried once more; nothing
#' counts twice. If that fails, too, or on Ctrl-C, the model is as it was, and the error (of class
#' `gpstream_error_shard`, or `gpstream_error_cluster` where workers are lost) says which shard it was. A
#' checkpoint is written after each shard, and is resumed with the same shards only: each must be as it
#' was, in the same place of the list. Workers need gpstream installed; the package never starts any.
#'
#' @param gp A model made by [streaming_gp()]. It is changed in place.
#' @param source What to read from: a [source][as_source()], or anything `as_source()` takes. With a `cluster`
#'   a list of what the shards are read from.
#' @param batch_size How many rows are learned at a time.
#' @param ... Handed to [as_source()], for instance `sql`.
#' @param y For a model without a formula: the name of the column that is the output, `"y"` if not given; all
#'   others are inputs. Or, for a vector or matrix of inputs as `source`, the outputs.
#' @param on_error What to do with rows that cannot be learned: `"stop"` before their batch, or `"skip"` them.
#' @param checkpoint The name of a file to keep the state of the run in, or `NULL`. One without an extension
#'   gets `.gps`. A file that is there is replaced only if it holds a model that has seen no more than this
#'   one.
#' @param every How often the checkpoint is written: a number of seconds, or a number of batches as in
#'   `"100 batches"`. It is also written at the end, on Ctrl-C and after an error.
#' @param resume Continue from the checkpoint?
#' @param progress Show how far the run is (with the package progress)?
#' @param max_rows Stop after so many rows of this call, without those that are left out. For a run that is
#'   to be resumed, a multiple of `batch_size`: the last batch is cut there.
#' @param skip Pass over so many rows of the source first.
#' @param alarm A test that looks at all rows before they are learned, and what to do when they have changed:
#'   a [drift_alarm()], or its `action` alone (`"warn"`, `"forget"`, `"restart"`, or a function). `NULL`:
#'   none. An alarm goes on where an earlier run left it, also when the run is resumed. With one, at most 50
#'   rows are learned at a time: rows that come together are scored one given the others.
#' @param if_plausible `NULL`, or as of `gp$update()` (see [streaming_gp()]): rows less likely than this are
#'   left out, and counted.
#'
#' @param cluster `NULL`, or workers among whom the shards in `source` are shared, as in `mgcv::bam()`: a
#'   cluster made by `parallel::makeCluster()`, `parallel::makeForkCluster()`, `snow::makeMPIcluster()` or
#'   `mirai::make_cluster()`. `every`, `max_rows`, `skip`, `alarm` and `if_plausible` have no meaning then.
#'
#' @return The model, invisibly.
#' @examples
#' gp <- streaming_gp(dist ~ speed)
#' consume(gp, cars, batch_size = 10)
#' gp$history
#'
#' # a run that is stopped and resumed
#' file <- tempfile()
#' x <- seq(0, 20, length.out = 300)
#' data <- data.frame(x = x, y = sin(x))
#' gp <- streaming_gp(y ~ x)
#' consume(gp, data, batch_size = 50, checkpoint = file, max_rows = 200)
#' again <- streaming_gp(y ~ x)
#' consume(again, data, batch_size = 50, checkpoint = file, resume = TRUE)
#' again$nobs
#'
#' # the next source goes on from the model of the checkpoint
#' gp <- load_gp(file)
#' consume(gp, transform(data, x = x + 20), batch_size = 50, checkpoint = file)
#' gp$nobs
#'
#' \donttest{
#' # three shards, two workers
#' cluster <- parallel::makeCluster(2)
#' gp <- streaming_gp(y ~ x)
#' consume(gp, split(data, rep(1:3, each = 100)), cluster = cluster)
#' gp$nobs
#'
#' # shards that are ranges of a table: each is opened by the worker that reads it
#' if (requireNamespace("RSQLite", quietly = TRUE)) {
#'   path <- tempfile(fileext = ".sqlite")
#'   db <- DBI::dbConnect(RSQLite::SQLite(), path)
#'   DBI::dbWriteTable(db, "log", data)
#'   DBI::dbDisconnect(db)
#'   shard_of <- function(path, sql) {
#'     force(list(path, sql)) # what the function takes along
#'     function() as_source(DBI::dbConnect(RSQLite::SQLite(), path), sql = sql)
#'   }
#'   shards <- list(
#'     shard_of(path, "SELECT * FROM log WHERE x < 10 ORDER BY x"),
#'     shard_of(path, "SELECT * FROM log WHERE x >= 10 ORDER BY x")
#'   )
#'   gp <- streaming_gp(y ~ x)
#'   consume(gp, shards, cluster = cluster)
#'   gp$nobs
#' }
#' parallel::stopCluster(cluster)
#' }
#' @seealso [as_source()] for what can be read from, [fit_shards()] for a kernel learned from all rows,
#'   [evaluate()], [watch()], [save_gp()]
#' @export
consume <- function(gp, source, batch_size = 1000, ..., y = NULL, on_error = c("stop", "skip"),
                    checkpoint = NULL, every = 60, resume = FALSE, progress = interactive(),
                    max_rows = Inf, skip = 0, alarm = NULL, if_plausible = NULL, cluster = NULL) {
  check_model(gp)
  if (missing(source)) abort("input", "`source` is missing: say where the rows come from.")
  if (!is.null(cluster)) {
    check_no_dots(...)
    given <- c("every", "max_rows", "skip", "alarm", "if_plausible")
    left_out <- c(missing(every), missing(max_rows), missing(skip), is.null(alarm), is.null(if_plausible))
    return(consume_cluster(
      gp, source, check_cluster(cluster), batch_size, y, on_error, checkpoint, resume, progress,
      missing(progress), given[!left_out], source_call(source, substitute(source))
    ))
  }
  run <- new_run(
    gp = gp, size = check_count(batch_size, "batch_size", 1, most = 1e9),
    response = if (is_name(y)) y else "y",
    skips = check_choice(on_error, c("stop", "skip"), "on_error") == "skip",
    most = check_count(max_rows, "max_rows"), file = check_file_name(checkpoint, "checkpoint"),
    path = checkpoint_path(checkpoint), every = check_every(every),
    alarm = as_alarm(alarm), if_plausible = check_plausible(if_plausible)
  )
  run$by_row <- TRUE
  run$called <- source_call(source, substitute(source))
  start_counts(run)
  if (check_flag(resume, "resume") && is.null(checkpoint)) {
    abort("parameter", "`resume` needs a `checkpoint` to resume from.")
  }
  check_flag(progress, "progress")
  skip <- check_count(skip, "skip")
  run$given <- is_source(source)
  lock <- new_lock(run$path)
  on.exit({
    drop_lock(lock)
    if (!is.null(run$bar)) run$bar$end()
    if (!run$given && !is.null(run$source)) release(run$source)
  })
  take_lock(lock, run$file)
  run$source <- if (is.null(y) || is_name(y)) as_source(source, ...) else as_source(source, y = y, ...)
  resumed <- resume && take_up(run)
  if (!resume) guard_checkpoint(run, skip)
  if (!resumed) pass_to(run, stand(run$source) + skip)
  run$bar <- new_progress(progress, missing(progress), source_total(run$source))
  ended <- stream(run)
  keep_checkpoint(run)
  run$bar$end()
  tell_end(run, ended)
  invisible(gp)
}

is_name <- function(y) is.character(y) && length(y) == 1 && !is.na(y)

check_file_name <- function(file, arg) {
  if (!is.null(file) && !(is_name(file) && nzchar(file))) {
    abort("type", "`", arg, "` must be the name of a file, not ", describe(file), ".")
  }
  file
}

# How the source is written in a recipe.
source_call <- function(source, expr) {
  text <- if (is.character(source)) deparse(source) else if (is.language(expr)) deparse(expr, nlines = 2)
  if (length(text) == 1 && nchar(text) <= 40) text else "source"
}

# `rows`: rows of the source that were taken or left out; `skipped`, the latter; `batch`: batches; `unscored`:
# rows learned since the last scoring. These go into the checkpoint; the rest is of this call.
start_counts <- function(run) {
  run$unscored <- rows_unscored(run$gp)
  counts <- c("rows", "batch", "skipped", "taken", "learned", "dropped", "implausible",
    "scored", "squared", "written_batch")
  for (name in counts) run[[name]] <- 0
  run$written <- now()
  scored <- function(n) if (score_due(run)) scored_rows(n)
  run$models <- list(
    streaming_model(run$gp, run$response, scored, short = TRUE, run$alarm, run$if_plausible)
  )
}

# Until the source ends, or enough rows have come, or somebody stops it. A batch that fails is skipped, or
# stops the run.
stream <- function(run) {
  limit <- if (is.null(run$alarm)) run$size else min(run$size, alarm_rows)
  size <- function() max(0, min(limit, run$most - run$taken))
  after <- function(played) {
    if (is.null(played$failed)) count_learned(run, played) else count_failed(run, played)
    if (checkpoint_due(run)) keep_checkpoint(run)
    run$bar$tick(run)
  }
  tryCatch({
    ended <- quiet_drops(play(run, size, after))
    if (ended == "finished") count_rest(run)
    ended
  }, interrupt = function(i) {
    if (!is.null(run$late)) count_learned(run, run$late)
    "interrupted"
  })
}

count_learned <- function(run, played) {
  scores <- played$scores[[1]]
  run$implausible <- run$implausible + played$implausible
  run$dropped <- run$dropped + played$rows - played$learned - played$implausible
  run$learned <- run$learned + played$learned
  run$unscored <- played$learned + if (is.null(scores)) run$unscored else 0
  run$scored <- run$scored + length(scores$error)
  run$squared <- run$squared + sum(scores$error^2)
  count_batch(run, played$rows, played$passed - played$rows)
}

# A source that fails altogether always stops the run.
count_failed <- function(run, played) {
  if (!run$skips || is.na(played$rows)) stop_run(run, played)
  note_reason(run, played$failed)
  count_batch(run, 0, played$rows)
}

note_reason <- function(run, cause) if (is.null(run$reason)) run$reason <- conditionMessage(cause)

count_batch <- function(run, rows, skipped) {
  run$batch <- run$batch + 1
  run$rows <- run$rows + rows + skipped
  run$skipped <- run$skipped + skipped
  run$taken <- run$taken + rows
}

# Rows that were left out at the end of the source.
count_rest <- function(run) {
  taken <- source_taken(run$source)
  if (is.na(taken)) return(invisible())
  run$skipped <- run$skipped + taken - run$rows
  run$rows <- taken
}
