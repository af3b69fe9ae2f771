iso <- function(text) gpstream:::read_iso(text)

test_that("text in ISO form is a time", {
  expect_identical(iso(c("2024-03-01", NA, "2023-12-31")), as.Date(c("2024-03-01", NA, "2023-12-31")))
  same <- c(
    "2024-03-01T12:30:00Z", "2024-03-01 12:30", "2024-03-01T12:30", "2024-03-01 12:30:00", "2024-03-01T14:30+02:00",
    "2024-03-01T14:30:00+0200", "2024-03-01 14:30:00 +02", "2024-03-01T07:00:00.000-05:30", "2024-03-02T00:30:00,0+12:00"
  )
  expect_identical(iso(same), as.POSIXct(rep("2024-03-01 12:30:00", length(same)), tz = "UTC"))
  expect_identical(as.numeric(iso("1970-01-01T00:00:01.25Z")), 1.25)
  expect_identical(iso(c("2024-03-01", "2024-03-01 06:00")), as.POSIXct(c("2024-03-01 00:00", "2024-03-01 06:00"), tz = "UTC"))
  expect_identical(iso(c(NA, "1969-12-31T23:59:59Z")), structure(c(NA, -1), class = c("POSIXct", "POSIXt"), tzone = "UTC"))
})

test_that("other text is none", {
  for (text in list(
    character(), NA_character_, "", "2024", "2024-3-1", "2024-02-30", "2024-13-01", "2024-03-01 24:30", "2024-03-01 12:60", "2024-03-01 12",
    "2024-03-01x", "x2024-03-01", "01.03.2024", "20240301", "12:30", "2024-03-01 12:30 Berlin", c("2024-03-01", "soon"), c("a", "2024-03-01")
  )) {
    expect_null(iso(text))
  }
  expect_identical(gpstream:::is_iso(c("2024-02-29", "2023-02-29", NA, "a")), c(TRUE, FALSE, FALSE, FALSE))
})

test_that("what is written is read", {
  time <- as.POSIXct("2024-10-27 02:30:07", tz = "Europe/Berlin")
  expect_equal(as.numeric(iso(gpstream:::format_iso(time))), as.numeric(time))
  expect_identical(iso(gpstream:::format_iso(as.Date("2024-02-29"))), as.Date("2024-02-29"))
})
