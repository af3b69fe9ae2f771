# Inputs as users have them: the class of x must not matter, names must.

t2 <- toy(30, 2)
model_of <- function(x, y = t2$y, ...) as.list(toy_gp(0, ...)$update(x, y))$core

test_that("matrix, data frame, tibble and integers of the same values give identical models", {
  whole <- round(t2$x)
  reference <- model_of(whole)
  as_integer <- whole
  storage.mode(as_integer) <- "integer"
  frame <- as.data.frame(whole)
  expect_identical(model_of(as_integer), reference)
  expect_identical(model_of(frame), reference)
  expect_identical(model_of(data.frame(a = as_integer[, 1], b = whole[, 2])), reference)
  expect_identical(model_of(structure(whole, class = c("mine", class(whole)))), reference)
  skip_if_not_installed("tibble")
  expect_identical(model_of(tibble::as_tibble(frame)), reference)
})

test_that("one column: vector, named vector, matrix, data frame and tibble give identical models and predictions", {
  x <- toy(30)$x[, 1]
  gp <- toy_gp(0)$update(x, t2$y)
  reference <- as.list(gp)$core
  forms <- list(matrix(x), data.frame(x), stats::setNames(x, seq_along(x)), structure(x, dim = length(x)))
  if (requireNamespace("tibble", quietly = TRUE)) forms <- c(forms, list(tibble::tibble(x = x)))
  for (form in forms) {
    expect_identical(model_of(form), reference)
    expect_identical(unname(predict(gp, form)), predict(gp, x))
  }
})

test_that("y may be a vector, integer, logical, matrix or data frame of one column", {
  y <- rep(c(0, 1, 1), 10)
  reference <- model_of(t2$x, y)
  for (form in list(as.integer(y), y == 1, matrix(y), data.frame(y), stats::setNames(y, seq_along(y)))) {
    expect_identical(model_of(t2$x, form), reference)
  }
})

test_that("columns are matched by name: reordered, with others in between, in data frames and matrices", {
  named <- data.frame(a = t2$x[, 1], b = t2$x[, 2])
  others <- data.frame(id = sprintf("row %d", 1:30), b = named$b, when = as.Date("2024-01-01") + 1:30, a = named$a)
  gp <- toy_gp(0)$update(named, t2$y)
  expect_identical(colnames(gp$points), c("a", "b"))
  twin <- gp$copy()
  for (later in list(named, named[2:1], others, as.matrix(named)[, 2:1], cbind(z = 1, as.matrix(named)))) {
    expect_silent(p <- predict(gp, later))
    expect_identical(p, predict(gp, named))
    expect_identical(as.list(gp$copy()$update(later, t2$y)), as.list(twin$copy()$update(named, t2$y)))
  }
  expect_identical(toy_gp(0, kernel = kernel_se(c(1, 5), 1))$update(named, t2$y)$predict(named[2:1]),
    toy_gp(0, kernel = kernel_se(c(1, 5), 1))$update(t2$x, t2$y)$predict(t2$x))
  sel <- oips(kernel_se(c(1, 5)))$update(named)
  expect_identical(sel$predict(others), sel$predict(named))
})

test_that("names that do not tell the columns apart are not used", {
  x <- t2$x
  colnames(x) <- c("a", "a")
  gp <- toy_gp(0)$update(x, t2$y)
  expect_null(colnames(gp$points))
  expect_identical(predict(gp, t2$x), predict(toy_gp(0)$update(t2$x, t2$y), t2$x))
})

test_that("names on one side only: one message, then by position", {
  named <- data.frame(a = t2$x[, 1], b = t2$x[, 2])
  with_names <- toy_gp(0)$update(named, t2$y)
  without <- toy_gp(0)$update(t2$x, t2$y)
  expect_message(p <- predict(with_names, t2$x), "by position", class = "gpstream_message")
  expect_identical(p, predict(with_names, named))
  expect_message(q <- predict(without, named[2:1]), "by position", class = "gpstream_message")
  expect_identical(q, predict(without, t2$x[, 2:1]))
})

test_that("na_action = \"omit\" gives the model of the complete rows, in the first batch and later", {
  x <- toy(40, 2)$x
  y <- toy(40, 2)$y
  x[c(3, 25), 1] <- c(NA, Inf)
  y[c(8, 31)] <- c(NaN, -Inf)
  drop <- c(3, 8, 25, 31)
  gp <- toy_gp(0, na_action = "omit")
  expect_message(gp$update(x[1:20, ], y[1:20]), "Dropped 2 of 20 rows")
  expect_message(gp$update(x[21:40, ], y[21:40]), "Dropped 2 of 20 rows")
  clean <- toy_gp(0)
  clean$update(x[setdiff(1:20, drop), ], y[setdiff(1:20, drop)])
  clean$update(x[setdiff(21:40, drop), ], y[setdiff(21:40, drop)])
  expect_identical(as.list(gp)$core, as.list(clean)$core)
  expect_silent(gp$update(x[1:2, ], y[1:2]))
  frame <- data.frame(y = y, a = x[, 1], b = x[, 2])
  expect_message(by_formula <- streaming_gp(optimize = "none", y ~ a + b, frame, kernel_se(1, 1), 0.01, mean = 0, na_action = "omit"), "Dropped 4 of 40 rows")
  expect_identical(as.list(by_formula)$core, model_of(x[-drop, ], y[-drop]))
})

test_that("what is not given comes from the first batch", {
  x <- t2$x
  gp <- streaming_gp(optimize = "none")$update(x, t2$y)
  expect_equal(gp$kernel$lengthscale, median(dist(x)))
  expect_equal(gp$kernel$variance, var(t2$y))
  expect_equal(gp$noise, var(t2$y) / 10)
  expect_equal(gp$mean, mean(t2$y))
  gp$update(100 * x, 100 * t2$y)
  expect_equal(gp$kernel$lengthscale, median(dist(x)))
  flat <- streaming_gp(optimize = "none")$update(x, rep(5, 30))
  expect_equal(c(flat$kernel$variance, flat$mean), c(1, 5))
  ard <- streaming_gp(optimize = "none", kernel = kernel_se("ard"))$update(cbind(x[, 1], 1000 * x[, 2]), t2$y)
  expect_equal(ard$kernel$lengthscale, sqrt(2) * c(median(dist(x[, 1])), 1000 * median(dist(x[, 2]))))
  two <- streaming_gp(optimize = "none", kernel = kernel_se(1) + kernel_matern12(5))$update(x, t2$y)
  expect_equal(two$kernel$variance, var(t2$y))
})

test_that("one lengthscale guessed for columns of different scale is said, given ones are not", {
  x <- cbind(metres = runif(30, 0, 1000), share = runif(30))
  expect_message(streaming_gp(optimize = "none")$update(x, x[, 2]), "One lengthscale serves unlike columns .* guessed", class = "gpstream_message")
  expect_message(streaming_gp(optimize = "none", kernel = kernel_se("ard"))$update(x, x[, 2]), NA)
  expect_message(streaming_gp(optimize = "none", kernel = kernel_se(10))$update(x, x[, 2]), NA)
  expect_message(streaming_gp(optimize = "none")$update(x[, 2], x[, 2]), NA)
  both <- data.frame(y = rnorm(30), x = runif(30, 0, 5), g = gl(3, 10))
  expect_message(streaming_gp(optimize = "none", y ~ x + g, both), "One lengthscale serves unlike columns .* guessed", class = "gpstream_message")
  expect_message(streaming_gp(optimize = "none", y ~ g, both), NA)
})

# As package bit64 stores them, without it: NA, and numbers around what R's integers can be.
test_that("whole numbers of 64 bits are read as what they are", {
  bits <- function(low, high) readBin(writeBin(c(rbind(low, high)), raw(), endian = "little"), "double", length(low), endian = "little")
  large <- structure(bits(c(7L, -1L, 0L, NA, 1L, 0L), c(0L, -1L, 1L, 0L, -1L, NA)), class = "integer64")
  expected <- c(7, -1, 2^32, 2^31, -2^32 + 1, NA)
  expect_identical(gpstream:::from_integer64(large), expected)
  x <- structure(unclass(large)[1:5], class = "integer64")
  model <- function(x, y = 1:5, ...) streaming_gp(kernel = kernel_se(1, 1), noise = 1, optimize = "none")$update(x, y, ...)
  expect_identical(as.list(model(x))$core, as.list(model(expected[1:5]))$core)
  expect_identical(as.list(model(1:5, x))$core, as.list(model(1:5, expected[1:5]))$core)
  with_b <- data.frame(a = 1:5)
  with_b$b <- x
  expect_identical(as.list(model(with_b))$core, as.list(model(data.frame(a = 1:5, b = expected[1:5])))$core)
  weights <- structure(bits(1:5, rep(0L, 5)), class = "integer64")
  expect_identical(as.list(model(1:5, 1:5, weights = weights))$core, as.list(model(1:5, 1:5, weights = 1:5))$core)
  frame <- data.frame(y = 1:5)
  frame$x <- x
  gp <- streaming_gp(y ~ x, frame, kernel = kernel_se(1, 1), noise = 1, optimize = "none")
  expect_identical(unname(gp$points[1, 1]), 7)
  expect_identical(unname(predict(gp, frame)), unname(predict(gp, data.frame(x = expected[1:5]))))
  skip_if_not_installed("bit64")
  expect_identical(gpstream:::from_integer64(bit64::as.integer64(c(-2^53, 2^53, NA, 0))), c(-2^53, 2^53, NA, 0))
})
