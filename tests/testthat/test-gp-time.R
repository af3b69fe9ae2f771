time_of <- function(values) gpstream:::fix_time(gpstream:::as_time(values))
number <- function(values, time = time_of(values)) gpstream:::time_to_number(values, time)

test_that("the unit is the largest of which the first batch spans two, the origin the midnight before it", {
  start <- as.POSIXct("2024-03-01 17:30:10", tz = "UTC")
  unit <- function(span) time_of(start + c(0, span))$unit
  spans <- c(0.5, 119, 120, 7199, 7200, 2 * 86400 - 1, 2 * 86400, 14 * 86400 - 1, 14 * 86400, 1e9)
  expect_identical(vapply(spans, unit, ""), c("secs", "secs", "mins", "mins", "hours", "hours", "days", "days", "weeks", "weeks"))
  expect_identical(time_of(start)$unit, "hours")
  expect_identical(time_of(start + c(9, 0))$origin, as.numeric(as.POSIXct("2024-03-01", tz = "UTC")))
  days <- as.Date("2024-03-01") + c(1, 0, 1)
  expect_identical(time_of(days), list(class = "Date", unit = "days", origin = 19783 * 86400, tz = "UTC"))
  expect_identical(time_of(days[1])$unit, "days")
  expect_identical(time_of(days + 1:3 * 10)$unit, "weeks")
  expect_identical(time_of(as.difftime(1:3, units = "mins")), list(class = "difftime", unit = "mins", origin = 0, tz = ""))
  expect_identical(number(days), c(1, 0, 1))
  expect_identical(number(as.Date("1969-12-30") + 0:3), c(0, 1, 2, 3))
  expect_identical(time_of(start + c(NA, 0, Inf))$unit, "hours")
})

test_that("numbers and times are each other's inverse", {
  values <- list(
    clock_rows(tz = "America/New_York")$time, as.Date("2024-02-27") + 0:5, as.Date("2024-02-27") + 30 * 0:5,
    as.difftime(c(1, 5.5, -3), units = "weeks"), as.POSIXct(c(0.125, 1e9, NA), origin = "1970-01-01", tz = "UTC")
  )
  for (one in values) {
    back <- gpstream:::number_to_time(number(one), time_of(one))
    expect_identical(class(back), class(one))
    expect_identical(attr(back, "tzone"), attr(one, "tzone"))
    expect_equal(as.numeric(back), as.numeric(one), tolerance = 1e-15)
  }
  time <- time_of(values[[1]])
  numbers <- c(-3, 0, 0.1, 1e4)
  expect_equal(number(gpstream:::number_to_time(numbers, time), time), numbers, tolerance = 1e-9)
})

test_that("a model fed with times is that of the numbers", {
  rows <- clock_rows()
  days <- clock_days(rows)
  by_number <- clock_model()$update(days, rows$y)
  lt <- rows
  lt$time <- as.POSIXlt(rows$time)
  text <- transform(rows, time = format(time, "%Y-%m-%dT%H:%M:%OS6Z", tz = "UTC"))
  expect_identical(core_of(clock_model()$update(rows$time, rows$y)), core_of(by_number))
  expect_identical(core_of(clock_model()$update(as.POSIXlt(rows$time), rows$y)), core_of(by_number))
  expect_identical(core_of(clock_model()$update(rows["time"], rows$y)), core_of(by_number))
  expect_identical(core_of(clock_model(y ~ time, rows)), core_of(by_number))
  expect_identical(core_of(clock_model(y ~ time, lt)), core_of(by_number))
  expect_equal(core_of(clock_model(y ~ time, text)), core_of(by_number), tolerance = 1e-6) # six digits of a second
  gp <- clock_model(y ~ time, rows)
  at <- rows[c(3, 50, 2), ]
  expect_identical(unname(predict(gp, at)), predict(by_number, days[c(3, 50, 2)]))
  expect_identical(unname(gp$points), unname(by_number$points))
  expect_identical(colnames(gp$points), "time")
  expect_identical(gp$score(at), `rownames<-`(by_number$score(days[c(3, 50, 2)], at$y), rownames(at)))
  expect_identical(components(gp, at)$fit, components(by_number, days[c(3, 50, 2)])$fit)
  expect_identical(unname(as.matrix(simulate(gp, 2, 1, at))), unname(as.matrix(simulate(by_number, 2, 1, days[c(3, 50, 2)]))))
  with_day <- data.frame(time = as.Date("2024-03-29"))
  expect_identical(predict(gp, with_day), predict(by_number, 1))
  expect_identical(predict(gp, data.frame(time = c("2024-03-29", NA))), c(predict(by_number, 1), NA))
  prior <- predict(clock_model(y ~ time), rows[1:3, ], se.fit = TRUE)
  expect_equal(unname(prior$se.fit), c(1, 1, 1))
})

test_that("everything that is learned is that of the numbers", {
  rows <- clock_rows()
  gp <- streaming_gp(y ~ time, rows)
  twin <- streaming_gp(y ~ days, transform(rows, days = clock_days(rows)))
  expect_identical(core_of(gp), core_of(twin))
  expect_identical(unname(coef(gp)), unname(coef(twin)))
})

test_that("dates, durations and several columns", {
  i <- 1:60
  rows <- data.frame(day = as.Date("2023-11-20") + i, for_how_long = as.difftime(i / 10, units = "hours"), y = sin(i / 5))
  gp <- clock_model(y ~ day + for_how_long, rows)
  expect_identical(core_of(gp), core_of(clock_model()$update(cbind((i - 1) / 7, i / 10), rows$y)))
  expect_identical(core_of(gp), core_of(clock_model()$update(rows[1:2], rows$y)))
  in_minutes <- transform(rows, for_how_long = `units<-`(for_how_long, "mins"))
  expect_equal(predict(gp, in_minutes), predict(gp, rows), tolerance = 1e-12)
  other <- transform(rows, day = as.POSIXct(format(day), tz = "UTC"))
  expect_identical(predict(gp, other), predict(gp, rows))
  expect_identical(vapply(as.list(gp)$frame$times, `[[`, "", "unit"), c(day = "weeks", for_how_long = "hours"))
})

test_that("any cut of the stream gives the same", {
  rows <- clock_rows(200)
  whole <- streaming_gp(y ~ time, rows[1:200, ])
  cut <- streaming_gp(y ~ time, rows[1:100, ])
  for (i in split(101:200, c(rep(1, 3), rep(2, 60), rep(3, 37)))) cut$update(rows[i, ])
  expect_equal(predict(cut, rows), predict(whole, rows), tolerance = 1e-8)
  # another first batch, another unit: the same function, found from other numbers
  hours <- streaming_gp(y ~ time, rows[1:20, ])
  hours$update(rows[21:200, ])
  expect_identical(as.list(hours)$frame$times$time$unit, "hours")
  expect_equal(predict(hours, rows), predict(whole, rows), tolerance = 1e-3)
})

test_that("clocks that change make no hour longer: times are instants", {
  Sys.setenv(TZ = "Europe/Berlin")
  on.exit(Sys.unsetenv("TZ"))
  night <- as.POSIXct("2024-03-31 00:30", tz = "Europe/Berlin") + 3600 * 0:4
  expect_identical(format(night, "%H:%M"), c("00:30", "01:30", "03:30", "04:30", "05:30"))
  expect_identical(diff(number(night)), rep(1, 4))
  autumn <- as.POSIXct("2024-10-27 00:30", tz = "Europe/Berlin") + 3600 * 0:4
  expect_identical(diff(number(autumn)), rep(1, 4))
  local <- as.POSIXct("2024-03-31 00:30") + 3600 * 0:4
  expect_identical(number(local), number(night))
  y <- sin(0:4)
  models <- lapply(list(night, `attr<-`(night, "tzone", "UTC"), `attr<-`(night, "tzone", "Asia/Kathmandu")), function(time) {
    clock_model(y ~ time, data.frame(time, y))
  })
  for (gp in models[-1]) expect_identical(predict(gp, data.frame(time = night)), predict(models[[1]], data.frame(time = local)))
})

test_that("files, copies, shards and lists keep unit and origin", {
  rows <- clock_rows()
  gp <- streaming_gp(y ~ time + depth, rows[1:80, ], half_life = half_life("2 days", by = "time"))
  file <- tempfile(fileext = ".gps")
  rds <- tempfile()
  save_gp(gp, file)
  saveRDS(gp, rds)
  twins <- list(load_gp(file), readRDS(rds), streaming_gp_restore(as.list(gp)), gp$copy())
  times <- as.list(gp)$frame$times
  gp$update(rows[81:120, ])
  for (twin in twins) {
    expect_identical(as.list(twin)$frame$times, times)
    twin$update(rows[81:120, ])
    expect_identical(predict(twin, rows), predict(gp, rows))
  }
  plain <- clock_model()$update(rows$time, rows$y)
  save_gp(plain, file)
  expect_identical(predict(load_gp(file), rows$time), predict(plain, rows$time))
  written <- transform(rows, stamp = format(time, "%d.%m.%Y %H:%M", tz = "UTC"), day = as.Date(time))
  functions <- clock_model(y ~ as.POSIXct(stamp, "UTC", "%d.%m.%Y %H:%M") + weekdays(day), written)
  expect_identical(names(as.list(functions)$frame$times), "as.POSIXct(stamp, \"UTC\", \"%d.%m.%Y %H:%M\")")
  save_gp(functions, file)
  expect_identical(predict(load_gp(file), written), predict(functions, written))
  state <- as.list(gp)
  for (bad in list(1, list(1), list(time = 1), list(time = replace(times$time, "unit", "years")), list(time = replace(times$time, "origin", NA)))) {
    state$frame$times <- bad
    expect_error(streaming_gp_restore(state), "`frame` in the state does not fit", class = "gpstream_error_corrupt")
  }
  unlink(c(file, rds))
})

test_that("models with one unit and origin can be merged, others not", {
  rows <- clock_rows()
  first <- clock_model(y ~ time, rows[1:60, ])
  part <- shard(first)
  part$update(rows[61:120, ])
  whole <- suppressMessages(merge(first, part))
  expect_equal(predict(whole, rows), predict(clock_model(y ~ time, rows), rows), tolerance = 1e-2)
  elsewhere <- clock_model(y ~ time, transform(rows, time = `attr<-`(time, "tzone", "UTC"))[1:60, ])
  expect_identical(suppressMessages(merge(first, elsewhere))$nobs, 120)
  expect_snapshot(error = TRUE, {
    merge(first, clock_model(y ~ time, transform(rows, time = time + 86400)))
    merge(first, clock_model(y ~ time, transform(rows, time = as.numeric(time) / 86400)))
  })
})

test_that("rows with times are consumed, scored, evaluated and resumed", {
  rows <- clock_rows(200)
  csv <- tempfile(fileext = ".csv")
  utils::write.csv(transform(rows, time = format(time, "%Y-%m-%dT%H:%M:%OS3+00:00", tz = "UTC")), csv, row.names = FALSE)
  read <- utils::read.csv(csv)
  read$time <- as.POSIXct(read$time, format = "%Y-%m-%dT%H:%M:%OS", tz = "UTC")
  at_hand <- clock_model(y ~ time)
  for (i in 1:4) at_hand$update(read[50 * i - 49:0, ])
  from_csv <- clock_model(y ~ time)
  consume(from_csv, csv, batch_size = 50)
  whole <- timeless(from_csv) # before it is read, which factors it
  expect_equal(predict(from_csv, rows), predict(at_hand, rows), tolerance = 1e-9)
  expect_identical(as.list(from_csv)$frame$times$time$tz, "UTC")
  plain <- clock_model()
  consume(plain, transform(rows, depth = NULL), batch_size = 50)
  expect_equal(predict(plain, rows["time"]), unname(predict(at_hand, rows)), tolerance = 1e-3)
  pairs <- clock_model()
  consume(pairs, rows$time, y = rows$y, batch_size = 50)
  expect_identical(unname(predict(pairs, rows$time)), unname(predict(plain, rows["time"])))
  consume(clock_model(), list(x = rows[c("time", "depth")], y = rows$y), batch_size = 50)
  scores <- evaluate(
    list(gp = clock_model(), line = baseline_refit(function(data) stats::lm(y ~ x, data))), rows$time, batch_size = 50, y = rows$y
  )
  expect_identical(scores$overall$scored, c(150, 150))
  expect_true(all(is.finite(evaluate(clock_model(y ~ time), rows, batch_size = 50)$overall$rmse)))
  file <- tempfile(fileext = ".gps")
  half <- clock_model(y ~ time)
  consume(half, csv, batch_size = 50, checkpoint = file, max_rows = 100)
  rest <- clock_model(y ~ time)
  consume(rest, csv, batch_size = 50, checkpoint = file, resume = TRUE)
  expect_identical(timeless(rest), whole)
  unlink(c(csv, file))
})

test_that("times that are text in a database", {
  skip_if_not_installed("RSQLite")
  rows <- clock_rows(100)
  rows$time <- as.POSIXct(format(rows$time, "%Y-%m-%d %H:%M:%S", tz = "UTC"), tz = "UTC")
  db <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  on.exit(DBI::dbDisconnect(db))
  DBI::dbWriteTable(db, "log", transform(rows, time = format(time, "%Y-%m-%d %H:%M:%S")))
  gp <- clock_model(y ~ time)
  consume(gp, db, sql = "SELECT time, y FROM log ORDER BY rowid", batch_size = 40)
  twin <- clock_model(y ~ time)
  consume(twin, rows, batch_size = 40)
  expect_identical(timeless(gp)[[1]]$core, timeless(twin)[[1]]$core)
})

test_that("rows with times are taken out again, bounded, optimized and augmented", {
  rows <- clock_rows(60)
  gp <- clock_model(y ~ time, rows)
  before <- clock_model(y ~ time, rows[1:59, ])
  gp$unlearn(rows[60, ])
  expect_equal(predict(gp, rows), predict(before, rows), tolerance = 1e-4)
  plain <- clock_model()$update(rows$time, rows$y)
  plain$unlearn(rows$time[60], rows$y[60])
  expect_identical(plain$nobs, 59)
  expect_true(is.finite(gp$bound(rows[60, ])$bound))
  gp$optimize(rows, what = "scale")
  points <- gp$points
  gp$points <- points[-1, , drop = FALSE]
  expect_identical(gp$size, nrow(points) - 1L)
  gp$points <- data.frame(time = rows$time[c(1, 20, 40)])
  expect_equal(as.vector(gp$points), clock_days(rows)[c(1, 20, 40)])
  skip_if_not_installed("generics")
  more <- generics::augment(plain, rows$time[1:3])
  expect_identical(more$x, rows$time[1:3])
})

test_that("rows without a time are missing rows", {
  rows <- clock_rows(30)
  rows$time[4] <- NA
  expect_error(clock_model(y ~ time, rows), "`data` has NA in row 4, column `time`", class = "gpstream_error_nonfinite")
  expect_message(gp <- clock_model(y ~ time, rows, na_action = "omit"), "Dropped 1 of 30 rows")
  later <- transform(rows[1:2, ], time = NA)
  expect_message(gp$update(later), "Dropped 2 of 2 rows")
  expect_identical(predict(gp, data.frame(time = c(NA, NA))), c(NA_real_, NA_real_))
})

test_that("half-lives in words are those in numbers", {
  rows <- clock_rows()
  numbers <- transform(rows, time = clock_days(rows))
  by_number <- clock_model(y ~ time, numbers, half_life = half_life(1.5, by = "time"))
  same <- list("36 hours", as.difftime(1.5, units = "days"), half_life("36 hours"), half_life("2160 min", by = "time"), half_life("1.5 days", by = 1))
  for (h in same) {
    gp <- clock_model(y ~ time, rows, half_life = h)
    expect_identical(core_of(gp), core_of(by_number))
    expect_identical(gp$half_life$half_life, 1.5)
  }
  expect_identical(clock_model()$update(rows$time, rows$y)$half_life$half_life, Inf)
  expect_identical(core_of(clock_model(half_life = half_life("36 hours", by = "x"))$update(rows$time, rows$y)), core_of(by_number))
  expect_true(is.na(clock_model(half_life = "1 day")$half_life$half_life))
  gp <- clock_model(y ~ time, rows, half_life = "1 day")
  file <- save_gp(gp, tempfile())
  expect_identical(predict(load_gp(file)$update(rows), rows), predict(gp$update(rows), rows))
  unlink(file)
  expect_snapshot(error = TRUE, {
    half_life("1 fortnight", by = "time")
    half_life("0 days")
    clock_model(y ~ depth, rows, half_life = "1 day")
    clock_model(y ~ depth + time, rows, half_life = half_life("1 day", by = "depth"))
    clock_model(y ~ other + time, transform(rows, other = time), half_life = "1 day")
  })
  expect_snapshot({
    half_life("1 day", by = "time")
    half_life(as.difftime(1, units = "days"))
    half_life("52 weeks", by = 2)
  })
})

test_that("print() and summary() say the unit", {
  rows <- clock_rows()
  gp <- clock_model(y ~ time + day, transform(rows, day = as.Date(time)))
  expect_output(print(gp), "inputs   time: days since 2024-03-28 UTC; day: days since 2024-03-28 UTC", fixed = TRUE)
  expect_output(print(summary(gp)), "time: days since 2024-03-28 UTC", fixed = TRUE)
  expect_output(print(clock_model()$update(as.difftime(1:5, units = "mins"), 1:5)), "inputs   x: mins\n", fixed = TRUE)
  expect_false(any(grepl("inputs", utils::capture.output(print(clock_model()$update(1:5, 1:5))))))
})

test_that("columns stay what they were, in a sentence", {
  rows <- clock_rows(30)
  gp <- clock_model(y ~ time, rows)
  plain <- clock_model()$update(rows[c("time", "depth")], rows$y)
  bare <- clock_model()$update(rows$time, rows$y)
  numeric <- clock_model(y ~ depth, rows)
  elapsed <- clock_model(y ~ time, transform(rows, time = time - time[1]))
  before <- core_of(gp)
  expect_snapshot(error = TRUE, {
    gp$update(transform(rows, time = as.numeric(time)))
    gp$update(data.frame(time = 3, y = 1))
    gp$update(transform(rows, time = replace(format(time), 7, "n/a")))
    predict(gp, data.frame(time = as.difftime(1, units = "hours")))
    elapsed$update(rows)
    numeric$update(transform(rows, depth = time))
    plain$update(transform(rows[c("time", "depth")], time = 1:30), rows$y)
    plain$update(cbind(time = 1:3, depth = 1:3), 1:3)
    plain$update(rows[c("depth", "y")], rows$y)
    bare$update(1:3, 1:3)
    bare$update(c("2024-03-01", "yesterday"), 1:2)
    clock_model()$update(1:3, 1:3)$update(rows$time, rows$y)
    kernel_matrix(kernel_se(1), rows$time)
    gp$points <- data.frame(time = "soon")
  })
  expect_identical(core_of(gp), before)
})

test_that("text with nearly as many levels as rows is refused, and messages list five things", {
  i <- 1:1000
  rows <- data.frame(y = sin(i), id = sprintf("row %d", i), stamp = format(as.POSIXct("2024-03-01", tz = "UTC") + 60 * i, "%d.%m.%Y %H:%M"))
  rows$mixed <- replace(format(as.Date("2024-03-01") + i), 8, "unknown")
  rows$group <- sprintf("g%d", i %% 40)
  expect_snapshot(error = TRUE, {
    clock_model(y ~ id, rows)
    clock_model(y ~ stamp, rows)
    clock_model(y ~ mixed, rows)
    clock_model()$update(rows["mixed"], rows$y)
    gp <- clock_model(y ~ group, rows[1:200, ])
    gp$update(transform(rows, group = id))
    merge(gp, clock_model(y ~ group, rows[1:200 %% 40 < 30, ]))
    plot(clock_model()$update(matrix(sin(1:70), 10, dimnames = list(NULL, letters[1:7])), 1:10), columns = "z")
  })
  # as before: few levels, few rows, factors
  expect_identical(clock_model(y ~ id, rows[1:20, ])$nobs, 20)
  expect_identical(ncol(clock_model(y ~ factor(id), rows[1:25, ])$points), 25L)
  feed <- tempfile(fileext = ".csv")
  utils::write.csv(rows[c("y", "stamp")], feed, row.names = FALSE)
  error <- tryCatch(consume(clock_model(y ~ stamp), feed), error = conditionMessage)
  expect_lt(nchar(error), 400)
  unlink(feed)
})

test_that("no rows, one row, and times within expressions", {
  rows <- clock_rows(30)
  expect_identical(predict(clock_model(y ~ time), rows[0, ]), numeric())
  gp <- clock_model(y ~ time, rows)
  before <- core_of(gp)
  gp$update(rows[0, ])
  expect_identical(core_of(gp), before)
  expect_identical(predict(gp, rows[0, ]), numeric())
  one <- suppressWarnings(clock_model(y ~ time, rows[1, ]))
  expect_identical(as.list(one)$frame$times$time$unit, "hours")
  expect_identical(unname(predict(one, rows[2, ])), predict(clock_model()$update(24 * clock_days(rows)[1], rows$y[1]), 24 * clock_days(rows)[2]))
  expect_identical(core_of(clock_model(y ~ I(time), rows)), before)
  both <- clock_model(y ~ time * depth, rows)
  expect_identical(colnames(both$points), c("time", "depth", "time:depth"))
  expect_equal(both$points[, 3], both$points[, 1] * both$points[, 2])
  days <- clock_model(y ~ weekdays(time) + depth, rows) # what is made of a time is what it is
  expect_null(as.list(days)$frame$times)
  expect_error(clock_model(y ~ log(time), rows), "does not fit the formula", class = "gpstream_error_input")
  expect_error(clock_model(time ~ depth, rows), "the response `time` must be one numeric column", class = "gpstream_error_type")
})
