# posterior: draws of the function, or of observations, as that package has them.

#' @rdname neighbours
#' @param x A model made by [streaming_gp()].
#' @param newdata Where to predict, as in [predict.StreamingGP()].
#' @param ndraws,seed The number of draws, and a seed for them, as in [simulate.StreamingGP()].
#' @param type `"latent"` for the function, `"response"` for observations.
#' @param ... Not used, or handed on.
#' @exportS3Method posterior::as_draws_matrix
as_draws_matrix.StreamingGP <- function(x, newdata, ndraws = 1000, seed = NULL,
                                        type = c("latent", "response"), ...) {
  check_no_dots(...)
  if (missing(newdata)) abort("input", "`newdata` is missing: say where to draw.")
  ndraws <- check_count(ndraws, "ndraws", 1, most = 1e7)
  type <- check_choice(type, c("latent", "response"), "type")
  refuse_several(x, "posterior")
  draws <- t(data.matrix(simulate.StreamingGP(x, ndraws, seed, newdata, type)))
  name <- if (type == "latent") "f" else "y"
  dimnames(draws) <- list(NULL, sprintf("%s[%d]", name, seq_len(ncol(draws))))
  posterior::as_draws_matrix(draws)
}

#' @exportS3Method posterior::as_draws
as_draws.StreamingGP <- function(x, ...) as_draws_matrix.StreamingGP(x, ...)

#' @exportS3Method posterior::as_draws_df
as_draws_df.StreamingGP <- function(x, ...) posterior::as_draws_df(as_draws_matrix.StreamingGP(x, ...))
