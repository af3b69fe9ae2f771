# The parameters of a kernel as one vector of logarithms, in the order of the core: lengthscales, variance, extras; those of
# the parts of a composite one after the other.

kernel_extras <- function(kernel) setdiff(names(kernel), c("name", "lengthscale", "variance"))

log_parameters <- function(kernel) {
  if (is_composite(kernel)) return(unlist(lapply(kernel$parts, log_parameters)))
  log(c(kernel$lengthscale, kernel$variance, unlist(kernel[kernel_extras(kernel)], use.names = FALSE)))
}

# The kernel with other parameters.
with_log_parameters <- function(kernel, values) {
  if (is_composite(kernel)) {
    counts <- lengths(lapply(kernel$parts, log_parameters))
    kernel$parts <- unname(Map(with_log_parameters, kernel$parts, split(values, rep(seq_along(counts), counts))))
    return(complete_composite(kernel))
  }
  l <- seq_along(kernel$lengthscale)
  extras <- kernel_extras(kernel)
  now <- c(kernel$lengthscale, kernel$variance, unlist(kernel[extras], use.names = FALSE))
  now <- ifelse(values == log(now), now, exp(values)) # what does not change keeps its last bit
  kernel$lengthscale <- now[l]
  kernel$variance <- now[length(l) + 1]
  kernel[extras] <- as.list(now[-seq_len(length(l) + 1)])
  kernel
}

# Which parameters of the kernel in use were not given. The variances of later factors of a product would say the same as
# that of the first.
open_parameters <- function(given, kernel) {
  if (is_composite(kernel)) {
    open <- Map(open_parameters, given$parts, kernel$parts)
    leaf <- !vapply(kernel$parts, is_composite, logical(1))
    if (kernel$name == "product") {
      for (i in which(leaf & seq_along(leaf) > 1)) open[[i]][length(kernel$parts[[i]]$lengthscale) + 1] <- FALSE
    }
    return(unlist(open))
  }
  c(
    rep(!is.numeric(given$lengthscale), length(kernel$lengthscale)), is.null(given$variance),
    vapply(kernel_extras(kernel), function(extra) is.null(given[[extra]]), logical(1), USE.NAMES = FALSE)
  )
}

# Can the amplitude as a whole be chosen?
open_amplitude <- function(given) {
  if (!is_composite(given)) return(is.null(given$variance))
  open <- vapply(given$parts, open_amplitude, logical(1))
  if (given$name == "sum") all(open) else open[1]
}

# The kernel with its amplitude multiplied.
scaled_kernel <- function(kernel, factor) {
  if (is_composite(kernel)) {
    parts <- if (kernel$name == "sum") seq_along(kernel$parts) else 1
    kernel$parts[parts] <- lapply(kernel$parts[parts], scaled_kernel, factor)
    return(complete_composite(kernel))
  }
  kernel$variance <- kernel$variance * factor
  kernel
}

# A kernel with nothing given, like this one: all its parameters can be learned.
opened_kernel <- function(kernel) {
  if (is_composite(kernel)) {
    kernel$parts <- lapply(kernel$parts, opened_kernel)
    return(kernel)
  }
  kernel[c("lengthscale", "variance", kernel_extras(kernel))] <- list(NULL)
  kernel
}
