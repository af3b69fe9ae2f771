# A likelihood from an R function: where it is one of those there are, it is the same.

own_poisson <- function(...) {
  likelihood_custom(function(y, f) dpois(y, exp(f), log = TRUE), function(y) log(y + 0.5), mean = exp,
    cdf = function(y, f) ppois(y, exp(f)), discrete = TRUE, ...)
}
own_bernoulli <- function() {
  likelihood_custom(function(y, f) plogis((2 * y - 1) * f, log.p = TRUE), function(y) 2.2 * (y - 0.5), mean = plogis,
    cdf = function(y, f) ifelse(y < 0, 0, ifelse(y < 1, plogis(-f), 1)), discrete = TRUE, unit = 2, width = pi)
}
own_gamma <- function(shape) {
  likelihood_custom(function(y, f, shape) dgamma(y, shape, scale = exp(f) / shape, log = TRUE), log, shape = shape,
    mean = function(f, shape) exp(f), cdf = function(y, f, shape) pgamma(pmax(y, 0), shape, scale = exp(f) / shape))
}
pairs <- list(
  poisson = list(likelihood_poisson(), own_poisson(), function(f) rpois(length(f), exp(f))),
  bernoulli = list(likelihood_bernoulli(), own_bernoulli(), function(f) rbinom(length(f), 1, plogis(2 * f))),
  gamma = list(likelihood_gamma(shape = 3), own_gamma(3), function(f) rgamma(length(f), 3, scale = exp(f) / 3))
)
stream_of <- function(draw, n = 150) {
  set.seed(8)
  x <- runif(n, 0, 6)
  list(x = x, y = draw(1 + sin(x)))
}
with_one <- function(likelihood, ...) {
  streaming_gp(kernel = kernel_se(1.5, 1), mean = 0.5, optimize = "none", likelihood = likelihood, ...)
}
at <- seq(0, 6, length.out = 9)

for (name in names(pairs)) {
  pair <- pairs[[name]]
  rows <- stream_of(pair[[3]])

  test_that(paste("all rows at once: the likelihood of one's own is", name), {
    both <- lapply(pair[1:2], function(one) with_one(one, lookback = Inf)$update(rows$x, rows$y)$refresh())
    expect_equal(both[[2]]$objective, both[[1]]$objective, tolerance = 1e-8)
    said <- lapply(both, predict, at, type = "latent", se.fit = TRUE)
    expect_equal(said[[2]]$fit, said[[1]]$fit, tolerance = 1e-8)
    expect_equal(said[[2]]$se.fit, said[[1]]$se.fit, tolerance = 1e-8)
  })

  test_that(paste("a stream: the likelihood of one's own is", name), {
    both <- lapply(pair[1:2], function(one) {
      gp <- with_one(one, lookback = 40)
      for (i in seq(1, 150, by = 30)) gp$update(rows$x[i:(i + 29)], rows$y[i:(i + 29)])
      gp
    })
    expect_equal(predict(both[[2]], at, type = "latent"), predict(both[[1]], at, type = "latent"), tolerance = 1e-8)
    expect_equal(predict(both[[2]], at), predict(both[[1]], at), tolerance = 1e-7)
    expect_equal(predict(both[[2]], at, interval = "confidence"), predict(both[[1]], at, interval = "confidence"), tolerance = 1e-7)
    expect_equal(predict(both[[2]], at, interval = "prediction"), predict(both[[1]], at, interval = "prediction"), tolerance = 1e-6)
    new <- stream_of(pair[[3]], 20)
    scores <- lapply(both, function(gp) gp$score(new$x, new$y))
    expect_equal(scores[[2]]$log_density, scores[[1]]$log_density, tolerance = 1e-7)
    expect_equal(scores[[2]]$p, scores[[1]]$p, tolerance = 1e-6)
    drawn <- lapply(both, simulate, 3, seed = 1, newdata = at, type = "response")
    expect_equal(drawn[[2]], drawn[[1]], tolerance = 1e-5)
  })
}

test_that("what is open is learned as with the likelihood there is", {
  rows <- stream_of(pairs$poisson[[3]], 250)
  both <- lapply(pairs$poisson[1:2], function(one) streaming_gp(likelihood = one)$update(rows$x, rows$y))
  expect_equal(predict(both[[2]], at), predict(both[[1]], at), tolerance = 1e-4) # the searches end within that
})

test_that("weights and offsets count as they do elsewhere", {
  rows <- stream_of(pairs$poisson[[3]], 60)
  both <- lapply(pairs$poisson[1:2], function(one) {
    with_one(one)$update(rows$x, rows$y, weights = rep(1:2, 30), offset = log(rep(1:3, 20)))$refresh()
  })
  expect_equal(predict(both[[2]], at), predict(both[[1]], at), tolerance = 1e-8)
})

test_that("copies, lists and saved objects have the functions and go on identically", {
  rows <- stream_of(pairs$gamma[[3]])
  gp <- with_one(pairs$gamma[[2]], lookback = 40)$update(rows$x[1:90], rows$y[1:90])
  file <- tempfile()
  saveRDS(gp, file)
  twins <- list(gp$copy(), streaming_gp_restore(as.list(gp)), readRDS(file))
  gp$update(rows$x[91:150], rows$y[91:150])
  for (twin in twins) {
    twin$update(rows$x[91:150], rows$y[91:150])
    expect_identical(predict(twin, at, interval = "prediction"), predict(gp, at, interval = "prediction"))
    expect_identical(as.list(twin)$core, as.list(gp)$core)
  }
  expect_error(save_gp(gp, tempfile(fileext = ".gps")), "saveRDS", class = "gpstream_error_type")
})

test_that("a core without the functions predicts the latent function, and says what is missing when it is needed", {
  rows <- stream_of(pairs$gamma[[3]], 50)
  gp <- with_one(pairs$gamma[[2]])$update(rows$x, rows$y)
  bare <- gpstream:::core_gp_restore(as.list(gp)$core)
  expect_identical(gpstream:::core_gp_predict(bare, cbind(at), TRUE), gpstream:::core_gp_predict(gpstream:::gp_handle(gp), cbind(at), TRUE))
  expect_error(gpstream:::core_gp_refresh(bare), "`log_density`", class = "gpstream_error_likelihood")
})

test_that("without `mean` or `cdf`, what needs them says so; the latent function and log scores do not", {
  rows <- stream_of(pairs$poisson[[3]], 60)
  bare <- likelihood_custom(function(y, f) dpois(y, exp(f), log = TRUE), 0)
  gp <- with_one(bare)$update(rows$x, rows$y)
  full <- with_one(own_poisson())$update(rows$x, rows$y)
  expect_equal(predict(gp, at, type = "latent"), predict(full, at, type = "latent"), tolerance = 1e-5)
  expect_error(predict(gp, at), "needs a `mean`.*likelihood_custom", class = "gpstream_error_likelihood")
  half <- with_one(likelihood_custom(function(y, f) dpois(y, exp(f), log = TRUE), 0, mean = exp))$update(rows$x, rows$y)
  expect_error(predict(half, at, interval = "prediction"), "needs a `cdf`", class = "gpstream_error_likelihood")
  expect_equal(predict(half, at), predict(full, at), tolerance = 1e-4)
  expect_error(simulate(gp, newdata = at, type = "response"), "needs a `cdf`", class = "gpstream_error_likelihood")
  scored <- gp$score(at, rep(2, 9))
  expect_equal(scored$log_density, full$score(at, rep(2, 9))$log_density, tolerance = 1e-4)
  expect_true(all(is.na(scored[c("mean", "sd", "z", "p")])))
  expect_equal(evaluate(gp, data.frame(x = at, y = 2))$overall$scored, 0)
  scores <- evaluate(list(own = full, built_in = with_one(likelihood_poisson())$update(rows$x, rows$y)), data.frame(x = at, y = 2))$overall
  expect_equal(scores$log_score[1], scores$log_score[2], tolerance = 1e-4)
})

test_that("parameters are named in words and in coef(), a density that is not concave is learned", {
  heavy <- likelihood_custom(function(y, f, df, scale) dt((y - f) / scale, df, log = TRUE) - log(scale), identity, df = 3, scale = 0.2,
    mean = function(f, df, scale) f, cdf = function(y, f, df, scale) pt((y - f) / scale, df), unit = 1, width = 0.3)
  expect_output(print(heavy), "df 3")
  set.seed(9)
  x <- runif(200, 0, 6)
  y <- sin(x) + 0.2 * rt(200, 3)
  y[50] <- 1e6
  gp <- with_one(heavy)$update(x[1:100], y[1:100])$update(x[101:200], y[101:200])
  expect_equal(coef(gp)[["likelihood.df"]], 3)
  expect_lt(max(abs(predict(gp, at) - sin(at))), 0.35)
})

test_that("a function that fails, or gives what it should not, is named, and the model stays as it was", {
  switched <- new.env()
  breaks <- function(value) {
    likelihood_custom(function(y, f) if (isTRUE(switched$on)) value(y, f) else dpois(y, exp(f), log = TRUE), 0)
  }
  rows <- stream_of(pairs$poisson[[3]], 60)
  wrong <- list(
    "must give .* numbers" = function(y, f) 1, "is NaN at y = " = function(y, f) replace(f, 7, NaN),
    "failed: oh no" = function(y, f) stop("oh no"), "must give .* not" = function(y, f) "a"
  )
  for (why in names(wrong)) {
    switched$on <- FALSE
    gp <- with_one(breaks(wrong[[why]]))$update(rows$x, rows$y)
    before <- as.list(gp)$core
    switched$on <- TRUE
    expect_error(gp$update(rows$x, rows$y), paste0("`log_density` of the likelihood ", why), class = "gpstream_error_likelihood")
    expect_error(gp$refresh(), "`log_density`", class = "gpstream_error_likelihood")
    expect_identical(as.list(gp)$core, before)
    expect_error(with_one(breaks(wrong[[why]]))$update(rows$x, rows$y), "`log_density`", class = "gpstream_error_likelihood")
  }
  expect_error(with_one(likelihood_custom(dnorm, function(y) NA))$update(1:3, 1:3), "`start`", class = "gpstream_error_likelihood")
})

test_that("arguments are checked", {
  f <- function(y, f) -f^2
  for (bad in list(list(), list(1, 0), list(f), list(f, "a"), list(f, NA), list(function(y) y, 0), list(f, 0, 3), list(f, 0, a = "b"),
    list(f, 0, a = 1, a = 2), list(f, 0, mean = 3), list(f, 0, cdf = function(y) y), list(f, 0, discrete = NA), list(f, 0, unit = 0),
    list(f, 0, width = -1))) {
    expect_error(do.call(likelihood_custom, bad), class = "gpstream_error_parameter")
  }
})

test_that("models are merged where their functions are the same", {
  rows <- stream_of(pairs$poisson[[3]], 60)
  whole <- with_one(own_poisson(), lookback = 0)$update(rows$x[1:30], rows$y[1:30])
  part <- shard(whole)$update(rows$x[31:60], rows$y[31:60])
  expect_equal(merge(whole, part)$nobs, 60)
  other <- with_one(likelihood_custom(function(y, f) dpois(y, exp(f), TRUE), 0), lookback = 0)$update(rows$x, rows$y)
  expect_error(merge(whole, other), "functions differ", class = "gpstream_error_input")
})
