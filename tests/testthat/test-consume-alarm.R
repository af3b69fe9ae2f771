# Alarms and implausible rows in consume() and watch().

# The level jumps at row 601, by 4 standard deviations of the noise.
jumping <- function(n = 900) {
  data <- stream_rows(n)
  set.seed(5)
  data$y <- sin(data$a) + 0.3 * (data$g == "u") + rnorm(n, sd = 0.1) + 0.4 * (seq_len(n) > 600)
  data
}

test_that("an alarm is raised within a few rows, told, and kept in the history", {
  gp <- stream_model()
  alarm <- drift_alarm()
  expect_warning(consume(gp, jumping(), alarm = alarm), "no longer as they were \\(alarm 1, at row 6[01][0-9]", class = "gpstream_warning_drift")
  expect_identical(alarm$alarms, 1L)
  expect_true(alarm$rows > 600 && alarm$rows <= 620)
  expect_identical(alarm$seen, 900)
  history <- gp$history
  expect_identical(history$alarms, as.double(history$nobs > 600))
  expect_identical(max(history$rows), 50)
  expect_identical(load_gp(save_gp(gp, tempfile(fileext = ".gps")))$history, history)
  # the model has learned what it would have learned
  expect_identical(timeless(gp)[[1]]$core$P, consumed(jumping(), size = 50)[[1]]$core$P)
  # an alarm goes on in the next run, and its count goes up from there
  suppressWarnings(consume(gp, transform(jumping(700), y = y - 2), alarm = alarm), classes = "gpstream_warning_drift")
  expect_identical(max(gp$history$alarms), as.double(alarm$alarms))
  expect_gt(alarm$alarms, 1)
})

test_that("no alarm where nothing changes; the alarm sees rows one given the others", {
  data <- transform(stream_rows(800), g = "u")
  set.seed(6)
  data$a <- seq(0, 40, length.out = 800) # every batch is about something new
  data$y <- drop(crossprod(chol(kernel_matrix(kernel_se(1, 1), data$a) + diag(0.01, 800)), rnorm(800)))
  alarm <- drift_alarm(level = 0.05, after = 0)
  gp <- streaming_gp(y ~ a, kernel = kernel_se(1, 1), noise = 0.01, mean = 0, optimize = "none")
  consume(gp, data, alarm = alarm)
  expect_identical(alarm$alarms, 0L)
  expect_identical(max(gp$history$alarms), 0)
})

test_that("forget: what came before counts a tenth; restart: the model starts anew; a function is called", {
  data <- jumping()
  gp <- stream_model()
  expect_warning(consume(gp, data, alarm = "forget"), "counts 0.1 times", class = "gpstream_warning_drift")
  twin <- stream_model()
  for (from in seq(1, 900, 50)) {
    twin$update(data[from:(from + 49), ])
    if (from == 601) twin$forget(0.1)
  }
  expect_equal(predict(gp, data, se.fit = TRUE), predict(twin, data, se.fit = TRUE), tolerance = 1e-10)

  gp <- stream_model()
  expect_warning(consume(gp, data, alarm = "restart"), "starts anew", class = "gpstream_warning_drift")
  expect_identical(gp$nobs, 250)
  expect_equal(predict(gp, data), predict(stream_model(data = data[651:900, ]), data), tolerance = 1e-8)
  expect_identical(gp$history$alarms, rep(1, 5))

  calls <- list()
  gp <- stream_model()
  consume(gp, data, alarm = function(gp, info) calls <<- c(calls, list(c(info, nobs = gp$nobs))))
  expect_length(calls, 1)
  expect_identical(calls[[1]]$alarms, 1L)
  expect_identical(calls[[1]]$nobs, 650)
  expect_gte(calls[[1]]$evidence, 2 / 1e-3)
  expect_true(calls[[1]]$row > 600)
})

test_that("a resumed run with an alarm is identical to one that was never stopped", {
  data <- jumping()
  for (action in c("warn", "restart")) {
    alarm <- drift_alarm(action = action)
    expected <- suppressWarnings(consumed(data, alarm = alarm))
    for (stop_at in c(300, 650, 700)) {
      file <- tempfile(fileext = ".gps")
      suppressWarnings(consume(stream_model(), data, 100, alarm = drift_alarm(action = action), checkpoint = file, max_rows = stop_at))
      gp <- stream_model()
      again <- drift_alarm(action = action)
      suppressWarnings(consume(gp, data, 100, alarm = again, checkpoint = file, resume = TRUE))
      expect_identical(timeless(gp), expected)
      expect_identical(again$state, alarm$state)
    }
  }
  for (other in list(NULL, drift_alarm(0.01), drift_alarm(after = 3))) {
    gp <- stream_model()
    expect_error(consume(gp, data, alarm = other, checkpoint = file, resume = TRUE), "with another `alarm`", class = "gpstream_error_input")
    expect_identical(gp$nobs, 0)
  }
})

test_that("a batch that is not learned is not seen by the alarm either", {
  data <- jumping(400)
  bad <- data
  bad$y[130] <- NA
  alarm <- drift_alarm()
  expect_warning(consume(stream_model(), bad, 50, on_error = "skip", alarm = alarm), class = "gpstream_warning_skipped")
  expect_identical(alarm$seen, 399)
  other <- drift_alarm()
  consume(stream_model(), data[-130, ], 50, alarm = other)
  expect_identical(alarm$state, other$state)
})

test_that("consume() leaves implausible rows out, and tells how many", {
  data <- jumping(500)
  data$y[c(210, 333)] <- 50
  gp <- stream_model()
  expect_message(consume(gp, data, if_plausible = 1e-12, batch_size = 50), "Left out 2 of 500 rows as implausible", class = "gpstream_message")
  expect_identical(c(gp$nobs, gp$implausible), c(498, 2))
  twin <- stream_model()
  expect_no_message(consume(twin, data[-c(210, 333), ]))
  expect_equal(predict(gp, data), predict(twin, data), tolerance = 1e-8)
  expect_error(consume(gp, data, if_plausible = 2), "`if_plausible`", class = "gpstream_error_parameter")
})

test_that("watch() tells of an alarm and marks it", {
  gp <- stream_model()
  player <- gpstream:::new_player(gp, as_source(jumping()), batch_size = 50, alarm = drift_alarm())
  while (player$state == "running") gpstream:::player_step(player)
  expect_match(player$note, "^Batch 13: rows are no longer as they were")
  expect_identical(gpstream:::alarms_at(gp), 650)
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  grDevices::dev.control("enable")
  gpstream:::watch_error(player)
  calls <- lapply(grDevices::recordPlot()[[1]], function(call) as.list(call[[2]]))
  vertical <- unlist(lapply(calls, function(call) if (identical(call[[1]]$name, "C_abline")) call[[5]]))
  expect_equal(vertical, 650)
})

test_that("watch() goes on when an alarm has started the model anew", {
  gp <- stream_model()
  player <- gpstream:::new_player(gp, as_source(jumping()), batch_size = 50, alarm = drift_alarm(action = "restart"))
  nobs <- NULL
  on_device(while (player$state == "running") {
    gpstream:::player_step(player)
    nobs <- c(nobs, gp$nobs)
    player$pace <- gpstream:::player_pace(player$pace, length(nobs), gp$nobs)
    gpstream:::watch_error(player)
    gpstream:::watch_growth(player)
  })
  expect_identical(nobs[12:14], c(600, 0, 50))
  expect_identical(unname(player$record[, "nobs"]), seq(0, 250, 50))
  expect_gte(gpstream:::player_rate(player$pace), 0)
})
