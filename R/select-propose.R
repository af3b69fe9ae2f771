# Selectors that draw random numbers choose here; the core asks while points are lacking.

# `have` is the number of points there are. A list of `points` and the `rows` of x they are (NA for none).
propose_points <- function(selector, x, kernel, have) {
  k <- selector$m - have
  if (selector$name == "kmeans") return(kmeans_points(x, k))
  rows <- switch(
    selector$name, random = sort(sample.int(nrow(x), min(k, nrow(x)))), kdpp = kdpp_rows(x, k, kernel)
  )
  list(points = x[rows, , drop = FALSE], rows = rows)
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

# k-means++: the first row with equal probability, each further one with probability in proportion to its
# squared distance from the nearest so far. Exhausted: every row is one of the seeds.
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
