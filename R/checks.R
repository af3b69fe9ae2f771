# Checks of arguments. Each returns the value in the form the rest of the code wants, or stops with a message that names
# the argument, what was expected and what came.

is_scalar <- function(x) is.numeric(x) && !is.object(x) && length(x) == 1 && !is.na(x)

check_positive <- function(x, arg) {
  if (!is_scalar(x) || !is.finite(x) || x <= 0) abort("parameter", "`", arg, "` must be a single positive number, not ", describe(x), ".")
  as.double(x)
}

check_fraction <- function(x, arg) {
  if (!is_scalar(x) || x <= 0 || x >= 1) {
    abort("parameter", "`", arg, "` must be a single number between 0 and 1 (exclusive), not ", describe(x), ".")
  }
  as.double(x)
}

check_count <- function(x, arg, least = 0, infinite = FALSE) {
  ok <- is_scalar(x) && x >= least && (if (is.infinite(x)) infinite else x == round(x))
  if (!ok) abort("parameter", "`", arg, "` must be a single whole number of at least ", least, if (infinite) ", or Inf", ", not ", describe(x), ".")
  as.double(x)
}

check_flag <- function(x, arg) {
  if (!is.logical(x) || length(x) != 1 || is.na(x)) abort("parameter", "`", arg, "` must be TRUE or FALSE, not ", describe(x), ".")
  x
}

# match.arg() with our condition; the default is the first choice.
check_choice <- function(x, choices, arg) {
  if (identical(x, choices)) return(choices[1])
  if (!is.character(x) || length(x) != 1 || is.na(x) || !x %in% choices) {
    abort("parameter", "`", arg, "` must be ", if (length(choices) > 1) "one of ", quoted(choices), ", not ", describe(x), ".")
  }
  x
}

check_kernel <- function(kernel, arg = "kernel") {
  if (!inherits(kernel, "gpstream_kernel")) {
    abort("parameter", "`", arg, "` must be a kernel such as kernel_se(), not ", describe(kernel), ".")
  }
  kernel
}

check_selector <- function(select, arg = "select") {
  if (!inherits(select, "gpstream_selector")) {
    abort("parameter", "`", arg, "` must be a selector such as select_oips(), not ", describe(select), ".")
  }
  select
}

check_no_dots <- function(...) {
  if (...length() == 0) return(invisible())
  names <- names(list(...))
  unknown <- if (is.null(names) || !all(nzchar(names))) "an argument without a name" else backtick(names)
  abort("parameter", "there is no use for ", unknown, " here; see the help page for the arguments.")
}
