# Selectors that draw random numbers choose here, and hand what they chose to the core along with the batch. Of a batch they
# choose as many points as are lacking; nothing is drawn when none are.

# `have` is the number of points there are. NULL, or a list of `points` and the `rows` of x they are (NA for none).
propose_points <- function(selector, x, kernel, have) {
  if (!proposes(selector)) return(NULL)
  k <- selector$m - have
  if (k <= 0 || nrow(x) == 0) return(NULL)
  x <- unname(x)
  if (selector$name == "kmeans") return(kmeans_points(x, k))
  rows <- switch(selector$name, random = sort(sample.int(nrow(x), min(k, nrow(x)))), kdpp = kdpp_rows(x, k, kernel))
  list(points = x[rows, , drop = FALSE], rows = rows)
}

proposes <- function(selector) is.list(selector) && isTRUE(selector$name %in% c("kmeans", "random", "kdpp"))

# For the model behind a handle, whose selector this is.
gp_proposal <- function(handle, selector = core_gp_info(handle)$select, x) {
  if (!proposes(selector)) return(NULL)
  info <- core_gp_info(handle)
  propose_points(info$select, x, info$kernel, info$size)
}

# Centres of k clusters; all distinct rows where there are no more than k.
kmeans_points <- function(x, k) {
  scale <- 2^min(floor(log2(max(abs(x), .Machine$double.xmin))), 1023) # so that no square overflows
  x <- x / scale
  rows <- kmeans_seeds(x, k)
  seeds <- x[rows, , drop = FALSE]
  if (attr(rows, "exhausted")) return(list(points = scale * seeds, rows = as.integer(rows)))
  centres <- if (k == 1) t(colMeans(x)) else suppressWarnings(stats::kmeans(x, seeds, iter.max = 50))$centers
  list(points = scale * unname(centres), rows = rep(NA_integer_, k))
}

# k-means++: the first row with equal probability, each further one with probability in proportion to its squared distance
# from the nearest so far. Exhausted: every row is one of the seeds.
kmeans_seeds <- function(x, k) {
  columns <- t(x)
  distance2 <- rep(Inf, nrow(x))
  rows <- sample.int(nrow(x), 1)
  repeat {
    distance2 <- pmin(distance2, colSums((columns - x[rows[length(rows)], ])^2))
    exhausted <- all(distance2 == 0)
    if (exhausted || length(rows) == k) return(structure(rows, exhausted = exhausted))
    rows <- c(rows, sample.int(nrow(x), 1, prob = distance2))
  }
}
