# What the package found on this machine, and what it uses of it.

#' How gpstream uses this machine
#'
#' The work of a large batch or of many predictions is matrix algebra. gpstream has more than one way to do it, and times them
#' on a small problem (some milliseconds) when it first needs one: the fastest is used from then on.
#'
#' @details
#' **Back ends.** `"eigen"` is compiled into the package and always there. `"blas"` is the BLAS that R itself uses: the reference
#' library, which many installations of R have, is several times slower than the package's own code, a tuned library (OpenBLAS,
#' MKL, Accelerate) may be faster. `options(gpstream.backend = "eigen")` asks for one by name, `"auto"` (the default)
#' for the fastest. Results differ by rounding only, some 1e-15; where that must not happen, say for runs that are compared bit by
#' bit across machines, name one.
#'
#' **Threads.** The package uses one, the one that R runs in, unless `options(gpstream.threads = 2)` (or more) allows more for
#' predictions at many rows and for batches of many rows, never more than that. They live no longer than the call, so `parallel::mclapply()`
#' and other forks are safe. A BLAS that has threads of its own is left alone: how many it uses is its own setting.
#'
#' @return A list of class `gpstream_info`: `version` of the package, `backend` in use, `seconds` that each one took in the race (named), `threads`,
#'   `blas` (the file of R's BLAS), `eigen` (the version of Eigen compiled in).
#' @examples
#' gpstream_info()
#'
#' old <- options(gpstream.backend = "eigen")
#' gpstream_info()$backend
#' options(old)
#' @export
gpstream_info <- function() {
  found <- core_machine()
  structure(
    list(
      version = as.character(utils::packageVersion("gpstream")), backend = found$backend,
      seconds = stats::setNames(found$seconds, found$backends), threads = found$threads,
      blas = blas_file(), eigen = paste(found$eigen, collapse = ".")
    ),
    class = "gpstream_info"
  )
}

# R says where it loaded its BLAS from, on most systems.
blas_file <- function() {
  file <- unname(utils::sessionInfo()$BLAS)
  if (length(file) == 1 && nzchar(file)) file else "not known"
}

#' @export
print.gpstream_info <- function(x, ...) {
  asked <- getOption("gpstream.backend", "auto") != "auto"
  cat("gpstream ", x$version, ", Eigen ", x$eigen, "\n", sep = "")
  cat("back end: ", x$backend, if (asked) " (by the option `gpstream.backend`)" else " (the fastest here)", "\n", sep = "")
  ratio <- x$seconds / x$seconds[[x$backend]]
  others <- setdiff(names(ratio), x$backend)
  for (name in others) cat("  ", name, ": ", signif(ratio[[name]], 2), " times its time\n", sep = "")
  cat("R's BLAS: ", x$blas, "\n", sep = "")
  cat("threads:  ", x$threads, if (x$threads == 1) " (more by options(gpstream.threads = ))", "\n", sep = "")
  invisible(x)
}
