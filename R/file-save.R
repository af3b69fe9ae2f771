# Models in files of our own format: src/core/file/model_file.h and plain_value.h have it to the byte.

#' Save a model to a file, and load it
#'
#' `save_gp()` writes everything a model knows to a file, `load_gp()` makes a model of it that predicts and
#' continues identically, to the last bit. The file is either the old one or wholly the new one, even if the
#' process is killed or the disk runs full meanwhile. A file that was damaged is refused, and nothing in a
#' file is ever run.
#'
#' `saveRDS()` keeps a model just as well, but `readRDS()` must not be used on files from elsewhere: they can
#' run code.
#'
#' @param gp A model made by [streaming_gp()]. Saving does not change it.
#' @param file The name of the file. One without an extension gets `.gps`.
#' @param trusted Do you trust whoever made the file? See *Formulas*.
#' @return `save_gp()`: the name of the file, invisibly. `load_gp()`: a `StreamingGP`.
#'
#' @section Safety:
#' The file is written to `<file>.tmp` in the same directory, flushed to the disk, and renamed. After a crash
#' in between, the next `save_gp()` to that file uses up what was left there. Two processes may save to one
#' file: one waits for the other, and the later one stays. Whatever goes wrong is an error of class
#' `gpstream_error_io` (file and directory: not there, not allowed, disk full), `gpstream_error_corrupt` (cut
#' off, changed, or not a model file) or `gpstream_error_version` (written by a later version, which the
#' message names).
#'
#' @section Formulas:
#' The formula of a model is evaluated when the model is updated or predicts, and so could run what someone
#' else wrote. Therefore one that was loaded can use these functions only, those of R itself, whatever else
#' bears their name: `+ - * / ^ %% %/% : ( [ ! & | == != < > <= >= %in%`, `I`, `c`, `list`, `identity`, `log`,
#' `log2`, `log10`, `log1p`, `exp`, `expm1`, `sqrt`, `abs`, `sign`, `floor`, `ceiling`, `round`, `signif`,
#' `trunc`, `sin`, `cos`, `tan`, `asin`, `acos`, `atan`, `atan2`, `sinh`, `cosh`, `tanh`, `sinpi`, `cospi`,
#' `tanpi`, `pmin`, `pmax`, `ifelse`, `is.na`, `as.numeric`, `as.double`, `as.integer`, `as.character`,
#' `as.factor`, `factor`, `ordered`, `interaction`, `cut`, `scale`, `cbind`, `as.Date`, `as.POSIXct`,
#' `difftime`, `weekdays`, `months`, `offset`, `poly`, `polym`, `ns`, `bs`, and the [kernels] of this package;
#' with or without `base::`, `stats::`, `splines::` or `gpstream::`. Terms may be [gp(), season() and
#' trend()][formula-terms]. A file with another one is refused.
#' `load_gp(file, trusted = TRUE)` accepts it, and its functions are then looked up in your workspace.
#'
#' @section The file, to the byte:
#' All numbers are little-endian. The envelope is the same in every format:
#' \tabular{rll}{
#'   offset \tab bytes \tab \cr
#'   0 \tab 8 \tab `89 47 50 53 0D 0A 1A 0A`, hexadecimal \cr
#'   8 \tab 4 \tab byte order: hexadecimal 01020304, that is, the bytes `04 03 02 01` \cr
#'   12 \tab 4 \tab format: 9, as in the state; 8, 7, 6, 5 or 1 in files of earlier versions \cr
#'   16 \tab 8 \tab size of the file \cr
#'   24 \tab 16 \tab version of gpstream that wrote it, ASCII, filled up with zeros \cr
#'   40 \tab \tab one value \cr
#'   size - 4 \tab 4 \tab CRC-32C (Castagnoli) of all bytes before
#' }
#' A value starts with a number of eight bytes: the lowest byte is its kind, the next is 1 if attributes
#' follow, the other six are its length. What comes then depends on the kind, and is filled up with zeros to a
#' multiple of eight bytes:
#' \tabular{rll}{
#'   kind \tab \tab contents \cr
#'   0 \tab `NULL` \tab none, length 0 \cr
#'   1 \tab logical \tab 4 bytes each: 0, 1, or -2^31 for `NA` \cr
#'   2 \tab integer \tab 4 bytes each, -2^31 for `NA` \cr
#'   3 \tab double \tab 8 bytes each, IEEE 754 \cr
#'   4 \tab character \tab each 4 bytes for its size (2^32 - 1 for `NA`), and UTF-8 \cr
#'   5 \tab list \tab so many values \cr
#'   6 \tab symbol \tab as one character string; empty for an argument left out \cr
#'   7 \tab call \tab so many values, the function first \cr
#'   8 \tab lower triangle \tab of a square matrix with so many rows and zeros above the diagonal: 8 bytes
#'   each, column by column
#' }
#' Attributes are their number in eight bytes, and for each its name, as in kind 4 and filled up, and its
#' value. There are only `dim`, `dimnames`, `names`, `levels`, `tzone`, `units` and `class` (factors, dates
#' and times, and the package's kernels and selectors).
#'
#' The value of the file is a list: `state`, as from [as.list()][as.list.StreamingGP] (with `format`, the same
#' number; layouts 1 to 6 stay readable), and `position`, where a stream stood, or `NULL`. A formula is a list
#' of its call, the constants it uses and, once there was data, what [stats::terms()] cannot know: `predvars`
#' and `dataClasses`.
#' @examples
#' gp <- streaming_gp(dist ~ speed, data = cars)
#' file <- save_gp(gp, tempfile())
#' twin <- load_gp(file)
#' identical(predict(twin, cars), predict(gp, cars))
#' unlink(file)
#' @seealso [as.list.StreamingGP()] for the state as an R list
#' @export
save_gp <- function(gp, file) {
  check_model(gp)
  if (missing(file)) abort("input", "`file` is missing: say where to save.")
  invisible(write_checkpoint(gp, file, NULL))
}

#' @rdname save_gp
#' @export
load_gp <- function(file, trusted = FALSE) {
  if (missing(file)) abort("input", "`file` is missing: say what to load.")
  check_flag(trusted, "trusted")
  read_checkpoint(file, trusted)$gp
}

check_model <- function(gp) {
  if (!inherits(gp, "StreamingGP")) {
    abort("type", "`gp` must be a model made by streaming_gp(), not ", describe(gp), ".")
  }
  gp
}

# --- with a position in a stream ----------------------------------------------------------------------------

# `position`: NULL, or a named list of numbers and strings. Returns the name of the file.
write_checkpoint <- function(gp, file, position) {
  file <- model_path(file)
  state <- as.list(gp)
  state$spec["formula"] <- list(pack_formula(state$spec$formula, state$frame$variables))
  # a file holds no class of half-lives
  if (is.list(state$spec$half_life)) state$spec$half_life <- unclass(state$spec$half_life)
  if (!is.null(state$frame$terms)) state$frame$terms <- pack_terms(state$frame$terms, state$frame$variables)
  # a link stays a link
  target <- if (file.exists(file)) normalizePath(file) else file
  about_file(
    file, "written",
    core_file_write(list(state = state, position = position), state$package, native_path(target))
  )
  file
}

# A list of gp and position. A formula that is the one of the model `like` is trusted as that one is, and
# evaluated where it is.
read_checkpoint <- function(file, trusted = FALSE, like = NULL) {
  file <- model_path(file, there = TRUE)
  about_file(file, "read", {
    content <- core_file_read(native_path(file))
    if (!is.list(content) || !identical(names(content), c("state", "position")) || !is.list(content$state)) {
      not_whole()
    }
    home <- formula_home(trusted, if (!is.null(like)) spec_of(like)$formula)
    list(
      gp = streaming_gp_restore(unpack_state(content$state, home)),
      position = check_position(content$position)
    )
  })
}

is_checkpoint <- function(file) utils::file_test("-f", model_path(file, there = TRUE))

# The name of a model file, with an extension if it has none; `there`: unless there is a file of just that
# name.
model_path <- function(file, there = FALSE) {
  if (!is.character(file) || length(file) != 1 || is.na(file) || !nzchar(file)) {
    abort("parameter", "`file` must be the name of a file, not ", describe(file), ".")
  }
  file <- path.expand(file)
  if (grepl("[^/\\\\.][.][^./\\\\]+$", file) || utils::file_test("-d", file) ||
    (there && file.exists(file))) {
    file
  } else {
    paste0(file, ".gps")
  }
}

native_path <- function(file) if (.Platform$OS.type == "windows") enc2utf8(file) else enc2native(file)

check_position <- function(position) {
  plain <- function(value) {
    (is.numeric(value) || is.character(value) || is.logical(value)) && !is.object(value)
  }
  ok <- is.null(position) ||
    (is.list(position) && !is.null(names(position)) && all(vapply(position, plain, logical(1))))
  if (!ok) not_whole()
  position
}

unpack_state <- function(state, home) {
  if (is.list(state$spec)) state$spec["formula"] <- list(unpack_formula(state$spec$formula, home))
  if (is.list(state$spec$half_life)) class(state$spec$half_life) <- "gpstream_half_life"
  if (is.list(state$frame) && !is.null(state$frame$terms)) {
    state$frame$terms <- unpack_terms(state$frame$terms, home)
    levels <- state$frame$xlevels
    if (!is.null(levels) &&
      !(is.list(levels) && !is.null(names(levels)) && all(vapply(levels, is.character, logical(1))))) {
      not_whole()
    }
  }
  state
}

not_whole <- function() abort("corrupt", "it does not hold together.")

# What goes wrong with a file says which file; nothing that a file brings about is an error without a class.
about_file <- function(file, done, expr) {
  tryCatch(expr, error = function(e) {
    kind <- if (inherits(e, "gpstream_error")) {
      sub("gpstream_error_", "", class(e)[1])
    } else if (done == "read") {
      "corrupt"
    } else {
      "io"
    }
    abort(kind, "`file` (", file, ") cannot be ", done, ": ", conditionMessage(e))
  })
}
