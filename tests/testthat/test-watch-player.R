# The player of the live page; helper-watch.R makes it.

test_that("steps are plain updates: the model ends up as if it had been given the rows", {
  player <- toy_player(batch_size = 30)
  for (i in 1:6) expect_true(player_step(player))
  expect_identical(player$batch, 6)
  expect_identical(player$state, "running")
  expect_true(player_step(player)) # the last 20
  expect_false(player_step(player))
  expect_identical(player$state, "ended")
  expect_identical(player$gp$nobs, 200)

  other <- streaming_gp(y ~ ., kernel = kernel_se(1, 1), noise = 0.01, mean = 0, optimize = "none")
  for (rows in split(1:200, ceiling(1:200 / 30))) other$update(toy_stream()[rows, ])
  at <- data.frame(x1 = 0:10)
  expect_equal(predict(player$gp, at, interval = "prediction"), predict(other, at, interval = "prediction"))
})

test_that("a model without a formula is played from x and y", {
  rows <- toy(50, 2)
  player <- toy_player(rows, batch_size = 20, gp = toy_gp(0))
  for (i in 1:3) player_step(player)
  expect_null(player$trouble)
  expect_identical(player$gp$nobs, 50)
  expect_equal(player$seen$x, rows$x)
  expect_equal(player$seen$y, rows$y)

  # or from a data frame, one column of which is the output
  player <- toy_player(toy_stream(50, 2)[c("y", "x1", "x2")], batch_size = 50, gp = toy_gp(0))
  player_step(player)
  expect_equal(player$seen$x, rows$x, ignore_attr = TRUE)
  expect_equal(player_fields(player)[[1]]$value, signif(median(rows$x[, 1]), 3))
  player <- toy_player(toy_stream(), response = "z", gp = toy_gp(0))
  player_step(player)
  expect_match(player$trouble, "`z`")
})

test_that("the speed is that of the clock", {
  player <- toy_player(toy_stream(1000), batch_size = 1, speed = 4)
  player_tick(player)
  expect_identical(player$batch, 1) # at once
  pass(player, 0.2)
  player_tick(player)
  expect_identical(player$batch, 1)
  for (i in 1:20) {
    pass(player, 0.1)
    player_tick(player)
  }
  expect_equal(player$batch, 1 + 8, tolerance = 1 / 9)

  player_pause(player)
  before <- player$batch
  pass(player, 60)
  player_tick(player)
  expect_identical(player$batch, before)
  player_resume(player)
  player_tick(player)
  expect_identical(player$batch, before + 1) # and not the 240 of the minute
  player_speed(player, 20)
  pass(player, 0.5)
  player_tick(player)
  expect_identical(player$batch, before + 11)
  pass(player, 60) # the page was away
  player_tick(player)
  expect_lte(player$batch, before + 11 + 20)
})

test_that("as fast as possible is as much as the time allows", {
  player <- toy_player(toy_stream(1000), batch_size = 1, speed = Inf)
  steady <- player$clock
  player$clock <- function() {
    pass(player, 0.01)
    steady()
  }
  player_tick(player, budget = 0.1)
  expect_gte(player$batch, 9)
  expect_lte(player$batch, 11)
})

test_that("an error in a batch pauses, says why, and leaves the model as it was", {
  data <- toy_stream()
  data$y[25] <- NA
  player <- toy_player(data, batch_size = 10, speed = Inf)
  player_step(player)
  player_step(player)
  before <- as.list(player$gp)
  kept <- mget(c("seen", "limits", "record", "points", "born"), player)
  expect_false(player_step(player))
  expect_identical(player$state, "paused")
  expect_match(player$trouble, "`y` has NA in row 25")
  expect_identical(player$refused, 1)
  expect_identical(as.list(player$gp), before)
  expect_identical(mget(names(kept), player), kept)
  expect_identical(which(is_newest(player$seen)), 11:20)

  # while it runs, too, and it goes on with the next batch
  player_resume(player)
  expect_null(player$trouble)
  player_tick(player)
  expect_identical(player$gp$nobs, 190)
  expect_identical(player$state, "ended")
})

test_that("a broken part of a source is left out when it goes on", {
  file <- tempfile(fileext = ".csv")
  on.exit(unlink(file))
  writeLines(c("x1,y", paste(1:10, 1:10, sep = ","), "11,oops", paste(12:20, 12:20, sep = ",")), file)
  player <- toy_player(as_source(file), batch_size = 5)
  for (i in 1:20) {
    player_step(player)
    if (player$state == "ended") break
  }
  expect_identical(player$state, "ended")
  expect_gte(player$refused, 1)
  expect_gte(player$gp$nobs, 10)
})

test_that("a batch that Ctrl-C kept from being learned goes back to its source", {
  skip_on_os("windows")
  skip_on_cran()
  key <- FALSE
  slow <- function(x) {
    if (key) {
      key <<- FALSE
      tools::pskill(Sys.getpid(), tools::SIGINT)
      Sys.sleep(5)
    }
    x
  }
  player <- played(3, gp = streaming_gp(y ~ slow(x1), kernel = kernel_se(1, 1), noise = 0.01, optimize = "none"))
  before <- as.list(player$gp)
  key <- TRUE
  expect_identical(tryCatch(player_step(player), interrupt = function(i) "interrupted"), "interrupted")
  expect_identical(as.list(player$gp), before)
  player_step(player)
  expect_null(player$trouble)
  expect_equal(player$seen$y, toy_stream()$y[1:40])
})

test_that("an error of the source is shown as well", {
  player <- toy_player(function() stop("the sensor is off"))
  player_tick(player)
  expect_identical(player$state, "paused")
  expect_match(player$trouble, "the sensor is off")
  expect_match(player_status(player)$trouble, "^Batch 1 was not learned: the sensor is off")
  expect_identical(player_status(player)$state, "Error")
})

test_that("warnings and messages are notes, and do not stop the stream", {
  gp <- streaming_gp(y ~ x1, kernel = kernel_se(0.1, 1), noise = 0.01, select = select_oips(max_points = 3, when_full = "stop"), na_action = "omit", optimize = "none")
  data <- toy_stream()
  data$y[12] <- NA
  player <- toy_player(data, gp = gp)
  expect_silent(player_step(player))
  expect_match(player$note, "^Batch 1: the model has reached `max_points`")
  expect_silent(player_step(player))
  expect_match(player$note, "^Batch 2: Dropped 1 of 10 rows")
  expect_identical(player$state, "running")
  expect_length(player$seen$y, 19)
})

test_that("an empty source ends at once", {
  player <- toy_player(toy_stream()[0, ])
  player_tick(player)
  expect_identical(player$state, "ended")
  expect_identical(player$batch, 0)
})

test_that("what is shown: the latest rows, all limits, the points and when they joined", {
  data <- toy_stream(1200)
  player <- toy_player(data, batch_size = 100)
  for (i in 1:12) {
    before <- player$gp$size
    player_step(player)
    expect_identical(sum(player$born == i), player$gp$size - before)
  }
  expect_length(player$seen$y, 500)
  expect_equal(player$seen$y, utils::tail(data$y, 500))
  expect_equal(player$seen$x[, 1], utils::tail(data$x1, 500))
  expect_identical(player$seen$batch, rep(8:12 + 0, each = 100))
  expect_equal(player$limits, cbind(range(data$x1), range(data$y)))
  expect_identical(is_fresh(player), player$born >= 8)

  # a batch larger than what is kept
  player <- toy_player(data, batch_size = 1200)
  player_step(player)
  expect_equal(player$seen$y, utils::tail(data$y, 500))
})

test_that("points chosen anew by a warm-up keep their birth where they stay", {
  player <- toy_player(gp = streaming_gp(y ~ x1), batch_size = 10)
  for (i in 1:20) {
    old <- player$gp$points
    born <- player$born
    player_step(player)
    now <- player$gp$points
    expect_length(player$born, nrow(now))
    stays <- match(now[, 1], if (i > 1) old[, 1])
    expect_equal(player$born[!is.na(stays)], born[stays[!is.na(stays)]])
    expect_true(all(player$born[is.na(stays)] == i))
  }
})

test_that("marked are rows outside the interval that holds 999 of 1,000, and a class that hardly ever comes", {
  data <- toy_stream(200)
  data$y[c(3, 25, 90)] <- data$y[c(3, 25, 90)] + c(1, 1, -1)
  player <- toy_player(data, batch_size = 20)
  twin <- streaming_gp(y ~ ., kernel = kernel_se(1, 1), noise = 0.01, mean = 0, optimize = "none")
  outside <- NULL
  for (rows in split(data, rep(1:10, each = 20))) {
    player_step(player)
    if (twin$nobs > 0) {
      limits <- predict(twin, rows, interval = "prediction", level = 0.999)
      outside <- c(outside, rows$y < limits[, "lwr"] | rows$y > limits[, "upr"])
    }
    twin$update(rows)
  }
  expect_identical(player$seen$surprise, c(logical(20), unname(outside))) # of the first batch nothing was foretold
  expect_true(all(player$seen$surprise[c(25, 90)]))

  two <- list(gp = streaming_gp(y ~ x1, likelihood = likelihood_bernoulli()))
  scores <- list(pit = c(0.5, 0.9999, 0.5), log_score = log(c(0.5, 0.002, 0.0005)))
  expect_identical(surprises(two, list(y = c(0, 1, 1)), scores), c(FALSE, FALSE, TRUE))
  expect_identical(surprises(two, list(y = 1:400), list(log_score = rep(log(1e-6), 200), pit = rep(0.5, 200))), 1:400 %in% spread_rows(400, 200))
})

test_that("at the end of rows at hand there is nothing to resume; a file may have grown", {
  player <- toy_player(toy_stream(20))
  for (i in 1:3) player_step(player)
  expect_null(player_status(player)$action)
  expect_identical(player_status(player)$class, "final")
  expect_identical(player_resume(player)$state, "ended")
  ended <- toy_player(function() NULL)
  player_step(ended)
  expect_identical(player_status(ended)$action, "Look for new rows")
  expect_identical(player_resume(ended)$state, "running")
})

# --- the record ----------------------------------------------------------------------------------------------------------

test_that("scores are those of predictions made before the batch was learned", {
  player <- toy_player(batch_size = 20)
  twin <- streaming_gp(y ~ ., kernel = kernel_se(1, 1), noise = 0.01, mean = 0, optimize = "none")
  squared <- covered <- 0
  for (rows in split(1:200, ceiling(1:200 / 20))) {
    player_step(player)
    data <- toy_stream()[rows, ]
    if (twin$nobs > 0) {
      expected <- predict(twin, data, interval = "prediction")
      squared <- squared + sum((data$y - expected[, "fit"])^2)
      covered <- covered + sum(data$y >= expected[, "lwr"] & data$y <= expected[, "upr"])
    }
    twin$update(data)
  }
  last <- player$record[nrow(player$record), ]
  expect_equal(last[["scored"]], 180)
  expect_equal(last[["squared"]], squared)
  expect_equal(last[["covered"]], covered)
  expect_equal(player_recent(player$record, 1e6), list(scored = 180, rmse = sqrt(squared / 180), coverage = covered / 180))
})

test_that("of a large batch 200 rows are scored, spread over it", {
  gp <- toy_gp(100)
  squared <- function(y) sum((y - predict(gp, 0))^2)
  expected <- 100 * squared(c(0, 1))
  player <- toy_player(list(x = matrix(0, 5000, 1), y = rep(c(0, 1), each = 2500)), batch_size = 5000, gp = gp)
  player_step(player)
  last <- player$record[nrow(player$record), ]
  expect_identical(last[["scored"]], 200)
  expect_equal(last[["squared"]], expected)
})

test_that("the history of the model has the scores as well", {
  player <- played(10)
  history <- player$gp$history
  expect_identical(history$scored, c(0, rep(10, 9)))
  last <- player$record[nrow(player$record), ]
  expect_equal(sum(history$rmse^2 * history$scored, na.rm = TRUE), last[["squared"]])
  expect_equal(sum(history$coverage * history$scored, na.rm = TRUE), last[["covered"]])
  expect_true(all(history$seconds >= 0))
})

test_that("the record stays short and loses nothing", {
  record <- player_record(toy_gp(0))
  for (i in 1:3000) record <- add_to_record(record, list(nobs = 2 * i, size = i), list(scored = 2, squared = i, covered = 1))
  expect_lte(nrow(record), 600)
  table <- player_table(record, 50)
  expect_lte(nrow(table), 50)
  expect_identical(table$nobs[nrow(table)], 6000)
  expect_true(all(table$coverage == 0.5))
  # squared errors by batch are 1, 2, ..., two rows each; a stretch from batch a to batch b
  end <- table$nobs / 2
  start <- c(0, end[-length(end)])
  expect_equal(table$rmse, sqrt((end + start + 1) / 4))
  recent <- player_recent(record, 100)
  expect_gte(recent$scored, 100)
  expect_lt(recent$scored, 120)
})

test_that("before anything was scored there is nothing to show, without an error", {
  record <- player_record(toy_gp(0))
  expect_identical(nrow(player_table(record)), 0L)
  expect_identical(player_recent(record)$scored, 0)
  expect_identical(brief(player_recent(record)$rmse), "\u2013")
})

test_that("rows a second are counted over the last seconds", {
  pace <- NULL
  expect_identical(player_rate(pace), NA_real_)
  for (i in 0:100) pace <- player_pace(pace, i / 10, if (i <= 50) 7 * i else 350 + 2 * (i - 50))
  expect_equal(player_rate(pace), 20)
  expect_lte(nrow(pace), 32)
})

# --- the box that predicts -----------------------------------------------------------------------------------------------

test_that("the box answers what predict() does", {
  player <- toy_player(toy_stream(100, 2))
  expect_match(player_predict(player, list())$problem, "first batch")
  player_step(player)
  fields <- player_fields(player)
  expect_identical(vapply(fields, `[[`, "", "name"), c("x1", "x2"))
  expect_equal(fields[[2]]$value, signif(median(toy_stream(10, 2)$x2), 3))
  answer <- player_predict(player, list(3, 4))
  expected <- predict(player$gp, data.frame(x1 = 3, x2 = 4), interval = "prediction", se.fit = TRUE)
  expect_identical(unlist(answer), c(mean = expected$fit[[1]], sd = expected$se.fit[[1]], lwr = expected$fit[[2]], upr = expected$fit[[3]]))
  expect_match(player_predict(player, list(3, NA))$problem, "x2")
  expect_match(player_predict(player, list(3, NULL))$problem, "x2")
  expect_match(player_predict(player, list(Inf, 1))$problem, "Inf")

  gp <- toy_gp(40, 2)
  expect_identical(player_predict(toy_player(toy(10, 2), gp = gp), list(3, 4))$mean, predict(gp, cbind(3, 4)))
})

test_that("variables of a formula are fields, a factor with its levels", {
  data <- as.data.frame(ChickWeight)
  player <- toy_player(data, gp = streaming_gp(weight ~ log(Time + 1) + Diet, kernel = kernel_se(c(1, 2, 2, 2, 2)), noise = 200))
  player$batch_size <- 300
  player_step(player)
  fields <- player_fields(player)
  expect_identical(vapply(fields, `[[`, "", "name"), c("Time", "Diet"))
  expect_identical(fields[[2]]$levels, c("1", "2", "3", "4"))
  expect_identical(player_predict(player, list(10, "3"))$mean, predict(player$gp, data.frame(Time = 10, Diet = "3"))[[1]])
})

test_that("a time is a field of text in ISO form, a duration a number", {
  rows <- transform(clock_rows(40), elapsed = time - time[1])[c("time", "elapsed", "depth", "y")]
  units(rows$elapsed) <- "hours"
  for (gp in list(clock_model(y ~ time + elapsed + depth), clock_model())) {
    player <- toy_player(rows, gp = gp, batch_size = 40)
    player_step(player)
    fields <- player_fields(player)
    expect_identical(fields[[1]]$value, gpstream:::format_iso(median(rows$time)))
    expect_identical(fields[[2]]$value, signif(median(as.numeric(rows$elapsed)), 3))
    newdata <- data.frame(time = as.POSIXct("2024-03-29 14:00", tz = "UTC"), elapsed = as.difftime(3, units = "hours"), depth = 0.5)
    expect_identical(player_predict(player, list("2024-03-29T15:00+01:00", 3, 0.5))$mean, unname(predict(gp, newdata)))
    expect_match(player_predict(player, list("soon", 3, 0.5))$problem, "ISO form")
    expect_match(player_predict(player, list("", 3, 0.5))$problem, "Give a value for time")
  }
  bare <- toy_player(list(x = rows$time, y = rows$y), gp = clock_model(), batch_size = 40)
  player_step(bare)
  expect_identical(player_predict(bare, list("2024-03-29"))$mean, predict(bare$gp, as.Date("2024-03-29")))
  text <- toy_player(transform(rows, time = format(time, "%Y-%m-%d %H:%M")), gp = clock_model(y ~ time), batch_size = 40)
  player_step(text)
  expect_match(player_fields(text)[[1]]$value, "^2024-03-[0-9]{2}T")
  skip_if_not_installed("shiny")
  expect_match(as.character(watch_fields_ui(player_fields(text))[[1]]), "type=\"text\"")
})
