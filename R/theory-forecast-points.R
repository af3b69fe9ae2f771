#' How many inducing points there will be
#'
#' Forecasts the number of inducing points of a model after more rows, from the stream so far.
#'
#' While rows come independently from one distribution, whatever it is, the probability that the next one
#' joins can only fall: what is covered stays covered. So the number of points is, on average, a concave
#' function of the number of rows, and going on at the present rate is an upper forecast. A stream that moves
#' into new regions at a steady pace goes on at its rate; one that speeds up exceeds it.
#'
#' The present rate is taken from the last quarter of the rows (at least 100, where there are as many; after
#' the warm-up, which chooses its points anew), the upper limit allows for the chance in that count.
#'
#' @param gp A model made by [streaming_gp()] that has seen data.
#' @param n How many more rows; one or several numbers.
#' @param level Probability that `upper` is not exceeded, for rows that are independent and from the same
#'   distribution as the latest.
#' @return A data frame with one row for each `n`: `n`, the rows to come; `points`, the forecast, the present
#'   number plus `n` times the present rate; `upper`, its upper limit; and what can be said in advance about
#'   rows within the box that the points cover so far: `packing`, the most there can be whatever rows come,
#'   and `uniform`, a bound on the expected number if all rows were uniform on the box (see [bound_points()]).
#'   These two are `NA` when points were moved or put in by hand, or the kernel was changed since they were
#'   chosen, for [select_knearest()], which lets points be near each other, and for rules that do not look at
#'   each row (k-means, fixed points, ...), for which the number is known.
#' @examples
#' gp <- streaming_gp(kernel = kernel_se(0.2), select = select_oips(0.8))
#' x <- matrix(runif(1000), ncol = 2)
#' gp$update(x, sin(4 * x[, 1]) * x[, 2] + rnorm(500, sd = 0.1))
#' forecast_points(gp, c(100, 1000, 1e4))
#' @seealso [bound_points()], [suggest_rho()]
#' @export
forecast_points <- function(gp, n, level = 0.95) {
  if (!methods::is(gp, "StreamingGP")) {
    abort("type", "`gp` must be a model made by streaming_gp(), not ", describe(gp), ".")
  }
  level <- check_fraction(level, "level")
  n <- check_counts(n, "n", most = 1e15)
  if (is_started(gp)) gp <- sharpest_output(gp)
  info <- gp_info(gp)
  if (info$nobs == 0) abort("input", "there is nothing to forecast from yet: the model has seen no data.")
  share <- covered_share(info$select, info$kernel, info$noise)
  rho <- if (is.null(share)) info$select$rho else sqrt(1 - share)
  if (is.null(rho)) {
    m <- rep(as.double(max(info$size, info$select[["m"]])), length(n))
    return(data.frame(n = n, points = m, upper = m, packing = NA_real_ * n, uniform = NA_real_ * n))
  }
  recent <- recent_joins(gp, info)
  most <- pmax(info$select$max_points, info$size)
  covered <- covered_sides(gp, info, rho)
  # of points that were put there otherwise there may be more than the rule would ever choose
  bound <- function(type) {
    if (moved(gp) || info$select$name == "knearest") return(NA_real_ * n)
    bound_points(info$nobs + n, info$kernel, rho, covered, type = type)
  }
  # of a rate of which so many events were seen in so many rows
  joins <- ifelse(n > 0, stats::qnbinom(level, recent$joined + 1, recent$rows / (recent$rows + n)), 0)
  data.frame(
    n = n,
    points = pmin(info$size + n * recent$joined / recent$rows, most),
    upper = pmin(info$size + joins, most),
    packing = bound("packing"),
    uniform = bound("expected")
  )
}

# How many of the latest rows joined. From the history, where it has a row to count from; else from the rows
# in the look-back.
recent_joins <- function(gp, info) {
  past <- gp_history(gp)
  if (needs_rows(spec_of(gp))) past <- past[past$nobs >= warmup_rows(spec_of(gp)), ]
  past <- past[past$nobs < info$nobs, ]
  if (nrow(past) > 0 && !is_warm(gp)) {
    from <- max(1, which(past$nobs <= info$nobs - max(info$nobs / 4, 100)))
    return(list(rows = info$nobs - past$nobs[from], joined = max(info$size - past$points[from], 0)))
  }
  kept <- core_gp_rows(gp_handle(gp))$x
  if (nrow(kept) < 2) return(list(rows = info$nobs, joined = info$size))
  # a row that comes again is no new point
  joined <- data.frame(t(kept)) %in% data.frame(t(core_gp_points(gp_handle(gp)))) & !duplicated(kept)
  latest <- -seq_len(nrow(kept) %/% 2)
  list(rows = length(joined[latest]), joined = sum(joined[latest]))
}

# Were points, or the kernel they were chosen with, changed otherwise than by the rule?
moved <- function(gp) core_gp_levels(gp_handle(gp))$moves > 0

# The sides of a box that holds what the points cover, and so, with OIPS, all rows that were not refused or
# turned away.
covered_sides <- function(gp, info, rho) {
  points <- gp_points(gp)
  reach <- core_kernel_radius(info$kernel, rho, info$columns)
  unname(apply(points, 2, max) - apply(points, 2, min)) + 2 * rep_len(reach, info$columns)
}
