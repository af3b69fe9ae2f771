# Sets of rows drawn from the k-DPP of a kernel.  [src/core/theory/dpp.h; vignette "kdpp"]

# Sets of the sizes k. The process of tK, given its size, is the k-DPP for every t, so whatever it gives is
# used where a set of that size is wanted; t only decides how often. When nothing comes that is wanted, t
# moves.
kdpp_draw <- function(kernel, x, k, start) {
  sets <- vector("list", length(k))
  log_t <- start$log_t
  factor <- core_dpp_factor(kernel, x, exp(log_t))
  repeat {
    drawn <- core_dpp_draw(factor, matrix(stats::runif(20 * nrow(x)), nrow(x)))
    for (set in drawn) {
      wanted <- which(k == length(set) & lengths(sets) == 0)[1]
      if (!is.na(wanted)) sets[[wanted]] <- set
    }
    open <- k[lengths(sets) == 0]
    if (length(open) == 0) return(sets)
    sizes <- lengths(drawn)
    away <- open - mean(sizes)
    away <- away[which.min(abs(away))]
    if (abs(away) > 1 + stats::sd(sizes)) {
      log_t <- log_t + max(min(away / max(stats::var(sizes), 0.25), 2), -2)
      factor <- core_dpp_factor(kernel, x, exp(log_t))
    }
  }
}

# The t at which k rows are expected, sum t lambda / (1 + t lambda) = k, from the larger eigenvalues and the
# sum of the others. Where K has a rank of about k, fewer rows: at no t are more expected than the rank.
kdpp_start <- function(kernel, x, k, least = 0) {
  check_rows(nrow(x))
  wide <- max(2 * k + 50, min(4 * k + 100, 1000))
  spectrum <- kernel_spectrum(kernel, x, rank = wide)
  values <- spectrum$values[spectrum$values > least * spectrum$values[1]]
  others <- nrow(x) - length(values)
  complete <- length(values) < min(wide, nrow(x)) || others == 0
  rank <- if (complete) length(values) else nrow(x)
  expected <- function(log_t) {
    t <- exp(log_t)
    sum(t * values / (1 + t * values)) +
      if (complete) 0 else others * t * spectrum$left / (others + t * spectrum$left)
  }
  goal <- min(k, rank - 0.5)
  log_t <- stats::uniroot(function(log_t) expected(log_t) - goal, c(-100, 100), tol = 1e-3)$root
  list(log_t = log_t, rank = rank, rounding = nrow(x) * .Machine$double.eps * values[1])
}

# For a model: of a large batch, rows spread evenly; and no more rows than there are eigenvalues far above
# rounding.
kdpp_rows <- function(x, k, kernel, most = 2000) {
  n <- min(nrow(x), most)
  rows <- as.integer((seq_len(n) - 1) * nrow(x) / n) + 1L
  x <- x[rows, , drop = FALSE]
  k <- min(k, n)
  start <- kdpp_start(kernel, x, k, least = 1e-8)
  rows[kdpp_draw(kernel, x, min(k, start$rank), start)[[1]]]
}
