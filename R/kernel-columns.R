# A kernel as the core wants it: columns by number, periods in the unit of their column.

kernel_for <- function(kernel, frame) {
  if (is.null(kernel)) return(NULL)
  if (is_composite(kernel)) {
    kernel$parts <- lapply(kernel$parts, kernel_for, frame)
    if (!is.null(kernel$along)) kernel$along <- kernel_columns(kernel$along, frame, "along")
    return(kernel)
  }
  if (!is.null(kernel$columns)) kernel$columns <- kernel_columns(kernel$columns, frame, "columns")
  if (!is.null(kernel$along)) {
    along <- kernel_columns(kernel$along, frame, "along")
    kernel$along <- if (is.null(kernel$columns)) along else match(along, kernel$columns)
    if (anyNA(kernel$along)) abort("parameter", "`along` of a kernel must be one of its `columns`.")
  }
  check_column_count(kernel, if (is.null(kernel$columns)) frame$D else length(kernel$columns))
  if (is_duration(kernel$period)) {
    kernel$period <- period_in(kernel$period, if (is.null(kernel$columns)) 1 else kernel$columns[1], frame)
  }
  kernel
}

# Can the kernel be of D columns? (Lengthscales are checked by the core.)
check_column_count <- function(kernel, D) {
  brownian <- kernel$name %in% c("brownian", "integrated_brownian")
  open <- kernel$name == "cosine" && is.null(kernel$frequency)
  if (D > 1 && (brownian || open)) {
    what <- if (brownian) "kernel_brownian() is" else "a `frequency` can be found where the kernel is"
    abort("dimension", what, " of one column, not of ", D, "; say of which (`columns`)",
      if (open) ", or give one for each", ".")
  }
  for (arg in c("frequency", "origin", "scale")) {
    numbers <- length(kernel[[arg]])
    if (numbers > 0 && numbers != D && (numbers > 1 || arg == "frequency")) {
      abort("dimension", "`", arg, "` of a kernel has ", count(numbers, "number"), ", but the kernel is of ",
        count(D, "column"), ".")
    }
  }
}

# Numbers of columns of the inputs; those of a factor are the columns of its levels.
kernel_columns <- function(columns, frame, arg) {
  if (is.numeric(columns)) {
    if (max(columns) <= frame$D) return(columns)
    abort("dimension", "`kernel` asks for column ", max(columns), " (`", arg, "`), but there ",
      if (frame$D == 1) "is one." else paste0("are ", frame$D, "."))
  }
  found <- columns_named(columns, frame)
  unknown <- columns[lengths(found) == 0]
  if (length(unknown) > 0) {
    abort("parameter", "`", arg, "` of a kernel names ", backtick(unknown),
      ", which is no column of the inputs",
      if (is.null(frame$names)) ": they have no names." else paste0(" (", backtick(frame$names), ")."))
  }
  unlist(found)
}

# By name, the numbers of the columns of an input.
columns_named <- function(names, frame) {
  known <- input_names(frame)
  if (is.null(frame$names) && frame$D == 1) names[names == "x1"] <- known
  lapply(names, function(name) {
    own <- bare(known) == bare(name)
    levels <- frame$xlevels[[bare(name)]]
    if (!any(own) && !is.null(levels)) own <- bare_start(known) %in% paste0(bare(name), levels)
    if (!any(own) && is_logical_input(name, known)) own <- bare_start(known) == paste0(bare(name), "TRUE")
    which(own)
  })
}

# Numbers of columns with the names of what they are of, for people: of a column, or of a factor.
with_column_names <- function(kernel, frame) {
  if (is.null(frame$names)) return(kernel)
  if (is_composite(kernel)) {
    kernel$parts <- lapply(kernel$parts, with_column_names, frame)
  } else if (is.numeric(kernel$columns)) {
    own <- Filter(function(levels) setequal(levels, kernel$columns), factor_columns(frame))
    names <- if (length(own) > 0) names(own)[1] else input_names(frame)[kernel$columns]
    names(kernel$columns) <- rep_len(names, length(kernel$columns))
  }
  kernel
}

# Names as a formula writes them, `a b`, and as data have them, a b; of the columns of a factor, `a b`u and
# a bu.
bare <- function(names) gsub("^`|`$", "", names)
bare_start <- function(names) sub("^`([^`]*)`", "\\1", names)

# A logical column of a formula is one of zeros and ones.
is_logical_input <- function(name, known) {
  !bare(name) %in% bare(known) && paste0(bare(name), "TRUE") %in% bare_start(known)
}

is_duration <- function(period) is.character(period) || inherits(period, "difftime")

# A period in words, in the unit of the column that it is of.
period_in <- function(period, column, frame) {
  name <- input_names(frame)[column]
  time <- frame$times[[name]]
  if (is.null(time)) {
    abort("parameter", "`period` is a time (", format_period(period), "), but ", backtick(name),
      " is a column of numbers; give a number.")
  }
  seconds <- parse_duration(period, "period")
  if (time$class == "Date" && seconds < 2 * 86400) {
    abort("parameter", "`period` is ", format_period(period), ", but ", backtick(name),
      " is a column of dates, in which nothing shorter than 2 days can be seen.")
  }
  duration_in(seconds, time)
}

format_period <- function(period) if (is.character(period)) period else format_duration(period)
