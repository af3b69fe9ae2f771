# What was observed, as a likelihood takes it: list(y, more), `more` being what it needs beside y (trials,
# whether the event was seen, on which side of a limit), and `classes` where there are some. `known`: those
# that the first batch had. `arg`: what the user calls it. Missing values stay missing.
read_response <- function(y, likelihood, arg = "y", known = NULL) {
  if (is.data.frame(y) && ncol(y) == 1) y <- y[[1]]
  y <- plain_numbers(y)
  if (likelihood$name == "gaussian" && !is.null(y) &&
    (if (is.null(known)) NCOL(y) > 1 else length(known) > 0)) {
    return(outputs_response(y, arg, known))
  }
  out <- switch(likelihood$name,
    bernoulli = , probit = class_response(y, arg, known),
    binomial = trials_response(y, arg, known),
    ordinal = , categorical = levels_response(y, arg, known, likelihood$name == "ordinal"),
    weibull = time_response(y, arg),
    tobit = limited_response(y, arg, likelihood$limits),
    gaussian = list(y = one_number(y, arg, ": the model has one output.")),
    list(y = one_number(y, arg))
  )
  check_response(out, resolve_likelihood(likelihood, out), arg)
  out
}

check_response <- function(out, likelihood, arg) {
  there <- which(is.finite(out$y) & (if (is.null(out$more)) TRUE else is.finite(out$more)))
  wish <- likelihood_wish(likelihood, list(classes = out$classes))
  bad <- core_refused(wish, out$y[there], numbers_or_none(out$more[there]))
  if (length(bad) == 0) return(invisible())
  row <- there[bad$row]
  abort("input", backtick(arg), " ", bad$why, ", but in ", row_name(row), " it is ",
    format(out$y[row], digits = 7),
    if (!is.null(out$more)) paste0(" (with ", format(out$more[row], digits = 7), ")"), ".")
}

numbers_or_none <- function(x) if (is.null(x)) numeric() else as.double(x)

one_number <- function(y, arg, why = ": several outputs are for likelihood_gaussian().") {
  if (is.null(y)) abort("input", "`", arg, "` is missing: give one value for each row of `x`.")
  if (!is_number_like(y)) {
    abort("type", backtick(arg), " must be numeric, not ", describe(y), ".",
      if (is_time(y)) conversion_hint(y))
  }
  if (NCOL(y) != 1) abort("dimension", backtick(arg), " must be one column, not ", NCOL(y), why)
  as.double(y)
}

# 0 or 1; the second of two levels is 1, as glm() has it.
class_response <- function(y, arg, known) {
  if (NCOL(y) == 2) {
    abort("dimension", backtick(arg), " must be one column of two classes, not 2 columns. ",
      "Write cbind(successes, failures) from the first batch on, with likelihood_binomial().")
  }
  if (is.character(y)) y <- factor(y)
  if (!is.factor(y)) return(list(y = one_number(y, arg)))
  classes <- if (is.null(known)) levels(y) else known
  if (length(classes) != 2) {
    abort("input", backtick(arg), " must have two levels, not ", length(classes), ": ", quoted(classes), ".")
  }
  list(y = in_classes(y, classes, arg) - 1, classes = classes)
}

in_classes <- function(y, classes, arg) {
  unknown <- setdiff(as.character(y), c(classes, NA))
  if (length(unknown) > 0) {
    abort("input", backtick(arg), " has the new level ", quoted(unknown), " in ",
      row_name(which(as.character(y) %in% unknown)[1]), "; the first batch fixed the levels ",
      quoted(classes), ".")
  }
  as.double(match(as.character(y), classes))
}

# Successes and failures, or one trial each: `trials` tells which.
trials_response <- function(y, arg, known) {
  if (NCOL(y) == 2 && is_number_like(as.matrix(y))) {
    y <- as.matrix(y)
    return(list(y = as.double(y[, 1]), more = as.double(y[, 1] + y[, 2]), trials = TRUE))
  }
  out <- class_response(y, arg, known)
  c(out, list(more = rep(1, length(out$y)), trials = FALSE))
}

# 1, 2, ... in the order of the levels.
levels_response <- function(y, arg, known, ordered) {
  if (is.character(y) && ordered) {
    abort("type", backtick(arg), " must be an ordered factor or numbers from 1: words have no order.")
  }
  if (is.character(y) || (is.logical(y) && !ordered)) y <- factor(y)
  if (is.factor(y)) {
    classes <- if (is.null(known)) levels(y) else known
    codes <- in_classes(y, classes, arg)
  } else {
    codes <- one_number(y, arg)
    classes <- if (is.null(known)) as.character(seq_len(max(2, codes, na.rm = TRUE))) else known
  }
  if (length(classes) < 2) abort("input", backtick(arg), " must have at least two levels.")
  list(y = codes, classes = classes)
}

time_response <- function(y, arg) {
  if (!inherits(y, "Surv")) {
    y <- one_number(y, arg)
    return(list(y = y, more = rep(1, length(y))))
  }
  if (attr(y, "type") != "right") {
    abort("input", backtick(arg), " must be censored on the right, Surv(time, event), not by type ",
      quoted(attr(y, "type")), ".")
  }
  list(y = as.double(unclass(y)[, "time"]), more = as.double(unclass(y)[, "status"]))
}

# 0: seen; 1 and -1: above, or below, what was seen.
limited_response <- function(y, arg, limits) {
  if (inherits(y, "Surv")) {
    type <- attr(y, "type")
    if (!type %in% c("right", "left")) {
      abort("input", backtick(arg), " must be censored on one side, not by type ", quoted(type), ".")
    }
    seen <- unclass(y)[, "status"] == 1
    return(list(y = as.double(unclass(y)[, "time"]), more = ifelse(seen, 0, if (type == "right") 1 else -1)))
  }
  y <- one_number(y, arg)
  more <- ifelse(is.na(y), NA_real_, 0)
  if (!is.null(limits$lower)) more[which(y <= limits$lower)] <- -1
  if (!is.null(limits$upper)) more[which(y >= limits$upper)] <- 1
  list(y = pmax(pmin(y, if (is.null(limits$upper)) Inf else limits$upper),
    if (is.null(limits$lower)) -Inf else limits$lower), more = more)
}

# Some rows of what was read of a batch.
response_rows <- function(batch, keep) {
  for (name in c("y", "weights", "more", "offset")) {
    part <- batch[[name]]
    if (!is.null(part)) batch[[name]] <- if (is.matrix(part)) part[keep, , drop = FALSE] else part[keep]
  }
  batch$x <- batch$x[keep, , drop = FALSE]
  batch
}
