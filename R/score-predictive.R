# Scores of predictions, used by evaluate(), consume() and watch().

# One value a row: `error` (of classes without an order, 1 where the most probable was wrong), `log_score`
# (log density: higher is better), `crps` (in the units of y: lower is better), `covered` and `width` of the
# central interval, `covered_95` of the one with 95 %, and `pit`, the probability of a smaller observation; of
# classes `correct`, was it the most probable, and `brier`, but no interval: one that holds nearly all of a 0
# and 1 says nothing of them. NA where y or the prediction is missing; without a
# variance (NA) only the error is known, and under a likelihood of the user's own without `mean` or `cdf`
# nothing.
# Of several outputs, one output after the other.
score_predictive <- function(y, p, level = 0.95) {
  if (inherits(p, "gpstream_predictives")) {
    each <- lapply(seq_along(p), function(k) score_predictive(y[, k], p[[k]], level))
    return(do.call(Map, c(list(c), each)))
  }
  if (is.matrix(y)) {
    abort("input", "a model with several outputs is not compared with one that has a single one.")
  }
  if (!can_score(p$likelihood)) p <- predictive_normal(rep(NA_real_, length(y)), NA_real_)
  covers <- function(limits) limits[, "lwr"] <= y & y <= limits[, "upr"]
  interval <- function(level) {
    limits <- predictive_interval(p, level)
    if (has_classes(p$likelihood)) NA_real_ * limits else limits
  }
  limits <- interval(level)
  covered <- covers(limits)
  classes <- score_classes(y, p)
  error <- if (p$likelihood$name == "categorical") 1 - classes$correct else y - predictive_fit(p)
  list(
    error = error, log_score = predictive_log_density(p, y), crps = predictive_crps(p, y),
    covered = covered, covered_95 = if (level == 0.95) covered else covers(interval(0.95)),
    width = limits[, "upr"] - limits[, "lwr"], pit = predictive_pit(p, y), correct = classes$correct,
    brier = classes$brier
  )
}

# The Brier score is the squared distance between the probabilities of the classes and what came, 1 for one
# of them; of two classes, that of one.
score_classes <- function(y, p) {
  unknown <- rep(NA_real_, length(y))
  if (!has_classes(p$likelihood)) return(list(correct = unknown, brier = unknown))
  chances <- predictive_classes(p)
  known <- which(!is.na(y) & !is.na(chances[, 1]))
  came <- cbind(known, y[known] + if (from_one(p$likelihood$name)) 0 else 1)
  off <- chances
  off[came] <- off[came] - 1
  best <- unknown
  best[known] <- max.col(chances[known, , drop = FALSE], "first")
  brier <- rowSums(off^2) / if (ncol(off) == 2) 2 else 1
  list(correct = replace(unknown, known, best[known] == came[, 2]), brier = replace(brier, is.na(y), NA))
}

# Sums over rows, from which the means of any number of batches follow. `keep`: the rows that count.
score_sums <- function(scores, keep = !is.na(scores$error)) {
  total <- function(values) sum(values[keep])
  c(
    scored = sum(keep), squared = total(scores$error^2), absolute = total(abs(scores$error)),
    log_score = total(scores$log_score), crps = total(scores$crps), covered = total(scores$covered),
    width = total(scores$width), correct = total(scores$correct), brier = total(scores$brier)
  )
}

# Sums, one batch or model a row, as means.
score_means <- function(sums) {
  n <- ifelse(sums[, "scored"] > 0, sums[, "scored"], NA)
  data.frame(
    scored = sums[, "scored"], rmse = sqrt(sums[, "squared"] / n), mae = sums[, "absolute"] / n,
    log_score = sums[, "log_score"] / n, crps = sums[, "crps"] / n, coverage = sums[, "covered"] / n,
    width = sums[, "width"] / n, accuracy = sums[, "correct"] / n, brier = sums[, "brier"] / n
  )
}

# How many values of `pit` fall into each of equally wide bins; flat for a model that is calibrated.
pit_bins <- 20

bin_pit <- function(pit) tabulate(pmin(floor(pit_bins * pit) + 1, pit_bins), pit_bins)

# --- a batch and a model ------------------------------------------------------------------------------------

# What the observations of a batch may be, for a model that has not learned it yet. A batch is list(data = )
# for a model with a formula, list(x = ) for one without. `more`: what is observed beside y. NA where
# something is missing or infinite.
predict_batch <- function(gp, batch, more = NULL) {
  given <- if (is.null(batch$data)) "x" else "data"
  rows <- prediction_model(gp, batch[[given]], given)
  there <- rowSums(!is.finite(rows$x)) == 0
  if (!is.null(more)) there <- there & is.finite(more)
  predictive_spread(
    predictive_at(
      rows$handle, if (all(there)) rows$x else rows$x[there, , drop = FALSE], more[there],
      rows$offset[there]
    ),
    there
  )
}

# The response alone, where there is no first batch yet that fixed how a formula is read.
formula_output <- function(formula, data, likelihood, known = NULL) {
  data <- as_data(data, "data")
  formula[[3]] <- 1
  lacking <- setdiff(all.vars(formula), names(data))
  if (length(lacking) == length(all.vars(formula))) lacks_column(lacking, "data")
  model <- as_input_error(stats::model.frame(formula, data, na.action = stats::na.pass), "data")
  formula_response(model, likelihood, known)
}
