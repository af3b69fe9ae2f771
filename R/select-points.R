#' Choose points from a set of rows
#'
#' Runs a [selector][selectors] on its own, without a model.
#'
#' @param selector A [selector][selectors].
#' @param x Inputs: a numeric vector (one column), matrix or data frame; rows in the order in which they are
#'   to be seen.
#' @param kernel A [kernel][kernels]; a lengthscale that is not given is the median distance between rows of
#'   `x`.
#' @return A list with `points`, a matrix of the chosen points, and `index`, the rows of `x` they are (`NA`
#'   for points that are not rows of `x`: given, laid on a grid, or centres of clusters).
#' @details [select_greedy()] with `criterion = "bound"` knows no outputs here: it leaves out the terms of the
#'   bound that need them, and takes the noise to be a tenth of the variance.
#' @examples
#' x <- matrix(runif(400), ncol = 2)
#' chosen <- select_points(select_oips(rho = 0.7), x, kernel_se(lengthscale = 0.3))
#' plot(x, col = "grey", pch = 20)
#' points(chosen$points, pch = 3)
#' @export
select_points <- function(selector, x, kernel) {
  selector <- check_selector(selector, "selector")
  check_kernel(kernel)
  x <- as_input(x, "x")
  check_finite(x, "x")
  selector <- selector_for(selector, colnames(x))
  check_fixed_columns(selector, x)
  handle <- core_set_new(resolve_kernel(kernel, x), selector, ncol(x))
  turned_away <- core_set_update(handle, x)
  if (turned_away > 0) {
    warn("max_inducing", "`max_points` (", whole(selector$max_points),
      ") is reached: some rows are far from all points.")
  }
  state <- core_set_state(handle)
  state$index[state$index == 0] <- NA
  list(points = named_columns(state$points, colnames(x)), index = as.integer(state$index))
}

check_fixed_columns <- function(selector, x) {
  points <- selector$points
  if (!is.null(points) && ncol(points) != ncol(x)) {
    abort("dimension", "the points of the selector have ", ncol(points), " column", plural(ncol(points)),
      ", but `x` has ", ncol(x), ".")
  }
}

# In the columns of a model or of rows, as the core keeps it: points whose columns have names are matched by
# these, as rows are. Where no name is known, as of expand.grid(), they are matched by position.
selector_for <- function(selector, names) {
  if (is.null(selector$points)) return(selector)
  own <- colnames(selector$points)
  if (any(own %in% names)) {
    lacking <- setdiff(names, own)
    if (length(lacking) > 0) {
      abort("dimension", "the points of the selector must have the columns ", backtick(names), ", not ",
        backtick(own), ".")
    }
    selector$points <- selector$points[, names, drop = FALSE]
  }
  dimnames(selector$points) <- NULL
  selector
}

without_row_names <- function(selector) {
  if (!is.null(selector$points)) rownames(selector$points) <- NULL
  selector
}

named_columns <- function(x, names) {
  if (!is.null(names)) colnames(x) <- names
  x
}
