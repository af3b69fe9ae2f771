# Streams that several test files consume. Nothing here draws random numbers.

# n rows with a number, a word and an output; numbers of few digits, so that text holds them exactly.
stream_rows <- function(n = 600, from = 1) {
  i <- seq(from, length.out = n)
  a <- round(10 * ((i * sqrt(2)) %% 1), 3)
  g <- c("u", "v, w", "say \"x\"")[1 + i %% 3]
  data.frame(a = a, g = g, y = round(sin(a) + 0.3 * (g == "u") + 0.1 * sin(37 * i), 3), stringsAsFactors = FALSE)
}

# A model that needs no first batch to settle anything but the levels of g.
stream_model <- function(...) {
  streaming_gp(y ~ a + g, kernel = kernel_se(1, 1), noise = 0.01, mean = 0, optimize = "none", ...)
}

# What consume() makes of rows that are at hand.
consumed <- function(data, size = 100, gp = stream_model(), ...) {
  consume(gp, data, batch_size = size, ...)
  timeless(gp)
}

# Everything of a model but the time it took and the place its formula was written at.
timeless <- function(gp) {
  state <- as.list(gp)
  if (!is.null(state$core)) state$core[c("history", "history_now")] <- NULL
  if (!is.null(state$spec$formula)) environment(state$spec$formula) <- globalenv()
  if (!is.null(state$frame$terms)) environment(state$frame$terms) <- globalenv()
  list(state, gp$history[setdiff(names(gp$history), "seconds")])
}

# The message of a classed error that stops consume(), with the error itself.
stopped_by <- function(code, class) {
  error <- tryCatch(code, error = identity)
  testthat::expect_s3_class(error, class)
  testthat::expect_s3_class(error, "gpstream_error")
  invisible(error)
}

# All rows, in batches of n.
drained <- function(source, n) {
  out <- list()
  while (!is.null(batch <- next_batch(source, n))) out <- c(out, list(batch))
  out
}

# A function(reset) that gives `data` in chunks of these sizes.
chunked <- function(data, sizes) {
  at <- 0
  function(reset = FALSE) {
    if (reset) {
      at <<- 0
      return(invisible())
    }
    at <<- at + 1
    if (at > length(sizes)) return(NULL)
    data[sum(sizes[seq_len(at - 1)]) + seq_len(sizes[at]), , drop = FALSE]
  }
}
