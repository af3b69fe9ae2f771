# The batch bound as a function of log variance, log noise and mean, maximised over the data themselves.
direct_scale <- function(unit, Z, x, y, mean = NULL) {
  value <- function(p) {
    kernel <- unit
    kernel$variance <- exp(p[1])
    batch_posterior(kernel, Z, x, y - if (is.null(mean)) p[3] else mean, exp(p[2]), x[1:2, , drop = FALSE])$objective
  }
  start <- c(0, -2, if (is.null(mean)) mean(y))
  for (i in 1:3) start <- optim(start, value, method = "BFGS", control = list(fnscale = -1, reltol = 1e-16, ndeps = rep(1e-4, length(start)), maxit = 500))$par
  start
}

scale_of <- function(gp) c(log(gp$kernel$variance), log(gp$noise), gp$mean)

test_that("optimize() finds the maximum of the batch bound over variance, noise and mean [derivation 3]", {
  for (seed in 1:4) {
    data <- example_stream(150, D = 1 + seed %% 2, seed = seed)
    Z <- data$at[1:12, , drop = FALSE]
    unit <- kernel_matern52(1.2, 1)
    for (mean in list("constant", "zero")) {
      gp <- streaming_gp(optimize = "none", kernel = kernel_matern52(1.2, 7), noise = 3, select = select_fixed(Z), mean = mean)
      stream(gp, data$x, data$y + 3, 20)$optimize()
      best <- direct_scale(unit, gp$points, data$x, data$y + 3, if (mean == "zero") 0)
      expect_lt(max(abs(scale_of(gp)[seq_along(best)] - best)), 1e-6)
      expect_gte(gp$objective, batch_posterior(gp$kernel, gp$points, data$x, data$y + 3 - gp$mean, gp$noise, data$x[1:2, , drop = FALSE])$objective - 1e-8)
    }
  }
})

test_that("the maximum is a maximum: no neighbour is better, and a second call stays", {
  data <- example_stream(300, 2)
  gp <- stream(streaming_gp(optimize = "none", kernel = kernel_se(1, 1), noise = 1), data$x, data$y, 30)$optimize()
  top <- gp$objective
  best <- scale_of(gp)
  for (i in 1:3) for (step in c(-1e-3, 1e-3)) {
    p <- best
    p[i] <- p[i] + step
    other <- gp$copy()
    other$kernel <- kernel_se(1, exp(p[1]))
    other$noise <- exp(p[2])
    other$mean <- p[3]
    expect_lt(other$objective, top)
  }
  expect_lt(max(abs(scale_of(gp$optimize()) - best)), 1e-6)
})

test_that("noise guessed 100 times wrong is right after 500 rows, and the mean does not depend on the offset of y", {
  for (wrong in c(0.01, 100)) for (offset in c(0, 1e6)) {
    data <- example_stream(500, seed = 5)
    gp <- streaming_gp(optimize = "none", kernel = kernel_se(1), noise = 0.01 * wrong, select = select_oips(0.95))
    stream(gp, data$x, data$y + offset, 25)$optimize()
    expect_lt(abs(log(gp$noise / 0.01)), 3 * sqrt(2 / 500))
    expect_lt(sqrt(mean((predict(gp, data$x) - data$y - offset)^2)), 0.11)
  }
})

test_that("sums of kernels are scaled as a whole", {
  data <- example_stream(200)
  kernel <- kernel_se(1, 2) + kernel_matern12(0.5, 1)
  gp <- stream(streaming_gp(optimize = "none", kernel = kernel, noise = 0.5), data$x, data$y, 20)$optimize()
  parts <- vapply(gp$kernel$parts, `[[`, 1, "variance")
  expect_close(parts[1] / parts[2], 2, 1e-12)
  expect_close(sum(parts), gp$kernel$variance, 1e-12)
})

test_that("where there is nothing to learn from, an error says so and the model stays", {
  expect_error(streaming_gp(optimize = "none")$optimize(), "no data", class = "gpstream_error_input")
  gp <- streaming_gp(optimize = "none", kernel = kernel_se(1, 1), noise = 0.1)
  gp$update(1:5, rep(2, 5))
  before <- as.list(gp)
  expect_error(gp$optimize(), "all equal the mean", class = "gpstream_error_input")
  expect_error(gp$optimize(what = "everything"), "`what`", class = "gpstream_error_parameter")
  expect_identical(as.list(gp), before)
})

test_that("many rows and hardly any noise: the rounding of the evidence does not win the search", {
  set.seed(5)
  x <- runif(2e5)
  y <- sin(6 * x) + 1e-6 * rnorm(2e5)
  gp <- streaming_gp(optimize = "none", kernel = kernel_se(1, 1), noise = 0.01, select = select_fixed(seq(0, 1, length.out = 12)))
  before <- gp$update(x, y)$objective
  expect_warning(gp$optimize(), "no noise", class = "gpstream_warning_convergence")
  expect_gt(gp$objective, before)
  expect_gt(gp$kernel$variance, 0.01)
  expect_lt(max(abs(predict(gp, x[1:100]) - sin(6 * x[1:100]))), 1e-3)
})

test_that("an end of the range is said, and an assigned mean stays", {
  set.seed(6)
  noise <- streaming_gp(optimize = "none", kernel = kernel_se(1e-3, 1), noise = 1, select = select_fixed(0:3))
  noise$update(rep(c(10, 20), 50), rnorm(100))
  expect_warning(noise$optimize(), "no signal", class = "gpstream_warning_convergence")
  data <- example_stream(100)
  gp <- stream(streaming_gp(optimize = "none", kernel = kernel_se(1, 1), noise = 1), data$x, data$y, 10)
  gp$mean <- 5
  expect_identical(gp$optimize()$mean, 5)
})

test_that("kernel: learned on a batch and the old evidence, the bound rises and predictions improve", {
  for (make in kernel_constructors) {
    data <- example_stream(300, seed = 9)
    gp <- streaming_gp(kernel = make(0.1, 0.1), noise = 0.3, mean = 0, select = select_oips(0.7), lookback = 20, optimize = "none")
    gp$update(data$x[1:200, ], data$y[1:200])
    batch <- list(data$x[201:300, ], data$y[201:300])
    before <- gp$copy()
    gp$optimize(batch[[1]], batch[[2]], what = "kernel")
    expect_equal(gp$nobs, 200) # judged by, not absorbed
    bound <- function(gp) gp$objective + gp$bound(batch[[1]], batch[[2]])$bound
    expect_gt(bound(gp), bound(before) + 10)
    expect_gt(gp$kernel$lengthscale, 0.2)
    truth <- sin(2 * data$at[, 1]) + 0.5 * data$at[, 1]
    off <- function(gp) sqrt(mean((predict(gp$copy()$update(batch[[1]], batch[[2]]), data$at) - truth)^2))
    expect_lt(off(gp), off(before))
  }
})

test_that("kernel, without a batch: the rows still in the look-back and the evidence of the others", {
  data <- example_stream(300, seed = 9)
  gp <- streaming_gp(kernel = kernel_se(0.3, 1), noise = 0.05, lookback = Inf, select = select_oips(0.9), optimize = "none")
  gp$update(data$x, data$y)
  before <- gp$objective
  all_three <- gp$copy()$optimize(what = c("scale", "kernel", "points"))
  expect_false(identical(all_three$points, gp$points))
  gp$optimize(what = c("kernel", "scale"))
  expect_gt(gp$objective, before)
  # the maximum: no other lengthscale is better with the same points
  Z <- gp$points
  best <- function(l) {
    other <- streaming_gp(kernel = kernel_se(l, 1), noise = 0.05, select = select_fixed(Z), optimize = "none")
    other$update(data$x, data$y)$optimize()$objective
  }
  expect_gt(gp$objective, max(best(gp$kernel$lengthscale * 1.05), best(gp$kernel$lengthscale / 1.05)) - 0.05)
})

test_that("points: they move, the bound rises, and a model that cannot gain stays as it was", {
  data <- example_stream(200, seed = 11)
  gp <- streaming_gp(kernel = kernel_se(0.5, 1), noise = 0.01, mean = 1, select = select_fixed(c(0.1, 0.3, 0.5, 0.7, 2.9)), lookback = 0, optimize = "none")
  gp$update(data$x[1:20, ], data$y[1:20])
  before <- gp$bound(data$x[21:200, ], data$y[21:200])$bound + gp$objective
  gp$optimize(data$x[21:200, ], data$y[21:200], what = "points")
  after <- gp$bound(data$x[21:200, ], data$y[21:200])$bound + gp$objective
  expect_gt(after, before + 10)
  expect_equal(gp$size, 5)
  expect_true(all(gp$points >= -0.2 & gp$points <= 3.2))
  settled <- streaming_gp(kernel = kernel_se(0.5, 1), noise = 0.01, mean = 1, select = select_fixed(0.5), lookback = 0, optimize = "none")
  suppressWarnings(settled$update(rep(0.5, 30), rnorm(30)))
  state <- as.list(settled)
  settled$optimize(what = "points")
  expect_identical(as.list(settled), state)
})

test_that("select_*(optimize_points = TRUE): the points of every batch move to where the bound is higher", {
  data <- example_stream(200, seed = 12)
  fit <- function(...) {
    gp <- streaming_gp(kernel = kernel_se(0.5, 1), noise = 0.01, mean = 1, select = select_oips(0.5, ...), lookback = 0, optimize = "none")
    stream(gp, data$x, data$y, 50)
  }
  plain <- fit()
  moved <- fit(optimize_points = TRUE)
  expect_gt(moved$objective, plain$objective)
  expect_false(any(moved$points %in% data$x))
  expect_output(print(moved), "optimised")
  learning <- stream(streaming_gp(select = select_kmeans(6, optimize_points = TRUE), warmup = 100), data$x, data$y, 50)
  expect_equal(learning$size, 6)
  expect_lt(sqrt(mean((predict(learning, data$x) - data$y)^2)), 0.15)
})
