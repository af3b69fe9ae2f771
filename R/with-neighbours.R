#' Other packages that take a model
#'
#' A model made by [streaming_gp()] works with these packages where they are installed; none of them is
#' needed. Nothing has to be loaded for it but the package itself.
#'
#' \describe{
#'   \item{parsnip, workflows, tune, recipes, yardstick}{[gaussian_process()] is a model specification, with
#'     the engine `"gpstream"`.}
#'   \item{broom, generics}{`tidy()`, `glance()` and `augment()`: see [tidy].}
#'   \item{ggplot2}{`autoplot()`: see [plot.StreamingGP()].}
#'   \item{terra}{`terra::predict(raster, gp)`, where layers have the names of inputs, and
#'     `terra::interpolate(raster, gp, xyNames = c("lon", "lat"))` for coordinates. With `se.fit = TRUE` there
#'     are layers `fit`, `se.fit` and `residual.scale`, with `interval` layers `fit`, `lwr` and `upr`.}
#'   \item{marginaleffects}{`predictions()`, `comparisons()`, `slopes()` and their averages,
#'   `plot_predictions()`   and the like. Standard errors are those of the joint posterior of the function,
#'   to rounding. Slopes are   differences over a ten thousandth of the range of a column: where standard
#'   errors of slopes matter to   many digits, take a longer one (`eps`). Without `newdata` they are at the
#'   rows that the model has kept.}
#'   \item{emmeans}{`emmeans(gp, ~ g)`, contrasts included: covariates are at their mean. Of
#'     likelihoods with a link, means are on its scale, and `type = "response"` goes back.}
#'   \item{insight}{`find_predictors()`, `find_response()`, `model_info()`, `get_parameters()`; `get_data()`
#'     gives the rows that the model has kept, see below.}
#'   \item{posterior}{`as_draws(gp, newdata)`, `as_draws_matrix()` and `as_draws_df()`: joint draws of the
#'     function, or of observations.}
#'   \item{distributional}{`as_distribution(gp, newdata)`: a vector of distributions, one a row. Intervals of
#'     these are the model's own, without the corrections of `gp$calibration`.}
#'   \item{vetiver, plumber}{`vetiver::vetiver_model(gp, "name")` can be pinned and served;
#'     `pr_update()` adds a route to which rows are sent to be learned, as JSON or whatever else plumber
#'     reads. It answers with the number of observations and points or, with status 400, with what was wrong.
#'     To pin what was learned, make a `vetiver_model()` of `bundle::unbundle(v$model)` again.}
#'   \item{DBI, dbplyr, arrow, nanoarrow}{Sources for [consume()]: see [as_source()].}
#' }
#'
#' @section Rows that are gone:
#' A model keeps no data, but some of these packages ask for it. A model with a formula remembers of each
#' column what it holds, its levels, and the lowest and the highest value of all rows that it has learned;
#' one that goes on learning keeps a sample of rows (`memory` in [streaming_gp()]), which are given, and of
#' which means are taken, where the formula has the columns as they are (not `log(x)`). Where there is no
#' such sample, the rows that became inducing points stand for it.
#'
#' @return `as_draws_matrix()`: a `draws_matrix` with a column each row of `newdata`. `as_distribution()`: a
#'   `distribution`. `pr_update()`: the router.
#' @examples
#' gp <- streaming_gp(dist ~ speed, data = cars)
#' at <- data.frame(speed = c(10, 15, 20))
#'
#' if (requireNamespace("terra", quietly = TRUE)) {
#'   map <- terra::rast(nrows = 1, ncols = 5, vals = c(5, 10, 15, 20, 25), names = "speed")
#'   print(terra::predict(map, gp, se.fit = TRUE))
#' }
#' if (getRversion() >= "4.4" && requireNamespace("marginaleffects", quietly = TRUE)) {
#'   print(marginaleffects::slopes(gp, newdata = at))
#' }
#' if (requireNamespace("emmeans", quietly = TRUE)) {
#'   print(emmeans::emmeans(gp, ~ speed, at = list(speed = c(10, 20))))
#' }
#' if (requireNamespace("insight", quietly = TRUE)) print(insight::find_predictors(gp))
#' if (requireNamespace("posterior", quietly = TRUE)) {
#'   print(posterior::summarise_draws(posterior::as_draws(gp, newdata = at, seed = 1)))
#' }
#' if (requireNamespace("distributional", quietly = TRUE)) {
#'   print(quantile(as_distribution(gp, at), 0.9))
#' }
#' if (requireNamespace("vetiver", quietly = TRUE)) {
#'   served <- vetiver::vetiver_model(gp, "cars")
#'   router <- vetiver::vetiver_api(plumber::pr(), served)
#'   router <- pr_update(router, served) # plumber::pr_run(router) serves it
#' }
#' @seealso [gaussian_process()], [tidy], [as_source()]
#' @name neighbours
NULL
