# plumber and vetiver: a model that is served, and learns what is sent to it.

# What a route answers, without a server.
sent <- function(router, path, rows) {
  body <- charToRaw(as.character(jsonlite::toJSON(rows)))
  req <- new.env()
  req$REQUEST_METHOD <- "POST"
  req$PATH_INFO <- path
  req$QUERY_STRING <- ""
  req$CONTENT_TYPE <- req$HTTP_CONTENT_TYPE <- "application/json"
  req$HEADERS <- c("content-type" = "application/json")
  req$rook.input <- local({
    list(read = function(...) body, rewind = function() NULL, read_lines = function(...) rawToChar(body))
  })
  answer <- router$call(req)
  list(status = answer$status, body = jsonlite::fromJSON(answer$body))
}
served_gp <- function() {
  data <- data.frame(x = toy(40)$x[, 1], g = factor(c("u", "v")[1 + 1:40 %% 2]), y = toy(40)$y)
  streaming_gp(y ~ x + g, data = data, kernel = kernel_se(2, 1), noise = 0.01, mean = 0, optimize = "none")
}

test_that("rows that are sent are learned, and what is wrong with them is said", {
  skip_if_not_installed("plumber")
  gp <- served_gp()
  twin <- gp$copy()
  file <- tempfile(fileext = ".gps")
  router <- pr_update(plumber::pr(), gp, save = file)
  rows <- data.frame(x = c(1, 2.5), g = c("v", "u"), y = c(0.3, -0.2))
  answer <- sent(router, "/update", rows)
  expect_identical(answer$status, 200L)
  expect_equal(unlist(answer$body$nobs), 42)
  twin$update(rows)
  expect_identical(predict(gp, rows), predict(twin, rows))
  expect_identical(predict(load_gp(file), rows), predict(twin, rows))
  bad <- sent(router, "/update", data.frame(x = 1, g = "w", y = 1))
  expect_identical(bad$status, 400L)
  expect_match(unlist(bad$body$error), "new level")
  expect_identical(gp$nobs, 42)
  expect_error(pr_update(plumber::pr(), toy_gp()), "must have a formula", class = "gpstream_error_parameter")
})

test_that("a model goes through a board of pins and is served, with an update in between", {
  skip_if_not_installed("vetiver")
  skip_if_not_installed("plumber")
  gp <- served_gp()
  v <- vetiver::vetiver_model(gp, "toy")
  expect_named(v$prototype, c("x", "g"))
  board <- pins::board_temp()
  vetiver::vetiver_pin_write(board, v)
  v <- vetiver::vetiver_pin_read(board, "toy")
  router <- pr_update(vetiver::vetiver_api(plumber::pr(), v), v)
  rows <- data.frame(x = c(1, 2.5), g = c("v", "u"), y = c(0.3, -0.2))
  expect_equal(unlist(sent(router, "/predict", rows[c("x", "g")])$body), unname(predict(gp, rows)), ignore_attr = TRUE, tolerance = 1e-4)
  sent(router, "/update", rows)
  expect_identical(gp$nobs, 40) # what is served is a copy
  gp$update(rows)
  expect_equal(unlist(sent(router, "/predict", rows[c("x", "g")])$body), unname(predict(gp, rows)), ignore_attr = TRUE, tolerance = 1e-4)
})
