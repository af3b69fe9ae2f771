# A model that goes on learning its kernel: what it keeps and what it has done. The doing is the core's
# (src/core/learn/follow.h).

# How often another model took the place of the one there was; how often with a later start of the stream.
gp_restarts <- function(gp) {
  if (!is_started(gp)) return(list(changes = 0, origins = 0, rivals = 0L, learned = 0, origin = 0))
  learner <- core_gp_learner(gp_handle(gp))
  list(
    changes = learner$changes, origins = learner$moves, rivals = learner$rivals, learned = learner$learned,
    origin = learner$origin
  )
}

# By how much intervals are wider than the model alone would have them.
calibration_factors <- function(gp) {
  several <- is_started(gp) && !is.null(output_names(gp))
  if (several) return(stack_outputs(each_output(gp, calibration_factors)))
  level <- c(0.5, 0.8, 0.9, 0.95, 0.99)
  values <- if (is_started(gp)) core_gp_calibration(gp_handle(gp))
  factor <- if (is.null(values)) rep(1, length(level)) else exp(core_log_factor(values, level))
  structure(data.frame(level = level, factor = factor), rows = if (is.null(values)) 0 else values[1])
}

# Does the model hold rows against its intervals, and correct these?
corrects_intervals <- function(gp) {
  is_started(gp) && spec_of(gp)$calibrate && core_gp_learner(gp_handle(gp))$follows
}

gp_memory <- function(gp) {
  if (!is_started(gp)) return(list(row = numeric(), x = matrix(0, 0, 0), y = numeric(), weights = numeric()))
  kept <- core_gp_memory(gp_handle(gp))
  if (nrow(kept$x) == 0) kept$x <- matrix(0, 0, gp_frame(gp)$D)
  kept$x <- named_columns(kept$x, state_of(gp)$frame$names)
  if (is.matrix(kept$y)) colnames(kept$y) <- output_names(gp)
  kept
}

# The family that the evidence chose, and by how much it is ahead of the next.
format_choice <- function(learner) {
  if (length(learner$evidence) < 2) return("")
  behind <- sort(max(learner$evidence) - learner$evidence)
  titles <- ifelse(names(behind) %in% names(family_titles), family_titles[names(behind)],
    sub("^given, period (.*)$", "the formula's with wave \\1 of the spectrum", names(behind)))
  others <- paste0(titles, " ", formatC(behind, format = "f", digits = 1))
  paste0("kernel chosen by evidence (nats behind the best in the first stage: ",
    paste(others, collapse = ", "), ")")
}

family_titles <- c(
  se = "SE", matern52 = "Matern 5/2", matern32 = "Matern 3/2", matern12 = "Matern 1/2",
  "matern52+matern12" = "Matern 5/2 + 1/2", given = "the formula's"
)

# What a followed stream has come to, in a line.
format_following <- function(learner) {
  if (learner$learned == 0) return(paste0("kernel, noise and trend, first at ", core_few_rows(), " rows"))
  paste0(
    "kernel, noise and trend at ", count(learner$learned, "row"), ", next at ", whole(learner$next_),
    " or when rows surprise; ", count(learner$memory, "row"), " kept for it",
    if (learner$rivals > 0) paste0("; ", count(learner$rivals, "rival")),
    if (learner$moves > 0) paste0("; started anew at row ", whole(learner$origin + 1))
  )
}
