# gp$refresh(): rows of the look-back are looked at again on demand.

test_that("after it, with every row kept, the model is batch variational inference: no site would change", {
  set.seed(3)
  x <- runif(120, 0, 6)
  models <- list(
    poisson = list(likelihood_poisson(), rpois(120, exp(sin(x)))),
    bernoulli = list(likelihood_bernoulli(), rbinom(120, 1, plogis(3 * sin(x)))),
    student = list(likelihood_student(df = 4, scale = 0.3), sin(x) + 0.3 * rt(120, 4))
  )
  for (one in models) {
    grown <- streaming_gp(kernel = kernel_se(1.5, 1), mean = 0, optimize = "none", lookback = Inf, likelihood = one[[1]])
    for (i in seq(1, 120, by = 8)) grown$update(x[i:(i + 7)], one[[2]][i:(i + 7)])
    at <- seq(0, 6, 0.5)
    expect_invisible(grown$refresh())
    # all rows at once, with the points that the stream has chosen
    batch <- streaming_gp(kernel = kernel_se(1.5, 1), mean = 0, optimize = "none", lookback = Inf, likelihood = one[[1]],
      select = select_fixed(grown$points))
    batch$update(x, one[[2]])$refresh()
    expect_equal(grown$objective, batch$objective, tolerance = 1e-8)
    expect_equal(predict(grown, at, type = "latent", se.fit = TRUE), predict(batch, at, type = "latent", se.fit = TRUE), tolerance = 1e-6)
    once <- predict(grown, at)
    grown$refresh()
    expect_equal(predict(grown, at), once, tolerance = 1e-9)
  }
})

test_that("with Gaussian noise nothing changes, nor before the first row", {
  gp <- toy_gp(60)
  before <- as.list(gp)
  gp$refresh()
  expect_identical(as.list(gp), before)
  expect_s4_class(streaming_gp()$refresh(), "StreamingGP")
  empty <- streaming_gp(likelihood = likelihood_poisson())
  expect_s4_class(empty$refresh(), "StreamingGP")
})

test_that("with any look-back, rows that are gone keep what they said", {
  set.seed(4)
  x <- runif(100, 0, 6)
  gp <- streaming_gp(kernel = kernel_se(1.5, 1), mean = 0, optimize = "none", lookback = 20, likelihood = likelihood_poisson())
  gp$update(x, rpois(100, exp(sin(x))))
  state <- as.list(gp)$core
  gp$refresh()
  after <- as.list(gp)$core
  expect_identical(after$P, state$P)
  expect_identical(after$window_y, state$window_y)
})

test_that("rows that come twice, of which some noise is learned to be none, have sites", {
  # the noise that is learned is 1e-14 of the variance, so that I + R'R is not positive definite by rounding
  expect_null(held$broken_case("rows that come twice", 9, 2026))
})

test_that("rows whose point leaves have sites under a wide prior", {
  # a point that leaves takes a variance of 60 from the rows that it had: E e^(-2 f) is e^120 under the prior
  for (seed in 1:3) for (mean in c("constant", "linear")) for (lookback in c(5, 20)) {
    set.seed(seed)
    x <- runif(60, 0, 10)
    y <- rweibull(60, 2, exp(sin(x)))
    for (likelihood in list(likelihood_weibull(2), likelihood_exponential(), likelihood_gamma())) {
      gp <- streaming_gp(likelihood = likelihood, kernel = kernel_se(0.5, 60), mean = mean, optimize = "none",
        lookback = lookback, select = select_oips(0.9, max_points = 6))
      stream(gp, x, y, 12)
      expect_gt(gp$removed$count, 0)
      expect_lt(max(abs(as.matrix(predict(gp, x, type = "latent"))[, 1])), 50)
    }
  }
})
