# Start-up: rows are kept until the kernel is learned, then absorbed and dropped.

# A process with a known kernel, seen at random places; test rows along.
known_process <- function(n, D = 1, l = 0.5, noise = 0.01, seed = 1, kernel = kernel_se) {
  set.seed(seed)
  x <- matrix(runif((n + 100) * D, 0, 3), ncol = D)
  f <- drop(crossprod(chol(kernel_matrix(kernel(l, 1), x) + diag(1e-8, n + 100)), rnorm(n + 100)))
  y <- 2 + f + rnorm(n + 100, sd = sqrt(noise))
  rows <- seq_len(n)
  list(x = x[rows, , drop = FALSE], y = y[rows], at = x[-rows, , drop = FALSE], y_at = y[-rows])
}

# A model that learns once.
warming <- function(..., kernel = kernel_se(), mean = "constant", optimize = "warmup") {
  streaming_gp(..., kernel = kernel, mean = mean, optimize = optimize)
}

log_score <- function(gp, x, y) {
  p <- predict(gp, x, se.fit = TRUE)
  mean(dnorm(y, p$fit, sqrt(p$se.fit^2 + gp$noise), log = TRUE))
}

test_that("until `warmup` rows have come all are kept; then the look-back is the user's, and nothing is lost on the way", {
  d <- known_process(260)
  gp <- warming(lookback = 30)
  seen <- 0
  for (size in c(1, 1, 7, 40, 100, 50, 1, 60)) {
    rows <- seen + seq_len(size)
    gp$update(d$x[rows, , drop = FALSE], d$y[rows])
    seen <- seen + size
    expect_equal(gp$nobs, seen)
    expect_equal(as.list(gp)$core$seen, seen)
    kept <- as.list(gp)$core$window_x
    expect_equal(nrow(kept), if (seen < 200) seen else 30)
    expect_close(kept, d$x[seq(to = seen, length.out = nrow(kept)), ], 1e-14)
    expect_equal(tail(gp$history$nobs, 1), seen)
  }
  expect_equal(gp$history$rows, c(1, 1, 7, 40, 100, 50, 1, 60))
  expect_equal(as.list(gp)$core$lookback, 30)
})

test_that("the model after warm-up does not depend on the batches in which its rows came", {
  d <- known_process(200, 2)
  models <- lapply(c(1, 30, 200), function(size) stream(warming(), d$x, d$y, size))
  for (gp in models[-1]) {
    expect_equal(gp$points, models[[1]]$points)
    expect_close(coef(gp), coef(models[[1]]), 1e-5)
    expect_close(predict(gp, d$at), predict(models[[1]], d$at), 1e-5)
  }
})

test_that("what is learned is the truth, nearly, and predicts far better than the heuristics", {
  for (D in 1:2) for (make in list(kernel_se, kernel_matern52)) {
    d <- known_process(600, D, l = 0.4 * D, seed = 10 + D, kernel = make)
    learned <- stream(warming(kernel = make()), d$x, d$y, 50)
    fixed <- stream(warming(kernel = make(), optimize = "none"), d$x, d$y, 50)
    truth <- warming(kernel = make(0.4 * D, 1), noise = 0.01, mean = 2, select = select_oips(0.98), optimize = "none")
    truth <- stream(truth, d$x, d$y, 50)
    best <- log_score(truth, d$at, d$y_at)
    expect_gt(log_score(learned, d$at, d$y_at), best - 0.1)
    expect_gt(log_score(learned, d$at, d$y_at), log_score(fixed, d$at, d$y_at) + 0.2)
    expect_lt(abs(log(learned$noise / 0.01)), 0.25)
    expect_lt(abs(log(learned$kernel$lengthscale / (0.4 * D))), 0.4)
  }
})

test_that("while it warms up the model predicts from what it has, better than from the heuristics", {
  scores <- vapply(1:10, function(seed) {
    d <- known_process(60, l = 0.3, seed = seed)
    c(log_score(warming()$update(d$x, d$y), d$at, d$y_at), log_score(warming(optimize = "none")$update(d$x, d$y), d$at, d$y_at))
  }, c(0, 0))
  expect_gt(mean(scores[1, ] - scores[2, ]), 0.5)
})

test_that("what is given stays as given, and what is not is learned", {
  d <- known_process(300, seed = 4)
  learn <- function(...) stream(warming(...), d$x, d$y, 60)
  expect_identical(learn(noise = 0.5)$noise, 0.5)
  expect_identical(learn(mean = 7)$mean, 7)
  expect_identical(learn(mean = "zero")$mean, 0)
  expect_identical(learn(kernel = kernel_se(variance = 3))$kernel$variance, 3)
  expect_identical(learn(kernel = kernel_se(0.123))$kernel$lengthscale, 0.123)
  expect_equal(learn(kernel = kernel_se(0.5))$noise, 0.01, tolerance = 0.2)
  expect_equal(learn(kernel = kernel_se(0.5), noise = 0.01)$kernel$variance, 1, tolerance = 0.6)
  both <- learn(kernel = kernel_se(0.5, 2) + kernel_matern12())$kernel
  expect_identical(c(both$parts[[1]]$lengthscale, both$parts[[1]]$variance), c(0.5, 2))
  rq <- learn(kernel = kernel_rq(alpha = NULL))$kernel
  expect_true(rq$alpha > 0 && rq$alpha != 1)
  expect_identical(learn(kernel = kernel_rq(alpha = 2))$kernel$alpha, 2)
  product <- learn(kernel = kernel_se() * kernel_matern32())$kernel
  expect_identical(product$parts[[2]]$variance, 1)
  # rho, too
  rule <- function(select) gpstream:::core_gp_info(learn(select = select)$state$handle)$select
  expect_identical(rule(select_oips(0.8))$rho, 0.8)
  expect_identical(rule(select_oips(max_points = 77))[c("name", "max_points")], list(name = "noise", max_points = 77))
  everything <- warming(kernel = kernel_se(1, 1), noise = 0.1, mean = 0, select = select_oips(0.8))
  fixed <- warming(kernel = kernel_se(1, 1), noise = 0.1, mean = 0, select = select_oips(0.8), optimize = "none")
  but_learning <- function(gp) replace(as.list(stream(gp, d$x, d$y, 40))$core, "learning", NULL)
  expect_identical(but_learning(everything), but_learning(fixed))
})

test_that("one lengthscale per column is learned: a column that does nothing gets a long one", {
  set.seed(8)
  x <- matrix(runif(600), ncol = 3)
  gp <- warming(kernel = kernel_se("ard"))$update(x, sin(6 * x[, 1]) + x[, 2] + rnorm(200, sd = 0.05))
  l <- gp$kernel$lengthscale
  expect_gt(l[3], 4 * l[1])
  expect_gt(l[2], l[1])
  expect_named(coef(gp)[2:4], paste0("lengthscale.", 1:3))
})

test_that("scale alone needs no rows: nothing is kept beyond the look-back, and it is relearned as the evidence doubles", {
  d <- known_process(700, l = 0.5, seed = 6)
  gp <- warming(kernel = kernel_se(0.5), select = select_oips(0.95), lookback = 5)
  gp$update(d$x[1:20, , drop = FALSE], d$y[1:20] * 100) # a wrong beginning: noise far too large
  wrong <- gp$noise
  expect_equal(nrow(as.list(gp)$core$window_x), 5)
  for (rows in split(21:700, ceiling(21:700 / 20))) gp$update(d$x[rows, , drop = FALSE], 100 * d$y[rows])
  expect_lt(abs(log(gp$noise / 100)), 0.25)
  expect_equal(as.list(gp)$core$learning[5], 640)
})

test_that("poor data: constant, duplicated, huge, tiny, single rows, fewer than `warmup`", {
  set.seed(3)
  x <- runif(250, 0, 5)
  y <- sin(2 * x) + rnorm(250, sd = 0.1)
  finite <- function(gp, at = 1:3) expect_true(all(is.finite(unlist(predict(gp, at, se.fit = TRUE)))))
  finite(stream(warming(), x, rep(4, 250), 1))
  suppressWarnings(finite(stream(warming(), rep(2, 250), y, 25)))
  finite(stream(warming(), rep(c(1, 2), 125), y, 25))
  finite(stream(warming(), rep(x[1:5], 50), rep(y[1:5], 50), 25))
  suppressWarnings(finite(stream(warming(), cbind(x, 3), y, 25), cbind(1:3, 3)))
  finite(warming(warmup = 1000)$update(x, y))
  finite(warming(warmup = 10)$update(x[1:12], y[1:12]))
  ordinary <- stream(warming(), x, y, 25)
  for (scale in c(1e6, 1e-6)) {
    gp <- stream(warming(), x, y * scale, 25)
    expect_close(predict(gp, 1:3) / scale, predict(ordinary, 1:3), 1e-3)
    expect_close(gp$noise / scale^2, ordinary$noise, 1e-2)
  }
})

test_that("in the middle of the warm-up: copies, saved and listed models go on alike, a bad batch or a caught warning changes nothing", {
  d <- known_process(300, 2)
  gp <- stream(warming(), d$x[1:120, ], d$y[1:120], 40)
  file <- tempfile()
  saveRDS(gp, file)
  twins <- list(gp$copy(), readRDS(file), streaming_gp_restore(as.list(gp)))
  expect_refused(gp, gp$update(cbind(1, NA), 1), "nonfinite", "NA")
  for (twin in twins) expect_identical(as.list(stream(twin, d$x[121:300, ], d$y[121:300], 45)), as.list(stream(gp$copy(), d$x[121:300, ], d$y[121:300], 45)))
  expect_refused(gp, gp$points <- d$x[1:4, ], "input", "warming up")
  few <- warming(select = select_oips(max_points = 3, when_full = "stop"))
  few$update(d$x[1:2, ], d$y[1:2])
  before <- as.list(few)
  caught <- tryCatch(few$update(d$x[3:90, ], d$y[3:90]), warning = identity)
  expect_s3_class(caught, "gpstream_warning_max_inducing")
  expect_identical(as.list(few), before)
  expect_warning(few$update(d$x[3:90, ], d$y[3:90]), class = "gpstream_warning_max_inducing")
  expect_warning(few$update(d$x[91:190, ], d$y[91:190]), NA) # once
})

test_that("a signal whose lengthscale is a hundredth of the range is found", {
  set.seed(1)
  x <- runif(600, 0, 300)
  gp <- stream(warming(), x, sin(x) + rnorm(600, sd = 0.1), 100)
  expect_lt(gp$kernel$lengthscale, 4)
  expect_lt(gp$noise, 0.05)
})

test_that("the kernel is learned at the tenth row; in a product, whichever variance is open is", {
  d <- known_process(40)
  gp <- stream(warming(), d$x[1:9, , drop = FALSE], d$y[1:9], 1)
  expect_output(print(gp), "9 of 200 rows, all kept\\n|9 of 200 rows, all kept$")
  expect_equal(as.list(gp$update(d$x[10, , drop = FALSE], d$y[10]))$core$learning[3], 10)
  product <- warming(kernel = kernel_se(variance = 2) * kernel_matern52())$update(d$x, 1000 * d$y)
  expect_gt(product$kernel$variance, 1e4)
  expect_true(2 %in% coef(product)[grepl("variance", names(coef(product)))])
})

test_that("a damaged `learning` in a saved state is an error", {
  state <- as.list(warming()$update(1:20, sin(1:20)))
  for (bad in list(1, list(), replace(state$core$learning, 3, NaN), rep("a", 6), NULL)) {
    spoilt <- state
    spoilt$core$learning <- bad
    expect_error(streaming_gp_restore(spoilt), "`learning`", class = "gpstream_error_corrupt")
  }
  older <- readRDS(test_path("fixtures", "format-4.rds"))$learned$state # where it stood beside the core
  for (bad in list(1, list(), list(warm = NA, fitted = 1, wait = 1, scaled = 1), list(warm = TRUE, fitted = "a", wait = 1, scaled = 1))) {
    expect_error(streaming_gp_restore(replace(older, "learning", list(bad))), "`learning`", class = "gpstream_error_corrupt")
  }
  older$learning <- NULL
  expect_error(streaming_gp_restore(older), "`learning`", class = "gpstream_error_corrupt")
})

test_that("learned beats the median heuristic in test log likelihood on all three toys", {
  for (name in c("A", "B", "C")) {
    gain <- vapply(1:6, function(seed) {
      toy <- toy_data(name, seed = seed)
      learned <- stream(warming(warmup = 50), toy$x, toy$y, 50)
      fixed <- stream(warming(optimize = "none"), toy$x, toy$y, 50)
      log_score(learned, toy$x_test, toy$y_test) - log_score(fixed, toy$x_test, toy$y_test)
    }, 0)
    expect_gt(mean(gain), 0)
  }
})

test_that("after learning, 95 % intervals hold what they say: 92 to 97 % over 60 streams", {
  skip_on_cran()
  inside <- vapply(1:60, function(seed) {
    d <- known_process(250, D = 1 + seed %% 2, l = c(0.3, 0.6)[1 + seed %% 2], noise = c(0.01, 0.1, 0.5)[1 + seed %% 3], seed = seed,
      kernel = list(kernel_se, kernel_matern52)[[1 + (seed %/% 2) %% 2]])
    gp <- stream(warming(kernel = list(kernel_se(), kernel_matern52())[[1 + (seed %/% 2) %% 2]]), d$x, d$y, 50)
    p <- predict(gp, d$at, interval = "prediction")
    mean(d$y_at >= p[, "lwr"] & d$y_at <= p[, "upr"])
  }, 0)
  expect_gt(mean(inside), 0.92)
  expect_lt(mean(inside), 0.97)
})
