#' A likelihood of your own
#'
#' From the log density of an observation given the latent function f, as an R function. For trying things
#' out, and for holding the likelihoods there are against: each look at a row asks the function at 33 places
#' or more, so it is slower than one of [likelihoods]. With 480 inducing points, a `log_density` like that of
#' [likelihood_bernoulli()] takes 1.2 times as long in batches of 1000 rows, and 5 times one row at a time
#' (`bench/likelihoods/speed.R`); with fewer points the share of the function is larger.
#'
#' What is expected of `log_density`, and how that changes with what is known of f, is summed over places by
#' the trapezoidal rule; for densities that are smooth on the scale of `width` that is exact to eight digits
#' and more. Functions are called with all rows and places at once, never row by row. Where `log_density` is
#' not concave in f (Student's t, say) a row whose curvature comes out negative says nothing of the curvature
#' at that step: learning still goes uphill, but what it ends at may depend on `start`.
#'
#' Parameters in `...` are given: they are not learned.
#'
#' Functions are not kept in files made by [save_gp()], which never run code, nor in checkpoints; `saveRDS()`
#' and `gp$copy()` keep them.
#'
#' @param log_density `function(y, f, ...)`: the log density, or log probability, of each observation `y`,
#'   given the value `f` there; both are vectors of the same length. It must be a number for every f, however
#'   far out.
#' @param start `function(y)`: where f may be for each observation by itself; or a number.
#' @param ... Parameters: further arguments of the functions, single numbers with names.
#' @param mean `function(f, ...)`: what is expected of an observation, rising or falling with f. Needed by
#'   `predict()` unless `type = "latent"`, and by [evaluate()] and plots.
#' @param cdf `function(y, f, ...)`: the probability of an observation that is not larger. Needed for
#'   prediction intervals, draws of observations, [evaluate()] and plots.
#' @param discrete Is the observation a whole number?
#' @param unit About how much f varies, as a standard deviation: its prior variance begins at the square of
#'   it, and is held below 25 times that.
#' @param width How far from the real line `log_density` is analytic in f: 3.1 for logits, the scale times the
#'   root of the degrees of freedom for Student's t. Places are at most 0.23 times as far apart.
#' @return An object of class `gpstream_likelihood`.
#' @examples
#' counts <- likelihood_custom(
#'   function(y, f) dpois(y, exp(f), log = TRUE), start = function(y) log(y + 0.5),
#'   mean = exp, cdf = function(y, f) ppois(y, exp(f)), discrete = TRUE
#' )
#' set.seed(1)
#' x <- runif(200, 0, 10)
#' gp <- streaming_gp(likelihood = counts, kernel = kernel_se(2))
#' gp$update(x, rpois(200, exp(1 + sin(x))))
#' predict(gp, c(1.6, 4.7), interval = "prediction")
#' @seealso [likelihoods], and `vignette("likelihoods")`
#' @export
likelihood_custom <- function(log_density, start, ..., mean = NULL, cdf = NULL, discrete = FALSE, unit = 1,
                              width = 2) {
  if (missing(log_density)) abort("parameter", "`log_density` is missing: give a function of y and f.")
  if (missing(start)) abort("parameter", "`start` is missing: give a function of y, or a number.")
  check_function(log_density, "log_density", 2)
  if (is_scalar(start) && is.finite(start)) {
    start <- constant_start(as.double(start))
  } else {
    check_function(start, "start", 1, "a function of y, or a number")
  }
  if (!is.null(mean)) check_function(mean, "mean", 1)
  if (!is.null(cdf)) check_function(cdf, "cdf", 2)
  functions <- list(
    log_density = log_density, start = start, mean = mean, cdf = cdf,
    discrete = check_flag(discrete, "discrete"), unit = check_positive(unit, "unit"),
    width = check_positive(width, "width")
  )
  new_likelihood("custom", custom_numbers(list(...)), functions = functions)
}

constant_start <- function(value) {
  force(value)
  function(y) rep(value, length(y))
}

custom_numbers <- function(numbers) {
  if (length(numbers) == 0) return(list())
  names <- names(numbers)
  if (is.null(names) || anyNA(names) || !all(nzchar(names)) || anyDuplicated(names)) {
    abort("parameter", "parameters in `...` need names, each another.")
  }
  for (name in names) {
    if (!is_scalar(numbers[[name]]) || !is.finite(numbers[[name]])) {
      abort("parameter", "`", name, "` must be a single number, not ", describe(numbers[[name]]), ".")
    }
  }
  numbers[order(names)] # as the core has them
}

check_function <- function(value, arg, arguments, what = NULL) {
  takes <- if (is.function(value)) names(formals(args(value)))
  if (is.function(value) && ("..." %in% takes || length(takes) >= arguments)) return(value)
  if (is.null(what)) what <- if (arguments == 2) "a function of y and f" else "a function of f"
  abort("parameter", "`", arg, "` must be ", what, ", not ", describe(value), ".")
}

is_custom <- function(likelihood) identical(likelihood$name, "custom")

# As the core calls them: with numbers, which come back as many as were asked for, or not at all.
custom_functions <- function(likelihood) {
  own <- likelihood$functions
  numbers <- likelihood$numbers
  list(
    log_density = function(y, f) checked_numbers(own$log_density, list(y, f), numbers, "log_density"),
    start = function(y) checked_numbers(own$start, list(y), list(), "start"),
    mean = if (!is.null(own$mean)) function(f) checked_numbers(own$mean, list(f), numbers, "mean"),
    cdf = if (!is.null(own$cdf)) function(y, f) checked_numbers(own$cdf, list(y, f), numbers, "cdf"),
    discrete = own$discrete, unit = own$unit, width = own$width
  )
}

checked_numbers <- function(call, arguments, numbers, name) {
  n <- length(arguments[[1]])
  value <- tryCatch(do.call(call, c(lapply(arguments, as.double), numbers)), error = function(e) {
    abort("likelihood", "`", name, "` of the likelihood failed: ", conditionMessage(e))
  })
  if (!is.numeric(value) || length(value) != n) {
    abort("likelihood", "`", name, "` of the likelihood must give ", count(n, "number"),
      ", one for each, not ", describe(value), ".")
  }
  # a density may be 0 as far as numbers go
  bad <- if (name == "log_density") is.nan(value) | is.na(value) | value == Inf else !is.finite(value)
  if (any(bad)) {
    i <- which(bad)[1]
    at <- paste(c("y", "f")[if (length(arguments) == 2) 1:2 else if (name == "start") 1 else 2], "=",
      vapply(arguments, function(values) format(values[i], digits = 7), ""), collapse = ", ")
    abort("likelihood", "`", name, "` of the likelihood is ", format(value[i]), " at ", at, ".")
  }
  as.double(value)
}

# A model that was saved has lost what is no plain value; the object has it.
bind_functions <- function(gp, handle) {
  own <- likelihood_of(gp)
  if (is_custom(own)) core_gp_bind(handle, likelihood_wish(own, NULL))
  handle
}

can_expect <- function(likelihood) !is_custom(likelihood) || !is.null(likelihood$functions$mean)
can_score <- function(likelihood) can_expect(likelihood) && !(is_custom(likelihood) &&
  is.null(likelihood$functions$cdf))

# The core sees name and numbers only.
check_same_functions <- function(first, other, i) {
  same <- identical(
    likelihood_of(first)$functions, likelihood_of(other)$functions, ignore.bytecode = TRUE,
    ignore.environment = TRUE, ignore.srcref = TRUE
  )
  if (!same) abort("input", "model ", i, " has another likelihood: its functions differ.")
}
