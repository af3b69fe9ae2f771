#' gpstream: Gaussian processes on data streams
#'
#' Gaussian process regression for data that keep arriving: each observation is seen once, the model chooses
#' its own inducing points from the stream, and predictions with honest uncertainty are ready at any time.
#' Start with [streaming_gp()] and `vignette("gpstream")`. This page is the map: what there is, by what you
#' want to do.
#'
#' @section Model:
#' * [streaming_gp()] makes a model; its members, `gp$update()`, `gp$score()`, `gp$forget()`, `gp$unlearn()`,
#'   are on the same page, as are learning, intervals, times and several outputs.
#' * [gp(), season(), trend()][formula-terms]: what the function is a sum of.
#' * [Kernels][kernels]; for [waves][kernel_periodic], for [lines, walks and levels][kernel_linear], for
#'   [smoothness that varies][kernel_gibbs]; [kernel_matrix()], [kernel_radius()].
#' * [Likelihoods][likelihoods]: outliers, yes or no, counts, durations, classes;
#'   [one of your own][likelihood_custom].
#' * [half_life()]: how fast older rows count less.
#' * [save_gp()] and [load_gp()], or `saveRDS()`; [as.list()][as.list.StreamingGP]: the state as numbers.
#'
#' @section Stream:
#' * [consume()]: a data frame, file, query, sensor or function, batch by batch, with checkpoints.
#' * [as_source()] for sources: [CSV files][as_source.character], [databases][as_source.DBIConnection],
#'   [Arrow and Parquet][as_source.RecordBatchReader], one of your own.
#' * [drift_alarm()]: has the stream changed?
#' * [toy_data()]: three streams to try things on.
#'
#' @section Predict:
#' * [predict()][predict.StreamingGP]: means, standard errors, intervals, covariances, probabilities, classes,
#'   and slopes with `deriv`.
#' * [components()]: what each term of a formula adds to a prediction.
#' * [importance()]: which columns matter, and how much.
#' * [simulate()][simulate.StreamingGP]: whole functions that agree with the data.
#' * [expected_improvement()]: where to measure next, to find a minimum (or, with `maximize = TRUE`, a
#'   maximum).
#'
#' @section Look:
#' * [plot()][plot.StreamingGP], [plot() of an evaluation][plot.gpstream_evaluation], and
#'   [autoplot()][autoplot.StreamingGP] with ggplot2.
#' * [watch()]: a page in the browser on which a model learns.
#' * [summary(), coef(), sigma()][methods]; [tidy(), glance(), augment()][tidy].
#' * [vcov(), confint()][vcov.StreamingGP]: how certain the slopes of a trend are.
#' * [Neighbours][neighbours]: terra, marginaleffects, emmeans, posterior and others that work with models;
#'   [gaussian_process()] for parsnip, workflows and tune.
#'
#' @section Trust:
#' * [evaluate()]: predict, score, then learn; models side by side, with [baselines].
#' * [gp$certificate()][certificate]: what can be promised about the approximation.
#' * `gp$history`, `gp$calibration`, `gp$restarts`: how well batches were foretold, by how much intervals were
#'   corrected, what was learned anew ([streaming_gp()]).
#'
#' @section Select:
#' * [select_oips()][selectors] and the other rules by which rows become inducing points.
#' * [suggest_rho()]: as many points as you like, or as close as you like.
#' * [oips()]: the rule on its own; [select_points()]: points from a set of rows.
#'
#' @section Scale out:
#' * [merge()][merge.StreamingGP] and [shard()]: models that saw different rows become one.
#' * `consume(cluster = )`, see [consume()]: shards learned where they are.
#' * [fit_shards()]: one kernel from rows in many places; [shard_message()]: what leaves a site.
#' * [gpstream_info()]: how this machine is used.
#'
#' @section Theory:
#' * [bound_points()], [forecast_points()]: how many points a stream will need.
#' * [bound_nystrom()], [nystrom_error()]: what the points leave of the kernel matrix.
#' * [kdpp_sample()]: sets of points that repel.
#' * [notation]: the letters of formulas, comments and code.
#'
#' @section Vignettes:
#' `vignette("gpstream")` first. Then, as needed: `streams` (files, databases, feeds, checkpoints), `learning`
#' (what a model finds out by itself, measured on real data), `likelihoods`, `time-series`, `kernels`,
#' `endless` (streams that move on, change or lie), `scale-out`. The theory: `theorem-1`, `theorem-2`, `kdpp`,
#' `experiments`; and every formula with its proof, its file and its test: `derivation`.
#'
#' @references
#' Galy-Fajou, T. and Opper, M. (2021) Adaptive Inducing Points Selection for Gaussian Processes.
#' arXiv:2107.10066.
#'
#' Bui, T. D., Nguyen, C. V. and Turner, R. E. (2017) Streaming Sparse Gaussian Process Approximations.
#' NeurIPS.
#' @examples
#' # earthquakes near Fiji: learn 300, then foretell the depths of the next three
#' gp <- streaming_gp(depth ~ long + lat, data = quakes[1:300, ])
#' gp
#' cbind(depth = quakes$depth[301:303], predict(gp, quakes[301:303, ], interval = "prediction"))
#' gp$update(quakes[301:303, ]) # the answers come, and are learned
#' plot(gp)
#' @useDynLib gpstream, .registration = TRUE
#' @importFrom Rcpp evalCpp
#' @importFrom methods new setRefClass
#' @importFrom stats anova coef confint family fitted formula logLik nobs predict residuals sigma simulate
#'   update vcov
#' @importFrom graphics plot
"_PACKAGE"

# Neighbours that have to be told of the package, whichever is loaded first. (Methods for generics of others
# wait in NAMESPACE until these are loaded.)
.onLoad <- function(libname, pkgname) {
  when_loaded("parsnip", register_parsnip)
  when_loaded("marginaleffects", register_marginaleffects)
}

when_loaded <- function(package, register) {
  if (isNamespaceLoaded(package)) register() else setHook(packageEvent(package, "onLoad"), register)
}
