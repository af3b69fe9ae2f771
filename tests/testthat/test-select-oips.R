test_that("OIPS against a five-line transcription on 1000 random streams: same rows, however the stream is cut, whatever the variance", {
  set.seed(1)
  same <- logical(1000)
  for (i in seq_along(same)) {
    x <- matrix(runif(84), ncol = sample(1:4, 1))
    rho <- runif(1, 0.1, 0.99)
    kernel <- sample(kernel_constructors, 1)[[1]](lengthscale = runif(1, 0.1, 1))
    expected <- oips_reference(kernel_matrix(kernel, x), rho)
    kernel$variance <- 10^runif(1, -3, 3)
    sel <- oips(kernel, rho)
    for (rows in split(seq_len(nrow(x)), ceiling(seq_len(nrow(x)) / sample(1:9, 1)))) sel$update(x[rows, , drop = FALSE])
    same[i] <- identical(as.integer(sel$index), expected)
  }
  expect_true(all(same))
})

test_that("all pairwise correlations of Z are below rho and every row seen is at or above rho with some point", {
  set.seed(2)
  for (rho in c(0.2, 0.5, 0.8, 0.95)) {
    x <- matrix(rnorm(900), ncol = 3)
    kernel <- kernel_matern32(lengthscale = c(1, 2, 0.7))
    sel <- oips(kernel, rho)$update(x)
    between <- kernel_matrix(kernel, sel$points)
    expect_lt(max(between[upper.tri(between)]), rho)
    expect_gte(min(sel$predict(x)), rho)
    expect_identical(sel$points, x[sel$index, ])
    expect_identical(oips(kernel, rho)$update(sel$points)$size, sel$size)
  }
})

test_that("a tie is covered: a row joins only when its correlation is below rho", {
  sel <- oips(kernel_se(1), rho = exp(-1))$update(0:4)
  expect_identical(sel$index, c(1, 3, 5))
})

test_that("the model selects as OIPS alone does, and as select_points() does", {
  x <- example_stream(300, 2)$x
  kernel <- kernel_se(0.6, 3)
  gp <- streaming_gp(optimize = "none", kernel = kernel, noise = 0.1, select = select_oips(0.75))
  stream(gp, x, x[, 1], 11)
  sel <- oips(kernel, 0.75)$update(x)
  expect_identical(gp$points, sel$points)
  expect_identical(select_points(select_oips(0.75), x, kernel), list(points = sel$points, index = as.integer(sel$index)))
})

test_that("before any row there are no points, and a copy is independent", {
  sel <- oips(kernel_se(1), 0.8)
  expect_identical(list(sel$size, sel$seen, sel$rho), list(0L, 0, 0.8))
  expect_identical(sel$predict(1:3), numeric(3))
  sel$update(numeric())
  expect_identical(sel$seen, 0)
  sel$update(1:5)
  twin <- sel$copy()
  twin$update(100)
  expect_identical(c(sel$seen, twin$seen), c(5, 6))
})

test_that("a lengthscale that is not given is the median distance of the first batch [GFO21 App. E]", {
  x <- c(0, 1, 3, 7)
  expect_identical(oips(kernel_se(), 0.5)$update(x)$kernel$lengthscale, median(dist(x)))
})
