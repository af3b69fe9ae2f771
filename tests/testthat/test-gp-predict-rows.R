# Predictions of no rows have the shape of those of some, whatever is predicted.

row_models <- function() {
  set.seed(1)
  d <- data.frame(x = runif(40, 0, 3), z = runif(40))
  f <- sin(d$x)
  y <- list(
    gaussian = f, student = f, laplace = f, quantile = f, heteroscedastic = f, tobit = f, poisson = rpois(40, exp(f)),
    negbin = rpois(40, exp(f)), bernoulli = as.double(f > 0.5), binomial = as.double(f > 0.5),
    gamma = exp(f), exponential = exp(f), weibull = exp(f), ordinal = factor(rep_len(c("a", "b", "c"), 40), ordered = TRUE),
    categorical = factor(rep_len(c("a", "b", "c"), 40))
  )
  lapply(stats::setNames(nm = names(y)), function(name) {
    d$y <- y[[name]]
    one <- match.fun(paste0("likelihood_", name))
    streaming_gp(y ~ x + z, d, likelihood = if (name == "quantile") one(0.3) else one(), kernel = kernel_se(c(1, 2), 1))
  })
}

shape <- function(value) {
  if (inherits(value, "condition")) return(list(conditionMessage(value)))
  if (is.list(value) && "cov" %in% names(value)) {
    expect_equal(dim(value$cov), rep(NROW(value$fit), 2))
    value$cov <- NULL
  }
  if (is.list(value)) return(lapply(value, shape))
  list(class(value), ncol(value), colnames(value), typeof(value), levels(value))
}

test_that("no rows: every likelihood, type, interval and verb gives what it gives of one, without the row", {
  d <- data.frame(x = c(0.5, 1), z = 0.5)
  cases <- expand.grid(
    type = c("response", "latent", "class"), interval = c("none", "confidence", "prediction"), se.fit = c(FALSE, TRUE),
    cov = c(FALSE, TRUE), stringsAsFactors = FALSE
  )
  for (name in names(models <- row_models())) {
    gp <- models[[name]]
    verbs <- list(
      simulate = function(d) simulate(gp, 3, newdata = d, seed = 1), responses = function(d) simulate(gp, 2, 1, d, type = "response"),
      slope = function(d) predict(gp, d, deriv = "x", se.fit = TRUE),
      components = function(d) components(gp, d)
    )
    calls <- c(verbs, lapply(seq_len(nrow(cases)), function(i) {
      function(d) do.call(predict, c(list(gp, d), as.list(cases[i, ])))
    }))
    for (i in seq_along(calls)) {
      say <- paste(name, if (i > length(verbs)) paste(unlist(cases[i - length(verbs), ]), collapse = " ") else names(verbs)[i])
      some <- shape(tryCatch(calls[[i]](d), error = identity))
      none <- tryCatch(calls[[i]](d[0, ]), error = identity)
      fit <- if (is.list(none) && !is.data.frame(none)) none$fit else none
      if (!inherits(none, "condition")) expect_equal(NROW(fit), 0, info = say) else expect_s3_class(none, "gpstream_error")
      expect_equal(shape(none), some, info = say)
    }
  }
})

test_that("no rows of a model with several outputs", {
  set.seed(2)
  d <- data.frame(x = runif(30), a = rnorm(30), b = rnorm(30))
  gp <- streaming_gp(cbind(a, b) ~ x, d)
  for (interval in c("none", "confidence", "prediction")) {
    expect_equal(shape(predict(gp, d[0, ], interval = interval)), shape(predict(gp, d[1:2, ], interval = interval)))
  }
  expect_equal(dim(predict(gp, d[0, ], interval = "prediction")), c(0, 3, 2))
})

test_that("an interval of the response of classes is refused, ordered or not", {
  models <- row_models()[c("ordinal", "categorical")]
  for (gp in models) {
    for (interval in c("confidence", "prediction")) {
      expect_error(predict(gp, data.frame(x = 1, z = 0), interval = interval), "`interval` must be", class = "gpstream_error_parameter")
    }
  }
})
