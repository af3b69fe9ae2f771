# Learning is the core's (src/core/learn/); here are the words, and what comes before and after.

# A batch as read_batch() gives it.
gp_learn <- function(gp, batch) {
  if (nrow(batch$x) == 0) return(invisible(gp))
  if (is_started(gp)) {
    handle <- learning_handle(gp)
    before <- core_gp_nobs(handle)
    # also when Ctrl-C comes between the core, which has learned the batch, and here
    on.exit(suspendInterrupts({
      if (!is.null(batch$frame$prototype) && core_gp_nobs(handle) != before) keep_frame(gp, batch$frame)
    }))
    learn_rows(handle, batch, wishes(gp_spec(gp), gp_frame(gp)))
  } else {
    start_model(gp, batch)
  }
  invisible(gp)
}

# What the user gave, as the core wants it.
wishes <- function(spec, frame) {
  spec <- trend_wishes(formula_wishes(spec, frame), frame)
  spec[c("half_life", "half_life_column")] <- half_life_wish(spec$half_life, frame)
  spec$select <- selector_for(spec$select, frame$names)
  own <- if (is.null(spec$likelihood)) likelihood_gaussian() else spec$likelihood
  spec$likelihood <- likelihood_wish(own, frame)
  if (!is.null(spec$kernel)) spec$kernel <- kernel_for(spec$kernel, frame)
  spec["noise"] <- list(for_outputs(spec$noise, frame$outputs, "noise"))
  spec$mean <- for_outputs(spec$mean, frame$outputs, "mean")
  c(spec, list(groups = frame$groups))
}

# A formula for the mean is a linear trend in some columns.
trend_wishes <- function(spec, frame) {
  if (inherits(spec$mean, "formula")) {
    spec$trend_columns <- trend_columns(spec$mean, frame)
    spec$mean <- "linear"
  }
  spec
}

trend_columns <- function(formula, frame) {
  terms <- bare(attr(stats::terms(formula), "term.labels"))
  columns <- columns_named(terms, frame)
  unknown <- terms[lengths(columns) == 0]
  if (length(unknown) > 0 || length(terms) == 0) {
    abort("parameter", "`mean` must name columns of the inputs (", backtick(input_names(frame)), ")",
      if (length(unknown) > 0) paste0(", not ", backtick(unknown)), ".")
  }
  unlist(columns)
}

# The warning comes before the change, so that options(warn = 2) leaves the object as it was.
learn_rows <- function(handle, batch, spec) {
  learn <- function(stop_when_full) {
    core_gp_learn(
      handle, batch$x, in_a_row(batch$y), numbers_or_none(batch$weights), numbers_or_none(batch$more),
      numbers_or_none(batch$offset), spec, stop_when_full
    )
  }
  if (learn(TRUE)) return(invisible())
  warn("max_inducing", "the model has reached `max_points` (", spec$select$max_points,
    "): no row becomes a point any more, and those far from all points are set aside. ",
    fewer_points(spec$select), ", use a longer lengthscale, raise `max_points`, or let points leave for ",
    "others (`when_full = \"replace\"`).")
  learn(FALSE)
}

start_model <- function(gp, batch) {
  spec <- wishes(gp_spec(gp), batch$frame)
  check_fixed_columns(spec$select, batch$x)
  handle <- core_gp_new(
    spec, batch$x, in_a_row(batch$y), numbers_or_none(batch$more), numbers_or_none(batch$offset)
  )
  warn_constant(batch$x, batch$numeric)
  inform_guesses(spec, core_gp_info(handle), batch)
  learn_rows(handle, batch, spec)
  set_state(gp, handle, batch$frame)
}

# Before format 5 what a model remembers of its learning was kept beside its core.
learning_handle <- function(gp) {
  handle <- gp_handle(gp)
  if (!core_gp_learning(handle)$known) {
    adopt_learning(handle, state_of(gp)$learning)
    set_state(gp, handle, gp_frame(gp))
  }
  handle
}

adopt_learning <- function(handle, learning) {
  if (is.null(learning)) learning <- list(warm = FALSE, fitted = Inf, wait = 50, scaled = Inf)
  core_gp_adopt(handle, learning$warm, learning$fitted, learning$wait, learning$scaled)
}

# gp$optimize(): the user's own word. On a copy that takes the model's place at the end, so that an
# interrupted call changes nothing.
gp_optimize <- function(gp, x, y, what, steps) {
  choices <- c("scale", "kernel", "points")
  what <- check_choices(what, choices, "what")
  steps <- check_count(steps, "steps", 1, most = 1e6)
  if (!missing(x) && is.character(x) && all(x %in% choices)) {
    abort("type", "`x` must be the inputs of a batch; say optimize(what = ", quoted(x[1]), ").")
  }
  if (!is_started(gp)) abort("input", "there is nothing to learn from yet: the model has seen no data.")
  batch <- if (missing(x)) {
    list(x = matrix(0, 0, gp_frame(gp)$D), y = numeric())
  } else {
    read_batch(gp, x, y, NULL)
  }
  if (nrow(batch$x) == 0) batch$x <- matrix(0, 0, gp_frame(gp)$D)
  weights <- if (is.null(batch$weights)) numeric() else batch$weights
  found <- core_gp_optimize(
    learning_handle(gp), batch$x, as.double(batch$y), weights, wishes(gp_spec(gp), gp_frame(gp)), what,
    steps
  )
  if (found$no_signal) {
    warn("convergence", "no signal is visible in the data: the variance is at the lower end of its range.")
  }
  if (found$no_noise) {
    warn("convergence", "no noise is visible in the data: it is at the lower end of its range.")
  }
  set_state(gp, found$handle, gp_frame(gp))
  invisible(gp)
}

# Is there something to learn that the evidence alone cannot tell?
needs_rows <- function(spec) spec$optimize != "none" && open_kernel(spec)$shape

# What is left open of the kernel; of one that the evidence chooses, everything.
open_kernel <- function(spec) {
  kernel <- if (is.null(spec$kernel)) kernel_se() else spec$kernel
  # where columns are does not matter for it, nor what a period in words is in their unit
  each <- function(kernel) {
    kernel[intersect(c("columns", "along"), names(kernel))] <- NULL
    if (is_composite(kernel)) kernel$parts <- lapply(kernel$parts, each)
    if (is_duration(kernel$period)) kernel$period <- 1
    kernel
  }
  core_kernel_open(each(kernel))
}

# What the model learns by itself, and how far it has come.
format_learning <- function(gp) {
  spec <- spec_of(gp)
  if (spec$optimize == "none") return("nothing by itself")
  if (!is_started(gp)) {
    how <- if (needs_rows(spec) && spec$optimize == "warmup") {
      paste(", from the first", count(spec$warmup, "row"))
    } else if (needs_rows(spec)) {
      ", as rows come"
    }
    return(paste0("what is not given", how))
  }
  learner <- core_gp_learner(learning_handle(gp))
  if (learner$follows) return(format_following(learner))
  learning <- core_gp_learning(learning_handle(gp))
  few <- core_few_rows()
  if (learning$warm) {
    of <- count(warmup_rows(spec), "row")
    return(paste0("warming up, ", whole(gp_info(gp)$nobs), " of ", of, ", all kept",
      if (learning$fitted >= few) paste0("; kernel learned from ", whole(learning$fitted))))
  }
  open <- c(
    variance = open_kernel(spec)$amplitude,
    noise = likelihood_of(gp)$name == "heteroscedastic" || (is.null(spec$noise) && has_noise(gp)),
    likelihood = length(likelihood_of(gp)$open) > 0,
    mean = identical(spec$mean, "constant") || identical(spec$mean, "auto")
  )
  if (!any(open)) return("nothing more")
  when <- if (learning$scaled < few) {
    paste0(", first at ", few, " rows")
  } else {
    paste0(" at ", count(learning$scaled, "row"), ", next at ", whole(learning$due))
  }
  paste0(paste(names(open)[open], collapse = ", "), when)
}

# So many rows are kept while the kernel is being learned: with another likelihood than the Gaussian those
# that would be kept to learn it from later.
most_warmup <- 1000
warmup_rows <- function(spec) {
  other <- !is.null(spec$likelihood) && spec$likelihood$name != "gaussian"
  if (other && spec$optimize == "online") max(spec$warmup, min(spec$memory, most_warmup)) else spec$warmup
}

# Guesses that are likely to be poor.
inform_guesses <- function(spec, guess, batch) {
  x <- batch$x
  open <- open_kernel(spec)$any
  free_mean <- !is.numeric(spec$mean) && !identical(spec$mean, "zero")
  noisy <- is.null(spec$noise) && spec$likelihood$name %in% noisy_likelihoods
  guessed <- c(kernel = open, noise = noisy, mean = free_mean)
  if (nrow(x) == 1 && any(guessed) && spec$optimize == "none") {
    return(inform("The first batch has one row, which says little of ",
      backtick(names(which(guessed))), ": using ", format(guess$kernel),
      if (noisy) paste0(", noise ", toString(format(guess$noise))), " and mean ",
      toString(format(guess$mean)), "."))
  }
  scales <- apply(x, 2, function(column) core_typical_distance(cbind(column)))
  unlike <- max(scales) > 5 * min(scales) || length(unique(batch$numeric)) > 1
  if (!is.null(spec$kernel) && guesses_one_lengthscale(spec$kernel) && nrow(x) > 1 && unlike) {
    inform("One lengthscale serves unlike columns (typical distances ",
      few(signif(scales, 2)),
      "); give one for each, or lengthscale = \"ard\" to have them ",
      if (spec$optimize == "none") "guessed." else "learned.")
  }
}

# Of several columns.
guesses_one_lengthscale <- function(kernel) {
  any(each_kernel(kernel, function(k) {
    "lengthscale" %in% names(k) && is.null(k$lengthscale) && length(k$columns) != 1
  }))
}

warn_constant <- function(x, numeric = NULL) {
  if (nrow(x) < 2) return(invisible())
  constant <- apply(x, 2, function(column) max(column) == min(column))
  if (!is.null(numeric)) constant <- constant & numeric
  if (!any(constant)) return(invisible())
  named <- !is.null(colnames(x)) && all(nzchar(colnames(x)))
  warn("constant_column", "column ", if (named) backtick(colnames(x)[constant]) else few(which(constant)),
    " of the first batch has one value only: ", "nothing can be learned from it yet.")
}
