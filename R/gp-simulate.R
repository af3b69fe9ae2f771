#' Draws from the posterior
#'
#' Draws functions from the joint posterior at given inputs: the rows of one draw belong together.
#'
#' @param object A model made by [streaming_gp()].
#' @param nsim Number of draws.
#' @param seed `NULL`, or a seed for this call only; the state of the generator is put back afterwards.
#' @param newdata Where to draw, as for [predict.StreamingGP()].
#' @param type `"latent"` for draws of the function, `"response"` for draws of observations, with noise.
#' @param ... Not used.
#' @return A data frame with one row for each row of `newdata` and one column for each draw. As with
#'   [stats::simulate()], its attribute `"seed"` is the state of the generator before the draws. Of several
#'   outputs, an array: rows, draws, outputs.
#' @examples
#' gp <- streaming_gp(kernel = kernel_se(lengthscale = 5), noise = 100)
#' gp$update(cars$speed, cars$dist)
#' at <- seq(0, 30, length.out = 100)
#' matplot(at, simulate(gp, 5, seed = 1, newdata = at), type = "l", lty = 1)
#' @export
simulate.StreamingGP <- function(object, nsim = 1, seed = NULL, newdata, type = c("latent", "response"),
                                 ...) {
  check_no_dots(...)
  if (missing(newdata)) abort("input", "`newdata` is missing: say where to draw.")
  nsim <- check_count(nsim, "nsim", 1, most = .Machine$integer.max)
  type <- check_choice(type, c("latent", "response"), "type")

  if (!exists(".Random.seed", envir = globalenv(), inherits = FALSE)) stats::runif(1)
  before <- used <- get(".Random.seed", envir = globalenv(), inherits = FALSE)
  if (!is.null(seed)) {
    on.exit(assign(".Random.seed", before, envir = globalenv()))
    set.seed(check_count(seed, "seed", -.Machine$integer.max, most = .Machine$integer.max))
    used <- structure(seed, kind = as.list(RNGkind()))
  }
  if (!is.null(output_names(object))) {
    return(structure(simulate_outputs(object, nsim, newdata, type), seed = used))
  }
  reader <- prediction_model(object, newdata)
  rows <- complete_rows(reader$x, reader$offset)
  new <- predictive_at(reader$handle, rows$x, offset = rows$offset)
  if (type == "latent" && new$likelihood$name == "categorical") {
    abort("parameter", "`type` must be \"response\" for classes: each of them has a latent function.")
  }
  draws <- vapply(seq_len(latents(new$likelihood)), function(k) {
    draw_function(as.matrix(new$mean)[, k], core_gp_covariance(reader$handle, rows$x, k), nsim)
  }, numeric(nrow(rows$x) * nsim))
  # given the functions, observations are independent
  drawn <- if (type == "latent") {
    as.matrix(draws)[, 1]
  } else {
    predictive_draw(new_predictive(draws, 0 * draws, new$dispersion, new$likelihood))
  }
  draws <- rows$fill_rows(matrix(drawn, ncol = nsim))
  colnames(draws) <- paste0("sim_", seq_len(nsim))
  out <- as.data.frame(draws)
  classes <- if (type == "response" && is_started(object)) gp_frame(object)$classes
  if (!is.null(classes)) out[] <- lapply(out, drawn_classes, classes, likelihood_of(object)$name)
  if (!is.null(rows$names)) row.names(out) <- rows$names
  attr(out, "seed") <- used
  out
}

# Numbers as the classes that they stand for.
drawn_classes <- function(y, classes, name) {
  factor(classes[if (from_one(name)) y else y + 1], classes, ordered = name == "ordinal")
}

# Draws of a function, one after the other; some at a time, or a product of large matrices could not be
# interrupted.
draw_function <- function(mean, cov, nsim) {
  n <- length(mean)
  if (n == 0) return(numeric())
  root <- covariance_root(cov)
  numbers <- matrix(stats::rnorm(nrow(root) * nsim), nrow(root))
  out <- matrix(mean, n, nsim)
  for (some in split(seq_len(nsim), ceiling(seq_len(nsim) * length(root) / 2e8))) {
    out[, some] <- out[, some] + crossprod(root, numbers[, some, drop = FALSE])
  }
  as.double(out)
}

# R with R'R = cov, which may be singular: neighbouring inputs are nearly the same. The Cholesky factor with
# pivots ends where what is left is rounding; what follows there is none of the matrix.
covariance_root <- function(cov) {
  if (nrow(cov) > 2000) return(covariance_root_by_panels(cov))
  root <- suppressWarnings(chol(cov, pivot = TRUE))
  rank <- attr(root, "rank")
  if (rank < nrow(root)) root[seq(rank + 1, nrow(root)), ] <- 0
  root[, order(attr(root, "pivot")), drop = FALSE]
}

# The same for many rows, some rows of the factor at a time: between them R can be interrupted.
covariance_root_by_panels <- function(cov, panel = 64) {
  n <- nrow(cov)
  left <- diag(cov) # of the variances
  least <- n * .Machine$double.eps * max(left)
  panels <- list()
  while (max(left) > least) {
    columns <- matrix(0, n, panel)
    for (k in seq_len(panel)) {
      i <- which.max(left)
      if (left[i] <= least) break
      columns[, k] <- (cov[, i] - as.vector(columns %*% columns[i, ])) / sqrt(left[i])
      left <- left - columns[, k]^2
      left[i] <- 0
    }
    panels <- c(panels, list(columns))
    for (some in split(seq_len(n), ceiling(seq_len(n) * n * panel / 1e8))) {
      cov[, some] <- cov[, some] - tcrossprod(columns, columns[some, , drop = FALSE])
    }
  }
  t(do.call(cbind, panels))
}
