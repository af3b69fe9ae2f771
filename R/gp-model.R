#' A Gaussian process that learns from a stream
#'
#' Makes a model that is updated with batches of observations of any size, down to one. Each observation is
#' seen once and, after a short look-back, dropped. The model chooses its own inducing points from the stream,
#' so neither the domain nor the number of points nor the length of the stream has to be known; memory and the
#' cost of an observation grow with the square of the number of inducing points, not with the length of the
#' stream.
#'
#' @param formula A formula `y ~ x1 + x2`, or `NULL` to update with `x` and `y`. Terms and factor levels are
#'   fixed by the first batch; a factor becomes one 0/1 column per level.
#' @param data With a formula: a first batch, absorbed at once. May be `NULL`.
#' @param kernel A [kernel][kernels]. What it leaves open is learned (see `optimize`). Where columns differ in
#'   scale, or a factor is among them, `kernel_se("ard")` learns one lengthscale for each.
#' @param noise Variance of the observation noise; `NULL` to have it learned.
#' @param select A [selector][selectors]: how inducing points are chosen. Where none is given it is OIPS, and
#'   the warm-up chooses its `rho`, from 0.8 upwards, so that what the points leave unexplained is small
#'   against the noise.
#' @param lookback How many of the latest rows are kept for a look back: when a new inducing point joins, they
#'   are counted as if it had been there when they came. Streams that move through space or time need it; 0 is
#'   the method of the paper, `Inf` keeps every row and gives exactly the batch answer.
#' @param likelihood [likelihood_gaussian()].
#' @param mean Prior mean of the process: `"constant"` (learned), `"zero"`, or a number.
#' @param optimize What the model learns by itself. `"warmup"`: whatever was not given, see *Learning* below.
#'   `"online"`: the same, and afterwards the kernel is tried anew as rows come. `"none"`: nothing; what was
#'   not given is guessed from the first batch (the lengthscale as the median distance between rows, the
#'   variance as that of `y`, the noise as a tenth of it, the mean as that of `y`) and stays, until you say
#'   `gp$optimize()`.
#' @param ... Not used; an argument that is not known is an error.
#' @param weights With a formula: the name of the column with the weights of rows, if there is one; see
#'   `$update()`.
#' @param warmup How many rows are kept to learn the kernel from.
#' @param na_action What to do with a row of a batch that has a missing or infinite value: `"error"`, or
#'   `"omit"` to drop it with a message.
#'
#' @return An object of class `StreamingGP`. It is a *reference*: `gp$update()` changes it in place, and a
#'   plain assignment does not copy it; `gp$copy()` does. It can be saved with [save_gp()] or `saveRDS()`,
#'   sent to parallel workers, and continued there.
#'
#' @section Members:
#' \describe{
#'   \item{`$update(x, y, weights = NULL)`}{absorbs a batch; `x` is a numeric vector (one column), matrix or
#'     data frame with observations in rows. With a formula, `$update(data)`. `weights` are
#'     precisions, one a row, as in [stats::lm()]: the noise of a row has the variance `noise / weight`, so
#'     that a row of weight 3 says of the function what three equal rows say; with a formula also the name of
#'     a column. Returns the object invisibly. When it fails or is interrupted, the object is as it was before
#'     the call. `update(gp, ...)` is the same.}
#'   \item{`$predict(newdata, ...)`}{the same as [`predict(gp, newdata, ...)`][predict.StreamingGP].}
#'   \item{`$optimize(x, y, what, steps)`}{learns, given or not, what is named in `what`. `"scale"` (the
#'     default): the variance of the kernel, the noise variance and, with `mean = "constant"` and none
#'     assigned, the prior mean; the exact maximum of the objective over all three, from what the model has
#'     kept, without the data. `"kernel"`: the lengthscales and other parameters of the kernel with variance
#'     and noise, by at most `steps` steps of L-BFGS. `"points"`: where the inducing points are. The last two
#'     use the rows of the look-back, what is known of the older ones, and, when `x` and `y` are given, a
#'     batch that is about to come: it is not absorbed, `$update()` it next. The model changes only where the
#'     bound rises. Returns the object invisibly.}
#'   \item{`$bound(x, y)`}{the streaming bound of a batch that is not absorbed: a list of `bound`, by how much
#'     `$objective` would rise with the parameters as they are; `terms`, the four terms it is made of in the
#'     paper (minus the divergence of the posterior from the prior, the expected log likelihood of the batch,
#'     the divergence from the old prior and minus that from the old posterior at the old points, or at all of
#'     them where rows are held in the look-back); and `points`, what the joining of new points makes of the
#'     rows in the look-back. Terms and `points` add up to `bound`.}
#'   \item{`$certificate()`}{[what can be promised][certificate] about the approximation: how far the model
#'     can be from the exact posterior on all rows it has seen.}
#'   \item{`$copy()`}{an independent copy.}
#'   \item{`$points`, `$size`}{the inducing points, one a row, and their number.}
#'   \item{`$nobs`}{the number of observations absorbed.}
#'   \item{`$kernel`, `$noise`, `$mean`}{the kernel, noise variance and prior mean in use.}
#'   \item{`$objective`}{the variational objective F, the sum of the streaming bounds of all batches. With
#'     fixed inducing points it is a lower bound on the log evidence; while points are being added it is not.
#'     (Kernel `kernel_se(1, 1)`, noise 0.01, `rho` 0.7, no look-back, x = 0, 0.5, 0.65 and y = 0, 3, -3 one
#'     at a time: it is -314.6, and the log evidence -536.6.)}
#'   \item{`$posterior`}{a list with `mean` and `cov` of the function at the inducing points.}
#'   \item{`$history`}{a data frame of how the model grew and how well it foretold what came: one row a batch,
#'     thinned to at most 1000 rows, each exact for the batches it stands for. `batch` (the last of them),
#'     `rows`, `nobs`, `points`, `added`; `bound`, the objective; over the `scored` rows, those predicted
#'     before they were learned, `rmse`, the mean `log_score` and the `coverage` of 95 % prediction intervals;
#'     `seconds`. `$update()` alone scores and times nothing: these are `NA` then.}
#' }
#' Warnings come before the change: where one is turned into an error or caught by `tryCatch()`, the model
#' stays as it was. A model and its saved or copied twin continue bitwise alike; saving leaves no trace.
#' Reading a model (predicting, say) decides when its posterior is factored, so the same stream read at other
#' times agrees to rounding only.
#'
#' @section Learning:
#' While the lengthscale (or another parameter of the kernel that the evidence alone cannot tell) is not
#' given, the model warms up: it keeps every row, and predicts from all of them. From the tenth row on kernel
#' and noise are learned each time there are half as many rows again (but not shortly before the last time):
#' those that make the rows most probable,
#' with a weak prior around the heuristics that matters only while rows are few, by L-BFGS from several
#' starts. When `warmup` rows have come they are learned for the last time, the rows are absorbed, and all but
#' the look-back are dropped. A batch that goes far beyond `warmup` is learned from through an even sample of
#' its rows. Variance, noise and mean need no rows: they are relearned exactly each time the number of
#' observations has doubled. What is given, or assigned later, stays; what `$optimize()` finds during the
#' warm-up lasts until the kernel is learned anew. `print()`, `summary()` and `coef()` show what was learned,
#' and when.
#'
#' With `optimize = "online"` the kernel is tried anew every 50 rows or so, on the latest rows and what is
#' known of the older ones. A lengthscale changes by at most a factor of 2 at a time, and only where the bound
#' rises by more than 2; where a batch is far from what was predicted, much shorter ones are tried, too. It
#' costs several times as much as `"warmup"`, most where rows surprise it.
#'
#' @section Changing a model:
#' What the data said is stored apart from the variance, noise and mean, so these can be changed at any time,
#' exactly as if they had been so from the start: `gp$noise <- 0.1`, `gp$mean <- 0`, or a `gp$kernel <- ` that
#' differs in its variance only. What is assigned counts as given from then on. Another lengthscale or kind of
#' kernel (`gp$kernel <- `) and other inducing points (`gp$points <- `) carry the evidence over by projection,
#' the best that can be done without the data, and cannot be undone: `$copy()` first. Points that are only
#' added cost nothing; points far from the data lose what was learned.
#'
#' @examples
#' gp <- streaming_gp()
#' for (batch in 1:20) {
#'   x <- runif(25, 0, 10)
#'   gp$update(x, sin(x) + rnorm(25, sd = 0.1))
#' }
#' gp
#' predict(gp, c(2.5, 5), interval = "prediction")
#'
#' # with a formula and a data frame
#' gp <- streaming_gp(dist ~ speed, data = cars)
#' predict(gp, data.frame(speed = 10:12), se.fit = TRUE)
#' @references
#' Galy-Fajou, T. and Opper, M. (2021) Adaptive Inducing Points Selection for Gaussian Processes.
#' arXiv:2107.10066.
#'
#' Bui, T. D., Nguyen, C. V. and Turner, R. E. (2017) Streaming Sparse Gaussian Process Approximations.
#' NeurIPS.
#' @seealso [predict.StreamingGP()], [plot.StreamingGP()], [consume()], [evaluate()], [watch()], [save_gp()],
#'   [certificate], [forecast_points()], [suggest_rho()], [notation]; the vignettes `gpstream`, `streams`,
#'   `learning`, `experiments`, `theorem-1`, `theorem-2`, `kdpp`, `derivation`
#' @export
streaming_gp <- function(formula = NULL, data = NULL, kernel = kernel_se(), noise = NULL,
                         select = select_oips(), lookback = 100, likelihood = likelihood_gaussian(),
                         mean = c("constant", "zero"), optimize = c("warmup", "none", "online"), ...,
                         weights = NULL, warmup = 200, na_action = c("error", "omit")) {
  check_no_dots(...)
  if (!inherits(likelihood, "gpstream_likelihood")) {
    abort("parameter", "`likelihood` must be likelihood_gaussian(), not ", describe(likelihood), ".")
  }
  spec <- check_spec(list(
    formula = formula, kernel = kernel, noise = noise, select = select, lookback = lookback, mean = mean,
    optimize = optimize, warmup = warmup, any_rho = missing(select), na_action = na_action, weights = weights
  ))
  if (!is.null(data) && is.null(formula)) {
    abort("parameter", "`data` needs a `formula` that says which column is the response.")
  }
  gp <- StreamingGP$new(spec = spec)
  if (!is.null(data)) gp$update(data)
  gp
}

# StreamingGP$new(...) is streaming_gp(...), which in turn makes its object of a spec.
gp_initialize <- function(gp, spec, ...) {
  made <- if (is.null(spec)) streaming_gp(...) else list(spec = spec, state = list())
  gp$spec <- made$spec
  gp$state <- made$state
  invisible(gp)
}

# What the user gave: a new model's arguments, or what comes from a file or from an object that may have been
# edited.
check_spec <- function(spec) {
  list(
    formula = check_formula(spec$formula),
    kernel = check_kernel(spec$kernel),
    noise = if (!is.null(spec$noise)) check_variance(spec$noise, "noise"),
    select = plain(check_selector(spec$select)),
    lookback = check_count(spec$lookback, "lookback"),
    mean = check_mean(spec$mean, c("constant", "zero")),
    optimize = check_choice(spec$optimize, c("warmup", "none", "online"), "optimize"),
    warmup = check_count(spec$warmup, "warmup", core_few_rows(), most = 1e5),
    any_rho = check_flag(spec$any_rho, "any_rho"), # may the warm-up choose it?
    na_action = check_choice(spec$na_action, c("error", "omit"), "na_action"),
    weights = check_weights_column(spec$weights, spec$formula)
  )
}

check_weights_column <- function(weights, formula) {
  if (is.null(weights) || (is_name(weights) && !is.null(formula))) return(weights)
  if (is_name(weights)) {
    abort("parameter", "`weights` names a column, which needs a `formula`; use update(x, y, weights = ).")
  }
  abort("parameter", "`weights` must be the name of a column of the data, not ", describe(weights), ".")
}

check_mean <- function(mean, words = NULL) {
  if (is_scalar(mean) && abs(mean) <= largest_output) return(as.double(mean))
  if (is.character(mean) && (identical(mean, words) || (length(mean) == 1 && mean %in% words))) {
    return(mean[1])
  }
  words <- if (!is.null(words)) paste(quoted(words), "or ")
  abort("parameter", "`mean` must be ", words, "a single number between -1e140 and 1e140, not ",
    describe(mean), ".")
}

#' @rdname streaming_gp
#' @format NULL
#' @export StreamingGP
#' @exportClass StreamingGP
StreamingGP <- methods::setRefClass("StreamingGP",
  fields = list(
    spec = "list", # what the user gave
    # handle: the C++ model; frame: how inputs are read; plain: see gp-update.R. Empty before the first row.
    state = "list",
    points = function(value) if (missing(value)) gp_points(.self) else gp_set_points(.self, value),
    size = function(value) read_only("size", gp_info(.self)$size, value),
    nobs = function(value) read_only("nobs", gp_info(.self)$nobs, value),
    kernel = function(value) if (missing(value)) gp_info(.self)$kernel else gp_set_kernel(.self, value),
    noise = function(value) if (missing(value)) gp_info(.self)$noise else gp_set_noise(.self, value),
    mean = function(value) if (missing(value)) gp_info(.self)$mean else gp_set_mean(.self, value),
    objective = function(value) read_only("objective", gp_objective(.self), value),
    posterior = function(value) read_only("posterior", gp_posterior(.self), value),
    history = function(value) read_only("history", gp_history(.self), value)
  ),
  methods = list(
    # methods are one line each: a saved object carries them along
    initialize = function(..., spec = NULL) gp_initialize(.self, spec, ...),
    update = function(x, y = NULL, data = NULL, weights = NULL) gp_update(.self, x, y, data, weights),
    predict = function(newdata, ...) predict.StreamingGP(.self, newdata, ...),
    optimize = function(x, y = NULL, what = c("scale", "kernel", "points"), steps = 100) {
      gp_optimize(.self, x, y, if (missing(what)) "scale" else what, steps)
    },
    bound = function(x, y = NULL) gp_bound(.self, x, y),
    certificate = function() gp_certificate(.self),
    copy = function(shallow = FALSE) gp_copy(.self),
    show = function() print.StreamingGP(.self)
  )
)
