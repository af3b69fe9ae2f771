# A number of points that is not exceeded: others leave, or rows are set aside.

moving <- function(n, max_points, ...) {
  set.seed(1)
  x <- seq_len(n) / 10
  gp <- streaming_gp(optimize = "none", kernel = kernel_se(1, 1), noise = 0.01, mean = 0,
    select = select_oips(0.8, max_points = max_points, ...))
  stream(gp, x, sin(x) + rnorm(n, sd = 0.1), 50)
}

test_that("points leave for others, without a warning, and it is told", {
  expect_silent(gp <- moving(800, 20))
  expect_lte(gp$size, 20)
  expect_gt(gp$removed$count, 50)
  expect_gt(gp$removed$kl, 0)
  expect_identical(gp$set_aside, 0)
  expect_gt(min(gp$points), 45) # they have come along
  expect_lt(sqrt(mean((predict(gp, 70:80) - sin(70:80))^2)), 0.1)
  expect_output(print(gp), paste(gp$removed$count, "points left for others: the posterior changed by"))
  expect_output(print(summary(gp)), "no bracket: points have left for others")
  sure <- gp$certificate()
  expect_identical(sure$removed, gp$removed$count)
  expect_identical(c(sure$kl, sure$trace, sure$lower), rep(NA_real_, 3))
  expect_error(gp$removed <- 1, class = "gpstream_error")
})

test_that("with when_full = \"stop\" rows that no point is near are set aside, and the certificate is about the others", {
  expect_warning(gp <- moving(400, 20, when_full = "stop"), class = "gpstream_warning_max_inducing")
  expect_identical(gp$removed, list(count = 0, kl = 0))
  expect_gt(gp$set_aside, 200)
  expect_identical(gp$nobs, 400)
  expect_identical(gp$certificate()$rows, 400 - gp$set_aside)
  expect_false(is.na(gp$certificate()$kl))
  expect_output(print(gp), paste(gp$set_aside, "rows set aside, far from all points: there are as many points as allowed"))
  expect_output(print(select_oips(when_full = "stop")), "at most 1,000 points, then no more", fixed = TRUE)
  gp$optimize(what = "scale")
  expect_lt(gp$noise, 0.02) # rows that were set aside are not taken for noise
})

test_that("a full model saved, copied and continued is the same to the last bit", {
  gp <- moving(500, 20)
  twins <- list(gp$copy(), unserialize(serialize(gp, NULL)), streaming_gp_restore(as.list(gp)))
  file <- tempfile(fileext = ".gps")
  on.exit(unlink(file))
  save_gp(gp, file)
  for (one in c(list(gp), twins, load_gp(file))) {
    stream(one, 51:80, sin(51:80), 7)
    expect_identical(as.list(one), as.list(gp))
  }
  expect_gt(gp$removed$count, 30)
})

test_that("the default call follows a series that does not end, with few points", {
  set.seed(2)
  x <- seq_len(3000) / 20
  f <- sin(x) + sin(2.3 * x + 1) / 2
  gp <- stream(streaming_gp(select = select_oips(max_points = 60)), x, f + rnorm(3000, sd = 0.1), 100)
  expect_gt(gp$removed$count, 20)
  expect_lt(sqrt(mean((predict(gp, x[2900:3000]) - f[2900:3000])^2)), 0.06)
  expect_lt(abs(gp$noise / 0.01 - 1), 0.3)
})

test_that("what happens at the limit must be said right", {
  expect_error(select_oips(when_full = "forget"), "`when_full` must be", class = "gpstream_error_parameter")
  expect_identical(select_noise(when_full = "stop")$when_full, "stop")
  expect_identical(select_variance()$when_full, "replace")
})
