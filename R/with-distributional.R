# distributional: predictions as a vector of distributions. Of those that the package has itself, that one; of
# the others a distribution of our own, which the core knows all of.

#' @name neighbours
#' @aliases as_distribution
#' @rdname neighbours
#' @export
as_distribution <- function(x, newdata, type = c("response", "latent")) {
  check_model(x)
  need_package("distributional", "makes vectors of distributions")
  if (missing(newdata)) abort("input", "`newdata` is missing: say where to predict.")
  type <- check_choice(type, c("response", "latent"), "type")
  if (!is.null(output_names(x))) {
    abort("parameter", "a vector of distributions is of one output, and this model has several.")
  }
  reader <- prediction_model(x, newdata)
  rows <- complete_rows(reader$x, reader$offset)
  new <- predictive_at(reader$handle, rows$x, offset = rows$offset)
  if (type == "latent") {
    refuse_several(x, "distributional")
    return(distributional::dist_normal(rows$fill(new$mean), rows$fill(sqrt(new$variance))))
  }
  classes <- if (is_started(x)) gp_frame(x)$classes
  if (from_one(new$likelihood$name)) {
    shares <- rows$fill_rows(class_probabilities(new, classes))
    return(distributional::dist_categorical(asplit(shares, 1), list(classes)))
  }
  mean <- rows$fill(predictive_mean(new))
  switch(new$likelihood$name,
    gaussian = distributional::dist_normal(mean, rows$fill(predictive_sd(new))),
    bernoulli = , probit = distributional::dist_bernoulli(mean),
    own_distributions(new, rows)
  )
}

# A row each; NULL, which is shown as NA, where the input is missing.
own_distributions <- function(new, rows) {
  each <- lapply(seq_len(nrow(rows$x)), function(i) one_predictive(new, i))
  known <- distributional::new_dist(predictive = each, class = "dist_gpstream")
  known[rows$fill(seq_len(nrow(rows$x)))]
}

# The i-th of many, n times.
one_predictive <- function(p, i, n = 1) {
  new_predictive(
    as.matrix(p$mean)[rep(i, n), ], as.matrix(p$variance)[rep(i, n), ], p$dispersion, p$likelihood, NULL,
    if (!is.null(p$more)) p$more[rep(i, n)]
  )
}

#' @export
format.dist_gpstream <- function(x, digits = 2, ...) {
  p <- x[["predictive"]]
  sprintf("%s(%s, %s)", p$likelihood$name, format(predictive_mean(p), digits = digits),
    format(predictive_sd(p)^2, digits = digits))
}

#' @export
mean.dist_gpstream <- function(x, ...) predictive_mean(x[["predictive"]])

#' @exportS3Method distributional::covariance
covariance.dist_gpstream <- function(x, ...) predictive_sd(x[["predictive"]])^2

#' @importFrom stats quantile density
#' @export
quantile.dist_gpstream <- function(x, p, ...) as.double(predictive_quantile(x[["predictive"]], p))

#' @export
density.dist_gpstream <- function(x, at, ...) {
  exp(predictive_log_density(one_predictive(x[["predictive"]], 1, length(at)), at))
}

#' @exportS3Method distributional::cdf
cdf.dist_gpstream <- function(x, q, ...) predictive_cdf(one_predictive(x[["predictive"]], 1, length(q)), q)

#' @exportS3Method distributional::generate
generate.dist_gpstream <- function(x, times, ...) predictive_draw(one_predictive(x[["predictive"]], 1, times))
