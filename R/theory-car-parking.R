# OIPS on one column is Renyi's car parking: points of [0, a] farther apart than r are cars of length r on a
# street of length a + r. Lengths are in units of r, so that a is the number of radii on the side.
# [Renyi 1958]

renyi <- 0.747597920253411435 # the share of an endless street that is taken in the end

# Ein(t), the integral of (1 - exp(-u)) / u from 0 to t: its series, and from 4 on E1(t) + log(t) + Euler's
# constant, with the continued fraction of E1
exponential_ein <- function(t) {
  out <- numeric(length(t))
  small <- t < 4
  k <- 1:45
  if (any(small)) out[small] <- drop(outer(t[small], k, "^") %*% (-(-1)^k / (k * gamma(k + 1))))
  u <- pmin(t[!small], 700)
  fraction <- u
  for (i in 60:1) fraction <- u + i / (1 + i / fraction)
  out[!small] <- exp(-u) / fraction + log(t[!small]) - digamma(1)
  out
}

# Rows come at rate 1 per unit of length. After a time t, the chance that a given place, far from the ends,
# can still be parked at ...
free_rate <- function(t) exp(-2 * exponential_ein(t))

# ... and its integral, the share of the street that is taken. From 40 on, free_rate(t) is exp(-2 gamma) / t^2
# to the last digit.
taken <- function(t) {
  late <- exp(2 * digamma(1))
  vapply(
    t, function(t) if (t > 40) renyi - late / t else stats::integrate(free_rate, 0, t, rel.tol = 1e-10)$value,
    0
  )
}

# Expected number of points of n rows. For n rows on average the law is (a + 2) taken + free - 1 at t = n / a,
# up to terms that vanish with exp(-n) and, in a, faster than exponentially; the last term turns that average
# into n exactly, to first order. One and two rows, and sides of up to two radii, are exact.
parked <- function(n, a) {
  if (a <= 1) return(pmin(n, 1))
  if (a <= 2) return(parked_on_two(n, a))
  t <- n / a
  free <- free_rate(pmin(t, 1e150))
  count <- (a + 2) * taken(t) + free - 1 + (1 + 2 / a) * free * -expm1(-t)
  count <- pmin(count, ceiling(a), n)
  count[n == 2] <- 2 - near_pair(a)
  ifelse(n < 2, n, pmax(count, pmin(n, 1)))
}

# On a side of one to two radii there are one or two points. The first, uniform on the side, leaves at one end
# of it a piece of length f free where it lies so far from that end: f has density 2 / a from 0 to a - 1. A
# second joins unless all other rows miss the piece.
parked_on_two <- function(n, a) ifelse(n < 2, n, 1 + 2 * ((a - 1) / a + expm1(-n * log(a)) / n))
