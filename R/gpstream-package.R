#' gpstream: Gaussian processes on data streams
#'
#' Gaussian process regression for data that keep arriving: each observation is seen once, the model chooses
#' its own inducing points from the stream, and predictions with honest uncertainty are ready at any time.
#' Start with [streaming_gp()] and `vignette("gpstream")`; the symbols used in the documentation and the code
#' are on the page [notation].
#'
#' @references
#' Galy-Fajou, T. and Opper, M. (2021) Adaptive Inducing Points Selection for Gaussian Processes.
#' arXiv:2107.10066.
#'
#' Bui, T. D., Nguyen, C. V. and Turner, R. E. (2017) Streaming Sparse Gaussian Process Approximations.
#' NeurIPS.
#' @useDynLib gpstream, .registration = TRUE
#' @importFrom Rcpp evalCpp
#' @importFrom methods new setRefClass
#' @importFrom stats coef family fitted formula logLik nobs predict residuals sigma simulate update
#' @importFrom graphics plot
#' @keywords internal
"_PACKAGE"

# Neighbours that have to be told of the package, whichever is loaded first. (Methods for generics of others
# wait in NAMESPACE until these are loaded.)
.onLoad <- function(libname, pkgname) {
  when_loaded("parsnip", register_parsnip)
  when_loaded("marginaleffects", register_marginaleffects)
}

when_loaded <- function(package, register) {
  if (isNamespaceLoaded(package)) register() else setHook(packageEvent(package, "onLoad"), register)
}
