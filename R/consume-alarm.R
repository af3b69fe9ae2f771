# Alarms in a run: rows are seen before they are learned, and what an alarm asks for is done once the batch is
# learned.

alarm_rows <- 50 # at most in a batch, where there is an alarm: they are scored one given the others

as_alarm <- function(alarm) {
  if (is.null(alarm) || methods::is(alarm, "DriftAlarm")) return(alarm)
  if (!is.function(alarm) && !is.character(alarm)) {
    abort("type", "`alarm` must be a drift_alarm(), one of ", quoted(alarm_actions), ", a function or NULL, ",
      "not ", describe(alarm), ".")
  }
  drift_alarm(action = check_action(alarm, "alarm"))
}

# A model of a run, with an alarm. Scores of the first batch, and of a model that warms up, are of a model
# that knows nothing. The test changes when the batch is learned, not before: it may come again.
watched <- function(alarm, model) {
  if (is.null(alarm)) return(model)
  gp <- model$gp
  earlier <- NULL # alarms of earlier runs
  raised <- FALSE
  learn <- model$learn
  model$learn <- function(rows) {
    only_one_output(gp, "`alarm`")
    if (is.null(earlier)) earlier <<- max(0, alarms_noted(gp) - alarm$alarms)
    z <- if (nrow(rows$x) > 0 && is_started(gp) && !is_warm(gp)) {
      score_known(gp_handle(gp), rows, joint = TRUE)$z
    } else {
      rep(NA_real_, nrow(rows$x))
    }
    test <- test_rows(alarm$spec, alarm$state, z)
    left_out <- learn(rows)
    raised <<- length(test$rows) > alarm$alarms
    alarm$state <- test
    if (is_started(gp)) core_gp_note_alarms(gp_handle(gp), earlier + alarm$alarms)
    left_out
  }
  model$heed <- function() {
    if (!raised) return(invisible())
    raised <<- FALSE
    answer_alarm(alarm, gp)
  }
  model
}

# The counts of rows are those of models that may have started anew.
heed_alarms <- function(run) {
  heeds <- Filter(Negate(is.null), lapply(run$models, `[[`, "heed"))
  if (length(heeds) == 0) return(invisible())
  for (heed in heeds) heed()
  run$nobs <- models_nobs(run)
}

forget_keeps <- 0.1

answer_alarm <- function(alarm, gp) {
  info <- list(
    row = utils::tail(alarm$rows, 1), alarms = alarm$alarms, evidence = utils::tail(alarm$state$height, 1)
  )
  if (is.function(alarm$action)) return(alarm$action(gp, info))
  if (alarm$action == "forget") gp_forget(gp, forget_keeps)
  if (alarm$action == "restart") gp_start_anew(gp)
  warn("drift", "rows are no longer as they were (alarm ", info$alarms, ", at row ", whole(info$row),
    "; evidence ", format(info$evidence, digits = 2), ").",
    c(warn = "", forget = paste0(" What came before counts ", forget_keeps, " times what it did."),
      restart = " The model starts anew.")[[alarm$action]])
}

# --- in the history -----------------------------------------------------------------------------------------

alarms_noted <- function(gp) max(0, gp_history(gp)$alarms)

# Numbers of rows at which there was one more.
alarms_at <- function(gp) {
  history <- gp_history(gp)
  history$nobs[diff(c(0, history$alarms)) > 0]
}

# --- in a checkpoint ----------------------------------------------------------------------------------------

kept_alarm <- function(alarm) {
  if (is.null(alarm)) return(NULL)
  kept <- c(alarm$spec[c("level", "after")], alarm$state)
  stats::setNames(kept, paste0("alarm_", names(kept)))
}

check_same_alarm <- function(run, position) {
  kept <- position[startsWith(names(position), "alarm_")]
  alike <- if (is.null(run$alarm)) length(kept) == 0 else {
    mine <- kept_alarm(run$alarm)
    same <- c("alarm_level", "alarm_after")
    setequal(names(kept), names(mine)) && all(vapply(kept, is.numeric, NA)) &&
      identical(kept[same], mine[same])
  }
  if (!alike) {
    abort("input", "the checkpoint ", dQuote(run$file, FALSE), " was written by a run with another `alarm`.")
  }
}

take_up_alarm <- function(run, position) {
  if (is.null(run$alarm)) return(invisible())
  names <- names(new_test())
  run$alarm$state <- stats::setNames(position[paste0("alarm_", names)], names)
}
