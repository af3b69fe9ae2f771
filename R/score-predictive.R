# Scores of predictions, used by evaluate() and consume(). A prediction is a normal distribution of the *observation*: its standard
# deviation has the noise in it.

# One value a row: `error`, `log_score` (log density: higher is better), `crps` (in the units of y: lower is better), `covered` and `width`
# of the central interval, and `pit`, the probability of a smaller observation. NA where y or the prediction is missing; without a
# standard deviation (NA) only the error is known.
score_normal <- function(y, mean, sd, level = 0.95) {
  error <- y - mean
  sd <- rep_len(sd, length(error))
  half <- stats::qnorm((1 + level) / 2) * sd
  list(
    error = error, log_score = stats::dnorm(y, mean, sd, log = TRUE), crps = crps_normal(error, sd), covered = abs(error) <= half,
    width = 2 * half, pit = stats::pnorm(y, mean, sd)
  )
}

# Continuous ranked probability score: the integral of (F(t) - 1[t >= y])^2 over t, in closed form
# sd (z (2 Phi(z) - 1) + 2 phi(z) - 1 / sqrt(pi)).  [Gneiting and Raftery 2007, eq. (21)]
# Written with the tail P(|Z| > |z|), so that nothing cancels far out; without spread it is the absolute error.
crps_normal <- function(error, sd) {
  a <- abs(error)
  z <- ifelse(a == 0, 0, a / sd)
  a - 2 * a * stats::pnorm(-z) + sd * (2 * stats::dnorm(z) - 1 / sqrt(pi))
}

# Sums over rows, from which the means of any number of batches follow. `keep`: the rows that count.
score_sums <- function(scores, keep = !is.na(scores$error)) {
  total <- function(values) sum(values[keep])
  c(
    scored = sum(keep), squared = total(scores$error^2), absolute = total(abs(scores$error)), log_score = total(scores$log_score),
    crps = total(scores$crps), covered = total(scores$covered), width = total(scores$width)
  )
}

# Sums, one batch or model a row, as means.
score_means <- function(sums) {
  n <- ifelse(sums[, "scored"] > 0, sums[, "scored"], NA)
  data.frame(
    scored = sums[, "scored"], rmse = sqrt(sums[, "squared"] / n), mae = sums[, "absolute"] / n, log_score = sums[, "log_score"] / n,
    crps = sums[, "crps"] / n, coverage = sums[, "covered"] / n, width = sums[, "width"] / n
  )
}

# How many values of `pit` fall into each of equally wide bins; flat for a model that is calibrated.
pit_bins <- 20

bin_pit <- function(pit) tabulate(pmin(floor(pit_bins * pit) + 1, pit_bins), pit_bins)

# --- a batch and a model ---------------------------------------------------------------------------------------------

# Mean and standard deviation of the observations of a batch that the model has not learned yet, and the observations. A batch is
# list(data = ) for a model with a formula, list(x = , y = ) for one without. NA where something is missing or infinite: nothing is predicted,
# or there is nothing to compare with.
predict_batch <- function(gp, batch) {
  rows <- scoring_rows(gp, batch)
  there <- rowSums(!is.finite(rows$x)) == 0
  mean <- sd <- rep(NA_real_, length(there))
  if (any(there)) {
    at_rows <- core_gp_predict(rows$handle, if (all(there)) rows$x else rows$x[there, , drop = FALSE], TRUE)
    mean[there] <- at_rows$mean
    sd[there] <- sqrt(at_rows$variance + at_rows$noise)
  }
  list(y = ifelse(is.finite(rows$y), rows$y, NA), mean = mean, sd = sd)
}

scoring_rows <- function(gp, batch) {
  if (is.null(batch$data)) {
    reader <- prediction_model(gp, batch$x)
    return(c(reader, list(y = as_output(batch$y, nrow(reader$x)))))
  }
  if (is_started(gp)) return(c(formula_batch(gp_frame(gp), as_data(batch$data, "data"), "data")[c("x", "y")], list(handle = gp_handle(gp))))
  c(prediction_model(gp, batch$data), list(y = formula_output(spec_of(gp)$formula, batch$data)))
}

# The response alone, where there is no first batch yet that fixed how a formula is read.
formula_output <- function(formula, data) {
  data <- as_data(data, "data")
  formula[[3]] <- 1
  lacking <- setdiff(all.vars(formula), names(data))
  if (length(lacking) == length(all.vars(formula))) lacks_column(lacking, "data")
  formula_response(as_input_error(stats::model.frame(formula, data, na.action = stats::na.pass), "data"))
}
