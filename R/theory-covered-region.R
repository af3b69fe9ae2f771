# The region that one inducing point covers, {t : correlation at displacement t >= rho}, between two
# ellipsoids with axes along the columns. For one kernel, isotropic or with a lengthscale per column, it is an
# ellipsoid, and the two are equal.
#
# A sum or product of kernels whose lengthscales have different proportions covers something else. Take any
# proportions b, one number per column, and let |t/b| be the distance in these units. Part j, of lengthscales
# l_j, has |t/l_j| <= m_j |t/b| with m_j = max_d b_d / l_jd, and its profile decreases: so its correlation is
# at least that of the isotropic part with lengthscale 1/m_j, taken at |t/b|. Sums with positive weights and
# products of positive numbers keep the inequality. So the composite of these isotropic parts, whose radius is
# r, covers no more than the given one does: |t/b| <= r implies correlation >= rho. With min in place of max,
# it covers no less. (When all parts have the same proportions, b among them, both are equalities.)
#   inner   every accepted pair is farther apart than this ellipsoid reaches: for upper bounds
#   outer   whatever is outside is not covered: for lower bounds
# Every b is right; we try the radii along the columns, the lengthscales of each part, the shortest and the
# longest.
covered_region <- function(kernel, rho, d) {
  radii <- rep_len(kernel_radius(kernel, rho), d)
  if (!is_composite(kernel)) return(list(inner = radii, outer = radii))
  parts <- lapply(lengthscales_of(kernel), rep_len, d)
  proportions <- c(list(radii), parts, list(do.call(pmin, parts), do.call(pmax, parts)))
  ellipsoids <- function(how) {
    lapply(proportions, function(b) b * kernel_radius(isotropic_parts(kernel, b, how), rho))
  }
  size <- function(axes) sum(log(axes))
  inner <- ellipsoids(max)
  outer <- ellipsoids(min)
  list(inner = inner[[which.max(vapply(inner, size, 0))]], outer = outer[[which.min(vapply(outer, size, 0))]])
}

lengthscales_of <- function(kernel) {
  if (is_composite(kernel)) {
    unlist(lapply(kernel$parts, lengthscales_of), recursive = FALSE)
  } else {
    list(kernel$lengthscale)
  }
}

# Every part with one lengthscale, in units of b.
isotropic_parts <- function(kernel, b, how) {
  if (is_composite(kernel)) {
    kernel$parts <- lapply(kernel$parts, isotropic_parts, b, how)
  } else {
    kernel$lengthscale <- 1 / how(b / kernel$lengthscale)
  }
  kernel
}
