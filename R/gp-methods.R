#' Print, summarise and extract
#'
#' @param x,object A model made by [streaming_gp()].
#' @param digits Significant digits.
#' @param ... Not used.
#' @return `coef()` gives the parameters in use as a named vector (those of a likelihood as `likelihood.df`,
#'   say; those that each of several outputs has with its name behind, `noise.u`), `nobs()` the number of
#'   observations absorbed, `sigma()` the standard deviation of the noise, `summary()` an object with more on
#'   how the model came about, and on rows that Gaussian noise should not be believed of; `print()` its
#'   argument, invisibly.
#'   `residuals()`, `fitted()` and `logLik()` (so `AIC()`) do not exist for a stream, and say why.
#' @examples
#' gp <- streaming_gp(dist ~ speed, data = cars)
#' gp
#' summary(gp)
#' coef(gp)
#' @name methods
NULL

#' @rdname methods
#' @export
print.StreamingGP <- function(x, digits = 4, ...) {
  digits <- check_digits(digits)
  info <- gp_info(x)
  cat("<StreamingGP> ", count(info$nobs, "observation"), ", ", count(info$size, "inducing point"), sep = "")
  if (is_started(x)) {
    cat(", ", count(info$columns, "input column"), "\n", sep = "")
  } else {
    cat("; waiting for the first batch\n")
  }
  if (!is.null(spec_of(x)$formula)) {
    cat("formula  ", deparse(spec_of(x)$formula, width.cutoff = 500)[1], "\n", sep = "")
  }
  times <- format_times(state_of(x)$frame)
  if (!is.null(times)) cat("inputs   ", times, "\n", sep = "")
  cat("kernel   ", format_kernel(info$kernel, digits, state_of(x)$frame, spec_of(x)$formula), "\n", sep = "")
  if (!is_gaussian(x)) cat("observed ", format_likelihood(likelihood_now(x), digits), "\n", sep = "")
  if (!is.null(output_names(x))) cat("outputs  ", format_outputs(output_names(x)), "\n", sep = "")
  if (has_noise(x)) cat("noise    ", parameter(info$noise, digits, noise_unit(x)), "\n", sep = "")
  functions <- format_functions(x, digits)
  cat("mean     ", format_mean(x, digits), if (!is.null(functions)) ", of the first function", "\n", sep = "")
  if (!is.null(functions)) cat("latent   ", functions, "\n", sep = "")
  by_itself <- !is_started(x) && any_density(info$select) && spec_of(x)$optimize != "none"
  rule <- if (by_itself) {
    paste0("as dense as the noise asks, at most ", whole(info$select$max_points),
      if (!is.null(info$select$support)) paste(", support", info$select$support))
  }
  cat("points   ", if (by_itself) rule else format(info$select), "\n", sep = "")
  cat("lookback ", if (is.infinite(info$lookback)) "every row" else count(info$lookback, "row"),
    "\n", sep = "")
  if (!is.null(format_half_life(x))) cat("forgets  ", format_half_life(x), "\n", sep = "")
  cat("learning ", format_learning(x), "\n", sep = "")
  for (line in format_notes(x)) cat("         ", line, "\n", sep = "")
  invisible(x)
}

# What a user should know who did not ask: why this kernel, whether intervals are corrected, what was set
# aside.
format_notes <- function(gp) {
  if (!is_started(gp)) return(character())
  factor <- if (is.null(output_names(gp))) calibration_factors(gp)$factor[4] else 1
  info <- gp_info(gp)
  c(
    if (is.null(spec_of(gp)$kernel)) Filter(nzchar, format_choice(core_gp_learner(gp_handle(gp)))),
    if (abs(factor - 1) >= 0.005) {
      paste0("95 % prediction intervals ", if (factor > 1) "widened" else "narrowed", " by a factor of ",
        format(round(factor, 2)), " for what they missed so far")
    },
    if (info$forgotten > 0) paste("rows so far made to count less", count(info$forgotten, "time")),
    if (info$unlearned > 0) paste0(count(info$unlearned, "row"), " unlearned"),
    if (info$shard) "a shard: to be merged with its model",
    if (info$removed > 0) paste(count(info$removed, "point"), "left for others:", changed_by(info)),
    if (info$set_aside > 0) paste0(count(info$set_aside, "row"), format_aside(info)),
    if (info$implausible > 0) paste0(count(info$implausible, "row"), " not learned, being implausible")
  )
}

# What became of rows far from all points, and why.
format_aside <- function(info) {
  alone <- !is.null(info$select$support)
  full <- info$turned_away + info$removed > 0
  paste0(
    if (alone && full && !identical(info$select$when_full, "stop")) {
      " far from all points set aside, or count for less"
    } else if (alone || identical(info$select$when_full, "stop")) {
      " set aside, far from all points"
    } else {
      " far from all points count for less"
    },
    ": ", if (alone) paste("fewer than", info$select$support, "lay together"), if (alone && full) ", or ",
    if (full || !alone) "there are as many points as allowed"
  )
}

changed_by <- function(info) {
  each <- info$divergence / info$removed
  paste("the posterior changed by", signif(each, 2), "nats each time, on average")
}

format_mean <- function(gp, digits) {
  info <- gp_info(gp)
  given <- spec_of(gp)$mean
  if (!is_started(gp)) {
    if (!is.numeric(given) && !identical(given, "zero")) {
      formula <- spec_of(gp)$formula
      flat <- if (has_special_terms(formula) && identical(given, "auto")) {
        !"trend" %in% special_calls(formula)
      } else {
        identical(given, "constant") || (identical(given, "auto") && !needs_rows(spec_of(gp)))
      }
      return(paste0(if (flat) "a constant" else "a linear trend", ", from the data"))
    }
    return(parameter(info$mean, digits))
  }
  if (!is.null(output_names(gp)) && has_trend(info)) {
    return(paste0(parameter(gp_mean(gp), digits), if (info$trend$asked > 0) ", and slopes",
      " (integrated out)"))
  }
  if (!has_trend(info)) return(parameter(info$mean, digits))
  trend <- core_gp_trend(gp_handle(gp))
  names <- state_of(gp)$frame$names
  columns <- if (is.null(names)) paste("column", trend$columns) else names[trend$columns]
  slopes <- utils::head(trend$coefficients[-1] / trend$scale, trend$asked)
  shown <- utils::head(seq_along(slopes), 4)
  paste0(
    signif(trend$coefficients[1], digits), if (length(slopes) > 0) " at the columns' means",
    if (length(slopes) > 0) paste0("; slope ", paste0(signif(slopes[shown], digits), " in ", columns[shown],
      collapse = ", ")),
    if (length(slopes) > length(shown)) ", ...", " (integrated out)"
  )
}

# Variance and mean of each latent function, where there are several.
format_functions <- function(gp, digits) {
  if (!is_started(gp) || latents(likelihood_now(gp)) == 1) return(NULL)
  each <- core_gp_functions(gp_handle(gp))
  names <- gp_frame(gp)$classes
  if (likelihood_of(gp)$name == "heteroscedastic") {
    names <- c("f", "log_variance")
    each$mean[2] <- each$mean[2] + log(gp_info(gp)$noise)
  }
  shown <- utils::head(seq_along(names), 5)
  paste0(
    paste0(names[shown], ": variance ", signif(each$variance[shown], digits), ", mean ",
      signif(each$mean[shown], digits), collapse = "; "),
    if (length(names) > length(shown)) "; ..."
  )
}

format_kernel <- function(kernel, digits, frame = NULL, formula = NULL) {
  if (is.null(kernel)) {
    return(if (has_special_terms(formula)) "as the formula says" else "chosen by the evidence")
  }
  if (!is.null(frame$times)) kernel <- with_period_words(kernel, frame, digits)
  format(with_column_names(kernel, frame), digits)
}

# Of several outputs, a number each.
parameter <- function(value, digits, what = "") {
  if (length(value) > 1) {
    shown <- utils::head(value, 5)
    return(paste0(paste(names(shown), signif(shown, digits), collapse = ", "),
      if (length(value) > 5) ", ...", what))
  }
  if (is.na(value)) "from the data" else paste0(signif(value, digits), what)
}

#' @rdname methods
#' @export
summary.StreamingGP <- function(object, ...) {
  info <- gp_info(object)
  structure(
    list(
      info = info, learning = format_learning(object), forgets = format_half_life(object),
      notes = format_notes(object),
      mean = format_mean(object, 4), functions = format_functions(object, 4),
      formula = spec_of(object)$formula, times = format_times(state_of(object)$frame),
      coefficients = coef.StreamingGP(object), objective = object$objective, points = object$points,
      observed = if (!is_gaussian(object)) format_likelihood(likelihood_now(object)),
      noise = if (has_noise(object)) parameter(info$noise, 4, noise_unit(object)),
      gross = format_gross(gross_errors(object)),
      certificate = if (is_gaussian(object) && is.null(output_names(object))) gp_certificate(object),
      outputs = output_names(object), frame = state_of(object)$frame[c("D", "names", "xlevels", "times")]
    ),
    class = "summary.StreamingGP"
  )
}

#' @export
print.summary.StreamingGP <- function(x, digits = 4, ...) {
  digits <- check_digits(digits)
  info <- x$info
  cat("Streaming Gaussian process",
    if (!is.null(x$formula)) paste0(": ", deparse(x$formula, width.cutoff = 500)[1]), "\n\n", sep = "")
  if (!is.null(x$times)) cat("inputs     ", x$times, "\n", sep = "")
  cat("kernel     ", format_kernel(info$kernel, digits, x$frame, x$formula), "\n", sep = "")
  if (!is.null(x$observed)) cat("observed   ", x$observed, "\n", sep = "")
  if (!is.null(x$outputs)) cat("outputs    ", format_outputs(x$outputs), "\n", sep = "")
  if (!is.null(x$noise)) cat("noise      ", x$noise, "\n", sep = "")
  cat("mean       ", x$mean, if (!is.null(x$functions)) ", of the first function", "\n", sep = "")
  if (!is.null(x$functions)) cat("latent     ", x$functions, "\n", sep = "")
  cat("seen       ", count(info$nobs, "observation"), " in ", count(info$batches, "update"), "\n", sep = "")
  cat("points     ", format(info$size), ", ", format(info$select), "\n", sep = "")
  if (info$refused > 0) {
    cat("           ", count(info$refused, "candidate"), " refused: nothing the points did not say already\n",
      sep = "")
  }
  if (info$turned_away > 0) {
    cat("           ", count(info$turned_away, "row"), " turned away because the limit was reached\n",
      sep = "")
  }
  limit <- if (is.infinite(info$lookback)) {
    ", every one"
  } else if (is.null(x$observed)) {
    paste(" of at most", whole(info$lookback))
  } else {
    paste0(", each for ", whole(2 * info$lookback), " more or longer")
  }
  cat("lookback   ", count(info$window, "row"), " kept", limit, "\n", sep = "")
  if (!is.null(x$forgets)) cat("forgets    ", x$forgets, "\n", sep = "")
  cat("learning   ", x$learning, "\n", sep = "")
  for (line in x$notes) cat("           ", line, "\n", sep = "")
  if (!is.null(x$gross)) cat("outliers   ", paste(x$gross, collapse = "\n           "), "\n", sep = "")
  if (info$nobs > 0 && !is.null(x$outputs)) {
    cat("objective  ", format(x$objective, digits = digits + 2), ", that of all outputs\n", sep = "")
  } else if (info$nobs > 0 && is.null(x$certificate)) {
    cat("objective  ", format(x$objective, digits = digits + 2), " (of the evidence nothing is proved)\n",
      sep = "")
  } else if (info$nobs > 0) {
    sure <- x$certificate
    if (sure$foreign < sure$rows && !is.na(sure$trace)) {
      cat("residual   ", signif(unexplained(sure), digits),
        " of the prior variance left unexplained by the points, on average\n", sep = "")
    }
    cat("condition  ", format(sure$condition, digits = 2), " of the correlation matrix of the points\n",
      sep = "")
    cat("objective  ", format(x$objective, digits = digits + 2), "\n", sep = "")
    cat("evidence   ", if (sure$foreign > 0) "no bracket: the kernel was changed" else
      if (is.na(sure$lower)) paste0("no bracket: ",
        if (sure$removed > 0) "points have left for others" else "rows count less than they did") else
      paste0("log evidence between ", format(sure$lower, digits = digits + 2), " and ",
        format(sure$upper, digits = digits + 2)), "\n", sep = "")
    if (!is.na(sure$kl)) {
      cat("posterior  at most ", signif(sure$kl, digits),
        " nats from the exact one; more in gp$certificate()\n", sep = "")
    }
  }
  if (info$size > 0) {
    columns <- rbind(min = apply(x$points, 2, min), max = apply(x$points, 2, max))
    if (is.null(colnames(columns))) colnames(columns) <- paste("column", seq_len(ncol(columns)))
    cat("\nrange of the inducing points\n")
    print(signif(columns, digits))
  }
  invisible(x)
}

#' @rdname methods
#' @export
coef.StreamingGP <- function(object, ...) {
  if (is_started(object) && !is.null(output_names(object))) return(coef_outputs(object))
  info <- gp_info(object)
  kernel <- info$kernel
  if (is.null(kernel) && !has_special_terms(spec_of(object)$formula)) kernel <- kernel_se()
  names <- state_of(object)$frame$names
  numbers <- unlist(likelihood_now(object)$numbers)
  if (length(numbers) > 0) names(numbers) <- paste0("likelihood.", names(numbers))
  out <- c(
    if (!is.null(kernel)) kernel_parameters(kernel, names),
    if (has_noise(object)) c(noise = info$noise), numbers,
    mean = gp_mean(object)
  )
  if (!is_started(object) || !has_trend(info)) return(out)
  trend <- core_gp_trend(gp_handle(object))
  slopes <- (trend$coefficients / c(1, trend$scale))[seq_len(1 + trend$asked)]
  c(out, stats::setNames(slopes, trend_coefficients(trend, state_of(object)$frame))[-1])
}

# What is common once, what each output has with its name behind.
coef_outputs <- function(gp) {
  each <- do.call(cbind, each_output(gp, coef.StreamingGP))
  own <- grepl("variance$|^noise$|^mean$|^slope[.]", rownames(each))
  values <- lapply(seq_along(own), function(i) if (own[i]) each[i, ] else each[i, 1])
  names <- lapply(seq_along(own), function(i) {
    if (own[i]) paste0(rownames(each)[i], ".", colnames(each)) else rownames(each)[i]
  })
  stats::setNames(unlist(values), unlist(names))
}

format_outputs <- function(names) {
  paste0(length(names), ": ", paste(utils::head(names, 5), collapse = ", "), if (length(names) > 5) ", ...")
}

# The variance first; NA where a parameter is still to be found.
kernel_parameters <- function(kernel, columns) {
  if (is_composite(kernel)) {
    parts <- lapply(kernel$parts, kernel_parameters, columns)
    if (kernel$name == "warped") return(c(parts[[1]], own_parameters(kernel)))
    names(parts) <- make.unique(vapply(kernel$parts, `[[`, "", "name"), sep = "")
    return(unlist(parts))
  }
  values <- own_parameters(kernel)
  ard <- grepl("^lengthscale[0-9]", names(values))
  own <- if (is.numeric(kernel$columns)) kernel$columns else seq_along(columns)
  names(values)[ard] <- paste0("lengthscale.", if (is.null(columns)) seq_len(sum(ard)) else columns[own])
  values[order(names(values) != "variance")]
}

# By the names that the core has for them; of what is open there is no value.
own_parameters <- function(kernel) {
  K <- if (length(kernel$knots) == 1) kernel$knots else length(kernel$knots)
  known <- replace(kernel, "columns", list(NULL))
  dummy <- list(lengthscale = 1, variance = 1, period = 1, frequency = 1, correlation = 0.5, alpha = 1,
    values = numeric(max(K - 1, 0)), origin = 0, scale = 1)
  open <- !vapply(kernel, is.numeric, logical(1)) & names(kernel) %in% names(dummy)
  known[open] <- dummy[names(kernel)[open]]
  if (length(kernel$knots) == 1) known$knots <- seq_len(K)
  if (is_composite(kernel)) known[c("parts", "variance")] <- list(list(kernel_constant(1)), 1)
  found <- core_kernel_parameters(known)
  values <- stats::setNames(found$value, found$name)
  if (is_composite(kernel)) values <- values[names(values) != "variance"]
  of <- sub("^frequency[0-9]+$", "frequency", names(values))
  of <- sub("^(stretch|warp|amplitude)[0-9]+$", "values", of)
  values[of %in% names(kernel)[open]] <- NA
  values
}

#' @rdname methods
#' @export
nobs.StreamingGP <- function(object, ...) object$nobs

#' @rdname methods
#' @export
sigma.StreamingGP <- function(object, ...) sqrt(object$noise)

#' @rdname methods
#' @export
formula.StreamingGP <- function(x, ...) spec_of(x)$formula

#' @rdname methods
#' @export
residuals.StreamingGP <- function(object, ...) {
  abort("input", "a stream has no residuals: its data are gone. Use y - predict(gp, x) on data at hand.")
}

#' @rdname methods
#' @export
fitted.StreamingGP <- function(object, ...) {
  abort("input", "a stream has no fitted values: its data are gone. Use predict(gp, x) on data at hand.")
}

#' @rdname methods
#' @export
logLik.StreamingGP <- function(object, ...) {
  abort("input",
    "a streaming model has no log likelihood, and so no AIC, only a variational objective, gp$objective, ",
    "and a bracket on the log evidence, gp$certificate(). Compare models by ",
    "evaluate(list(a = , b = ), data).")
}
