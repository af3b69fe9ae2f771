#' Online inducing point selection on its own
#'
#' A reference object that sees rows one batch after another and keeps those whose correlation with every
#' point kept so far is below `rho` (Algorithm 1 of Galy-Fajou and Opper). The result does not depend on how
#' the stream is cut into batches, nor on the variance of the kernel.
#'
#' @param kernel A [kernel][kernels]; a lengthscale that is not given is taken from the first batch.
#' @param rho Threshold on the correlation, between 0 and 1.
#' @return An object of class `OIPS` with the members
#'   \describe{
#'     \item{`$update(x)`}{sees the rows of `x` in order; in place; returns the object invisibly.}
#'     \item{`$predict(x)`}{the highest correlation of each row with a point so far; at least `rho` means
#'       covered.}
#'     \item{`$points`}{the points, one a row.}
#'     \item{`$size`}{their number.}
#'     \item{`$index`}{their positions in the stream, from 1.}
#'     \item{`$seen`}{the number of rows seen.}
#'     \item{`$rho`, `$kernel`}{as given (a lengthscale from the first batch filled in).}
#'     \item{`$copy()`}{an independent copy.}
#'   }
#'   It can be saved with `saveRDS()`.
#' @examples
#' sel <- oips(kernel_se(lengthscale = 0.2), rho = 0.8)
#' for (batch in 1:10) sel$update(runif(50))
#' sel
#' sort(sel$points)
#' sel$predict(c(0.5, 3))
#' @seealso [select_oips()] for use in a model
#' @aliases $,OIPS-method
#' @export
oips <- function(kernel, rho = 0.8) {
  if (missing(kernel)) {
    abort("parameter", "`kernel` is missing; give one, such as kernel_se(lengthscale = 1).")
  }
  OIPS$new(kernel = kernel, rho = rho)
}

#' @rdname oips
#' @format NULL
#' @export OIPS
#' @exportClass OIPS
OIPS <- methods::setRefClass("OIPS",
  fields = list(
    spec = "list", state = "list",
    points = function(value) read_only("points", oips_points(.self), value),
    size = function(value) read_only("size", nrow(oips_points(.self)), value),
    index = function(value) read_only("index", oips_member(.self, "index", numeric()), value),
    seen = function(value) read_only("seen", oips_member(.self, "seen", 0), value),
    rho = function(value) read_only("rho", .self$spec$rho, value),
    kernel = function(value) read_only("kernel", oips_member(.self, "kernel", .self$spec$kernel), value)
  ),
  methods = list(
    initialize = function(kernel = kernel_se(), rho = 0.8, ...) {
      spec <<- list(kernel = check_kernel(kernel), rho = check_fraction(rho, "rho"))
      state <<- list()
      .self
    },
    update = function(x) oips_update(.self, x),
    predict = function(x) oips_predict(.self, x),
    copy = function(shallow = FALSE) oips_copy(.self),
    show = function() print.OIPS(.self)
  )
)

# A member that is computed: reading gives it, assigning is an error.
read_only <- function(name, current, value) {
  if (missing(value)) return(current)
  abort("input", "`", name, "` is read-only and cannot be assigned.")
}

oips_update <- function(sel, x) {
  state <- state_of(sel)
  x <- if (length(state) == 0) as_input(x, "x") else later_input(x, oips_frame(sel), "x")
  check_finite(x, "x")
  if (nrow(x) == 0) return(invisible(sel))
  if (length(state) == 0) {
    rule <- select_oips(spec_of(sel)$rho, max_points = Inf)
    handle <- core_set_new(resolve_kernel(check_kernel(spec_of(sel)$kernel), x), rule, ncol(x))
    core_set_update(handle, x)
    sel$state <- list(handle = handle, frame = input_frame(x))
  } else {
    core_set_update(state$handle, x)
  }
  invisible(sel)
}

oips_predict <- function(sel, x) {
  state <- state_of(sel)
  x <- if (length(state) == 0) as_input(x, "x") else later_input(x, oips_frame(sel), "x")
  check_finite(x, "x")
  if (length(state) == 0) numeric(nrow(x)) else core_set_predict(state$handle, x)
}

oips_frame <- function(sel) {
  if (!is_frame(state_of(sel)$frame)) {
    abort("input", "this object was not made by oips(), or was edited by hand.")
  }
  state_of(sel)$frame
}

oips_member <- function(sel, name, before) {
  if (!is_started(sel)) before else core_set_state(state_of(sel)$handle)[[name]]
}

oips_points <- function(sel) {
  points <- oips_member(sel, "points", matrix(numeric(), 0, 0))
  named_columns(points, state_of(sel)$frame$names)
}

oips_copy <- function(sel) {
  twin <- OIPS$new(spec_of(sel)$kernel, spec_of(sel)$rho)
  state <- state_of(sel)
  if (length(state) > 0) state$handle <- core_set_copy(state$handle)
  twin$state <- state
  twin
}

#' @export
update.OIPS <- function(object, ...) object$update(...)

#' @export
predict.OIPS <- function(object, ...) object$predict(...)

#' @export
print.OIPS <- function(x, ...) {
  cat("<OIPS> ", count(x$size, "point"), " from ", count(x$seen, "row"), ", rho ", format(x$rho),
    "\n", sep = "")
  cat("kernel: ", format(x$kernel), "\n", sep = "")
  invisible(x)
}
