# Where importance() averages and pictures look: a sample and the range of the rows seen, not the inducing points.

trend_and_season <- function(n = 800, days = 30) {
  t <- as.POSIXct("2024-05-01", tz = "UTC") + sort(runif(n, 0, days * 86400))
  day <- as.numeric(t - t[1], units = "days")
  data.frame(t, y = sin(2 * pi * day) + 0.1 * day + rnorm(n, sd = 0.2))
}

test_that("of a trend and a season shares are those of the rows, and pictures show all of the month", {
  set.seed(1)
  d <- trend_and_season()
  for (formula in list(y ~ trend(t, walk = FALSE) + season(t, "1 day"), y ~ trend(t) + season(t, "1 day"))) {
    gp <- streaming_gp(formula, d)
    expect_lt(diff(range(utils::head(gp$points[, 1], 5))), 0.2) # of 4.3 weeks
    expect_identical(importance(gp, by = "term"), importance(gp, d, by = "term"))
    expect_gt(importance(gp, by = "term")$share[1], 0.5)
    parts <- on_device(plot(gp, "components"))
    line <- parts$x[startsWith(as.character(parts$term), "trend")]
    expect_equal(diff(range(line)), as.numeric(diff(range(d$t)), units = "weeks"))
    expect_equal(range(on_device(plot(gp))$t), range(d$t))
  }
})

test_that("without a sample, points and look-back window are spread over the range that was followed", {
  set.seed(2)
  d <- trend_and_season(1500)
  gp <- streaming_gp(y ~ trend(t, walk = FALSE) + season(t, "1 day"), optimize = "warmup")
  for (rows in split(1:1500, (0:1499) %/% 500)) gp$update(d[rows, ])
  expect_identical(nrow(gp$memory$x), 0L)
  expect_equal(importance(gp, by = "term")$share, importance(gp, d, by = "term")$share, tolerance = 0.1)
  expect_equal(range(on_device(plot(gp, "effects"))$x), gpstream:::seen_rows(gp)$range[, 1])
  expect_equal(range(on_device(plot(gp, n = 5))$t), range(d$t))
})

# A formula with some of these columns, and rows for it.
random_stream <- function(n) {
  at <- as.POSIXct("2023-10-28 21:00", tz = "Europe/Berlin")
  walk <- cumsum(runif(n))
  d <- data.frame(
    t = at + 3000 * walk, day = as.Date("2024-02-27") + floor(walk / 3), wait = as.difftime(walk, units = "mins"),
    a = runif(n, -5, 20), b = rnorm(n), k = sample(1:9, n, TRUE), g = sample(c("u", "v", "w"), n, TRUE),
    h = factor(sample(c("no", "yes"), n, TRUE, c(0.3, 0.7)))
  )
  d$text <- format(d$t, "%Y-%m-%dT%H:%M:%SZ", tz = "UTC")
  d$y <- sin(walk / 20) + 0.1 * d$a + d$b^2 / 3 + (d$g == "v") + rnorm(n, sd = 0.2)
  terms <- sample(list("trend(t)", "gp(t)", "trend(day)", "gp(wait)", c("a", "b"), "gp(a, b)", "season(a, 4)", "k", "text"), 1)[[1]]
  factors <- sample(c("g", "h"), sample(0:2, 1))
  list(formula = reformulate(c(terms, factors), "y"), data = d)
}

test_that("for any formula the axes go from the first to the last of the rows, and shares are those of rows", {
  set.seed(3)
  for (case in 1:12) {
    n <- sample(c(40, 150), 1)
    made <- random_stream(n)
    gp <- streaming_gp(made$formula)
    kept <- streaming_gp(made$formula, made$data, optimize = "warmup", warmup = 10)
    for (rows in split(seq_len(n), sort(rep_len(1:3, n)))) gp$update(made$data[rows, ])
    info <- paste(case, n, deparse(made$formula))
    expect_equal(importance(gp), importance(gp, made$data), info = info)
    expect_equal(importance(gp, by = "term"), importance(gp, made$data, by = "term"), info = info)
    for (model in list(gp, kept, {
      file <- tempfile()
      save_gp(gp, file)
      load_gp(file)
    }, unserialize(serialize(gp, NULL)))) {
      effects <- on_device(plot(model, "effects", n = 3))
      measured <- setdiff(unique(effects$column), c("g", "h"))
      expect_gt(length(measured), 0)
      for (name in measured) {
        own <- made$data[[name]]
        seen <- range(gpstream:::number_to_time(effects$x[effects$column == name], gpstream:::gp_frame(model)$times[[name]]))
        if (is.character(own)) own <- as.POSIXct(own, "%Y-%m-%dT%H:%M:%SZ", tz = "UTC")
        expect_equal(as.numeric(seen), as.numeric(range(own)), tolerance = 1e-12, info = paste(info, name))
        fit <- on_device(plot(model, columns = name, n = 3))
        expect_equal(as.numeric(range(fit[[name]])), as.numeric(range(own)), tolerance = 1e-12, info = paste(info, name))
      }
    }
  }
})

test_that("a stream longer than the sample: shares agree to within its error, the range is that of all rows", {
  set.seed(4)
  d <- trend_and_season(3000)
  d$region <- sample(c("a", "b", "c"), 3000, TRUE)
  d$y <- d$y + (d$region == "b")
  gp <- streaming_gp(y ~ trend(t) + season(t, "1 day") + region)
  for (rows in split(1:3000, (0:2999) %/% 1000)) gp$update(d[rows, ])
  expect_lt(nrow(gp$memory$x), 1001)
  expect_equal(importance(gp, by = "term")$share, importance(gp, d, by = "term")$share, tolerance = 0.2)
  both <- streaming_gp(y ~ gp(x), data.frame(x = c(1:60, 200), y = sin(c(1:60, 200))))
  more <- shard(both)$update(data.frame(x = c(-50, 1:20), y = 0))
  expect_equal(range(on_device(plot(merge(both, more), n = 2))$x), c(-50, 200))
})

test_that("several outputs and a matrix look at the rows that are kept", {
  set.seed(5)
  x <- matrix(runif(200, 2, 7), ncol = 2)
  gp <- streaming_gp()$update(x, x[, 1])
  expect_equal(importance(gp), importance(gp, x))
  expect_equal(lapply(on_device(plot(gp, n = 3))[1:2], range), list(x1 = range(x[, 1]), x2 = range(x[, 2])))
  d <- trend_and_season(300)
  d$v <- -d$y
  two <- streaming_gp(cbind(y, v) ~ trend(t) + season(t, "1 day"), d)
  expect_equal(importance(two, by = "term"), importance(two, d, by = "term"))
  expect_equal(range(on_device(plot(two, n = 3))$t), range(d$t))
})

test_that("even distances along the stream, whatever part of it was kept", {
  expect_identical(gpstream:::evenly(1:5, 5), c(1, 2, 3, 4, 5))
  expect_identical(gpstream:::evenly(1, 200), 1L)
  kept <- c(1:10, 501:510, 901:1000) # 120 rows, most of them late
  some <- kept[gpstream:::evenly(kept, 100)]
  expect_equal(mean(some), 500, tolerance = 0.02)
  spread <- gpstream:::spread_over(cbind(c(0, 0.1, 0.2, 9), c(0, 1, 0, 1), c(1, 4, 7, 9)), rbind(c(0, 0, 0), c(10, 1, 10)), 1:3)
  expect_equal(spread, cbind(c(1.25, 3.75, 6.25, 8.75), c(0, 1, 0, 1), c(1.25, 3.75, 6.25, 8.75)))
})

test_that("a model that holds no observation is drawn without any", {
  gp <- toy_gp(40, lookback = 0)
  expect_silent(on_device(plot(gp, legend = FALSE)))
  expect_identical(nrow(gpstream:::observed_rows(gp, gpstream:::plot_view(gp, 1, NULL, NULL))), 0L)
})
