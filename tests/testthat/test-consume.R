# consume(): the model is that of the rows in hand, wherever they come from; what cannot be learned is told and nothing is lost.

interrupt <- function() signalCondition(structure(class = c("interrupt", "condition"), list(message = "")))

test_that("the model is the one that update() makes of the same batches", {
  data <- stream_rows(300)
  for (make in list(stream_model, function() streaming_gp(y ~ a + g, kernel = kernel_se("ard"), memory = 100), function() streaming_gp(y ~ a))) {
    by_hand <- make()
    for (i in 0:5) by_hand$update(data[50 * i + 1:50, ])
    gp <- make()
    expect_invisible(consume(gp, data, batch_size = 50))
    # a prediction on the way decides when the posterior is factored, which shows in the last digits
    expect_equal(predict(gp, data[1:50, ], interval = "prediction"), predict(by_hand, data[1:50, ], interval = "prediction"), tolerance = 1e-8)
    expect_identical(gp$points, by_hand$points)
    expect_identical(gp$nobs, 300)
    expect_identical(coef(gp), coef(by_hand), tolerance = 1e-8)
  }
})

test_that("every source of the same rows gives the same model, bit by bit", {
  data <- stream_rows(430)
  file <- tempfile(fileext = ".csv")
  utils::write.csv(data, file, row.names = FALSE)
  expected <- consumed(data)
  expect_identical(consumed(as_source(data)), expected)
  expect_identical(consumed(chunked(data, c(30, 1, 399))), expected)
  expect_identical(consumed(file), expected)
  expect_identical(consumed(textConnection(readLines(file))), expected)
  expect_identical(consumed(transform(data, g = factor(g)))[[1]]$core, expected[[1]]$core)
  if (requireNamespace("tibble", quietly = TRUE)) expect_identical(consumed(tibble::as_tibble(data)), expected)
  skip_if_not_installed("RSQLite")
  db <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  on.exit(DBI::dbDisconnect(db))
  DBI::dbWriteTable(db, "t", data)
  expect_identical(consumed(db, sql = "SELECT * FROM t"), expected)
  expect_identical(consumed(db, sql = "SELECT y, 1 AS more, g, a FROM t"), expected) # by name
})

test_that("without a formula: inputs and outputs apart, or a column that is named", {
  t <- toy(250, 2)
  frame <- data.frame(u = t$x[, 1], v = t$x[, 2], y = t$y)
  expected <- consumed(t$x, gp = toy_gp(0, 2), y = t$y)
  expect_identical(consumed(t, gp = toy_gp(0, 2)), expected)
  expect_identical(consumed(as_source(t$x, y = t$y), gp = toy_gp(0, 2)), expected)
  points <- function(...) unname(consumed(..., gp = toy_gp(0, 2))[[1]]$core$Z)
  expect_identical(points(frame), unname(expected[[1]]$core$Z))
  expect_identical(points(stats::setNames(frame, c("u", "v", "w")), y = "w"), unname(expected[[1]]$core$Z))
  expect_identical(points(as.matrix(frame)), unname(expected[[1]]$core$Z))
  one <- toy(100)
  expect_identical(consumed(one$x[, 1], gp = toy_gp(0), y = one$y), consumed(one, gp = toy_gp(0)))
  gp <- toy_gp(0)
  error <- stopped_by(consume(gp, data.frame(a = 1:3, b = 1:3)), "gpstream_error_input")
  expect_match(conditionMessage(error), "say which column is the output, as in y = \"b\": there is no column `y`")
  stopped_by(consume(stream_model(), list(x = 1:3, y = 1:3)), "gpstream_error_input")
})

test_that("nothing, and a single row", {
  gp <- stream_model()
  before <- as.list(gp)
  none <- list(stream_rows(0), function() NULL, list(x = numeric(), y = numeric()))
  for (source in none) expect_message(consume(gp, source), "The source has no rows", class = "gpstream_message")
  expect_identical(as.list(gp), before)
  one <- stream_rows(1)
  gp <- stream_model()
  consume(gp, one)
  expect_identical(as.list(gp)$core$Z, as.list(stream_model()$update(one))$core$Z)
  expect_identical(consumed(transform(stream_rows(7), g = factor(g)), size = 1)[[1]]$core$seen, 7)
})

test_that("a bad batch stops the run with its number and rows; the source stands before it", {
  data <- stream_rows(500)
  bad <- list(
    `gpstream_error_nonfinite` = transform(data, y = replace(y, 250, NA)),
    `gpstream_error_nonfinite` = transform(data, a = replace(a, 250, Inf)),
    `gpstream_error_input` = transform(data, g = replace(g, 250, "new")),
    `gpstream_error_input` = transform(data, y = replace(y, 250, 1e200))
  )
  for (i in seq_along(bad)) {
    gp <- stream_model()
    source <- as_source(bad[[i]])
    error <- stopped_by(consume(gp, source, 100), names(bad)[i])
    expect_s3_class(error, "gpstream_error_batch")
    expect_match(conditionMessage(error), "^batch 3 \\(rows 201 to 300\\) was not learned: .*What came before is learned \\(200 rows\\)")
    expect_identical(error[c("batch", "rows")], list(batch = 3, rows = c(201, 300)))
    expect_s3_class(error$parent, names(bad)[i])
    expect_identical(timeless(gp), consumed(data[1:200, ]))
    expect_identical(source$taken, 200)
    # the same again, and then on without it
    stopped_by(consume(gp, source, 100), "gpstream_error_batch")
    expect_warning(consume(gp, source, 100, on_error = "skip"), "Left out 1 of 500 rows that could not be learned; the first because .*row 250", class = "gpstream_warning_skipped")
    expect_identical(timeless(gp), consumed(data[-250, ]))
  }
})

test_that("columns that go or change their type half-way", {
  data <- stream_rows(300)
  changed <- list(
    type = list(data[1:150, ], transform(data[151:200, ], a = "high"), data[201:300, ]),
    lost = list(data[1:150, ], data[151:200, c("g", "y")], data[201:300, ]),
    added = list(data[1:150, ], transform(data[151:200, ], more = 1), data[201:300, ]),
    order = list(data[1:150, ], data[151:200, 3:1], data[201:300, ])
  )
  for (name in names(changed)) {
    at <- 0
    give <- function() if ((at <<- at + 1) <= 3) changed[[name]][[at]]
    gp <- stream_model()
    if (name %in% c("added", "order")) {
      consume(gp, give, 100)
      expect_identical(gp$nobs, 300)
      next
    }
    error <- stopped_by(consume(gp, give, 100), "gpstream_error_batch")
    expect_match(conditionMessage(error), "batch 3 \\(rows 151 to 200\\)") # what was sound went before, as a batch of its own
    expect_identical(gp$nobs, 150)
    at <- 0
    gp <- stream_model()
    expect_warning(consume(gp, give, 100, on_error = "skip"), "Left out 50 of 300 rows", class = "gpstream_warning_skipped")
    expect_identical(gp$nobs, 250)
  }
})

test_that("torn lines and changed types in a file are named, or skipped", {
  data <- stream_rows(300)
  file <- tempfile(fileext = ".csv")
  utils::write.csv(data, file, row.names = FALSE)
  lines <- readLines(file)
  for (line in c("1,\"u\"", "high,\"u\",1", "1,\"u\",1,9")) {
    writeLines(replace(lines, 151, line), file)
    gp <- stream_model()
    error <- stopped_by(consume(gp, file, 100), "gpstream_error_io")
    expect_match(conditionMessage(error), "batch 2 \\(rows 101 to 200\\) was not learned: line 151 of CSV file")
    expect_identical(timeless(gp), consumed(data[1:100, ]))
    gp <- stream_model()
    expect_warning(consume(gp, file, 100, on_error = "skip"), "Left out 1 of 300 rows .* line 151", class = "gpstream_warning_skipped")
    expect_identical(timeless(gp), consumed(data[-150, ]))
  }
})

test_that("an error of the source itself stops the run, whatever `on_error` says", {
  calls <- 0
  fails <- function() if ((calls <<- calls + 1) == 3) stop("sensor unplugged") else stream_rows(100, from = 100 * calls)
  for (on_error in c("stop", "skip")) {
    calls <- 0
    gp <- stream_model()
    error <- stopped_by(consume(gp, fails, 100, on_error = on_error), "gpstream_error_batch")
    expect_match(conditionMessage(error), "batch 3 could not be read: sensor unplugged")
    expect_identical(gp$nobs, 200)
  }
})

test_that("rows with missing values are dropped as the model says, and told once", {
  data <- transform(stream_rows(500), y = replace(y, c(3, 150, 151, 400), NA))
  gp <- stream_model(na_action = "omit")
  told <- character()
  withCallingHandlers(consume(gp, data, 100), message = function(m) {
    told <<- c(told, conditionMessage(m))
    tryInvokeRestart("muffleMessage")
  })
  expect_identical(told, "Dropped 4 of 500 rows with missing or infinite values.\n")
  expect_identical(gp$nobs, 496)
  all_gone <- stream_model(na_action = "omit")
  expect_message(consume(all_gone, transform(data[1:300, ], y = NA_real_), 100), "Dropped 300 of 300")
  expect_identical(all_gone$nobs, 0)
})

test_that("part of a source: max_rows and skip", {
  data <- stream_rows(500)
  gp <- stream_model()
  source <- as_source(data)
  consume(gp, source, 100, max_rows = 250)
  expect_identical(gp$nobs, 250)
  expect_identical(source$taken, 250)
  expect_identical(consumed(data, skip = 200), consumed(data[201:500, ]))
  expect_identical(consumed(chunked(data, c(77, 423)), skip = 200), consumed(data[201:500, ]))
  expect_error(consume(gp, data, skip = 501), "the source ends after 500 rows, before those that are to be learned", class = "gpstream_error_source")
  gp <- stream_model()
  consume(gp, data, max_rows = 0)
  expect_identical(gp$nobs, 0)
})

test_that("an interrupt while the source waits: what is learned stays, and one can go on", {
  data <- stream_rows(400)
  calls <- 0
  give <- function() {
    calls <<- calls + 1
    if (calls == 3) interrupt()
    if (calls <= 5) data[100 * (calls - 1 - (calls > 3)) + 1:100, ]
  }
  gp <- stream_model()
  source <- as_source(give)
  expect_message(consume(gp, source, 100), "Stopped: 200 rows learned. To go on, call consume\\(\\) again with the same source", class = "gpstream_message")
  expect_identical(timeless(gp), consumed(data[1:200, ]))
  consume(gp, source, 100)
  expect_identical(gp$nobs, 400)
  # a function or a connection goes on where it stands: to skip rows of it would lose them
  calls <- 0
  expect_message(consume(stream_model(), give, 150), "make the source first, with as_source\\(\\): it remembers its place. Lost: 50 rows", class = "gpstream_message")
  calls <- 0
  expect_message(consume(stream_model(), function(reset) if (!reset) give(), 100), "with skip = 200")
})

test_that("rows that were read ahead when a source failed are in the source, or are told", {
  at <- 0
  give <- function() if ((at <<- at + 1) == 4) stop("no signal") else if (at < 7) stream_rows(40, from = 40 * (at - 1 - (at > 4)) + 1)
  error <- stopped_by(consume(stream_model(), give, 100), "gpstream_error_batch")
  expect_match(conditionMessage(error), "batch 2 could not be read: no signal\nWhat came before is learned (100 rows). Lost: 20 rows", fixed = TRUE)
  at <- 0
  gp <- stream_model()
  source <- as_source(give)
  error <- stopped_by(consume(gp, source, 100), "gpstream_error_batch")
  expect_no_match(conditionMessage(error), "Lost")
  consume(gp, source, 100)
  expect_identical(timeless(gp), consumed(stream_rows(200)))
})

test_that("sources of somebody else's, which can neither skip nor take back", {
  registerS3method("next_batch", "somebodys", function(source, n) {
    if (source$at >= 300) return(NULL)
    source$at <- source$at + n
    stream_rows(n, from = source$at - n + 1)
  })
  theirs <- function() structure(list2env(list(at = 0)), class = "somebodys")
  expect_identical(consumed(theirs()), consumed(stream_rows(300)))
  expect_identical(consumed(theirs(), skip = 100), consumed(stream_rows(200, from = 101)))
  registerS3method("next_batch", "whole_days", function(source, n) if ((source$at <- source$at + 1) <= 3) stream_rows(24, from = 24 * (source$at - 1) + 1))
  days <- function() structure(list2env(list(at = 0)), class = "whole_days")
  expect_identical(consumed(days(), skip = 24), consumed(stream_rows(48, from = 25), 24))
  expect_error(consume(stream_model(), days(), skip = 30), "cannot be read up to row 30.*end at row 48", class = "gpstream_error_source")
})

test_that("sources of somebody else's that give nonsense, or nothing yet", {
  give <- NULL
  registerS3method("next_batch", "anything", function(source, n) if ((source$at <- source$at + 1) <= length(give)) give[[source$at]])
  anything <- function() structure(list2env(list(at = 0)), class = "anything")
  for (nonsense in list(7, "a", list(1), list(x = 1:2, y = 1), mean)) {
    give <- list(stream_rows(50), nonsense)
    gp <- stream_model()
    error <- stopped_by(consume(gp, anything()), "gpstream_error_batch")
    expect_match(conditionMessage(error), "batch 2 could not be read: .*50 rows")
    expect_identical(gp$nobs, 50)
    stopped_by(evaluate(gp, anything()), "gpstream_error_batch")
    stopped_by(consume(gp, anything(), skip = 60), "gpstream_error_batch")
  }
  give <- list(data.frame(), stream_rows(50), stream_rows(0), stream_rows(50, from = 51))
  expect_identical(consumed(anything()), consumed(stream_rows(100), 50))
  expect_identical(consumed(anything(), skip = 50), consumed(stream_rows(50, from = 51)))
  expect_identical(evaluate(stream_model(), anything())$overall$scored, 50)
})

test_that("when a model is scored, and how: by the stream alone", {
  data <- stream_rows(2000)
  gp <- stream_model()
  consume(gp, data, 100)
  history <- gp$history
  expect_identical(sum(history$rows), 2000)
  scored <- history$scored > 0
  expect_false(scored[1])
  expect_true(all(history$scored[scored] == 20))
  since <- 100
  for (i in 2:20) {
    expect_identical(scored[i], since >= max(8 * history$points[i - 1], history$nobs[i - 1] / 4))
    since <- if (scored[i]) 100 else since + 100
  }
  # the scores are those of the predictions a user would have made
  at <- which(scored)[2]
  twin <- stream_model()
  consume(twin, data, 100, max_rows = 100 * (at - 1))
  rows <- data[100 * (at - 1) + round(1 + 0:19 * (99 / 19)), ]
  p <- predict(twin, rows, se.fit = TRUE)
  sd <- sqrt(p$se.fit^2 + p$residual.scale^2)
  expect_equal(history$rmse[at], sqrt(mean((rows$y - p$fit)^2)))
  expect_equal(history$log_score[at], mean(stats::dnorm(rows$y, p$fit, sd, log = TRUE)))
  expect_equal(history$coverage[at], mean(abs(rows$y - p$fit) < stats::qnorm(0.975) * sd))
  expect_equal(history$bound[at - 1], twin$objective)
  expect_true(all(history$seconds > 0))
})

test_that("messages and arguments", {
  gp <- stream_model()
  data <- stream_rows(50)
  mixed <- transform(data, y = replace(y, c(5, 25), NA))
  shown <- conditions_of(
    consume(1, data), consume(gp), consume(gp, 7), consume(gp, data, batch_size = 0), consume(gp, data, on_error = "ignore"), consume(gp, data, progress = 1),
    consume(gp, data, every = "often"), consume(gp, data, checkpoint = 7), consume(gp, data, resume = TRUE), consume(gp, data, max_rows = -1),
    consume(gp, data, skip = 0.5), consume(gp, data, header = TRUE), consume(gp, "nowhere.csv"), consume(gp, stream_rows(0)),
    consume(gp, mixed, 10), consume(gp, mixed, 10, on_error = "skip"), consume(gp, data.frame(b = 1)), consume(gp, data[1, 3:1], skip = 2)
  )
  expect_snapshot(writeLines(shown))
})
