# gp$update(): read the batch, fill in what the model still lacks on the first one, hand it to the core.

gp_update <- function(gp, x, y = NULL, data = NULL) {
  # an ordinary batch of a model that has nothing to learn from it by itself goes straight to the core
  if (!missing(x) && is.null(data) && core_gp_take(gp@.xData$state, x, y)) return(invisible(gp))
  gp_learn(gp, read_batch(gp, x, y, data))
}

# A batch as read_batch() gives it.
gp_learn <- function(gp, batch) {
  if (nrow(batch$x) == 0) return(invisible(gp))
  if (!is_started(gp)) {
    start_model(gp, batch)
  } else if (is.null(state_of(gp)$learning)) {
    absorb_batch(gp_handle(gp), batch, spec_of(gp)$select)
  } else {
    gp_handle(gp)
    state <- state_of(gp)
    step <- if (state$learning$warm) warm_up else learn_batch
    after <- step(gp, state, batch)
    if (!is.null(after)) set_state(gp, after)
  }
  invisible(gp)
}

# x, y, and the frame with which later batches are read.
read_batch <- function(gp, x, y, data) {
  spec <- spec_of(gp)
  frame <- if (is_started(gp)) gp_frame(gp)
  if (is.null(spec$formula)) {
    if (!is.null(data)) abort("input", "this model has no formula; use update(x, y).")
    if (missing(x)) abort("input", "`x` is missing; use update(x, y).")
    x <- if (is.null(frame)) as_input(x, "x") else later_input(x, frame, "x")
    y <- as_output(y, nrow(x))
    if (is.null(frame)) frame <- input_frame(x)
    return(c(clean_rows(x, y, spec$na_action), list(frame = frame)))
  }
  if (!is.null(y)) abort("input", "this model has a formula; use update(data), with the response as a column of `data`.")
  if (missing(x) && is.null(data)) abort("input", "`data` is missing; use update(data).")
  data <- as_data(if (is.null(data)) x else data, "data")
  if (nrow(data) == 0) return(list(x = matrix(0, 0, 1)))
  if (is.null(frame)) frame <- formula_frame(check_formula(spec$formula), data, "data")
  batch <- formula_batch(frame, data, "data")
  if (is.null(frame$D)) frame <- c(frame, input_frame(batch$x))
  c(clean_rows(batch$x, batch$y, spec$na_action, c("data", batch$response)), list(frame = frame, numeric = batch$numeric))
}

start_model <- function(gp, batch) {
  x <- batch$x
  spec <- gp_spec(gp)
  check_fixed_columns(spec$select, x)
  settings <- resolve_settings(spec, x, batch$y)
  warn_constant(x, batch$numeric)
  inform_guesses(spec, settings, batch)
  set_state(gp, if (needs_rows(spec)) {
    warm_up(gp, list(), batch)
  } else if (spec$optimize == "none" && !moves_points(spec$select)) {
    handle <- core_gp_new(settings, ncol(x))
    absorb_batch(handle, batch, spec$select)
    list(handle = handle, frame = batch$frame)
  } else {
    # nothing that needs the rows: the scale is learned from the evidence
    empty <- list(handle = core_gp_new(settings, ncol(x)), frame = batch$frame)
    empty$learning <- new_learning(FALSE, if (spec$optimize == "none") Inf else 0)
    after <- learn_batch(gp, empty, batch)
    if (is.null(after)) empty else after
  })
}

# The state, with the number of rows up to which a plain batch needs only to be absorbed: see core_gp_take().
set_state <- function(gp, state) {
  state$until <- plain_until(spec_of(gp), state$frame, state$learning)
  gp$state <- state
}

plain_until <- function(spec, frame, learning) {
  named <- !is.null(spec$formula) || (frame$D > 1 && !is.null(frame$names))
  if (named || moves_points(spec$select) || proposes(spec$select) || spec$optimize == "online") return(0)
  if (is.null(learning)) Inf else if (learning$warm) 0 else max(few_rows, 2 * learning$scaled)
}

# Guesses that are likely to be poor.
inform_guesses <- function(spec, settings, batch) {
  x <- batch$x
  guessed <- c(kernel = !is_resolved(spec$kernel), noise = is.null(spec$noise), mean = identical(spec$mean, "constant"))
  if (nrow(x) == 1 && any(guessed) && spec$optimize == "none") {
    return(inform("The first batch has one row, which says little of ", backtick(names(which(guessed))), ": using ", format(settings$kernel),
      ", noise ", format(settings$noise), " and mean ", format(settings$mean), "."))
  }
  scales <- apply(x, 2, function(column) typical_distance(cbind(column)))
  unlike <- max(scales) > 5 * min(scales) || length(unique(batch$numeric)) > 1
  if (guesses_one_lengthscale(spec$kernel) && nrow(x) > 1 && unlike) {
    inform("One lengthscale serves unlike columns (typical distances ", paste(signif(scales, 2), collapse = ", "), "); give one for each, or ",
      "lengthscale = \"ard\" to have them ", if (spec$optimize == "none") "guessed." else "learned.")
  }
}

guesses_one_lengthscale <- function(kernel) {
  if (is_composite(kernel)) any(vapply(kernel$parts, guesses_one_lengthscale, logical(1))) else is.null(kernel$lengthscale)
}

warn_constant <- function(x, numeric = NULL) {
  if (nrow(x) < 2) return(invisible())
  constant <- apply(x, 2, function(column) max(column) == min(column))
  if (!is.null(numeric)) constant <- constant & numeric
  if (!any(constant)) return(invisible())
  named <- !is.null(colnames(x)) && all(nzchar(colnames(x)))
  names <- if (named) backtick(colnames(x)[constant]) else which(constant)
  warn("constant_column", "column ", paste(names, collapse = ", "), " of the first batch has one value only: nothing can be learned from it yet.")
}

# The warning comes before the change, so that options(warn = 2) leaves the object as it was.
absorb_batch <- function(handle, batch, select, quiet = FALSE) {
  proposal <- gp_proposal(handle, select, batch$x)
  if (core_gp_update(handle, batch$x, batch$y, !quiet, proposal)) return(invisible())
  warn_full(select)
  core_gp_update(handle, batch$x, batch$y, FALSE, proposal)
}

warn_full <- function(select) {
  warn("max_inducing", "the model has reached `max_points` (", select$max_points, "): rows far from all its points no longer ",
    "become points. ", fewer_points(select), ", use a longer lengthscale, or raise `max_points`.")
}

#' @export
update.StreamingGP <- function(object, ...) object$update(...)
