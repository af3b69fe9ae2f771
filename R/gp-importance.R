#' Which inputs matter
#'
#' How much of what a model predicts is due to each input column, or to each term, and how steep the function
#' is along it; from the model alone.
#'
#' All is about the mean of the latent function (`predict(type = "latent")`, offsets aside) over a set of
#' rows: a sample of the rows that the model has seen, or `newdata`; of more than 200 rows, 200 at even
#' distances in their order.
#' \describe{
#'   \item{`share`, by column}{half the mean squared change of the prediction when the column of one row is
#'     replaced by that of another, over all pairs of rows, divided by the variance of the predictions: the
#'     total effect of the column, its interactions included. A column that the model does not use has 0. If
#'     columns add up, it is the variance of what the column adds over that of the predictions, and shares
#'     sum to 1 where columns are not correlated; with interactions or correlated columns they need not,
#'     and one can exceed 1. The levels of a factor are one column.}
#'   \item{`share`, by term}{the variance over the rows of what the term adds ([components()]), over that of
#'     the predictions.}
#'   \item{`sensitivity`}{by column: the root mean square of `predict(deriv = )` over the rows, in units of
#'     the latent function per unit of the column; `NA` where there is no slope, for factors and rough kernels
#'     say.}
#' }
#' Variances are those of the rows at hand (divided by their number). The sample is the one that the model
#' keeps to learn from (`gp$memory`), evenly along the stream, or the look-back window while all rows are in
#' it. A model that keeps neither, one with a given kernel for example, has its inducing points and its
#' look-back window instead. A column of which these leave a quarter of the range of all rows empty is then
#' spread evenly over that range: give `newdata` to have the shares for your rows.
#'
#' @param object A model made by [streaming_gp()].
#' @param newdata Rows to average over, as for [predict.StreamingGP()]; `NULL`: a sample of the rows seen.
#' @param by `"column"` or `"term"`.
#' @param ... Not used; an argument that is not known is an error.
#' @return A data frame with a line for each column: `column`, `share` and `sensitivity`; or for each term:
#'   `term` and `share`. Of several outputs those of each, with a column `output`.
#' @seealso `plot(gp, "effects")`, [predict.StreamingGP()] with `deriv`, [components()]
#' @examples
#' gp <- streaming_gp(depth ~ long + lat, data = quakes)
#' importance(gp)
#' importance(gp, quakes)
#' @export
importance <- function(object, ...) UseMethod("importance")

#' @rdname importance
#' @export
importance.StreamingGP <- function(object, newdata = NULL, by = c("column", "term"), ...) {
  check_no_dots(...)
  by <- check_choice(by, c("column", "term"), "by")
  if (!is_started(object) || gp_info(object)$size == 0) {
    abort("input", "there is nothing to tell yet: the model has seen no rows.")
  }
  if (likelihood_of(object)$name == "categorical") {
    abort("likelihood", "importance() is for one latent function; each class has one of its own.")
  }
  if (!is.null(output_names(object))) {
    return(stack_outputs(each_output(object, importance.StreamingGP, newdata, by)))
  }
  x <- importance_rows(object, newdata)
  handle <- gp_handle(object)
  all <- mean_square_about(latent_mean(handle, x))
  if (by == "term") {
    parts <- component_parts(object, handle, x, TRUE)
    beside <- parts$terms != "constant"
    share <- apply(parts$mean[, beside, drop = FALSE], 2, mean_square_about)
    return(data.frame(term = parts$terms[beside], share = share_of(share, all)))
  }
  inputs <- input_groups(gp_frame(object))
  data.frame(
    column = names(inputs),
    share = share_of(vapply(inputs, function(own) total_effect(handle, x, own), 0), all),
    sensitivity = vapply(inputs, function(own) root_mean_slope(handle, x, own), 0), row.names = NULL
  )
}

importance_rows <- function(gp, newdata) {
  x <- if (is.null(newdata)) {
    seen_rows(gp)$x
  } else {
    unname(complete_rows(prediction_model(gp, newdata)$x)$x)
  }
  if (nrow(x) < 2) abort("input", "shares of variance need two rows at least, not ", nrow(x), ".")
  x[evenly(seq_len(nrow(x)), 200), , drop = FALSE]
}

# The columns of the inputs that are one input of the user's: those of a factor are together.
input_groups <- function(frame) {
  factors <- factor_columns(frame)
  names <- input_names(frame)
  of <- replace(bare(names), unlist(factors), rep(names(factors), lengths(factors)))
  split(seq_along(names), factor(of, unique(of)))
}

latent_mean <- function(handle, x) core_gp_predict(handle, x, FALSE)$mean[seq_len(nrow(x))]

mean_square_about <- function(values) mean((values - mean(values))^2)
share_of <- function(part, all) if (all > 0) unname(part / all) else unname(0 * part)

# Over all pairs of rows, half the mean squared change when the one has the columns of the other.
total_effect <- function(handle, x, own) {
  before <- latent_mean(handle, x)
  changed <- vapply(seq_len(nrow(x)), function(i) {
    other <- x
    other[, own] <- x[rep(i, nrow(x)), own]
    mean((latent_mean(handle, other) - before)^2)
  }, 0)
  mean(changed) / 2
}

root_mean_slope <- function(handle, x, own) {
  if (length(own) > 1 || !core_gp_smooth(handle)[own]) return(NA_real_)
  sqrt(mean(core_gp_derivative(handle, x, own, FALSE)$mean[, 1]^2))
}
