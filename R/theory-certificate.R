#' What can be promised about a model
#'
#' A streaming model is an approximation of the exact Gaussian process on the rows it holds: all rows it has
#' seen, or, where it was started anew from its memory, those `rows` of them that it was fed with.
#' `gp$certificate()` says how far it can be from that, from what the model has kept, without the data. Every
#' number is a bound that has been proved, not an estimate.
#'
#' @details
#' The certificate is about the *approximation*: how close the model is to the exact posterior with the same
#' kernel, noise and mean (or prior of the trend), taken as they are now. It says nothing about whether these
#' are right. A model that goes on learning its kernel is made anew now and then, from the rows of its memory
#' (*Learning* in [streaming_gp()]): everything here is then about these rows and those since, `rows` in all,
#' and `refused`, `uncovered`, `moves` and `lost` count from there. What each part needs:
#' \describe{
#'   \item{`trace`, `early`}{need nothing. Each row leaves some of its prior variance unexplained by the
#'     points there were; `trace` is the sum over all `rows`. It is at least the trace of K - Q, the error of
#'     the Nystrom approximation by the present points, and equal to it where no row had left the look-back
#'     before the last point joined. `early` is the part of it that such rows account for.}
#'   \item{`trace_bound`}{what the selector's rule promises in advance: `(n - m)(1 - rho^2)` variances for
#'     OIPS, `(n - m) tol` for [select_variance()], n being `rows`, and a whole variance for each row that was
#'     refused. `NA` for other selectors, and when points were moved or put in by hand, or rows had weights
#'     (then `trace` counts each row by its weight).}
#'   \item{`lower`, `upper`}{a bracket on the log evidence, the log density of the outputs of the `rows`.
#'     Needs Gaussian noise, and the same kernel (up to its variance) since the rows left the look-back.
#'     `objective`, shown beside it, is what the model maximises; it may lie outside.}
#'   \item{`kl`, `gamma`}{the Kullback-Leibler divergence of the model's posterior from the exact one is at
#'     most `kl = upper - lower`; `gamma = 2 kl`.}
#'   \item{`kl_expected`}{a far smaller number that needs more: if the outputs were drawn from this very
#'     model, the divergence is at most `trace / noise` on average over such outputs. `NA` where there are
#'     `early` rows, and where the points were chosen or moved by looking at the outputs. That a kernel which
#'     was learned from the outputs had its say in which points were chosen is not accounted for.}
#'   \item{`mean_error`, `sd_ratio`}{what follows for every single prediction of the function: the mean is off
#'     by at most `mean_error` times the standard error that [`predict()`][predict.StreamingGP] gives, and
#'     that standard error is between `sd_ratio[1]` and `sd_ratio[2]` times the exact one. Beyond some
#'     hundreds of nats `mean_error` is `Inf`: nothing is promised.}
#'   \item{`lost`}{what the objective charges, in nats, for evidence that was carried to other points
#'     (`gp$points <-`, `optimize_points`, [select_grid()]) or to another kernel: the part of it that the new
#'     points cannot express. The objective falls by about as much when points move; after a change of kernel
#'     it also changes because the kernel does.}
#'   \item{`refused`, `uncovered`}{rows that should have become points and did not: because the points said
#'     the same already to within rounding, or because `max_points` was reached.}
#'   \item{`removed`, `forgotten`}{points that left for others when there were `max_points`; how often
#'     `gp$forget()` made all rows count less.}
#'   \item{`unlearned`}{rows that were taken out again (`gp$unlearn()`), which nothing here is about.}
#'   \item{`condition`}{the condition number of the correlation matrix of the points.}
#' }
#' Once points have left for others (`removed` is not 0), or rows count less than they did (`gp$forget()`,
#' `forgotten` tells how often; a half-life; too few points for very little noise), what the model knows is
#' not what any rows under its points would have taught it: `trace`, `early`, `trace_bound`, bracket and
#' divergence are `NA`. What is left are counts and `condition`. Rows that were set aside (`when_full =
#' "stop"`, `support`), or wait in the look-back for a point, are not among `rows`, and nothing is said of
#' them.
#'
#' When the kernel was changed after rows had left the look-back (`foreign` of them), nothing is known of how
#' far these are from what the new kernel makes of them: bracket and divergence are `NA`, and `trace` is about
#' the others.
#'
#' The bracket can be wide. A point that joins late makes all rows before it `early`; a longer `lookback`, a
#' higher `rho`, or one large batch (points first join, then all its rows are absorbed) make it tighter.
#' Rounding is allowed for in the bracket. `trace` and `early` are as summed: where points are so dense that
#' `condition` is above 1e14 or so, rounding can make them too small by a few percent, or more where they are
#' next to nothing.
#'
#' It costs three eigenvalue decompositions of the size of the points, one of them with vectors.
#'
#' @return `gp$certificate()` gives an object of class `gpstream_certificate`, a list of the numbers above
#'   with `nobs` (rows seen), `rows` (those it is about), `size`, `variance`, `noise` and `objective`.
#'   Printing it puts them into words; [summary()][methods] of a model shows the short form.
#' @examples
#' x <- runif(300, 0, 10)
#' gp <- streaming_gp(kernel = kernel_se(2, 1), noise = 0.01, select = select_oips(0.95))
#' gp$update(x, sin(x) + rnorm(300, sd = 0.1))
#' gp$certificate()
#' gp$certificate()$kl
#' @references
#' Titsias, M. (2014) Variational Inference for Gaussian and Determinantal Point Processes. NeurIPS workshop.
#'
#' Burt, D., Rasmussen, C. E. and van der Wilk, M. (2019) Rates of Convergence for Sparse Variational Gaussian
#' Process Regression. ICML.
#' @seealso `vignette("derivation")` for the proofs; [nystrom_error()], [bound_nystrom()],
#'   [forecast_points()].
#' @name certificate
NULL

gp_certificate <- function(gp) {
  only_gaussian(gp, "gp$certificate()")
  info <- gp_info(gp)
  v <- if (is.null(info$kernel$variance)) NA_real_ else info$kernel$variance
  known <- if (is_started(gp)) {
    core_gp_levels(gp_handle(gp))
  } else {
    list(tau = 0, a = numeric(), lost = 0, foreign = 0, moves = 0, weighted = FALSE)
  }
  ends <- if (is_started(gp)) core_gp_extremes(gp_handle(gp)) else c(1, 1)
  # of the rows that the model was fed with: after a start from its memory, not of all that came
  evidence <- if (is_started(gp)) core_gp_spectrum(gp_handle(gp)) else list(n = 0)
  # what points that left had said is no longer that of any rows, nor is what counts less than it did
  less <- identical(info$select$left, "noise") && info$set_aside > 0
  gone <- info$removed > 0 || info$forgotten > 0 || info$fades || less
  if (gone) known$tau <- NA_real_ * known$tau
  bracket <- if (known$foreign > 0 || gone) {
    c(NA_real_, NA_real_)
  } else if (evidence$n == 0) {
    c(0, 0)
  } else {
    evidence_bracket(evidence, info, known, ends[1])
  }
  kl <- max(bracket[2] - bracket[1], 0)
  structure(
    c(
      list(nobs = info$nobs, rows = evidence$n, size = info$size, variance = v, noise = info$noise,
        objective = gp_objective(gp), trace = v * sum(known$tau), early = v * sum(early(known$tau)),
        trace_bound = v * promised_residual(evidence$n, info, known), lower = bracket[1], upper = bracket[2],
        kl = kl, gamma = 2 * kl),
      single_predictions(2 * kl),
      list(kl_expected = expected_divergence(v, info, known), lost = v * known$lost / (2 * info$noise),
        refused = info$refused, uncovered = info$turned_away, unlearned = info$unlearned,
        foreign = known$foreign, moves = known$moves, removed = info$removed, forgotten = info$forgotten,
        condition = ends[2] / ends[1])
    ),
    class = "gpstream_certificate"
  )
}

# By level of feature length, 0 to M: all but the last.
early <- function(levels) levels[-length(levels)]

# What the rule of the selector says in advance of the residual of n rows, m of them points.  [derivation 9]
promised_residual <- function(n, info, known) {
  each <- switch(info$select$name, oips = 1 - info$select$rho^2, variance = info$select$tol, NA_real_)
  if (known$moves > 0 || known$weighted || info$turned_away > 0 || info$removed > 0 ||
    info$forgotten > 0 || info$fades) {
    each <- NA_real_
  }
  (n - info$size - info$refused) * each + info$refused
}

# lower <= log p(y) <= upper  [derivation 10], in the eigenbasis of P and in the units of y: there vP,
# sqrt(v) b and v tau take the place of P, b and tau. `least` is the smallest eigenvalue of the correlation
# matrix of the points. What is integrated out of a trend stands in front of all features, whole in every row.
evidence_bracket <- function(evidence, info, known, least) {
  n <- evidence$n
  v <- info$kernel$variance
  s2 <- info$noise
  shift <- info$mean - evidence$offset
  yy <- max(evidence$yy - 2 * shift * evidence$sum_y + evidence$weight * shift^2, 0)
  lambda <- v * evidence$lambda
  g2 <- v * (evidence$g - shift * evidence$q)^2
  levels <- v * known$tau
  # features are rounded: as if each row had been off by that much in every direction
  levels[1] <- levels[1] + v * evidence$weight * (4 * .Machine$double.eps)^2 / least +
    v * evidence$trend * (4 * .Machine$double.eps)^2
  # sums are rounded at the size of what was added up: outputs measured from the offset, and n variances
  size <- evidence$yy + 2 * abs(shift * evidence$sum_y) + evidence$weight * (shift^2 + v) +
    v * evidence$trend
  rounding <- .Machine$double.eps * (n + info$size) * (size / s2 + n * (1 + abs(log(s2))))
  if (!is.finite(rounding)) return(c(-Inf, Inf))
  # a row of weight w is one of weight 1 with output and kernel times sqrt(w); log p(y) is 1/2 log w higher
  weights <- evidence$con + n / 2 * log(2 * pi)
  weights + c(
    lower_evidence(n, yy, lambda, g2, sqrt(v) / s2 * known$a, levels, s2) - rounding,
    upper_evidence(n, yy, lambda, g2, levels, s2) + rounding
  )
}

# -KL(q || p) + E_q log p(y | f), in which |y - f|^2 is that of the features as absorbed, R, and of what they
# miss.
lower_evidence <- function(n, yy, lambda, g2, m, levels, s2) {
  G <- 1 + lambda / s2
  kl <- (sum(log(G)) - sum((lambda / s2) / G) + sum(m^2)) / 2
  R <- max(yy - sum(g2 / s2 * (1 + G) / G^2), 0) + sum(lambda / G)
  # of the posterior mean, in directions after the first 0, 1, ..., M points
  beyond <- c(rev(cumsum(rev(m^2))), 0)
  missed <- levels * (1 + beyond)
  -kl - n / 2 * log(2 * pi * s2) - (R + sum(missed) + 2 * sqrt(R) * sqrt(sum(early(missed)))) / (2 * s2)
}

# log N(y; 0, K + s2 I), with the determinant bounded from below and the quadratic form by the best e.
upper_evidence <- function(n, yy, lambda, g2, levels, s2) {
  tau <- sum(levels)
  before <- sum(early(levels))
  singular <- sqrt(sort(lambda, decreasing = TRUE)[seq_len(min(n, length(lambda)))])
  log_det <- sum(log(s2 + pmax(singular - sqrt(before), 0)^2)) + (n - length(singular)) * log(s2)
  quadratic <- function(log_e) {
    e <- exp(log_e)
    beta <- s2 + tau + if (before > 0) before / e else 0
    max(yy - sum(g2 / (beta / (1 + e) + lambda)), 0) / beta
  }
  best <- if (before > 0) {
    stats::optimize(quadratic, c(-40, 12), maximum = TRUE)$objective
  } else {
    quadratic(-Inf)
  }
  -n / 2 * log(2 * pi) - log_det / 2 - best / 2
}

# Over outputs from the model: KL between N(0, K + s2 I) and N(0, Q + s2 I) is at most trace(K - Q) / (2 s2),
# the bound's own trace term is as much again.
expected_divergence <- function(v, info, known) {
  blind <- known$moves == 0 && !identical(info$select$criterion, "bound")
  whole <- isTRUE(sum(early(known$tau)) == 0)
  if (info$nobs > 0 && blind && whole) v * sum(known$tau) / info$noise else NA_real_
}

# From 2 KL <= gamma: with x the ratio of variances and d the error of the mean in exact standard deviations,
# x - 1 - log x + d^2 <= gamma. The error in standard deviations of the model, d / sqrt(x), is largest at
# x = exp(-gamma).
single_predictions <- function(gamma) {
  if (is.na(gamma)) return(list(mean_error = NA_real_, sd_ratio = c(NA_real_, NA_real_)))
  if (gamma == Inf) return(list(mean_error = Inf, sd_ratio = c(0, Inf)))
  excess <- function(log_x) expm1(log_x) - log_x - gamma
  end <- function(range) if (gamma == 0) 0 else stats::uniroot(excess, range, tol = 1e-12)$root
  list(
    mean_error = sqrt(expm1(gamma)),
    sd_ratio = exp(c(end(c(-1.001 * gamma - 2, 0)), end(c(0, 1 + log(2 + 2 * gamma)))) / 2)
  )
}
