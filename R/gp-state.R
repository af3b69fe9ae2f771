# Copying, and a model as a plain list.

gp_copy <- function(gp) {
  twin <- StreamingGP$new(spec = spec_of(gp))
  state <- state_of(gp)
  if (length(state) > 0) state$handle <- core_gp_copy(learning_handle(gp))
  twin$state <- state
  twin
}

#' The state of a model as a plain list
#'
#' `as.list()` gives everything a model knows as a list of ordinary R values, `streaming_gp_restore()` makes a
#' model of it that predicts and continues identically. For keeping a model in a file there is [save_gp()];
#' `saveRDS()` on the model itself does, too.
#'
#' @param x A model made by [streaming_gp()].
#' @param ... Not used.
#' @param state A list made by `as.list()` of a model.
#' @return `as.list()`: a list with `format` (the version of this layout), `package` (the version of gpstream
#'   that made it), `spec` (what the user gave), `frame` (how inputs are read) and `core` (the state of the
#'   model in the notation of [notation]; `NULL` before the first row). `streaming_gp_restore()`: a
#'   `StreamingGP`.
#' @examples
#' gp <- streaming_gp(dist ~ speed, data = cars)
#' state <- as.list(gp)
#' twin <- streaming_gp_restore(state)
#' identical(predict(twin, cars), predict(gp, cars))
#' @export
as.list.StreamingGP <- function(x, ...) {
  list(
    format = core_format(),
    package = as.character(utils::packageVersion("gpstream")),
    spec = spec_of(x),
    frame = state_of(x)$frame,
    core = if (is_started(x)) core_gp_state(learning_handle(x))
  )
}

#' @rdname as.list.StreamingGP
#' @export
streaming_gp_restore <- function(state) {
  if (!is.list(state) || !all(c("format", "spec", "frame", "core") %in% names(state)) ||
    !is_scalar(state$format) || state$format < 1) {
    abort("corrupt", "`state` must be a list made by as.list() of a model, not ", describe(state), ".")
  }
  if (state$format > core_format()) {
    maker <- if (is.character(state$package)) state$package[1] else "of a later version"
    abort("version", "`state` has format ", state$format, ", but this version of gpstream reads up to ",
      core_format(), "; install gpstream ", maker, ".")
  }
  if (state$format < 2) state <- from_format_1(state)
  if (!is.list(state$spec)) {
    abort("corrupt", "`spec` in the state must be a list, not ", describe(state$spec), ".")
  }
  if (state$format < 8) state$spec$half_life <- Inf
  if (state$format < 9) state$spec$likelihood <- likelihood_gaussian()
  if (is.null(state$spec$likelihood)) abort("corrupt", "`spec` in the state has no `likelihood`.")
  if (is.null(state$spec$half_life)) abort("corrupt", "`spec` in the state has no `half_life`.")
  gp <- StreamingGP$new(spec = as_corrupt(check_spec(state$spec), "spec"))
  if (!is.null(state$core)) {
    if (!is.list(state$core)) {
      abort("corrupt", "`core` in the state must be a list, not ", describe(state$core), ".")
    }
    handle <- as_corrupt(core_gp_restore(state$core), "core")
    if (!is_frame(state$frame, ncol(state$core$Z)) || !is_prototype(state$frame$prototype)) {
      abort("corrupt", "`frame` in the state does not fit the model.")
    }
    if (!core_gp_learning(handle)$known) adopt_learning(handle, older_learning(state$learning, gp$spec))
    set_state(gp, handle, state$frame)
  }
  gp
}

# Before format 6 no rows were kept to learn from; the selector was the model's choice where a flag said so.
older_spec <- function(spec) {
  if (isTRUE(spec$any_rho)) spec$select$rho <- NULL
  spec[c("memory", "calibrate")] <- list(0, FALSE)
  spec
}

# Models did not learn by themselves then.
from_format_1 <- function(state) {
  if (is.list(state$spec)) state$spec[c("optimize", "warmup")] <- list("none", 200)
  state
}

# What formats before 5 kept beside the core.
older_learning <- function(learning, spec) {
  if (is.null(learning) && spec$optimize == "none") return(NULL)
  if (is.null(learning)) abort("corrupt", "the state has no `learning`.")
  ok <- is.list(learning) && is.logical(learning$warm) && length(learning$warm) == 1 &&
    !is.na(learning$warm) &&
    all(vapply(learning[c("fitted", "wait", "scaled")], is_scalar, logical(1)))
  if (!ok) abort("corrupt", "`learning` in the state is damaged.")
  learning
}

as_corrupt <- function(expr, part) {
  tryCatch(expr, gpstream_error = function(e) {
    abort("corrupt", "`", part, "` in the state is damaged: ", conditionMessage(e))
  })
}
