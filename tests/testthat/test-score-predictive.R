# Scores against their definitions: numerical integration and simulation.

score_predictive <- gpstream:::score_predictive

score_normal <- function(y, mean, sd, level = 0.95) {
  score_predictive(y, gpstream:::predictive_normal(rep_len(mean, length(y)), sd), level)
}

score_batch <- function(gp, batch, level = 0.95) {
  y <- if (is.null(batch$data)) batch$y else gpstream:::formula_output(formula(gp), batch$data, likelihood_gaussian())$y
  score_predictive(ifelse(is.finite(y), y, NA), gpstream:::predict_batch(gp, batch), level)
}

test_that("the CRPS is the integral of the squared distance between the distribution and the step at y", {
  crps <- function(y, mean, sd) {
    below <- integrate(function(t) pnorm(t, mean, sd)^2, -Inf, y, rel.tol = 1e-10)$value
    below + integrate(function(t) pnorm(t, mean, sd, lower.tail = FALSE)^2, y, Inf, rel.tol = 1e-10)$value
  }
  cases <- expand.grid(y = c(-2, 0, 0.3, 4), mean = c(0, 1.5), sd = c(0.2, 1, 7))
  expected <- mapply(crps, cases$y, cases$mean, cases$sd)
  expect_close(score_normal(cases$y, cases$mean, cases$sd)$crps, expected, 1e-7)
})

test_that("the CRPS is E|X - y| - E|X - X'| / 2", {
  set.seed(1)
  x <- rnorm(2e5, 1, 2)
  simulated <- mean(abs(x - 0.4)) - mean(abs(x - rnorm(2e5, 1, 2))) / 2
  expect_lt(abs(score_normal(0.4, 1, 2)$crps - simulated), 0.03)
})

test_that("the CRPS far out is the distance, less the spread's share, without cancellation", {
  y <- c(1e3, -1e8, 1e300)
  expect_equal(score_normal(y, 0, 1)$crps, abs(y) - 1 / sqrt(pi), tolerance = 1e-14)
  expect_equal(score_normal(c(2, 0), 0, 0)$crps, c(2, 0))
})

test_that("log score, interval and PIT are those of the normal distribution", {
  y <- c(-1, 0, 2, 9)
  scores <- score_normal(y, 1, 2, 0.8)
  expect_equal(scores$log_score, dnorm(y, 1, 2, log = TRUE))
  expect_equal(scores$pit, pnorm(y, 1, 2))
  expect_equal(scores$width, rep(diff(qnorm(c(0.1, 0.9), 1, 2)), 4))
  expect_identical(scores$covered, y > qnorm(0.1, 1, 2) & y < qnorm(0.9, 1, 2))
  expect_equal(scores$error, y - 1)
})

test_that("without spread: right is infinitely good, wrong infinitely bad", {
  scores <- score_normal(c(1, 2), 1, 0)
  expect_identical(scores$log_score, c(Inf, -Inf))
  expect_identical(scores$covered, c(TRUE, FALSE))
})

test_that("averaged over what it predicts, the right distribution scores best", {
  y <- qnorm(ppoints(2000), 3, 2)
  means <- function(mean, sd) colMeans(as.data.frame(score_normal(y, mean, sd)[c("log_score", "crps")]))
  best <- means(3, 2)
  for (other in list(c(2.9, 2), c(3.1, 2), c(3, 1.9), c(3, 2.1))) {
    expect_lt(means(other[1], other[2])[["log_score"]], best[["log_score"]])
    expect_gt(means(other[1], other[2])[["crps"]], best[["crps"]])
  }
})

test_that("sums of batches are the sums of all rows, means are means, and rows with something missing do not count", {
  y <- c(1, NA, 3, 4, 5, 6)
  mean <- c(1.5, 2, NA, 4.5, 4, 7)
  all <- gpstream:::score_sums(score_normal(y, mean, 0.7))
  parts <- lapply(list(1:2, 3:4, 5:6), function(i) gpstream:::score_sums(score_normal(y[i], mean[i], 0.7)))
  expect_equal(Reduce(`+`, parts), all)
  means <- gpstream:::score_means(rbind(all))
  kept <- c(1, 4, 5, 6)
  expect_equal(means$scored, 4)
  expect_equal(means$rmse, sqrt(mean((y - mean)[kept]^2)))
  expect_equal(means$mae, mean(abs(y - mean)[kept]))
  expect_equal(means$log_score, mean(dnorm(y, mean, 0.7, log = TRUE)[kept]))
  nothing <- gpstream:::score_means(rbind(gpstream:::score_sums(score_normal(NA_real_, 1, 1))))
  expect_equal(nothing$scored, 0)
  expect_true(all(is.na(nothing[-1])))
})

test_that("without a standard deviation only the error is known", {
  means <- gpstream:::score_means(rbind(gpstream:::score_sums(score_normal(c(1, 2), 0, NA_real_))))
  expect_equal(means$mae, 1.5)
  expect_true(all(is.na(means[c("log_score", "crps", "coverage", "width")])))
})

test_that("PIT values are counted in 20 bins, the ends included", {
  expect_identical(gpstream:::bin_pit(c(0, 0.01, 0.05, 0.999, 1, NA)), c(2L, 1L, rep(0L, 17), 2L))
})

test_that("a batch is scored with the prediction and the noise, from either kind of batch, before and after the first", {
  gp <- toy_gp(40)
  new <- toy(10, from = 41)
  p <- predict(gp, new$x, se.fit = TRUE)
  sd <- sqrt(p$se.fit^2 + p$residual.scale^2)
  expect_equal(score_batch(gp, new, 0.9), score_normal(new$y, p$fit, sd, 0.9))
  frame <- data.frame(y = exp(new$y), a = new$x[, 1])
  model <- streaming_gp(log(y) ~ a, kernel = kernel_se(1, 1), noise = 0.01, mean = 0, optimize = "none")
  before <- score_batch(model, list(data = frame))
  expect_equal(before$log_score, dnorm(new$y, 0, sqrt(1.01), log = TRUE))
  model$update(data.frame(y = exp(toy(40)$y), a = toy(40)$x[, 1]))
  expect_equal(score_batch(model, list(data = frame), 0.9), score_normal(new$y, unname(p$fit), unname(sd), 0.9))
  expect_equal(score_batch(toy_gp(0), new)$log_score, dnorm(new$y, 0, sqrt(1.01), log = TRUE))
})

test_that("a row with something missing or infinite is not scored, and does not disturb the others", {
  gp <- toy_gp(40)
  new <- toy(6, from = 41)
  holes <- new
  holes$x[2] <- NA
  holes$x[3] <- Inf
  holes$y[5] <- NA
  holes$y[6] <- -Inf
  whole <- score_batch(gp, new)
  some <- score_batch(gp, holes)
  expect_identical(which(!is.na(some$error)), c(1L, 4L))
  expect_equal(some$crps[c(1, 4)], whole$crps[c(1, 4)], tolerance = 1e-12)
})
