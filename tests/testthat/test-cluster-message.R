# What leaves a site: sums, and no row.

site_gp <- function() {
  streaming_gp(kernel = kernel_se(1, 1), noise = 0.01, mean = 0, optimize = "none",
    select = select_fixed(matrix(seq(0, 5, 0.5))))
}
site_rows <- function(n, from = 0) 5 * (((from + seq_len(n)) * sqrt(2)) %% 1)

test_that("a message has no row, settles the look-back, and merges as the model it is of (1e-12)", {
  gp <- site_gp()$update(site_rows(50), sin(site_rows(50)))
  there <- shard(gp)
  x <- site_rows(300, 50)
  there$update(x, sin(x))
  message <- shard_message(there)
  expect_equal(message$contents$numbers[message$contents$part == "rows"], 0)
  core <- as.list(message$model)$core
  expect_false(any(vapply(core, function(value) is.numeric(value) && any(value %in% x[201:300]), NA)))
  expect_equal(message$model$nobs, 300)
  at <- seq(0, 5, 0.1)
  both <- merge(gp, message)
  expect_equal(predict(both, at, se.fit = TRUE), predict(merge(gp, there), at, se.fit = TRUE), tolerance = 1e-12)
  expect_equal(both$nobs, 350)
  expect_equal(there$nobs, 300) # unchanged
  # nor is there one where a kernel is learned from rows that are kept
  follower <- streaming_gp()$update(x, sin(x))
  kept <- shard_message(follower)
  expect_equal(kept$contents$numbers[kept$contents$part == "rows"], 0)
  expect_snapshot(print(message))
})

test_that("rows at points: a row at a point counts 1 there", {
  gp <- site_gp()$update(rep(c(0, 0.5, 2), c(3, 5, 7)), rep(0, 15))
  worth <- gpstream:::core_gp_rows_at_points(gpstream:::gp_handle(gp))
  expect_equal(worth, c(3, 5, 0, 0, 7, rep(0, 6)), tolerance = 1e-8)
  expect_error(shard_message(gp, min_rows = 2), "at 8 points of 11", class = "gpstream_error_private")
  expect_snapshot(error = TRUE, {
    shard_message(gp, min_rows = 2)
    shard_message(gp, min_rows = -1)
    shard_message(site_gp())
    shard_message(1)
  })
})

test_that("no point has less than no evidence, so that min_rows = 0 refuses nothing, whatever is rounded", {
  kernel <- kernel_matern12(3, 1)
  for (seed in 1:20) {
    set.seed(seed)
    gp <- streaming_gp(kernel = kernel, noise = 0.05, mean = 0, optimize = "none", lookback = 5,
      select = select_fixed(matrix(seq(0, 10, length.out = 12))))
    x <- runif(15, 0, 10)
    gp$update(x[1:12], sin(x[1:12]))
    there <- shard(gp)$update(x[13:15], sin(x[13:15]))
    expect_gte(min(gpstream:::core_gp_rows_at_points(gpstream:::gp_handle(there))), 0)
    expect_equal(shard_message(there)$model$nobs, 3)
  }
})
