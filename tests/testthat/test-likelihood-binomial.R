# binomial() with a response of one column is likelihood_bernoulli() in every respect.

# What a user can see of a model that has learned `data`, all but the formula of the call.
seen_of <- function(gp, data) {
  gp$update(data[1:60, ])
  gp$update(data[61:100, ])
  file <- tempfile(fileext = ".gps")
  on.exit(unlink(file))
  save_gp(gp, file)
  list(
    core = as.list(gp)$core, frame = as.list(gp)$frame[c("classes", "D", "names")], likelihood = format(gp$likelihood),
    shown = utils::capture.output(print(gp), print(summary(gp))),
    mean = predict(gp, data), latent = predict(gp, data, type = "latent", se.fit = TRUE), class = predict(gp, data, type = "class"),
    interval = predict(gp, data, interval = "prediction"), simulated = simulate(gp, 3, seed = 1, newdata = data), score = gp$score(data),
    tidy = generics::tidy(gp), glance = generics::glance(gp), augmented = generics::augment(gp, data), parts = components(gp, data),
    loaded = predict(load_gp(file)$update(data[1:20, ]), data), label = gpstream:::response_label(gp)
  )
}

# A response of one column as users write it, and the same for several seeds.
yes_no_streams <- function(seed) {
  set.seed(seed)
  x <- runif(100, -3, 3)
  seen <- as.integer(2 * sin(x) + rlogis(100) > 0)
  columns <- list(seen, seen == 1, factor(c("no", "yes")[seen + 1]), c("off", "on")[seen + 1], as.double(seen))
  lapply(columns, function(y) data.frame(x = x, y = y))
}

test_that("a response of one column: everything shown, predicted, scored and saved is that of likelihood_bernoulli()", {
  skip_if_not_installed("generics")
  for (seed in 1:3) {
    for (data in yes_no_streams(seed)) {
      make <- function(...) streaming_gp(y ~ x, kernel = if (seed == 1) NULL else kernel_se(1.3, 2), ...)
      expect_identical(seen_of(make(family = binomial()), data), seen_of(make(likelihood = likelihood_bernoulli()), data))
    }
  }
})

test_that("evaluate() gives accuracy and Brier score, with the history", {
  data <- yes_no_streams(5)[[3]]
  run <- function(...) {
    gp <- streaming_gp(y ~ x, kernel = kernel_se(1), ...)
    found <- evaluate(gp, data, batch_size = 20)
    list(found$overall[setdiff(names(found$overall), "seconds")], gp$history[setdiff(names(gp$history), "seconds")])
  }
  found <- run(family = binomial())
  expect_identical(found, run(likelihood = likelihood_bernoulli()))
  expect_false(anyNA(found[[1]][c("accuracy", "brier")]))
})

test_that("without a formula, too; trials stay binomial, and neither becomes the other", {
  data <- yes_no_streams(6)[[1]]
  trials <- cbind(data$y, 3 - data$y)
  one <- streaming_gp(family = binomial(), kernel = kernel_se(1))
  one$update(data$x, data$y)
  expect_identical(one$likelihood, likelihood_bernoulli())
  expect_refused(one, one$update(data$x, trials), "dimension", "cbind\\(successes, failures\\) from the first batch on")
  several <- streaming_gp(family = binomial(), kernel = kernel_se(1))
  several$update(data$x, trials)
  several$update(data$x, data$y) # one trial per row
  expect_identical(several$likelihood, likelihood_binomial())
  fresh <- streaming_gp(family = binomial())
  expect_error(fresh$update(data$x, 3 * data$y), "must be 0 or 1", class = "gpstream_error_input")
  expect_identical(fresh$nobs, 0)
})
