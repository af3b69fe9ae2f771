# Bounds on the number of points: the geometry against simulation, the bounds against the fixtures, against each other, and against OIPS.

internal <- function(name) getFromNamespace(name, "gpstream")
types <- c("expected", "packing", "paper", "lower", "line")
bounds <- function(types, ...) vapply(types, function(type) bound_points(..., type = type), 0)

# A kernel of each kind whose radius at rho is r; r may have one value per column.
kernel_of_radius <- function(r, rho, name = "se") {
  make <- kernel_constructors[[name]]
  make(r / kernel_radius(make(1), rho))
}

# How many rows OIPS keeps, of each beginning of the stream.
kept <- function(x, kernel, rho, n = nrow(x)) {
  index <- select_points(select_oips(rho, max_points = Inf), x, kernel)$index
  vapply(n, function(n) sum(index <= n), 0)
}

# A mean over repetitions is at most / at least a bound: 4.5 standard errors, with a fixed seed. Counts of which the mean has the fraction
# f have a variance of at least f (1 - f), which a few repetitions need not show.
expect_mean <- function(counts, bound, side) {
  fraction <- bound - floor(bound)
  variance <- max(stats::var(counts), fraction * (1 - fraction))
  expect_lte(side * (mean(counts) - bound), 4.5 * sqrt(variance / length(counts)) + 1e-9)
}

uniform_rows <- function(n, side) matrix(runif(n * length(side)), n) %*% diag(side, length(side))

# --- geometry ----------------------------------------------------------------------------------------------------------------

test_that("Steiner: volume and weight around a box are those of points thrown at it", {
  set.seed(1)
  for (a in list(0.7, c(0.4, 2), c(0.6, 0.8, 1.3), c(0.5, 0.5, 1, 2))) {
    D <- length(a)
    x <- matrix(runif(2e5 * D), ncol = D) %*% diag(a + 2, D) - 1
    outside <- rowSums((x - pmin(pmax(x, 0), rep(a, each = nrow(x))))^2)
    thrown <- prod(a + 2) / prod(a)
    for (weight in internal("point_weights")(a)) {
      value <- if (weight$reach == 0.5) outside <= 0.25 else pmax(0, 1 - 2 * outside)
      value[outside == 0] <- 0
      expect_lt(abs(mean(value) * thrown - weight$edge), 4 * thrown * sd(value) / sqrt(nrow(x)))
      expect_equal(weight$most, (1 + weight$edge) / weight$ball)
    }
  }
  ball <- pi^(1:6 / 2) / gamma(1:6 / 2 + 1)
  for (D in 1:6) {
    expect_equal(vapply(internal("point_weights")(rep(2, D)), `[[`, 0, "ball"), ball[D] * c(0.5^D, 0.5^(D / 2) * 2 / (D + 2)) / 2^D)
  }
})

test_that("Blichfeldt: the weights of points farther apart than 1 sum to at most 1, and outside the box to less", {
  set.seed(2)
  for (D in c(1, 2, 3, 5)) {
    Z <- select_points(select_oips(0.5, Inf), uniform_rows(4000, rep(2.5, D)), kernel_of_radius(1, 0.5))$points
    x <- matrix(runif(2000 * D, -0.8, 3.3), ncol = D)
    distance2 <- outer(rowSums(x^2), rowSums(Z^2), "+") - 2 * tcrossprod(x, Z)
    outside <- rowSums((x - pmin(pmax(x, 0), 2.5))^2)
    total <- rowSums(pmax(1 - 2 * distance2, 0))
    expect_true(all(total <= pmax(1 - 2 * outside, 0) + 1e-9))
    expect_gt(max(total), 0.5) # the inequality is put to a test
  }
})

test_that("a weight about a point of the box has at least 2^-D of itself within", {
  set.seed(3)
  for (D in 1:4) {
    t <- matrix(rnorm(2e4 * D), ncol = D)
    t <- 0.5 * t / sqrt(rowSums(t^2)) * runif(nrow(t))^(1 / D)
    for (i in 1:15) {
      z <- if (i == 1) rep(0, D) else runif(D)
      inside <- colSums(t(t) + z >= 0 & t(t) + z <= 1) == D
      expect_gte(mean(inside), 2^-D - 4 * sqrt(2^-D / nrow(t)))
    }
  }
})

test_that("near_pair is P(|X - Y| <= 1) on any box of sides at least 1", {
  near_pair <- internal("near_pair")
  expect_equal(near_pair(4), 2 / 4 - 1 / 16)
  expect_equal(near_pair(1), 1)
  expect_equal(near_pair(c(1, 1)), pi - 8 / 3 + 1 / 2) # the unit square
  set.seed(4)
  for (a in list(2.5, c(1, 3), c(1.2, 1, 2), rep(1, 6), c(1, 1, 1.5, 1, 2, 1, 1, 1))) {
    near <- rowSums((uniform_rows(4e5, a) - uniform_rows(4e5, a))^2) <= 1
    expect_lt(abs(mean(near) - near_pair(a)), 4.5 * sd(near) / sqrt(4e5))
  }
})

test_that("columns that are left out: the same as not having them when they are short, and never worse", {
  k <- kernel_of_radius(1, 0.5)
  n <- c(5, 50, 500, Inf)
  for (type in c("expected", "packing", "lower")) {
    plane <- bound_points(n, k, 0.5, c(4, 6), type = type)
    expect_identical(bound_points(n, k, 0.5, c(4, 0, 6, 0), type = type), plane)
    expect_equal(bound_points(n, k, 0.5, c(4, 1e-5, 6, 1e-200), type = type), plane, tolerance = 1e-6)
  }
  packing_as_is <- internal("packing_as_is")
  for (a in list(c(0.3, 0.3, 5), c(0.9, 4), rep(0.45, 5), c(0.1, 0.2, 3, 4))) {
    expect_lte(internal("packing")(a), packing_as_is(a))
  }
  # a diagonal of at most the radius: the first row covers the box
  for (type in c("expected", "packing", "lower")) {
    expect_identical(bound_points(c(0, 1, 7, Inf), k, 0.5, rep(0.4, 6), type = type), c(0, 1, 1, 1))
  }
})

test_that("composite kernels: what a point covers lies between the two ellipsoids", {
  set.seed(5)
  kernels <- list(
    kernel_se(c(1, 10)) + kernel_matern32(c(3, 2), 0.5), kernel_se(c(1, 10)) * kernel_matern12(c(30, 2)),
    kernel_rq(2) + kernel_se(c(5, 0.1), 0.1), (kernel_se(c(1, 2)) + kernel_matern52(c(3, 1))) * kernel_matern32(c(9, 9)),
    kernel_se(1) + kernel_matern12(10), kernel_se(c(2, 3)) * kernel_rq(c(4, 6))
  )
  for (k in kernels) {
    for (rho in c(0.1, 0.7, 0.95)) {
      region <- internal("covered_region")(k, rho, 2)
      v <- kernel_matrix(k, matrix(0, 1, 2))[1]
      t <- matrix(rnorm(400), ncol = 2)
      t <- t / sqrt(rowSums(t^2))
      correlation <- function(axes) drop(kernel_matrix(k, t %*% diag(axes), matrix(0, 1, 2))) / v
      expect_gte(min(correlation(region$inner)), rho - 1e-12)
      expect_lte(max(correlation(region$outer)), rho + 1e-12)
    }
  }
  # same proportions: both are the region itself
  for (k in kernels[5:6]) {
    region <- internal("covered_region")(k, 0.7, 2)
    expect_equal(region$inner, region$outer)
    expect_equal(region$inner, rep_len(kernel_radius(k, 0.7), 2))
  }
})

# --- fixtures, identities ----------------------------------------------------------------------------------------------------

test_that("the fixtures of an independent implementation", {
  skip_if_not_installed("jsonlite")
  golden <- jsonlite::fromJSON(test_path("fixtures", "golden.json"))
  for (i in seq_len(nrow(golden$count_upper))) {
    with(golden$count_upper[i, ], {
      k <- kernel_of_radius(r, 0.5)
      expect_equal(bound_points(N, k, 0.5, a, D), recursion, tolerance = 1e-12)
      expect_equal(bound_points(Inf, k, 0.5, a, D, type = "packing"), deterministic, tolerance = 1e-12)
      # the fixture takes the whole ball for what lies of it in the box; ours is sharper
      expect_equal(internal("isolated_rows")(N, pi^(D / 2) / gamma(D / 2 + 1) * (r / a)^D), lower, tolerance = 1e-12)
      expect_gt(bound_points(N, k, 0.5, a, D, type = "lower"), lower)
    })
  }
  law <- golden$rsa1d
  expect_equal(bound_points(law$N, kernel_of_radius(0.05, 0.5), 0.5, type = "line"), law$value, tolerance = 1e-11)
})

test_that("the recursion in closed form is the recursion", {
  by_steps <- function(n, slope, height) {
    m <- 1
    for (i in seq_len(n - 1)) m[i + 1] <- m[i] + max(0, min(height - slope * m[i]))
    m
  }
  set.seed(6)
  for (i in 1:40) {
    slope <- c(0, runif(sample(4, 1))^3)
    height <- c(runif(1, 0.5, 1), 1 + (slope[-1] * 20)^2 * runif(1))
    expect_equal(internal("follow_lines")(1:400, slope, height), by_steps(400, slope, height), tolerance = 1e-10)
  }
  expect_equal(internal("follow_lines")(1:3, c(0, 1), c(1, 1.5)), c(1, 1.5, 1.5))
  # slopes below the last digit of the heights
  expect_equal(internal("follow_lines")(c(10, Inf), c(0, 1e-18, 1e-20, 1e-17, 1e-21), c(1, 2.1, 1, 2.1, 1)), c(10, 2.1e17))
})

test_that("one row is one point, two are 2 - P(|X - Y| <= r), and no rows none", {
  k <- kernel_of_radius(c(0.2, 0.5), 0.6, "matern32")
  for (type in setdiff(types, c("paper", "line"))) expect_identical(bound_points(0:1, k, 0.6, type = type, d = 2), c(0, 1))
  expect_identical(bound_points(0:1, kernel_se(0.1), 0.6, type = "line"), c(0, 1))
  set.seed(7)
  side <- c(1, 0.7)
  two <- replicate(2000, kept(uniform_rows(2, side), k, 0.6))
  exact <- bound_points(2, k, 0.6, side)
  expect_lt(abs(mean(two) - exact), 4.5 * sd(two) / sqrt(2000))
  expect_equal(bound_points(2, k, 0.6, side, type = "lower"), exact)
  expect_equal(bound_points(2, kernel_se(0.1), 0.6, type = "line"), bound_points(2, kernel_se(0.1), 0.6))
})

test_that("more rows never mean fewer points, and the bounds stand in order", {
  n <- c(1:50, 10^(2:9), Inf)
  set.seed(8)
  for (i in 1:60) {
    D <- sample(10, 1)
    name <- sample(names(kernel_constructors), 1)
    side <- exp(runif(D, log(0.1), log(10)))
    rho <- runif(1, 0.1, 0.99)
    k <- kernel_constructors[[name]](runif(1, 0.1, 2))
    all <- sapply(c("lower", "expected", "packing"), function(type) bound_points(n, k, rho, side, type = type))
    expect_true(all(is.finite(all[n < Inf, ])))
    expect_true(all(diff(all) >= -1e-9 * all[-1, ]))
    expect_true(all(all[, "lower"] <= all[, "expected"] * (1 + 1e-12)))
    expect_true(all(all[, "expected"] <= all[, "packing"] * (1 + 1e-12)))
    expect_true(all(all[, "packing"] <= n))
    expect_identical(bound_points(rev(n), k, rho, side), rev(all[, "expected"]))
  }
})

test_that("only the ratio of side and lengthscale counts, column by column and in any order", {
  n <- c(2, 30, 1000)
  for (type in c("expected", "packing", "lower")) {
    plain <- bound_points(n, kernel_se(1), 0.8, c(3, 4, 5), type = type)
    expect_equal(bound_points(n, kernel_se(7), 0.8, 7 * c(3, 4, 5), type = type), plain)
    expect_equal(bound_points(n, kernel_se(c(1, 10, 0.1)), 0.8, c(3, 40, 0.5), type = type), plain)
    expect_equal(bound_points(n, kernel_se(c(0.1, 1, 10)), 0.8, c(0.5, 3, 40), type = type), plain)
    expect_equal(bound_points(n, kernel_se(0.4, variance = 9), 0.8, 2, 3, type), bound_points(n, kernel_se(0.4), 0.8, c(2, 2, 2), type = type))
  }
  expect_equal(bound_points(n, kernel_se(7), 0.8, 70, type = "line"), bound_points(n, kernel_se(1), 0.8, 10, type = "line"))
})

test_that("any kernel, through its radius", {
  for (name in names(kernel_constructors)) {
    k <- kernel_of_radius(0.2, 0.7, name)
    for (type in types) expect_equal(bound_points(20, k, 0.7, type = type), bound_points(20, kernel_of_radius(0.2, 0.3), 0.3, type = type))
  }
})

test_that("GFO21 Theorem 1 is as printed", {
  printed <- function(N, D, l, rho, a) {
    alpha <- (l * sqrt(-D * log(rho)) / 2)^D
    (a^D - (a^D - alpha)^(N + 1)) / alpha
  }
  for (D in 1:6) {
    for (a in c(0.5, 1, 1.3)) expect_equal(bound_points(c(1, 9, 40), kernel_se(0.4), 0.6, a, D, "paper"), printed(c(1, 9, 40), D, 0.4, 0.6, a))
  }
  # the side is taken for a probability: a negative number of points, many thousand of one row's
  expect_equal(bound_points(10, kernel_of_radius(0.1, 0.5), 0.5, 2, type = "paper"), (2 - 1.95^11) / 0.05)
  expect_lt(bound_points(10, kernel_of_radius(0.1, 0.5), 0.5, 2, type = "paper"), -30000)
  # one column, side 1, r < 2: there it is a bound, as it is above one
  for (r in c(0.01, 0.3, 0.999, 1.9)) {
    n <- c(1:20, 10^(2:6))
    k <- kernel_of_radius(r, 0.5)
    expect_true(all(bound_points(n, k, 0.5) <= bound_points(n, k, 0.5, type = "paper") * (1 + 1e-12)))
  }
  # and here it is below a lower bound: no simulation is needed
  expect_below <- function(D, l, rho, n) {
    both <- bounds(c("paper", "lower"), n = n, kernel = kernel_se(l), rho = rho, d = D)
    expect_lt(both[["paper"]], both[["lower"]])
  }
  expect_below(7, 0.5, 0.7, 1e6)
  expect_below(8, 0.5, 0.5, 1e5)
  expect_below(10, 0.5, 0.5, 1e4)
})

test_that("GFO21 Theorem 1 falls short of a simulated mean on five columns", {
  set.seed(9)
  counts <- replicate(8, kept(uniform_rows(2000, rep(1, 5)), kernel_se(0.5), 0.5))
  expect_gt(mean(counts) - 10 * sd(counts) / sqrt(8), bound_points(2000, kernel_se(0.5), 0.5, d = 5, type = "paper"))
})

test_that("the parking law: Renyi's constant, and simulation", {
  law <- function(n, a) bound_points(n, kernel_of_radius(1, 0.5), 0.5, a, type = "line")
  expect_equal(law(Inf, 1000), 0.7475979202534 * 1002 - 1)
  t <- c(0.1, 2, 3.999, 4, 5, 30)
  ein <- vapply(t, function(t) stats::integrate(function(u) -expm1(-u) / u, 0, t, rel.tol = 1e-11)$value, 0)
  expect_equal(internal("exponential_ein")(t), ein, tolerance = 1e-10)
  expect_equal(internal("taken")(c(0.5, 39.9, 40.1)), vapply(c(0.5, 39.9, 40.1), function(t) {
    stats::integrate(internal("free_rate"), 0, t, rel.tol = 1e-10)$value
  }, 0), tolerance = 1e-8)
  # up to two radii: the second point by integration over the place of the first
  second <- function(n, a) 2 * stats::integrate(function(u) (1 - (1 - (a - u - 1) / a)^(n - 1)) / a, 0, a - 1, rel.tol = 1e-10)$value
  for (a in c(1.001, 1.2, 1.7, 1.99)) expect_equal(law(c(2, 5, 60), a), 1 + vapply(c(2, 5, 60), second, 0, a), tolerance = 1e-9)
  expect_identical(law(0:1, 1.5), c(0, 1))
  set.seed(10)
  n <- c(3, 10, 40, 400)
  for (a in c(1.01, 1.6, 1.99, 2.3, 3, 8.5, 20)) {
    counts <- t(replicate(400, kept(uniform_rows(400, a), kernel_of_radius(1, 0.5), 0.5, n)))
    off <- abs(colMeans(counts) - law(n, a))
    expect_true(all(off <= (if (a > 2) 0.07 else 0) + 4.5 * (apply(counts, 2, sd) + 0.02) / 20))
  }
})

# --- against the algorithm ---------------------------------------------------------------------------------------------------

# Streams that try to pack the box: a grid, and the checkerboard lattice, with distances just above the radius; axes are the semi-axes.
packed_rows <- function(side, axes, lattice) {
  step <- axes * (1 + 1e-9) / if (lattice) sqrt(2) else 1
  steps <- lapply(side / step, function(most) 0:min(floor(most), 40))
  if (prod(lengths(steps)) > 4000) steps <- lapply(steps, function(s) s[s <= max(1, floor(4000^(1 / length(side))) - 1)])
  corners <- as.matrix(expand.grid(steps))
  if (lattice) corners <- corners[rowSums(corners) %% 2 == 0, , drop = FALSE]
  unname(corners %*% diag(step, length(step)))
}

random_case <- function(D = sample(10, 1)) {
  rho <- runif(1, 0.1, 0.99)
  name <- sample(names(kernel_constructors), 1)
  side <- exp(runif(D, log(0.1), log(10)))
  # about one to five radii a side, so that there is something to pack
  k <- kernel_of_radius(side / runif(D, 0.5, if (D < 4) 6 else 2.5), rho, name)
  list(D = D, rho = rho, kernel = k, side = side, axes = rep_len(kernel_radius(k, rho), D))
}

test_that("no stream has more points than fit: uniform, clustered, sorted, corners first, grids, lattices", {
  skip_on_cran()
  set.seed(11)
  for (i in 1:300) {
    case <- random_case(1 + i %% 10)
    D <- case$D
    unit <- matrix(runif(150 * D), ncol = D)
    rows <- switch(1 + i %% 6,
      unit, unit[order(unit[, 1]), , drop = FALSE], stats::pnorm(stats::qnorm(unit) * 0.3 + rep(rnorm(D), each = 150)),
      rbind(round(unit), unit), NULL, NULL
    )
    x <- if (is.null(rows)) packed_rows(case$side, case$axes, i %% 6 == 5) else rows %*% diag(case$side, D)
    M <- kept(x, case$kernel, case$rho)
    expect_lte(M, bound_points(nrow(x), case$kernel, case$rho, case$side, type = "packing"))
    if (is.null(rows)) expect_equal(M, nrow(x)) # a stream that did try
  }
})

test_that("one column: the packing number is attained", {
  set.seed(12)
  for (i in 1:100) {
    case <- random_case(1)
    x <- packed_rows(case$side, case$axes, FALSE)
    expect_equal(kept(x, case$kernel, case$rho), bound_points(Inf, case$kernel, case$rho, case$side, type = "packing"))
  }
  # exactly k radii: k points, as k + 1 would have to be farther apart than the radius
  expect_equal(bound_points(Inf, kernel_matern12(0.5), exp(-0.5), 1, type = "packing"), 4)
  expect_equal(bound_points(Inf, kernel_matern12(0.5), exp(-0.5), 1 + 1e-9, type = "packing"), 5)
})

test_that("means over uniform streams lie between the bounds", {
  skip_on_cran()
  set.seed(13)
  n <- c(3, 20, 120)
  for (i in 1:40) {
    case <- random_case(1 + i %% 10)
    counts <- t(replicate(25, kept(uniform_rows(120, case$side), case$kernel, case$rho, n)))
    for (j in seq_along(n)) {
      expect_mean(counts[, j], bound_points(n[j], case$kernel, case$rho, case$side), 1)
      expect_mean(counts[, j], bound_points(n[j], case$kernel, case$rho, case$side, type = "lower"), -1)
    }
  }
})

test_that("composite kernels keep to the bounds", {
  set.seed(14)
  for (i in 1:12) {
    D <- 1 + i %% 3
    l <- matrix(exp(runif(2 * D, -2.5, 0.5)), 2)
    k <- if (i %% 2) kernel_se(l[1, ]) + kernel_matern32(l[2, ], 0.4) else kernel_se(l[1, ]) * kernel_rq(l[2, ])
    counts <- replicate(20, kept(uniform_rows(200, rep(1, D)), k, 0.6))
    expect_true(all(counts <= bound_points(200, k, 0.6, d = D, type = "packing")))
    expect_mean(counts, bound_points(200, k, 0.6, d = D), 1)
    expect_mean(counts, bound_points(200, k, 0.6, d = D, type = "lower"), -1)
  }
})

test_that("a model that refuses points stays below the upper bounds", {
  x <- toy(600, 2)$x
  k <- kernel_se(4, 1)
  gp <- toy_gp(0, kernel = k, select = select_oips(0.99, Inf))$update(x, toy(600)$y)
  alone <- kept(x, k, 0.99)
  expect_lt(gp$size, alone) # so there were refusals
  expect_lte(alone, bound_points(600, k, 0.99, 10, 2, "packing"))
})

# --- arguments ---------------------------------------------------------------------------------------------------------------

test_that("messages", {
  k <- kernel_se(1)
  all_text <- conditions_of(
    bound_points(-1, k, 0.5), bound_points(c(1, NA), k, 0.5), bound_points(1.5, k, 0.5), bound_points(10, "se", 0.5),
    bound_points(10, kernel_se(), 0.5),
    bound_points(10, k, 1), bound_points(10, k, 0.5, side = -1), bound_points(10, k, 0.5, side = c(1, Inf)), bound_points(10, k, 0.5, d = 0),
    bound_points(10, k, 0.5, side = 1:3, d = 2), bound_points(10, kernel_se(1:3), 0.5), bound_points(10, k, 0.5, d = 2, type = "line"),
    bound_points(10, k, 0.5, type = "upper")
  )
  expect_snapshot(writeLines(all_text))
})

test_that("a side or lengthscale at the end of the range of numbers is no trouble", {
  for (type in c("expected", "packing", "lower", "line")) {
    expect_equal(bound_points(c(1, 100), kernel_se(1e-300), 0.5, 1e300, type = type), c(1, 100))
    expect_identical(bound_points(c(1, 100), kernel_se(1e300), 0.5, 1e-300, type = type), c(1, 1))
  }
  for (type in c("expected", "packing", "lower")) {
    expect_identical(bound_points(c(1, 100), kernel_se(1), 0.5, 10, 1000, type), c(1, 100))
    expect_equal(bound_points(c(1, 100), kernel_se(1), 0.5, c(1e-300, 1e300), type = type), c(1, 100))
  }
  expect_identical(bound_points(numeric(), kernel_se(1), 0.5), numeric())
})
