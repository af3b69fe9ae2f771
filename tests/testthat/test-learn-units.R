# Units must not matter: rows in other units are the same rows, and make the same model in those units.

set.seed(7)
n <- 120
x <- runif(n, 0, 10)
f <- sin(x)
e <- rnorm(n, sd = 0.2)
additive <- list(
  student = f + 0.1 * rt(n, 3), laplace = f + 0.1 * (rexp(n) - rexp(n)), quantile = f + e,
  tobit = pmax(f + e, -0.8), heteroscedastic = f + exp(-2 + cos(x)) * e
)
positive <- list(
  gamma = rgamma(n, 3, 3 / exp(f)), exponential = rexp(n, exp(-f)), weibull = rweibull(n, 2, exp(f))
)
kind <- function(name, unit = 1, offset = 0) {
  switch(name,
    student = likelihood_student(), laplace = likelihood_laplace(), quantile = likelihood_quantile(0.3),
    tobit = likelihood_tobit(lower = offset - 0.8 * unit), heteroscedastic = likelihood_heteroscedastic(),
    gamma = likelihood_gamma(), exponential = likelihood_exponential(), weibull = likelihood_weibull()
  )
}
at <- c(0.5, 3, 6.5, 12)
# predictions, latent standard deviations and an interval, in units of the response
told <- function(name, x, y, at, unit = 1, offset = 0, by = n, each = kind(name, unit, offset)) {
  gp <- streaming_gp(likelihood = each)
  for (i in split(seq_along(y), (seq_along(y) - 1) %/% by)) gp$update(x[i], y[i])
  latent <- predict(gp, at, type = "latent", se.fit = TRUE)
  se <- as.matrix(latent$se.fit)
  if (name %in% names(additive)) se[, 1] <- se[, 1] / unit # a second function is a logarithm
  cbind(
    (predict(gp, at) - offset) / unit, se,
    (predict(gp, at, interval = "prediction")[, -1] - offset) / unit, size = gp$size
  )
}

test_that("every likelihood of a quantity is the same in other units of y and x, and from another origin", {
  set.seed(1)
  for (name in c(names(additive), names(positive))) {
    y <- c(additive, positive)[[name]]
    plain <- told(name, x, y, at)
    both <- 10^sample(c(-6:-1, 1:6), 2)
    expect_equal(
      told(name, both[1] * x, both[2] * y, both[1] * at, both[2]), plain,
      tolerance = 1e-6, label = paste(c(name, both), collapse = " ")
    )
    if (name %in% names(positive)) next
    far <- 2^16 # y + far has lost 2^-37 of a unit; sites stand still to 1e-5
    rounded <- (y + far) - far
    expect_equal(
      told(name, x, rounded + far, at, 1, far), told(name, x, rounded, at),
      tolerance = 1e-5, label = paste(name, "from another origin")
    )
  }
})

test_that("times with little noise in a large unit are learned: f is the log of the scale", {
  set.seed(1)
  x <- runif(300, 0, 10)
  e <- rweibull(300, 200, 1)
  for (s in c(1, 1e9)) {
    gp <- streaming_gp(likelihood = likelihood_weibull())
    for (i in split(1:300, (0:299) %/% 50)) gp$update(x[i], (e * s * exp(sin(x)))[i])
    expect_equal(predict(gp, 5) / (s * exp(sin(5))), 1, tolerance = 0.01)
    expect_equal(predict(gp, 5, type = "latent"), log(s) + sin(5), tolerance = 0.01)
    expect_gt(gp$likelihood$numbers$shape, 150)
  }
  # what is simulated and what an interval covers are times in that unit
  draws <- simulate(gp, 200, seed = 1, newdata = 5, type = "response")
  expect_equal(mean(unlist(draws)) / predict(gp, 5), 1, tolerance = 0.01)
})

test_that("a stream that begins with one value is learned as in another order", {
  for (likelihood in list(likelihood_laplace(), likelihood_quantile(0.3), likelihood_tobit())) {
    set.seed(2)
    dead <- list(x = runif(250, 10, 20), y = rep(0, 250))
    live <- list(x = runif(250, 0, 10))
    live$y <- sin(live$x) + rnorm(250, sd = 0.2)
    fed <- function(order) {
      gp <- streaming_gp(likelihood = likelihood)
      rows <- list(x = c(dead$x, live$x)[order], y = c(dead$y, live$y)[order])
      for (i in split(1:500, (0:499) %/% 50)) gp$update(rows$x[i], rows$y[i])
      gp
    }
    gp <- fed(1:500)
    mixed <- fed(sample(500))
    error <- function(gp) sqrt(mean((predict(gp, seq(0.5, 9.5, 0.5)) - sin(seq(0.5, 9.5, 0.5)))^2))
    expect_lt(error(gp), 1.2 * error(mixed) + 0.01)
    expect_equal(gp$nobs, 500)
    expect_equal(unname(predict(gp, 15)), 0, tolerance = 0.05)
  }
})

test_that("while one value has come the model says so, at the usual cost, and keeps count", {
  set.seed(3)
  x <- runif(400)
  for (name in c("laplace", "quantile", "student", "tobit", "heteroscedastic")) {
    for (value in c(0, -3e5)) {
      gp <- streaming_gp(likelihood = kind(name, offset = -1e6))
      for (i in split(1:400, (0:399) %/% 100)) gp$update(x[i], rep(value, 100))
      near <- if (name == "quantile") 0.1 else 1e-6
      expect_equal(unname(predict(gp, 0.5)), value, tolerance = near, label = name)
      expect_equal(gp$nobs, 400)
    }
  }
  # more rows than are kept, and then the stream comes to life in its own unit
  gp <- streaming_gp(likelihood = likelihood_laplace(), memory = 300)
  for (i in 1:10) gp$update(runif(200, 1, 2), rep(0, 200))
  expect_equal(gp$nobs, 2000)
  x <- runif(300)
  y <- 1e-4 * (sin(6 * x) + rnorm(300, sd = 0.1))
  for (i in split(1:300, (0:299) %/% 50)) gp$update(x[i], y[i])
  expect_equal(gp$nobs, 2300)
  expect_lt(sqrt(mean((predict(gp, x) - 1e-4 * sin(6 * x))^2)), 0.5e-4)
})

test_that("of classes of which one has come, that one is probable and the cost is that of mixed classes", {
  set.seed(4)
  x <- runif(200)
  classes <- c("a", "b", "c")
  one <- factor(rep("b", 200), classes)
  mixed <- factor(sample(classes, 200, TRUE), classes)
  for (case in list(
    list(likelihood_categorical(), one, mixed),
    list(likelihood_ordinal(), factor(one, classes, ordered = TRUE), factor(mixed, classes, ordered = TRUE)),
    list(likelihood_bernoulli("probit"), rep(1, 200), as.numeric(mixed == "b"))
  )) {
    seconds <- function(y) {
      gp <- streaming_gp(likelihood = case[[1]])
      time <- system.time(for (i in split(1:200, (0:199) %/% 50)) gp$update(x[i], y[i]))
      list(gp = gp, time = time[["user.self"]])
    }
    same <- seconds(case[[2]])
    other <- seconds(case[[3]])
    expect_lt(same$time, 2 * other$time + 0.1)
    p <- predict(same$gp, c(0.3, 0.7))
    own <- if (is.matrix(p)) p[, if (is.factor(case[[2]])) "b" else 1] else p
    expect_true(all(own > 0.8 & own < 1), label = case[[1]]$name)
  }
})

test_that("numbers that have no squares are refused by name, and those that have are right", {
  y <- additive$laplace
  gp <- streaming_gp(likelihood = likelihood_laplace())
  expect_error(gp$update(x, 1e-200 * y), "`y` must vary by at least 1e-140", class = "gpstream_error_input")
  expect_error(gp$update(x, 1e200 * y), "between -1e140 and 1e140", class = "gpstream_error_input")
  times <- streaming_gp(likelihood = likelihood_gamma())
  short <- 1e-200 * positive$gamma
  expect_error(times$update(x, short), "between 1e-140 and 1e140", class = "gpstream_error_input")
  counts <- streaming_gp(likelihood = likelihood_poisson())
  expect_error(counts$update(1:3, c(1, 2, 1e200)), "below 2\\^53", class = "gpstream_error_input")
  for (unit in c(1e-100, 1e100)) {
    expect_equal(told("laplace", x, unit * y, at, unit), told("laplace", x, y, at), tolerance = 1e-6)
    expect_equal(
      told("gamma", x, unit * positive$gamma, at, unit), told("gamma", x, positive$gamma, at),
      tolerance = 1e-5
    )
  }
})
