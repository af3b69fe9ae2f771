#' A Gaussian process that learns from a stream
#'
#' Makes a model that is updated with batches of observations of any size, down to one. Nothing has to be
#' chosen: kernel, noise and trend are learned, and learned anew, as the stream goes on, from at most 1000
#' rows that are kept for it (`memory`); all others are dropped after a short look-back. The model picks its
#' own inducing points from the stream, so neither the domain nor the number of points nor the length of the
#' stream has to be known; memory and the cost of an observation grow with the square of the number of
#' inducing points, not with the length of the stream.
#'
#' @param formula A formula `y ~ x1 + x2`, or `NULL` to update with `x` and `y`. Terms and factor levels are
#'   fixed by the first batch; a factor becomes one 0/1 column per level. The value of a term in a row must
#'   depend on that row alone: `poly(a, 2)` and `scale(a)` keep what the first batch gave, while
#'   `I(a - mean(a))` and `rank(a)` are an error. Inputs may be times, see *Times*
#'   below. With [gp(), season() and trend()][formula-terms] it says what the function is a sum of.
#'   `cbind(u, v) ~ x` has several outputs, see *Several outputs* below.
#' @param data With a formula: a first batch, absorbed at once. May be `NULL`.
#' @param kernel A [kernel][kernels]. What it leaves open is learned (see `optimize`). `NULL`: the evidence
#'   chooses among the squared exponential, Matern 5/2, 3/2 and 1/2, and Matern 5/2 with a short Matern 1/2
#'   upon it, each with a lengthscale for every column (and one for all columns of a factor).
#' @param noise Variance of the observation noise; `NULL` to have it learned. Of several outputs, one number
#'   for all or one each with their names, `c(u = 0.1, v = 2)`.
#' @param select A [selector][selectors]: how inducing points are chosen. Where none is given and the model
#'   learns, points are as dense as the noise asks: a row joins when the points leave more than a hundredth of
#'   the noise variance of it; more than that where the rows kept would otherwise use up half of `max_points`,
#'   and what the points then leave of a row is noise of its own.
#' @param lookback How many of the latest rows are kept for a look back: when a new inducing point joins, they
#'   are counted as if it had been there when they came. Streams that move through space or time need it; 0 is
#'   the method of the paper, `Inf` keeps every row and gives exactly the batch answer. Learning scores models
#'   on the 50 latest rows: with fewer, what is learned at 50 rows stays, and intervals are not corrected. See
#'   *Batches* below.
#' @param likelihood How an observation comes from the function: one of [likelihoods].
#' @param family Instead of `likelihood`: a family as of [stats::glm()], `binomial()`, `poisson()` or
#'   `Gamma("log")`, or its name, `"poisson"`, for what it names.
#' @param mean Prior mean of the process. `"auto"`: a constant and a linear trend in all columns, integrated
#'   out; the slopes have one prior variance, which is learned, so that a trend that is not there comes out as
#'   none. `"linear"`: the same with a wide prior. A one-sided formula such as `~ x1 + x2`: `"linear"` in the
#'   columns it names (of inputs without names: `x1`, `x2`, ...). `"constant"`: a learned constant; `"auto"`
#'   is that, too, where the lengthscale is given or nothing is learned. `"zero"`, or a number: given; of
#'   several outputs also one each with their names.
#' @param optimize What the model learns by itself. `"online"`: whatever was not given, again and again as
#'   rows come, see *Learning* below. `"warmup"`: the same, once, from the first `warmup` rows. `"none"`:
#'   nothing; what was not given is guessed from the first batch (the kernel is the squared exponential, its
#'   lengthscale the median distance between rows, its variance that of `y`, the noise a tenth of it, the mean
#'   that of `y`) and stays, until you say `gp$optimize()`.
#' @param ... Not used; an argument that is not known is an error.
#' @param memory How many rows are kept to learn from. 0: none; `"online"` is then the same as `"warmup"`.
#'   (Other likelihoods keep at most 1,000, until so many have come.)
#' @param calibrate Are prediction intervals corrected by what they missed so far? See *Intervals* below.
#' @param half_life How fast older rows count less: `Inf`, not at all; a number of rows; [half_life()], in
#'   units of an input column; a duration such as `"1 day"`, where an input is a time; or `"auto"`, as fast as
#'   the rows to come are best foretold by.
#' @param weights With a formula: the name of the column with the weights of rows, if there is one; see
#'   `$update()`.
#' @param warmup With `optimize = "warmup"`, or no memory: how many rows are kept until the kernel has been
#'   learned from them.
#' @param na_action What to do with a row of a batch that has a missing or infinite value: `"error"`, or
#'   `"omit"` to drop it with a message; a first batch of several rows of which none is left is an error (but
#'   for [consume()], which goes on). Of several outputs some may be missing, and a row is dropped where all
#'   are. In a data frame empty text is a missing value, as it is in a CSV file.
#'
#' @return An object of class `StreamingGP`. It is a *reference*: `gp$update()` changes it in place, and a
#'   plain assignment does not copy it; `gp$copy()` does. It can be saved with [save_gp()] or `saveRDS()`,
#'   sent to parallel workers, and continued there.
#'
#' @section Members:
#' \describe{
#'   \item{`$update(x, y, weights = NULL, if_plausible = NULL, offset = NULL)`}{absorbs a batch; `x` is a
#'     vector of numbers or times (one column), matrix or data frame with observations in rows. With a
#'     formula, `$update(data)`. `weights` are precisions, one a row, as in [stats::lm()]: the noise of a
#'     row has the variance `noise / weight`, so that a row of weight 3 says of the function what three
#'     equal rows say; with a formula also the name of a column. With another likelihood than the Gaussian a
#'     row of weight 3 counts three times. `offset`, one number a row, is added to the function there, the
#'     log of an exposure say; a formula has `offset(log(t))` instead. `if_plausible`, a probability such as
#'     `1e-6`: rows that the model before the batch finds less likely than that, by `p` of `$score()`, are
#'     not learned, but counted in `$implausible`. Until 50 rows have come, and while it warms up, a model
#'     finds everything plausible. Returns the object invisibly. When it fails or is interrupted, the object
#'     is as it was before the call. `update(gp, ...)` is the same.}
#'   \item{`$score(x, y, weights = NULL, joint = FALSE)`}{what the model, as it is, thinks of rows it has not
#'     learned, with a formula `$score(data)`: a data frame with a row for each. `mean` and `sd` of the
#'     observation as the model foretells it (its own, not corrected as prediction intervals are); `z`, by how
#'     many `sd` it is off; `p`, the probability of being at least as far off, on either side; `log_density`,
#'     the log score. (Without Gaussian noise `z` is that of a normal observation as far out.) Learns nothing.
#'     `joint = TRUE`: each row given those before it, by the joint
#'     distribution that the model foretells, so that log densities add up to the joint one, and the `z` of a
#'     right model are independent. `NA` where something is missing, and for rows of
#'     weight 0.}
#'   \item{`$forget(keep)`}{every row so far counts `keep` times what it did, a number above 0 and at most 1;
#'     exact, and in place. Uncertainty grows accordingly. Rows that are kept to learn from (`memory`) stay: a
#'     model that is made of them anew knows them in full.}
#'   \item{`$refresh()`}{with another likelihood than the Gaussian, all rows of the look-back are looked at
#'     again, now, together and until nothing changes: with `lookback = Inf` the model is then what batch
#'     variational inference with these inducing points gives. With Gaussian noise nothing is to be done, and
#'     nothing changes. Returns the object invisibly.}
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
#'     rows in the look-back. The terms take all points of the batch to join before its rows are absorbed.
#'     Where an update does otherwise (with `support`, with a full set of points, or where rows count as
#'     noise), the difference is part of `points`. Terms and `points` add up to `bound`.}
#'   \item{`$unlearn(x, y, at = NULL, weights = NULL)`}{takes rows out again, exactly, all of them or none;
#'     with a formula, `$unlearn(data, at = )`. See *Unlearning* below. Returns the object invisibly.}
#'   \item{`$certificate()`}{[what can be promised][certificate] about the approximation: how far the model
#'     can be from the exact posterior on the rows it holds.}
#'   \item{`$copy()`}{an independent copy.}
#'   \item{`$points`, `$size`}{the inducing points, one a row, and their number.}
#'   \item{`$lookback`, `$rho`}{how many rows are kept for a look back, and the threshold on correlations;
#'     `NA` for a selector that has none, or until the first rows say how dense points are.}
#'   \item{`$nobs`}{the number of rows that came, those set aside included, without those that were
#'     unlearned.}
#'   \item{`$unlearned`}{how many rows were taken out again.}
#'   \item{`$kernel`, `$noise`, `$mean`}{the kernel, noise variance (of Student-t noise its squared scale, of
#'     Laplace noise half of its scale) and prior mean in use; with a trend, `$mean` is the trend at the
#'     columns' means. `coef()` has the slopes.}
#'   \item{`$likelihood`}{the likelihood, with its parameters as they are by now; `coef()` has them as
#'     `likelihood.df`, say.}
#'   \item{`$memory`}{the rows that are kept to learn from: a list of `row`, their numbers in the stream, `x`,
#'     `y` and `weights`.}
#'   \item{`$restarts`}{what became of what was learned, a list: `changes`, how often a model made from the
#'     memory took the place of the one there was; `origins`, how often it was one that knows only later rows,
#'     and the older ones were forgotten; `rivals`, how many others compete at present; `learned`, the number
#'     of rows when the kernel was learned last; `origin`, the number of rows at the start that are
#'     forgotten.}
#'   \item{`$calibration`}{a data frame of `level` and `factor`: by how much prediction intervals are wider
#'     than the model alone would have them.}
#'   \item{`$half_life`}{a data frame of the half-lives that compete, or the one there is: `half_life`, in
#'     rows or in units of a column; `weight`, what their scores make of each; `in_use`.}
#'   \item{`$removed`}{points that left for others when there were `max_points`, a list: `count`, and `kl`, by
#'     how much the posterior changed thereby, in nats, added up.}
#'   \item{`$set_aside`}{how many rows no point was near. Those that should have become points when there were
#'     `max_points`, and could not: with `when_full = "stop"` those of which the points leave more than the
#'     noise, which are not learned; otherwise those that count for less than half, because more rows ask for
#'     a point than others can leave for. And those that left the look-back without `support` (see
#'     [selectors]), which are not learned.}
#'   \item{`$implausible`}{how many rows were not learned because of `if_plausible`.}
#'   \item{`$objective`}{the variational objective F, the sum of the streaming bounds of all batches. With
#'     fixed inducing points it is a lower bound on the log evidence; while points are being added it is not.
#'     (Kernel `kernel_se(1, 1)`, noise 0.01, `rho` 0.7, no look-back, x = 0, 0.5, 0.65 and y = 0, 3, -3 one
#'     at a time: it is -314.6, and the log evidence -536.6.)}
#'   \item{`$posterior`}{a list with `mean` and `cov` of the function at the inducing points.}
#'   \item{`$history`}{a data frame of how the model grew and how well it foretold what came: one row a batch,
#'     thinned to at most 1000 rows, each exact for the batches it stands for. `batch` (the last of them),
#'     `rows`, `nobs`, `points`, `added`; `bound`, the objective; over the `scored` rows, those predicted
#'     before they were learned, `rmse`, the mean `log_score`, the `coverage` of 95 % prediction intervals
#'     and, of classes, `accuracy` and `brier` as in [evaluate()];
#'     `seconds`; `alarms`, how many alarms of drift [consume()] and [watch()] had raised by then;
#'     `unlearned`, rows that were taken out again after these batches, and are not in `nobs` any more.
#'     `$update()` alone scores and times nothing: these are `NA` then.}
#' }
#' Warnings come before the change: where one is turned into an error or caught by `tryCatch()`, the model
#' stays as it was. A model and its saved or copied twin continue bitwise alike; saving leaves no trace.
#' Reading a model (predicting, say) decides when its posterior is factored, so the same stream read at other
#' times agrees to rounding only.
#'
#' @section Batches:
#' The inducing points that a batch adds are known to all rows of the batch. A row that came before, and has
#' left the look-back window, knows only the points of its time. Predictions therefore depend on how a
#' stream is cut into batches, except with `lookback = Inf` or with inducing points that are given
#' (`select_fixed()`): then any cut gives the same to rounding. Larger batches come closer to the posterior
#' of all rows. An example with a given kernel: 400 observations in the order of x, noise with a standard
#' deviation of 0.1, and batches of 1 and of 200. Predictions differ by at most 0.6 with `lookback = 0`, and
#' by at most 0.01 with the default. With a given kernel, the inducing points themselves never depend on the
#' cut.
#'
#' @section Learning:
#' *From which rows.* The model keeps at most `memory` rows, beside those of the look-back: every row while
#' there are no more; then the latest fifth of `memory`, and an even sample of the whole stream in blocks of
#' 10 consecutive rows. `gp$memory` shows them, and they go along when a model is saved or copied.
#' `memory = 0` keeps none. The kernel is then learned once, from the first `warmup` rows, which are
#' all kept until then; a stream whose beginning is not like the rest is not learned anew, and intervals are
#' not corrected.
#'
#' *What.* The family of the kernel, its lengthscales, variance and other parameters, the noise, and the prior
#' variance of the trend: those that make the rows most probable, exactly, times a weak prior in units of the
#' rows (lengthscales of columns are shrunk towards a common factor, by a Student's t that lets single columns
#' differ). All families are tried on 200 rows of the memory, from several starts and from where they ended
#' the last time; the best two go on, on 500. A family with more parameters must be more probable for it, by
#' half the log of the number of rows for each. The noise is then taken from all rows that the new model holds
#' and, in the old one, from all of its own, where that is not far from what was learned. What is given stays.
#'
#' *When.* At 10, 20 and 50 rows, then each time there are half as many rows again, at multiples of 50; sooner
#' where rows surprise (their squared errors are far from what was said, on average over 100 rows), and where
#' inducing points run out.
#'
#' *What becomes of it.* A new model with what was learned, and with points chosen anew, is fed with the
#' memory and becomes a rival of the one there is. (While all rows are kept it takes the place at once, and
#' the old one is the rival.) Early on and where rows are very odd, a young one that knows only the latest
#' rows, at most 200, becomes another. All absorb what comes. Every 50 rows each is scored by
#' how it would have foretold them without them, older scores count less, and the best becomes the model; 400
#' rows after a learning the others go. (Alone, a model scores fewer and fewer blocks, and those that look
#' odd.) A young one that is better by more than a nat a row for long takes the memory along: rows before
#' its own are forgotten. `gp$restarts` counts. When all this happens depends on the rows and their order,
#' not on how they are cut into batches. There are up to three models at a time, so that a row costs up to
#' three times as much as without learning, and each learning takes about as long whatever the length of the
#' stream.
#'
#' *Where the kernel is not learned.* With every lengthscale given, variance, noise and mean are relearned
#' exactly each time the number of observations has doubled, without the data, and no rows are kept for it; so
#' they are after a warm-up. A model with `optimize_points` warms up, too.
#'
#' `print()`, `summary()` and `coef()` show what was learned, when, and why this kernel.
#'
#' @section Times:
#' Inputs may be times: `POSIXct` and `POSIXlt`, `Date`, `difftime`, and text of which every value is a time
#' in ISO form, as from CSV files and databases: `"2024-03-01"`, `"2024-03-01 12:30"`,
#' `"2024-03-01T12:30:00Z"`, `"2024-03-01T12:30+02:00"`, UTC where no offset is written. (Write
#' `factor(day)` where such text names categories.) A time is an instant: clocks that are put forward or
#' back make no hour longer or shorter, a `Date` is midnight UTC, and a time zone only says how plots show
#' it.
#'
#' The model sees numbers. The first batch fixes their unit, the largest of seconds, minutes, hours, days and
#' weeks of which it spans at least two (never less than days for a `Date`; that of a `difftime` is its own),
#' and their origin, midnight UTC before its first time; `print()` shows both, files keep them, and later
#' batches, predictions and half-lives of any class are read by them. Whatever is a number stays one:
#' lengthscales, slopes and `gp$points` are in that unit. A column that was a time at first must be a time
#' later. Models that are to be merged need the same unit and origin, as shards have.
#'
#' @section Other likelihoods:
#' With another [likelihood][likelihoods] than the Gaussian what a row says of the function depends on what is
#' known of it there, and so on the rows that come after. Rows are therefore kept for two look-backs and
#' looked at again: each time `lookback` rows have come, these and the oldest together, and only then the
#' oldest leave for good. `lookback = Inf` keeps all rows, and looks at them again with every tenth of their
#' number.
#'
#' The kernel is learned anew each time there are half as many rows again, from all of them, up to `memory`
#' rows or 1,000, whichever is less; they are kept until then, and the look-back begins after that. (With
#' `optimize = "warmup"`, or no memory, up to `warmup` rows.) From then on the kernel stays. Variance, noise
#' (where there is some) and mean are relearned each time the number of rows has doubled, and parameters of
#' the likelihood that were not given follow what the rows of each look-back say, as an average over all of
#' them. `optimize = "none"` leaves everything as it is.
#'
#' Intervals are quantiles of the predictive distribution, so that no count is below 0, and are not corrected
#' by what they missed. `gp$objective` is what the model makes as high as it can; of the evidence nothing is
#' proved. So there are no certificates and no `gp$bound()`; nor are there `half_life = "auto"` and joint
#' scores. `gp$optimize()` takes no rows that are about to come, and `gp$unlearn()` rows of the look-back
#' only. `vignette("likelihoods")` has examples, `vignette("derivation")`, section 20, the formulas.
#'
#' @section Several outputs:
#' `cbind(u, v) ~ x`, or a matrix or data frame as `y` with a column an output, makes one model of several
#' outputs of the same rows, with Gaussian noise. They share the inducing points and the kernel up to its
#' variance; each has a variance, a noise, a mean and a trend of its own, and what is known of one does not
#' depend on the others: given the points and the kernel, the model says of each output what a model of that
#' output alone would. Names and number of the outputs are fixed by the first batch (without names they are
#' `y1`, `y2`, ...); later columns are matched by name where they have some.
#'
#' *Missing outputs.* A row in which some outputs are `NA` is learned for the others. Of an output that was
#' not observed the row says nothing and is not counted, so that what is known of that output is exactly what
#' the rows say in which it was observed; nothing is imputed. (The row may become an inducing point, which
#' serves all outputs.)
#'
#' *Learning.* The kernel is the one that makes all outputs together most probable, each measured in units of
#' its own; points are as dense as the output asks for of which least is noise; models that compete are scored
#' by the sum over the outputs, and intervals are corrected output by output. A row costs as much as in a
#' model of one output, times the number of outputs.
#'
#' *What there is of each output.* `predict()` gives a matrix with a column an output; with an interval an
#' array (row; `fit`, `lwr`, `upr`; output); `simulate()` an array (row; draw; output). `$noise`, `$mean` and
#' `sigma()` have the names of the outputs, and `coef()` has them behind: `noise.u`. `$score()`,
#' [components()], `$calibration` and what `plot()` returns have a column `output`; `plot()` and `autoplot()`
#' a panel an output. `$objective` is the sum. `if_plausible` leaves out rows of which any output is
#' implausible. In `$history` and [evaluate()] every observed output of a row is scored, and errors are in the
#' units of each. `$kernel` shows the variance of the first output; one that is given or assigned is that of
#' all. There are no certificates, no `$bound()`, no alarms of [consume()] and no [watch()] for several
#' outputs, and `$optimize()` learns their scales only.
#'
#' @section When points run out:
#' With `max_points` points a model goes on: for a row that should become a point, others leave
#' (`when_full = "replace"`, see [selectors]). What they had said of the points that stay is kept, what only
#' they knew is forgotten, and the function returns to its prior there. So a stream that moves on for ever
#' needs no more memory, and is known where it has been lately; one that comes back to where it was learns
#' that anew. `gp$removed` tells how many left. With `when_full = "stop"` no point leaves, and rows that the
#' points do not explain to within the noise are set aside: absorbed, they would be taken for noise, and spoil
#' what is known elsewhere. `gp$set_aside` counts them.
#'
#' @section Intervals:
#' In a model that goes on learning, each block of 50 rows that is scored is held against the intervals
#' that it would have given for them had they not come, at 50, 80, 90, 95 and 99 %, and the factor of a level
#' rises with rows that are missed and falls with others: in the long run a level misses as often as it says,
#' whatever the stream does (`vignette("derivation")`, section 14, has bound and proof). Factors stay at 1
#' while misses are within what chance gives. They apply to prediction intervals only, other levels lying
#' between: `se.fit`, confidence intervals, simulations and log scores are the model's own. `gp$calibration`
#' shows them, `calibrate = FALSE` switches them off.
#'
#' @section Unlearning:
#' `gp$unlearn(x, y)` takes out rows that are still in the look-back; values must be those that were learned.
#' For a row that has left it the model must know with how many points it was seen: say by `at` how many rows
#' had come when it left (unlearned ones count). That is the row's number in the stream plus `lookback`,
#' whatever the batches were, as long as no row was unlearned from the look-back while this one was there; of
#' models that were merged, rows are numbered on. `NA` in `at` stands for a row of the look-back. Rows that
#' were learned with weights need the same `weights`, if they have left.
#'
#' What was added is subtracted, so the model is as if the rows had never come, to rounding. The whole call is
#' refused, with an error of class `gpstream_error_unlearn`, where a row is not in the look-back and has no
#' `at`; where a row that left at `at` was unlearned before; where, since then, points that the row was seen
#' with were moved or removed, the kernel was changed or learned anew, or models with other points were
#' merged; where rows were made to count less (`gp$forget()`); where the model comes from a
#' file of an earlier version and the row had left by then; and where what is left could not come from rows.
#' That last check is a net with holes: a row that was never learned, but is like others that were, passes.
#'
#' What the model had learned from a row beside that stays: inducing points (which may be that very row),
#' kernel, noise and mean, history and calibration. A row that is kept to learn from goes from the memory,
#' too, and rivals go.
#'
#' @section Changing a model:
#' What the data said is stored apart from the variance, noise and mean, so these can be changed at any time,
#' exactly as if they had been so from the start: `gp$noise <- 0.1`, `gp$mean <- 0`, or a `gp$kernel <- ` that
#' differs in its variance only. What is assigned counts as given from then on; a mean that is assigned ends
#' the trend. Another lengthscale or kind of kernel (`gp$kernel <- `) and other inducing points
#' (`gp$points <- `) carry the evidence over by projection, the best that can be done without the data, and
#' cannot be undone: `$copy()` first. Points that are only added cost nothing; points far from the data lose
#' what was learned. A kernel that is assigned ends its learning: memory and rivals go with the next row.
#' Points that are assigned, and what `$optimize()` finds, last until another model takes over, in one that
#' goes on learning, or until the warm-up learns anew.
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
#'
#' # two outputs, of which the second is often missing
#' air <- streaming_gp(cbind(Ozone, Wind) ~ Temp, data = airquality)
#' predict(air, data.frame(Temp = c(60, 80)), interval = "prediction")
#' @references
#' Galy-Fajou, T. and Opper, M. (2021) Adaptive Inducing Points Selection for Gaussian Processes.
#' arXiv:2107.10066.
#'
#' Bui, T. D., Nguyen, C. V. and Turner, R. E. (2017) Streaming Sparse Gaussian Process Approximations.
#' NeurIPS.
#' @seealso [likelihoods]; [merge()][merge.StreamingGP] and [shard()] for parts of a stream; [fit_shards()];
#'   [half_life()];
#'   [predict.StreamingGP()], [plot.StreamingGP()], [consume()], [evaluate()], [watch()], [save_gp()],
#'   [certificate], [forecast_points()], [suggest_rho()], [notation]; the vignettes `gpstream`, `streams`,
#'   `learning`, `endless`, `likelihoods`, `time-series`, `kernels`, `experiments`, `theorem-1`, `theorem-2`,
#'   `kdpp`, `derivation`
#' @aliases $,StreamingGP-method $<-,StreamingGP-method
#' @export
streaming_gp <- function(formula = NULL, data = NULL, kernel = NULL, noise = NULL,
                         select = select_oips(), lookback = 100, likelihood = likelihood_gaussian(),
                         mean = c("auto", "linear", "constant", "zero"),
                         optimize = c("online", "warmup", "none"), ..., memory = 1000, calibrate = TRUE,
                         half_life = Inf, weights = NULL, warmup = 200, na_action = c("error", "omit"),
                         family = NULL) {
  check_no_dots(...)
  refuse_piped_data(formula, data)
  if (!is.null(family)) likelihood <- as_likelihood(family, "family")
  optimize <- check_choice(optimize, c("online", "warmup", "none"), "optimize")
  # nothing could choose among the families
  if (is.null(kernel) && optimize == "none" && !has_special_terms(formula)) kernel <- kernel_se()
  spec <- check_spec(list(
    formula = formula, kernel = kernel, noise = noise, select = select, lookback = lookback, mean = mean,
    optimize = optimize, memory = memory, calibrate = calibrate, half_life = half_life, warmup = warmup,
    na_action = na_action, weights = column_word(weights, "weights"), likelihood = likelihood
  ))
  check_special(spec)
  if (!is.null(data) && is.null(formula)) {
    abort("parameter", "`data` needs a `formula` that says which column is the response.")
  }
  gp <- StreamingGP$new(spec = spec)
  if (!is.null(data)) gp$update(data)
  gp
}

# data |> streaming_gp(y ~ x): the formula comes first.
refuse_piped_data <- function(formula, data) {
  if (!is.data.frame(formula)) return(invisible())
  model <- if (inherits(data, "formula")) deparse1(data) else "y ~ x"
  abort("parameter", "`formula` must have the form y ~ x, not ", describe(formula), "; write streaming_gp(",
    model, ", data) or, in a pipe, data |> streaming_gp(formula = ", model, ").")
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
  if (is.null(spec$memory) && is.null(spec$calibrate)) spec <- older_spec(spec)
  check_lookback(spec)
  likelihood <- as_likelihood(if (is.null(spec$likelihood)) likelihood_gaussian() else spec$likelihood)
  spec$noise <- check_noise(spec$noise, likelihood)
  list(
    formula = check_formula(spec$formula),
    kernel = if (!is.null(spec$kernel)) check_kernel(spec$kernel), # NULL: the evidence chooses it
    noise = spec$noise,
    likelihood = likelihood,
    select = without_row_names(check_selector(spec$select)),
    lookback = check_count(spec$lookback, "lookback"),
    mean = check_mean(spec$mean, c("auto", "linear", "constant", "zero")),
    optimize = check_choice(spec$optimize, c("online", "warmup", "none"), "optimize"),
    memory = check_count(spec$memory, "memory", most = 1e5),
    calibrate = check_flag(spec$calibrate, "calibrate"),
    half_life = check_fixed_half_life(check_half_life(spec$half_life, spec$lookback), likelihood),
    warmup = check_count(spec$warmup, "warmup", core_few_rows(), most = 1e5),
    na_action = check_choice(spec$na_action, c("error", "omit"), "na_action"),
    weights = check_weights_column(spec$weights, spec$formula)
  )
}

# Its variance, where there is noise.
check_noise <- function(noise, likelihood) {
  if (!is.null(likelihood$dispersion)) {
    if (is.null(noise) || identical(noise, likelihood$dispersion)) return(likelihood$dispersion)
    abort("parameter", "`noise` and the `scale` of the likelihood both say how much there is; give one.")
  }
  if (is.null(noise)) return(NULL)
  if (!likelihood$name %in% noisy_likelihoods) {
    abort("parameter", "`noise` is for likelihoods that have some; this one is ", format(likelihood), ".")
  }
  check_each_output(noise, check_noise_variance)
}

# Of exact observations it is next to nothing.
check_noise_variance <- function(noise) {
  if (!is_scalar(noise) || noise != 0) return(check_variance(noise, "noise"))
  abort("parameter", "`noise` must be a single positive number, not 0. For observations without noise write ",
    "noise = 1e-6.")
}

check_fixed_half_life <- function(half_life, likelihood) {
  if (!identical(half_life, "auto") || likelihood$name == "gaussian") return(half_life)
  abort("parameter", "`half_life` = \"auto\" is for Gaussian noise; give a number of rows.")
}

# A row that waits for support does so in the look-back.
check_lookback <- function(spec) {
  lookback <- check_count(spec$lookback, "lookback")
  support <- check_selector(spec$select)$support
  if (is.null(support) || support <= lookback) return(invisible())
  abort("parameter", "`lookback` must be at least the `support` of the selector (", whole(support),
    "), not ", whole(lookback), ": that many rows are looked for in it.")
}

check_weights_column <- function(weights, formula) {
  if (is.null(weights) || (is_name(weights) && !is.null(formula))) return(weights)
  if (is_name(weights)) {
    abort("parameter", "`weights` names a column, which needs a `formula`; use update(x, y, weights = ).")
  }
  abort("parameter", "`weights` must be the name of a column of the data, not ", describe(weights), ".")
}

check_mean <- function(mean, words = NULL) {
  if (!is.null(words) && inherits(mean, "formula") && length(mean) == 2) return(mean)
  if (is.numeric(mean) && length(mean) > 1 && !is.null(names(mean))) {
    return(check_each_output(mean, check_mean))
  }
  if (is_scalar(mean) && abs(mean) <= largest_output) return(as.double(mean))
  if (is.character(mean) && (identical(mean, words) || (length(mean) == 1 && mean %in% words))) {
    return(mean[1])
  }
  words <- if (!is.null(words)) paste0(quoted(words), ", a formula such as ~ x1 or ")
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
    lookback = function(value) read_only("lookback", gp_info(.self)$lookback, value),
    rho = function(value) read_only("rho", gp_rho(.self), value),
    size = function(value) read_only("size", gp_info(.self)$size, value),
    nobs = function(value) read_only("nobs", gp_info(.self)$nobs, value),
    kernel = function(value) if (missing(value)) gp_kernel(.self) else gp_set_kernel(.self, value),
    noise = function(value) if (missing(value)) gp_info(.self)$noise else gp_set_noise(.self, value),
    mean = function(value) if (missing(value)) gp_mean(.self) else gp_set_mean(.self, value),
    objective = function(value) read_only("objective", gp_objective(.self), value),
    posterior = function(value) read_only("posterior", gp_posterior(.self), value),
    restarts = function(value) read_only("restarts", gp_restarts(.self), value),
    calibration = function(value) read_only("calibration", calibration_factors(.self), value),
    memory = function(value) read_only("memory", gp_memory(.self), value),
    half_life = function(value) read_only("half_life", gp_half_life(.self), value),
    likelihood = function(value) read_only("likelihood", likelihood_now(.self), value),
    removed = function(value) read_only("removed", gp_removed(.self), value),
    set_aside = function(value) read_only("set_aside", gp_info(.self)$set_aside, value),
    implausible = function(value) read_only("implausible", gp_info(.self)$implausible, value),
    unlearned = function(value) read_only("unlearned", gp_info(.self)$unlearned, value),
    history = function(value) read_only("history", gp_history(.self), value)
  ),
  methods = list(
    # methods are one line each: a saved object carries them along
    initialize = function(..., spec = NULL) gp_initialize(.self, spec, ...),
    update = function(x, y = NULL, data = NULL, weights = NULL, if_plausible = NULL, offset = NULL, ...) {
      gp_update(.self, x, y, data, weights, if_plausible, offset, ...)
    },
    score = function(x, y = NULL, data = NULL, weights = NULL, joint = FALSE) {
      gp_score(.self, x, y, data, weights, joint)
    },
    forget = function(keep) gp_forget(.self, keep),
    refresh = function() gp_refresh(.self),
    predict = function(newdata, ...) predict.StreamingGP(.self, newdata, ...),
    optimize = function(x, y = NULL, what = c("scale", "kernel", "points"), steps = 100) {
      gp_optimize(.self, x, y, if (missing(what)) "scale" else what, steps)
    },
    unlearn = function(x, y = NULL, at = NULL, weights = NULL) gp_unlearn(.self, x, y, at, weights),
    bound = function(x, y = NULL) gp_bound(.self, x, y),
    certificate = function() gp_certificate(.self),
    copy = function(shallow = FALSE) gp_copy(.self),
    show = function() print.StreamingGP(.self)
  )
)
