# Axes that are times. Models and views have numbers; a plot has what R's own plots of times have (seconds
# since 1970, days since 1970, or the number of a difftime), so that points(time, y) adds to it.

# Numbers of the j-th axis of a view, where they stand on it.
on_axis <- function(view, j, numbers) as.double(number_to_time(numbers, view$times[[view$shown[j]]]))

# A list of numbers, one for each axis; the second may be no column.
axes_of <- function(view, numbers) {
  Map(function(j, values) {
    if (j > length(view$shown)) values else on_axis(view, j, values)
  }, seq_along(numbers), numbers)
}

# Rows of inputs, the inducing points say, on the axes.
points_on_axes <- function(view, x = view$points) {
  columns <- lapply(seq_along(view$shown), function(j) on_axis(view, j, x[, view$shown[j]]))
  matrix(unlist(columns), nrow(x), length(view$shown), dimnames = list(NULL, view$names[view$shown]))
}

# Rows of inputs as a data frame, with times as times.
input_columns <- function(view, x) {
  frame <- stats::setNames(as.data.frame(unname(x)), view$names)
  for (j in which(!vapply(view$times, is.null, NA))) frame[[j]] <- number_to_time(frame[[j]], view$times[[j]])
  frame
}

# What the user gave as ranges of the axes, as numbers.
limit_numbers <- function(view, xlim, ylim) {
  one <- function(limits, j, arg) {
    time <- if (j <= length(view$shown)) view$times[[view$shown[j]]]
    if (is.null(limits)) return(NULL)
    if (!is.null(time)) return(time_to_number(limits, time, backtick(arg)))
    if (is.numeric(limits)) return(limits)
    abort("parameter", "`", arg, "` must be two different finite numbers, not ", describe(limits),
      ": that axis is no time.")
  }
  list(xlim = one(xlim, 1, "xlim"), ylim = one(ylim, 2, "ylim"))
}

# Numbers as ggplot2 has a scale for them: it has none for a difftime.
number_to_scale <- function(numbers, time) {
  if (identical(time$class, "difftime")) numbers else number_to_time(numbers, time)
}

plain_durations <- function(frame) {
  durations <- vapply(frame, inherits, NA, "difftime")
  frame[durations] <- lapply(frame[durations], as.double)
  frame
}

# Limits as ggplot2 wants them.
limits_on_axes <- function(view, limits) {
  lapply(seq_along(view$shown), function(j) {
    if (!is.null(limits[[j]])) number_to_scale(limits[[j]], view$times[[view$shown[j]]])
  })
}

# Of a difftime the label tells the unit; the others have ticks of their own.
has_ticks <- function(times, j) {
  time <- if (j <= length(times)) times[[j]]
  !is.null(time) && time$class != "difftime"
}

# What an axis is called: with what its ticks do not say of a time.
axis_labels <- function(labels, times, limits = list(), short = FALSE) {
  for (j in seq_along(labels)) {
    time <- if (j <= length(times)) times[[j]]
    more <- if (!is.null(time)) unsaid(time, if (j <= length(limits)) limits[[j]], short)
    if (!is.null(more)) labels[j] <- paste0(labels[j], ", ", more)
  }
  labels
}

# The unit of a difftime; year, or day, where ticks leave it out, and where the clock is.
unsaid <- function(time, limits, short) {
  if (time$class == "difftime") return(time$unit)
  if (is.null(limits)) return(NULL)
  found <- time_ticks(limits, time, short = short)
  labels <- found$labels
  clock <- any(grepl(":", labels))
  ends <- number_to_time(range(if (length(found$at) > 0) found$at else limits), time)
  day <- unique(format(ends, if (clock && !any(grepl("[A-Za-z]", labels))) "%Y-%m-%d" else "%Y"))
  said <- any(grepl("[0-9]{4}", labels))
  zone <- if (clock && nzchar(time$tz)) time$tz
  if (short && clock) day <- day[1] # a panel has little room; its axis begins there
  words <- c(if (!said) paste(day, collapse = " to "), zone)
  if (length(words) > 0) paste(words, collapse = " ")
}

# Round times within limits in numbers, as numbers, with labels that tell them apart. `short`: without the day
# where the clock does.
time_ticks <- function(limits, time, n = 5, short = FALSE) {
  if (time$class == "difftime") return(list(at = pretty(limits, n)))
  found <- pretty(number_to_time(range(limits), time), n)
  at <- time_to_number(found, time)
  inside <- at >= min(limits) & at <= max(limits)
  labels <- attr(found, "labels")[inside]
  clock <- sub(".* ", "", labels)
  if (short && all(grepl("^[0-9]+:[0-9:]+$", clock)) && !anyDuplicated(clock)) labels <- clock
  list(at = at[inside], labels = labels)
}

# From where to where an axis goes, as numbers.
axis_numbers <- function(ends, time) {
  if (is.null(time) || time$class == "difftime") return(ends)
  class <- if (time$class == "Date") "Date" else c("POSIXct", "POSIXt")
  time_to_number(structure(ends, class = class), time)
}

draw_time_axis <- function(side, time, dots) {
  ends <- graphics::par("usr")[if (side == 1) 1:2 else 3:4]
  found <- time_ticks(axis_numbers(ends, time), time)
  style <- dots[intersect(names(dots), c("las", "cex.axis", "col.axis", "font.axis", "tcl", "mgp"))]
  if (is.null(style$las)) style$las <- if (side == 1) 1 else 0 # there is no room for long labels
  at <- as.double(number_to_time(found$at, time))
  ends <- at + label_width(found$labels, style) / 2
  whole <- side == 2 | style$las > 1 | ends <= graphics::grconvertX(1, "nfc") # or it would be cut off
  do.call(graphics::axis, c(list(side, at = at[whole], labels = found$labels[whole]), style))
}

label_width <- function(labels, style) {
  graphics::strwidth(labels, cex = if (is.null(style$cex.axis)) graphics::par("cex.axis") else style$cex.axis)
}

# A time that is held, in a note: to the minute.
format_held <- function(number, time) {
  value <- number_to_time(number, time)
  if (time$class == "difftime") return(paste(signif(number, 3), time$unit))
  if (time$class == "Date") format(value) else format(value, "%Y-%m-%d %H:%M")
}
