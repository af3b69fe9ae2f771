# What the package found on this machine, and what it uses of it.

#' How gpstream uses this machine
#'
#' The work of a large batch or of many predictions is matrix algebra. gpstream has more than one way to do
#' it, and times them on a small problem (some milliseconds) when it first needs one: the fastest is used from
#' then on.
#'
#' @details
#' **Back ends.** `"eigen"` is compiled into the package and always there. `"avx2"` is the package's own, for
#' processors that have the instructions AVX2 and FMA (not on Windows). `"blas"` is the BLAS that R itself
#' uses: the reference library, which many installations of R have, is several times slower than the other
#' two, a tuned library (OpenBLAS, MKL, Accelerate) may be faster. `options(gpstream.backend = "eigen")` asks
#' for one by name, `"auto"` (the default) for the fastest. Results differ by rounding only.
#'
#' **Vectors.** Kernels, distances and updates by one row are computed four numbers at a time where the
#' processor can; `options(gpstream.simd = FALSE)`, set before the package is loaded, switches that off, and
#' the back end `"avx2"` with it, unless that is asked for by name. (Set later, it works from the next call of
#' `gpstream_info()` on, at the latest.) Kernel values and distances, by which points are selected, are the
#' same to the last bit either way. Where all results must be, say for runs that are compared bit by bit
#' across machines, use `options(gpstream.simd = FALSE, gpstream.backend = "eigen")`.
#'
#' **Threads.** The package uses one, the one that R runs in, unless `options(gpstream.threads = 2)` (or more)
#' allows more for predictions at many rows and for batches of many rows, never more than that. They live no
#' longer than the call, so `parallel::mclapply()` and other forks are safe. A BLAS that has threads of its
#' own is left alone: how many it uses is its own setting.
#'
#' @return A list of class `gpstream_info`: `version` of the package, `backend` in use, `seconds` that each
#'   one took in the race (named), `threads`, `simd` (whether wide vectors are used), `blas` (the file of R's
#'   BLAS), `eigen` (the version of Eigen compiled in).
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
      seconds = stats::setNames(found$seconds, found$backends), threads = found$threads, simd = found$simd,
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
  asked <- !identical(getOption("gpstream.backend", "auto"), "auto")
  cat("gpstream ", x$version, ", Eigen ", x$eigen, "\n", sep = "")
  cat("back end: ", x$backend, if (asked) " (by the option `gpstream.backend`)" else " (the fastest here)",
    "\n", sep = "")
  ratio <- x$seconds / x$seconds[[x$backend]]
  others <- setdiff(names(ratio), x$backend)
  for (name in others) cat("  ", name, ": ", signif(ratio[[name]], 2), " times its time\n", sep = "")
  cat("vectors:  ", if (x$simd) "of four numbers (AVX2)" else "the narrowest there are", "\n", sep = "")
  cat("R's BLAS: ", x$blas, "\n", sep = "")
  cat("threads:  ", x$threads, if (x$threads == 1) " (more by options(gpstream.threads = ))", "\n", sep = "")
  invisible(x)
}
