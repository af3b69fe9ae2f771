# The toy streams A, B and C: their shape, their order, and what they do to the random generator.

streams <- c("A", "B", "C")
noise <- c(A = 0.1, B = 0.1, C = 0.2)

test_that("a stream has its parts, of the right lengths, between 0 and 10", {
  for (name in streams) {
    toy <- toy_data(name, seed = 1)
    expect_identical(names(toy), c("x", "y", "batch", "x_test", "y_test", "f"))
    expect_null(attr(toy, "class"))
    expect_identical(unname(lengths(toy)[-6]), rep(200L, 5))
    expect_identical(toy$batch, rep(1:4, each = 50))
    inputs <- c(toy$x, toy$x_test)
    expect_true(is.numeric(inputs) && all(inputs >= 0 & inputs <= 10))
    expect_false(is.unsorted(toy$x_test))
    expect_true(is.function(toy$f))
  }
})

test_that("any number of rows from 4 on comes in four batches, as equal as can be", {
  for (n in c(4, 5, 6, 7, 1001)) {
    toy <- toy_data("C", n = n, seed = 1)
    expect_length(toy$x, n)
    expect_length(toy$y, n)
    expect_length(toy$x_test, 200)
    expect_false(is.unsorted(toy$batch))
    rows <- tabulate(toy$batch, 4)
    expect_lte(diff(range(rows)), 1)
  }
})

test_that("A is equally spaced and in order, B in order with gaps, C in no order and everywhere in each batch", {
  a <- toy_data("A", seed = 1)
  expect_equal(diff(a$x), rep(10 / 199, 199))
  b <- toy_data("B", n = 2000, seed = 1)
  expect_false(is.unsorted(b$x))
  expect_equal(sum(diff(b$x) > 0.5), 4) # five clusters
  gaps <- cbind(c(1, 2.1, 5, 7.8), c(1.8, 3.5, 6.2, 9))
  for (i in 1:4) expect_false(any(c(b$x, b$x_test) > gaps[i, 1] & c(b$x, b$x_test) < gaps[i, 2]))
  c <- toy_data("C", seed = 1)
  for (batch in split(c$x, c$batch)) {
    expect_true(is.unsorted(batch))
    expect_true(min(batch) < 1 && max(batch) > 9)
  }
})

test_that("y is the function with noise as documented, in the stream and in the test", {
  for (name in streams) {
    toy <- toy_data(name, n = 20000, seed = 2)
    error <- toy$y - toy$f(toy$x)
    expect_lt(abs(mean(error)), 4.5 * noise[[name]] / sqrt(20000))
    expect_lt(abs(sd(error) / noise[[name]] - 1), 4.5 / sqrt(2 * 20000))
    expect_lt(abs(sd(toy$y_test - toy$f(toy$x_test)) / noise[[name]] - 1), 4.5 / sqrt(2 * 200))
    expect_lt(abs(cor(error[-1], error[-20000])), 4.5 / sqrt(20000))
  }
})

test_that("the functions are fixed, continuous, and that of C is faster on the right", {
  at <- seq(0, 10, by = 1e-3)
  slope <- function(name) diff(toy_data(name)$f(at)) / 1e-3
  for (name in streams) {
    expect_identical(toy_data(name, seed = 1)$f(at), toy_data(name, n = 10, seed = 2)$f(at))
    expect_lt(max(abs(slope(name))), 7)
  }
  steep <- abs(slope("C"))
  expect_lt(max(steep[at[-1] < 5]), 1.01)
  expect_gt(max(steep[at[-1] > 5.01]), 5)
})

test_that("a seed makes the data repeatable, whatever the generator, and leaves it as it was", {
  kind <- RNGkind()
  on.exit(do.call(RNGkind, as.list(kind)))
  set.seed(10)
  before <- .Random.seed
  data <- lapply(streams, toy_data, seed = 5)
  expect_identical(.Random.seed, before)
  expect_identical(lapply(streams, toy_data, seed = 5), data)
  expect_false(identical(toy_data("A", seed = 6)$y, data[[1]]$y))
  RNGkind("L'Ecuyer-CMRG", "Box-Muller")
  set.seed(3)
  before <- .Random.seed
  expect_identical(lapply(streams, toy_data, seed = 5), data)
  expect_identical(.Random.seed, before)
  expect_identical(RNGkind()[1:2], c("L'Ecuyer-CMRG", "Box-Muller"))
  expect_error(toy_data("A", seed = "a"), "`seed`", class = "gpstream_error_parameter")
  expect_identical(.Random.seed, before)
})

test_that("without a seed the data come from the generator as it stands, used or not", {
  set.seed(10)
  a <- toy_data("B")
  b <- toy_data("B")
  expect_false(identical(a$y, b$y))
  set.seed(10)
  expect_identical(toy_data("B"), a)
  old <- get(".Random.seed", globalenv())
  on.exit(assign(".Random.seed", old, globalenv()))
  rm(".Random.seed", envir = globalenv())
  expect_silent(toy_data("C", seed = 1))
})

test_that("arguments are checked", {
  expect_identical(toy_data(seed = 1), toy_data("A", seed = 1))
  expect_error(toy_data("D"), "`name` must be one of \"A\", \"B\", \"C\"", class = "gpstream_error_parameter")
  expect_error(toy_data(1), "`name`", class = "gpstream_error_parameter")
  for (n in list(3, 10.5, -1, NA, "a", Inf, 1:2, NULL)) expect_error(toy_data("A", n = n), "`n` must", class = "gpstream_error_parameter")
  for (seed in list(0.5, NA, "a", 1:2, Inf, 1e10)) expect_error(toy_data("A", seed = seed), "`seed` must", class = "gpstream_error_parameter")
})
