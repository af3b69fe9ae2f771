# The pictures of the live page: by what they say they drew, on a device that keeps nothing.

draw_on_nothing <- function(code, inches = 6) {
  grDevices::pdf(NULL, width = inches, height = inches)
  on.exit(grDevices::dev.off())
  before <- graphics::par(no.readonly = TRUE)
  expect_no_warning(result <- force(code))
  same <- setdiff(names(before), c("usr", "xaxp", "yaxp"))
  expect_identical(graphics::par(no.readonly = TRUE)[same], before[same])
  result
}

test_that("one column: the curve over the range of all rows, or of those shown", {
  player <- played(60, data = toy_stream(600), batch_size = 10)
  drawn <- draw_on_nothing(watch_picture(player))
  expect_lt(min(drawn$x1), player$limits[1, 1])
  expect_gt(max(drawn$x1), player$limits[2, 1])
  expect_equal(drawn$fit, unname(predict(player$gp, drawn["x1"])))
  interval <- predict(player$gp, drawn["x1"], interval = "prediction")
  expect_equal(cbind(drawn$lwr_new, drawn$upr_new), unname(interval[, c("lwr", "upr")]))

  # a stream that moves
  data <- data.frame(x1 = seq(0, 100, length.out = 2000), y = 0)
  player <- played(20, data = data, batch_size = 100)
  expect_lt(min(draw_on_nothing(watch_picture(player))$x1), 0)
  expect_gt(min(draw_on_nothing(watch_picture(player, near = TRUE))$x1), 70)
})

test_that("two columns: a map, the other way round, or the newest rows", {
  player <- played(10, data = toy_stream(200, 2))
  drawn <- draw_on_nothing(watch_picture(player))
  expect_equal(drawn$fit, unname(predict(player$gp, drawn[c("x1", "x2")])))
  expect_identical(watch_axes(player$gp), c(1, 2))
  expect_identical(watch_axes(player$gp, 2), c(2, 1))
  expect_identical(watch_axes(player$gp, 2, 2), c(2, 0))
  drawn <- draw_on_nothing(watch_picture(player, 2, 0))
  expect_equal(drawn$x, player$seen$x[, 2])
  expect_equal(drawn$fit, unname(predict(player$gp, toy_stream(100, 2))))
  interval <- predict(player$gp, toy_stream(100, 2), interval = "prediction")
  expect_equal(as.matrix(drawn[c("lwr", "upr")]), interval[, c("lwr", "upr")], ignore_attr = TRUE)
})

test_that("more columns: the newest rows, or a map with the others held", {
  player <- played(20, data = toy_stream(200, 4))
  expect_identical(watch_axes(player$gp), c(1, 0))
  drawn <- draw_on_nothing(watch_picture(player))
  expect_equal(drawn$y, utils::tail(toy_stream(200, 4)$y, 100))
  drawn <- draw_on_nothing(watch_picture(player, 4, 2))
  expect_equal(unique(drawn$x1), median(player$gp$points[, 1]))
})

test_that("factors are chosen by name and shown level by level; streams go along time", {
  rows <- transform(clock_rows(200), kind = factor(rep(c("u", "v"), 100)))
  player <- played(20, data = rows, gp = clock_model(y ~ depth + kind + time))
  expect_identical(watch_choices(player$gp), list(across = c(depth = 1L, time = 4L, kind = 2L), up = c(depth = 1L, time = 4L)))
  expect_equal(watch_axes(player$gp), c(4, 0))
  expect_equal(watch_axes(player$gp, 2, 1), c(2, 0))
  expect_equal(watch_axes(player$gp, 1, 4), c(1, 4))
  drawn <- draw_on_nothing(watch_picture(player, 2))
  expect_equal(round(drawn$x), rep(1:2, 50))
  alone <- played(20, data = rows, gp = clock_model(y ~ kind))
  expect_equal(round(draw_on_nothing(watch_picture(alone))$x), rep(1:2, 50))
})

test_that("errors and points over time are those of the record", {
  player <- played(20)
  expect_equal(draw_on_nothing(watch_error(player))$rmse, player_table(player$record)$rmse[-1])
  expect_identical(draw_on_nothing(watch_growth(player)), player$record)
})

test_that("everything can be drawn at any moment and any size", {
  data <- list(toy_stream(60), toy_stream(60, 2), toy_stream(60, 3), data.frame(x1 = 2, y = rep(3, 60)), data.frame(a = 1, b = 1:60, y = 5))
  for (rows in data) {
    player <- toy_player(rows, batch_size = 1)
    for (step in 0:3) {
      for (inches in c(2, 6)) {
        draw_on_nothing(watch_picture(player), inches)
        draw_on_nothing(watch_error(player), inches)
        draw_on_nothing(watch_growth(player), inches)
      }
      player_step(player)
    }
    expect_null(player$trouble)
  }
  # a model that knows something already
  draw_on_nothing(watch_picture(toy_player(gp = toy_gp(50))))
})

test_that("columns of time have time axes", {
  rows <- transform(clock_rows(200), day = as.Date("2023-01-01") + 1:200)
  player <- played(20, data = rows, gp = clock_model(y ~ time))
  drawn <- draw_on_nothing({
    out <- watch_picture(player)
    expect_equal(graphics::par("usr")[1:2], as.numeric(range(out$time)))
    out
  })
  expect_true(min(drawn$time) < min(rows$time) && max(drawn$time) > max(rows$time))
  expect_s3_class(draw_on_nothing(watch_picture(player, near = TRUE))$time, "POSIXct")
  player <- played(20, data = rows, gp = clock_model(y ~ time + day))
  expect_s3_class(draw_on_nothing(watch_picture(player))$day, "Date")
  expect_equal(draw_on_nothing(watch_picture(player, 2, 0))$x, as.numeric(rows$day[101:200]))
  player <- played(20, data = rows, gp = clock_model(y ~ depth + day + time))
  drawn <- draw_on_nothing({
    out <- watch_picture(player, 3, 0)
    expect_equal(grDevices::extendrange(out$x, f = 0.04), graphics::par("usr")[1:2]) # the stream has moved on
    out
  })
  expect_equal(drawn$x, as.numeric(rows$time[101:200]))
})
