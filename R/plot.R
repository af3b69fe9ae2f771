#' Plot a streaming Gaussian process
#'
#' `plot(gp)` shows what the model believes, `plot(gp, "history")` how it came about, `plot(gp, "points")`
#' where the inducing points are, `plot(gp, "calibration")` whether its intervals can be trusted,
#' `plot(gp, "effects")` what each input column does and `plot(gp, "se")` how sure the model is.
#'
#' \describe{
#'   \item{`"fit"`}{With one input column: the mean, a band for the function and a lighter one for new
#'     observations, the observations that the model still holds as dots, and along the bottom the inducing
#'     points and the stretches that they cover. With two: a map of the mean with contour lines and the
#'     inducing points, which fades to white where the standard error comes near to what it was before any
#'     data, from 70 % of it on (of lines, what it was among the rows). With more: the same along one or two
#'     of them, others held at fixed values. Of a factor alone, or named in `columns`: its levels side by
#'     side. Along a column and a factor, `columns = c("time", "station")`: a panel for each level. Where only
#'     factors are held, the dots are the observations of their levels.}
#'   \item{`"se"`}{The standard error of the function, along the same columns: a curve beside what it was
#'     before any data, or a map. Of another likelihood than the Gaussian it is that of the latent function.}
#'   \item{`"history"`}{Along the stream: the number of inducing points and, where batches were scored before
#'     they were learned, which [consume()] and [evaluate()] do, their RMSE and the coverage of 95 %
#'     prediction intervals (of classes, the share whose most probable class came). Light: batch by batch;
#'     dark: all so far. The band is where the coverage so far would be by chance, 95 times in 100, if rows
#'     were independent.}
#'   \item{`"points"`}{One column: the highest correlation with an inducing point, and the stretches where a
#'     row would become a new point (with [select_oips()]). Two: the same as a map. More: the points,
#'     projected on two columns; or one column against the order in which they joined. Colours go from the
#'     first point to the last.}
#'   \item{`"components"`}{What each term adds ([components()]), along the column it is about; of more than
#'     one along the first, the others held as in `"fit"`.}
#'   \item{`"effects"`}{A panel for each input column, all with the same scale: the prediction along it, with
#'     its confidence interval, the others held as in `"fit"`, at values that are typical of the rows or given
#'     by `at`. The levels of a factor are one panel. [importance()] has numbers.}
#'   \item{`"calibration"`}{From the same scores as the history. Left: where observations fell within their
#'     predictive distributions (the probability integral transform), in 20 bins: flat for a model that is
#'     right, a hump in the middle where intervals are too wide, high ends where they are too narrow, a slope
#'     where predictions are off to one side. Beside it: how many observations a central interval holds,
#'     against its probability. Bands are as above, for each bin or interval by itself. Last, for a model that
#'     corrects its prediction intervals (*Intervals* in [streaming_gp()]), the factors, `gp$calibration`: 1,
#'     the dashed line, is an interval as wide as the model alone would have it. Histogram and shares are of
#'     predictive distributions as they were, before the correction; factors need no scores, and stand
#'     alone where there are none. A narrow figure goes without the shares, then without the factors.}
#' }
#' Axes go from the lowest to the highest value of all rows that the model has seen. The model follows these
#' for the columns of the data that its formula has as they are (not `log(x)`). For other columns, and without
#' a formula, they are those of the rows that it still holds. Dots are the training sample (`gp$memory`) or,
#' for a model that keeps none, the look-back window.
#'
#' Everything is drawn inside the current figure and no graphical parameter is changed, so that
#' `par(mfrow = )` works as usual, and `points()` and `lines()` (of times, where an axis is one) but for the
#' plots with panels (`"history"`, `"calibration"`, `"components"`, `"effects"`, levels of a factor). The key
#' stands in the top margin; it shrinks to fit, and is left out where there is no room. Of several outputs
#' `"fit"`, `"components"` and `"effects"` have a figure each, on one page unless that is divided already, and
#' `"points"` is that of the output of which least is noise.
#'
#' @param x A model made by [streaming_gp()].
#' @param what What to show: `"fit"`, `"se"`, `"history"`, `"points"`, `"calibration"`, `"components"` or
#'   `"effects"`.
#' @param columns One or two input columns to plot along, by name or number; one of them may be a factor, by
#'   name. By default the first two columns that are not levels of a factor, or the only one.
#' @param at A list of values at which the other columns are held, by name:
#'   `list(depth = 3, region = "north")`. What is not given is held at the median of the rows
#'   that the model still holds, a factor at its most frequent level among them.
#' @param xlim,ylim Ranges of the axes, where one is a time two times. By default that of all rows
#'   seen. Before the first batch, give `xlim` to see the prior.
#' @param n Number of values along each axis at which to predict; by default enough to show the shortest waves
#'   of the kernel.
#' @param level Probability of the bands of `"fit"`.
#' @param main,xlab,ylab Title and labels; `""` for none.
#' @param col One colour for the mean and the bands; for a map, a vector of colours from low to high.
#' @param legend Draw the key?
#' @param ... Graphical parameters such as `las`, `asp` or `cex.axis`, for [graphics::plot.default()].
#'
#' @return Invisibly, what was drawn, as a data frame; of several outputs with a column `output`.
#' \describe{
#'   \item{`"fit"`}{the input columns (times as times), `fit` and `se.fit` as from [predict.StreamingGP()]
#'     and, along one column, the bands `lwr`, `upr` (function) and `lwr_new`, `upr_new` (new observations)
#'     and `covered`: whether [select_oips()] would leave a row there out, because an inducing point is near
#'     enough (`NA` for another selector). On a map `known`, from 1 to 0 where colours fade. Along levels, the
#'     factor stands in the place of its columns.}
#'   \item{`"se"`}{the same; along one column also `prior`, the standard error before any data.}
#'   \item{`"history"`}{`gp$history`, with the sums so far as `rmse_so_far`, `coverage_so_far`, `lwr` and
#'     `upr`.}
#'   \item{`"points"`}{the inducing points in their order, with `mean` and `sd` of the function there and
#'     `nearest`, the highest correlation with another one.}
#'   \item{`"components"`}{`term`, `column`, `x`, `level` (of a factor), `fit`, `lwr` and `upr`.}
#'   \item{`"effects"`}{the same without `term`.}
#'   \item{`"calibration"`}{a list: `pit` with the bins and `coverage` with the intervals, where batches were
#'     scored, both with `observed`, `expected`, `lwr` and `upr`; `factors`, which is `gp$calibration`, where
#'     intervals are corrected.}
#' }
#' @examples
#' gp <- streaming_gp(dist ~ speed, data = cars, kernel = kernel_se(lengthscale = 8))
#' plot(gp)
#'
#' gp <- streaming_gp(depth ~ long + lat, data = quakes, kernel = kernel_se(3), noise = 60^2)
#' plot(gp)
#' plot(gp, "se")
#' plot(gp, columns = "long", at = list(lat = -20))
#' plot(gp, "points")
#' plot(gp, "effects")
#'
#' # a panel for each level of a factor
#' gp <- streaming_gp(len ~ dose + supp, data = ToothGrowth)
#' plot(gp, columns = c("dose", "supp"))
#'
#' # scores come from batches that are predicted before they are learned
#' gp <- streaming_gp(y ~ x, kernel = kernel_se(1))
#' toy <- toy_data("C", n = 1000, seed = 1)
#' evaluate(gp, data.frame(x = toy$x, y = toy$y), batch_size = 50)
#' plot(gp, "history")
#' plot(gp, "calibration")
#' @export
plot.StreamingGP <- function(x,
                             what = c("fit", "se", "history", "points", "calibration", "components",
                                      "effects"),
                             columns = NULL, at = NULL, xlim = NULL, ylim = NULL, n = NULL, level = 0.95,
                             main = NULL, xlab = NULL, ylab = NULL, col = NULL, legend = TRUE, ...) {
  what <- check_choice(what, plot_kinds, "what")
  level <- check_fraction(level, "level")
  check_flag(legend, "legend")
  if (!is.null(n)) n <- check_count(n, "n", 2, most = 1e5)
  if (!is.null(xlim)) xlim <- check_limits(xlim, "xlim")
  if (!is.null(ylim)) ylim <- check_limits(ylim, "ylim")
  if (!is.null(col)) check_colours(col)
  check_useful(what, list(columns = columns, at = at, xlim = xlim, ylim = ylim, n = n, col = col))
  if (!is.null(output_names(x)) && what != "history") {
    draw <- function(one) {
      heading <- if (is.null(main)) response_name(one) else main
      plot.StreamingGP(one, what, columns, at, xlim, ylim, n, level, heading, xlab, ylab, col, legend, ...)
    }
    if (what == "points") return(invisible(draw(sharpest_output(x))))
    if (what == "calibration") only_one_output(x, "plot(gp, \"calibration\")")
    return(invisible(plot_outputs(x, draw)))
  }
  given <- list(
    xlim = xlim, ylim = ylim, main = if (is.null(main)) plot_heading(x) else main, note = "",
    xlab = xlab, ylab = ylab, legend = legend, dots = check_dots(list(...))
  )
  invisible(switch(what,
    fit = , se = plot_fit(x, plot_view(x, columns, at, xlim), given, n, level, col, what),
    history = plot_history(x, given),
    points = plot_points(x, columns, given, n),
    calibration = plot_calibration(x, given),
    components = plot_components(x, at, given, n, level, col),
    effects = plot_effects(x, at, given, n, level, col)
  ))
}

plot_kinds <- c("fit", "se", "history", "points", "calibration", "components", "effects")

# An argument that would do nothing is told.
check_useful <- function(what, arguments) {
  useless <- switch(
    what, fit = , se = character(), history = names(arguments), points = c("at", "col"),
    calibration = names(arguments), components = , effects = c("columns", "xlim", "ylim")
  )
  found <- intersect(useless, names(Filter(Negate(is.null), arguments)))
  if (length(found) > 0) {
    abort("parameter", "there is no use for ", backtick(found), " in plot(gp, \"", what, "\").")
  }
}

plot_fit <- function(gp, view, given, n, level, col, what = "fit") {
  given$note <- view$note
  given[c("xlim", "ylim")] <- limit_numbers(view, given$xlim, given$ylim)
  if (what == "se") return(plot_se(gp, view, given, n, level, col))
  if (!is.null(view$by)) return(plot_by_level(gp, view, given, n, level, col, "fit"))
  if (!is.null(view$factor)) return(plot_levels(gp, view, given, level, col))
  if (length(view$shown) == 1) {
    if (shows_classes(gp)) return(plot_class_curve(gp, view, given, n, col))
    plot_curve(gp, view, given, n, level, col)
  } else {
    if (shows_classes(gp)) return(plot_class_map(gp, view, given, n, col))
    plot_map(gp, view, given, n, col)
  }
}

# Times are made numbers where it is known what the axis is.
check_limits <- function(limits, arg) {
  times <- as_time(limits)
  if (!is.null(times)) limits <- times
  numbers <- if (is.null(times)) limits else seconds_of(times)
  if (is.null(times) && is.numeric(limits)) limits <- as.double(limits)
  ok <- is.numeric(numbers) && length(numbers) == 2 && all(is.finite(numbers)) && numbers[1] != numbers[2]
  if (!ok) abort("parameter", "`", arg, "` must be two different finite numbers, not ", describe(limits), ".")
  limits
}

check_colours <- function(col) {
  ok <- length(col) > 0 && (!is.numeric(col) || all(is.na(col) | (col >= 0 & col < 1e9))) &&
    !inherits(try(grDevices::col2rgb(col), silent = TRUE), "try-error")
  if (!ok) abort("parameter", "`col` must be one or more colours, not ", describe(col), ".")
}

# What goes on to plot.default(); the rest of its arguments would spoil the picture.
check_dots <- function(dots) {
  if (length(dots) > 0 && (is.null(names(dots)) || !all(nzchar(names(dots))))) {
    abort("parameter",
      "there is no use for an argument without a name here; see the help page for the arguments.")
  }
  useless <- intersect(names(dots), c("y", "type", "log"))
  if (length(useless) > 0) abort("parameter", "there is no use for ", backtick(useless), " here.")
  dots
}

# --- frame --------------------------------------------------------------------------------------------------

response_name <- function(gp) {
  if (is.null(spec_of(gp)$formula)) "y" else paste(deparse(spec_of(gp)$formula[[2]]), collapse = " ")
}

plot_heading <- function(gp) {
  info <- gp_info(gp)
  if (info$nobs == 0) {
    "Prior: no observations yet"
  } else {
    paste0(count(info$nobs, "observation"), ", ", count(info$size, "inducing point"))
  }
}

# An empty plot with axes and labels; the caller draws the box over what it puts in. `times`: what the axes
# are, where they are times.
open_plot <- function(given, xlim, ylim, labels, ..., times = NULL) {
  timed <- c(has_ticks(times, 1), has_ticks(times, 2))
  limits <- Map(axis_numbers, list(xlim, ylim)[seq_along(times)], times)
  labels <- axis_labels(labels, times, limits)
  settings <- list(
    x = xlim, y = ylim, type = "n", xlim = xlim, ylim = ylim, las = 1, bty = "n", xaxs = "i",
    yaxs = "i", main = "", xlab = if (is.null(given$xlab)) labels[1] else given$xlab,
    ylab = if (is.null(given$ylab)) labels[2] else given$ylab, ...
  )
  settings[c("xaxt", "yaxt")[timed]] <- "n"
  settings[names(given$dots)] <- given$dots
  do.call(graphics::plot.default, settings)
  own <- c("xaxt", "yaxt") %in% names(given$dots) | isFALSE(settings$axes)
  for (side in which(timed & !own)) draw_time_axis(side, times[[side]], given$dots)
}
