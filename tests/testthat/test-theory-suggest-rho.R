test_that("rho for a number of points keeps within it, and hardly more would not", {
  data <- toy(400, 2)
  for (kernel in list(kernel_se(1.5), kernel_matern12(c(4, 8)), kernel_rq(2) + kernel_se(1))) {
    for (points in c(15, 40, 200)) {
      rho <- suggest_rho(kernel, data$x, points = points)
      size <- function(rho) nrow(select_points(select_oips(rho, Inf), data$x, kernel)$points)
      expect_lte(size(rho), points)
      expect_gt(size(1 - (1 - rho) * 0.9), 0.8 * points)
    }
  }
  expect_identical(suggest_rho(kernel_se(1.5, 7), data$x, points = 40), suggest_rho(kernel_se(1.5), data$x, points = 40))
})

test_that("rho for a stream longer than the sample counts on those that will follow", {
  set.seed(3)
  x <- matrix(runif(4000), ncol = 2)
  kernel <- kernel_se(0.3)
  rho <- suggest_rho(kernel, x[1:300, ], points = 60, n = 2000)
  expect_lte(nrow(select_points(select_oips(rho), x, kernel)$points), 60)
  expect_lt(rho, suggest_rho(kernel, x[1:300, ], points = 60))
})

test_that("rho for a residual does it on the sample, and without one for every stream", {
  data <- toy(300, 2)
  for (kernel in list(kernel_se(3), kernel_matern32(5))) {
    left <- function(rho) nystrom_error(kernel, data$x, select_points(select_oips(rho, Inf), data$x, kernel)$points) / 300
    for (residual in c(0.3, 0.05)) {
      rho <- suggest_rho(kernel, data$x, residual = residual)
      expect_lte(left(rho), residual)
      expect_gt(left(1 - (1 - rho) * 1.15), 0.6 * residual)
      expect_lte(rho, suggest_rho(kernel, residual = residual) + 1e-4)
      expect_lte(left(suggest_rho(kernel, residual = residual)), residual)
    }
  }
  expect_equal(suggest_rho(kernel_se(3), residual = 0.19), 0.9)
  expect_equal(suggest_rho(kernel_se(3), rep(1, 10), residual = 0.19), 0.02, tolerance = 0.02) # nothing to explain
})

test_that("what suggest_rho() cannot answer, it says", {
  shown <- conditions_of(
    suggest_rho(kernel_se(1), 1:10), suggest_rho(kernel_se(1), 1:10, points = 3, residual = 0.1), suggest_rho(kernel_se(1), points = 3),
    suggest_rho(kernel_se(1), 1:10, points = 20), suggest_rho(kernel_se(0.001), 1:10, points = 3), suggest_rho(kernel_se(1), 1:10, residual = 2),
    suggest_rho(kernel_se(1), 1:10, residual = 0.1, n = 20), suggest_rho(kernel_se(1), 1:10, points = 3, n = 5),
    suggest_rho(kernel_se(1), numeric(), points = 3)
  )
  expect_snapshot(writeLines(shown))
})
