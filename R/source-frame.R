# Rows that are in memory: data frames, matrices and vectors with outputs, lists of both.

#' @name as_source
#' @aliases as_source.data.frame
#' @rdname as_source
#' @export
as_source.data.frame <- function(x, y = NULL, ...) {
  check_no_dots(...)
  if (!is.null(y)) return(pair_source(x, y))
  new_source(
    "memory", paste0("data frame of ", count(ncol(x), "column")), data = x, total = as.double(nrow(x)),
    remembers = FALSE
  )
}

#' @rdname as_source
#' @export
as_source.matrix <- function(x, y = NULL, ...) {
  check_no_dots(...)
  if (!is.null(y)) return(pair_source(x, y))
  if (is.null(colnames(x))) {
    abort("input",
      "`y` is missing: give one output for each row of `x`, or name the columns of `x`, ",
      "with the output among them.")
  }
  as_source(as.data.frame(x))
}

#' @rdname as_source
#' @export
as_source.numeric <- function(x, y = NULL, ...) {
  check_no_dots(...)
  if (is.null(y)) abort("input", "`y` is missing: give one output for each value of `x`.")
  pair_source(x, y)
}

#' @rdname as_source
#' @export
as_source.list <- function(x, ...) {
  check_no_dots(...)
  if (!identical(sort(names(x)), c("x", "y"))) {
    abort("type", "a list must have the elements `x` and `y`, inputs and outputs, not ", list_names(x), ".")
  }
  pair_source(x$x, x$y)
}

list_names <- function(x) if (is.null(names(x))) describe(x) else backtick(names(x))

#' @rdname as_source
#' @export
as_source.POSIXt <- as_source.numeric

#' @rdname as_source
#' @export
as_source.Date <- as_source.numeric

#' @rdname as_source
#' @export
as_source.difftime <- as_source.numeric

# Times stay what they are: the model knows their unit.
pair_source <- function(x, y) {
  numbers <- first_input(x, "x")
  timed <- !is.null(numbers$frame$times)
  if (inherits(x, "POSIXlt")) x <- as.POSIXct(x)
  y <- response_for(y, nrow(numbers$x), likelihood_gaussian())$y # several outputs are a matrix
  new_source(
    "memory",
    paste0(if (timed) "times" else "matrix", " of ", count(ncol(numbers$x), "column"), " with outputs"),
    data = list(x = if (timed) x else numbers$x, y = y), total = as.double(nrow(numbers$x)),
    remembers = FALSE
  )
}

# `at` need not be kept: rows that are taken, left out or in the buffer are those before it.
draw.gpstream_source_memory <- function(source, n) {
  at <- source$taken + source$behind + sum(vapply(source$buffer, source_rows, 0))
  if (at >= source$total) return(NULL)
  batch_part(source$data, (at + 1):min(at + n, source$total))
}

pass_over.gpstream_source_memory <- function(source, rows, n) {
  rows <- min(rows, source$total - source$taken)
  source$buffer <- list()
  source$behind <- 0
  source$taken <- source$taken + rows
  rows
}
