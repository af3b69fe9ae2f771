# gp$update(): read the batch, fill in what the model still lacks on the first one, hand it to the core.

gp_update <- function(gp, x, y = NULL, data = NULL) {
  batch <- read_batch(gp, x, y, data)
  if (nrow(batch$x) == 0) return(invisible(gp))
  if (is_started(gp)) absorb_batch(gp_handle(gp), batch, spec_of(gp)$select) else start_model(gp, batch)
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
  handle <- core_gp_new(settings, ncol(x))
  absorb_batch(handle, batch, spec$select)
  gp$state <- list(handle = handle, frame = batch$frame)
}

# Guesses that are likely to be poor.
inform_guesses <- function(spec, settings, batch) {
  x <- batch$x
  guessed <- c(kernel = !is_resolved(spec$kernel), noise = is.null(spec$noise), mean = identical(spec$mean, "constant"))
  if (nrow(x) == 1 && any(guessed)) {
    return(inform("The first batch has one row, which says little of ", backtick(names(which(guessed))), ": using ", format(settings$kernel),
      ", noise ", format(settings$noise), " and mean ", format(settings$mean), "."))
  }
  scales <- apply(x, 2, function(column) typical_distance(cbind(column)))
  unlike <- max(scales) > 5 * min(scales) || length(unique(batch$numeric)) > 1
  if (guesses_one_lengthscale(spec$kernel) && nrow(x) > 1 && unlike) {
    inform("One lengthscale (", format(signif(typical_distance(x), 3)), ") was guessed for unlike columns (typical distances ",
      paste(signif(scales, 2), collapse = ", "), "); give one for each, or lengthscale = \"ard\".")
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
  names <- if (is.null(colnames(x))) which(constant) else backtick(colnames(x)[constant])
  warn("constant_column", "column ", paste(names, collapse = ", "), " of the first batch has one value only: nothing can be learned from it yet.")
}

# The warning comes before the change, so that options(warn = 2) leaves the object as it was.
absorb_batch <- function(handle, batch, select) {
  proposal <- gp_proposal(handle, select, batch$x)
  if (core_gp_update(handle, batch$x, batch$y, TRUE, proposal)) return(invisible())
  warn("max_inducing", "the model has reached `max_points` (", core_gp_info(handle)$select$max_points, "): rows far from all its points no longer ",
    "become points. ", fewer_points(select), ", use a longer lengthscale, or raise `max_points`.")
  core_gp_update(handle, batch$x, batch$y, FALSE, proposal)
}

#' @export
update.StreamingGP <- function(object, ...) object$update(...)
