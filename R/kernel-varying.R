#' Kernels for functions whose smoothness varies
#'
#' `kernel_gibbs()` is a squared exponential whose lengthscale varies along a column; `kernel_warped()` is any
#' kernel on a column that is stretched here and compressed there.
#'
#' In both, the logarithm \eqn{s(x)} of a factor is straight between knots, constant beyond them and 0 at the
#' first. In Gibbs' kernel all lengthscales are \eqn{l_d \exp(s(x))}, in a warped one distances along the
#' column are \eqn{\exp(-s(x))} times what they are at the first knot. Where the function is wiggly, the
#' lengthscale is short, points correlate less, and [select_oips()] puts more of them there.
#'
#' @param lengthscale,variance,columns As for other [kernels]; the lengthscale is that at the first knot.
#' @param knots How many knots there are, which are then spread over the first rows, or where they are.
#' @param values \eqn{s} at each knot but the first, between -4 and 4; `NULL`: to be found.
#' @param along The column along which the lengthscale varies, or that is stretched: its name or its number
#'   among all columns of the inputs. `NULL`: the first that the kernel looks at.
#' @param kernel The kernel on the stretched column.
#' @return An object of class `gpstream_kernel`.
#' @references
#' Gibbs, M. N. (1997) Bayesian Gaussian Processes for Regression and Classification. PhD thesis, Cambridge.
#' @seealso [kernels]
#' @examples
#' kernel_gibbs(lengthscale = 0.2, knots = c(0, 5), values = 2)
#' kernel_warped(kernel_matern52())
#' @export
kernel_gibbs <- function(lengthscale = NULL, variance = NULL, knots = 4, values = NULL, along = NULL,
                         columns = NULL) {
  fields <- c(list("gibbs", lengthscale, variance, columns), varying(knots, values, along))
  do.call(new_kernel, fields, quote = TRUE) # a call among them is no argument, and is not to be run
}

#' @rdname kernel_gibbs
#' @export
kernel_warped <- function(kernel = kernel_se(), along = NULL, knots = 4, values = NULL, columns = NULL) {
  kernel <- check_kernel(kernel)
  if (!is.null(columns)) {
    if (is_composite(kernel) || !is.null(kernel$columns)) {
      abort("parameter", "`columns` of kernel_warped() are those of `kernel`; give them there.")
    }
    kernel$columns <- check_kernel_columns(columns, "columns")
  }
  seen <- each_kernel(kernel, function(k) k$columns)
  if (is.null(along) && length(seen) > 0) along <- seen[1]
  structure(
    c(list(name = "warped", variance = kernel$variance, parts = list(kernel)), varying(knots, values, along)),
    class = "gpstream_kernel"
  )
}

# An amplitude that varies along a column: a factor of kernel_spectral().
kernel_amplitude <- function(variance = NULL, knots = 4, values = NULL, along = NULL, columns = NULL) {
  fields <- c(list("amplitude", variance, columns), varying(knots, values, along))
  do.call(make_kernel, fields, quote = TRUE)
}

# What varies along a column.
varying <- function(knots, values, along) {
  knots <- check_numbers(knots, "knots")
  K <- if (length(knots) == 1) knots else length(knots)
  if (K < 2 || K > 50 || K != round(K) || (length(knots) > 1 && any(diff(knots) <= 0))) {
    abort("parameter", "`knots` must be their number, from 2 to 50, or rising numbers, not ",
      paste(signif(utils::head(knots, 5), 4), collapse = ", "), ".")
  }
  if (!is.null(values)) {
    values <- check_numbers(values, "values")
    if (length(values) != K - 1 || any(abs(values) > 4)) {
      abort("parameter", "`values` must be ", count(K - 1, "number"), " from -4 to 4, one for each knot but ",
        "the first, not ", describe(values), ".")
    }
  }
  along <- check_kernel_columns(along, "along")
  if (length(along) > 1) abort("parameter", "`along` must be one column, not ", length(along), ".")
  c(list(knots = knots, values = values), if (!is.null(along)) list(along = along))
}
