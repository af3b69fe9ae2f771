# The live page in a real browser: watch() runs in an R of its own, Chromium looks at it and presses its buttons.

page_of <- function(process) paste0("http://127.0.0.1:", process$port)

# The number on the page, -1 where there is none.
shown <- function(browser, id) {
  number <- suppressWarnings(as.numeric(gsub(",", "", text_of(browser, paste0("#", id)))))
  if (is.na(number)) -1 else number
}

says <- function(browser, id, text) until(function() grepl(text, text_of(browser, paste0("#", id)), fixed = TRUE))

test_that("the page: starts, pauses, steps, predicts, shows errors, changes its speed, stops", {
  skip_without_browser()
  flag <- tempfile("flag")
  result <- tempfile(fileext = ".rds")
  # ten rows at a time for ever; a bad batch whenever the flag is there
  process <- watch_process(c(
    "at <- 0",
    "feed <- function() {",
    "  rows <- at + 1:10",
    "  at <<- at + 10",
    "  x <- 10 * (sqrt(2) * rows) %% 1",
    "  data <- data.frame(x = x, y = sin(x))",
    sprintf("  if (file.exists(%s)) {", deparse(flag)),
    sprintf("    unlink(%s)", deparse(flag)),
    "    data$y[3] <- NA",
    "    at <<- at - 10",
    "  }",
    "  data",
    "}",
    "gp <- streaming_gp(y ~ x, kernel = kernel_se(1, 1), noise = 0.01, mean = 0, optimize = 'none')",
    "returned <- watch(gp, feed, batch_size = 10, speed = 2)",
    sprintf("saveRDS(list(same = identical(returned, gp), nobs = gp$nobs, mean = predict(gp, data.frame(x = 3.3))), %s)", deparse(result))
  ))
  on.exit(tools::pskill(process$pid))
  browser <- new_browser()
  on.exit(close_browser(browser), add = TRUE)
  go_to(browser, page_of(process))

  # it runs by itself
  expect_true(says(browser, "state", "Running"))
  expect_true(until(function() shown(browser, "rows") >= 30))
  expect_gt(shown(browser, "points"), 0)
  expect_true(until(function() shown(browser, "rmse") > 0))
  expect_true(until(function() shown(browser, "rate") > 0))
  for (id in c("picture", "error", "growth")) {
    expect_true(until(function() run_js(browser, paste0("return document.querySelector('#", id, " img').naturalWidth")) > 100))
  }

  # nothing comes from anywhere else, and nothing failed to come
  from <- unlist(run_js(browser, "return performance.getEntriesByType('resource').map(e => e.name)"))
  expect_gt(length(from), 0)
  expect_identical(grep("^(http|ws)://127[.]0[.]0[.]1:|^data:", from, value = TRUE, invert = TRUE), character())
  failed <- Filter(function(entry) entry$level == "SEVERE", http(browser$port, "POST", paste0(browser$path, "/se/log"), list(type = "browser")))
  expect_identical(failed, list())

  # pause by keyboard
  press_keys(browser, "#toggle", " ")
  expect_true(says(browser, "state", "Paused"))
  expect_identical(text_of(browser, "#toggle"), "Resume")
  rows <- shown(browser, "rows")
  expect_false(until(function() shown(browser, "rows") != rows, 1.2))

  # one batch
  click(browser, "#step")
  expect_true(until(function() shown(browser, "rows") == rows + 10))
  expect_true(says(browser, "state", "Paused"))

  # the box, against a model of our own
  http(browser$port, "POST", paste0(element(browser, "#at_1"), "/clear"), structure(list(), names = character()))
  expect_true(says(browser, "problem", "Give a value for x"))
  press_keys(browser, "#at_1", "3.3")
  twin <- streaming_gp(y ~ x, kernel = kernel_se(1, 1), noise = 0.01, mean = 0, optimize = "none")
  x <- 10 * (sqrt(2) * seq_len(rows + 10)) %% 1
  twin$update(data.frame(x = x, y = sin(x)))
  expected <- predict(twin, data.frame(x = 3.3), interval = "prediction", se.fit = TRUE)
  expect_true(says(browser, "mean", format(expected$fit[[1]], digits = 6)))
  expect_identical(text_of(browser, "#sd"), format(expected$se.fit, digits = 4))
  expect_identical(text_of(browser, "#interval"), paste(format(expected$fit[[2]], digits = 4), "to", format(expected$fit[[3]], digits = 4)))

  # a bad batch: said, nothing learned, and on it goes
  file.create(flag)
  click(browser, "#step")
  expect_true(says(browser, "trouble", paste0("`y` has NA in row ", rows + 13)))
  expect_true(says(browser, "state", "Error"))
  expect_equal(shown(browser, "rows"), rows + 10)
  click(browser, "#toggle")
  expect_true(says(browser, "state", "Running"))
  expect_true(until(function() text_of(browser, "#trouble") == ""))

  # a thousand rows at two batches a second would take a minute
  click(browser, "#speed option[value='Inf']")
  expect_true(until(function() shown(browser, "rows") > rows + 1000, 30))

  # stop: the page says so, and R has the model
  expect_false(file.exists(result))
  click(browser, "#stop")
  expect_true(until(function() file.exists(result) && file.size(result) > 0 && ended(process)))
  expect_true(until(function() grepl("back in R", text_of(browser, "#gone"))))
  result <- readRDS(result)
  expect_true(result$same)
  expect_gt(result$nobs, rows + 1000)
  expect_equal(result$mean, sin(3.3), tolerance = 0.05)
})

test_that("two columns, on a telephone; a page loaded anew goes on, a closed one gives the model back", {
  skip_without_browser()
  result <- tempfile(fileext = ".rds")
  process <- watch_process(c(
    "x <- 10 * (outer(1:3000, sqrt(c(2, 3))) %% 1)",
    "gp <- streaming_gp(kernel = kernel_se(2, 1), noise = 0.01, mean = 0, optimize = 'none')",
    "watch(gp, list(x = x, y = rowSums(sin(x))), batch_size = 5, speed = 20)",
    sprintf("saveRDS(gp$nobs, %s)", deparse(result))
  ))
  on.exit(tools::pskill(process$pid))
  browser <- new_browser()
  on.exit(close_browser(browser), add = TRUE)
  size <- list(width = 390, height = 844, deviceScaleFactor = 2, mobile = TRUE)
  http(browser$port, "POST", paste0(browser$path, "/goog/cdp/execute"), list(cmd = "Emulation.setDeviceMetricsOverride", params = size))
  go_to(browser, page_of(process))
  expect_true(until(function() shown(browser, "rows") >= 50))
  expect_true(says(browser, "axes", "Across"))
  expect_lte(run_js(browser, "return document.documentElement.scrollWidth"), 390)
  small <- run_js(browser, "return [...document.querySelectorAll('button, select, input[type=number]')].filter(e => e.offsetHeight < 36).length")
  expect_identical(small, 0L)
  unnamed <- "return [...document.querySelectorAll('select, input')].filter(e => e.labels.length != 1 || !e.labels[0].textContent).length"
  expect_identical(run_js(browser, unnamed), 0L)

  # another picture: the newest rows along the second column
  picture <- function() run_js(browser, "return document.querySelector('#picture img').src")
  click(browser, "#toggle")
  expect_true(says(browser, "state", "Paused"))
  before <- picture()
  click(browser, "#across option[value='2']")
  click(browser, "#up option[value='0']")
  expect_true(until(function() picture() != before))

  # loaded anew: the same stream
  rows <- shown(browser, "rows")
  go_to(browser, page_of(process))
  expect_true(until(function() shown(browser, "rows") == rows))
  expect_true(says(browser, "state", "Paused"))
  click(browser, "#toggle")
  expect_true(until(function() shown(browser, "rows") > rows))

  go_to(browser, "about:blank")
  expect_true(until(function() file.exists(result) && file.size(result) > 0 && ended(process)), info = said(process))
  expect_gt(readRDS(result), rows)
})

test_that("at the end of rows at hand only Stop is left", {
  skip_without_browser()
  process <- watch_process("watch(streaming_gp(kernel = kernel_se(2, 1), noise = 0.01, optimize = 'none'), list(x = 1:40, y = sin(1:40)), speed = Inf)")
  on.exit(tools::pskill(process$pid))
  browser <- new_browser()
  on.exit(close_browser(browser), add = TRUE)
  go_to(browser, page_of(process))
  expect_true(says(browser, "state", "End of the stream"))
  left <- "return [...document.querySelectorAll('.bar button')].filter(e => e.offsetHeight > 0).map(e => e.textContent)"
  expect_true(until(function() identical(unlist(run_js(browser, left)), "Stop")))
  click(browser, "#stop")
  expect_true(until(function() ended(process)))
})
