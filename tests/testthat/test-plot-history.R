# plot(gp, "history"): what it says it drew.

test_that("it is gp$history, with the scores of all rows so far", {
  gp <- scored_model()
  on_device(drawn <- plot(gp, "history"))
  expect_equal(drawn[names(gp$history)], gp$history)
  scored <- gp$history[-1, ]
  for (k in 1:4) {
    rows <- scored[1:k, ]
    expect_equal(drawn$rmse_so_far[k + 1], sqrt(sum(rows$scored * rows$rmse^2) / sum(rows$scored)))
    expect_equal(drawn$coverage_so_far[k + 1], sum(rows$scored * rows$coverage) / sum(rows$scored))
    expect_equal(drawn$lwr[k + 1], qbinom(0.025, 40 * k, 0.95) / (40 * k))
  }
  expect_true(all(is.na(drawn[1, c("rmse_so_far", "coverage_so_far", "lwr", "upr")])))
})

test_that("a model with batches that were not scored in between", {
  gp <- scored_model()
  gp$update(data.frame(x = 1:3, y = 0))
  on_device(drawn <- plot(gp, "history"))
  expect_equal(drawn$rmse_so_far[6], drawn$rmse_so_far[5])
  expect_true(is.na(drawn$rmse[6]))
})

test_that("a model that is never wrong", {
  gp <- streaming_gp(y ~ x, kernel = kernel_se(1, 1), noise = 0.1)
  evaluate(gp, data.frame(x = 1:6, y = 5), batch_size = 1)
  on_device(drawn <- plot(gp, "history"))
  expect_equal(drawn$rmse_so_far[-1], rep(0, 5))
})

test_that("without scores it draws the points and says how to get more; without data there is nothing", {
  gp <- toy_gp(30)
  expect_message(on_device(drawn <- plot(gp, "history")), "evaluate\\(\\)", class = "gpstream_message")
  expect_equal(drawn$points, gp$size)
  expect_error(plot(toy_gp(0), "history"), "no data yet", class = "gpstream_error_input")
})

test_that("the band holds a binomial share 95 times in 100", {
  band <- gpstream:::chance_band(50, 0.3)
  inside <- sum(dbinom(round(50 * band$lwr):round(50 * band$upr), 50, 0.3))
  expect_gte(inside, 0.95)
  expect_lte(inside - dbinom(round(50 * band$lwr), 50, 0.3) - dbinom(round(50 * band$upr), 50, 0.3), 0.95)
})
