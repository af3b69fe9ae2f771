# Checks of arguments. Each returns the value in the form the rest of the code wants, or stops with a message
# that names the argument, what was expected and what came.

is_scalar <- function(x) is.numeric(x) && !is.object(x) && length(x) == 1 && !is.na(x)

check_positive <- function(x, arg) {
  if (!is_scalar(x) || !is.finite(x) || x <= 0) {
    abort("parameter", "`", arg, "` must be a single positive number, not ", describe(x), ".")
  }
  as.double(x)
}

# A variance. Beyond these limits ratios and squares overflow.
check_variance <- function(x, arg) {
  x <- check_positive(x, arg)
  if (x < 1e-140 || x > 1e140) {
    abort("parameter", "`", arg, "` must lie between 1e-140 and 1e140, not ", describe(x), "; rescale `y`.")
  }
  x
}

check_fraction <- function(x, arg) {
  if (!is_scalar(x) || x <= 0 || x >= 1) {
    abort("parameter", "`", arg, "` must be a single number between 0 and 1 (exclusive), not ",
      describe(x), ".")
  }
  as.double(x)
}

# `most = Inf` allows Inf.
check_count <- function(x, arg, least = 0, most = Inf) {
  if (!is_scalar(x) || x < least || x > most || x != round(x)) {
    abort("parameter", "`", arg, "` must be a single whole number ", whole_range(least, most), ", not ",
      describe(x), ".")
  }
  as.double(x)
}

# Any number of them.
check_counts <- function(x, arg, least = 0, most = Inf) {
  ok <- is.numeric(x) && !is.object(x) && !anyNA(x) && all(x >= least & x <= most & x == round(x))
  if (!ok) {
    abort("parameter", "`", arg, "` must be whole numbers ", whole_range(least, most), ", not ",
      describe(x), ".")
  }
  as.double(x)
}

whole_range <- function(least, most) {
  if (most < 1e15) return(paste("from", least, "to", whole(most)))
  paste0("of at least ", least, if (is.infinite(most)) ", or Inf")
}

check_digits <- function(digits) check_count(digits, "digits", 1, most = 22)

check_flag <- function(x, arg) {
  if (!is.logical(x) || length(x) != 1 || is.na(x)) {
    abort("parameter", "`", arg, "` must be TRUE or FALSE, not ", describe(x), ".")
  }
  x
}

# match.arg() with our condition: abbreviations are fine, the default is the first choice.
check_choice <- function(x, choices, arg) {
  if (identical(x, choices)) return(choices[1])
  found <- if (is.character(x) && length(x) == 1) pmatch(x, choices) else NA
  if (is.na(found)) {
    abort("parameter", "`", arg, "` must be ", if (length(choices) > 1) "one of ",
      paste(dQuote(choices, FALSE), collapse = ", "), ", not ", describe(x), ".")
  }
  choices[found]
}

# One or several of the choices.
check_choices <- function(x, choices, arg) {
  if (!is.character(x) || length(x) == 0) check_choice(x, choices, arg) # which says what is wrong
  vapply(x, check_choice, "", choices, arg, USE.NAMES = FALSE)
}

# Kernels and selectors are plain lists, which can be edited: they are made anew by their constructors, and so
# checked.
check_kernel <- function(kernel, arg = "kernel") {
  if (!inherits(kernel, "gpstream_kernel") || !is.list(kernel)) {
    abort("parameter", "`", arg, "` must be a kernel such as kernel_se(), not ", describe(kernel),
      constructor_advice(kernel, "kernel_"), ".")
  }
  if (!is_composite(kernel)) return(made_anew(kernel, "kernel_", core_kernel_names(), arg))
  if (!is.character(kernel$name) || !isTRUE(kernel$name %in% c("sum", "product", "warped")) ||
    length(kernel$parts) == 0) {
    edited_by_hand(arg)
  }
  if (kernel$name == "warped") {
    kernel$kernel <- kernel$parts[[1]]
    kernel[c("parts", "variance")] <- NULL
    return(made_anew(kernel, "kernel_", "warped", arg))
  }
  kernel$parts <- lapply(kernel$parts, check_kernel, arg)
  complete_composite(kernel)
}

check_selector <- function(select, arg = "select") {
  if (!inherits(select, "gpstream_selector") || !is.list(select)) {
    abort("parameter", "`", arg, "` must be a selector such as select_oips(), not ", describe(select),
      constructor_advice(select, "select_"), ".")
  }
  names(select)[names(select) == "points"] <- "Z"
  made_anew(select, "select_", core_selector_names(), arg)
}

made_anew <- function(object, prefix, known, arg) {
  fields <- unclass(object)
  make <- if (is.character(fields$name) && isTRUE(fields$name %in% known)) get0(paste0(prefix, fields$name))
  any <- isTRUE(fields$any)
  fields <- fields[!names(fields) %in% c("name", "any")]
  if (!is.function(make) || !all(names(fields) %in% names(formals(make)))) edited_by_hand(arg)
  out <- do.call(make, fields, quote = TRUE)
  if (any) out$any <- TRUE
  out
}

edited_by_hand <- function(arg) {
  abort("parameter", "`", arg, "` was edited by hand into something unknown; make it anew.")
}
