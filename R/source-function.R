# A function that gives the next rows each time it is called.

#' @rdname as_source
#' @export
as_source.function <- function(x, rows = NULL, ...) {
  check_no_dots(...)
  takes <- names(formals(args(x)))
  if (length(takes) > 0 && !any(c("reset", "...") %in% takes)) {
    abort("type",
      "a function must be a function(reset) or a function() that gives the next rows, not one of ",
      backtick(takes), ".")
  }
  rewinds <- "reset" %in% takes
  new_source(
    "function", "function", call = x, rewinds = rewinds, fresh = TRUE, ended = FALSE,
    total = check_total(rows), anew = rewinds
  )
}

# A function may wait for its rows (a sensor, a queue): Ctrl-C must reach it.
draw.gpstream_source_function <- function(source, n) {
  if (source$ended) return(NULL)
  if (source$fresh && source$rewinds) source$call(reset = TRUE)
  source$fresh <- FALSE
  chunk <- allowInterrupts(if (source$rewinds) source$call(reset = FALSE) else source$call())
  source$ended <- is.null(chunk)
  chunk
}
