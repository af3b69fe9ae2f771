#' An alarm for streams that change
#'
#' A test that looks at every row before it is learned and says when rows no longer are as they were. It can
#' look as often as it likes, for ever: the probability that it raises an alarm on a stream that does not
#' change is at most `level`, over the whole stream and all of its alarms together.
#'
#' **How it works.** A row is scored by the model that does not know it yet: by how many standard deviations
#' is it off (`z` of `gp$score()`)? The score is ranked among earlier ones. As long as scores come
#' from one distribution, whatever that is, ranks are independent and even. The alarm bets that they are not:
#' on ranks at the upper end, at the lower end (the level has moved up or down) or at both (the noise has
#' grown), from any row on. Money that is won at fair odds is evidence: the alarm is raised where the stake
#' has grown `2 / level`-fold. After the first alarm the test begins anew with half of the level left, and so
#' on.
#'
#' **What is assumed.** That the scores of a stream that does not change are exchangeable: that their order
#' says nothing. Then the level holds exactly (`vignette("derivation")`, section 17, with the proof), be the
#' noise Gaussian or not and the model's noise right or wrong. Scores of a right model are: they are
#' independent standard normal, if those of a batch are made with `joint = TRUE`. A model that still learns
#' is not right yet; so the first `after` rows are not looked at, nor any while a model warms up. Simulations
#' with models that learn everything are in that section, too. Smoothing and forgetting use the alarm's own
#' stream of pseudo-random numbers, not R's, so that the same rows give the same answer.
#'
#' **What it finds.** Changes that come within tens of rows: a jump of the function by three standard
#' deviations of the noise is found after about ten rows. It needs rows to compare with: a hundred or
#' so after the first `after`. What a model follows as fast as it comes, such as a slow drift of a series
#' along time, is no change to it. The alarm ranks a row among 500 earlier ones, an even sample in
#' which a row stays for 500 rows on average.
#'
#' @param level Bound on the probability of a false alarm, over the whole stream.
#' @param action What [consume()] and [watch()] do when it is raised. `"warn"`: a warning of class
#'   `gpstream_warning_drift`. `"forget"`: the same, and `gp$forget(0.1)`, so that all rows so far
#'   count a tenth. `"restart"`: the same, and the model starts anew with the next batch, with what it was
#'   given when it was made. A function of the model and of a list with `row` (the row of the stream at
#'   which it was raised, from 1, among those the alarm has seen), `alarms` (how many so far) and `evidence`
#'   (how far the stake had grown): called, and nothing else.
#' @param after So many rows are not looked at, at the beginning and after every alarm.
#' @return An object of class `DriftAlarm`, a reference, as models are, with the members
#'   \describe{
#'     \item{`$see(scores)`}{looks at rows that are not learned yet: what `gp$score()` gives, or the column
#'       `z` of it; missing ones are counted, and not looked at. Invisibly, is there an alarm among them?
#'       What `action` says is not done: only [consume()] and [watch()] do.}
#'     \item{`$alarms`}{how many alarms were raised; `$rows`: at which rows.}
#'     \item{`$seen`}{how many rows it has seen.}
#'     \item{`$evidence`}{the stake now, 1 at the beginning; an alarm where it reaches `$threshold`.}
#'     \item{`$level`, `$action`, `$after`}{as given.}
#'     \item{`$copy()`}{an independent copy.}
#'   }
#'   It can be saved with `saveRDS()`; checkpoints of [consume()] hold it.
#' @examples
#' set.seed(1)
#' gp <- streaming_gp(kernel = kernel_se(1, 1), noise = 0.01)
#' alarm <- drift_alarm()
#' for (batch in 1:60) {
#'   x <- runif(20, 0, 6)
#'   y <- sin(x) + rnorm(20, sd = 0.1) + 0.4 * (batch > 50)
#'   if (alarm$see(gp$score(x, y, joint = TRUE))) break
#'   gp$update(x, y)
#' }
#' alarm # rows 1001 and later are others
#'
#' # by itself
#' x <- runif(1200, 0, 6)
#' data <- data.frame(x = x, y = sin(x) + rnorm(1200, sd = 0.1) + 0.4 * (1:1200 > 1000))
#' gp <- streaming_gp(y ~ x, kernel = kernel_se(1, 1), noise = 0.01)
#' consume(gp, data, alarm = drift_alarm(action = function(gp, info) print(info$row)))
#' @seealso [consume()], [watch()], and `$score()` in [streaming_gp()]
#' @export
drift_alarm <- function(level = 1e-3, action = c("warn", "forget", "restart"), after = 200) {
  DriftAlarm$new(level = level, action = action, after = after)
}

#' @rdname drift_alarm
#' @format NULL
#' @export DriftAlarm
#' @exportClass DriftAlarm
DriftAlarm <- methods::setRefClass("DriftAlarm",
  fields = list(
    spec = "list", state = "list", # what was given; how far the test is, plain numbers
    level = function(value) read_only("level", .self$spec$level, value),
    action = function(value) read_only("action", .self$spec$action, value),
    after = function(value) read_only("after", .self$spec$after, value),
    alarms = function(value) read_only("alarms", length(.self$state$rows), value),
    rows = function(value) read_only("rows", .self$state$rows, value),
    seen = function(value) read_only("seen", .self$state$seen, value),
    evidence = function(value) read_only("evidence", test_evidence(.self$state), value),
    threshold = function(value) read_only("threshold", test_threshold(.self$spec, .self$state), value)
  ),
  methods = list(
    initialize = function(level = 1e-3, action = "warn", after = 200, ...) {
      spec <<- list(
        level = check_fraction(level, "level"), action = check_action(action),
        after = check_count(after, "after", most = 1e9)
      )
      state <<- new_test()
      .self
    },
    see = function(scores) alarm_see(.self, scores),
    copy = function(shallow = FALSE) alarm_copy(.self),
    show = function() print.DriftAlarm(.self)
  )
)

alarm_actions <- c("warn", "forget", "restart")

check_action <- function(action, arg = "action") {
  if (is.function(action)) return(action)
  if (!is.character(action)) {
    abort("parameter", "`", arg, "` must be one of ", quoted(alarm_actions), " or a function, not ",
      describe(action), ".")
  }
  check_choice(action, alarm_actions, arg)
}

alarm_see <- function(alarm, scores) {
  z <- if (is.data.frame(scores)) scores$z else scores
  if (!is.numeric(z) || is.object(z)) {
    abort("type", "`scores` must be what gp$score() gives, or its column `z`, not ", describe(scores), ".")
  }
  before <- alarm$state
  alarm$state <- test_rows(alarm$spec, before, as.double(z))
  invisible(length(alarm$state$rows) > length(before$rows))
}

alarm_copy <- function(alarm) {
  twin <- drift_alarm(alarm$spec$level, alarm$spec$action, alarm$spec$after)
  twin$state <- alarm$state
  twin
}

#' @export
print.DriftAlarm <- function(x, ...) {
  cat("<DriftAlarm> level ", format(x$level), ", ", count(x$seen, "row"), " seen, ", count(x$alarms, "alarm"),
    if (x$alarms > 0) paste0(" (row ", paste(whole(utils::tail(x$rows, 5)), collapse = ", "), ")"), "\n",
    sep = "")
  cat("evidence ", format(x$evidence, digits = 3), " of ", format(x$threshold, digits = 3), "; ",
    if (is.function(x$action)) "calls a function" else c(
      warn = "warns", forget = "warns and forgets", restart = "warns and starts the model anew"
    )[[x$action]], "\n", sep = "")
  invisible(x)
}

# --- the test -----------------------------------------------------------------------------------------------
# A value and functions of it.  [derivation 17]

test_sample <- 500 # scores that a score is ranked among

# Densities on (0, 1) that are bet on: high ranks, low ranks, both.
test_bets <- rbind(c(1, 0.5), c(1, 0.2), c(0.5, 1), c(0.2, 1), c(0.4, 0.4))

# Share of the stake that is not bet yet after t rows: row t is where the bets of
# test_kept(t - 1) - test_kept(t) begin.
test_kept <- function(t) 1 / log2(t + 2)

# `seen`: rows so far; `begun`: those before the present test, with the ones it does not look at; `t`: rows it
# has looked at; `stakes`: what has become of each bet; `sample`: earlier scores, in order; `draw`: the state
# of the pseudo-random numbers; `rows`: where alarms were raised, `height`: the evidence there.
new_test <- function(seen = 0, draw = 20210701, rows = numeric(), height = numeric()) {
  list(
    seen = seen, begun = seen, t = 0, stakes = numeric(nrow(test_bets)), sample = numeric(), draw = draw,
    rows = rows, height = height
  )
}

test_evidence <- function(state) sum(state$stakes) + test_kept(state$t)

# The k-th test of a stream has the level 2^-k of the whole.
test_threshold <- function(spec, state) 2^(length(state$rows) + 1) / spec$level

# Rows in their order. Missing scores are counted, and not looked at.
test_rows <- function(spec, state, z) {
  for (one in z) {
    state$seen <- state$seen + 1
    if (is.na(one) || state$seen - state$begun <= spec$after) next
    state <- test_row(state, one)
    evidence <- test_evidence(state)
    if (evidence >= test_threshold(spec, state)) {
      state <- new_test(state$seen, state$draw, c(state$rows, state$seen), c(state$height, evidence))
    }
  }
  state
}

# Ties are broken by lot, as is the rank between its neighbours; then, where there are enough, one of the
# sample and the new one goes, by lot and by rank: which of them is the new one has no influence.
test_row <- function(state, z, draws = test_draws(state$draw), most = test_sample) {
  n <- length(state$sample)
  below <- findInterval(z, state$sample, left.open = TRUE)
  equal <- findInterval(z, state$sample) - below
  u <- (below + (equal + 1) * draws$u[1]) / (n + 1)
  state$draw <- draws$state
  state$t <- state$t + 1
  fresh <- (test_kept(state$t - 1) - test_kept(state$t)) / nrow(test_bets)
  state$stakes <- (state$stakes + fresh) * stats::dbeta(u, test_bets[, 1], test_bets[, 2])
  state$sample <- append(state$sample, z, below)
  if (n + 1 > most) state$sample <- state$sample[-(1 + floor((n + 1) * draws$u[2]))]
  state
}

# Two uniform numbers, by Lehmer's generator modulo the prime 2^31 - 1: exact in doubles, never 0 or 1.
test_draws <- function(state) {
  first <- (48271 * state) %% 2147483647
  second <- (48271 * first) %% 2147483647
  list(u = c(first, second) / 2147483647, state = second)
}
