# How many points of a box can lie pairwise farther apart than the radius r, whatever the data. Lengths are in
# units of r: `a` holds the sides of the box divided by r, in increasing order, and r = 1.

# log volume of the unit ball in j dimensions
log_ball <- function(j) j / 2 * log(pi) - lgamma(j / 2 + 1)

# The box seen along fewer columns. Points farther apart than 1 are, without columns of sides a_1, ..., a_j,
# still farther apart than sqrt(1 - sum a_i^2): these columns add at most sum a_i^2 to a squared distance. And
# a ball of radius 1 about a point contains, over a ball of that smaller radius in the columns that are left,
# the whole box in those that are not. So every bound for the box is one with the shortest sides left out and
# the radius so much smaller. What comes back are the sides of each such box, in units of its own radius, the
# whole box first; nothing when the box has diameter at most 1, so that its first point covers it.
flattened <- function(a) {
  left <- 1 - c(0, cumsum(a^2) * (1 + 1e-12))
  if (left[length(left)] >= 0 || sum(a^2) <= 1) return(list())
  without <- which(left > 1e-6) - 1
  without <- without[a[without + 1] > 1e-150]
  lapply(without, function(j) a[seq(j + 1, length(a))] / sqrt(left[j + 1]))
}

# Two weights of a point, each 0 from the distance 1 on and such that the weights of all points sum to at most
# 1 everywhere:
#   half ball     1 up to the distance s = 1/2: the half balls are disjoint
#   Blichfeldt    (1 - dist^2 / s^2)_+ with s = 1/sqrt(2)
# For each, in units of the volume of the box: `ball`, the integral of one point's weight over all space, and
# `edge`, the most that the points of the box can have outside of it, by Steiner's formula (with the weight
# (1 - dist(x, box)^2 / s^2)_+ for Blichfeldt's):
#   edge = sum over j >= 1 of e_j(1/a) V_j s^j c_j,   ball = e_D(1/a) V_D s^D c_D,   c_j = 1 and 2 / (j + 2)
# since e_{D-j}(a) / prod(a) = e_j(1/a). V_j is the volume of the unit ball, e_j the elementary symmetric
# polynomial. So many points have room:
#   most = (1 + edge) / ball
point_weights <- function(a) {
  D <- length(a)
  j <- seq_len(D)
  log_e <- log_esp(1 / a, D)[-1]
  weight <- function(s, log_c) {
    log_edge <- log_e + log_ball(j) + j * log(s) + log_c
    log_one <- log_edge[D]
    top <- max(log_edge, 0)
    list(
      reach = s, ball = exp(log_one), edge = sum(exp(log_edge)),
      most = exp(top - log_one) * (exp(-top) + sum(exp(log_edge - top)))
    )
  }
  list(weight(1 / 2, rep(0, D)), weight(1 / sqrt(2), log(2 / (j + 2))))
}

# Cells of diameter at most 1 hold one point each.
cells <- function(a) min(prod(ceiling(a * sqrt(length(a)))), 1e300)

# The smallest of the bounds for the box as it is: `most` points of weight `ball` have room in the box and its
# edge; cells; Oler's inequality in the plane; and on the line the number itself, as k points farther apart
# than 1 need a side longer than k - 1.
packing_as_is <- function(a) {
  bounds <- c(vapply(point_weights(a), `[[`, 0, "most"), cells(a))
  if (length(a) == 1) bounds <- c(bounds, ceiling(a))
  if (length(a) == 2) bounds <- c(bounds, 2 / sqrt(3) * prod(a) + sum(a) + 1)
  min(bounds)
}

packing <- function(a) {
  boxes <- flattened(a)
  if (length(boxes) == 0) 1 else min(vapply(boxes, packing_as_is, 0))
}
