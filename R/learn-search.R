# The search for kernel and noise: L-BFGS on the objective and its gradient, with as much of the scale profiled out as
# can be.  [derivation 3, 6]
#
# `open` says what is looked for: a mask of the kernel's parameters, and the noise or not. When noise and amplitude both are, the
# variances are measured in units of the noise, which then has a closed form.

open_to_learn <- function(spec, kernel) {
  noise <- is.null(spec$noise)
  list(kernel = open_parameters(spec$kernel, kernel), noise = noise, relative = noise && open_amplitude(spec$kernel))
}

# Ranges of the parameters: a lengthscale between the spacing of the rows and many times their range.
search_range <- function(kernel, x) {
  if (is_composite(kernel)) {
    parts <- lapply(kernel$parts, search_range, x)
    return(list(lower = unlist(lapply(parts, `[[`, "lower")), upper = unlist(lapply(parts, `[[`, "upper"))))
  }
  span <- apply(x, 2, function(column) diff(range(column)))
  span <- if (length(kernel$lengthscale) == 1) sqrt(sum(span^2)) else span
  span[!(span > 0 & is.finite(span))] <- 1
  gap <- 0.25 / nrow(x)^(1 / ncol(x))
  extras <- length(kernel_extras(kernel))
  list(
    lower = c(log(span * gap), log(kernel$variance) - log(1e8), rep(log(1e-2), extras)),
    upper = c(log(span * 20), log(kernel$variance) + log(1e8), rep(log(1e3), extras))
  )
}

# Only so far from here, which is always within.
trust_region <- function(range, kernel, far) {
  here <- log_parameters(kernel)
  list(lower = pmax(pmin(range$lower, here), here - far), upper = pmin(pmax(range$upper, here), here + far))
}

# A weak normal prior on the log parameters, for when rows are few: around the heuristics, whose scale is far less sure than
# their lengthscale.
search_prior <- function(heuristics, open) {
  sd <- prior_sd(heuristics$kernel)
  relative <- if (open$relative) scaled_kernel(heuristics$kernel, 1 / heuristics$noise) else heuristics$kernel
  own <- open$noise && !open$relative
  list(mean = c(log_parameters(relative)[open$kernel], if (own) log(heuristics$noise)), sd = c(sd[open$kernel], if (own) 2.5))
}

prior_sd <- function(kernel) {
  if (is_composite(kernel)) return(unlist(lapply(kernel$parts, prior_sd)))
  c(rep(1.5, length(kernel$lengthscale)), 2.5, rep(1.5, length(kernel_extras(kernel))))
}

# From `start` (kernel, noise, mean) to the best kernel and noise within `range` after at most `steps` iterations.
search_kernel <- function(objective, points, start, open, range, steps, prior = NULL) {
  unit <- if (open$relative) scaled_kernel(start$kernel, 1 / start$noise) else start$kernel
  here <- log_parameters(unit)
  shift <- here - log_parameters(start$kernel)
  own <- open$noise && !open$relative
  best <- list(objective = -Inf, kernel = start$kernel, noise = start$noise, mean = start$mean)
  evaluate <- remember(function(p) {
    kernel <- with_log_parameters(unit, replace(here, open$kernel, p[seq_len(sum(open$kernel))]))
    noise <- if (open$relative) NA_real_ else if (own) exp(p[length(p)]) else start$noise
    out <- tryCatch(
      core_objective_at(objective, kernel, points, noise, start$mean, FALSE),
      gpstream_error = function(e) list(objective = NaN)
    )
    slope <- c(out$kernel[open$kernel], if (own) out$log_noise)
    if (!is.null(prior)) {
      away <- (p - prior$mean) / prior$sd
      out$objective <- out$objective - sum(away^2) / 2
      slope <- slope - away / prior$sd
    }
    if (!all(is.finite(c(out$objective, slope)))) return(list(objective = -1e100, slope = 0 * p))
    if (out$objective > best$objective) {
      best <<- list(objective = out$objective, kernel = if (open$relative) scaled_kernel(kernel, out$noise) else kernel,
        noise = out$noise, mean = start$mean)
    }
    list(objective = out$objective, slope = slope)
  })
  p <- c(here[open$kernel], if (own) log(start$noise))
  if (length(p) == 0 || !all(is.finite(p)) || evaluate(p)$objective == -1e100 || steps == 0) return(best)
  lower <- c((range$lower + shift)[open$kernel], if (own) log(start$noise) - log(1e6))
  upper <- c((range$upper + shift)[open$kernel], if (own) log(start$noise) + log(1e6))
  p <- pmin(pmax(p, lower), upper)
  stats::optim(p, function(p) evaluate(p)$objective, function(p) evaluate(p)$slope, method = "L-BFGS-B", lower = lower, upper = upper,
    control = list(fnscale = -1, maxit = steps, factr = 1e8))
  best
}
