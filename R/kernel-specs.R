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
#' Others are for [waves][kernel_periodic] (`kernel_periodic()`, `kernel_cosine()`, `kernel_spectral()`), for
#' [lines, walks and levels][kernel_linear] (`kernel_linear()`, `kernel_constant()`, `kernel_brownian()`,
#' `kernel_factor()`), and for functions whose [smoothness varies][kernel_gibbs] (`kernel_gibbs()`,
#' `kernel_warped()`). With `columns` every kernel looks at some columns of the inputs only, so that
#' `kernel_se(columns = c("lon", "lat")) + kernel_periodic("24 hours", columns = "time")` is a model.
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
#' @param columns The columns of the inputs that the kernel looks at, by name or number; a factor of a formula
#'   by its name. `NULL`: all.
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
kernel_se <- function(lengthscale = NULL, variance = NULL, columns = NULL) {
  new_kernel("se", lengthscale, variance, columns)
}

#' @rdname kernels
#' @export
kernel_matern12 <- function(lengthscale = NULL, variance = NULL, columns = NULL) {
  new_kernel("matern12", lengthscale, variance, columns)
}

#' @rdname kernels
#' @export
kernel_matern32 <- function(lengthscale = NULL, variance = NULL, columns = NULL) {
  new_kernel("matern32", lengthscale, variance, columns)
}

#' @rdname kernels
#' @export
kernel_matern52 <- function(lengthscale = NULL, variance = NULL, columns = NULL) {
  new_kernel("matern52", lengthscale, variance, columns)
}

#' @rdname kernels
#' @export
kernel_rq <- function(lengthscale = NULL, variance = NULL, alpha = 1, columns = NULL) {
  new_kernel("rq", lengthscale, variance, columns,
    alpha = if (!is.null(alpha)) check_positive(alpha, "alpha"))
}

# One with lengthscales. What is open is NULL.
new_kernel <- function(name, lengthscale, variance, columns, ...) {
  make_kernel(name, variance, columns, lengthscale = check_lengthscale(lengthscale), ...)
}

make_kernel <- function(name, variance, columns, ...) {
  if (!is.null(variance)) variance <- check_variance(variance, "variance")
  columns <- check_kernel_columns(columns, "columns")
  fields <- list(name = name, ...)
  at <- match("lengthscale", names(fields), nomatch = 1) # the variance comes after it
  fields <- append(fields, list(variance = variance), at)
  if (!is.null(columns)) fields$columns <- columns
  structure(fields, class = "gpstream_kernel")
}

check_lengthscale <- function(lengthscale) {
  ok <- is.null(lengthscale) || identical(lengthscale, "ard") ||
    (is.numeric(lengthscale) && !is.object(lengthscale) && length(lengthscale) > 0 &&
      all(is.finite(lengthscale)) && all(lengthscale > 0))
  if (!ok) {
    abort("parameter", "`lengthscale` must be one positive number, one per column, \"ard\" or NULL, not ",
      describe(lengthscale), ".")
  }
  if (is.numeric(lengthscale)) as.double(lengthscale) else lengthscale
}

# Names or numbers of columns of the inputs; NULL: all.
check_kernel_columns <- function(columns, arg) {
  if (is.null(columns)) return(NULL)
  whole_numbers <- is.numeric(columns) && !is.object(columns) && all(is.finite(columns)) &&
    all(columns >= 1 & columns <= 1e6 & columns == round(columns))
  names <- is.character(columns) && !anyNA(columns) && all(nzchar(columns))
  if (!(whole_numbers || names) || length(columns) == 0 || anyDuplicated(columns)) {
    abort("parameter", "`", arg, "` must be names or numbers of columns of the inputs, each once, not ",
      describe(columns), ".")
  }
  if (is.character(columns)) columns else as.double(columns)
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
    parts <- parts[order(!vapply(parts, has_open_amplitude, NA))]
  }
  complete_composite(structure(list(name = name, variance = NULL, parts = parts), class = "gpstream_kernel"))
}

has_open_amplitude <- function(kernel) {
  if (!is_composite(kernel)) return(is.null(kernel$variance))
  if (kernel$name != "sum") return(has_open_amplitude(kernel$parts[[1]]))
  all(vapply(kernel$parts, has_open_amplitude, NA))
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
  columns <- max(1, each_kernel(kernel, function(k) {
    c(length(k$lengthscale), length(k$frequency), columns_by_number(k$columns))
  }))
  core_kernel_radius(kernel_in_use(kernel, matrix(0, 0, columns)), rho, columns)
}

# Where there are no inputs that could have names.
columns_by_number <- function(columns) {
  if (!is.character(columns)) return(columns)
  abort("parameter", "`kernel` has columns by name (", backtick(columns), "), but there are no inputs here; ",
    "give their numbers.")
}

# One function of each kernel that is not made of others.
each_kernel <- function(kernel, f) {
  if (is_composite(kernel)) unlist(lapply(kernel$parts, each_kernel, f)) else f(kernel)
}

lengthscale_counts <- function(kernel) each_kernel(kernel, function(k) length(k$lengthscale))

has_ard <- function(kernel) any(each_kernel(kernel, function(k) identical(k$lengthscale, "ard")))

# For functions that have no batch to take a lengthscale from.
kernel_in_use <- function(kernel, x) {
  lacks <- each_kernel(kernel, function(k) "lengthscale" %in% names(k) && !is.numeric(k$lengthscale))
  if (any(lacks)) {
    abort("parameter", "`kernel` has no lengthscale; give one, such as kernel_se(lengthscale = 1).")
  }
  resolve_kernel(kernel, x)
}

# What is open is taken from rows; an amplitude that is, is 1.
resolve_kernel <- function(kernel, x) {
  core_kernel_resolve(kernel_for(kernel, input_frame(x)), unname(x), 1)
}

# Correlations of rows with others, whatever their variances; 1 where there is none.
kernel_correlation <- function(kernel, x, z) {
  variances <- outer(core_kernel_diagonal(kernel, x), core_kernel_diagonal(kernel, z))
  out <- abs(core_kernel_matrix(kernel, x, z)) / sqrt(variances)
  out[variances == 0] <- 1
  out
}

kernel_titles <- c(
  se = "squared exponential", matern12 = "Matern 1/2", matern32 = "Matern 3/2", matern52 = "Matern 5/2",
  rq = "rational quadratic", periodic = "periodic", cosine = "cosine", constant = "constant",
  linear = "linear", brownian = "Brownian motion", integrated_brownian = "integrated Brownian motion",
  factor = "factor", gibbs = "Gibbs", amplitude = "amplitude", warped = "warped", sum = "sum",
  product = "product"
)

#' @export
format.gpstream_kernel <- function(x, digits = 4, ...) {
  digits <- check_digits(digits)
  settings <- format_settings(x, digits)
  if (x$name == "warped") return(paste0("warped(", format(x$parts[[1]], digits), "; ", settings, ")"))
  if (is_composite(x)) {
    parts <- vapply(x$parts, format, "", digits = digits)
    grouped <- vapply(x$parts, function(part) part$name %in% c("sum", "product"), logical(1))
    parts[grouped] <- paste0("(", parts[grouped], ")")
    return(paste(parts, collapse = if (x$name == "sum") " + " else " * "))
  }
  title <- kernel_titles[[x$name]]
  if (isTRUE(x$any)) title <- "squared exponential or Matern"
  if (!is.null(x$columns)) {
    shown <- if (is.null(names(x$columns))) x$columns else unique(names(x$columns))
    title <- paste(title, "on", paste(shown, collapse = ", "))
  }
  paste0(title, " (", settings, ")")
}

# What a kernel has beside its name, its columns and its parts, and what it was made of stays untold.
format_settings <- function(x, digits) {
  number <- function(value) {
    if (is.null(value)) {
      "from the data"
    } else if (identical(value, "ard")) {
      "one per column, from the data"
    } else {
      paste(if (is_duration(value)) format_period(value) else signif(value, digits), collapse = ", ")
    }
  }
  shown <- setdiff(names(x), c("name", "parts", "columns", "any", "along", "origin", "scale",
    if (length(x$knots) == 1) "knots", if (is_composite(x)) "variance"))
  paste(shown, vapply(shown, function(s) number(x[[s]]), ""), collapse = "; ")
}

#' @export
print.gpstream_kernel <- function(x, ...) {
  cat("<kernel> ", format(x, ...), "\n", sep = "")
  invisible(x)
}
