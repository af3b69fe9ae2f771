# Points that need support, and what the paper proposes instead. The mathematics is in tests/core/test_support.cpp.

# A wave over a square; a share of rows lies far away, where nothing was measured. `f`: what is to be found.
strayed <- function(n = 1500, share = 0.05, seed = 3) {
  set.seed(seed)
  x <- matrix(runif(2 * n, 0, 5), n)
  f <- sin(x[, 1]) + cos(1.3 * x[, 2])
  y <- f + rnorm(n, sd = 0.2)
  far <- seq_len(n) %in% sample(n, share * n)
  x[far, ] <- rnorm(2 * sum(far), sd = 60)
  y[far] <- rnorm(sum(far))
  list(x = x, y = y, f = f, far = far)
}
far_points <- function(gp) sum(apply(gp$points, 1, function(z) any(z < 0 | z > 5)))

# How far off good rows were, before they were learned, from row 400 on.
foretold <- function(gp, s, by = 50) {
  error <- s$y
  for (rows in split(seq_along(s$y), (seq_along(s$y) - 1) %/% by)) {
    if (rows[1] > 1) error[rows] <- s$y[rows] - predict(gp, s$x[rows, , drop = FALSE])
    gp$update(s$x[rows, , drop = FALSE], s$y[rows])
  }
  sqrt(mean(error[seq_along(error) > 400 & !s$far]^2))
}
given <- function(...) streaming_gp(kernel = kernel_se(1.5, 1), noise = 0.04, mean = 0, optimize = "none", ...)

test_that("5 % rows far away in x with support = 3: no far point, error within 1.05 of clean", {
  s <- strayed()
  clean <- strayed(share = 0)
  for (model in list(
    function(...) streaming_gp(select = select_oips(...)), # everything is learned
    function(...) streaming_gp(kernel = kernel_se(1.5), select = select_oips(0.8, ...), lookback = 200)
  )) {
    plain <- model()
    best <- foretold(plain, clean)
    gp <- model(support = 3)
    expect_lt(foretold(gp, s) / best, 1.05)
    expect_identical(far_points(gp), 0L)
    expect_lt(gp$size, 1.2 * plain$size)
    expect_gt(gp$set_aside, 0.5 * sum(s$far)) # a model made anew from its memory counts from there
    expect_lt(abs(gp$noise / plain$noise - 1), 0.05)
    without <- model()
    foretold(without, s)
    expect_gt(far_points(without), 0.5 * sum(s$far))
  }
})

test_that("rows set aside are told", {
  s <- strayed(400)
  gp <- given(select = select_oips(0.8, support = 3))$update(s$x, s$y)
  expect_output(print(gp), paste(gp$set_aside, "rows set aside, far from all points: fewer than 3 lay together"))
  expect_output(print(gp), "OIPS (rho 0.8, at most 1,000 points, support 3)", fixed = TRUE)
  expect_output(print(streaming_gp(select = select_oips(support = 3))), "as dense as the noise asks, at most 1,000, support 3")
  sure <- gp$certificate()
  expect_lt(sure$rows, 400 - gp$set_aside + 1)
  expect_lte(sure$trace, sure$trace_bound * (1 + 1e-6))
  expect_identical(gp$nobs, 400)
})

test_that("the same points, whatever the batches, when rows give each other support across them", {
  s <- strayed(300)
  for (select in list(select_oips(0.8, support = 3), select_variance(support = 2), select_noise(0.5, support = 3))) {
    one <- stream(given(select = select), s$x, s$y, 1)
    for (by in c(7, 100, 300)) {
      other <- stream(given(select = select), s$x, s$y, by)
      expect_identical(other$points, one$points)
      expect_identical(other$set_aside, one$set_aside)
      expect_equal(predict(other, s$x[1:20, ], se.fit = TRUE), predict(one, s$x[1:20, ], se.fit = TRUE), tolerance = 1e-8)
    }
  }
  # two of three in one batch, the third in the next
  gp <- given(select = select_oips(0.8, support = 3))
  gp$update(cbind(c(0, 0.1), c(0.1, 0)), 1:2)
  expect_identical(gp$size, 0L)
  expect_equal(predict(gp, cbind(0, 0)), 0)
  gp$update(cbind(0.05, 0.05), 1)
  expect_identical(gp$points, cbind(0.05, 0.05))
  expect_identical(gp$certificate()$rows, 3)
})

test_that("a model that learns all by itself does the same in any cut", {
  s <- strayed(330)
  fed <- function(by) stream(streaming_gp(kernel = kernel_se(), select = select_oips(support = 3)), s$x, s$y, by)
  one <- fed(1)
  for (by in c(37, 330)) {
    other <- fed(by)
    expect_equal(predict(other, s$x[1:20, ]), predict(one, s$x[1:20, ]), tolerance = 1e-7)
    expect_identical(other$set_aside, one$set_aside)
    expect_identical(other$memory, one$memory)
  }
  expect_match(format(gpstream:::gp_info(one)$select), "support 3")
})

test_that("support of 1 is none, to the last bit", {
  s <- strayed(300)
  expect_identical(as.list(stream(given(select = select_oips(0.8, support = 1)), s$x, s$y, 30)),
    as.list(stream(given(select = select_oips(0.8)), s$x, s$y, 30)))
})

test_that("saved, copied and resumed with rows that wait, it continues identically", {
  s <- strayed(400)
  for (gp in list(given(select = select_noise(support = 3)), streaming_gp(select = select_oips(support = 3)))) {
    stream(gp, s$x[1:250, ], s$y[1:250], 25)
    file <- tempfile(fileext = ".gps")
    save_gp(gp, file)
    twins <- list(gp$copy(), unserialize(serialize(gp, NULL)), streaming_gp_restore(as.list(gp)), load_gp(file))
    unlink(file)
    for (one in c(gp, twins)) stream(one, s$x[251:400, ], s$y[251:400], 30)
    for (one in twins) expect_identical(as.list(one), as.list(gp))
  }
})

test_that("a failed update leaves rows that wait as they were", {
  s <- strayed(200)
  gp <- given(select = select_oips(0.8, max_points = 15, when_full = "stop", support = 2))
  gp$update(s$x[1:20, ], s$y[1:20])
  before <- as.list(gp)
  old <- options(warn = 2)
  on.exit(options(old))
  expect_error(gp$update(s$x[21:200, ], s$y[21:200]), "`max_points` \\(15\\)")
  expect_identical(as.list(gp), before)
  expect_error(gp$update(s$x[21:40, ], c(NA, s$y[22:40])), class = "gpstream_error")
  expect_identical(as.list(gp), before)
})

test_that("support needs a look-back of as many rows", {
  for (lookback in c(0, 2)) {
    expect_error(streaming_gp(select = select_oips(support = 3), lookback = lookback),
      "`lookback` must be at least the `support` of the selector \\(3\\), not", class = "gpstream_error_parameter")
  }
  expect_s4_class(streaming_gp(select = select_oips(support = 3), lookback = 3), "StreamingGP")
  expect_s4_class(streaming_gp(select = select_oips(), lookback = 0), "StreamingGP")
})

test_that("a shard and its model, merged, hold what lies apart", {
  s <- strayed(400)
  gp <- given(select = select_oips(0.8, support = 3))$update(s$x[1:200, ], s$y[1:200])
  part <- shard(gp)$update(s$x[201:400, ], s$y[201:400])
  both <- merge(gp, part)
  expect_identical(far_points(both), 0L)
  expect_identical(both$nobs, 400)
  expect_gte(both$set_aside, sum(s$far[1:300]))
})

test_that("rows that were set aside are no rows to unlearn", {
  s <- strayed(300)
  gp <- stream(given(select = select_oips(0.8, support = 2)), s$x, s$y, 20)
  i <- which(s$far)[3]
  expect_error(gp$unlearn(s$x[i, , drop = FALSE], s$y[i], at = i + 100), class = "gpstream_error_unlearn")
})

test_that("select_points() looks back over all rows it is given", {
  s <- strayed(300)
  for (support in 2:3) {
    near <- kernel_matrix(kernel_se(1.5, 1), s$x) >= 0.8
    index <- integer()
    for (i in seq_len(300)) {
      if (!any(near[i, index]) && sum(near[i, seq_len(i)]) >= support) index <- c(index, i)
    }
    expect_identical(select_points(select_oips(0.8, support = support), s$x, kernel_se(1.5, 1))$index, index)
  }
})

test_that("the bound of a batch adds up, and is about the rows that count", {
  s <- strayed(120)
  gp <- given(select = select_oips(0.8, support = 3))$update(s$x[1:60, ], s$y[1:60])
  before <- gp$objective
  parts <- gp$bound(s$x[61:100, ], s$y[61:100])
  gp$update(s$x[61:100, ], s$y[61:100]) # all rows are in the look-back
  expect_equal(gp$objective - before, parts$bound, tolerance = 1e-10)
  expect_equal(sum(parts$terms) + parts$points, parts$bound, tolerance = 1e-8)
  counted <- gp$certificate()$rows
  expect_lt(counted, 100 - sum(s$far[1:100]) + 1)
  expect_gt(counted, 40)
})

test_that("a model that has seen nothing but rows that lie apart is its prior", {
  gp <- streaming_gp(kernel = kernel_se(1), select = select_oips(0.8, support = 3), lookback = 20, mean = 0)
  for (i in 1:50) gp$update(100 * i, i %% 7)
  expect_identical(c(gp$size, gp$set_aside, gp$nobs), c(0, 30, 50))
  expect_equal(predict(gp, 1:3), c(0, 0, 0))
  expect_output(print(gp$certificate()), "Nothing has been approximated yet")
  expect_output(print(summary(gp)), "30 rows set aside")
})

test_that("gp$optimize(\"kernel\") does not make points of rows that lie apart", {
  s <- strayed(200)
  gp <- given(select = select_oips(0.8, support = 3))$update(s$x, s$y)
  before <- gp$kernel
  gp$optimize(strayed(50, 0.3, 8)$x, strayed(50, 0.3, 8)$y, what = "kernel", steps = 3)
  expect_identical(far_points(gp), 0L)
  expect_false(identical(gp$kernel, before))
})

# --- the k nearest points ------------------------------------------------------------------------------------------------------

test_that("select_knearest() is its definition, in any cut", {
  x <- toy(120, 2)$x * 2
  kernel <- kernel_matern32(1, 2)
  C <- kernel_matrix(kernel, x) / 2
  for (k in c(1, 2, 3, 7)) {
    for (statistic in c("mean", "median")) {
      index <- integer()
      for (i in seq_len(120)) {
        nearest <- head(sort(C[i, index], decreasing = TRUE), k)
        if (length(index) == 0 || get(statistic)(nearest) < 0.6) index <- c(index, i)
      }
      selector <- select_knearest(k, 0.6, statistic)
      expect_identical(select_points(selector, x, kernel)$index, index)
      if (k == 1) expect_identical(select_points(select_oips(0.6), x, kernel)$index, index)
      for (by in c(1, 11)) {
        gp <- streaming_gp(kernel = kernel, noise = 0.1, mean = 0, select = selector, optimize = "none")
        expect_identical(stream(gp, x, x[, 1], by)$points, x[index, ])
      }
    }
  }
  expect_gt(nrow(select_points(select_knearest(3, 0.6), x, kernel)$points),
    nrow(select_points(select_oips(0.6), x, kernel)$points))
})

test_that("select_knearest() at its limit, in forecasts and pictures", {
  x <- toy(100)$x
  gp <- streaming_gp(kernel = kernel_se(1, 1), noise = 0.1, mean = 0, optimize = "none", select = select_knearest(2, 0.6, max_points = 5, when_full = "stop"))
  expect_warning(gp$update(x, x), "`max_points` \\(5\\).*Lower `rho`", class = "gpstream_warning_max_inducing")
  expect_equal(gp$size, 5)
  gp <- streaming_gp(kernel = kernel_se(1, 1), noise = 0.1, mean = 0, optimize = "none", select = select_knearest(2, 0.6))$update(x, x)
  expect_identical(forecast_points(gp, 10)$packing, NA_real_)
  view <- gpstream:::plot_view(gp, NULL, NULL, NULL)
  at <- cbind(seq(min(x) - 2, max(x) + 2, length.out = 50))
  covered <- gpstream:::view_covered(view, at, gpstream:::gp_info(gp)$select)
  C <- kernel_matrix(kernel_se(1, 1), at, gp$points)
  expect_identical(covered, apply(C, 1, function(one) mean(sort(one, decreasing = TRUE)[1:2])) >= 0.6)
})

test_that("a row that waited counts by what it says, whatever the prior: every likelihood, a wide trend", {
  set.seed(1)
  x <- runif(40, 0, 10)
  for (likelihood in list(likelihood_exponential(), likelihood_weibull(), likelihood_poisson(), likelihood_heteroscedastic(), likelihood_bernoulli())) {
    y <- if (likelihood$name %in% c("poisson", "bernoulli")) rbinom(40, 1, 0.5) else rexp(40)
    for (size in c(1, 7, 12, 40)) {
      gp <- streaming_gp(likelihood = likelihood, kernel = kernel_se(1, 1), mean = "linear", optimize = "none", lookback = 20,
        select = select_oips(0.8, support = 2))
      stream(gp, x, y, size)
      expect_true(all(is.finite(coef(gp))))
      expect_lt(max(abs(as.matrix(predict(gp, x, type = "latent"))[, 1])), 10)
    }
  }
})
