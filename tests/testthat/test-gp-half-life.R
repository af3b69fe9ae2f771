# Rows that count less with every half-life.  [derivation 19]

# Exact regression with likelihoods to these powers; kernel exp(-d^2).
powered <- function(x, y, power, at, v = 1, s2 = 0.04) {
  k <- function(a, b) v * exp(-outer(a, b, "-")^2)
  K <- k(x, x) + diag(s2 / power)
  root <- chol(K)
  inner <- backsolve(root, k(x, at), transpose = TRUE)
  z <- backsolve(root, y, transpose = TRUE)
  list(
    mean = drop(crossprod(inner, z)), se = sqrt(v - colSums(inner^2)),
    evidence = sum(dnorm(z, log = TRUE)) - sum(log(diag(root))) + sum(log(2 * pi * s2 / power) - power * log(2 * pi * s2)) / 2
  )
}
set.seed(1)
n <- 60
places <- seq(0, 20, by = 0.8) # few enough that none is refused
x <- sample(places, n, TRUE)
y <- sin(x) + rnorm(n, sd = 0.2)
at <- seq(0, 20, by = 1.7)
every <- function(half_life, lookback = Inf, select = select_fixed(places), noise = 0.04, ...) {
  streaming_gp(kernel = kernel_se(1, 1), noise = noise, mean = 0, optimize = "none", select = select, lookback = lookback,
    half_life = half_life, ...)
}
in_batches <- function(gp, by, x, y) {
  for (i in split(seq_along(y), (seq_along(y) - 1) %/% by)) gp$update(x[i], y[i])
  gp
}

test_that("[derivation 19] forgetting by rows is weights by age in the dense formula, in any cut of the stream", {
  truth <- powered(x, y, 2^(-(n - seq_len(n)) / 15), at)
  for (by in c(1, 7, 60)) for (lookback in c(0, 10, Inf)) {
    p <- predict(in_batches(every(15, lookback), by, x, y), at, se.fit = TRUE)
    expect_equal(p$fit, truth$mean, tolerance = 1e-10)
    expect_equal(p$se.fit, truth$se, tolerance = 1e-10)
  }
})

test_that("[derivation 19] forgetting by time is weights by time, also of rows that come late, by name or number", {
  t <- sort(runif(n, 0, 30))
  late <- sample(n)
  d <- data.frame(x, t, y)
  far <- kernel_se(c(1, 1e9), 1) # so that time is no input but for the half-life
  truth <- powered(x, y, 2^(-(max(t) - t) / 4), at)
  for (by in list("t", 2)) for (rows in list(1:n, late)) {
    gp <- streaming_gp(y ~ x + t, kernel = far, noise = 0.04, mean = 0, optimize = "none", lookback = 9, select = select_fixed(cbind(places, 0)),
      half_life = half_life(4, by = by))
    for (i in split(rows, (seq_len(n) - 1) %/% 7)) gp$update(d[i, ])
    p <- predict(gp, data.frame(x = at, t = 1), se.fit = TRUE)
    expect_equal(unname(p$fit), truth$mean, tolerance = 1e-8)
    expect_equal(unname(p$se.fit), truth$se, tolerance = 1e-8)
  }
})

test_that("[derivation 19] a half-life of Inf is none, to the last bit", {
  for (more in list(list(), list(kernel = kernel_se(1, 1), optimize = "none"))) {
    a <- in_batches(do.call(streaming_gp, more), 20, x, y)
    b <- in_batches(do.call(streaming_gp, c(more, half_life = Inf)), 20, x, y)
    expect_identical(as.list(a)$core, as.list(b)$core)
  }
})

test_that("[derivation 19] the scale relearned from what is kept is the best with these weights", {
  power <- 2^(-(n - seq_len(n)) / 40)
  gp <- in_batches(every(40, lookback = 10, noise = 1), 7, x, y)
  gp$optimize()
  best <- optim(log(c(1, 0.1)), function(p) -powered(x, y, power, at, exp(p[1]), exp(p[2]))$evidence, method = "BFGS",
    control = list(reltol = 1e-14))
  expect_equal(c(gp$kernel$variance, gp$noise), exp(best$par), tolerance = 1e-5)
  expect_equal(gp$objective, -best$value, tolerance = 1e-6)
})

test_that("a model with a half-life relearns its scale as rows come, and says when", {
  set.seed(5)
  x <- runif(400, 0, 6)
  gp <- in_batches(streaming_gp(kernel = kernel_se(1.5), half_life = 60), 20, x, sin(x) + rnorm(400, sd = 0.2))
  expect_lt(abs(log(gp$noise / 0.04)), log(1.5))
  expect_output(print(gp), "learning variance, noise, mean at 320 rows, next at 405")
})

test_that("a model that finds its half-life forgets where the function changes, and only there", {
  set.seed(2)
  n <- 2000
  x <- runif(n, 0, 6)
  noise <- rnorm(n, sd = 0.2)
  still <- in_batches(streaming_gp(half_life = "auto"), 50, x, sin(x) + noise)
  plain <- in_batches(streaming_gp(), 50, x, sin(x) + noise)
  expect_equal(still$half_life$half_life, c(Inf, 1000, 250, 60, 15))
  expect_identical(still$half_life$half_life[still$half_life$in_use], Inf)
  expect_equal(sum(still$half_life$weight), 1)
  at <- seq(0.5, 5.5, by = 0.5)
  expect_lt(sqrt(mean((predict(still, at) - sin(at))^2)), 1.3 * sqrt(mean((predict(plain, at) - sin(at))^2)) + 0.01)
  turns <- function(rows) sin(x[rows] + rows / 150)
  moves <- in_batches(streaming_gp(half_life = "auto"), 50, x, turns(1:n) + noise)
  expect_true(is.finite(moves$half_life$half_life[moves$half_life$in_use]))
  frozen <- in_batches(streaming_gp(), 50, x, turns(1:n) + noise)
  truth <- sin(at + n / 150)
  expect_lt(sqrt(mean((predict(moves, at) - truth)^2)), 0.5 * sqrt(mean((predict(frozen, at) - truth)^2)))
  expect_output(print(moves), "forgets  half-life [0-9,]+ rows, the best of none, 1000, 250, 60, 15")
  expect_output(print(still), "forgets  nothing is forgotten, the best of none")
  for (gp in list(still, moves)) { # saved, copied, resumed
    file <- tempfile(fileext = ".gps")
    save_gp(gp, file)
    twins <- list(load_gp(file), gp$copy(), unserialize(serialize(gp, NULL)))
    gp$update(x[1:60], sin(x[1:60]))
    for (twin in twins) {
      twin$update(x[1:60], sin(x[1:60]))
      expect_identical(as.list(twin), as.list(gp))
    }
  }
})

test_that("any cut of a stream finds the same half-life, with the kernel learned or given", {
  set.seed(3)
  n <- 700
  x <- runif(n, 0, 6)
  y <- sin(x + seq_len(n) / 100) + rnorm(n, sd = 0.2)
  for (kernel in list(NULL, kernel_se(1, 1))) {
    # nothing else that is done at the ends of batches
    make <- if (is.null(kernel)) {
      function() streaming_gp(half_life = "auto")
    } else {
      function() every("auto", 100, select_fixed(seq(0, 6, by = 0.5)))
    }
    models <- lapply(c(1, 33, n), function(by) in_batches(make(), by, x, y))
    for (gp in models[-1]) {
      expect_identical(gp$half_life$in_use, models[[1]]$half_life$in_use)
      expect_equal(predict(gp, at[at < 6]), predict(models[[1]], at[at < 6]), tolerance = 1e-6)
    }
  }
})

test_that("points leave while several half-lives compete, and old rows are not missed", {
  set.seed(4)
  t <- (1:3000) / 20
  y <- sin(t) + rnorm(3000, sd = 0.1)
  gp <- in_batches(streaming_gp(kernel = kernel_se(1, 1), noise = 0.01, select = select_oips(0.8, max_points = 30), half_life = "auto"), 20, t, y)
  expect_gt(gp$removed$count, 50)
  late <- 145 + (1:90) / 20
  expect_lt(sqrt(mean((predict(gp, late) - sin(late))^2)), 0.05)
})

test_that("nothing is promised of a model that forgets, and it says so", {
  gp <- in_batches(every(15), 20, x, y)
  sure <- gp$certificate()
  expect_true(is.na(sure$kl) && is.na(sure$trace))
  expect_output(print(sure), "nothing can be promised: rows count less than they did")
  expect_output(print(gp), "forgets  half-life 15 rows")
  expect_identical(gp$half_life, data.frame(half_life = 15, weight = 1, in_use = TRUE))
  expect_identical(every(15)$half_life, data.frame(half_life = 15, weight = 1, in_use = TRUE))
})

test_that("half-lives that cannot be are refused in words", {
  local_reproducible_output(width = 100)
  expect_snapshot(error = TRUE, {
    streaming_gp(half_life = 0)
    streaming_gp(half_life = "fast")
    streaming_gp(half_life = c(10, 20))
    streaming_gp(half_life = "auto", lookback = 20)
    half_life(-1)
    half_life(10, by = 1.5)
    half_life()
    streaming_gp(half_life = half_life(10, by = "when"))$update(1:20, 1:20)
    streaming_gp(y ~ x, half_life = half_life(10, by = 3))$update(data.frame(x = 1:20, y = 1:20))
  })
  expect_snapshot({
    half_life(600, by = "time")
    half_life(600)
    half_life(600, by = 2)
    streaming_gp(half_life = half_life(600, by = "time"))
    streaming_gp(half_life = "auto")
  })
})
