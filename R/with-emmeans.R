# emmeans: the grid is where the model is asked. Its coefficients are the values of the function there, with
# their joint covariance, so that means and contrasts have the standard errors of the posterior itself.

#' @exportS3Method emmeans::recover_data
recover_data.StreamingGP <- function(object, data = NULL, ...) {
  # an error of ours would be lost in one of theirs; what is no data is shown as it is
  tryCatch({
    refuse_several(object, "emmeans")
    typical <- typical_rows(object)
    inputs <- stats::reformulate(sprintf("`%s`", names(typical)))
    emmeans::recover_data(
      call("streaming_gp", find_formula.StreamingGP(object)$conditional), stats::terms(inputs), NULL,
      data = if (is.null(data)) typical else as.data.frame(data), ...
    )
  }, gpstream_error = conditionMessage)
}

#' @exportS3Method emmeans::emm_basis
emm_basis.StreamingGP <- function(object, trms, xlev, grid, ...) {
  at <- predict.StreamingGP(object, grid, type = "latent", cov = TRUE)
  family <- family.StreamingGP(object)
  list(
    X = diag(nrow(grid)), bhat = unname(at$fit), nbasis = matrix(NA_real_), V = unname(at$cov),
    dffun = function(k, dfargs) Inf, dfargs = list(),
    misc = if (family$link != "identity") list(tran = family$link, inv.lbl = "response") else list()
  )
}

# For packages that know of one function only.
refuse_several <- function(gp, package) {
  several <- !is.null(output_names(gp)) || latents(likelihood_now(gp)) > 1
  if (!several) return(invisible())
  abort("parameter", "for ", package, " a model must have one latent function, and this one has several.")
}
