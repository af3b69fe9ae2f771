#' Likelihoods
#'
#' How an observation comes from the latent function: here, the function plus Gaussian noise. Its variance is
#' the `noise` argument of [streaming_gp()].
#'
#' @return An object of class `gpstream_likelihood`.
#' @examples
#' likelihood_gaussian()
#' @export
likelihood_gaussian <- function() structure(list(name = "gaussian"), class = "gpstream_likelihood")

#' @export
print.gpstream_likelihood <- function(x, ...) {
  cat("<likelihood> ", x$name, "\n", sep = "")
  invisible(x)
}
