#' Watch a model while it learns
#'
#' Opens a page in the browser on which a source of rows runs through a model: the newest rows, the prediction
#' with its band, inducing points as they appear, the error and the number of points over time. The stream can
#' be paused, resumed, taken batch by batch and run at any speed; a box predicts at inputs of your choice,
#' with the model as it is at that moment. Needs the package shiny.
#'
#' With one input column the page shows the curve with its bands; with two, a map of the mean, which fades
#' where next to nothing is known; with more, what was observed and what is predicted at the newest rows along
#' one column (that of time, if there is one) or the levels of a factor, or the map of two columns of your
#' choice, the others held at the median of the rows that the model holds. Rows that lay where one in a
#' thousand does, by what the model foretold, have a ring around them.
#'
#' The error is prequential: each batch is predicted before it is learned (200 rows of it, if there are more).
#' The page works without a network and shows the 500 latest rows at most, so that memory does not grow with
#' the stream.
#'
#' A batch that cannot be learned pauses the stream. The page says what is wrong; the model is as it was
#' before that batch, and *Resume* goes on with the next one. A source that waits for its rows keeps the page
#' waiting, too.
#'
#' @param gp A model made by [streaming_gp()]. It is updated in place.
#' @param source Where the rows come from: a data frame, a function, a file and so on. What needs arguments of
#'   its own is made first, as in `as_source(db, sql = "SELECT u, y FROM t")`; see [as_source()].
#' @param batch_size Rows in a batch.
#' @param speed Batches a second to begin with; `Inf` for as fast as possible. It can be changed on the page.
#' @param ... For [shiny::runApp()]: `port`, `host`, `launch.browser` and so on.
#' @param y For a model without a formula and a source of data frames, the name of the column of outputs (by
#'   default `"y"`); or the outputs themselves. As in [consume()].
#' @param run `FALSE` to get the app instead of running it, to host or to test it (printing it runs it). It
#'   does not end when its page is closed; the stream stands still while no page is open.
#' @param alarm As of [consume()]. An alarm is told on the page, and marked in the picture of the error; with
#'   one, a batch has at most 50 rows.
#'
#' @return `gp`, invisibly, when *Stop* is pressed, the page is closed, or R is interrupted; with
#'   `run = FALSE` an object of class `shiny.appobj`.
#' @examples
#' if (interactive()) {
#'   gp <- streaming_gp(y ~ x)
#'   x <- runif(5000, 0, 10)
#'   watch(gp, data.frame(x = x, y = sin(x) + rnorm(5000, sd = 0.2)))
#'   gp
#'
#'   # two columns, and a stream without an end
#'   walk <- function() {
#'     x <- matrix(runif(20, -2, 2), ncol = 2)
#'     list(x = x, y = x[, 1] * exp(-rowSums(x^2)) + rnorm(10, sd = 0.02))
#'   }
#'   gp <- watch(streaming_gp(), walk, speed = 10)
#' }
#' @seealso [consume()] for streams nobody watches, [as_source()], [plot.StreamingGP()]
#' @export
watch <- function(gp, source, batch_size = 10, speed = 5, ..., y = NULL, run = TRUE, alarm = NULL) {
  check_model(gp)
  only_one_output(gp, "watch()")
  batch_size <- check_count(batch_size, "batch_size", 1, most = 1e9)
  speed <- check_speed(speed)
  alarm <- as_alarm(alarm)
  if (!is.null(alarm)) batch_size <- min(batch_size, alarm_rows)
  check_flag(run, "run")
  if (!run) check_no_dots(...)
  if (missing(source)) {
    abort("input", "`source` is missing: say where the rows come from, such as a data frame; see ?as_source.")
  }
  need_package("shiny", "makes the page")
  options <- check_run_options(list(...))
  given <- is_source(source)
  source <- if (is.null(y) || is_name(y)) as_source(source) else as_source(source, y = y)
  player <- new_player(gp, source, batch_size, speed, if (is_name(y)) y else "y", alarm = alarm)
  app <- watch_app(player, leaves = run)
  if (!run) return(app)
  on.exit(if (!given) release(source))
  tryCatch(do.call(shiny::runApp, c(list(app), options)), interrupt = function(i) NULL)
  invisible(gp)
}

check_speed <- function(speed) {
  if (!is_scalar(speed) || speed <= 0) {
    abort("parameter", "`speed` must be a single positive number, or Inf, not ", describe(speed), ".")
  }
  as.double(speed)
}

check_run_options <- function(options) {
  useful <- setdiff(names(formals(shiny::runApp)), "appDir")
  if (length(options) > 0 && (is.null(names(options)) || !all(names(options) %in% useful))) {
    abort("parameter", "`...` is for arguments of shiny::runApp(), by name, such as `port`.")
  }
  options
}
