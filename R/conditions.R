# Every condition the package signals has a class: gpstream_error_<kind>, gpstream_warning_<kind>,
# gpstream_message.

abort <- function(kind, ...) {
  stop(structure(
    class = c(paste0("gpstream_error_", kind), "gpstream_error", "error", "condition"),
    list(message = paste0(...), call = NULL)
  ))
}

warn <- function(kind, ...) {
  warning(structure(
    class = c(paste0("gpstream_warning_", kind), "gpstream_warning", "warning", "condition"),
    list(message = paste0(...), call = NULL)
  ))
}

inform <- function(..., kind = NULL) {
  message(structure(
    class = c(if (!is.null(kind)) paste0("gpstream_message_", kind), "gpstream_message",
      "message", "condition"),
    list(message = paste0(..., "\n"), call = NULL)
  ))
}

# Called from C++ with the core's own errors.
stop_core <- function(kind, message) abort(kind, message)

# How a value looks in "..., not <this>."
describe <- function(x) {
  if (is.null(x)) return("NULL")
  if (is.function(x)) return("a function")
  if (is.environment(x) && !is.object(x)) return("an environment")
  if (is.language(x) && !is.object(x)) return("an unevaluated expression")
  kind <- if (is.object(x)) paste0("<", class(x)[1], ">") else if (is.list(x)) "a list" else typeof(x)
  if (is.atomic(x) && !is.raw(x) && length(x) == 1 && is.null(dim(x)) && !is.object(x)) {
    return(if (is.character(x)) dQuote(x, FALSE) else format(x, digits = 7))
  }
  if (length(dim(x)) == 2) {
    return(paste0("a ", nrow(x), " x ", ncol(x), " ", if (is.data.frame(x)) "data frame" else "matrix"))
  }
  if (is.object(x) || is.list(x) || length(x) == 1) return(kind)
  if (length(x) == 0) return(paste0("an empty vector (", kind, ")"))
  paste0("a vector of ", length(x), " values (", kind, ")")
}

# At most five of many, and how many more there are.
few <- function(items) {
  more <- length(items) - 5
  first <- paste(utils::head(items, 5), collapse = ", ")
  if (more > 0) paste0(first, ", ... and ", whole(more), " more") else first
}

backtick <- function(names) few(paste0("`", names, "`"))
quoted <- function(values) few(dQuote(values, FALSE))

# Numbers of things, in words: "1 row", "12,000 rows".
plural <- function(n, ending = "s") if (n == 1) "" else ending
whole <- function(n) format(n, big.mark = ",", trim = TRUE, scientific = FALSE)
count <- function(n, noun, ending = "s") paste0(whole(n), " ", noun, plural(n, ending))
