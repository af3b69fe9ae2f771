#' How many inducing points a stream will need
#'
#' Bounds on the number M of points that [oips()], or a model with [select_oips()], keeps of `n` rows in a
#' box: for any data, for uniform data, and as printed in the paper.
#'
#' A row joins when its correlation with every point so far is below `rho`. So points lie farther apart than
#' the radius r = [kernel_radius()], and each covers a ball of that radius. With one lengthscale per column
#' these are balls after each column is divided by its lengthscale, and the sides of the box with it. That is
#' all that the bounds use.
#'
#' | `type` | what it is | what it needs |
#' |---|---|---|
#' | `"expected"` | at least the mean of M | rows independent and uniform on the box |
#' | `"packing"` | at least M | rows in the box, in any order, by any design |
#' | `"lower"` | at most the mean of M | as `"expected"`, and no points refused |
#' | `"line"` | nearly the mean of M; no bound | as `"lower"`, one column |
#' | `"paper"` | Theorem 1 as printed; **not a bound** in general | see below |
#'
#' `"packing"` is the smallest of: balls of half the radius, which are disjoint; Blichfeldt's weights; cells
#' of diameter r; on one column the exact number, and on two Oler's inequality; and all of these without the
#' columns that are so short that they hardly matter. It is not rounded down, though M is a whole number.
#' `"expected"` bounds, by the same volumes, the chance that the next row joins, given how many have joined,
#' and adds these chances up; it is never above `"packing"` nor above `n`. `"lower"` counts the rows that have
#' no earlier row within the radius. `"line"` is the law of Renyi's parking problem: on a side of up to two
#' radii exact, on a longer one right to within 0.07. The vignette `theorem-1` proves each of these and
#' measures how loose they are: within a factor of four for up to three columns, ten and more for five and
#' more.
#'
#' A model may have fewer points: it refuses those that are numerically combinations of others, and stops at
#' `max_points`. What joins is still farther apart than r and covers what it covers, so `"expected"` and
#' `"packing"` hold for it. `"lower"` and `"line"` are about the rule alone, [oips()]. All are for one kernel:
#' a model that learns its lengthscale had other radii before.
#'
#' For a sum or product of kernels whose lengthscales are in different proportions, the region that a point
#' covers is no ellipsoid. The bounds then use an ellipsoid that is known to lie within it (`"lower"`: around
#' it). They hold, but are looser.
#'
#' @section The paper's Theorem 1:
#' `"paper"` is \eqn{(a^D - (a^D - \alpha)^{n+1}) / \alpha} with side \eqn{a} and
#' \eqn{\alpha = (r \sqrt D / 2)^D}, where \eqn{r = l \sqrt{-\log\rho}} for the squared exponential kernel;
#' when sides or lengthscales differ, products over the columns stand for the powers. Its proof has gaps that
#' cannot be closed (see the vignette). For `side = 1` and one column it is a bound, with a proof, when r < 2.
#' For `side = 1` and two columns no violation is known, nor for three with r up to 0.4. For long streams it
#' fails on three columns for r = 0.5 and above, on four already for r = 0.18, on five and six wherever we
#' looked, and on seven or more for every r, provably. For another `side` it means nothing, and may be
#' negative or astronomically large.
#'
#' @param n Number of rows: whole numbers, or `Inf` for a stream without end.
#' @param kernel A [kernel][kernels] whose lengthscale is given.
#' @param rho Threshold on the correlation, between 0 and 1, as in [select_oips()].
#' @param side Sides of the box in which the rows lie: one number for a cube, or one per column.
#' @param d Number of columns.
#' @param type Which bound, see the table.
#' @return A number for each element of `n`.
#' @references
#' Galy-Fajou, T. and Opper, M. (2021) Adaptive Inducing Points Selection for Gaussian Processes.
#' arXiv:2107.10066.
#'
#' Blichfeldt, H. F. (1929) The minimum value of quadratic forms, and the closest packing of spheres.
#' Mathematische Annalen 101.
#'
#' Oler, N. (1961) An inequality in the geometry of numbers. Acta Mathematica 105.
#'
#' Renyi, A. (1958) On a one-dimensional problem concerning random space-filling. Publ. Math. Inst. Hung.
#' Acad. Sci. 3.
#' @seealso [forecast_points()] for a model that runs, [suggest_rho()], [kernel_radius()], [select_oips()]
#' @examples
#' # the paper's example: three columns
#' k <- kernel_se(lengthscale = 0.3)
#' n <- c(10, 100, 1000, 10000)
#' types <- c("lower", "expected", "packing", "paper")
#' sapply(types, function(type) bound_points(n, k, rho = 0.7, d = 3, type = type))
#' oips(k, rho = 0.7)$update(matrix(runif(3e4), ncol = 3))$size
#'
#' # sides of different length, one lengthscale per column
#' bound_points(1e6, kernel_matern52(c(1, 20, 3)), rho = 0.8, side = c(10, 10, 2))
#'
#' # one column, from the first row to a stream without end
#' bound_points(c(1, 10, 100, Inf), kernel_se(0.1), rho = 0.7, type = "line")
#' @export
bound_points <- function(n, kernel, rho, side = 1, d = length(side),
                         type = c("expected", "packing", "paper", "lower", "line")) {
  type <- check_choice(type, c("expected", "packing", "paper", "lower", "line"), "type")
  n <- check_counts(n, "n")
  kernel <- check_kernel(kernel)
  rho <- check_fraction(rho, "rho")
  side <- check_sides(side, d)
  check_fit(kernel, length(side))
  if (type == "line" && length(side) > 1) {
    abort("parameter", "`type` \"line\" is for one column, but there are ", length(side), ".")
  }
  if (type == "paper") {
    return(theorem_1(
      n, prod(side), prod(rep_len(kernel_radius(kernel, rho), length(side)) * sqrt(length(side)) / 2)
    ))
  }
  region <- covered_region(kernel, rho, length(side))
  a <- pmin(sort(side / if (type == "lower") region$outer else region$inner), 1e300)
  switch(
    type, expected = expected_count(n, a), packing = pmin(packing(a), n), lower = least_count(n, a),
    line = parked(n, a)
  )
}

# [GFO21 Theorem 1, as printed: (a^D - (a^D - alpha)^(n+1)) / alpha]
theorem_1 <- function(n, volume, alpha) (volume - (volume - alpha)^(n + 1)) / alpha

# One side for each of the d columns.
check_sides <- function(side, d) {
  ok <- is.numeric(side) && !is.object(side) && length(side) > 0 && all(is.finite(side)) && all(side >= 0)
  if (!ok) {
    abort("parameter", "`side` must be one number, or one per column, of at least 0 and finite, not ",
      describe(side), ".")
  }
  d <- check_count(d, "d", 1, most = 1000)
  if (length(side) > 1 && length(side) != d) {
    abort("dimension", "`side` has ", length(side), " values, but `d` is ", d, ".")
  }
  rep_len(as.double(side), d)
}

check_fit <- function(kernel, d) {
  counts <- lengthscale_counts(kernel)
  wrong <- if (has_ard(kernel)) numeric() else counts[!counts %in% c(0, 1, d)]
  if (length(wrong) > 0) {
    abort("dimension", "`kernel` has ", wrong[1], " lengthscales, but `d` is ", d,
      "; give one `side` per column, or `d`.")
  }
  kernel_in_use(kernel, matrix(0, 0, d)) # has it lengthscales at all?
}
