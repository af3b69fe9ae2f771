#' Likelihoods
#'
#' How an observation comes from the latent function f: the `likelihood` argument of [streaming_gp()]. What is
#' `NULL` is learned. Rows are learned as with Gaussian noise, each once; those of the look-back are looked at
#' again as later ones come (*Other likelihoods* in [streaming_gp()]). The unit of the observations does not
#' matter. A stream may begin with observations that all have one value: its warm-up then lasts until
#' `warmup` rows have followed these.
#'
#' * `likelihood_gaussian()`: a number, with noise of variance `noise`; f is its mean.
#' * `likelihood_student()`, `likelihood_laplace()`: a number, with noise that may be gross; f is its middle.
#' * `likelihood_quantile()`: a number; f is its quantile `tau`.
#' * `likelihood_tobit()`: a number, of which some are only known to be beyond a limit, as `survival::Surv()`
#'   tells or by `lower` and `upper`; f is its mean.
#' * `likelihood_bernoulli()`: 0 or 1, `FALSE` or `TRUE`, a factor with two levels; f is the logit, or the
#'   probit, of the probability of 1, `TRUE`, the second level.
#' * `likelihood_binomial()`: successes of so many trials, `cbind(successes, failures)`; f is the logit of the
#'   probability of a success, which `predict()` gives. If the response of the first batch is one column, as
#'   for `likelihood_bernoulli()`, the model uses `likelihood_bernoulli()`.
#' * `likelihood_ordinal()`: an ordered factor, or numbers from 1; classes are cut out of a line on which f
#'   lies, with logistic noise.
#' * `likelihood_categorical()`: a factor, words, or numbers from 1: classes without an order. Each has a
#'   latent function of its own, on the same points with the same lengthscales; the largest is the most
#'   probable.
#' * `likelihood_heteroscedastic()`: a number, with Gaussian noise that varies; f is its mean, and a second
#'   latent function, on the same points with the same lengthscales, the log of the variance.
#' * `likelihood_poisson()`, `likelihood_negbin()`: a count, the latter one that varies more; f is the log of
#'   its mean.
#' * `likelihood_gamma()`, `likelihood_exponential()`: a positive number; f is the log of its mean.
#' * `likelihood_weibull()`: a time, or `survival::Surv(time, event)`; f is the log of the scale.
#'
#' [likelihood_custom()] makes one of an R function.
#'
#' Counts with an exposure have `offset(log(exposure))` in the formula, or `offset = log(exposure)` in
#' `gp$update()`.
#'
#' @param link `"logit"` or `"probit"`.
#' @param df,scale Degrees of freedom, and scale in the units of the observation.
#' @param size The variance is `mean + mean^2 / size`.
#' @param shape Of the gamma or Weibull distribution; 1 is the exponential one.
#' @param tau Which quantile, between 0 and 1.
#' @param lower,upper Observations at or beyond these are only known to be there. `NULL`: there is none.
#' @return An object of class `gpstream_likelihood`.
#' @examples
#' likelihood_student()
#' set.seed(1)
#' x <- runif(300, 0, 10)
#' gp <- streaming_gp(likelihood = likelihood_poisson())
#' gp$update(x, rpois(300, exp(1 + sin(x))))
#' predict(gp, c(1.6, 4.7))
#' predict(gp, c(1.6, 4.7), interval = "prediction")
#' @name likelihoods
NULL

# Parameters that are given, and what those are to begin with that are not.
new_likelihood <- function(name, given = list(), start = list(), ...) {
  open <- as.character(names(start)[vapply(names(start), function(one) is.null(given[[one]]), NA)])
  numbers <- c(Filter(Negate(is.null), given), start[open])
  structure(
    list(name = name, numbers = lapply(numbers, as.double), open = open, ...), class = "gpstream_likelihood"
  )
}

positive <- function(value, name) if (!is.null(value)) check_positive(value, name)

#' @rdname likelihoods
#' @export
likelihood_gaussian <- function() new_likelihood("gaussian")

#' @rdname likelihoods
#' @export
likelihood_student <- function(df = NULL, scale = NULL) {
  scale <- positive(scale, "scale")
  new_likelihood(
    "student", list(df = positive(df, "df")), list(df = 4), dispersion = if (!is.null(scale)) scale^2
  )
}

#' @rdname likelihoods
#' @export
likelihood_laplace <- function() new_likelihood("laplace")

#' @rdname likelihoods
#' @export
likelihood_quantile <- function(tau) {
  new_likelihood("quantile", list(tau = check_fraction(tau, "tau")))
}

#' @rdname likelihoods
#' @export
likelihood_tobit <- function(lower = NULL, upper = NULL) {
  limit <- function(value, name) {
    if (is.null(value) || is_scalar(value)) return(value)
    abort("parameter", "`", name, "` must be a single number or NULL, not ", describe(value), ".")
  }
  limits <- list(lower = limit(lower, "lower"), upper = limit(upper, "upper"))
  if (!is.null(lower) && !is.null(upper) && lower >= upper) {
    abort("parameter", "`lower` (", format(lower), ") must be below `upper` (", format(upper), ").")
  }
  new_likelihood("tobit", start = list(noise = 1), limits = limits)
}

#' @rdname likelihoods
#' @export
likelihood_bernoulli <- function(link = c("logit", "probit")) {
  link <- check_choice(link, c("logit", "probit"), "link")
  new_likelihood(if (link == "logit") "bernoulli" else "probit")
}

#' @rdname likelihoods
#' @export
likelihood_binomial <- function() new_likelihood("binomial")

#' @rdname likelihoods
#' @export
likelihood_ordinal <- function() new_likelihood("ordinal")

#' @rdname likelihoods
#' @export
likelihood_categorical <- function() new_likelihood("categorical")

#' @rdname likelihoods
#' @export
likelihood_heteroscedastic <- function() new_likelihood("heteroscedastic")

#' @rdname likelihoods
#' @export
likelihood_poisson <- function() new_likelihood("poisson")

#' @rdname likelihoods
#' @export
likelihood_negbin <- function(size = NULL) {
  new_likelihood("negbin", list(size = positive(size, "size")), list(size = 2))
}

#' @rdname likelihoods
#' @export
likelihood_gamma <- function(shape = NULL) {
  new_likelihood("gamma", list(shape = positive(shape, "shape")), list(shape = 1))
}

#' @rdname likelihoods
#' @export
likelihood_exponential <- function() new_likelihood("exponential")

#' @rdname likelihoods
#' @export
likelihood_weibull <- function(shape = NULL) {
  new_likelihood("weibull", list(shape = positive(shape, "shape")), list(shape = 1))
}

likelihood_titles <- c(
  gaussian = "Gaussian noise", student = "Student-t noise", laplace = "Laplace noise",
  quantile = "quantile", tobit = "Gaussian noise beyond limits unseen", bernoulli = "yes or no (logit)",
  probit = "yes or no (probit)", binomial = "successes of trials (logit)",
  ordinal = "ordered classes (logit)", categorical = "classes (softmax)",
  heteroscedastic = "Gaussian noise that varies", poisson = "counts, Poisson (log)",
  negbin = "counts, negative binomial (log)", gamma = "positive numbers, gamma (log)",
  exponential = "positive numbers, exponential (log)",
  weibull = "times, Weibull (log)", custom = "a likelihood of the user's own"
)

# In words, with the parameters as they are.
format_likelihood <- function(likelihood, digits = 4) {
  numbers <- likelihood$numbers
  values <- vapply(numbers, function(value) format(value, digits = digits), "")
  values[names(numbers) %in% likelihood$open] <- "to be learned"
  paste0(likelihood_titles[[likelihood$name]],
    if (length(numbers) > 0) paste0(" (", paste(names(numbers), values, collapse = ", "), ")"))
}

#' @export
format.gpstream_likelihood <- function(x, ...) format_likelihood(x)

#' @export
print.gpstream_likelihood <- function(x, ...) {
  cat("<likelihood> ", format(x), "\n", sep = "")
  invisible(x)
}

named_families <- c("gaussian", "binomial", "poisson", "Gamma", "inverse.gaussian", "quasi", "quasibinomial",
  "quasipoisson")

# A stats::family for what it names.
as_likelihood <- function(family, arg = "likelihood") {
  if (inherits(family, "gpstream_likelihood")) return(family)
  if (arg == "family" && is_name(family) && family %in% named_families) {
    family <- getExportedValue("stats", family) # as glm() takes a word
  }
  if (is.function(family)) family <- tryCatch(family(), error = function(e) NULL)
  if (inherits(family, "family")) {
    known <- switch(paste(family$family, family$link),
      "gaussian identity" = likelihood_gaussian(), "binomial logit" = likelihood_binomial(),
      "binomial probit" = likelihood_bernoulli("probit"), "poisson log" = likelihood_poisson(),
      "Gamma log" = likelihood_gamma()
    )
    if (!is.null(known)) return(known)
    abort("parameter", "there is no likelihood for the family ", family$family, " with link ", family$link,
      "; see ?likelihoods for those there are.")
  }
  abort("parameter", "`", arg, "` must be one of ?likelihoods, such as likelihood_poisson(), ",
    if (arg == "family") "or a family, ", "not ", describe(family),
    constructor_advice(family, "likelihood_"), ".")
}

# One trial per row is a Bernoulli likelihood; the first batch tells, `frame$trials`.
resolve_likelihood <- function(likelihood, frame) {
  if (likelihood$name == "binomial" && isFALSE(frame$trials)) likelihood_bernoulli() else likelihood
}

# As the core takes it. The number of classes is known with the first batch.
likelihood_wish <- function(likelihood, frame) {
  likelihood <- resolve_likelihood(likelihood, frame)
  if (likelihood$name == "categorical" && !is.null(frame$classes)) {
    likelihood$numbers <- list(classes = length(frame$classes))
  }
  if (length(frame$outputs) > 1) likelihood$numbers <- list(outputs = length(frame$outputs))
  if (likelihood$name == "ordinal" && !is.null(frame$classes)) {
    K <- length(frame$classes)
    cuts <- stats::qlogis(seq_len(K - 1) / K) # the first stays: the mean is learned
    likelihood$numbers <- stats::setNames(
      as.list(c(cuts[1], diff(cuts))), c("cut1", if (K > 2) paste0("gap", 2:(K - 1)))
    )
    likelihood$open <- names(likelihood$numbers)[-1]
  }
  c(
    likelihood[c("name", "numbers", "open")],
    if (is_custom(likelihood)) list(functions = custom_functions(likelihood))
  )
}

# With the parameters as they are by now.
likelihood_now <- function(gp) {
  own <- likelihood_of(gp)
  if (!is_started(gp)) return(own)
  own$numbers <- core_gp_likelihood(gp_handle(gp))$numbers
  own$numbers$outputs <- NULL # that is no parameter
  own$open <- character()
  own
}

noisy_likelihoods <- c("gaussian", "student", "laplace", "quantile")
has_noise <- function(gp) likelihood_of(gp)$name %in% noisy_likelihoods
noise_unit <- function(gp) {
  switch(likelihood_of(gp)$name, gaussian = " (variance)", student = " (squared scale)", " (scale / 2)")
}

is_gaussian <- function(gp) identical(likelihood_of(gp)$name, "gaussian")

only_gaussian <- function(gp, what) {
  only_one_output(gp, what)
  if (is_gaussian(gp)) return(invisible())
  abort("likelihood", what, " is for Gaussian noise: nothing is proved of it for ", format(likelihood_of(gp)),
    ", of which `gp$objective` is all there is.")
}

# Of objects from before there were others, the Gaussian.
likelihood_of <- function(gp) {
  own <- spec_of(gp)$likelihood
  if (is.null(own)) return(likelihood_gaussian())
  if (inherits(own, "gpstream_likelihood") && is_name(own$name) && own$name %in% names(likelihood_titles)) {
    return(resolve_likelihood(own, state_of(gp)$frame))
  }
  abort("input", "`spec` of the model holds no likelihood, but ", describe(own), ".")
}
