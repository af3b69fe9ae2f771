# An ordinary batch goes straight to the core; anything else is looked at in R first. Both must end in the same model.

test_that("the short way and the long way are one, bitwise, in every kind of model that knows both", {
  data <- toy(300, 2)
  models <- list(
    function() toy_gp(0, 2), function() toy_gp(0, 2, lookback = 0, select = select_variance(0.1)),
    function() streaming_gp(kernel = kernel_se(2), noise = 0.01), function() streaming_gp(kernel = kernel_se()),
    function() streaming_gp(optimize = "warmup", warmup = 60),
    function() toy_gp(0, 2, select = select_kmeans(9)), function() toy_gp(0, 2, select = select_oips(0.7, optimize_points = TRUE))
  )
  for (make in models) {
    for (size in c(1, 7, 150)) {
      short <- make()
      long <- make()
      used <- 0
      for (rows in split(1:300, ceiling(1:300 / size))) {
        x <- data$x[rows, , drop = FALSE]
        before <- if (short$nobs > 0 && short$state$plain) as.list(short)$core$learning[6] else 0
        set.seed(rows[1])
        short$update(x, data$y[rows])
        set.seed(rows[1])
        long$update(as.data.frame(x), data$y[rows])
        used <- used + isTRUE(before > short$nobs)
      }
      core <- function(gp) as.list(gp)$core
      expect_identical(core(short), core(long))
      if (size < 150 && identical(make, models[[1]])) expect_gt(used, 30)
    }
  }
})

test_that("what is not ordinary is refused or explained as ever, and changes nothing", {
  gp <- toy_gp(20, 2)
  x <- toy(3, 2)$x
  expect_true(gp$state$plain)
  expect_identical(as.list(gp)$core$learning[6], Inf)
  expect_refused(gp, gp$update(x, c(1, 2)), "dimension", "`y` has 2 values for 3 rows")
  expect_refused(gp, gp$update(x[, 1], 1:3 + 0), "dimension", "`x` has 1 column")
  expect_refused(gp, gp$update(replace(x, 2, NaN), 1:3 + 0), "nonfinite", "NaN in row 2")
  expect_refused(gp, gp$update(x, c(1, Inf, 2)), "nonfinite", "Inf in row 2")
  expect_refused(gp, gp$update(x, c(1, 1e150, 2)), "input", "overflow")
  full <- suppressWarnings(toy_gp(20, 2, select = select_oips(0.8, max_points = 4, when_full = "stop")))
  expect_silent(full$update(x + 3, 1:3 + 0)) # has warned before
  fresh <- toy_gp(1, 2, select = select_oips(0.8, max_points = 3, when_full = "stop"))
  expect_warning(fresh$update(toy(20, 2)$x, toy(20, 2)$y), "max_points", class = "gpstream_warning_max_inducing")
})

test_that("members are found the first time and ever after, and what does not exist is an error", {
  gp <- toy_gp(5)
  expect_equal(gp$predict(1), predict(gp, 1))
  expect_equal(gp$copy()$size, gp$size)
  expect_error(gp$nothing, "nothing")
  sel <- oips(kernel_se(1))
  expect_equal(sel$update(1:5)$size, 5)
  expect_error(sel$nothing, "nothing")
})

test_that("reading a model between rows does not change what it learns", {
  data <- toy(200, 2)
  read <- toy_gp(100, 2)
  left <- toy_gp(100, 2)
  for (i in 101:200) {
    left$update(data$x[i, , drop = FALSE], data$y[i])
    read$update(data$x[i, , drop = FALSE], data$y[i])
    if (i %% 3 == 0) predict(read, data$x[1:2, ], se.fit = TRUE)
  }
  a <- predict(read, data$x, se.fit = TRUE)
  b <- predict(left, data$x, se.fit = TRUE)
  expect_close(a$fit, b$fit, 1e-11)
  expect_close(a$se.fit, b$se.fit, 1e-11)
})
