# Forgetting at a steady rate, or at one that is found: half_life of streaming_gp(). The fading itself is the
# core's (src/core/evidence/fading.h, bank.h, src/core/learn/half_life.h).  [derivation 19]

#' Half-lives: how fast a model forgets
#'
#' With a half-life a row counts half as much with every half-life that has passed since it came: its weight
#' is `2^(-age / half_life)`, exactly, whatever the batches were. A model follows a function that changes, at
#' the price of knowing less of one that does not.
#'
#' Given to [streaming_gp()] as `half_life`:
#' \describe{
#'   \item{`Inf`}{the default: nothing is forgotten.}
#'   \item{a number}{of rows.}
#'   \item{`half_life(600, by = "depth")`}{in units of an input column. Now is the largest value so far; a row
#'     that comes late enters with what it would count by now.}
#'   \item{`half_life("1 day", by = "time")`}{the same for a column of times (*Times* in [streaming_gp()]): so
#'     many seconds, minutes, hours, days, weeks, months (a twelfth of a year), quarters or years (365.25
#'     days), or a difftime. Where there is one column of times, `"1 day"` alone will do. A mere number is in
#'     the unit that `print()` shows for the column.}
#'   \item{`"auto"`}{is found: what the rows said is kept for half-lives of 1000, 250, 60 and 15 rows and for
#'     none, on the same inducing points. Each is scored by how it would have foretold 25 rows at a time (all
#'     at first; later, where nothing is forgotten or points are many, some of them, and those that look odd).
#'     Older scores count less, by half with every 270 rows, and the best is in use; that nothing is forgotten
#'     needs no proof, others have to be ahead by a nat. `gp$half_life` shows them.}
#' }
#' Where a half-life is in use:
#' \itemize{
#'   \item Variance, noise and mean are still relearned exactly from what is kept, with these weights. A short
#'     half-life leaves few rows to learn them from: together they count for about 1.44 half-lives, and the
#'     noise comes out too high by about `(n - d / 2) / (n - d)` for n such rows and d degrees of freedom of
#'     the function. In models that score their rows the noise follows the errors instead.
#'   \item In a model that goes on learning its kernel, rows of the memory count by their age, too, but
#'     together for no fewer than 200; and the memory itself prefers recent rows.
#'   \item A prediction after an update factors the posterior anew, of the order of M^3 for M inducing points:
#'     predict, and update, many rows at a time where there are many points.
#'   \item [certificate()][certificate] promises nothing about the approximation.
#' }
#'
#' @param half_life A positive number, or a duration such as `"1 day"` or `"52 weeks"`.
#' @param by The input column that `half_life` is measured by: its name, or its number. `NULL`: rows; or, for
#'   a duration, the only column of times.
#' @return `half_life()`: an object of class `gpstream_half_life`, for `streaming_gp(half_life = )`.
#' @seealso `gp$forget()` in [streaming_gp()], to forget once; [drift_alarm()]; `vignette("endless")`.
#' @examples
#' set.seed(1)
#' t <- sort(runif(600, 0, 60))
#' y <- sin(t / 2) + rnorm(600, sd = 0.1)
#' gp <- streaming_gp(kernel = kernel_se(1, 1), half_life = half_life(10, by = 1))
#' gp$update(t, y)
#' predict(gp, c(5, 55), se.fit = TRUE)$se.fit
#'
#' # the same, in time
#' time <- as.POSIXct("2024-03-01", tz = "UTC") + 3600 * t
#' gp <- streaming_gp(y ~ time, data.frame(time, y), half_life = half_life("10 hours", by = "time"))
#' gp
#' @export
half_life <- function(half_life, by = NULL) {
  if (missing(half_life)) abort("parameter", "`half_life` is missing; give a positive number.")
  if (inherits(half_life, "difftime") || is_name(half_life)) {
    parse_duration(half_life, "half_life")
    half_life <- if (is_name(half_life)) half_life else format_duration(half_life)
  } else if (!is_scalar(half_life) || half_life <= 0) {
    abort("parameter", "`half_life` must be a single positive number, or a duration such as \"1 day\", not ",
      describe(half_life), ".")
  } else {
    half_life <- as.double(half_life)
  }
  named <- is.null(by) || is_name(by) || (is_scalar(by) && by >= 1 && by == round(by))
  if (!named) {
    abort("parameter", "`by` must be the name or the number of an input column, not ", describe(by), ".")
  }
  structure(list(half_life = half_life, by = by), class = "gpstream_half_life")
}

#' @export
format.gpstream_half_life <- function(x, ...) {
  own <- if (is.character(x$half_life)) "" else "rows"
  unit <- if (is.null(x$by)) own else paste("of", if (is.character(x$by)) x$by else paste("column", x$by))
  trimws(paste(format(x$half_life), unit))
}

#' @export
print.gpstream_half_life <- function(x, ...) {
  cat("<half-life> ", format(x), "\n", sep = "")
  invisible(x)
}

check_half_life <- function(half_life, lookback) {
  if (is.null(half_life)) return(Inf) # of an object saved before there were any
  if (inherits(half_life, "gpstream_half_life")) {
    checked <- half_life(half_life$half_life, half_life$by)
    return(if (is.null(checked$by) && is.numeric(checked$half_life)) checked$half_life else checked)
  }
  if (identical(half_life, "auto")) {
    if (lookback < 50) {
      abort("parameter", "`half_life = \"auto\"` scores the 25 latest rows by those before them: `lookback` ",
        "must be at least 50, not ", lookback, ".")
    }
    return(half_life)
  }
  if (inherits(half_life, "difftime") || is_name(half_life)) {
    duration <- tryCatch(half_life(half_life), gpstream_error = function(e) NULL)
    if (!is.null(duration)) return(duration)
  }
  if (is.numeric(half_life) && length(half_life) == 1 && !is.na(half_life) && half_life > 0) {
    return(as.double(half_life))
  }
  abort("parameter", "`half_life` must be a positive number of rows, Inf, \"auto\", a duration such as ",
    "\"1 day\", or half_life(t, by = ) in units of a column, not ", describe(half_life), ".")
}

# As the core wants it: a number, "auto", or a number and a column.
half_life_wish <- function(half_life, frame) {
  if (!inherits(half_life, "gpstream_half_life")) return(list(half_life = half_life, half_life_column = 0))
  column <- half_life_column(half_life, frame)
  given <- half_life$half_life
  if (is.numeric(given)) return(list(half_life = given, half_life_column = column))
  time <- column_times(frame)[[column]]
  if (is.null(time)) {
    abort("parameter", "`half_life` of ", quoted(given), " needs a column of times, but ",
      backtick(input_names(frame)[column]), " holds numbers: give a number.")
  }
  list(half_life = duration_in(parse_duration(given, "half_life"), time), half_life_column = column)
}

half_life_column <- function(half_life, frame) {
  by <- half_life$by
  if (is.null(by)) {
    timed <- which(!vapply(column_times(frame), is.null, NA))
    if (length(timed) == 1) return(as.double(timed))
    abort("parameter", "`half_life` of ", quoted(half_life$half_life), " needs a column of times, but there ",
      if (length(timed) == 0) "is none." else paste0("are ", length(timed),
        ": say which, as in half_life(", quoted(half_life$half_life), ", by = ",
        quoted(input_names(frame)[timed[1]]), ")."))
  }
  names <- if (is.null(frame$names)) paste0("x", seq_len(frame$D)) else frame$names
  column <- if (is.character(by)) c(match(by, names), match(by, input_names(frame))) else by
  column <- column[!is.na(column)][1]
  if (is.na(column) || column > frame$D) {
    abort("parameter", "`by` of the half-life must be an input column (", backtick(names), "), not ",
      if (is.character(by)) backtick(by) else by, ".")
  }
  as.double(column)
}

# Half-lives that compete, or the one there is, and how much the scores make of each.
gp_half_life <- function(gp) {
  given <- gp_spec(gp)$half_life
  if (!is_started(gp)) {
    if (inherits(given, "gpstream_half_life")) given <- given$half_life
    h <- if (is.numeric(given)) given else if (identical(given, "auto")) Inf else NA_real_ # no unit yet
    return(data.frame(half_life = h, weight = 1, in_use = TRUE))
  }
  all <- core_gp_half_lives(gp_handle(gp))
  weight <- exp(all$score - max(all$score))
  out <- data.frame(half_life = all$half_life, weight = weight / sum(weight), in_use = seq_along(weight) == 1)
  out <- out[order(-out$half_life), ]
  rownames(out) <- NULL
  out
}

format_half_life <- function(gp) {
  given <- spec_of(gp)$half_life
  if (is.null(given) || identical(given, Inf)) return(NULL)
  if (is.numeric(given)) given <- half_life(given)
  if (!identical(given, "auto")) return(paste("half-life", format(given)))
  all <- gp_half_life(gp)
  if (nrow(all) == 1) return("half-life to be found")
  used <- all$half_life[all$in_use]
  paste0(if (is.finite(used)) paste0("half-life ", whole(used), " rows") else "nothing is forgotten",
    ", the best of ", paste(ifelse(is.finite(all$half_life), all$half_life, "none"), collapse = ", "))
}
