#' The k-DPP of a kernel
#'
#' A k-DPP (determinantal point process of fixed size) draws sets of `k` rows such that a set A has a
#' probability in proportion to det(K_A), the determinant of its kernel matrix: rows that are alike seldom
#' come together. `kdpp_sample()` draws such sets and `kdpp_log_prob()` gives the log probability of any set.
#'
#' The probability of a set A of k rows is det(K_A) / e_k, where e_k is the elementary symmetric polynomial of
#' degree k of the eigenvalues of K, the kernel matrix of all rows. The variance of the kernel cancels.
#'
#' **Drawing** needs no eigenvectors. The determinantal point process of the matrix t K, given that its size
#' is k, is the k-DPP whatever t is; so sets of random size are drawn, from one Cholesky factor of I + t K,
#' until one has k rows, with t chosen to make that likely. Draws are exact but for rounding. They cost the
#' cube of the number of rows once (seconds for a few thousand) and little for each further draw, and use R's
#' random number generator; `set.seed()` makes them repeatable.
#'
#' **Probabilities** need all eigenvalues. Those of smooth kernels come from a pivoted Cholesky factor F of K
#' whose residual trace is at the level of rounding, without K; those of others from K, which takes several
#' times as long as drawing. Everything is done with logarithms, so that nothing overflows, and log det(K_A)
#' by Cholesky. What is neglected, and what rounding can do to the rest, adds up to some tau; then log e_k is
#' right to within log(sum_j tau^j / j! e_(k-j) / e_k), about tau e_(k-1) / e_k. The vignette `kdpp` has the
#' proofs and the times.
#'
#' Both are meaningful while the k-th eigenvalue is above rounding, and no longer. There is an error where K
#' has fewer than `k` eigenvalues above rounding or that bound is more than 1, and a warning that tells the
#' bound where it is more than 0.001: for `kdpp_log_prob()` with what rounding can do to log det(K_A) as well,
#' for `kdpp_sample()` as a distance in total variation. A set of rows that depend on each other has
#' probability 0, hence `-Inf`; where no two rows of such a set are equal, so that rounding may have made them
#' look dependent, there is a warning.
#'
#' @inheritParams kernel_matrix
#' @param x Inputs: a numeric vector (one column), a matrix or a data frame; rows are observations. For
#'   `kdpp_sample()`, and for `kdpp_log_prob()` unless the kernel is smooth, at most 10000.
#' @param k How many rows to draw; several numbers for several draws, which share the work.
#' @param index The rows of a set, in any order; several sets as a list or as the columns of a matrix, which
#'   share the work.
#' @return `kdpp_sample()`: the rows in increasing order, an integer vector; for several `k`, a list of them.
#'   `kdpp_log_prob()`: the log probability of each set among all sets of the same size.
#' @examples
#' x <- matrix(runif(400), ncol = 2)
#' kernel <- kernel_se(lengthscale = 0.4)
#' rows <- kdpp_sample(kernel, x, 20)
#' plot(x, col = "grey", pch = 20)
#' points(x[rows, ], pch = 3)
#'
#' # more probable than rows drawn at random?
#' kdpp_log_prob(kernel, x, list(rows, sample(200, 20)))
#'
#' # than the points of OIPS?
#' chosen <- select_points(select_oips(rho = 0.7), x, kernel)$index
#' draws <- kdpp_sample(kernel, x, rep(length(chosen), 20))
#' mean(kdpp_log_prob(kernel, x, draws) < kdpp_log_prob(kernel, x, chosen))
#' @seealso [select_kdpp()] for use in a model
#' @references
#' Kulesza, A. and Taskar, B. (2011) k-DPPs: Fixed-Size Determinantal Point Processes. ICML.
#' @export
kdpp_sample <- function(kernel, x, k) {
  x <- kdpp_input(kernel, x)
  kernel <- kernel_in_use(kernel, x) # which may look at columns by name
  x <- unname(x)
  k <- check_sizes(k, nrow(x))
  start <- kdpp_start(kernel, x, max(k))
  check_rank(max(k), start$rank, "k", nrow(x))
  check_precision(
    start$rounding * exp(start$log_t), "the draws are from a distribution that may be off by ",
    " in total variation"
  )
  sets <- kdpp_draw(kernel, x, k, start)
  if (length(k) == 1) sets[[1]] else sets
}

#' @rdname kdpp_sample
#' @export
kdpp_log_prob <- function(kernel, x, index) {
  x <- kdpp_input(kernel, x)
  kernel <- kernel_in_use(kernel, x) # which may look at columns by name
  x <- unname(x)
  sets <- check_sets(index, nrow(x))
  sizes <- lengths(sets)
  spectrum <- kernel_spectrum(kernel, x)
  check_rank(max(sizes), length(spectrum$values), "index", nrow(x))
  log_e <- log_esp(spectrum$values, max(sizes))
  log_det <- vapply(
    sets, function(set) log_det_correlation(kernel, x[set, , drop = FALSE]), c(value = 0, error = 0)
  )
  error <- log_esp_error(log_e, spectrum$rounding + spectrum$left) + max(log_det["error", ])
  check_precision(error, "the log probability may be off by ")
  unname(log_det["value", ]) - log_e[sizes + 1]
}

kdpp_input <- function(kernel, x) {
  check_kernel(kernel)
  x <- as_input(x, "x")
  check_finite(x, "x")
  if (nrow(x) == 0) abort("dimension", "`x` has no rows.")
  x
}

check_rows <- function(n) {
  most <- floor(sqrt(largest_matrix))
  if (n > most) {
    abort("memory", "`x` has ", whole(n), " rows, too many to draw from; take at most ", whole(most), ".")
  }
}

check_sizes <- function(k, n) {
  if (!is.numeric(k) || is.object(k) || length(k) == 0) {
    abort("parameter", "`k` must be a whole number, or several, not ", describe(k), ".")
  }
  vapply(k, check_count, 0, "k", least = 1, most = n)
}

check_sets <- function(index, n) {
  sets <- if (is.list(index) && !is.object(index)) {
    unname(index)
  } else if (is.matrix(index)) {
    split(index, col(index))
  } else {
    list(index)
  }
  if (length(sets) == 0) abort("parameter", "`index` must have at least one set.")
  unname(lapply(sets, check_set, n))
}

check_set <- function(set, n) {
  ok <- is.numeric(set) && !is.object(set) && length(set) > 0 && all(is.finite(set)) && all(set == round(set))
  if (!ok) {
    abort("parameter",
      "`index` must be row numbers, or sets of them as a list or as the columns of a matrix, not ",
      describe(set), ".")
  }
  outside <- set[set < 1 | set > n]
  if (length(outside) > 0) {
    abort("parameter", "`index` has ", outside[1], ", but `x` has ", count(n, "row"), ".")
  }
  if (anyDuplicated(set)) {
    abort("parameter", "`index` has row ", set[duplicated(set)][1], " twice; a set has a row once.")
  }
  as.integer(set)
}

check_rank <- function(k, rank, arg, n) {
  if (k <= rank) return(invisible())
  abort(
    "rank", "`", arg, "` asks for ", count(k, "row"), ", but the kernel matrix of the ", count(n, "row"),
    " of `x` has ", count(rank, "eigenvalue"), " above rounding."
  )
}

# `error` beyond what can pass in silence; beyond 1, what comes out says nothing.
check_precision <- function(error, what, unit = "") {
  why <- "the kernel matrix has not many more eigenvalues above rounding than rows are asked for."
  if (error > 1) abort("rank", "this cannot be computed in double precision: ", why)
  if (error > 1e-3) warn("precision", what, signif(error, 2), unit, ": ", why)
}
