# insight: what a model is, told to packages that ask for it.

#' @exportS3Method insight::find_formula
find_formula.StreamingGP <- function(x, ...) {
  formula <- spec_of(x)$formula
  if (is.null(formula)) {
    known <- gp_prototype(x)
    formula <- stats::reformulate(sprintf("`%s`", known$inputs), known$response)
  }
  structure(list(conditional = formula), class = c("insight_formula", "list"))
}

#' @exportS3Method insight::find_weights
find_weights.StreamingGP <- function(x, ...) spec_of(x)$weights

#' @exportS3Method insight::find_statistic
find_statistic.StreamingGP <- function(x, ...) "z-statistic"

#' @exportS3Method insight::get_data
get_data.StreamingGP <- function(x, ...) kept_rows(x)

#' @exportS3Method insight::get_parameters
get_parameters.StreamingGP <- function(x, ...) {
  values <- coef.StreamingGP(x)
  data.frame(Parameter = names(values), Estimate = unname(values))
}

# The family that R has for the likelihood, or is nearest to it; insight tells from it what is observed.
#' @rdname methods
#' @export
family.StreamingGP <- function(object, ...) {
  switch(likelihood_of(object)$name,
    bernoulli = , binomial = stats::binomial("logit"), probit = stats::binomial("probit"),
    poisson = , negbin = stats::poisson("log"), gamma = , exponential = , weibull = stats::Gamma("log"),
    ordinal = stats::binomial("probit"), categorical = stats::binomial("logit"), stats::gaussian()
  )
}
