# The log density of the outputs under the model's kernel, noise and mean, and the variational bound at the model's own posterior, both
# from the data.
log_evidence <- function(gp, x, y) exact_gp(gp$kernel, x, y - gp$mean, gp$noise, x[1, , drop = FALSE])$evidence

bound_of_posterior <- function(gp, x, y) {
  p <- predict(gp, x, se.fit = TRUE)
  K <- kernel_matrix(gp$kernel, gp$points)
  u <- gp$posterior
  m <- u$mean - gp$mean
  kl <- (sum(diag(solve(K, u$cov))) + sum(m * solve(K, m)) - length(m) + sum(log(eigen(K, TRUE, TRUE)$values)) - sum(log(eigen(u$cov, TRUE, TRUE)$values))) / 2
  -kl - length(y) / 2 * log(2 * pi * gp$noise) - sum((y - p$fit)^2 + p$se.fit^2) / (2 * gp$noise)
}

dense_trace <- function(gp, x) {
  W <- forwardsolve(t(chol(kernel_matrix(gp$kernel, gp$points))), kernel_matrix(gp$kernel, gp$points, x))
  nrow(x) * gp$kernel$variance - sum(W^2)
}

expect_bracket <- function(gp, x, y, tolerance = 1e-8) {
  sure <- gp$certificate()
  if (sure$removed > 0) {
    testthat::expect_identical(c(sure$lower, sure$upper, sure$kl, sure$trace, sure$trace_bound), rep(NA_real_, 5))
    return(invisible(sure))
  }
  if (sure$rows < sure$nobs) return(invisible(sure)) # some are set aside
  values <- c(sure$lower, bound_of_posterior(gp, x, y), log_evidence(gp, x, y), sure$upper)
  slack <- tolerance * (1 + max(abs(values[1:3])))
  testthat::expect(all(diff(values) >= -slack), paste("not in order:", paste(format(values, digits = 10), collapse = ", ")))
  invisible(sure)
}

# A problem of every kind, by number.
problem <- function(i) {
  set.seed(i)
  D <- 1 + i %% 3
  n <- c(30, 80)[1 + i %% 2]
  x <- matrix(runif(n * D, 0, 3), n)
  if (i %% 5 < 2) x <- x[order(x[, 1]), , drop = FALSE]
  kernel <- list(kernel_se, kernel_matern12, kernel_matern32, kernel_matern52, kernel_rq)[[1 + i %% 5]](runif(1, 0.4, 1.5), 10^runif(1, -1, 1))
  if (i %% 7 == 0) kernel <- kernel + kernel_matern32(0.5, 0.1)
  noise <- kernel$variance * 10^runif(1, -4, 0)
  y <- 2 + if (i %% 4 > 0) drop(crossprod(chol(kernel_matrix(kernel, x) + diag(noise, n)), rnorm(n))) else rnorm(n)
  select <- list(select_oips(runif(1, 0.3, 0.97)), select_oips(0.9, max_points = 6, when_full = c("replace", "stop")[1 + i %% 8 %/% 4]), select_variance(0.1), select_grid(2^D + 5), select_fixed(x[1:5, , drop = FALSE]))
  gp <- streaming_gp(kernel = kernel, noise = noise, mean = 2, select = select[[1 + i %% 4 + (i %% 12 == 3)]],
    lookback = c(0, 12, Inf)[1 + (i %/% 2) %% 3], optimize = "none")
  suppressWarnings(stream(gp, x, y, c(1, 7, n)[1 + (i %/% 3) %% 3]))
  list(gp = gp, x = x, y = y)
}

test_that("[derivation 10] lower <= the bound of the streamed posterior <= log evidence <= upper, whatever the stream", {
  for (i in 1:80) {
    p <- problem(i)
    expect_bracket(p$gp, p$x, p$y)
    sure <- p$gp$certificate()
    if (!is.na(sure$trace_bound)) expect_lte(sure$trace, sure$trace_bound + 1e-10 * length(p$y) * sure$variance)
    if (sure$removed == 0) expect_identical(sure$rows, length(p$y) - p$gp$set_aside)
    if (sure$removed == 0 && p$gp$set_aside == 0) expect_gte(sure$trace, dense_trace(p$gp, p$x) - 1e-8 * length(p$y) * sure$variance)
  }
})

test_that("a model that was made anew from its memory: the certificate is about the rows it holds", {
  set.seed(3)
  x <- matrix(runif(900, 0, 10))
  y <- sin(x[, 1]) + rnorm(900, sd = 0.1) + 100 * (seq_len(900) <= 200)
  gp <- streaming_gp(mean = "zero", select = select_oips(0.9), calibrate = FALSE)
  gp$update(x, y)
  sure <- gp$certificate()
  expect_identical(sure$nobs, 900)
  held <- gp$restarts$origin + seq_len(sure$rows)
  expect_identical(max(held), 900) # those before are forgotten
  expect_gt(min(held), 1)
  expect_bracket(gp, x[held, , drop = FALSE], y[held])
  expect_lte(sure$trace, sure$trace_bound)
  expect_lte(sure$trace_bound, gp$kernel$variance * sure$rows * (1 - 0.9^2))
  expect_output(print(sure), paste("the model holds", sure$rows, "rows"), fixed = TRUE)
  gp$update(x[1:20, , drop = FALSE], y[501:520]) # ends no block
  expect_identical(gp$certificate()$rows, sure$rows + 20)
})

test_that("it still holds when points were moved, removed or put in, and when noise, variance and mean were relearned", {
  for (i in 1:40) {
    p <- problem(i)
    half <- p$gp$points
    keep <- seq_len(max(1, nrow(half) - 2))
    p$gp$points <- switch(1 + i %% 3, half + 0.03 * rnorm(length(half)), half[keep, , drop = FALSE], rbind(half, half[1, ] + 0.7))
    more <- p$x[1:10, , drop = FALSE] + 0.1
    y <- rnorm(10) + 2
    suppressWarnings(p$gp$update(more, y))
    if (i %% 2 == 0) suppressWarnings(p$gp$optimize())
    sure <- expect_bracket(p$gp, rbind(p$x, more), c(p$y, y))
    expect_gt(sure$moves, 0)
    expect_identical(sure$trace_bound, NA_real_)
  }
})

test_that("[Titsias09, Titsias 2014] with fixed points, or every row at hand, the two ends are the batch bounds themselves", {
  data <- toy(60, 2)
  fixed <- toy_gp(0, 2, select = select_fixed(data$x[c(3, 14, 25, 40), ]), lookback = 0)
  every <- toy_gp(0, 2, select = select_oips(0.5), lookback = Inf)
  for (gp in list(fixed, every)) {
    stream(gp, data$x, data$y, 8)
    sure <- gp$certificate()
    t <- dense_trace(gp, data$x)
    Q <- kernel_matrix(gp$kernel, data$x, gp$points) %*% solve(kernel_matrix(gp$kernel, gp$points), kernel_matrix(gp$kernel, gp$points, data$x))
    log_det <- as.numeric(determinant(Q + diag(gp$noise, 60))$modulus)
    upper <- -30 * log(2 * pi) - log_det / 2 - sum(data$y * solve(Q + diag(gp$noise + t, 60), data$y)) / 2
    expect_close(sure$trace, t, 1e-8)
    expect_equal(sure$early, 0)
    expect_close(sure$lower, batch_posterior(gp$kernel, gp$points, data$x, data$y, gp$noise, data$x)$objective, 1e-8)
    expect_close(sure$lower, gp$objective, 1e-8)
    expect_close(sure$upper, upper, 1e-8)
  }
})

test_that("the stream of the fixtures: trace by level, both ends", {
  golden <- jsonlite::read_json(test_path("fixtures", "golden.json"), simplifyVector = TRUE)$gaussian_stream
  gp <- streaming_gp(kernel = kernel_se(golden$l, golden$v), noise = golden$sigma2, mean = 0, select = select_oips(golden$rho), lookback = 0, optimize = "none")
  stream(gp, golden$x, golden$y, golden$batch)
  sure <- gp$certificate()
  expect_close(sure$trace, golden$tau, 1e-12)
  expect_close(sure$early, sum(unlist(golden$levels[c("2", "4")])), 1e-12)
  expect_close(sure$lower, golden$certified_lower, 1e-9)
  expect_close(sure$upper, golden$certified_upper, 1e-9)
})

test_that("trace is the exact error of the Nystrom approximation where Z and the kernel did not change", {
  for (kernel in list(kernel_se(1.5, 2), kernel_matern32(c(1, 3), 0.5))) {
    data <- toy(300, 2)
    gp <- streaming_gp(kernel = kernel, noise = 0.1, mean = 0, select = select_fixed(data$x[seq(1, 300, by = 12), ]), optimize = "none")
    stream(gp, data$x, data$y, 37)
    expect_close(gp$certificate()$trace, nystrom_error(kernel, data$x, gp$points), 1e-8)
    whole <- streaming_gp(kernel = kernel, noise = 0.1, mean = 0, select = select_oips(0.7), optimize = "none")
    whole$update(data$x, data$y)
    expect_close(whole$certificate()$trace, nystrom_error(kernel, data$x, whole$points), 1e-8)
  }
})

test_that("single predictions are within what is promised, and the promise implies that of Burt et al. where theirs holds", {
  at <- seq(-1, 11, length.out = 50)
  told <- 0
  for (rho in c(0.95, 0.98, 0.99, 0.995)) {
    for (noise in c(1, 0.1, 0.01)) {
      data <- toy(80)
      gp <- streaming_gp(kernel = kernel_matern52(4, 1), noise = noise, mean = 0, select = select_oips(rho), lookback = Inf, optimize = "none")
      gp$update(data$x, data$y)
      sure <- gp$certificate()
      exact <- exact_gp(gp$kernel, data$x, data$y, noise, matrix(at))
      ours <- predict(gp, at, se.fit = TRUE)
      expect_lte(max(abs(ours$fit - exact$mean) / ours$se.fit), sure$mean_error + 1e-6)
      ratio <- ours$se.fit / sqrt(exact$var)
      expect_true(all(ratio >= sure$sd_ratio[1] - 1e-6 & ratio <= sure$sd_ratio[2] + 1e-6))
      if (sure$gamma <= 0.2) {
        told <- told + 1
        expect_true(all(abs(1 - sure$sd_ratio^2) <= sqrt(3 * sure$gamma) + 1e-9))
      }
    }
  }
  expect_gt(told, 3)
  # the largest error in standard errors of the model, by a search over the ratio of variances
  for (gamma in c(0.01, 0.2, 1.5)) {
    worst <- optimize(function(x) (gamma - x + 1 + log(x)) / x, c(exp(-2 * gamma), 1), maximum = TRUE, tol = 1e-10)$objective
    expect_close(gpstream:::single_predictions(gamma)$mean_error, sqrt(worst), 1e-6)
  }
  for (gamma in 10^(-20:30)) {
    ratio <- gpstream:::single_predictions(gamma)$sd_ratio
    expect_true(ratio[1] <= 1 && ratio[2] >= 1 && ratio[2] < Inf)
  }
})

test_that("over outputs drawn from the model the divergence is on average what is promised", {
  set.seed(5)
  x <- matrix(runif(60, 0, 3))
  kernel <- kernel_se(1, 2)
  half <- chol(kernel_matrix(kernel, x) + diag(0.3, 60))
  seen <- replicate(100, {
    y <- drop(crossprod(half, rnorm(60)))
    gp <- streaming_gp(kernel = kernel, noise = 0.3, mean = 0, select = select_oips(0.8), lookback = Inf, optimize = "none")$update(x, y)
    c(log_evidence(gp, x, y) - bound_of_posterior(gp, x, y), gp$certificate()$kl_expected, gp$certificate()$kl)
  })
  expect_lt(mean(seen[1, ]) + 4 * sd(seen[1, ]) / 10, seen[2, 1])
  expect_gt(mean(seen[1, ]), seen[2, 1] / 2 - 4 * sd(seen[1, ]) / 10) # at least half of it
  expect_true(all(seen[1, ] <= seen[3, ]))
})

test_that("another kernel voids what is about rows that are gone, and nothing else", {
  data <- toy(60, 2)
  gp <- toy_gp(0, 2, lookback = 20)
  stream(gp, data$x, data$y, 10)
  gp$kernel <- kernel_se(1, 3) # the variance only
  expect_bracket(gp, data$x, data$y)
  kept <- toy_gp(0, 2, lookback = Inf)
  stream(kept, data$x, data$y, 10)
  kept$kernel <- kernel_matern52(2, 1)
  sure <- expect_bracket(kept, data$x, data$y)
  expect_close(sure$lower, kept$objective, 1e-8)
  gp$kernel <- kernel_matern52(2, 1)
  sure <- gp$certificate()
  expect_identical(c(sure$lower, sure$upper, sure$kl, sure$mean_error, sure$kl_expected, sure$trace_bound), rep(NA_real_, 6))
  expect_equal(sure$foreign, 40)
  W <- forwardsolve(t(chol(kernel_matrix(gp$kernel, gp$points))), kernel_matrix(gp$kernel, gp$points, data$x[41:60, ]))
  expect_close(sure$trace, 20 - sum(W^2), 1e-8)
})

test_that("reading a certificate changes nothing, and a saved model has the same", {
  gp <- toy_gp(60, 2, lookback = 10)
  gp$objective # the posterior is factored when it is first read
  before <- as.list(gp)
  sure <- gp$certificate()
  expect_identical(as.list(gp), before)
  file <- tempfile()
  saveRDS(gp, file)
  expect_identical(readRDS(file)$certificate(), sure)
})

test_that("the condition number is right where the smallest eigenvalue is lost in rounding of the matrix", {
  gp <- toy_gp(0, select = select_fixed(seq(0, 10, by = 0.5)), kernel = kernel_se(1.7, 1))
  gp$update(1, 1)
  values <- svd(chol(kernel_matrix(gp$kernel, gp$points)))$d^2
  expect_close(log(gp$certificate()$condition), log(max(values) / min(values)), 1e-3)
})

test_that("a certificate in words", {
  before <- toy_gp(0)
  plain <- toy_gp(60)
  early <- stream(toy_gp(0, select = select_oips(0.6), lookback = 0), toy(60)$x, toy(60)$y, 1)
  close <- streaming_gp(kernel = kernel_se(8, 1), noise = 0.1, mean = 0, select = select_oips(0.99), lookback = Inf, optimize = "none")
  close$update(toy(60)$x, toy(60)$y)
  full <- suppressWarnings(toy_gp(60, select = select_oips(0.9, max_points = 5, when_full = "stop")))
  moved <- toy_gp(150, lookback = 0)
  moved$points <- moved$points[-(1:3), , drop = FALSE]
  changed <- toy_gp(150)
  changed$kernel <- kernel_se(2, 1)
  shown <- printed_by(
    before$certificate(), plain$certificate(), early$certificate(), close$certificate(), full$certificate(), moved$certificate(),
    changed$certificate(), summary(changed)
  )
  expect_snapshot(writeLines(shown))
})

test_that("[derivation 10] a stream on which each term for early rows in the upper end is needed", {
  # many rows far from the first point, before and after a point joins beside them
  x <- cbind(c(0, rep(0.6, 25), 0.62, rep(0.6, 25)))
  for (height in c(0, 1, 10)) {
    gp <- streaming_gp(kernel = kernel_se(1, 1), noise = 0.01, mean = 0, select = select_oips(0.69), lookback = 0, optimize = "none")
    y <- height * exp(-drop(x - 0.6)^2)
    stream(gp, x, y, 1)
    expect_identical(gp$size, 2L)
    expect_bracket(gp, x, y)
  }
})

test_that("a mean far from where outputs are measured from costs digits, and these are allowed for", {
  set.seed(1)
  x <- matrix(runif(200, 0, 10))
  y <- sin(x[, 1]) + rnorm(200, sd = 0.1)
  model <- function(mean) streaming_gp(kernel = kernel_se(1, 1), noise = 0.01, mean = mean, select = select_oips(0.99), optimize = "none")
  for (far in c(1e3, 1e6, 1e8)) {
    from <- model(far)$update(x, y)
    from$mean <- 0
    to <- model(0)$update(x, y + far)
    to$mean <- far
    for (gp in list(from, to)) {
      sure <- gp$certificate()
      exact <- log_evidence(model(0)$update(x, y), x, y)
      expect_lt(sure$lower, exact + 1e-6)
      expect_gt(sure$upper, exact - 1e-6)
    }
  }
})

test_that("there is a number, however small the bracket and however large the outputs", {
  at <- function(v, y) streaming_gp(kernel = kernel_se(1, v), noise = 1, mean = 0, select = select_oips(0.999), optimize = "none")$update(seq(0, 20, 2.5), y)
  exact <- at(0.001, numeric(9))$certificate() # both ends are the same, to the last digit
  expect_gte(exact$kl, 0)
  expect_lt(exact$mean_error, 1e-5)
  x <- seq(0, 10, length.out = 50)
  for (noise in c(1e-140, 1)) {
    gp <- streaming_gp(kernel = kernel_se(1, 1), noise = noise, mean = 0, lookback = 0, optimize = "none")
    for (i in 1:5) gp$update(x + i / 100, 1e100 * sin(x))
    sure <- gp$certificate()
    expect_identical(c(sure$mean_error, sure$gamma > 1e100), c(Inf, 1))
    expect_output(print(sure), "too far to promise")
    expect_output(print(summary(gp)), "log evidence between")
  }
})

test_that("when another kernel left no row that is known, the rest can still be read", {
  gp <- streaming_gp(kernel = kernel_se(1, 1), noise = 0.1, mean = 0, lookback = 0, optimize = "none")$update(1:9, sin(1:9))
  gp$kernel <- kernel_se(0.5, 1)
  expect_output(print(gp$certificate()), "condition number .*nothing can be promised: the kernel was changed when 9 rows were gone")
  gp$update(10:12, sin(10:12))
  expect_output(print(gp$certificate()), "unexplained, on average over the other 3 rows")
})

test_that("a model whose rule chose no point at all has a certificate and a summary, and can be told to learn", {
  none <- function(y) suppressWarnings(
    streaming_gp(kernel = kernel_se(1, 1e-12), noise = 1, mean = 0, select = select_greedy(3, "bound"), optimize = "none")$update(c(1, 1, 1), y)
  )
  gp <- none(c(0, 0, 0))
  expect_identical(gp$size, 0L)
  exact <- log_evidence(gp, matrix(1, 3), c(0, 0, 0))
  expect_lte(gp$certificate()$lower, exact + 1e-12)
  expect_gte(gp$certificate()$upper, exact - 1e-12)
  expect_equal(gp$certificate()$trace, 3e-12)
  expect_silent(capture.output(print(gp$certificate()), print(summary(gp))))
  expect_error(gp$optimize(), class = "gpstream_error_input")
  gp$kernel <- kernel_se(2, 1)
  expect_identical(gp$certificate()$trace, 3)
})

test_that("what is lost in a move is what the new points cannot express of the old features", {
  set.seed(1)
  x <- matrix(runif(80, 0, 10))
  gp <- streaming_gp(kernel = kernel_se(1, 2), noise = 0.1, mean = 0, select = select_oips(0.9), lookback = 0, optimize = "none")$update(x, sin(x[, 1]))
  old <- gp$points
  new <- old[-3, , drop = FALSE] + 0.1
  gp$points <- new
  K <- function(a, b) kernel_matrix(gp$kernel, a, b)
  weights <- K(x, old) %*% solve(K(old, old)) # E[f(x) | f(old)] = weights f(old)
  left <- K(old, old) - K(old, new) %*% solve(K(new, new), K(new, old))
  expect_equal(gp$certificate()$lost, sum((weights %*% left) * weights) / (2 * 0.1), tolerance = 1e-6)
})

test_that("the average over outputs is promised for points that did not look at them, and no row that left early", {
  set.seed(1)
  x <- runif(40, 0, 5)
  expected <- function(select, ...) {
    gp <- streaming_gp(kernel = kernel_se(1, 1), noise = 0.1, mean = 0, select = select, optimize = "none", ...)
    gp$update(x[1:20], sin(x[1:20]))$update(5 + x[21:40], sin(x[21:40]))
    gp$certificate()$kl_expected
  }
  for (select in list(select_oips(0.9), select_variance(0.1), select_random(5), select_kmeans(5), select_greedy(5, "variance"), select_kdpp(5))) {
    expect_gt(expected(select), 0)
  }
  expect_identical(expected(select_greedy(5, "bound")), NA_real_)
  expect_identical(expected(select_oips(0.9, optimize_points = TRUE)), NA_real_)
  expect_identical(expected(select_oips(0.9), lookback = 0), NA_real_) # points joined after rows had gone
})

test_that("with weights the bracket holds the log evidence of noise / weight, and the rule promises nothing", {
  set.seed(7)
  x <- matrix(sort(runif(40, 0, 3)))
  y <- sin(2 * x[, 1]) + 1
  for (weights in list(rep(c(0.5, 4), 20), rep(c(0.5, 1.5), 20))) {
    gp <- streaming_gp(kernel = kernel_matern32(0.8, 1.2), noise = 0.05, mean = 0.4, select = select_fixed(x[seq(1, 40, 2), , drop = FALSE]),
      lookback = 7, optimize = "none")
    for (rows in split(1:40, ceiling(1:40 / 9))) gp$update(x[rows, , drop = FALSE], y[rows], weights = weights[rows])
    K <- kernel_matrix(kernel_matern32(0.8, 1.2), x) + diag(0.05 / weights)
    root <- chol(K)
    exact <- -sum(log(diag(root))) - sum(backsolve(root, y - 0.4, transpose = TRUE)^2) / 2 - 20 * log(2 * pi)
    sure <- gp$certificate()
    expect_true(sure$lower <= exact && exact <= sure$upper)
    expect_lt(sure$upper - sure$lower, 3)
    expect_identical(sure$trace_bound, NA_real_)
  }
})
