# gp$score(): what the model thinks of rows before it learns them; and which of them are plausible.

# `joint`: each row given those before it, by the joint distribution of all. With C = cov f(x) + diag(noise)
# = L L' and e = L^-1 (y - mean), row i given the ones before it has the standard deviation L_ii, and e_i is
# by how many of them it is off.  [derivation 17]
gp_score <- function(gp, x, y = NULL, data = NULL, weights = NULL, joint = FALSE) {
  check_flag(joint, "joint")
  if (!is.null(output_names(gp))) return(score_outputs(gp, x, y, data, weights, joint))
  scores_of(gp, score_rows(gp, x, y, data, weights), joint)
}

# Of rows as score_rows() gives them.
scores_of <- function(gp, rows, joint) {
  known <- rowSums(!is.finite(rows$x)) == 0 & is.finite(rows$y) & is.finite(rows$weights) & rows$weights > 0
  if (joint && !is_gaussian(gp)) {
    abort("parameter", "`joint` scores are for Gaussian noise, not for ", format(likelihood_of(gp)), ".")
  }
  found <- score_known(rows$handle, response_rows(rows, known), joint)
  out <- found[rep(NA_integer_, length(known)), ]
  out[known, ] <- found
  rownames(out) <- rownames(rows$x)
  out
}

score_rows <- function(gp, x, y, data, weights) {
  formula <- spec_of(gp)$formula
  if (is.null(formula)) {
    if (!is.null(data)) abort("input", "this model has no formula; use score(x, y).")
    if (missing(x)) abort("input", "`x` is missing; use score(x, y).")
    reader <- prediction_model(gp, x, "x")
    response <- response_for(y, nrow(reader$x), likelihood_of(gp), known_classes(gp))
    data <- NULL
  } else {
    if (!is.null(y)) {
      abort("input", "this model has a formula; use score(data), with the response as a column of `data`.")
    }
    if (missing(x) && is.null(data)) abort("input", "`data` is missing; use score(data).")
    data <- as_data(if (is.null(data)) x else data, "data")
    reader <- prediction_model(gp, data, "data")
    response <- if (is_started(gp)) {
      formula_batch(gp_frame(gp), data, "data", likelihood_of(gp))[c("y", "more")]
    } else {
      formula_output(formula, data, likelihood_of(gp))
    }
    if (is.null(weights)) weights <- spec_of(gp)$weights
  }
  weights <- as_weights(weights, nrow(reader$x), data)
  weights <- if (is.null(weights)) rep(1, NROW(response$y)) else weights
  c(reader, response[c("y", "more")], list(weights = weights))
}

# Rows that are all known, as read_batch() gives them.
score_known <- function(handle, batch, joint = FALSE) {
  y <- batch$y
  new <- predictive_at(handle, batch$x, batch$more, batch$offset)
  mean <- if (can_expect(new$likelihood)) predictive_mean(new) else rep(NA_real_, length(y))
  if (new$likelihood$name != "gaussian") return(score_by_tails(new, y, mean))
  noise <- new$dispersion / if (is.null(batch$weights)) rep(1, length(y)) else batch$weights
  sd <- sqrt(new$variance + noise)
  z <- (y - mean) / sd
  if (joint && length(y) > 1) {
    rest <- joint_scores(core_gp_covariance(handle, batch$x), noise, y - mean)
    sd <- rest$sd
    z <- rest$z
    mean <- y - sd * z
  }
  data.frame(
    mean = mean, sd = sd, z = z, p = 2 * stats::pnorm(-abs(z)),
    log_density = stats::dnorm(z, log = TRUE) - log(sd)
  )
}

# z is that of a normal observation as far out; p the probability of one at least as far on that side, twice.
score_by_tails <- function(new, y, mean) {
  if (is_custom(new$likelihood) && is.null(new$likelihood$functions$cdf)) {
    unknown <- rep(NA_real_, length(y))
    return(data.frame(
      mean = mean, sd = unknown, z = unknown, p = unknown, log_density = predictive_log_density(new, y)
    ))
  }
  below <- predictive_cdf(new, y)
  above <- 1 - if (is_discrete(new)) predictive_cdf(new, y - 1) else below
  middle <- pmin(pmax((below + 1 - above) / 2, 1e-16), 1 - 1e-16)
  data.frame(
    mean = mean, sd = predictive_sd(new), z = stats::qnorm(middle),
    p = pmin(1, 2 * pmin(below, above)), log_density = predictive_log_density(new, y)
  )
}

joint_scores <- function(cov, noise, error) {
  R <- tryCatch(chol(cov + diag(noise)), error = function(e) {
    abort("singular", "rows cannot be scored one given the others: there is next to no noise.")
  })
  list(sd = diag(R), z = backsolve(R, error, transpose = TRUE))
}

# --- rows that are implausible ------------------------------------------------------------------------------

plausible_after <- 50 # rows; a younger model knows too little to judge

check_plausible <- function(if_plausible) {
  if (!is.null(if_plausible)) check_fraction(if_plausible, "if_plausible")
}

# The rows of a batch, as read_batch() gives it, that the model does not find implausible. Each row is judged
# by the model before the batch.
plausible_rows <- function(gp, batch, if_plausible) {
  young <- is.null(if_plausible) || !is_started(gp) || gp_nobs(gp) < plausible_after || is_warm(gp)
  if (young || nrow(batch$x) == 0) return(batch)
  keep <- least_p(gp, batch) > if_plausible
  if (all(keep)) return(batch)
  batch <- response_rows(batch, keep)
  batch$implausible <- sum(!keep)
  batch
}

# Of several outputs, that of the least plausible one.
least_p <- function(gp, batch) {
  if (!is.matrix(batch$y)) return(score_known(gp_handle(gp), batch)$p)
  p <- vapply(seq_len(ncol(batch$y)), function(k) {
    one <- replace(batch, "y", list(batch$y[, k]))
    score_known(core_gp_output(gp_handle(gp), k), one)$p
  }, numeric(nrow(batch$y)))
  apply(matrix(p, nrow(batch$y)), 1, min, na.rm = TRUE)
}

# Learn what is plausible, count the rest; how many these are.
learn_plausible <- function(gp, batch, if_plausible) {
  batch <- plausible_rows(gp, batch, if_plausible)
  gp_learn(gp, batch)
  if (is.null(batch$implausible)) return(0)
  core_gp_count_implausible(gp_handle(gp), batch$implausible)
  batch$implausible
}
