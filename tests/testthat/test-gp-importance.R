# importance(): identities of shares and slopes.

important_rows <- function(n) data.frame(a = 5 * ((1:n * sqrt(2)) %% 1), b = 5 * ((1:n * sqrt(3)) %% 1), c = 5 * ((1:n * sqrt(5)) %% 1))

spread <- function(x) mean((x - mean(x))^2)

test_that("where columns add up, shares are the variances of the parts over the rows; without any, over the points; an unused column has 0", {
  x <- important_rows(120)
  gp <- streaming_gp(
    kernel = kernel_se(1.5, 1, columns = "a") + kernel_matern52(2, 0.5, columns = "b"), noise = 0.01, mean = "constant", optimize = "none",
    select = select_fixed(x[1:40, ]), lookback = 0
  )$update(x, sin(x$a) + 0.2 * x$b)
  found <- importance(gp)
  expect_identical(found$column, c("a", "b", "c"))
  parts <- components(gp, x[1:40, ])
  part <- function(term) parts$fit[parts$term == term]
  all <- spread(predict(gp, x[1:40, ]))
  expect_equal(found$share[1:2], c(spread(part("se(a)")), spread(part("matern52(b)"))) / all, tolerance = 1e-8)
  expect_identical(found$share[3], 0)
  expect_identical(found$sensitivity[3], 0)
  expect_equal(found$sensitivity[1], sqrt(mean(predict(gp, x[1:40, ], deriv = "a")^2)), tolerance = 1e-12)
  terms <- importance(gp, by = "term")
  expect_identical(terms$term, c("se(a)", "matern52(b)"))
  expect_equal(terms$share, found$share[1:2], tolerance = 1e-8)
  # over other rows
  expect_equal(importance(gp, x)$share[1], {
    parts <- components(gp, x)
    spread(parts$fit[parts$term == "se(a)"]) / spread(predict(gp, x))
  }, tolerance = 1e-8)
})

test_that("interactions count for each of their columns: shares are total effects", {
  x <- as.matrix(expand.grid(a = -2:2, b = -2:2))
  gp <- streaming_gp(kernel = kernel_linear(10, columns = 1, origin = 0, scale = 1) * kernel_linear(1, columns = 2, origin = 0, scale = 1), noise = 1e-6,
    mean = 0, optimize = "none", select = select_fixed(x[c(1, 7, 19, 25), ]))
  gp$update(x, x[, 1] * x[, 2])
  expect_equal(importance(gp, x)$share, c(1, 1), tolerance = 1e-4) # nothing of a * b is due to one of them alone
})

test_that("a factor is one column, without a slope; outputs are stacked", {
  data <- data.frame(important_rows(60), g = rep(c("u", "v", "w"), 20))
  data$y <- sin(data$a) + (data$g == "u")
  gp <- streaming_gp(y ~ a + g, data, kernel = kernel_se(1.5, 1), noise = 0.1, optimize = "none")
  found <- importance(gp)
  expect_identical(found$column, c("a", "g"))
  expect_true(all(found$share > 0.05))
  expect_identical(is.na(found$sensitivity), c(FALSE, TRUE))
  two <- streaming_gp(cbind(y, z = 2 * y) ~ a, data, kernel = kernel_se(1.5, 1), noise = 0.1, optimize = "none")
  expect_identical(names(importance(two)), c("output", "column", "share", "sensitivity"))
  rough <- toy_gp(20, 2, kernel = kernel_matern12(1, 1))
  expect_true(all(is.na(importance(rough)$sensitivity)))
  text <- conditions_of(
    importance(streaming_gp()), importance(gp, by = "row"), importance(gp, data[1, ]), importance(gp, rows = 3), importance(toy_gp(1))
  )
  expect_snapshot(writeLines(text))
})
