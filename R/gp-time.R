# Times as inputs. A time column becomes numbers: so many units since an origin, both fixed by the first batch
# and kept with the model. Instants are instants: a time zone says how they are shown, not what they are.
#
# What is kept of a column is a list, a "time" in names of arguments: `class` ("POSIXct", "Date" or
# "difftime"), `unit`, `origin` (seconds since 1970; 0 of a difftime) and `tz`.

unit_seconds <- c(secs = 1, mins = 60, hours = 3600, days = 86400, weeks = 604800)

is_time <- function(x) inherits(x, c("Date", "POSIXt", "difftime"))

# Values as a Date, POSIXct or difftime: what is one, and text in ISO form. NULL for anything else.
as_time <- function(values) {
  if (inherits(values, "POSIXlt")) return(as.POSIXct(values))
  if (is_time(values)) return(values)
  if (is.character(values) && is.null(dim(values))) read_iso(values)
}

# What is kept of the first batch of a column, as as_time() gives it.
fix_time <- function(values) {
  class <- intersect(c("POSIXct", "Date", "difftime"), class(values))[1]
  if (class == "difftime") return(list(class = class, unit = units(values), origin = 0, tz = ""))
  seconds <- seconds_of(values)
  seconds <- seconds[is.finite(seconds)]
  tz <- attr(values, "tzone")[1]
  list(
    class = class, unit = span_unit(if (length(seconds) > 0) diff(range(seconds)) else 0, class),
    origin = if (length(seconds) > 0) floor(min(seconds) / 86400) * 86400 else 0, # midnight UTC
    tz = if (class == "Date") "UTC" else if (is.null(tz)) "" else tz
  )
}

# The largest unit of which the span has at least two.
span_unit <- function(span, class) {
  if (span == 0) return(if (class == "Date") "days" else "hours")
  fits <- names(unit_seconds)[span >= 2 * unit_seconds]
  unit <- if (length(fits) > 0) fits[length(fits)] else "secs"
  if (class == "Date" && unit != "weeks") "days" else unit
}

seconds_of <- function(values) {
  if (inherits(values, "difftime")) return(as.double(values, units = "secs"))
  as.double(unclass(values)) * if (inherits(values, "Date")) 86400 else 1
}

# `what`: how messages name the values.
time_to_number <- function(values, time, what = "the values") {
  found <- as_time(values)
  if (is.null(found)) {
    if (is.atomic(values) && !is.object(values) && length(values) > 0 && all(is.na(values))) {
      return(rep(NA_real_, length(values)))
    }
    refuse_for_time(values, time, what)
  }
  if (inherits(found, "difftime") != (time$class == "difftime")) refuse_for_time(values, time, what)
  if (time$class == "difftime") return(as.double(found, units = time$unit))
  (seconds_of(found) - time$origin) / unit_seconds[[time$unit]]
}

# A Date, POSIXct or difftime; the numbers themselves where there is no time.
number_to_time <- function(numbers, time) {
  if (is.null(time)) return(numbers)
  if (time$class == "difftime") return(as.difftime(as.double(numbers), units = time$unit))
  seconds <- time$origin + as.double(numbers) * unit_seconds[[time$unit]]
  if (time$class == "Date") return(structure(seconds / 86400, class = "Date"))
  structure(seconds, class = c("POSIXct", "POSIXt"), tzone = time$tz)
}

refuse_for_time <- function(values, time, what) {
  wanted <- if (time$class == "difftime") "a difftime" else "a date or time"
  if (is.character(values) && time$class != "difftime") {
    bad <- which(!is.na(values) & !is_iso(values))[1]
    abort("type", what, " must be ", wanted, ", as in the first batch, or text in ISO form such as ",
      "\"2024-03-01 12:30\", but in ", row_name(bad), " it is ", describe(values[[bad]]), ".")
  }
  abort("type", what, " must be ", wanted, ", as in the first batch, not ", describe(values), ".")
}

# "days since 2024-03-01 UTC"
format_time <- function(time) {
  if (time$class == "difftime") return(time$unit)
  paste(time$unit, "since", format(structure(time$origin / 86400, class = "Date")), "UTC")
}

# A line for print() and summary(); NULL where no input is a time.
format_times <- function(frame) {
  if (length(frame$times) == 0) return(NULL)
  shown <- utils::head(frame$times, 5)
  more <- length(frame$times) - length(shown)
  paste0(paste0(names(shown), ": ", vapply(shown, format_time, ""), collapse = "; "),
    if (more > 0) paste0("; ... and ", more, " more"))
}

is_times <- function(times) {
  is_one <- function(time) {
    is.list(time) && isTRUE(time$class %in% c("POSIXct", "Date", "difftime")) &&
      isTRUE(time$unit %in% names(unit_seconds)) && is_scalar(time$origin) && is.finite(time$origin) &&
      is_name(time$tz)
  }
  is.null(times) || (is.list(times) && !is.null(names(times)) && all(vapply(times, is_one, NA)))
}

# Of each input column its time, NULL for numbers.
column_times <- function(frame) lapply(input_names(frame), function(name) frame$times[[name]])

# --- the first batch ----------------------------------------------------------------------------------------

# Of a vector or data frame without a formula: a list, as long as there are columns.
input_times <- function(x) {
  columns <- if (is.data.frame(x)) as.list(x) else if (is.null(dim(x))) list(x)
  lapply(unname(columns), function(values) {
    found <- as_time(values)
    if (!is.null(found)) fix_time(found)
  })
}

# Of the variables of a formula, by name.
formula_times <- function(model) {
  found <- Filter(Negate(is.null), lapply(model, as_time))
  if (length(found) > 0) lapply(found, fix_time)
}

# Text that is no time is a category, unless there are nearly as many as rows.
many_levels <- 20

check_categories <- function(values, name, arg) {
  if (!is.character(values)) return(invisible())
  levels <- unique(values[!is.na(values)])
  if (length(levels) <= many_levels || length(levels) <= length(values) / 2) return(invisible())
  abort("type", backtick(name), " in `", arg, "` is text with ", count(length(levels), "different value"),
    " in ", count(length(values), "row"), ", such as ", quoted(levels[1]), ": ",
    if (mostly_iso(values)) {
      paste0("of these ", not_all_iso(values), ".")
    } else {
      paste0("too many for categories, and not times in ISO form (\"2024-03-01 12:30\"); write ",
        c(date_call(levels, name), paste0("factor(", name, ") where it is meant"))[1], ".")
    })
}

# What reads dates in another order, 31.12.2024 say; NULL for text that is none. Where no day is above 12 the
# first number is taken for the day.
date_call <- function(text, name) {
  form <- "^([0-9]{1,2})([./-])([0-9]{1,2})[./-]([0-9]{4}|[0-9]{2})([T ][0-9]{1,2}:[0-9]{2}(:[0-9]{2})?)?$"
  text <- text[!is.na(text)]
  if (length(text) == 0 || !all(grepl(form, text))) return(NULL)
  part <- function(i) sub(form, paste0("\\", i), text)
  order <- if (any(as.integer(part(3)) > 12)) c("%m", "%d") else c("%d", "%m")
  year <- if (nchar(part(4)[1]) == 4) "%Y" else "%y"
  clock <- nchar(part(5)[1])
  format <- paste0(paste(c(order, year), collapse = part(2)[1]),
    if (clock > 0) paste0(substr(part(5)[1], 1, 1), if (clock > 6) "%H:%M:%S" else "%H:%M"))
  paste0("as.POSIXct(", name, ", format = \"", format, "\", tz = \"UTC\")")
}

mostly_iso <- function(text) mean(is_iso(text)) > 0.5

not_all_iso <- function(text) {
  bad <- which(!is_iso(text) & !is.na(text))[1]
  paste0("not all are times in ISO form (in ", row_name(bad), ": ", describe(text[[bad]]), ")")
}
