# Durations in words: "day", "24 hours", "52 weeks".

# A month is a twelfth of a year, a year 365.25 days.
duration_seconds <- c(
  s = 1, sec = 1, second = 1, min = 60, minute = 60, h = 3600, hr = 3600, hour = 3600, d = 86400, day = 86400,
  week = 604800, month = 365.25 / 12 * 86400, quarter = 365.25 / 4 * 86400, year = 365.25 * 86400
)

# A duration in words, or a difftime, in seconds.
parse_duration <- function(text, arg) {
  if (inherits(text, "difftime") && length(text) == 1) {
    seconds <- as.double(text, units = "secs")
  } else if (is_name(text)) {
    form <- "^ *([0-9]+[.]?[0-9]*|[.][0-9]+)? *([A-Za-z]+?)s? *$"
    parts <- regmatches(text, regexec(form, text, perl = TRUE))[[1]]
    unit <- if (length(parts) == 3) duration_seconds[tolower(parts[3])] else NA
    number <- if (length(parts) == 3 && nzchar(parts[2])) as.double(parts[2]) else 1
    seconds <- number * unname(unit)
  } else {
    seconds <- NA
  }
  if (is.na(seconds) || !is.finite(seconds) || seconds <= 0) {
    abort("parameter", "`", arg, "` must be a duration such as \"1 day\", \"90 min\" or \"52 weeks\", not ",
      describe(text), ".")
  }
  seconds
}

# The same in the unit of a column that is a time.
duration_in <- function(seconds, time) seconds / unit_seconds[[time$unit]]

# A number of seconds in words: in the largest unit in which it is a whole number below 1,000 or, if there is
# none, in which it is 1 or more.
duration_words <- function(seconds, digits) {
  units <- c(year = 365.25 * 86400, week = 604800, day = 86400, hour = 3600, minute = 60, second = 1)
  number <- seconds / units
  whole <- which(abs(number - round(number)) < 1e-9 * number & number > 0.5 & number < 1000)
  unit <- c(whole, which(number >= 1), length(units))[1]
  value <- signif(number[[unit]], digits)
  paste0(format(value), " ", names(units)[unit], if (value != 1) "s")
}

# Periods along a time in words, as people have given them.
with_period_words <- function(kernel, frame, digits) {
  if (is_composite(kernel)) kernel$parts <- lapply(kernel$parts, with_period_words, frame, digits)
  along <- if (is.numeric(kernel$columns)) kernel$columns else if (identical(frame$D, 1L)) 1L
  times <- column_times(frame)[along]
  if (is.numeric(kernel$period) && length(times) == 1 && !is.null(times[[1]])) {
    kernel$period <- duration_words(kernel$period * unit_seconds[[times[[1]]$unit]], digits)
  }
  kernel
}

# A difftime in words.
format_duration <- function(duration) {
  number <- as.double(duration)
  unit <- if (number == 1) sub("s$", "", units(duration)) else units(duration)
  paste(format(number, digits = 15, scientific = FALSE), unit)
}
