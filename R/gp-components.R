#' The parts of a prediction
#'
#' What each term of a model adds to its prediction: the constant, the trend in each column, and each kernel
#' of a sum.
#'
#' Parts are those of the latent function, with the covariances of its joint posterior: their standard errors
#' are not independent, and do not add up. What the data cannot tell apart, a constant and a slowly varying
#' kernel say, has large standard errors in each part and a small one in the sum.
#'
#' @param object A model made by [streaming_gp()].
#' @param newdata Where to predict, as for [predict.StreamingGP()].
#' @param cov Also give the covariances of the parts in each row?
#' @param centred Give each kernel's part as what it is beside its mean over the inducing points, and these
#'   means to the constant? What rows cannot tell apart, the level of a season and the constant say, then no
#'   longer makes the parts look uncertain. `plot(gp, "components")` shows them so.
#' @param ... Not used.
#' @return A data frame with a line for each row of `newdata` and each part: `row`, its number; `term`, a
#'   factor; `fit` and `se.fit`. The fits of a row add up to `predict(type = "latent")`, which is `predict()`
#'   for Gaussian noise. With `cov`, its attribute `"cov"` is an array with a matrix for each row. Of several
#'   outputs those of each, with a column `output` (and a list of such arrays).
#' @examples
#' set.seed(1)
#' x <- sort(runif(300, 0, 10))
#' y <- 0.3 * x + sin(6 * x) + rnorm(300, sd = 0.2)
#' gp <- streaming_gp(kernel = kernel_se(5) + kernel_se(0.3))
#' gp$update(x, y)
#' parts <- components(gp, c(2, 5))
#' parts
#' tapply(parts$fit, parts$row, sum) - predict(gp, c(2, 5))
#' @export
components <- function(object, ...) UseMethod("components")

#' @rdname components
#' @export
components.StreamingGP <- function(object, newdata, cov = FALSE, centred = FALSE, ...) {
  check_no_dots(...)
  if (missing(newdata)) {
    abort("input", "`newdata` is missing: the data the model has seen are gone, so say where to predict.")
  }
  check_flag(cov, "cov")
  check_flag(centred, "centred")
  if (likelihood_of(object)$name == "categorical") {
    abort("likelihood", "components() is for one latent function; each class has one of its own.")
  }
  if (!is.null(output_names(object))) return(components_of_outputs(object, newdata, cov, centred))
  reader <- prediction_model(object, newdata)
  rows <- complete_rows(reader$x, reader$offset)
  found <- component_parts(object, reader$handle, rows$x, centred, reader$frame)
  terms <- found$terms
  K <- length(terms)
  variance <- pmax(found$cov[, (seq_len(K) - 1) * K + seq_len(K), drop = FALSE], 0)
  fit <- rows$fill_rows(`colnames<-`(found$mean, terms))
  se <- rows$fill_rows(`colnames<-`(sqrt(variance), terms))
  if (!is.null(rows$offset)) {
    fit <- cbind(fit, offset = rows$fill(rows$offset))
    se <- cbind(se, offset = 0 * rows$fill(rows$offset))
  }
  out <- data.frame(
    row = rep(seq_len(nrow(fit)), ncol(fit)),
    term = factor(rep(colnames(fit), each = nrow(fit)), colnames(fit)), fit = as.vector(fit),
    se.fit = as.vector(se)
  )
  if (cov) {
    joint <- rows$fill_rows(found$cov)
    attr(out, "cov") <- array(joint, c(nrow(joint), K, K), list(NULL, terms, terms))
  }
  out
}

# Parts of one name, the line and the walk of trend() say, are one term: `mean` and `cov` as the core has
# them, with `terms`.
component_parts <- function(gp, handle, x, centred, frame = NULL) {
  found <- core_gp_components(handle, x, TRUE, centred)
  names <- term_names(gp, handle, frame)
  terms <- unique(names)
  if (length(terms) < length(names)) {
    to <- outer(names, terms, `==`) + 0
    found$mean <- found$mean %*% to
    found$cov <- found$cov %*% (to %x% to)
  }
  c(found, list(terms = terms))
}

# The constant, the columns of the trend, the kernels of a sum: as core_gp_components() has them. `frame`:
# that of the new data, before the first batch, when there is no trend yet.
term_names <- function(gp, handle, frame = NULL) {
  info <- core_gp_info(handle)
  if (is_started(gp)) frame <- state_of(gp)$frame
  names <- if (is.null(frame)) paste0("x", seq_len(info$columns)) else input_names(frame)
  slopes <- info$trend$columns
  asked <- utils::head(slopes, info$trend$asked)
  special <- !is.null(frame$special)
  kernels <- if (special) {
    vapply(kernel_terms_of(frame), `[[`, "", "label")
  } else {
    kernel_terms(info$kernel, names)
  }
  if (length(kernels) == 0) kernels <- "constant"
  # trend() in the formula, or `mean` as an argument
  by_formula <- special && length(trends_of(frame)) > 0
  lines <- if (by_formula) trend_labels(frame) else sprintf("trend.%s", names[asked])
  untold <- untold_terms(slopes[seq_along(slopes) > length(asked)], info$kernel, kernels)
  c("constant", if (length(asked) > 0) lines, untold, kernels)
}

# What columns without spread would add (with_untold() in src/core/learn/wishes.h) belongs to the first kernel
# that looks at them.
untold_terms <- function(columns, kernel, terms) {
  several <- identical(kernel$name, "sum") && length(kernel$parts) == length(terms)
  parts <- if (several) kernel$parts else list(kernel)
  sees <- function(part, column) {
    if (is_composite(part)) return(any(vapply(part$parts, sees, NA, column)))
    length(part$columns) == 0 || column %in% part$columns
  }
  vapply(columns, function(column) terms[which(vapply(parts, sees, NA, column))[1]], "")
}

# One name for each of the kernels that are added up.
kernel_terms <- function(kernel, names) {
  parts <- if (identical(kernel$name, "sum")) kernel$parts else list(kernel)
  label <- function(part) {
    seen <- part$columns
    if (length(seen) == 0) part$name else paste0(part$name, "(", paste(names[seen], collapse = ", "), ")")
  }
  make.unique(vapply(parts, label, ""), sep = " ")
}

# Those of each output, one below the other.
components_of_outputs <- function(gp, newdata, cov, centred) {
  each <- each_output(gp, components.StreamingGP, newdata, cov, centred)
  out <- stack_outputs(each)
  if (cov) attr(out, "cov") <- lapply(each, attr, "cov")
  out
}
