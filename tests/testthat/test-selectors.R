# Selectors as users meet them: in a model, and on their own through select_points(). The mathematics of OIPS is in test-oips.R.

t2 <- toy(200, 2)
kernel <- kernel_se(2, 3)

test_that("every selector of the registry has a constructor that gives a selector of that name", {
  arguments <- list(oips = list(), fixed = list(Z = 1:3)) # a new selector needs its line here
  for (name in gpstream:::core_selector_names()) {
    selector <- do.call(getExportedValue("gpstream", paste0("select_", name)), arguments[[name]])
    expect_s3_class(selector, "gpstream_selector")
    expect_identical(selector$name, name)
    expect_output(print(selector), "<selector>")
    x <- toy(30)$x
    chosen <- select_points(selector, x, kernel)
    expect_identical(streaming_gp(optimize = "none", kernel = kernel, noise = 0.1, select = selector)$update(x, x[, 1])$points, chosen$points)
  }
})

test_that("select_points with OIPS: rows of x, apart from each other, near to everything", {
  chosen <- select_points(select_oips(0.7), t2$x, kernel)
  expect_identical(chosen$points, t2$x[chosen$index, ])
  expect_type(chosen$index, "integer")
  expect_identical(chosen$index[1], 1L)
  apart <- kernel_matrix(kernel, chosen$points) / 3
  expect_lt(max(apart[upper.tri(apart)]), 0.7)
  near <- kernel_matrix(kernel, chosen$points, t2$x) / 3
  expect_gte(min(apply(near, 2, max)), 0.7)
  again <- select_points(select_oips(0.7), chosen$points, kernel)
  expect_identical(again$index, seq_len(nrow(chosen$points)))
})

test_that("the choice does not depend on the variance, and rises with rho", {
  sizes <- vapply(c(0.3, 0.5, 0.8, 0.95), function(rho) {
    index <- lapply(c(1e-6, 1, 1e6), function(v) select_points(select_oips(rho), t2$x, kernel_se(2, v))$index)
    expect_identical(index[[1]], index[[2]])
    expect_identical(index[[3]], index[[2]])
    length(index[[1]])
  }, 1)
  expect_true(all(diff(sizes) > 0))
})

test_that("a model, oips() and select_points() choose the same points", {
  expected <- select_points(select_oips(0.8), t2$x, kernel)
  sel <- oips(kernel, 0.8)
  gp <- streaming_gp(optimize = "none", kernel = kernel, noise = 0.1, select = select_oips(0.8))
  for (rows in split(1:200, c(rep(1:8, each = 5), rep(9, 159), 10))) {
    sel$update(t2$x[rows, , drop = FALSE])
    gp$update(t2$x[rows, , drop = FALSE], t2$y[rows])
  }
  expect_identical(sel$points, expected$points)
  expect_equal(sel$index, expected$index)
  expect_identical(gp$points, expected$points)
  expect_equal(c(sel$size, sel$seen, sel$rho), c(nrow(expected$points), 200, 0.8))
})

test_that("sel$predict is the highest correlation with a point, at least rho for every row seen", {
  sel <- oips(kernel, 0.8)$update(t2$x)
  new <- toy(50, 2, from = 1000)$x * 3
  expect_close(sel$predict(new), apply(kernel_matrix(kernel, sel$points, new), 2, max) / 3, 1e-12)
  expect_gte(min(sel$predict(t2$x)), 0.8)
  expect_identical(sel$predict(sel$points), rep(1, sel$size))
})

test_that("select_fixed: these points, in this order, and no others", {
  Z <- toy(7, 2, from = 500)$x
  colnames(Z) <- c("a", "b")
  chosen <- select_points(select_fixed(Z), t2$x, kernel)
  expect_identical(chosen$points, unname(Z))
  expect_identical(chosen$index, rep(NA_integer_, 7))
  gp <- streaming_gp(optimize = "none", kernel = kernel, noise = 0.1, select = select_fixed(Z))$update(t2$x, t2$y)
  expect_identical(gp$points, unname(Z))
  expect_identical(select_fixed(1:3)$points, matrix(c(1, 2, 3)))
  expect_identical(select_fixed(data.frame(a = 1:3))$points[, 1], c(1, 2, 3))
})

test_that("a point that says nothing new is refused, and summary() counts it", {
  gp <- streaming_gp(optimize = "none", kernel = kernel_se(1, 1), noise = 0.1, select = select_fixed(c(1, 2, 2, 2 + 1e-9)))$update(1:3, 1:3)
  expect_equal(gp$size, 2)
  expect_output(print(summary(gp)), "2 candidates refused")
})

test_that("max_points: the model goes on with the points it has and warns once", {
  gp <- streaming_gp(optimize = "none", kernel = kernel_se(1, 1), noise = 0.1, select = select_oips(max_points = 3))
  expect_silent(gp$update(c(0, 5, 10), 1:3))
  expect_silent(gp$update(c(0.01, 5, 9.99), 1:3)) # covered: nothing is lost
  expect_warning(gp$update(c(20, 30), 1:2), "`max_points` \\(3\\)", class = "gpstream_warning_max_inducing")
  expect_silent(gp$update(40, 1))
  expect_equal(c(gp$size, gp$nobs), c(3, 9))
  expect_output(print(summary(gp)), "3 rows turned away")
})

test_that("column names of x are kept", {
  named <- data.frame(a = t2$x[, 1], b = t2$x[, 2])
  expect_identical(colnames(select_points(select_oips(), named, kernel)$points), c("a", "b"))
  expect_identical(colnames(oips(kernel)$update(named)$points), c("a", "b"))
})

test_that("without a lengthscale, the median distance of the first batch is used", {
  sel <- oips(kernel_matern32())$update(t2$x)
  expect_equal(sel$kernel$lengthscale, median(dist(t2$x)))
  sel$update(100 * t2$x)
  expect_equal(sel$kernel$lengthscale, median(dist(t2$x)))
  expect_equal(select_points(select_oips(), t2$x, kernel_matern32())$index, oips(kernel_matern32())$update(t2$x)$index)
})

test_that("selectors and OIPS objects print in words", {
  shown <- printed_by(
    select_oips(),
    select_oips(0.95, max_points = 12345),
    select_oips(0.5, Inf),
    select_fixed(1),
    select_fixed(cbind(1:3, 4:6)),
    oips(kernel_se()),
    print(oips(kernel_se(1, 1), 0.5)$update(1:3))
  )
  expect_snapshot(writeLines(shown))
})

test_that("select_points() says when the limit cut it short", {
  expect_warning(select_points(select_oips(0.8, max_points = 3), 1:20, kernel_se(1)), "`max_points` \\(3\\)", class = "gpstream_warning_max_inducing")
  expect_warning(select_points(select_oips(0.8), 1:20, kernel_se(1)), NA)
})
