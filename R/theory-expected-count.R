# The expected number of points that OIPS keeps of n rows, uniform on a box. Lengths are in units of the
# radius, as in R/theory-packing.R.

# P(|X - Y| <= 1) for X, Y uniform on a box of sides at least 1: the difference has density
# prod((1 - |t_d| / a_d) / a_d), and Dirichlet's formula gives its terms on the ball,
#   sum over k of (-1)^k e_k(1/a) pi^((D-k)/2) / gamma((D+k)/2 + 1) / prod(a)
near_pair <- function(a) {
  if (length(a) == 0) return(1)
  D <- length(a)
  k <- 0:D
  terms <- exp(log_esp(1 / a, D) + (D - k) / 2 * log(pi) - lgamma((D + k) / 2 + 1) - sum(log(a)))
  min(1, max(0, sum(terms * (-1)^k)))
}

# Lines `height - slope k` above P(the next row joins | the rows so far, of which k joined). The weights of
# the k points are below the indicator of what they cover, and within the box they come to at least
# k ball - edge of its volume. A weight about a point of the box has at least 2^-D of itself within, when its
# reach is at most the shortest side: then also k ball / 2^D, without an edge.
lines_above <- function(a) {
  per_weight <- lapply(point_weights(a), function(weight) {
    list(
      c(slope = weight$ball, height = 1 + weight$edge),
      if (weight$reach <= a[1]) c(slope = weight$ball / 2^length(a), height = 1)
    )
  })
  do.call(rbind, unlist(per_weight, recursive = FALSE))
}

# m_1 = 1, m_{n+1} = m_n + min over lines of (height - slope m_n), for slopes from 0 to 1: an upper bound on
# E[M | n]. The gain falls as m rises, so the lines take their turns by increasing slope, and each turn is a
# geometric series: no loop over n. A turn that rounding makes one step too long or too short does no harm, as
# every line is an upper bound at every step.
follow_lines <- function(n, slope, height) {
  value <- pmin(n, 1)
  at <- 1
  m <- 1
  repeat {
    gain <- height - slope * m
    i <- which(gain == min(gain))
    i <- i[which.max(slope[i])]
    if (gain[i] <= 0) {
      value[n > at] <- m
      break
    }
    along <- function(steps) {
      if (slope[i] == 0) m + steps * gain[i] else m - gain[i] / slope[i] * expm1(steps * log1p(-slope[i]))
    }
    value[n > at] <- along(n[n > at] - at)
    steeper <- slope > slope[i]
    turn <- min(Inf, (height[steeper] - height[i]) / (slope[steeper] - slope[i]))
    if (turn >= height[i] / slope[i]) break # where this line reaches 0
    steps <- if (slope[i] == 0) {
      (turn - m) / gain[i]
    } else {
      log1p(-(turn - m) * slope[i] / gain[i]) / log1p(-slope[i])
    }
    steps <- max(1, ceiling(steps))
    m <- along(steps)
    at <- at + steps
    slope <- slope[steeper]
    height <- height[steeper]
  }
  value
}

# n rows fall into equally probable cells, and a cell gives at most one point.
occupied <- function(n, cells) if (cells == 1) pmin(n, 1) else -cells * expm1(n * log1p(-1 / cells))

expected_count <- function(n, a) {
  boxes <- flattened(a)
  if (length(boxes) == 0) return(pmin(n, 1))
  lines <- do.call(rbind, lapply(boxes, lines_above))
  lines <- lines[lines[, "slope"] <= 1 & is.finite(lines[, "height"]), , drop = FALSE]
  # the first row always joins, so a later one does only when it is far from that one
  near <- max(0, vapply(Filter(function(a) a[1] >= 1, boxes), near_pair, 0))
  count <- follow_lines(n, c(0, lines[, "slope"]), c(1 - near, lines[, "height"]))
  pmin(count, occupied(n, min(vapply(boxes, cells, 0))), packing(a), n)
}

# At least: a row joins when no row before it, joined or not, is within the radius. With q(x) the probability
# that a row falls within the radius of x, that is E (1 - q(X))^(i-1) for row i, and at least
# (1 - E q(X))^(i-1) by Jensen's inequality; E q(X) = P(|X - Y| <= 1). Columns may be left out, and space be
# taken for the box, for the sake of an upper bound on that probability.
least_count <- function(n, a) {
  long <- sort(a, decreasing = TRUE)
  of_ball <- exp(log_ball(seq_along(long)) - cumsum(log(long)))
  near <- min(1, of_ball, near_pair(long[long >= 1]))
  isolated_rows(n, near)
}

# 1 + (1 - p) + ... + (1 - p)^(n-1)
isolated_rows <- function(n, p) if (p >= 1) pmin(n, 1) else if (p < 1e-300) n else -expm1(n * log1p(-p)) / p
