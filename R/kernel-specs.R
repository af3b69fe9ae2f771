#' Kernels
#'
#' A kernel says how alike the outputs at two inputs are expected to be. These functions make plain, immutable
#' specifications that are given to [streaming_gp()] or [oips()].
#'
#' With \eqn{r = |x - x'| / l}, the distance in lengthscales, and variance \eqn{v}:
#'
#' | constructor | kernel |
#' |---|---|
#' | `kernel_se()` | \eqn{v \exp(-r^2)} |
#' | `kernel_matern12()` | \eqn{v \exp(-r)} |
#' | `kernel_matern32()` | \eqn{v (1 + \sqrt 3 r) \exp(-\sqrt 3 r)} |
#' | `kernel_matern52()` | \eqn{v (1 + \sqrt 5 r + 5 r^2 / 3) \exp(-\sqrt 5 r)} |
#' | `kernel_rq()` | \eqn{v (1 + r^2 / \alpha)^{-\alpha}} |
#'
#' The squared exponential has **no factor 1/2**, as in the paper this package implements: its lengthscale is
#' \eqn{\sqrt 2} times that of most other software. Kernels can be added and multiplied: `k1 + k2`, `k1 * k2`.
#'
#' A model that is given no kernel, `streaming_gp(kernel = NULL)`, has the evidence choose among the first
#' four, each with `lengthscale = "ard"`, and a sum of `kernel_matern52()` and a shorter `kernel_matern12()`.
#'
#' @param lengthscale One positive number (isotropic), one per column of the inputs (ARD), or to be found by
#'   the model: `NULL` for one, `"ard"` for one per column.
#' @param variance The variance of the process, a positive number; `NULL` to be found.
#' @param alpha Shape of the rational quadratic kernel, a positive number: small for a mixture of many
#'   lengthscales, large for nearly one (the squared exponential); `NULL` to be found.
#' @return An object of class `gpstream_kernel`.
#' @seealso [kernel_matrix()], [kernel_radius()]
#' @examples
#' kernel_se(lengthscale = 0.5, variance = 2)
#' kernel_matern52(lengthscale = c(1, 10))          # one lengthscale per column
#' kernel_se(10) + kernel_matern12(0.5, variance = 0.1)
#' @name kernels
NULL

#' @rdname kernels
#' @export
kernel_se <- function(lengthscale = NULL, variance = NULL) new_kernel("se", lengthscale, variance)

#' @rdname kernels
#' @export
kernel_matern12 <- function(lengthscale = NULL, variance = NULL) new_kernel("matern12", lengthscale, variance)

#' @rdname kernels
#' @export
kernel_matern32 <- function(lengthscale = NULL, variance = NULL) new_kernel("matern32", lengthscale, variance)

#' @rdname kernels
#' @export
kernel_matern52 <- function(lengthscale = NULL, variance = NULL) new_kernel("matern52", lengthscale, variance)

#' @rdname kernels
#' @export
kernel_rq <- function(lengthscale = NULL, variance = NULL, alpha = 1) {
  new_kernel("rq", lengthscale, variance, alpha = if (!is.null(alpha)) check_positive(alpha, "alpha"))
}

new_kernel <- function(name, lengthscale, variance, ...) {
  if (!is.null(variance)) variance <- check_variance(variance, "variance")
  ok <- is.null(lengthscale) || identical(lengthscale, "ard") ||
    (is.numeric(lengthscale) && !is.object(lengthscale) && length(lengthscale) > 0 &&
      all(is.finite(lengthscale)) && all(lengthscale > 0))
  if (!ok) {
    abort("parameter", "`lengthscale` must be one positive number, one per column, \"ard\" or NULL, not ",
      describe(lengthscale), ".")
  }
  if (is.numeric(lengthscale)) lengthscale <- as.double(lengthscale)
  structure(list(name = name, lengthscale = lengthscale, variance = variance, ...), class = "gpstream_kernel")
}

#' @rdname kernels
#' @param e1,e2 Kernels.
#' @export
`+.gpstream_kernel` <- function(e1, e2) combine_kernels("sum", e1, e2)

#' @rdname kernels
#' @export
`*.gpstream_kernel` <- function(e1, e2) combine_kernels("product", e1, e2)

combine_kernels <- function(name, e1, e2) {
  if (missing(e2)) abort("parameter", "a kernel can be added to or multiplied by another kernel only.")
  parts <- list(e1, e2)
  for (part in parts) {
    if (!inherits(part, "gpstream_kernel")) {
      abort("parameter", "a kernel can be added to or multiplied by another kernel only, not ",
        describe(part), "; to scale one, set its `variance`.")
    }
  }
  parts <- unlist(
    lapply(parts, function(part) if (part$name == name) part$parts else list(part)), recursive = FALSE
  )
  # the amplitude of a product is that of its first factor: one whose variance is open, where there is one
  if (name == "product") {
    parts <- parts[order(!vapply(parts, function(part) core_kernel_open(part)$amplitude, NA))]
  }
  complete_composite(structure(list(name = name, variance = NULL, parts = parts), class = "gpstream_kernel"))
}

is_composite <- function(kernel) !is.null(kernel$parts)

# The amplitude of a sum is the sum of its parts' amplitudes, that of a product their product; unknown until
# all are known.
complete_composite <- function(kernel) {
  variances <- lapply(kernel$parts, `[[`, "variance")
  known <- !any(vapply(variances, is.null, logical(1)))
  together <- if (kernel$name == "sum") sum else prod
  kernel["variance"] <- list(if (known) together(unlist(variances)))
  kernel
}

#' Kernel matrix
#'
#' @param kernel A [kernel][kernels] whose lengthscale is given. A variance that is not given counts as 1.
#' @param x,z Inputs: a numeric vector (one column), a matrix or a data frame; rows are observations.
#' @return The matrix of kernel values, one row for each row of `x` and one column for each row of `z`.
#' @examples
#' kernel_matrix(kernel_se(lengthscale = 1), 0:3)
#' @export
kernel_matrix <- function(kernel, x, z = x) {
  check_kernel(kernel)
  x <- as_input(x, "x")
  z <- as_input(z, "z")
  if (ncol(z) != ncol(x)) {
    abort("dimension", "`z` has ", ncol(z), " column", plural(ncol(z)), ", but `x` has ", ncol(x), ".")
  }
  check_finite(x, "x")
  check_finite(z, "z")
  out <- core_kernel_matrix(kernel_in_use(kernel, x), x, z)
  if (!is.null(rownames(x)) || !is.null(rownames(z))) dimnames(out) <- list(rownames(x), rownames(z))
  out
}

#' Distance at which the correlation falls to rho
#'
#' An inducing point chosen by [select_oips()] covers the inputs within this distance of it.
#'
#' @inheritParams kernel_matrix
#' @param rho Correlation, between 0 and 1.
#' @return The distance, one number; for a kernel with one lengthscale per column, the distance along each
#'   column.
#' @examples
#' kernel_radius(kernel_se(lengthscale = 2), rho = 0.8)
#' kernel_radius(kernel_matern32(lengthscale = c(1, 5)), rho = 0.8)
#' @export
kernel_radius <- function(kernel, rho) {
  check_kernel(kernel)
  rho <- check_fraction(rho, "rho")
  columns <- max(lengthscale_counts(kernel))
  core_kernel_radius(kernel_in_use(kernel, matrix(0, 0, columns)), rho, columns)
}

lengthscale_counts <- function(kernel) {
  if (is_composite(kernel)) unlist(lapply(kernel$parts, lengthscale_counts)) else length(kernel$lengthscale)
}

# For functions that have no batch to take a lengthscale from.
kernel_in_use <- function(kernel, x) {
  if (any(lengthscale_counts(kernel) == 0) || has_ard(kernel)) {
    abort("parameter", "`kernel` has no lengthscale; give one, such as kernel_se(lengthscale = 1).")
  }
  resolve_kernel(kernel, x)
}

# What is open is taken from rows; an amplitude that is, is 1.
resolve_kernel <- function(kernel, x) core_kernel_resolve(kernel, unname(x), 1)

kernel_extras <- function(kernel) setdiff(names(kernel), c("name", "lengthscale", "variance"))

has_ard <- function(kernel) {
  if (is_composite(kernel)) {
    any(vapply(kernel$parts, has_ard, logical(1)))
  } else {
    identical(kernel$lengthscale, "ard")
  }
}

kernel_titles <- c(
  se = "squared exponential", matern12 = "Matern 1/2", matern32 = "Matern 3/2", matern52 = "Matern 5/2",
  rq = "rational quadratic", sum = "sum", product = "product"
)

#' @export
format.gpstream_kernel <- function(x, digits = 4, ...) {
  digits <- check_digits(digits)
  if (is_composite(x)) {
    parts <- vapply(x$parts, format, "", digits = digits)
    grouped <- vapply(x$parts, is_composite, logical(1))
    parts[grouped] <- paste0("(", parts[grouped], ")")
    return(paste(parts, collapse = if (x$name == "sum") " + " else " * "))
  }
  number <- function(value) {
    if (is.null(value)) {
      "from the data"
    } else if (is.character(value)) {
      "one per column, from the data"
    } else {
      paste(signif(value, digits), collapse = ", ")
    }
  }
  extras <- kernel_extras(x)
  settings <- c("lengthscale", "variance", extras)
  paste0(kernel_titles[[x$name]], " (",
    paste(settings, vapply(settings, function(s) number(x[[s]]), ""), collapse = "; "), ")")
}

#' @export
print.gpstream_kernel <- function(x, ...) {
  cat("<kernel> ", format(x, ...), "\n", sep = "")
  invisible(x)
}
