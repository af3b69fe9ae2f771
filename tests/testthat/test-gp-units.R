# The units and origins of inputs and outputs must not matter: the same model comes out, in other units.

# Numbers with few binary digits, so that an offset of 2^33 or a factor of 2^20 rounds none of them.
short <- function(x) round(x * 2^12) / 2^12
unit_rows <- function(n = 90, seed = 3) {
  set.seed(seed)
  a <- short(runif(n, 0, 8))
  t <- short(sort(runif(n, 0, 8)))
  g <- factor(sample(c("u", "v"), n, TRUE))
  data.frame(a, t, g, y = short(2 * sin(a) + 0.3 * t + 0.5 * (g == "u") + rnorm(n, sd = 0.2)))
}

unit_kernels <- list(
  se = kernel_se, matern12 = kernel_matern12, matern52 = kernel_matern52, rq = kernel_rq,
  periodic = kernel_periodic, linear = kernel_linear, brownian = kernel_brownian, cosine = kernel_cosine,
  sum = function() kernel_se() + kernel_linear(), product = function() kernel_se() * kernel_linear(),
  waves = function() kernel_periodic() + kernel_matern32()
)
# Each makes a model where inputs are multiplied by `by` and moved by `from`.
unit_models <- c(
  lapply(unit_kernels, function(make) function(by, from) streaming_gp(y ~ a, kernel = make())),
  list(
    several = function(by, from) streaming_gp(y ~ a + t + g), line = function(by, from) streaming_gp(y ~ a, mean = "linear"),
    terms = function(by, from) streaming_gp(y ~ gp(a) + trend(t, walk = FALSE) + g),
    walk = function(by, from) streaming_gp(y ~ gp(a) + trend(t)),
    warmup = function(by, from) streaming_gp(y ~ a + t, optimize = "warmup", lookback = 0),
    given = function(by, from) streaming_gp(y ~ a, optimize = "none"),
    scale = function(by, from) streaming_gp(y ~ a, kernel = kernel_matern52(lengthscale = 2 * by)),
    fading = function(by, from) streaming_gp(y ~ a + t, half_life = half_life(4 * by, by = "t")),
    found = function(by, from) streaming_gp(y ~ a + t, half_life = "auto"),
    grid = function(by, from) streaming_gp(y ~ a + t, select = select_grid(25)),
    kmeans = function(by, from) streaming_gp(y ~ a + t, select = select_kmeans(15)),
    support = function(by, from) streaming_gp(y ~ a + t, select = select_oips(0.8, support = 2)),
    budget = function(by, from) streaming_gp(y ~ a + t, select = select_oips(max_points = 12, when_full = "replace")),
    fixed = function(by, from) streaming_gp(y ~ a, select = select_fixed(matrix(0:8 * by + from)))
  )
)

# What a model is once units and origins are taken out again: what it predicts, scores and learned.
in_other_units <- function(make, x = c(1, 0), y = c(1, 0), rows = unit_rows()) {
  columns <- c("a", "t")
  rows[columns] <- rows[columns] * x[1] + x[2]
  rows$y <- rows$y * y[1] + y[2]
  gp <- make(x[1], x[2])
  set.seed(1)
  for (part in split(rows, (seq_len(nrow(rows)) - 1) %/% 30)) suppressWarnings(suppressMessages(update(gp, part)))
  at <- rows[1:25, ]
  at$a <- at$a + x[1] / 4
  found <- predict(gp, at, se.fit = TRUE)
  band <- predict(gp, at, interval = "prediction")
  own <- coef(gp)
  lengths <- own[grepl("lengthscale([.][at])?$", names(own)) & !grepl("periodic", format(gp$kernel)[1])]
  list(
    place = (c(found$fit, band[, "lwr"], band[, "upr"]) - y[2]) / y[1],
    size = c(found$se.fit / y[1], lengths / x[1], noise = gp$noise / y[1]^2),
    free = c(gp$score(at)$pit, nrow(gp$points))
  )
}
expect_same_units <- function(a, b, tolerance, what) {
  gap <- max(abs(a$place - b$place) / sd(b$place), abs(a$size / b$size - 1), abs(a$free - b$free))
  expect_lt(gap, tolerance, label = paste("the gap of", what))
}

test_that("y and x in other units, and measured from elsewhere: the same model, all kernels, terms and selectors", {
  set.seed(5)
  for (name in names(unit_models)) {
    make <- unit_models[[name]]
    plain <- in_other_units(make)
    expect_identical(in_other_units(make, x = c(2^20, 0), y = c(2^-20, 0)), plain, info = name)
    by <- 10^sample(c(-6:-1, 1:6), 2)
    expect_same_units(in_other_units(make, x = c(by[1], 0), y = c(by[2], 0)), plain, 1e-6, paste(name, "times", toString(by)))
    far <- in_other_units(make, x = c(1, 2^33), y = c(1, -2^33)) # about 1e9 times the range
    expect_same_units(far, plain, 1e-6 + 4 * 2^33 * .Machine$double.eps, paste(name, "from elsewhere"))
  }
})

test_that("seconds, milliseconds and nanoseconds since 1970 are no constants (M2)", {
  set.seed(1)
  s <- 0:299
  y <- sin(s / 60) + rnorm(300, sd = 0.1)
  near <- predict(streaming_gp(y ~ x, data.frame(x = s, y)), data.frame(x = s))
  for (unit in c(1, 1e3, 1e9)) {
    x <- (s + 1.7e9) * unit
    expect_equal(predict(streaming_gp(y ~ x, data.frame(x, y)), data.frame(x)), near, tolerance = 1e-6)
  }
})

test_that("outputs around 1e8 and 1e9 are predicted as those around 0 (M4)", {
  set.seed(2)
  x <- runif(200, 0, 10)
  y <- short(sin(x) + rnorm(200, sd = 0.2))
  near <- predict(streaming_gp(y ~ x, data.frame(x, y)), data.frame(x = 0:10))
  for (from in c(1e8, 1e9)) {
    far <- predict(streaming_gp(y ~ x, data.frame(x, y = y + from)), data.frame(x = 0:10)) - from
    expect_lt(max(abs(far - near)), 1e-6 + 4 * from * .Machine$double.eps)
  }
})

test_that("a stream of single rows knows its unit from the tenth row on", {
  rows <- unit_rows(12)
  one_by_one <- function(by) {
    gp <- streaming_gp()
    for (i in 1:12) gp$update(rows$a[i], rows$y[i] * by)
    predict(gp, 1:7) / by
  }
  expect_equal(one_by_one(1e6), one_by_one(1), tolerance = 1e-8)
})

test_that("ranges whose squares underflow are refused, and leave the model as it was (M14)", {
  rows <- unit_rows(40)
  for (by in c(1e-130, 1e130)) {
    expect_equal(
      predict(streaming_gp(y ~ a, transform(rows, y = y * by)), rows) / by, predict(streaming_gp(y ~ a, rows), rows), tolerance = 1e-6
    )
    expect_equal(
      predict(streaming_gp(y ~ a, transform(rows, a = a * by)), transform(rows, a = a * by)),
      predict(streaming_gp(y ~ a, rows), rows), tolerance = 1e-6
    )
  }
  for (optimize in c("online", "none")) {
    gp <- streaming_gp(y ~ a, optimize = optimize)
    expect_refused(gp, suppressMessages(update(gp, transform(rows, y = y * 1e-200))), "input", "`y` has values that differ by less than 1e-140")
    expect_refused(
      gp, suppressMessages(update(gp, transform(rows, a = a * 1e-300))), "input", "column 1 of `x` has values that differ by less than 1e-140"
    )
  }
})

test_that("rows that are gone and lay far off are told from rounding, wherever y is measured from", {
  set.seed(4)
  x <- runif(400, 0, 10)
  y <- sin(x) + rnorm(400, sd = 0.1)
  y[1:3] <- 1e4
  told <- vapply(c(0, 1e7), function(from) {
    gp <- streaming_gp(kernel = kernel_se(1, 1), noise = 0.01, mean = from, optimize = "none", lookback = 50)
    gp$update(x, y + from)
    any(grepl("lay far from those at hand", capture.output(print(summary(gp)))))
  }, NA)
  expect_identical(told, c(TRUE, TRUE))
})
