# A model that goes on learning its kernel from a memory of rows.

wave <- function(n, seed = 1, D = 1) {
  set.seed(seed)
  x <- matrix(stats::runif(n * D, 0, 6), n)
  list(x = x, y = sin(x[, 1]) + 0.3 * x[, 1] + stats::rnorm(n, sd = 0.1))
}
fed <- function(data, by, ...) {
  gp <- streaming_gp(...)
  for (rows in split(seq_along(data$y), ceiling(seq_along(data$y) / by))) {
    gp$update(data$x[rows, , drop = FALSE], data$y[rows])
  }
  gp
}

test_that("the same rows in any cut give the same memory, learning times and predictions", {
  data <- wave(420)
  new <- seq(0, 8, length.out = 40)
  one <- fed(data, 1)
  for (by in c(7, 50, 100, 420)) {
    other <- fed(data, by)
    expect_equal(predict(other, new, interval = "prediction"), predict(one, new, interval = "prediction"),
      tolerance = 1e-8)
    expect_identical(other$memory, one$memory)
    expect_identical(other$restarts[c("changes", "learned", "origins")],
      one$restarts[c("changes", "learned", "origins")])
    expect_identical(other$nobs, 420)
  }
})

test_that("saved in the middle, with rivals, it continues identically", {
  data <- wave(700, 2)
  gp <- fed(list(x = data$x[1:330, , drop = FALSE], y = data$y[1:330]), 33, kernel = kernel_se())
  expect_gt(gp$restarts$rivals, 0)
  file <- tempfile()
  saveRDS(gp, file)
  saved <- readRDS(file)
  twin <- gp$copy()
  save_gp(gp, paste0(file, ".gps"))
  loaded <- load_gp(paste0(file, ".gps"))
  for (one in list(gp, saved, twin, loaded)) one$update(data$x[331:700, , drop = FALSE], data$y[331:700])
  for (one in list(saved, twin, loaded)) {
    expect_identical(predict(one, 1:5, se.fit = TRUE), predict(gp, 1:5, se.fit = TRUE))
    expect_identical(one$calibration, gp$calibration)
    expect_identical(one$memory, gp$memory)
  }
})

test_that("the memory holds at most as many rows as it is told, and they are rows of the stream", {
  data <- wave(900)
  gp <- fed(data, 100, memory = 200, kernel = kernel_se())
  kept <- gp$memory
  expect_lte(length(kept$y), 200)
  expect_gt(length(kept$y), 150)
  expect_identical(kept$y, data$y[kept$row])
  expect_identical(unname(kept$x), data$x[kept$row, , drop = FALSE])
  expect_true(all(861:900 %in% kept$row))
  without <- fed(data, 100, memory = 0, kernel = kernel_se())
  expect_length(without$memory$y, 0)
  expect_identical(without$restarts$learned, 0)
  expect_lt(mean(abs(predict(without, 1:5) - sin(1:5) - 0.3 * 1:5)), 0.1)
})

test_that("columns have lengthscales of their own, those of a factor one", {
  data <- wave(300, 3, D = 3)
  gp <- fed(data, 100, kernel = kernel_se("ard"))
  l <- gp$kernel$lengthscale
  expect_length(l, 3)
  expect_gt(min(l[2:3]), 2 * l[1])
  chicks <- as.data.frame(ChickWeight)
  gp <- streaming_gp(weight ~ Time + Diet, chicks)
  leaf <- if (is.null(gp$kernel$parts)) gp$kernel else gp$kernel$parts[[1]]
  expect_length(leaf$lengthscale, 5)
  expect_length(unique(leaf$lengthscale[2:5]), 1)
})

test_that("what is given of a kernel stays", {
  data <- wave(200)
  expect_identical(fed(data, 100, kernel = kernel_matern32("ard"))$kernel$name, "matern32")
  expect_identical(fed(data, 100, kernel = kernel_se(variance = 2))$kernel$variance, 2)
  expect_identical(fed(data, 100, noise = 0.04)$noise, 0.04)
  expect_identical(fed(data, 100, mean = 1)$mean, 1)
  gp <- fed(data, 100)
  gp$kernel <- kernel_se(1, 2)
  gp$update(data$x, data$y)
  expect_identical(gp$kernel$lengthscale, 1)
  expect_length(gp$memory$y, 0)
})

test_that("what is assigned is not undone by a rival", {
  data <- wave(900)
  gp <- fed(list(x = data$x[1:620, , drop = FALSE], y = data$y[1:620]), 100, kernel = kernel_se())
  gp$noise <- 0.3
  gp$update(data$x[621:900, , drop = FALSE], data$y[621:900])
  expect_identical(gp$noise, 0.3)
})

test_that("with a short look-back the kernel is learned anew, too", {
  gp <- fed(wave(320), 40, lookback = 10)
  expect_identical(gp$restarts$learned, 250)
  expect_identical(gp$restarts$rivals, 0L)
  expect_lt(abs(log(gp$noise / 0.01)), 0.7)
})

test_that("a linear trend goes on where the data end, with its uncertainty in the interval", {
  set.seed(4)
  x <- sort(stats::runif(200, 0, 10))
  y <- 3 * x + sin(2 * x) + stats::rnorm(200, sd = 0.1)
  for (mean in list("auto", "linear", ~ x1)) {
    gp <- streaming_gp(mean = mean)
    gp$update(cbind(x1 = x), y)
    at <- predict(gp, cbind(x1 = c(12, 20)), interval = "prediction")
    expect_lt(max(abs(at[, "fit"] - 3 * c(12, 20))), 3)
    expect_true(all(at[, "lwr"] < 3 * c(12, 20) & at[, "upr"] > 3 * c(12, 20)))
    expect_gt(at[2, "upr"] - at[2, "lwr"], at[1, "upr"] - at[1, "lwr"])
    expect_equal(unname(coef(gp)["slope.x1"]), 3, tolerance = 0.1)
  }
  flat <- fed(list(x = cbind(x), y = y), 200, mean = "zero")
  expect_lt(abs(predict(flat, cbind(200))), 1)
  gp$mean <- 0
  expect_equal(gp$mean, 0)
  expect_lt(abs(predict(gp, cbind(x1 = 1e4))), 1e-6)
})

test_that("the trend is one of all columns, or of those that are named", {
  set.seed(7)
  x <- matrix(stats::rnorm(600), ncol = 3, dimnames = list(NULL, c("a", "b", "c")))
  y <- x %*% c(3, -2, 1) + stats::rnorm(200, sd = 0.1)
  slopes <- function(mean) {
    gp <- streaming_gp(mean = mean)
    gp$update(x, as.vector(y))
    coef(gp)[grepl("^slope", names(coef(gp)))]
  }
  for (mean in c("auto", "linear")) {
    expect_equal(slopes(mean), c(slope.a = 3, slope.b = -2, slope.c = 1), tolerance = 0.05)
  }
  expect_named(slopes(~ c + a), c("slope.c", "slope.a"))
})

test_that("a bad start is forgotten, a good one is not", {
  set.seed(5)
  x <- stats::runif(1200, 0, 10)
  y <- sin(x) + stats::rnorm(1200, sd = 0.1)
  bad <- y
  bad[1:200] <- bad[1:200] + 100
  error <- function(gp) sqrt(mean((predict(gp, cbind(seq(0.5, 9.5, 0.1))) - sin(seq(0.5, 9.5, 0.1)))^2))
  started <- fed(list(x = cbind(x), y = bad), 100)
  good <- fed(list(x = cbind(x), y = y), 100)
  expect_lt(error(started), 1.05 * error(good) + 0.01)
  expect_gte(started$restarts$origin, 100)
  expect_identical(good$restarts$origin, 0)
})

test_that("intervals are corrected for what they missed, and only when told to", {
  set.seed(6)
  x <- cbind(stats::runif(3000, 0, 5))
  y <- sin(x[, 1]) + 0.2 * stats::rt(3000, 2)
  gp <- streaming_gp()
  inside <- NULL
  for (rows in split(1:3000, rep(1:60, each = 50))) {
    if (gp$nobs > 0) {
      at <- predict(gp, x[rows, , drop = FALSE], interval = "prediction")
      inside <- c(inside, y[rows] >= at[, "lwr"] & y[rows] <= at[, "upr"])
    }
    gp$update(x[rows, , drop = FALSE], y[rows])
    if (gp$nobs == 800) early <- gp$calibration$factor
  }
  expect_gt(mean(inside), 0.93)
  expect_lt(mean(inside), 0.97)
  expect_identical(gp$calibration$level, c(0.5, 0.8, 0.9, 0.95, 0.99))
  expect_gt(max(abs(early - 1)), 0.05)
  plain <- fed(list(x = x[1:800, , drop = FALSE], y = y[1:800]), 400, calibrate = FALSE)
  expect_identical(plain$calibration$factor, rep(1, 5))
  own <- predict(plain, 1:3, se.fit = TRUE)
  expect_equal(predict(plain, 1:3, interval = "prediction")[, "upr"],
    own$fit + stats::qnorm(0.975) * sqrt(own$se.fit^2 + own$residual.scale^2), tolerance = 1e-14)
})

test_that("wrong arguments are named", {
  expect_error(streaming_gp(memory = -1), "`memory` must be a single whole number")
  expect_error(streaming_gp(calibrate = NA), "`calibrate` must be")
  expect_error(streaming_gp(mean = "quadratic"), "`mean` must be \"auto\", \"linear\"")
  expect_error(streaming_gp(dist ~ speed, cars, mean = ~ weight), "`mean` must name columns of the inputs \\(`speed`\\)")
})

test_that("every kernel that competed by its evidence has a name, periods too", {
  evidence <- c(given = -3, "given, period 2" = -4, matern32 = -5)
  expect_match(
    format_choice(list(evidence = evidence)),
    "the formula's 0.0, the formula's with wave 2 of the spectrum 1.0, Matern 3/2 2.0", fixed = TRUE
  )
})
