# Small streams and models that several test files use. Nothing here draws random numbers.

# n rows with D columns in [0, 10], spread evenly and in no order, and a smooth response with a little "noise".
toy <- function(n = 60, D = 1, from = 1) {
  i <- seq(from, length.out = n)
  x <- 10 * (outer(i, sqrt(c(2, 3, 5, 7, 11))[seq_len(D)]) %% 1)
  list(x = x, y = rowSums(sin(x)) + 0.1 * sin(37 * i))
}

# A model that has seen `n` toy rows; every parameter given, so that nothing depends on the first batch.
toy_gp <- function(n = 60, D = 1, ..., kernel = kernel_se(lengthscale = 1, variance = 1)) {
  gp <- streaming_gp(optimize = "none", kernel = kernel, noise = 0.01, mean = 0, ...)
  if (n > 0) gp$update(toy(n, D)$x, toy(n, D)$y)
  gp
}

# The stream goes on after `gp`'s rows: one row, many rows (new points join), one row.
continue_stream <- function(gp, D = 1) {
  for (n in c(1, 40, 1)) {
    more <- toy(n, D, from = gp$nobs + 1)
    gp$update(more$x + c(0, 3)[1 + (n > 1)], more$y)
  }
  gp
}

# `code` must fail with this class and message, and leave the object bitwise as it was.
expect_refused <- function(gp, code, kind, message) {
  before <- as.list(gp)
  expect_error(code, message, class = paste0("gpstream_error_", kind))
  expect_identical(as.list(gp), before)
}

# For snapshots, in a format of our own, because that of testthat differs between its versions: each call, and
# what a user reads after it. First its errors, warnings and messages with their classes, then what it prints.
conditions_of <- function(...) {
  transcript(as.list(substitute(list(...)))[-1], function(call, env) {
    lines <- character()
    note <- function(condition) lines <<- c(lines, paste0("<", class(condition)[1], "> ", trimws(conditionMessage(condition))))
    muffle <- function(restart) function(condition) {
      note(condition)
      tryInvokeRestart(restart)
    }
    tryCatch(withCallingHandlers(eval(call, env), warning = muffle("muffleWarning"), message = muffle("muffleMessage")), error = note)
    lines
  }, parent.frame())
}

printed_by <- function(...) {
  transcript(as.list(substitute(list(...)))[-1], function(call, env) {
    utils::capture.output({
      result <- withVisible(eval(call, env))
      if (result$visible) print(result$value)
    })
  }, parent.frame())
}

transcript <- function(calls, read, env) {
  unlist(lapply(calls, function(call) {
    lines <- read(call, env)
    c(paste0("> ", paste(trimws(deparse(call, 500)), collapse = " ")), if (length(lines) > 0) paste0("  ", lines), "")
  }))
}

# The environment that lets a child process find this installation of the package.
libraries <- function() paste0("R_LIBS=", shQuote(paste(.libPaths(), collapse = .Platform$path.sep)))
