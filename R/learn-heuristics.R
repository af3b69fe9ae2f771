# What was not given is taken from the first batch: the lengthscale is the median distance between its rows
# [GFO21 App. E], the variance that of y, the noise a tenth of it.

# Pairwise distances of at most `most` rows, evenly spread over the batch.
batch_distances <- function(x, most = 1000) {
  if (nrow(x) > most) x <- x[round(seq(1, nrow(x), length.out = most)), , drop = FALSE]
  as.vector(stats::dist(x))
}

typical_distance <- function(x) {
  if (nrow(x) < 2) return(1)
  distances <- batch_distances(x)
  typical <- stats::median(distances)
  if (!is.na(typical) && typical == 0) typical <- stats::median(distances[distances > 0])
  if (is.na(typical)) 1 else typical
}

resolve_lengthscale <- function(lengthscale, x) {
  if (is.null(lengthscale)) return(typical_distance(x))
  if (!identical(lengthscale, "ard")) return(lengthscale)
  # a distance of one in every scaled column adds up to one in all
  sqrt(ncol(x)) * vapply(seq_len(ncol(x)), function(j) typical_distance(x[, j, drop = FALSE]), numeric(1))
}

# `variance` is the amplitude that the kernel as a whole should have where it is not given.
resolve_kernel <- function(kernel, x, variance) {
  if (is_composite(kernel)) {
    share <- if (kernel$name == "sum") variance / length(kernel$parts) else variance
    for (i in seq_along(kernel$parts)) {
      kernel$parts[[i]] <- resolve_kernel(kernel$parts[[i]], x, share)
      if (kernel$name == "product") share <- 1
    }
    return(complete_composite(kernel))
  }
  kernel$lengthscale <- resolve_lengthscale(kernel$lengthscale, x)
  if (is.null(kernel$variance)) kernel$variance <- variance
  for (extra in kernel_extras(kernel)) if (is.null(kernel[[extra]])) kernel[[extra]] <- 1
  if (!all(is.finite(kernel$lengthscale))) {
    abort("input", "the columns of `x` are too large for a lengthscale to be found; rescale them or give `lengthscale`.")
  }
  if (!length(kernel$lengthscale) %in% c(1, ncol(x))) {
    abort("dimension", "`kernel` has ", length(kernel$lengthscale), " lengthscales, but `x` has ", ncol(x), " column", plural(ncol(x)), ".")
  }
  kernel
}

is_resolved <- function(kernel) {
  if (is_composite(kernel)) return(all(vapply(kernel$parts, is_resolved, logical(1))))
  is.numeric(kernel$lengthscale) && is.numeric(kernel$variance) && !any(vapply(kernel[kernel_extras(kernel)], is.null, logical(1)))
}

output_variance <- function(y) {
  v <- if (length(y) > 1) stats::var(y) else NA
  if (is.na(v) || v <= 0 || !is.finite(v)) 1 else v
}

# A model's settings with every NULL filled in from a batch.
resolve_settings <- function(spec, x, y) {
  v <- output_variance(y)
  list(
    kernel = resolve_kernel(spec$kernel, x, v),
    select = spec$select,
    noise = if (is.null(spec$noise)) 0.1 * v else spec$noise,
    mean = if (is.numeric(spec$mean)) spec$mean else if (spec$mean == "zero" || length(y) == 0) 0 else mean(y),
    lookback = spec$lookback
  )
}
