# evaluate(): the same numbers as by hand, in whatever batches, alone or side by side.

pair <- function(n = 120, ...) toy(n, ...)
frame_of <- function(pair) data.frame(x = pair$x[, 1], y = pair$y)
scores <- c("rmse", "mae", "log_score", "crps", "coverage", "width")
without_time <- function(e) {
  e$overall$seconds[] <- 0
  e$batches$seconds[] <- 0
  e
}
test_formula_gp <- function(...) streaming_gp(y ~ x, kernel = kernel_se(1, 1), noise = 0.05, mean = 0, optimize = "none", ...)

test_that("prequential scores are those of predict, then update, by hand", {
  stream <- pair()
  e <- evaluate(toy_gp(0), stream, batch_size = 25, level = 0.9)
  gp <- toy_gp(0)
  by_hand <- NULL
  for (rows in split(1:120, ceiling(1:120 / 25))) {
    x <- stream$x[rows, , drop = FALSE]
    if (gp$nobs > 0) {
      p <- predict(gp, x, se.fit = TRUE)
      new <- predict(gp, x, interval = "prediction", level = 0.9)
      by_hand <- rbind(by_hand, data.frame(batch = ceiling(rows / 25), y = stream$y[rows], new, sd = sqrt(p$se.fit^2 + p$residual.scale^2)))
    }
    gp$update(x, stream$y[rows])
  }
  expect_equal(e$overall$scored, 95)
  expect_equal(e$overall$rmse, with(by_hand, sqrt(mean((y - fit)^2))))
  expect_equal(e$overall$mae, with(by_hand, mean(abs(y - fit))))
  expect_equal(e$overall$log_score, with(by_hand, mean(dnorm(y, fit, sd, log = TRUE))))
  expect_equal(e$overall$coverage, with(by_hand, mean(y >= lwr & y <= upr)))
  expect_equal(e$overall$width, with(by_hand, mean(upr - lwr)))
  expect_equal(e$batches$rmse[-1], sqrt(as.vector(tapply((by_hand$y - by_hand$fit)^2, by_hand$batch, mean))))
  expect_true(is.na(e$batches$rmse[1]) && e$batches$scored[1] == 0)
  expect_equal(e$batches$rows, c(25, 25, 25, 25, 20))
  expect_equal(e$batches$nobs, c(25, 50, 75, 100, 120))
  expect_equal(e$overall$points, gp$size)
})

test_that("the model has learned the stream in place, as by update", {
  rows <- pair()
  gp <- toy_gp(0)
  evaluate(gp, rows, batch_size = 25)
  expect_equal(gp$nobs, 120)
  expect_close(predict(gp, 1:9), predict(stream(toy_gp(0), rows$x, rows$y, 25), 1:9), 1e-9)
})

test_that("without learning, batches do not matter, and the model stays as it was", {
  gp <- toy_gp(60)
  test <- pair(50, from = 61)
  before <- as.list(gp)
  one <- evaluate(gp, test, batch_size = 1000, learn = FALSE)
  many <- evaluate(gp, test, batch_size = 7, learn = FALSE)
  expect_identical(as.list(gp)$core[c("P", "b", "n")], before$core[c("P", "b", "n")])
  expect_equal(gp$nobs, 60)
  expect_equal(one$overall[c("rows", "scored", scores)], many$overall[c("rows", "scored", scores)])
  expect_equal(one$pit, many$pit)
  expect_equal(nrow(many$batches), 8)
  expect_equal(one$overall$rmse, sqrt(mean((test$y - predict(gp, test$x))^2)))
})

test_that("models side by side have the scores each has alone", {
  stream <- frame_of(pair())
  models <- function() list(a = test_formula_gp(), b = streaming_gp(y ~ x, kernel = kernel_matern32(3, 1), noise = 0.1, mean = 0, optimize = "none"))
  both <- models()
  together <- without_time(evaluate(both, stream, batch_size = 30))
  for (name in c("a", "b")) {
    alone <- models()[name]
    expect_equal(without_time(evaluate(alone, stream, batch_size = 30))$overall, together$overall[together$overall$model == name, ], ignore_attr = "row.names")
    expect_identical(predict(alone[[1]], stream), predict(both[[name]], stream))
  }
  expect_equal(together$batches$model, rep(c("a", "b"), 4))
})

test_that("a right model covers as often as it says, within binomial error", {
  set.seed(7)
  x <- runif(2000, 0, 10)
  K <- kernel_matrix(kernel_se(2, 1), sort(x)) + diag(1e-8, 2000)
  f <- drop(crossprod(chol(K), rnorm(2000)))[rank(x)]
  stream <- list(x = x, y = f + rnorm(2000, sd = 0.3))
  gp <- streaming_gp(kernel = kernel_se(2, 1), noise = 0.09, mean = 0, select = select_oips(0.95), optimize = "none")
  for (level in c(0.5, 0.95)) {
    e <- evaluate(gp$copy(), stream, batch_size = 100, level = level)
    expect_lt(abs(e$overall$coverage - level), 4 * sqrt(level * (1 - level) / 1900))
  }
  expect_gt(stats::chisq.test(e$pit[, 1])$p.value, 1e-4)
  expect_lt(abs(e$overall$log_score - mean(dnorm(rnorm(1e5, sd = 0.3), 0, 0.3, log = TRUE))), 0.1)
})

stream_rows <- function(gp, pair, n) stream(gp, pair$x[seq_len(n), , drop = FALSE], pair$y[seq_len(n)], 30)

test_that("history has the scores, of 95 % intervals whatever the level", {
  stream <- pair()
  gp <- toy_gp(0)
  e <- evaluate(gp, stream, batch_size = 30, level = 0.5)
  sure <- evaluate(toy_gp(0), stream, batch_size = 30)
  expect_equal(gp$history$scored, e$batches$scored)
  expect_equal(gp$history$rmse, e$batches$rmse)
  expect_equal(gp$history$log_score, e$batches$log_score)
  expect_equal(gp$history$coverage, sure$batches$coverage)
  expect_equal(gp$history$bound, c(vapply(c(30, 60, 90), function(n) stream_rows(toy_gp(0), stream, n)$objective, 0), NA))
  expect_true(all(gp$history$seconds >= 0))
  expect_equal(gpstream:::pit_counts(gp), unname(e$pit[, 1]))
  before <- gp$history
  evaluate(gp, pair(20, from = 200), learn = FALSE)
  expect_identical(gp$history, before)
})

test_that("rows without an output are not scored; with na_action = \"omit\" the others are learned", {
  stream <- frame_of(pair(90))
  holes <- stream
  holes$y[c(40, 41, 80)] <- NA
  expect_error(evaluate(test_formula_gp(), holes, batch_size = 30), "^batch 2: .*`y` has NA in row 40", class = "gpstream_error_nonfinite")
  gp <- test_formula_gp(na_action = "omit")
  expect_message(e <- evaluate(gp, holes, batch_size = 30), "Model `gp` dropped 3 rows", class = "gpstream_message")
  expect_equal(gp$nobs, 87)
  expect_equal(e$batches$scored, c(0, 28, 29))
  expect_equal(e$batches$rows, c(30, 30, 30))
  test <- evaluate(gp, holes, learn = FALSE)
  expect_equal(test$overall$scored, 87)
})

test_that("a row counts where every model predicts it", {
  stream <- frame_of(pair(60))
  picky <- list(predict = function(x) ifelse(x$x < 5, 0, NA), update = function(x, y) NULL)
  e <- evaluate(list(gp = test_formula_gp(data = stream), picky = picky), stream, learn = FALSE)
  expect_equal(e$overall$scored, rep(sum(stream$x < 5), 2))
  expect_equal(e$overall$rmse[2], sqrt(mean(stream$y[stream$x < 5]^2)))
  expect_equal(colSums(e$pit), c(gp = sum(stream$x < 5), picky = 0))
  expect_true(all(is.na(e$overall[2, c("log_score", "crps", "coverage", "width")])))
})

test_that("a model of one's own gets rows and outputs, and may answer in several ways", {
  stream <- pair(40)
  seen <- list()
  own <- function(answer) list(predict = answer, update = function(x, y) seen[[length(seen) + 1]] <<- list(x, y))
  e <- evaluate(own(function(x) x[, 1]), stream, batch_size = 25)
  expect_identical(seen, list(list(stream$x[1:25, , drop = FALSE], stream$y[1:25]), list(stream$x[26:40, , drop = FALSE], stream$y[26:40])))
  expect_equal(e$overall$mae, mean(abs(stream$y - stream$x[, 1])))
  answers <- list(
    function(x) list(mean = x[, 1], sd = 2), function(x) data.frame(mean = x[, 1], sd = 2), function(x) cbind(mean = x[, 1], sd = rep(2, nrow(x)))
  )
  for (answer in answers) {
    expect_equal(evaluate(own(answer), stream, batch_size = 25)$overall$log_score, mean(dnorm(stream$y, stream$x[, 1], 2, log = TRUE)))
  }
  holes <- stream
  holes$y[3] <- NA
  seen <- list()
  evaluate(own(function(x) 0), holes)
  expect_identical(seen[[1]], list(stream$x[-3, , drop = FALSE], stream$y[-3]))
})

test_that("errors say the batch and the model, and carry the scores so far", {
  stream <- frame_of(pair(60))
  fails <- function(step) {
    model <- list(predict = function(x) rep(0, nrow(x)), update = function(x, y) NULL)
    model[[step]] <- function(x, y) if (x$x[1] == stream$x[31]) stop("no more") else rep(0, nrow(x))
    model
  }
  for (step in c("predict", "update")) {
    error <- tryCatch(evaluate(list(gp = test_formula_gp(), own = fails(step)), stream, batch_size = 10), error = identity)
    expect_s3_class(error, "gpstream_error_input")
    expect_identical(conditionMessage(error), paste0("batch 4: model `own`: ", step, "() failed: no more"))
    expect_equal(max(error$evaluation$batches$batch), 3)
  }
  breaks <- function() if (gp$nobs >= 20) stop("the line is dead") else stream[1:10, ]
  error <- tryCatch(evaluate(gp <- test_formula_gp(), breaks, batch_size = 10), error = identity)
  expect_s3_class(error, "gpstream_error_batch")
  expect_match(conditionMessage(error), "^batch 3: the line is dead")
  expect_equal(error$evaluation$overall$rows, 20)
  wrong <- function(answer) list(gp = test_formula_gp(), own = list(predict = answer, update = function(x, y) NULL))
  for (answer in list(function(x) 1:3, function(x) "a", function(x) list(mean = 0, sd = -1), function(x) list(fit = 1), function(x) NULL)) {
    expect_error(evaluate(wrong(answer), stream), "model `own`: predict\\(\\) must return", class = "gpstream_error_type")
  }
})

test_that("what is given is checked", {
  stream <- frame_of(pair(10))
  gp <- test_formula_gp()
  expect_error(evaluate(1, stream), "`gp`", class = "gpstream_error_type")
  expect_error(evaluate(list(), stream), "`gp`", class = "gpstream_error_type")
  expect_error(evaluate(list(gp, gp), stream), "name", class = "gpstream_error_parameter")
  expect_error(evaluate(list(a = gp, b = gp), stream), "one and the same", class = "gpstream_error_input")
  expect_error(evaluate(list(a = gp, b = 1), stream), "`b`", class = "gpstream_error_type")
  expect_error(evaluate(list(a = gp, b = streaming_gp(log(y) ~ x)), stream), "same response", class = "gpstream_error_input")
  expect_error(evaluate(gp, stream, batch_size = 0), "`batch_size`", class = "gpstream_error_parameter")
  expect_error(evaluate(gp, stream, level = 95), "`level`", class = "gpstream_error_parameter")
  expect_error(evaluate(gp, stream, learn = NA), "`learn`", class = "gpstream_error_parameter")
  expect_error(evaluate(gp, stream, skip = 1), "`skip`", class = "gpstream_error_parameter")
  expect_error(evaluate(gp, 1:3), "`y`", class = "gpstream_error_input")
  expect_error(evaluate(gp, data.frame(x = 1:3)), "batch 1: .*`y`", class = "gpstream_error_dimension")
  expect_error(evaluate(gp, list(x = 1:3, y = 1:3)), "batch 1: .*formula", class = "gpstream_error_batch")
  expect_error(evaluate(toy_gp(0), data.frame(x = 1:3, z = 1)), "batch 1: .*which column", class = "gpstream_error_input")
  expect_error(evaluate(baseline_mean(), data.frame(x = 1:3)), "batch 1: .*which column", class = "gpstream_error_input")
  expect_equal(gp$nobs, 0)
})

test_that("a model without a formula reads the column that is named, or y; outputs can be given apart", {
  rows <- pair(40)
  frame <- data.frame(a = rows$x[, 1], b = rows$y)
  e <- without_time(evaluate(toy_gp(0), rows, batch_size = 10))
  expect_equal(without_time(evaluate(toy_gp(0), frame, batch_size = 10, y = "b")), e)
  expect_equal(without_time(evaluate(toy_gp(0), data.frame(a = rows$x[, 1], y = rows$y), batch_size = 10)), e)
  expect_equal(without_time(evaluate(toy_gp(0), rows$x, batch_size = 10, y = rows$y)), e)
  expect_equal(evaluate(baseline_mean(), frame, batch_size = 10, y = "b")$overall$scored, 30)
})

test_that("where no model has learned the batch that failed, the source stands before it", {
  rows <- frame_of(pair(60))
  rows$y[35] <- NA
  source <- as_source(rows)
  gp <- test_formula_gp()
  expect_error(evaluate(gp, source, batch_size = 10), "batch 4", class = "gpstream_error_batch")
  expect_equal(gp$nobs, 30)
  expect_equal(next_batch(source, 2)$x, rows$x[31:32])
  source <- as_source(rows)
  first <- list(predict = function(x) 0, update = function(x, y) NULL)
  expect_error(evaluate(list(first = first, gp = test_formula_gp()), source, batch_size = 10), "batch 4", class = "gpstream_error_batch")
  expect_equal(next_batch(source, 2)$x, rows$x[41:42])
})

test_that("Ctrl-C stops after the batch, with the scores so far and every model as far as the others", {
  skip_on_os("windows")
  rows <- frame_of(pair(60))
  gp <- test_formula_gp()
  late <- test_formula_gp()
  ctrl_c <- list(predict = function(x) 0, update = function(x, y) if (x$x[1] == rows$x[21]) tools::pskill(Sys.getpid(), tools::SIGINT))
  expect_message(e <- evaluate(list(gp = gp, own = ctrl_c, late = late), rows, batch_size = 10), "Stopped after 3 batches", class = "gpstream_message")
  expect_equal(e$overall$rows, rep(30, 3))
  expect_equal(c(gp$nobs, late$nobs), c(30, 30))
})

test_that("an empty source, and one of one row", {
  none <- evaluate(list(a = test_formula_gp(), b = baseline_mean()), data.frame(x = numeric(), y = numeric()))
  expect_equal(none$overall$scored, c(0, 0))
  expect_true(all(is.na(none$overall$rmse)))
  expect_equal(nrow(none$batches), 0)
  expect_identical(sapply(none$batches, class), sapply(evaluate(test_formula_gp(), frame_of(pair(9)))$batches, class))
  one <- evaluate(toy_gp(20), list(x = 1, y = 1))
  expect_equal(one$overall$scored, 1)
})

test_that("the running mean is the mean and the standard deviation so far", {
  stream <- pair(50)
  model <- baseline_mean()
  expect_true(all(is.na(unlist(model$predict(stream$x)))))
  for (rows in list(1, 2:17, 18:50)) model$update(stream$x[rows, , drop = FALSE], stream$y[rows])
  expect_equal(model$predict(stream$x[1:2, , drop = FALSE]), list(mean = rep(mean(stream$y), 2), sd = rep(sd(stream$y), 2)))
})

test_that("steps have one name each, however many", {
  expect_identical(step_name(100000L), step_name(1e5))
  expect_identical(anyDuplicated(step_name(1e6 + 0:9)), 0L)
})

test_that("one row at a time: baselines wait until they know their spread, so that no score is lost", {
  stream <- frame_of(pair(20))
  models <- list(mean = baseline_mean(), line = baseline_refit(function(data) lm(y ~ x, data)), gp = streaming_gp(y ~ x, kernel = kernel_se(1)))
  scores <- suppressWarnings(evaluate(models, stream, batch_size = 1)) # predict() does not like lines through one point
  expect_false(anyNA(scores$overall[c("rmse", "log_score", "crps", "coverage")]))
  expect_identical(scores$overall$scored, rep(17, 3)) # a line needs three rows
})

test_that("a refitted model is the one fitted to the newest rows", {
  stream <- frame_of(pair(50))
  model <- baseline_refit(function(data) lm(y ~ x, data), rows = 20)
  expect_true(all(is.na(model$predict(stream))))
  model$update(stream[1:25, ], stream$y[1:25])
  model$update(stream[26:50, ], stream$y[26:50])
  fit <- lm(y ~ x, stream[31:50, ])
  p <- predict(fit, stream, se.fit = TRUE)
  expect_equal(model$predict(stream), list(mean = unname(p$fit), sd = unname(sqrt(p$se.fit^2 + sigma(fit)^2))))
  pairs <- baseline_refit(function(data) lm(y ~ x, data))
  pairs$update(as.matrix(stream$x), stream$y)
  expect_equal(pairs$predict(cbind(1:3))$mean, unname(predict(lm(y ~ x, stream), data.frame(x = 1:3))))
  smooth <- baseline_refit(function(data) loess(y ~ x, data))
  smooth$update(stream, stream$y)
  expect_equal(smooth$predict(stream), unname(predict(loess(y ~ x, stream), stream)))
  expect_error(baseline_refit(1), "`fit`", class = "gpstream_error_type")
  expect_error(baseline_refit(lm, 0), "`rows`", class = "gpstream_error_parameter")
})

test_that("generics::evaluate() of a model is ours", {
  skip_if_not_installed("generics")
  stream <- pair(40)
  expect_equal(without_time(generics::evaluate(toy_gp(20), stream)), without_time(evaluate(toy_gp(20), stream)))
})

test_that("what is printed", {
  stream <- frame_of(pair(90))
  models <- list(gp = test_formula_gp(), mean = baseline_mean(), zero = list(predict = function(x) 0, update = function(x, y) NULL))
  e <- without_time(evaluate(models, stream, batch_size = 30))
  test <- without_time(evaluate(models$gp, stream, learn = FALSE, level = 0.5))
  none <- without_time(evaluate(test_formula_gp(), stream[0, ]))
  text <- printed_by(e, test, none, print(e, digits = 6), head(as.data.frame(e), 3))
  expect_snapshot(writeLines(text))
})

test_that("every message", {
  rows <- frame_of(pair(20))
  gp <- test_formula_gp()
  bare <- toy_gp(20)
  own <- function(answer) list(gp = gp$copy(), own = list(predict = answer, update = function(x, y) stop("no room")))
  text <- conditions_of(
    evaluate(1, rows), evaluate(list(gp, gp), rows), evaluate(list(a = gp, b = gp), rows), evaluate(list(a = gp, b = "mean"), rows),
    evaluate(list(a = gp, b = streaming_gp(log(y) ~ x)), rows), evaluate(gp), evaluate(gp, rows, learn = "no"), evaluate(gp, rows["x"]),
    evaluate(bare, data.frame(x = 1:3, z = 1:3)), evaluate(baseline_mean(), data.frame(x = 1:3, z = 1:3)), evaluate(own(function(x) 1:3), rows),
    evaluate(own(function(x) stop("who?")), rows), evaluate(own(function(x) 0), rows), baseline_refit("lm"),
    evaluate(test_formula_gp(na_action = "omit"), transform(rows, y = replace(y, 3, NA))), plot(bare, "history", n = 3), plot(bare, "calibration"),
    plot(toy_gp(0), "history"), plot(toy_gp(0), "points"), plot(bare, "errors"), plot(bare, "points", at = list(x = 1)),
    plot(evaluate(baseline_mean(), list(x = 1, y = 1)))
  )
  expect_snapshot(writeLines(text))
})

test_that("the error that evaluate() tells is that of predict(), under every likelihood", {
  set.seed(3)
  x <- runif(80, 0, 3)
  f <- sin(x)
  cases <- list(
    list(f + rexp(80), likelihood_quantile(0.2)), list(f + rexp(80), likelihood_quantile(0.9)), list(f + rnorm(80), likelihood_student()),
    list(f + rnorm(80), likelihood_laplace()), list(f + rnorm(80), likelihood_heteroscedastic()), list(rpois(80, exp(f)), likelihood_poisson()),
    list(rpois(80, exp(f)), likelihood_negbin()), list(exp(f) * rexp(80), likelihood_gamma()), list(exp(f) * rexp(80), likelihood_weibull()),
    list(as.double(f > runif(80)), likelihood_bernoulli()), list(as.double(f > runif(80)), likelihood_binomial()), list(f + rnorm(80), likelihood_gaussian())
  )
  for (case in cases) {
    d <- data.frame(x = x, y = case[[1]])
    gp <- streaming_gp(y ~ x, d[1:40, ], likelihood = case[[2]], kernel = kernel_se(1, 1))
    by_hand <- d$y[41:80] - predict(gp, d[41:80, ])
    told <- evaluate(gp, d[41:80, ], learn = FALSE)$overall
    expect_equal(told$rmse, sqrt(mean(by_hand^2)), info = format(case[[2]]))
    expect_equal(told$mae, mean(abs(by_hand)), info = format(case[[2]]))
  }
})

test_that("a model with a link is refitted and scored on the scale of the response, with the family's variance", {
  set.seed(4)
  d <- data.frame(x = runif(120, 0, 2), size = 1)
  eta <- 0.5 + d$x
  y <- list(poisson = rpois(120, exp(eta)), binomial = rbinom(120, 1, plogis(eta - 1)), Gamma = rgamma(120, 3, 3 / exp(eta)),
    quasipoisson = rpois(120, exp(eta)), gaussian = eta + rnorm(120), inverse.gaussian = exp(eta + rnorm(120, sd = 0.1)))
  for (name in names(y)) {
    d$y <- y[[name]]
    family <- match.fun(name)(link = switch(name, binomial = "logit", gaussian = "identity", "log"))
    one <- function(data) stats::glm(y ~ x, family, data)
    scores <- evaluate(baseline_refit(one), d, batch_size = 60)$overall
    fit <- one(d[1:60, ])
    new <- d[61:120, ]
    mean <- predict(fit, new, type = "response")
    expect_equal(scores$rmse, sqrt(mean((new$y - mean)^2)), info = name)
    se <- predict(fit, new, type = "response", se.fit = TRUE)$se.fit
    dispersion <- summary(fit)$dispersion
    sd <- sqrt(se^2 + dispersion * family$variance(mean))
    expect_equal(scores$coverage, mean(abs(new$y - mean) <= qnorm(0.975) * sd), info = name)
    expect_equal(scores$log_score, mean(dnorm(new$y, mean, sd, log = TRUE)), info = name, tolerance = 1e-6)
  }
  skip_if_not_installed("mgcv")
  d$y <- y$poisson
  smooth <- function(data) mgcv::gam(y ~ s(x, k = 4), stats::poisson, data)
  mean <- as.vector(predict(smooth(d[1:60, ]), d[61:120, ], type = "response"))
  scores <- evaluate(baseline_refit(smooth), d, batch_size = 60)$overall
  expect_equal(scores$rmse, sqrt(mean((d$y[61:120] - mean)^2)))
})
