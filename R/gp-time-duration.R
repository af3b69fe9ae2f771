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

# A difftime in words.
format_duration <- function(duration) {
  number <- as.double(duration)
  unit <- if (number == 1) sub("s$", "", units(duration)) else units(duration)
  paste(format(number, digits = 15, scientific = FALSE), unit)
}
