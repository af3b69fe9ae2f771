seconds <- function(text) gpstream:::parse_duration(text, "period")

test_that("durations in words", {
  expect_identical(seconds("day"), 86400)
  expect_identical(seconds("1 day"), 86400)
  expect_identical(seconds("24 hours"), 86400)
  expect_identical(seconds("2 weeks"), 14 * 86400)
  expect_identical(seconds("52weeks"), 364 * 86400)
  expect_identical(seconds("90 min"), 5400)
  expect_identical(seconds("1.5 Mins"), 90)
  expect_identical(seconds(".5 secs"), 0.5)
  expect_identical(seconds("s"), 1)
  expect_identical(seconds("year"), 365.25 * 86400)
  expect_equal(12 * seconds("month"), seconds("1 year"))
  expect_equal(4 * seconds("quarter"), seconds("years"))
  expect_identical(seconds(as.difftime(3, units = "hours")), 10800)
  expect_identical(gpstream:::duration_in(86400, list(unit = "hours")), 24)
  for (duration in list(as.difftime(1, units = "days"), as.difftime(1 / 3, units = "weeks"), as.difftime(5e6, units = "secs"))) {
    expect_equal(seconds(gpstream:::format_duration(duration)), as.double(duration, units = "secs"), tolerance = 1e-14)
  }
})

test_that("what is no duration is refused in words", {
  expect_snapshot(error = TRUE, {
    seconds("fortnight")
    seconds("-1 day")
    seconds("day 1")
    seconds(3)
    seconds(c("day", "week"))
    seconds(as.difftime(0, units = "days"))
    seconds("0 days")
  })
})
