# merge() and shard(): models of different rows become one. [derivation 18]

at <- seq(-1, 11, length.out = 40)

fixed_gp <- function(..., mean = 0, z = seq(0, 10, 0.8)) {
  streaming_gp(kernel = kernel_se(1, 1), noise = 0.01, mean = mean, optimize = "none", select = select_fixed(matrix(z)), ...)
}
rows <- toy(400)
fed <- function(gp, which, by = 17) {
  for (i in split(which, ceiling(seq_along(which) / by))) gp$update(rows$x[i, , drop = FALSE], rows$y[i])
  gp
}
says <- function(gp) c(predict(gp, at, se.fit = TRUE)[c("fit", "se.fit")], gp$objective, gp$nobs, gp$size)

test_that("merge: commutative, associative (1e-12), identity", {
  a <- fed(fixed_gp(), 1:150)
  b <- fed(fixed_gp(), 151:260)
  c <- fed(fixed_gp(), 261:400)
  expect_equal(says(merge(a, b)), says(merge(b, a)), tolerance = 1e-12)
  expect_equal(says(merge(merge(a, b), c)), says(merge(a, merge(b, c))), tolerance = 1e-12)
  expect_equal(says(merge(a, b, c)), says(merge(merge(a, b), c)), tolerance = 1e-15)
  expect_identical(as.list(merge(a, shard(a))), as.list(a))
  expect_identical(as.list(merge(shard(a), a)), as.list(a))
  expect_identical(as.list(merge(a, fixed_gp())), as.list(a)) # one that has seen nothing
  expect_identical(as.list(merge(fixed_gp(), a)), as.list(a))
  expect_identical(as.list(merge(a)), as.list(a))
  expect_equal(merge(fixed_gp(), fixed_gp())$nobs, 0)
})

test_that("merge: neither model changes, and the new one is independent", {
  a <- fed(fixed_gp(), 1:60)
  b <- fed(fixed_gp(), 61:100)
  before <- list(as.list(a), as.list(b))
  both <- merge(a, b)
  kept <- as.list(both)
  expect_identical(list(as.list(a), as.list(b)), before)
  fed(a, 101:200)
  b$noise <- 3
  expect_identical(as.list(both), kept)
})

test_that("merge: any tree of 8 shards is one stream (1e-10)", {
  gp <- fed(fixed_gp(), 1:80)
  parts <- lapply(1:8, function(i) fed(shard(gp), 40 * (i - 1) + 80 + 1:40))
  whole <- fed(gp$copy(), 81:400)
  tree <- function(models) {
    if (length(models) == 1) return(models[[1]])
    cut <- 1 + (length(models) * 7) %% (length(models) - 1)
    merge(tree(models[seq_len(cut)]), tree(models[-seq_len(cut)]))
  }
  merged <- list(
    do.call(merge, c(list(gp), parts)), merge(gp, tree(parts)), Reduce(merge, parts, gp),
    Reduce(function(b, a) merge(a, b), c(list(gp), parts), right = TRUE)
  )
  for (one in merged) {
    expect_equal(says(one), says(whole), tolerance = 1e-10)
    expect_equal(one$nobs, 400)
    expect_equal(nrow(one$history), nrow(gp$history) + sum(vapply(parts, function(p) nrow(p$history), 0)))
  }
  # in the order of the stream the look-back is that of the one stream, and so is what comes
  expect_identical(as.list(merged[[1]])$core$window_x, as.list(whole)$core$window_x)
  more <- toy(30, from = 500)
  expect_equal(says(merged[[1]]$update(more$x + 4, more$y)), says(whole$update(more$x + 4, more$y)), tolerance = 1e-10)
  # a shard is no part of the result any more
  expect_false(gpstream:::gp_info(merged[[1]])$shard)
})

test_that("a shard has points, kernel, offset and frame of its model, and has seen nothing", {
  data <- data.frame(a = rows$x[1:90, 1], g = c("u", "v", "w"), y = rows$y[1:90])
  gp <- streaming_gp(y ~ a + g, data[1:60, ], kernel = kernel_matern52(2), select = select_oips(0.9))
  part <- shard(gp)
  expect_identical(part$points, gp$points)
  expect_identical(part$kernel, gp$kernel)
  expect_identical(part$noise, gp$noise)
  expect_identical(part$mean, gp$mean)
  expect_identical(as.list(part)$core$offset, as.list(gp)$core$offset)
  expect_identical(as.list(part)$frame, as.list(gp)$frame)
  expect_equal(c(part$nobs, nrow(part$history)), c(0, 0))
  expect_output(print(part), "a shard")
  # its own rows change neither kernel nor scale, and its certificate promises nothing by the rule
  part$update(data[61:90, ])
  expect_identical(part$kernel, gp$kernel)
  expect_true(is.na(part$certificate()$trace_bound))
  both <- suppressMessages(merge(gp, part))
  expect_equal(both$nobs, 90)
  expect_identical(both$spec, gp$spec)
  expect_false(is.na(both$certificate()$trace_bound))
  expect_lte(both$certificate()$trace, both$certificate()$trace_bound)
})

test_that("merge: offsets that differ, trends from other centres", {
  one <- fed(fixed_gp(mean = 3), 1:100)
  two <- fed(fixed_gp(mean = -50), 101:200)
  expect_error(merge(one, two), "another mean", class = "gpstream_error_input")
  two$mean <- 3 # the same rows, still measured from -50
  whole <- fed(fixed_gp(mean = 3), 1:200)
  expect_equal(says(merge(one, two)), says(whole), tolerance = 1e-9)
  expect_equal(says(merge(two, one)), says(whole), tolerance = 1e-9)

  trended <- function(which) {
    gp <- streaming_gp(kernel = kernel_se(1, 1), noise = 0.01, mean = "linear", optimize = "none",
      select = select_fixed(matrix(seq(0, 10, 0.8))))
    fed(gp, which)
  }
  one <- trended(1:100)
  two <- trended(101:200)
  expect_false(identical(as.list(one)$core$trend, as.list(two)$core$trend))
  expect_error(merge(one, two), "another ", class = "gpstream_error_input")
  same <- shard(one) # the rows of `two`, told as `one` tells them
  fed(same, 101:200)
  expect_equal(says(merge(one, two, rebase = TRUE)), says(merge(one, same)), tolerance = 1e-8)
})

test_that("merge: rows in look-backs, histories, counters", {
  a <- fed(fixed_gp(lookback = 30), 1:100)
  b <- fed(fixed_gp(lookback = 30), 101:120)
  both <- merge(a, b)
  core <- as.list(both)$core
  expect_identical(core$window_x, rows$x[91:120, , drop = FALSE])
  expect_equal(core$n + nrow(core$window_x), 120)
  expect_equal(core$seen, 120)
  expect_equal(both$history$nobs, c(a$history$nobs, 100 + b$history$nobs))
  expect_equal(both$history$rows, c(a$history$rows, b$history$rows))
  expect_true(all(is.na(both$history$bound[-seq_len(nrow(a$history))])))
  # scores add up
  gpstream:::note_scores(a, scored = 4, squared = 8, log_score = -2, covered = 3, pit = c(0.1, 0.1), seconds = 1)
  gpstream:::note_scores(b, scored = 6, squared = 2, log_score = -1, covered = 6, pit = 0.1, seconds = 2)
  both <- merge(a, b)
  n <- nrow(a$history)
  expect_equal(both$history$scored[c(n, nrow(both$history))], c(4, 6))
  expect_equal(both$history$rmse[c(n, nrow(both$history))], sqrt(c(2, 1 / 3)))
  expect_equal(gpstream:::pit_counts(both)[3], 3)
  certificate <- both$certificate()
  expect_equal(c(certificate$nobs, certificate$rows), c(120, 120))
})

test_that("merge: other points are united, what is lost is told", {
  own <- function(which) {
    gp <- toy_gp(0, kernel = kernel_matern32(1, 1), select = select_oips(0.6), lookback = 20)
    gp$update(rows$x[which, ] + 8.3 * (which > 200), rows$y[which])
  }
  a <- own(1:200)
  b <- own(201:400)
  expect_message(both <- merge(a, b), "different points", class = "gpstream_message_merge")
  expect_equal(both$certificate()$refused, 0)
  expect_identical(both$points, rbind(a$points, b$points))
  expect_equal(both$history$points[nrow(both$history)], both$size)
  other <- suppressMessages(merge(b, a))
  expect_equal(says(both), says(other), tolerance = 1e-9)
  # each is as before where the other saw nothing
  expect_equal(predict(both, c(1, 17)), c(predict(a, 1), predict(b, 17)), tolerance = 1e-3)
  # points next to each other: the second says nothing new, and what only it could hold is lost
  near <- fed(fixed_gp(z = seq(0, 10, 0.8) + 1e-5, lookback = 10), 101:200)
  expect_message(one <- merge(fed(fixed_gp(), 1:100), near), "13 points said nothing.*nats were lost")
  expect_equal(one$size, 13)
  expect_gt(one$certificate()$lost, 0)
  expect_lte(both$certificate()$lower, both$certificate()$upper)
})

test_that("merge: other kernels are refused, or carried over", {
  a <- fed(fixed_gp(), 1:100)
  b <- fed(fixed_gp(lookback = 10), 101:200)
  b$kernel <- kernel_matern32(1.5, 1)
  expect_refused(a, merge(a, b), "input", "another kernel, Matern 3/2.*rebase = TRUE")
  expect_message(both <- merge(a, b, rebase = TRUE), "What 90 rows had said under another kernel was carried over.", class = "gpstream_message_merge")
  expect_identical(both$kernel, a$kernel)
  expect_identical(both$certificate()$kl, NA_real_)
  expect_equal(both$nobs, 200)
  # a variance alone is no other kernel
  b <- fed(fixed_gp(), 101:200)
  b$kernel <- kernel_se(1, 2)
  expect_error(merge(a, b), "another variance of the kernel", class = "gpstream_error_input")
  expect_equal(says(merge(a, b, rebase = TRUE)), says(fed(fixed_gp(), 1:200)), tolerance = 1e-9)
})

test_that("merge: what both models learn is learned from the rows of both", {
  learned <- function(which) fed(streaming_gp(kernel = kernel_se(1), select = select_fixed(matrix(seq(0, 10, 0.8)))), which)
  a <- learned(1:150)
  b <- learned(151:400)
  both <- merge(a, b)
  whole <- learned(1:400)$optimize()
  expect_equal(both$noise, whole$noise, tolerance = 1e-5)
  expect_equal(both$kernel$variance, whole$kernel$variance, tolerance = 1e-4)
  expect_equal(predict(both, at), predict(whole, at), tolerance = 1e-5)
  expect_equal(predict(merge(b, a), at), predict(both, at), tolerance = 1e-5)
  # a shard has no scale of its own: that of its model counts, also after it was learned anew
  part <- fed(shard(a), 151:200)
  fed(a, 201:400)
  expect_false(identical(a$noise, part$noise))
  expect_identical(merge(part, a)$noise, a$noise)
})

test_that("merge: models of other frames are refused, with what differs", {
  a <- fed(fixed_gp(), 1:30)
  expect_error(merge(a, 1), "argument 2 must be a model.*not 1", class = "gpstream_error_type")
  expect_error(merge(a, a, other = a), "`other`", class = "gpstream_error_parameter")
  expect_error(merge(a, toy_gp(20, D = 2)), "columns: 2, the first has 1", class = "gpstream_error_input")
  frame <- data.frame(p = rows$x[1:30], q = rows$x[31:60], y = rows$y[1:30], g = c("u", "v"))
  by <- function(formula, data = frame) streaming_gp(formula, data, kernel = kernel_se(1, 1), noise = 0.01, mean = 0, optimize = "none")
  expect_error(merge(by(y ~ p), by(y ~ q)), "formula y ~ q, the first has the formula y ~ p", class = "gpstream_error_input")
  expect_error(merge(by(y ~ p), a), "it has no formula", class = "gpstream_error_input")
  other <- frame
  other$g <- c("u", "w")
  expect_error(merge(by(y ~ p + g), by(y ~ p + g, other)), "levels", class = "gpstream_error_input")
  expect_error(merge(by(y ~ poly(p, 2)), by(y ~ poly(p, 2), frame[1:20, ])), "first batch", class = "gpstream_error_input")
  named <- function(names) toy_gp(0)$update(matrix(rows$x[1:60], ncol = 2, dimnames = list(NULL, names)), rows$y[1:30])
  expect_error(merge(named(c("a", "b")), named(c("a", "z"))), "columns `a`, `z`, the first has `a`, `b`", class = "gpstream_error_input")
  warm <- fed(streaming_gp(optimize = "warmup"), 1:50)
  expect_error(merge(warm, warm), "warming up", class = "gpstream_error_input")
  expect_error(shard(warm), "still being found", class = "gpstream_error_input")
  expect_error(shard(streaming_gp()), "seen no data", class = "gpstream_error_input")
  expect_error(shard(1), "must be a model", class = "gpstream_error_type")
  expect_error(merge(a, a, rebase = NA), "`rebase`", class = "gpstream_error_parameter")
})

test_that("merge: a model that goes on learning takes the memories of its shards, and learns from them", {
  gp <- fed(streaming_gp(), 1:100, by = 50)
  parts <- lapply(1:2, function(i) fed(shard(gp), 100 * i + 1:100, by = 30))
  for (part in parts) {
    expect_identical(part$kernel, gp$kernel)
    expect_equal(length(part$memory$y), 100)
  }
  both <- suppressMessages(merge(gp, parts[[1]], parts[[2]]))
  expect_equal(both$memory$y, rows$y[1:300])
  expect_equal(both$memory$row, 1:300)
  expect_equal(both$restarts$rivals, 0)
  expect_identical(both$kernel, gp$kernel)
  fed(both, 301:400)
  expect_gt(both$restarts$learned, 300)
  expect_equal(both$nobs, 400)
  # merged with rows that nobody kept, it keeps its kernel
  plain <- fed(streaming_gp(kernel = gp$kernel, noise = gp$noise, mean = "linear", optimize = "none", select = gp$spec$select), 301:350)
  kept <- suppressMessages(merge(gp, plain, rebase = TRUE))
  expect_equal(length(kept$memory$y), 0)
  expect_equal(fed(kept, 351:400)$nobs, 200)
})

test_that("save, copy and resume of merged models and shards are identical()", {
  gp <- fed(streaming_gp(kernel = kernel_se(1), select = select_oips(0.8)), 1:100)
  follows <- fed(streaming_gp(), 1:100, by = 50)
  models <- list(
    shard(gp), fed(shard(gp), 101:150), suppressMessages(merge(gp, fed(shard(gp), 101:150))),
    suppressMessages(merge(follows, fed(shard(follows), 101:150))), fed(shard(follows), 101:150)
  )
  more <- toy(60, from = 300)
  file <- tempfile(fileext = ".gps")
  on.exit(unlink(file))
  for (one in models) {
    save_gp(one, file)
    twins <- list(load_gp(file), one$copy(), streaming_gp_restore(as.list(one)), unserialize(serialize(one, NULL)))
    one$update(more$x + 2, more$y)
    for (twin in twins) expect_identical(as.list(twin$update(more$x + 2, more$y))$core, as.list(one)$core)
  }
})
