# fit_shards(): one kernel from rows in many places. [derivation 23]

n <- 360
rows <- toy(n, D = 2)
# parameters that the rows tell well: where they hardly do, rounding alone decides about the sixth digit
data <- data.frame(a = rows$x[, 1], b = rows$x[, 2], w = 1 + seq_len(n) %% 3)
data$y <- sin(data$a) * cos(0.7 * data$b) + 0.1 * data$b + 0.3 * sin(37 * seq_len(n)^1.5)
# 8 shards of different sizes, in the order of the rows, one of them empty
cuts <- c(0, 13, 50, 51, 51, 170, 240, 333, n)
shards_of <- function(data) Map(function(from, to) data[seq_len(nrow(data)) > from & seq_len(nrow(data)) <= to, ], cuts[-9], cuts[-1])
Z <- as.matrix(expand.grid(a = seq(0, 10, length.out = 8), b = seq(0, 10, length.out = 6)))
fixed_gp <- function(..., kernel = kernel_matern52(lengthscale = "ard")) {
  streaming_gp(y ~ a + b, kernel = kernel, select = select_fixed(Z), weights = "w", ...)
}
learned <- function(gp) {
  list(rapply(unclass(gp$kernel), identity, "numeric", how = "unlist"), gp$noise, gp$objective, coef(gp))
}
says <- function(gp) predict(gp, data[1:40, ], se.fit = TRUE)[c("fit", "se.fit")]

test_that("8 shards are one: parameters to 1e-6, and what is said [derivation 23]", {
  one <- fixed_gp()
  eight <- fixed_gp()
  expect_identical(fit_shards(one, list(data)), one)
  fit_shards(eight, shards_of(data))
  expect_equal(learned(eight), learned(one), tolerance = 1e-6)
  expect_equal(says(eight), says(one), tolerance = 1e-6)
  expect_equal(eight$nobs, n)
})

test_that("a sum of kernels on columns: the bound of 8 shards is that of one [derivation 23]", {
  kernel <- kernel_matern32(columns = "a") + kernel_matern32(columns = "b")
  one <- fit_shards(fixed_gp(kernel = kernel), list(data))
  eight <- fit_shards(fixed_gp(kernel = kernel), shards_of(data))
  expect_equal(eight$objective, one$objective, tolerance = 1e-9)
  expect_equal(says(eight), says(one), tolerance = 1e-5)
})

# The bound of all rows, dense, trend and all: log N(y; mean, v Q + T S T' + noise / w) - v sum(w r) / (2 noise).
dense_bound <- function(gp, lengthscale, variance, noise) {
  info <- gpstream:::gp_info(gp)
  kernel <- kernel_matern52(lengthscale = lengthscale, variance = 1)
  x <- as.matrix(data[c("a", "b")])
  W <- forwardsolve(t(chol(kernel_matrix(kernel, gp$points))), kernel_matrix(kernel, gp$points, x))
  T <- cbind(1, scale(x[, info$trend$columns, drop = FALSE], info$trend$centre, info$trend$scale))
  spread <- info$trend$variance * variance / info$variance # its ratio to the variance stays
  C <- variance * crossprod(W) + T %*% (spread * t(T)) + diag(noise / data$w)
  half <- chol(C)
  z <- backsolve(half, data$y - info$mean, transpose = TRUE)
  -0.5 * n * log(2 * pi) - sum(log(diag(half))) - 0.5 * sum(z^2) - 0.5 * variance / noise * sum(data$w * (1 - colSums(W^2)))
}

test_that("the result is the optimum of the bound of all rows under its points, with a trend or none [derivation 23]", {
  for (mean in list("auto", "constant", 1)) {
    gp <- fixed_gp(mean = mean)
    fit_shards(gp, shards_of(data))
    expect_equal(gp$size, nrow(Z))
    here <- log(c(gp$kernel$lengthscale, gp$kernel$variance, gp$noise))
    F <- function(p) dense_bound(gp, exp(p[1:2]), exp(p[3]), exp(p[4]))
    expect_equal(F(here), gp$objective, tolerance = 1e-8)
    better <- stats::optim(here, F, method = "L-BFGS-B", lower = here - 0.5, upper = here + 0.5, control = list(fnscale = -1, factr = 10))
    expect_lt(better$value - gp$objective, 1e-6 * abs(gp$objective))
  }
})

test_that("the same optimum as gp$optimize() finds with all rows in the look-back [derivation 23]", {
  start <- kernel_matern52(lengthscale = c(3, 3), variance = 1)
  all <- fixed_gp(kernel = start, noise = 0.1, mean = 1, lookback = Inf, optimize = "none")
  all$update(data)
  all$optimize(what = "kernel", steps = 200)
  gp <- fixed_gp(mean = 1)
  fit_shards(gp, shards_of(data))
  expect_equal(gp$objective, all$objective, tolerance = 1e-6)
  expect_equal(says(gp), says(all), tolerance = 1e-3)
})

test_that("what is given stays; where only the scale is open it is the exact one, and rows are those of a stream", {
  given <- kernel_se(lengthscale = 2)
  gp <- fit_shards(fixed_gp(kernel = given, noise = 0.05, mean = 0), shards_of(data))
  expect_equal(gp$kernel$lengthscale, 2)
  expect_equal(gp$noise, 0.05)
  stream <- fixed_gp(kernel = gp$kernel, noise = 0.05, mean = 0, lookback = 0, optimize = "none")
  stream$update(data)
  expect_equal(says(gp), says(stream), tolerance = 1e-9)
  expect_equal(gp$objective, stream$objective, tolerance = 1e-10)
  free <- fit_shards(fixed_gp(kernel = given, mean = 0), shards_of(data))
  stream <- fixed_gp(kernel = kernel_se(2, 1), noise = 1, mean = 0, lookback = 0, optimize = "none")
  stream$update(data)
  stream$optimize()
  expect_equal(c(free$kernel$variance, free$noise), c(stream$kernel$variance, stream$noise), tolerance = 1e-5)
})

test_that("every row is covered by the points, which are chosen in every shard", {
  gp <- streaming_gp(y ~ a + b, kernel = kernel_se(1.5), noise = 0.05, select = select_oips(0.7))
  fit_shards(gp, shards_of(data))
  corr <- kernel_matrix(kernel_se(1.5, 1), as.matrix(data[c("a", "b")]), gp$points)
  expect_gte(min(apply(corr, 1, max)), 0.7)
  few <- streaming_gp(y ~ a + b, kernel = kernel_se(1.5), noise = 0.05, select = select_oips(0.7, max_points = 9))
  expect_warning(fit_shards(few, shards_of(data)), class = "gpstream_warning_max_inducing")
  expect_equal(few$size, 9)
})

test_that("the default call: the family is chosen, the model goes on learning, and can be saved", {
  wide <- toy(1300)
  data <- data.frame(x = wide$x[, 1], y = wide$y)
  gp <- streaming_gp(y ~ x)
  expect_message(expect_warning(fit_shards(gp, list(data[1:500, ], data[501:1300, ])), NA), NA)
  expect_equal(gp$nobs, 1300)
  expect_lt(sqrt(mean((predict(gp, data) - sin(data$x))^2)), 0.05)
  expect_identical(gp$restarts$learned, 1300)
  stream <- streaming_gp(y ~ x)
  consume(stream, data)
  expect_identical(gp$memory$row, stream$memory$row) # the sample is that of one stream
  expect_equal(gp$memory$x, stream$memory$x)
  expect_equal(gp$history$nobs, 1300)
  twin <- streaming_gp_restore(as.list(gp))
  more <- toy(60, from = 2000)
  for (one in list(gp, twin)) one$update(data.frame(x = more$x[, 1], y = more$y))
  expect_identical(as.list(twin), as.list(gp))
  expect_equal(gp$nobs, 1360)
})

test_that("sources are opened again and again, in batches, by whoever reads them; small ones are kept", {
  gp <- function() streaming_gp(kernel = kernel_se(1, 1), noise = 0.01, mean = 0, select = select_fixed(matrix(0:10)))
  many <- toy(10500) # more than a batch
  opened <- 0
  sources <- list(
    function() {
      opened <<- opened + 1
      list(x = many$x, y = many$y)
    },
    function(reset) { # the protocol of biglm
      if (reset) {
        at <<- 0
        return(NULL)
      }
      at <<- at + 1
      if (at < 4) data.frame(x = at + 0.5, y = 1)
    },
    list(x = c(1, 2), y = c(0, 0))
  )
  at <- 0
  a <- fit_shards(gp(), sources)
  once <- opened
  kept <- gpstream:::kept_rows
  expect_length(kept$shards, 0)
  most <- kept$most
  on.exit(kept$most <- most)
  kept$most <- 0
  b <- fit_shards(gp(), sources)
  expect_gt(opened - once, once)
  expect_identical(as.list(a), as.list(b))
  stream <- streaming_gp(kernel = kernel_se(1, 1), noise = 0.01, mean = 0, select = select_fixed(matrix(0:10)), lookback = 0, optimize = "none")
  stream$update(c(many$x, 1:3 + 0.5, 1, 2), c(many$y, 1, 1, 1, 0, 0))
  expect_equal(predict(a, 0:10 + 0.3), predict(stream, 0:10 + 0.3), tolerance = 1e-9)
  expect_equal(a$nobs, 10505)
})

test_that("a shard that fails is named, and the model is as it was", {
  kept <- gpstream:::kept_rows
  most <- kept$most
  on.exit(kept$most <- most)
  kept$most <- 0
  gp <- fixed_gp()
  parts <- shards_of(data)
  calls <- 0
  late <- function() { # after some passes
    calls <<- calls + 1
    if (calls > 1) stop("the disk is gone")
    data[1:20, ]
  }
  expect_refused(gp, fit_shards(gp, c(parts[1:2], late)), "shard", "shard 3: the disk is gone")
  expect_refused(gp, fit_shards(gp, c(parts[1:2], there = "no-such-file.csv")), "shard", "shard 3 \\(there\\): ")
  expect_refused(gp, fit_shards(gp, c(parts[1], list(data[c("a", "y")]))), "shard", "shard 2")
  calls <- 0
  shrinks <- function() data[seq_len(30 - (calls <<- calls + 1)), ]
  expect_refused(gp, fit_shards(gp, list(data, shrinks)), "input", "same rows whenever it is read")
})

test_that("errors before anything is read", {
  gp <- fixed_gp()
  expect_refused(gp, fit_shards(gp, data), "type", "`sources` must be a list of sources, one for each shard, not a 360 x 4 data frame")
  expect_refused(gp, fit_shards(gp, list()), "type", "`sources` must be a list")
  expect_refused(gp, fit_shards(gp, list(x = 1:3, y = 1:3)), "type", "list\\(list\\(x = , y = \\)\\)")
  expect_refused(gp, fit_shards(gp, list(data, as_source(data))), "type", "source 2 cannot be opened elsewhere")
  expect_refused(gp, fit_shards(gp, list(data), cluster = 2), "type", "`cluster` must be a cluster, .*, not 2")
  expect_refused(gp, fit_shards(gp, list(data[0, ])), "input", "no rows in `sources`")
  expect_refused(gp, fit_shards(gp, list(data[1:5, ])), "input", "at least 10 rows in all, but there are 5")
  expect_refused(gp, fit_shards(gp, list(transform(data, y = 2))), "input", "the outputs are all the same")
  counts <- streaming_gp(y ~ a, likelihood = likelihood_poisson())
  expect_refused(counts, fit_shards(counts, list(data)), "input", "for Gaussian noise")
  two <- streaming_gp(cbind(y, w) ~ a)
  expect_refused(two, fit_shards(two, list(data)), "input", "one output")
  fades <- streaming_gp(y ~ a, half_life = 100)
  expect_refused(fades, fit_shards(fades, list(data)), "input", "without `half_life`")
  gp$update(data[1:12, ])
  expect_refused(gp, fit_shards(gp, list(data)), "input", "has seen 12: make a new one")
})

test_that("two workers give what one process gives; a worker's error leaves the model as it was", {
  skip_on_cran()
  skip_if_not_installed("parallel")
  cluster <- parallel::makePSOCKcluster(2)
  on.exit(parallel::stopCluster(cluster))
  file <- tempfile(fileext = ".csv")
  utils::write.csv(data[1:200, ], file, row.names = FALSE)
  pids <- tempfile()
  rest <- data[201:n, ]
  here <- function() {
    cat(Sys.getpid(), "\n", file = pids, append = TRUE)
    rest
  }
  environment(here) <- list2env(list(pids = pids, rest = rest), parent = globalenv())
  one <- fit_shards(fixed_gp(), list(file, here))
  unlink(pids)
  two <- fit_shards(fixed_gp(), list(file, here), cluster)
  expect_false(Sys.getpid() %in% scan(pids, quiet = TRUE))
  expect_equal(learned(two), learned(one), tolerance = 1e-6)
  expect_equal(says(two), says(one), tolerance = 1e-6)
  fails <- function() stop("no such disk")
  environment(fails) <- globalenv()
  gp <- fixed_gp()
  expect_refused(gp, fit_shards(gp, list(file, fails), cluster), "shard", "shard 2: no such disk")
})
