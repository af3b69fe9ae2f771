#' Print, summarise and extract
#'
#' @param x,object A model made by [streaming_gp()].
#' @param digits Significant digits.
#' @param ... Not used.
#' @return `coef()` gives the parameters in use as a named vector, `nobs()` the number of observations
#'   absorbed, `sigma()` the standard deviation of the noise, `summary()` an
#'   object with more on how the model came about; `print()` its argument, invisibly. `residuals()`,
#'   `fitted()` and `logLik()` do not exist for a stream, and say why.
#' @examples
#' gp <- streaming_gp(dist ~ speed, data = cars)
#' gp
#' summary(gp)
#' coef(gp)
#' @name methods
NULL

#' @rdname methods
#' @export
print.StreamingGP <- function(x, digits = 4, ...) {
  digits <- check_digits(digits)
  info <- gp_info(x)
  cat("<StreamingGP> ", count(info$nobs, "observation"), ", ", count(info$size, "inducing point"), sep = "")
  if (is_started(x)) {
    cat(", ", count(info$columns, "input column"), "\n", sep = "")
  } else {
    cat("; waiting for the first batch\n")
  }
  if (!is.null(spec_of(x)$formula)) {
    cat("formula  ", deparse(spec_of(x)$formula, width.cutoff = 500)[1], "\n", sep = "")
  }
  cat("kernel   ", format(info$kernel, digits), "\n", sep = "")
  cat("noise    ", parameter(info$noise, digits, " (variance)"), "\n", sep = "")
  cat("mean     ", parameter(info$mean, digits), "\n", sep = "")
  cat("points   ", format(info$select), "\n", sep = "")
  cat("lookback ", if (is.infinite(info$lookback)) "every row" else count(info$lookback, "row"),
    "\n", sep = "")
  cat("learning ", format_learning(x), "\n", sep = "")
  invisible(x)
}

parameter <- function(value, digits, what = "") {
  if (is.na(value)) "from the data" else paste0(signif(value, digits), what)
}

#' @rdname methods
#' @export
summary.StreamingGP <- function(object, ...) {
  info <- gp_info(object)
  structure(
    list(
      info = info, learning = format_learning(object), formula = spec_of(object)$formula,
      coefficients = coef.StreamingGP(object), objective = object$objective, points = object$points,
      certificate = gp_certificate(object)
    ),
    class = "summary.StreamingGP"
  )
}

#' @export
print.summary.StreamingGP <- function(x, digits = 4, ...) {
  digits <- check_digits(digits)
  info <- x$info
  cat("Streaming Gaussian process",
    if (!is.null(x$formula)) paste0(": ", deparse(x$formula, width.cutoff = 500)[1]), "\n\n", sep = "")
  cat("kernel     ", format(info$kernel, digits), "\n", sep = "")
  cat("noise      ", parameter(info$noise, digits, " (variance)"), "\n", sep = "")
  cat("mean       ", parameter(info$mean, digits), "\n", sep = "")
  cat("seen       ", count(info$nobs, "observation"), " in ", count(info$batches, "update"), "\n", sep = "")
  cat("points     ", format(info$size), ", ", format(info$select), "\n", sep = "")
  if (info$refused > 0) {
    cat("           ", count(info$refused, "candidate"), " refused: nothing the points did not say already\n",
      sep = "")
  }
  if (info$turned_away > 0) {
    cat("           ", count(info$turned_away, "row"), " turned away because the limit was reached\n",
      sep = "")
  }
  limit <- if (is.infinite(info$lookback)) ", every one" else paste(" of at most", whole(info$lookback))
  cat("lookback   ", count(info$window, "row"), " kept", limit, "\n", sep = "")
  cat("learning   ", x$learning, "\n", sep = "")
  if (info$nobs > 0) {
    sure <- x$certificate
    if (sure$foreign < info$nobs) {
      cat("residual   ", signif(unexplained(sure), digits),
        " of the prior variance left unexplained by the points, on average\n", sep = "")
    }
    cat("condition  ", format(sure$condition, digits = 2), " of the correlation matrix of the points\n",
      sep = "")
    cat("objective  ", format(x$objective, digits = digits + 2), "\n", sep = "")
    cat("evidence   ", if (is.na(sure$lower)) "no bracket: the kernel was changed" else
      paste0("log evidence between ", format(sure$lower, digits = digits + 2), " and ",
        format(sure$upper, digits = digits + 2)), "\n", sep = "")
    if (!is.na(sure$kl)) {
      cat("posterior  at most ", signif(sure$kl, digits),
        " nats from the exact one; more in gp$certificate()\n", sep = "")
    }
  }
  if (info$size > 0) {
    columns <- rbind(min = apply(x$points, 2, min), max = apply(x$points, 2, max))
    if (is.null(colnames(columns))) colnames(columns) <- paste("column", seq_len(ncol(columns)))
    cat("\nrange of the inducing points\n")
    print(signif(columns, digits))
  }
  invisible(x)
}

#' @rdname methods
#' @export
coef.StreamingGP <- function(object, ...) {
  info <- gp_info(object)
  c(kernel_parameters(info$kernel, state_of(object)$frame$names), noise = info$noise, mean = info$mean)
}

# The variance first; NA where a parameter is still to be found.
kernel_parameters <- function(kernel, columns) {
  if (is_composite(kernel)) {
    parts <- lapply(kernel$parts, kernel_parameters, columns)
    names(parts) <- make.unique(vapply(kernel$parts, `[[`, "", "name"), sep = "")
    return(unlist(parts))
  }
  open <- names(kernel) != "name" & !vapply(kernel, is.numeric, logical(1))
  # the core knows them by name; what is open has no value
  known <- core_kernel_parameters(replace(kernel, open, 1))
  values <- replace(known$value, known$name %in% names(kernel)[open], NA)
  names(values) <- known$name
  ard <- grepl("^lengthscale[0-9]", known$name)
  names(values)[ard] <- paste0("lengthscale.", if (is.null(columns)) seq_len(sum(ard)) else columns)
  values[order(known$name != "variance")]
}

#' @rdname methods
#' @export
nobs.StreamingGP <- function(object, ...) object$nobs

#' @rdname methods
#' @export
sigma.StreamingGP <- function(object, ...) sqrt(object$noise)

#' @rdname methods
#' @export
formula.StreamingGP <- function(x, ...) spec_of(x)$formula

#' @rdname methods
#' @export
residuals.StreamingGP <- function(object, ...) {
  abort("input", "a stream has no residuals: its data are gone. Use y - predict(gp, x) on data at hand.")
}

#' @rdname methods
#' @export
fitted.StreamingGP <- function(object, ...) {
  abort("input", "a stream has no fitted values: its data are gone. Use predict(gp, x) on data at hand.")
}

#' @rdname methods
#' @export
logLik.StreamingGP <- function(object, ...) {
  abort("input",
    "a streaming model has no log likelihood, only a variational objective, gp$objective, ",
    "and a bracket on the log evidence, gp$certificate().")
}
