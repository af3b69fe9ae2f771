#' Selectors: which rows become inducing points
#'
#' Plain, immutable specifications that are given to [streaming_gp()] or [select_points()].
#'
#' `select_oips()` is the online inducing point selection of Galy-Fajou and Opper: a row joins when its correlation with
#' every inducing point so far is below `rho`. It follows the stream into new regions by itself and needs no number of
#' points in advance. The correlation, not the kernel value, is compared, so that `rho` means the same for every variance.
#'
#' `select_fixed()` uses the points it is given, from the start, and no others.
#'
#' Whatever the selector proposes, a model does not add a point that is numerically a combination of the points it has
#' (conditional variance at most 1e-8): it would carry nothing the others lack. `summary()` reports how many were refused.
#'
#' @param rho Threshold on the correlation, between 0 and 1. Higher: more points, a closer approximation, more work.
#' @param max_points Points beyond this number are not added; the model goes on with those it has and warns once.
#' @param Z Inducing points: a numeric vector (one column), matrix or data frame; rows are points.
#' @return An object of class `gpstream_selector`.
#' @examples
#' select_oips(rho = 0.9)
#' select_fixed(seq(0, 1, by = 0.1))
#' @name selectors
NULL

#' @rdname selectors
#' @export
select_oips <- function(rho = 0.8, max_points = 1000) {
  new_selector("oips", rho = check_fraction(rho, "rho"), max_points = check_count(max_points, "max_points", 1))
}

#' @rdname selectors
#' @export
select_fixed <- function(Z) {
  if (missing(Z)) abort("parameter", "`Z` is missing; give the inducing points.")
  Z <- as_input(Z, "Z")
  if (nrow(Z) == 0) abort("dimension", "`Z` has no rows.")
  check_finite(Z, "Z")
  new_selector("fixed", points = Z)
}

new_selector <- function(name, ...) structure(list(name = name, ...), class = "gpstream_selector")

#' Choose points from a set of rows
#'
#' Runs a [selector][selectors] on its own, without a model.
#'
#' @param selector A [selector][selectors].
#' @param x Inputs: a numeric vector (one column), matrix or data frame; rows in the order in which they are to be seen.
#' @param kernel A [kernel][kernels]; a lengthscale that is not given is the median distance between rows of `x`.
#' @return A list with `points`, a matrix of the chosen points, and `index`, the rows of `x` they are (`NA` for points that
#'   were given, not chosen).
#' @examples
#' x <- matrix(runif(400), ncol = 2)
#' chosen <- select_points(select_oips(rho = 0.7), x, kernel_se(lengthscale = 0.3))
#' plot(x, col = "grey", pch = 20)
#' points(chosen$points, pch = 3)
#' @export
select_points <- function(selector, x, kernel) {
  check_selector(selector, "selector")
  check_kernel(kernel)
  x <- as_input(x, "x")
  check_finite(x, "x")
  check_fixed_columns(selector, x)
  handle <- core_set_new(resolve_kernel(kernel, x, 1), plain(selector), ncol(x))
  core_set_update(handle, x)
  if (!is.null(selector$rho) && any(core_set_predict(handle, x) < selector$rho)) {
    warn("max_inducing", "`max_points` (", whole(selector$max_points), ") is reached: some rows are far from all points.")
  }
  state <- core_set_state(handle)
  state$index[state$index == 0] <- NA
  list(points = named_columns(state$points, colnames(x)), index = as.integer(state$index))
}

check_fixed_columns <- function(selector, x) {
  points <- selector$points
  if (!is.null(points) && ncol(points) != ncol(x)) {
    abort("dimension", "the points of the selector have ", ncol(points), " column", plural(ncol(points)), ", but `x` has ", ncol(x), ".")
  }
}

# Without the names of rows and columns, as the core keeps it.
plain <- function(selector) {
  if (!is.null(selector$points)) dimnames(selector$points) <- NULL
  selector
}

named_columns <- function(x, names) {
  if (!is.null(names)) colnames(x) <- names
  x
}

#' @export
format.gpstream_selector <- function(x, ...) {
  limit <- if (identical(x$max_points, Inf)) "any number of" else paste("at most", whole(x$max_points))
  switch(x$name,
    oips = paste0("OIPS (rho ", format(x$rho), ", ", limit, " points)"),
    fixed = paste0("fixed (", nrow(x$points), " given point", plural(nrow(x$points)), ")")
  )
}

#' @export
print.gpstream_selector <- function(x, ...) {
  cat("<selector> ", format(x, ...), "\n", sep = "")
  invisible(x)
}
