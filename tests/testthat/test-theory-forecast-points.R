test_that("on a stream of independent rows the forecast is above what comes, and its limit is kept", {
  set.seed(11)
  seen <- replicate(60, {
    x <- matrix(rnorm(2400, sd = 2), ncol = 2)
    gp <- toy_gp(0, 2)
    for (rows in split(1:300, rep(1:10, each = 30))) gp$update(x[rows, ], numeric(30))
    ahead <- forecast_points(gp, 900)
    gp$update(x[301:1200, ], numeric(900))
    c(gp$size, ahead$points, ahead$upper)
  })
  expect_gt(mean(seen[2, ]), mean(seen[1, ]))
  expect_lte(mean(seen[1, ] > seen[3, ]), 0.05)
})

test_that("a forecast of nothing is the present, it grows with n, and the limit of the selector is kept", {
  gp <- stream(toy_gp(0, 2, select = select_oips(0.8, max_points = 50)), toy(30, 2)$x, toy(30, 2)$y, 10)
  ahead <- forecast_points(gp, c(0, 10, 1000, 1e6))
  expect_equal(unlist(ahead[1, 2:3]), c(points = gp$size, upper = gp$size))
  expect_true(all(diff(ahead$points) >= 0 & diff(ahead$upper) >= 0) && all(ahead$points <= ahead$upper))
  expect_equal(ahead$upper[4], 50)
  expect_true(all(ahead$packing >= gp$size) && all(ahead$uniform <= ahead$packing))
})

test_that("the box holds all rows seen", {
  for (kernel in list(kernel_se(1), kernel_matern32(c(0.5, 2)), kernel_se(c(1, 2)) + kernel_matern12(c(2, 0.3)))) {
    data <- toy(200, 2)
    gp <- toy_gp(200, 2, kernel = kernel)
    sides <- gpstream:::covered_sides(gp, gpstream:::gp_info(gp), 0.8)
    expect_true(all(sides >= apply(data$x, 2, function(column) diff(range(column)))))
    expect_lte(gp$size, forecast_points(gp, 0)$packing)
  }
})

test_that("the present rate: from the history, from the rows of a first batch, from those of the warm-up", {
  rate <- function(gp) unlist(gpstream:::recent_joins(gp, gpstream:::gp_info(gp)))
  data <- toy(400, 2)
  streamed <- stream(toy_gp(0, 2), data$x, data$y, 20)
  joined <- which(data.frame(t(data$x)) %in% data.frame(t(streamed$points)))
  expect_equal(rate(streamed), c(rows = 100, joined = sum(joined > 300)))
  at_once <- toy_gp(0, 2)$update(data$x, data$y)
  expect_equal(rate(at_once), c(rows = 50, joined = sum(joined > 350)))
  blind <- toy_gp(0, 2, lookback = 0)$update(data$x, data$y)
  expect_equal(rate(blind), c(rows = 400, joined = blind$size))
  warm <- streaming_gp()$update(data$x[1:60, ], data$y[1:60])
  expect_equal(rate(warm)[["rows"]], 30)
  learned <- streaming_gp()$update(data$x[1:250, ], data$y[1:250])$update(data$x[251:400, ], data$y[251:400])
  expect_equal(rate(learned)[["rows"]], 150)
})

test_that("rules that do not look at each row have a known number", {
  ahead <- forecast_points(toy_gp(40, 2, select = select_kmeans(20)), c(1, 100))
  expect_equal(ahead$points, c(20, 20))
  expect_equal(ahead$packing, c(NA_real_, NA_real_))
  expect_equal(forecast_points(toy_gp(40, select = select_fixed(1:7)), 10)$upper, 7)
  expect_gt(forecast_points(toy_gp(40, select = select_variance(0.1)), 1000)$packing, 7)
})

test_that("what forecast_points() cannot answer, it says", {
  gp <- toy_gp(20)
  shown <- conditions_of(forecast_points(1, 1), forecast_points(toy_gp(0), 1), forecast_points(gp, -1), forecast_points(gp, 1.5), forecast_points(gp, 1, 2))
  expect_snapshot(writeLines(shown))
})

test_that("rows that come again are no new points", {
  x <- rep(1:5, 20)
  for (gp in list(streaming_gp(kernel = kernel_se(0.5, 1), noise = 0.1, mean = 0, optimize = "none"), streaming_gp())) {
    set.seed(1)
    gp$update(x, sin(x) + rnorm(100, sd = 0.1))
    expect_identical(forecast_points(gp, c(10, 1000))$points, rep(as.double(gp$size), 2))
    expect_gt(forecast_points(gp, 1000)$upper, gp$size + 10) # that none came lately does not mean that none will
  }
})

test_that("points that the rule did not choose are under no bound of it", {
  set.seed(1)
  x <- runif(300)
  gp <- streaming_gp(kernel = kernel_se(0.05, 1), noise = 0.1, mean = 0, optimize = "none")$update(x, sin(x))
  expect_gte(forecast_points(gp, 10)$packing, gp$size)
  gp$kernel <- kernel_se(0.5, 1)
  expect_lt(bound_points(300, gp$kernel, 0.8, side = 1, type = "packing"), gp$size)
  expect_identical(unlist(forecast_points(gp, 10)[c("packing", "uniform")], use.names = FALSE), c(NA_real_, NA_real_))
})

test_that("no n, no rows", {
  for (select in list(select_oips(), select_fixed(matrix(1:3)))) {
    gp <- streaming_gp(kernel = kernel_se(1), noise = 0.1, select = select)$update(1:5, 1:5)
    expect_identical(dim(forecast_points(gp, numeric())), c(0L, 5L))
  }
})
