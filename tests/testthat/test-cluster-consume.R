# consume(cluster = ): one model from many shards, the batch answer. [derivation 18]

shard_data <- function(n = 900, seed = 3) {
  set.seed(seed)
  x <- sort(runif(n, 0, 30))
  data.frame(x = x, g = sample(c("u", "v"), n, TRUE), y = sin(x) + 0.1 * rnorm(n), stringsAsFactors = FALSE)
}
cut_rows <- function(data, shards) unname(split(data, sort(rep_len(seq_len(shards), nrow(data)))))

# In this process, as workers would do it.
consume_here <- function(gp, sources, ...) {
  settings <- list(size = 100, response = "y", skips = FALSE)
  none <- function(...) list(tick = function(run) NULL, end = function() NULL)
  gpstream:::consume_shards(gp, sources, NULL, settings, ..., new_bar = none)
}
in_one <- function(gp, sources, file = NULL, resume = FALSE) consume_here(gp, sources, file = file, resume = resume)

# It has seen a row, and needs no sample.
given_gp <- function(..., select = select_oips(0.9)) {
  streaming_gp(y ~ x, data.frame(x = 15, y = 0.6), kernel = kernel_se(1, 1), noise = 0.01, mean = 0, optimize = "none", select = select, ...)
}
says <- function(gp) {
  at <- data.frame(x = seq(-1, 31, length.out = 50), g = "u")
  c(predict(gp, at, se.fit = TRUE)[c("fit", "se.fit")], gp$objective, gp$nobs, gp$size)
}

test_that("fixed points: any number of shards, any order, is one process (1e-10)", {
  data <- shard_data()
  fixed <- select_fixed(matrix(seq(0, 30, 0.7)))
  whole <- says(consume(given_gp(select = fixed), data))
  set.seed(1)
  for (shards in c(1, 2, 5, 13)) {
    parts <- sample(cut_rows(data, shards))
    expect_equal(says(in_one(given_gp(select = fixed), parts)), whole, tolerance = 1e-10)
  }
})

test_that("points that are chosen cover the rows of all shards, and one process with them says the same (1e-10)", {
  data <- shard_data()
  for (shards in c(1, 3, 8)) {
    gp <- in_one(given_gp(), sample(cut_rows(data, shards)))
    expect_gte(min(apply(kernel_matrix(kernel_se(1), matrix(data$x), gp$points), 1, max)), 0.9)
    expect_equal(gp$nobs, nrow(data) + 1)
    alone <- consume(given_gp(select = select_fixed(gp$points)), data)
    expect_equal(says(gp), says(alone), tolerance = 1e-10)
  }
  # a model that has rows already keeps what it knows
  gp <- consume(given_gp(), data[1:200, ])
  known <- gp$points
  in_one(gp, cut_rows(data[-(1:200), ], 4))
  expect_identical(gp$points[seq_len(nrow(known)), ], known[, 1])
  expect_equal(gp$nobs, nrow(data) + 1)
})

test_that("[derivation 18] without the coverage pass correlations are at least cos(2 acos rho), and that is attained", {
  rho <- 0.8
  angle <- acos(rho) * (1 - 1e-12)
  ray <- function(a) cbind(cos(a), sin(a))
  kernel <- kernel_linear(origin = c(0, 0), scale = c(1, 1))
  first <- oips(kernel, rho)$update(ray(0))
  second <- oips(kernel, rho)$update(ray(angle))$update(ray(2 * angle))
  expect_equal(second$size, 1) # the row is near enough to the shard's own point
  union <- oips(kernel, rho)$update(first$points)$update(second$points)
  expect_equal(union$size, 1) # which is near enough to the other's
  expect_equal(union$predict(ray(2 * angle)), cos(2 * acos(rho)), tolerance = 1e-10)
  expect_equal(cos(2 * acos(rho)), 2 * rho^2 - 1)
})

test_that("a new model learns its kernel from a sample of all shards", {
  data <- shard_data(3000)
  data$y <- data$y + (data$g == "v")
  data$g[data$g == "v" & seq_len(3000) < 2990] <- "u" # a level that no sample has
  parts <- cut_rows(data, 6)
  gp <- in_one(streaming_gp(y ~ x + g), parts)
  expect_equal(gp$nobs, 3000)
  error <- predict(gp, data[seq(1, 2980, 20), ]) - sin(data$x[seq(1, 2980, 20)])
  expect_lt(sqrt(mean(error^2)), 0.6) # half of the rows say 1 more
  expect_identical(as.list(gp)$frame$xlevels, list(g = c("u", "v")))
  gp$update(data[1:50, ]) # it goes on as any other
  expect_equal(gp$nobs, 3050)
  # fewer rows than a sample are learned as they are
  few <- in_one(streaming_gp(y ~ x), cut_rows(data[1:300, ], 3))
  expect_identical(timeless(few), timeless(consume(streaming_gp(y ~ x), data[1:300, ], batch_size = 100)))
  expect_message(in_one(streaming_gp(y ~ x), list(data[0, ])), "no rows")
})

test_that("variance and noise are those that the evidence of all shards likes best", {
  data <- shard_data(2000)
  gp <- in_one(streaming_gp(y ~ x, kernel = kernel_se(1), mean = 0), cut_rows(data, 4))
  best <- gp$copy()
  best$optimize(what = "scale")
  expect_equal(c(gp$noise, gp$kernel$variance), c(best$noise, best$kernel$variance), tolerance = 1e-6)
  expect_lt(abs(log(gp$noise / 0.01)), 0.2)
})

test_that("a checkpoint after each shard: what is resumed is identical()", {
  data <- shard_data()
  parts <- cut_rows(data, 4)
  whole <- timeless(in_one(given_gp(), parts))
  file <- tempfile(fileext = ".gps")
  on.exit(unlink(file))
  calls <- 0
  for (last in 1:16) { # opened in four passes, the first of which tells which they are
    unlink(file)
    calls <- 0
    broken <- lapply(parts, function(rows) function() {
      calls <<- calls + 1
      if (calls == last) stop("the disk is gone")
      rows
    })
    gp <- given_gp()
    before <- as.list(gp)
    expect_error(in_one(gp, broken, file = file), "shard .: the disk is gone", class = "gpstream_error_shard")
    expect_identical(as.list(gp), before)
    calls <- 100
    in_one(gp, broken, file = file, resume = TRUE)
    expect_identical(timeless(gp), whole)
    expect_lt(calls - 100, 17)
  }
  expect_error(in_one(given_gp(), parts, file = file), "resume = TRUE", class = "gpstream_error_input")
  expect_error(in_one(given_gp(), parts[1:3], file = file, resume = TRUE), "written on other shards: there were 4, not 3.*load_gp", class = "gpstream_error_input")
  expect_message(in_one(given_gp(), parts, file = file, resume = TRUE), "all shards were learned before", class = "gpstream_message")
  changed <- replace(parts, 2, list(transform(parts[[2]], y = y + 1)))
  for (others in list(changed, parts[4:1])) {
    gp <- given_gp()
    before <- as.list(gp)
    expect_error(in_one(gp, others, file = file, resume = TRUE), "shard . is not the one it was.*load_gp", class = "gpstream_error_input")
    expect_identical(as.list(gp), before)
  }
  # the recipe
  gp <- load_gp(file)
  in_one(gp, changed, file = file)
  expect_equal(gp$nobs, 2 * 900 + 1)
  expect_error(in_one(load_gp(file), changed, file = file), "has learned some of them: use resume", class = "gpstream_error_input")
})

test_that("bad shards: the error names the shard and the rows, the model is as it was", {
  data <- shard_data(400)
  parts <- cut_rows(data, 4)
  parts[[3]]$y[40] <- 1e200
  gp <- given_gp(na_action = "error")
  before <- as.list(gp)
  error <- tryCatch(in_one(gp, parts), error = identity)
  expect_s3_class(error, c("gpstream_error_shard", "gpstream_error_batch"))
  expect_match(conditionMessage(error), "^shard 3: batch 1 [(]rows 1 to 100[)]")
  expect_identical(as.list(gp), before)
  cluster <- structure(list(1), class = "cluster")
  expect_snapshot(error = TRUE, {
    consume(gp, parts, cluster = 2)
    consume(gp, data, cluster = cluster)
    consume(gp, list(as_source(data)), cluster = cluster)
    consume(gp, parts, cluster = cluster, max_rows = 3, alarm = "warn")
    consume(gp, parts, cluster = cluster, y = data$y)
    consume(gp, parts, cluster = cluster, resume = TRUE)
  })
})

test_that("shards may come again, and to a model with few rows: Gaussian or not, what it knows stays", {
  set.seed(6)
  count_data <- function(n) {
    x <- runif(n, 0, 10)
    data.frame(x = x, y = rpois(n, exp(1 + sin(x))))
  }
  make <- function(family, data = NULL) streaming_gp(y ~ x, data, family = family, kernel = kernel_se(), memory = 300)
  for (family in list(gaussian(), poisson())) {
    # fewer rows than a sample, twice: as one stream
    data <- count_data(160)
    gp <- make(family)
    in_one(gp, cut_rows(data[1:80, ], 2))
    in_one(gp, cut_rows(data[81:160, ], 2))
    expect_equal(gp$nobs, 160)
    stream <- consume(make(family), data[1:80, ], batch_size = 100)
    consume(stream, data[81:160, ], batch_size = 100)
    at <- data.frame(x = seq(0, 10, 0.5))
    if (family$family == "poisson") expect_equal(predict(gp, at), predict(stream, at), tolerance = 1e-10) # both are warming up
    expect_lt(sqrt(mean((predict(gp, at) - predict(stream, at))^2)), 1)
    # a few rows first, then more than a sample: nothing counts twice, and the first rows still count
    far <- data.frame(x = seq(40, 41, length.out = 30), y = 60)
    gp <- make(family, far)
    more <- count_data(1600)
    in_one(gp, cut_rows(more, 3))
    expect_equal(gp$nobs, 1630)
    expect_lt(abs(predict(gp, data.frame(x = 40.5)) - 60), 15)
    expect_lt(sqrt(mean((predict(gp, at) - exp(1 + sin(at$x)))^2)), 0.9)
    expect_equal(sum(gp$history$rows), 1630)
  }
})

test_that("rows that are dropped from the sample cost no others: it grows until a kernel comes of it", {
  set.seed(7)
  x <- runif(4400, 0, 10)
  data <- data.frame(x = x, y = rpois(4400, exp(1 + sin(x))))
  for (family in list(poisson(), gaussian())) {
    # too few rows are left of 1000: of 4000 (and then all rows are learned), of all
    for (share in if (family$family == "poisson") c(0.1, 0.75, 0.96) else c(0.97, 0.995)) {
      holes <- transform(data, y = replace(y, sample(4400, 4400 * share), NA))
      gp <- streaming_gp(y ~ x, family = family, kernel = kernel_se(), memory = 300, na_action = "omit")
      expect_message(in_one(gp, cut_rows(holes, 3)), paste("Dropped", format(4400 * share, big.mark = ","), "of 4,400 rows"))
      expect_equal(gp$nobs, sum(!is.na(holes$y)), info = paste(family$family, share))
    }
  }
})
