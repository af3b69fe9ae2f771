#' Selectors: which rows become inducing points
#'
#' Plain, immutable specifications that are given to [streaming_gp()] or [select_points()].
#'
#' Four rules look at each row as it comes and need no number of points in advance. They follow the stream
#' into new regions, and their choice does not depend on how it is cut into batches:
#' \itemize{
#'   \item `select_oips()`, the online inducing point selection of Galy-Fajou and Opper: a row joins when its
#'     correlation with every inducing point so far is below `rho`. The correlation, not the kernel value, is
#'     compared, so that `rho` means the same for every variance.
#'   \item `select_noise()`: a row joins when the points so far leave more of its variance unexplained than
#'     `tol` times that of the noise, and more than a millionth of it. One meaning for every kernel, and
#'     points are as dense as the noise asks; it costs what `select_variance()` costs. It is the rule where
#'     none is given: for models that learn, with `tol = 0.01`; for those that do not (`optimize = "none"`),
#'     with `tol = 1`, where correlation says little about which rows are needed: [kernel_linear()],
#'     [kernel_brownian()], [kernel_cosine()], sums with one of them, and sums of kernels on different
#'     columns. (Lines are determined by as many points as there are columns, walks correlate by the ratio of
#'     their distances from the origin, and a sum over columns needs no points that cover all of them
#'     together.) For other kernels it is `select_oips()`.
#'   \item `select_variance()`: a row joins when the points so far leave more than the fraction `tol` of its
#'     prior variance unexplained. All points count together, where OIPS asks the nearest alone: every row
#'     seen is explained to within `tol`. It costs more for each row, the square of the number of points.
#'   \item `select_knearest()`: a row joins when the mean, or the median, of its correlations with its `k`
#'     nearest points is below `rho` (over those there are, while there are fewer than `k`). Galy-Fajou and
#'     Opper propose it against outliers, but it keeps none out: of a row far from all points every
#'     correlation is low, and the mean of several is never above the highest, so that more rows join than
#'     with OIPS. `support` is what keeps them out.
#' }
#' With `support = s` these (but for `select_knearest()`) let a row join only where it does not lie alone:
#' where at least `s` of the rows in the look-back, itself included, correlate with it at `rho` or more (at
#' 0.8 for the rules that have no `rho`). The one that makes up the number becomes the point. Rows of which
#' the points leave more than the rule would (`1 - rho^2` of the variance, `tol` of it, or the noise) wait in
#' the look-back for a point, and do not count until it comes; those that leave the look-back without one are
#' set aside: they teach nothing, and `gp$set_aside` counts them. So single rows far away in `x`, wrong inputs
#' for instance, cost no point and are not taken for noise. It needs a look-back that holds several rows of
#' every region the stream is to be learned in (`lookback`, at least `s`): where rows have many columns, or
#' return seldom, few have neighbours among the latest 100, and most would be set aside. [select_points()]
#' looks back over all rows of `x`.
#'
#' Two lay the points out:
#' \itemize{
#'   \item `select_grid()`: a uniform grid that spans the stream exactly, with the largest whole number of
#'     points along each column that makes at most `m` in all, and at least two: `m` must be at least 2^D for
#'     D columns. When a batch leaves the grid, it is laid anew over all that was seen, and the evidence
#'     carried over by projection. A column that has had one value only has one coordinate until it varies.
#'   \item `select_fixed()` uses the points it is given, from the start, and no others.
#' }
#' The others choose from a batch. While there are fewer than `m` points, they choose as many as are lacking
#' from the present one, then no more; so give a first batch that is worth choosing from. (A model that warms
#' up chooses anew from all rows it has kept.)
#' \itemize{
#'   \item `select_kmeans()`: centres of clusters, in the columns as they are (k-means++ starts, then
#'     [stats::kmeans()]).
#'   \item `select_random()`: rows drawn at random.
#'   \item `select_greedy()`: one after another, the row that gives most. With `criterion = "bound"`, that
#'     raises the objective of the batch most, until none does (Titsias; at most 200 rows evenly spread over
#'     the batch are tried, or as many as points are lacking, judged on at most 1000 or as many); for
#'     likelihoods other than the Gaussian, the part of it that does not depend on the response. With
#'     `"variance"`, whose variance given the points so far is largest (of at most 10000 rows evenly spread).
#'   \item `select_kdpp()`: a draw from the k-DPP of the kernel, in which sets of rows far from each other are
#'     more probable (of at most 2000 rows evenly spread).
#' }
#' k-means, random rows and the k-DPP draw from R's random number generator; `set.seed()` makes them
#' repeatable. The others use none.
#'
#' Whatever the selector proposes, a model does not add a point that is numerically a combination of the
#' points it has (conditional variance at most 1e-8 of its variance, or weights on them so large that
#' rounding would drown it): it would carry nothing the others lack. `summary()` reports how many were
#' refused.
#'
#' @param k How many of the points nearest to a row are looked at.
#' @param statistic What is compared with `rho`: the `"mean"` or the `"median"` of the `k` correlations.
#' @param rho Threshold on the correlation, between 0 and 1. Higher: more points, a closer approximation, more
#'   work. `NULL`: 0.8; but a model that learns its kernel chooses for itself how dense its points are, by the
#'   rule of `select_noise()` (see *Learning* in [streaming_gp()]).
#' @param tol Lower: more points. `select_noise()`: what the points may leave of a row, as a multiple of the
#'   noise variance; any positive number. `select_variance()`: threshold on the conditional variance, between
#'   0 and 1; the default leaves at most a twentieth of the prior variance of any row unexplained.
#' @param max_points The largest number of points.
#' @param when_full What a model does with a row that should join when there are `max_points` points.
#'   `"replace"`: others leave for it, one in 200 of them at a time, so that a stream may go on for ever. Of
#'   the half that no row has needed for longest, those leave without which the posterior would change least;
#'   what they said of the points that stay is kept. (Not more often than every five rows a point; rows
#'   in between count for less, the more the points leave of them.) `gp$removed` counts them.
#'   `"stop"`: no row becomes a point any more, with a warning. Rows of which the points leave more than the
#'   noise are then set aside: they teach nothing, and `gp$set_aside` counts them. [oips()] and
#'   [select_points()], which know nothing but points, always stop.
#' @param support How many rows have to lie about a row that becomes a point, itself included; 1: none but
#'   itself. At most `lookback`.
#' @param Z Inducing points: a numeric vector (one column), matrix or data frame; rows are points. Columns are
#'   matched by name where the model has columns of these names, otherwise by position.
#' @param m How many points, at most 50000.
#' @param criterion What `select_greedy()` maximises at each step.
#' @param optimize_points Whether the points, once chosen, are moved: after each batch's points are chosen,
#'   their positions are optimised on the streaming bound.
#' @return An object of class `gpstream_selector`.
#' @examples
#' select_oips(rho = 0.9)
#' select_fixed(seq(0, 1, by = 0.1))
#' select_greedy(20, criterion = "variance")
#'
#' x <- matrix(rnorm(600), ncol = 2)
#' chosen <- select_points(select_kmeans(25), x, kernel_se(lengthscale = 1))
#' plot(x, col = "grey", pch = 20)
#' points(chosen$points, pch = 3)
#' @references
#' Galy-Fajou, T. and Opper, M. (2021) Adaptive Inducing Points Selection for Gaussian Processes.
#' arXiv:2107.10066.
#'
#' Titsias, M. (2009) Variational Learning of Inducing Variables in Sparse Gaussian Processes. AISTATS.
#'
#' Kulesza, A. and Taskar, B. (2011) k-DPPs: Fixed-Size Determinantal Point Processes. ICML.
#' @name selectors
NULL

#' @rdname selectors
#' @export
select_oips <- function(rho = NULL, max_points = 1000, when_full = c("replace", "stop"), support = 1,
                        optimize_points = FALSE) {
  new_selector(
    "oips", optimize_points, rho = if (!is.null(rho)) check_fraction(rho, "rho"),
    max_points = check_count(max_points, "max_points", 1), when_full = check_when_full(when_full),
    support = check_support(support)
  )
}

#' @rdname selectors
#' @export
select_noise <- function(tol = 1, max_points = 1000, when_full = c("replace", "stop"), support = 1,
                         optimize_points = FALSE) {
  if (!is_scalar(tol) || tol <= 0) {
    abort("parameter", "`tol` must be a single positive number, not ", describe(tol), ".")
  }
  new_selector(
    "noise", optimize_points, tol = as.double(tol), max_points = check_count(max_points, "max_points", 1),
    when_full = check_when_full(when_full), support = check_support(support)
  )
}

#' @rdname selectors
#' @export
select_variance <- function(tol = 0.05, max_points = 1000, when_full = c("replace", "stop"), support = 1,
                            optimize_points = FALSE) {
  new_selector(
    "variance", optimize_points, tol = check_fraction(tol, "tol"),
    max_points = check_count(max_points, "max_points", 1), when_full = check_when_full(when_full),
    support = check_support(support)
  )
}

#' @rdname selectors
#' @export
select_knearest <- function(k, rho = 0.8, statistic = c("mean", "median"), max_points = 1000,
                            when_full = c("replace", "stop"), optimize_points = FALSE) {
  if (missing(k)) abort("parameter", "`k` is missing; give the number of nearest points to look at.")
  new_selector(
    "knearest", optimize_points, k = check_count(k, "k", 1, most = 1e6), rho = check_fraction(rho, "rho"),
    statistic = check_choice(statistic, c("mean", "median"), "statistic"),
    max_points = check_count(max_points, "max_points", 1), when_full = check_when_full(when_full)
  )
}

#' @rdname selectors
#' @export
select_grid <- function(m, optimize_points = FALSE) new_selector("grid", optimize_points, m = check_points(m))

#' @rdname selectors
#' @export
select_fixed <- function(Z, optimize_points = FALSE) {
  if (missing(Z)) abort("parameter", "`Z` is missing; give the inducing points.")
  Z <- as_input(Z, "Z")
  if (nrow(Z) == 0) abort("dimension", "`Z` has no rows.")
  check_finite(Z, "Z")
  new_selector("fixed", optimize_points, points = Z)
}

#' @rdname selectors
#' @export
select_kmeans <- function(m, optimize_points = FALSE) {
  new_selector("kmeans", optimize_points, m = check_points(m))
}

#' @rdname selectors
#' @export
select_random <- function(m, optimize_points = FALSE) {
  new_selector("random", optimize_points, m = check_points(m))
}

#' @rdname selectors
#' @export
select_greedy <- function(m, criterion = c("bound", "variance"), optimize_points = FALSE) {
  criterion <- check_choice(criterion, c("bound", "variance"), "criterion")
  new_selector("greedy", optimize_points, m = check_points(m), criterion = criterion)
}

#' @rdname selectors
#' @export
select_kdpp <- function(m, optimize_points = FALSE) new_selector("kdpp", optimize_points, m = check_points(m))

# Without support, nothing is noted.
check_support <- function(support) {
  support <- check_count(support, "support", 1, most = 1e6)
  if (support > 1) support
}

check_when_full <- function(when_full) check_choice(when_full, c("replace", "stop"), "when_full")

# A number of points, of which the square is kept.
check_points <- function(m) {
  if (missing(m)) abort("parameter", "`m` is missing; give the number of points.")
  check_count(m, "m", 1, most = 50000L)
}

new_selector <- function(name, optimize_points, ...) {
  spec <- Filter(Negate(is.null), list(name = name, ...))
  if (check_flag(optimize_points, "optimize_points")) spec$optimize_points <- TRUE
  structure(spec, class = "gpstream_selector")
}

# What a rule that has reached its limit can be told.
fewer_points <- function(selector) {
  if (selector$name %in% c("variance", "noise")) "Raise `tol`" else "Lower `rho`"
}

# May the model choose how dense its points are?
any_density <- function(selector) identical(selector$name, "oips") && is.null(selector$rho)

# With the rho that is at work where none was given, and no model chose otherwise.
with_rho <- function(selector) {
  if (any_density(selector)) selector$rho <- 0.8
  selector
}

#' @export
format.gpstream_selector <- function(x, ...) {
  most <- if (is.null(x$max_points)) x$m else x$max_points
  limit <- if (identical(most, Inf)) {
    "any number of points"
  } else {
    paste0("at most ", if (!is.null(most)) count(most, "point"),
      if (identical(x$when_full, "stop")) ", then no more")
  }
  title <- switch(x$name,
    oips = "OIPS", noise = "residual beside the noise", variance = "conditional variance", grid = "grid",
    knearest = paste(x$statistic, "of the nearest"), fixed = "fixed", kmeans = "k-means",
    random = "random rows",
    greedy = paste("greedy by", x$criterion), kdpp = "k-DPP"
  )
  settings <- switch(x$name,
    oips = paste0("rho ", format(with_rho(x)$rho), ", ", limit),
    knearest = paste0("k ", format(x$k), ", rho ", format(x$rho), ", ", limit),
    variance = , noise = paste0("tol ", format(x$tol), ", ", limit),
    fixed = count(nrow(x$points), "given point"), limit
  )
  alone <- if (!is.null(x$support)) paste0(", support ", format(x$support))
  paste0(title, " (", settings, alone, if (isTRUE(x$optimize_points)) ", optimised", ")")
}

#' @export
print.gpstream_selector <- function(x, ...) {
  cat("<selector> ", format(x, ...), "\n", sep = "")
  invisible(x)
}
