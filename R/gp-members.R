# The members of a model: read from the core, or, before the first row, from what the user gave.

gp_handle <- function(gp) {
  state <- state_of(gp)
  if (!is.list(state) || is.null(state$handle) || !is_frame(state$frame)) {
    abort("input", "this object was not made by streaming_gp(), or was edited by hand.")
  }
  bind_functions(gp, state$handle)
}

gp_frame <- function(gp) {
  gp_handle(gp)
  state_of(gp)$frame
}

is_started <- function(gp) length(state_of(gp)) > 0

# Warming up, with every row kept?
is_warm <- function(gp) is_started(gp) && core_gp_learning(learning_handle(gp))$warm

# What the user gave; checked, because a field can be edited.
gp_spec <- function(gp) {
  spec <- tryCatch(check_spec(spec_of(gp)), gpstream_error = function(e) {
    abort("input", "this object was edited by hand: ", conditionMessage(e))
  })
  spec$warmup <- warmup_rows(spec)
  spec
}

gp_info <- function(gp) {
  if (is_started(gp)) {
    info <- core_gp_info(gp_handle(gp))
    info$select <- with_rho(info$select)
    if (info$outputs > 1) {
      for (name in c("noise", "mean", "variance")) names(info[[name]]) <- state_of(gp)$frame$outputs
    }
    if (is_warm(gp)) info$lookback <- spec_of(gp)$lookback
    return(info)
  }
  spec <- gp_spec(gp)
  list(
    kernel = spec$kernel, select = spec$select, noise = if (is.null(spec$noise)) NA_real_ else spec$noise,
    mean = if (is.numeric(spec$mean)) spec$mean else if (identical(spec$mean, "zero")) 0 else NA_real_,
    lookback = spec$lookback, columns = NA_integer_, size = 0L, nobs = 0, batches = 0, window = 0,
    refused = 0, turned_away = 0, set_aside = 0, removed = 0, divergence = 0, forgotten = 0, fades = FALSE,
    implausible = 0, unlearned = 0, shard = FALSE, tau = 0
  )
}

gp_removed <- function(gp) {
  info <- gp_info(gp)
  list(count = info$removed, kl = info$divergence)
}

gp_rho <- function(gp) {
  rho <- gp_info(gp)$select$rho
  if (is.null(rho)) NA_real_ else rho
}

# Where the constant of the trend is integrated out, what the data leave of it: the trend at the columns'
# means.
gp_mean <- function(gp) {
  info <- gp_info(gp)
  if (!is_started(gp) || !has_trend(info)) return(info$mean)
  names <- output_names(gp)
  if (!is.null(names)) return(replace(info$mean, TRUE, unlist(each_output(gp, gp_mean))))
  core_gp_trend(gp_handle(gp))$coefficients[1]
}

# Is some coefficient of the trend integrated out?
has_trend <- function(info) any(info$trend$variance > 0)

gp_kernel <- function(gp) {
  kernel <- gp_info(gp)$kernel
  if (is_started(gp)) with_column_names(kernel, gp_frame(gp)) else kernel
}

gp_points <- function(gp) {
  if (!is_started(gp)) return(matrix(numeric(), 0, 0))
  named_columns(core_gp_points(gp_handle(gp)), state_of(gp)$frame$names)
}

gp_objective <- function(gp) if (is_started(gp)) core_gp_objective(gp_handle(gp)) else 0

gp_posterior <- function(gp) {
  if (!is_started(gp)) return(list(mean = numeric(), cov = matrix(numeric(), 0, 0)))
  if (!is.null(output_names(gp))) return(each_output(gp, gp_posterior))
  core_gp_posterior(gp_handle(gp))
}

# --- assignment ---------------------------------------------------------------------------------------------

# What is assigned counts as given from then on: the model does not learn it anew by itself.
gp_set_noise <- function(gp, value) {
  if (!has_noise(gp)) abort("parameter", "there is no noise in ", format(likelihood_of(gp)), ".")
  change_scale(gp, "noise", check_each_output(value, check_noise_variance))
}

# A mean that is given is no trend.
gp_set_mean <- function(gp, value) {
  change_scale(gp, "mean", check_each_output(value, check_mean))
  if (is_started(gp) && has_trend(gp_info(gp))) {
    core_gp_set_trend(gp_handle(gp), as.double(0 * as.matrix(gp_info(gp)$trend$variance)[, 1]))
  }
}

# After the first row the same evidence is read with the new value.
change_scale <- function(gp, name, value) {
  if (is_started(gp)) {
    now <- gp_info(gp)
    value <- given <- for_outputs(value, output_names(gp), name)
    now[[name]] <- rep_len(given, now$outputs)
    core_gp_set_scale(gp_handle(gp), now$variance, now$noise, now$mean)
    if (length(given) > 1) value <- stats::setNames(given, output_names(gp))
  } else {
    check_special(replace(spec_of(gp), name, list(value)))
  }
  gp$spec[[name]] <- value
}

gp_set_kernel <- function(gp, value) {
  check_kernel(value)
  if (!is_started(gp)) {
    check_special(replace(spec_of(gp), "kernel", list(value)))
    gp$spec$kernel <- value
    return(invisible())
  }
  if (core_kernel_open(kernel_for(value, gp_frame(gp)))$any) {
    abort("parameter",
      "`kernel` must have its lengthscale and variance given: ",
      "the rows they could be found from are not at hand.")
  }
  points <- core_gp_points(gp_handle(gp))
  kernel <- core_kernel_resolve(kernel_for(value, gp_frame(gp)), unname(points), 1)
  core_gp_rebase(gp_handle(gp), kernel, points)
  info <- gp_info(gp)
  if (info$outputs > 1) { # a variance that is given is that of all
    core_gp_set_scale(gp_handle(gp), rep(info$variance[[1]], info$outputs), info$noise, info$mean)
  }
  gp$spec$kernel <- value
}

gp_set_points <- function(gp, value) {
  if (!is_started(gp)) {
    abort("input",
      "`points` cannot be assigned before the first batch; make the model with `select = select_fixed()`.")
  }
  # a model that goes on learning its kernel is made anew at once until 50 rows have come
  early <- core_gp_learner(gp_handle(gp))$follows && gp_info(gp)$nobs < 50
  if (is_warm(gp) || early) {
    abort("input", "`points` cannot be assigned while the model is warming up: it chooses them anew until ",
      if (early) 50 else warmup_rows(spec_of(gp)), " rows have come.")
  }
  value <- later_points(value, gp_frame(gp))
  if (nrow(value) == 0) abort("dimension", "`points` must have at least one row.")
  check_finite(value, "points")
  core_gp_rebase(gp_handle(gp), gp_info(gp)$kernel, unname(value))
}

# As gp$points gives them, times as numbers; or as batches come.
later_points <- function(value, frame) {
  numbers <- if (is.data.frame(value)) all(vapply(value, is_number_like, NA)) else is_number_like(value)
  if (numbers) frame$times <- NULL
  later_input(value, frame, "points")
}
