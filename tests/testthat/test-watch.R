# watch() itself, and the server without a browser; test-watch-browser.R has the real thing.

test_that("with run = FALSE there is an app, and nothing has happened yet", {
  skip_if_not_installed("shiny")
  gp <- toy_gp(0)
  app <- gpstream::watch(gp, toy(30), run = FALSE)
  expect_s3_class(app, "shiny.appobj")
  expect_identical(gp$nobs, 0)
})

test_that("the server: buttons, numbers, words and the box", {
  skip_if_not_installed("shiny")
  data <- toy_stream()
  data$y[25] <- NA
  player <- player_pause(toy_player(data))
  shiny::testServer(watch_app(player, leaves = FALSE), {
    session$setInputs(toggle = 0, step = 0, stop = 0, speed = "5")
    expect_match(output$state$html, "Paused")
    expect_identical(output$action, "Resume")
    expect_identical(output$rmse, "\u2013")
    expect_match(output$problem, "first batch")

    session$setInputs(step = 1)
    session$setInputs(step = 2, at_1 = 3)
    expect_identical(player$batch, 2)
    expect_identical(output$rows, "20")
    expect_identical(output$points, format(player$gp$size))
    expect_identical(output$mean, format(predict(player$gp, data.frame(x1 = 3)), digits = 6))
    expect_match(output$fields$html, "at_1")
    expect_match(output$axes$html, "near")
    expect_match(output$coverage, "%$")
    for (id in c("picture", "error", "growth")) expect_match(output[[id]]$src, "^data:image/png")

    session$setInputs(step = 3)
    expect_match(output$trouble, "Batch 3 was not learned: `y` has NA")
    expect_match(output$state$html, "Error")
    session$setInputs(speed = "Inf")
    expect_identical(player$speed, Inf)
    player$source <- as_source(toy_stream()[0, ])
    session$setInputs(toggle = 1)
    expect_match(output$state$html, "Running|End")
    expect_identical(output$trouble, "")
    session$setInputs(toggle = 2)
  })
})

test_that("open pages are counted, and the time since the last one was closed", {
  skip_if_not_installed("shiny")
  app <- watch_app(player_pause(toy_player()), leaves = FALSE)
  page <- environment(app$serverFuncSource())$page
  expect_identical(page$open, 0)
  expect_identical(page$alone, NA)
  shiny::testServer(app, expect_identical(page$open, 1))
  expect_identical(page$open, 0)
  expect_lte(page$alone, wall_clock())
})

test_that("fields and boxes suit the model", {
  skip_if_not_installed("shiny")
  html <- function(ui) as.character(shiny::tagList(ui))
  one <- played(1)
  expect_no_match(html(watch_axes_ui(one, player_fields(one))), "Across")
  expect_match(html(watch_axes_ui(played(1, data = toy_stream(20, 2)), list(1, 2))), "Across")
  expect_null(watch_axes_ui(toy_player(), list()))
  words <- data.frame(y = 1:20, x = sin(1:20), g = rep(c("a", "b"), 10))
  player <- played(1, data = words, gp = streaming_gp(y ~ x + g, kernel = kernel_se(1, 1), noise = 1))
  fields <- html(watch_fields_ui(player_fields(player)))
  expect_match(fields, "type=\"number\"")
  expect_match(fields, "<option value=\"b\">b</option>")
  page <- html(watch_ui(player))
  expect_match(page, "y ~ x + g, batches of 10 rows, 20 rows in all", fixed = TRUE)
  expect_no_match(gsub("http://www.w3.org", "", page), "https?://")
})

test_that("speeds to choose from hold the one in use", {
  expect_identical(unname(speed_choices(5)), c(0.5, 1, 2, 5, 10, 20, 50, Inf))
  expect_identical(names(speed_choices(3))[3:4], c("2 batches/s", "3 batches/s"))
  expect_identical(names(speed_choices(Inf))[c(2, 8)], c("1 batch/s", "As fast as possible"))
})

test_that("numbers are short", {
  expect_identical(vapply(c(0, 0.123456, 12345.6, 2e6, 1e-7, NaN), brief, ""), c("0", "0.123", "12,300", "2e+06", "1e-07", "\u2013"))
})

test_that("Ctrl-C ends the page and gives the model back", {
  skip_on_cran()
  skip_on_os("windows")
  skip_if_not_installed("shiny")
  result <- tempfile(fileext = ".rds")
  process <- watch_process(c(
    "gp <- streaming_gp()",
    "returned <- watch(gp, list(x = 1:9, y = 1:9))",
    sprintf("saveRDS(identical(gp, returned), %s)", deparse(result))
  ))
  on.exit(tools::pskill(process$pid))
  tools::pskill(process$pid, tools::SIGINT)
  expect_true(until(function() readRDS(result)))
})

test_that("what watch() refuses, it says in words", {
  skip_if_not_installed("shiny")
  gp <- toy_gp(0)
  rows <- toy(30)
  refused <- conditions_of(
    gpstream::watch(1, rows),
    gpstream::watch(gp),
    gpstream::watch(gp, rows, batch_size = 0),
    gpstream::watch(gp, rows, speed = 0),
    gpstream::watch(gp, rows, run = NA),
    gpstream::watch(gp, rows, port = 8000, run = FALSE),
    gpstream::watch(gp, rows, prot = 8000)
  )
  expect_snapshot(writeLines(refused))
})
