# Every kernel of the registry, by name, against the formulas of ?kernels written out in R: first the stationary ones, then all.

# The correlation at distance r, in lengthscales. A new stationary kernel needs its line here and in the list `stationary` of
# helper-reference.R, any other one an entry in `conformance` below.
profiles <- list(
  se = function(r) exp(-r^2),
  matern12 = function(r) exp(-r),
  matern32 = function(r) (1 + sqrt(3) * r) * exp(-sqrt(3) * r),
  matern52 = function(r) (1 + sqrt(5) * r + 5 * r^2 / 3) * exp(-sqrt(5) * r),
  rq = function(r, alpha = 1) (1 + r^2 / alpha)^(-alpha)
)
make <- function(name, ...) getExportedValue("gpstream", paste0("kernel_", name))(...)

naive <- function(name, x, z, lengthscale, variance, ...) {
  out <- matrix(0, nrow(x), nrow(z))
  for (i in seq_len(nrow(x))) {
    for (j in seq_len(nrow(z))) out[i, j] <- variance * profiles[[name]](sqrt(sum(((x[i, ] - z[j, ]) / lengthscale)^2)), ...)
  }
  out
}

x <- toy(20, 3)$x / 3
z <- toy(12, 3, from = 50)$x / 3

# --- kernels that are not functions of a distance -----------------------------------------------------------------------------

# 0 at the first knot, `values` at the others, straight between them, constant beyond
tent <- function(t, knots, values) stats::approx(knots, c(0, values), t, rule = 2)$y

# the integral of exp(-s) from the first knot on
stretched <- function(t, knots, values) {
  along <- function(from, to) { # s is straight on it
    a <- tent(from, knots, values)
    b <- tent(to, knots, values)
    if (a == b) (to - from) * exp(-a) else (to - from) * (exp(-a) - exp(-b)) / (b - a)
  }
  vapply(t, function(one) {
    if (one <= knots[1]) return(one - knots[1])
    ends <- c(knots[knots < one], one)
    sum(mapply(along, utils::head(ends, -1), ends[-1]))
  }, 0)
}

bend <- list(knots = c(0.5, 1, 2), values = c(1.5, -0.7))

# [derivation 22] For each: how many columns of the inputs it is tried on, the kernel (variance 2.5, all given) with or without `columns`, the unit
# kernel of two rows a and b, and whether it is bounded.
conformance <- list(
  periodic = list(
    D = 2, make = function(...) kernel_periodic(1.3, c(0.8, 2), 2.5, ...),
    k = function(a, b) exp(-sum(sin(pi * (a - b) / 1.3)^2 / c(0.8, 2)^2)), bounded = TRUE
  ),
  cosine = list(
    D = 2, make = function(...) kernel_cosine(c(0.5, -1.25), 2.5, ...),
    k = function(a, b) cos(2 * pi * sum(c(0.5, -1.25) * (a - b))), bounded = TRUE
  ),
  constant = list(D = 2, make = function(...) kernel_constant(2.5, ...), k = function(a, b) 1, bounded = TRUE),
  linear = list(
    D = 2, make = function(...) kernel_linear(2.5, c(1, -1), c(2, 0.5), ...),
    k = function(a, b) sum((a - c(1, -1)) * (b - c(1, -1)) / c(2, 0.5)^2), bounded = FALSE
  ),
  brownian = list(
    D = 1, make = function(...) kernel_brownian(2.5, 1.5, 3, ...),
    k = function(a, b) {
      t <- (c(a, b) - 1.5) / 3
      if (prod(sign(t)) > 0) min(abs(t)) else 0
    }, bounded = FALSE
  ),
  integrated_brownian = list(
    D = 1, make = function(...) kernel_brownian(2.5, 1.5, 3, ..., integrated = TRUE),
    k = function(a, b) {
      t <- (c(a, b) - 1.5) / 3
      if (prod(sign(t)) > 0) min(abs(t))^2 * (3 * max(abs(t)) - min(abs(t))) / 6 else 0
    }, bounded = FALSE
  ),
  factor = list(
    D = 2, make = function(...) kernel_factor(0.3, 2.5, ...), k = function(a, b) if (all(a == b)) 1 else 0.3, bounded = TRUE
  ),
  gibbs = list(
    D = 2, make = function(...) kernel_gibbs(c(0.5, 2), 2.5, bend$knots, bend$values, ...),
    k = function(a, b) {
      s <- tent(c(a[1], b[1]), bend$knots, bend$values)
      S <- sum(exp(2 * s))
      (2 * exp(sum(s)) / S)^(length(a) / 2) * exp(-2 / S * sum((a - b)^2 / c(0.5, 2)^2))
    }, bounded = TRUE
  ),
  amplitude = list(
    D = 1, make = function(...) gpstream:::kernel_amplitude(2.5, bend$knots, bend$values, ...),
    k = function(a, b) exp(sum(tent(c(a[1], b[1]), bend$knots, bend$values))), bounded = TRUE
  ),
  warped = list(
    D = 2, make = function(...) kernel_warped(kernel_matern32(c(0.5, 2), 2.5), NULL, bend$knots, bend$values, ...),
    k = function(a, b) {
      g <- stretched(c(a[1], b[1]), bend$knots, bend$values)
      profiles$matern32(sqrt(sum((c(diff(g), a[2] - b[2]) / c(0.5, 2))^2)))
    }, bounded = TRUE
  )
)

pairwise <- function(k, x, z) {
  out <- matrix(0, nrow(x), nrow(z))
  for (i in seq_len(nrow(x))) for (j in seq_len(nrow(z))) out[i, j] <- 2.5 * k(x[i, ], z[j, ])
  out
}

test_that("every kernel has its formula in this file", {
  expect_setequal(names(profiles), stationary)
  expect_setequal(c(stationary, names(conformance), "sum", "product"), gpstream:::core_kernel_names())
})

for (name in stationary) {
  test_that(paste0(name, ": the formula, isotropic and with one lengthscale per column"), {
    for (l in list(0.7, c(0.5, 2, 1e3))) {
      expect_close(kernel_matrix(make(name, l, 2.5), x, z), naive(name, x, z, l, 2.5), 1e-12)
    }
    expect_identical(kernel_matrix(make(name, rep(0.7, 3), 2.5), x, z), kernel_matrix(make(name, 0.7, 2.5), x, z))
    expect_identical(kernel_matrix(make(name, 0.7), x), kernel_matrix(make(name, 0.7, 1), x))
  })

  test_that(paste0(name, ": symmetric, positive semidefinite, the variance at distance zero"), {
    k <- kernel_matrix(make(name, 1.5, 3), x)
    expect_identical(k, t(k))
    expect_gte(min(eigen(k, symmetric = TRUE)$values), -1e-12)
    expect_identical(diag(k), rep(3, 20))
    expect_true(all(k > 0 & k <= 3))
  })

  test_that(paste0(name, ": the radius is where the correlation has fallen to rho"), {
    for (rho in c(0.01, 0.1, 0.3, 0.5, 0.8, 0.9, 0.99, 0.999)) {
      kernel <- make(name, 2.5, 4)
      expect_close(kernel_matrix(kernel, 0, kernel_radius(kernel, rho)) / 4, rho, 1e-10)
      ard <- make(name, c(0.1, 1, 30))
      radius <- kernel_radius(ard, rho)
      expect_length(radius, 3)
      expect_close(kernel_matrix(ard, matrix(0, 1, 3), diag(radius)), rep(rho, 3), 1e-10)
    }
  })

  test_that(paste0(name, ": finite at extreme distances and scales"), {
    for (l in c(1e-300, 1, 1e300)) {
      k <- kernel_matrix(make(name, l), c(0, 1e-200, 1, 1e200, -1e308, 1e308))
      expect_true(all(is.finite(k)) && all(k >= 0 & k <= 1) && all(diag(k) == 1))
    }
    expect_lt(kernel_matrix(make(name, 1), 0, 1e200)[1, 1], 1e-150)
  })
}

test_that("rational quadratic: any alpha, and the squared exponential as it grows", {
  for (alpha in c(0.1, 1.7, 20)) expect_close(kernel_matrix(kernel_rq(0.7, 2, alpha), x, z), naive("rq", x, z, 0.7, 2, alpha), 1e-12)
  se <- kernel_matrix(kernel_se(0.7), x)
  gaps <- vapply(10^(2:8), function(alpha) max(abs(kernel_matrix(kernel_rq(0.7, 1, alpha), x) - se)), 0)
  expect_true(all(diff(gaps) < 0))
  expect_lte(gaps[7], 1e-8)
  expect_close(kernel_matrix(kernel_rq(0.7, 1, 1e300), x), se, 1e-12)
})

test_that("radii in lengthscales: independently computed values", {
  golden <- list( # rho = 0.3, 0.7, 0.95; from mpmath
    se = c(1.0972569454443823, 0.5972226920828884, 0.22648022957324682),
    matern12 = c(1.2039728043259361, 0.35667494393873245, 0.05129329438755058),
    matern32 = c(1.4082822932335983, 0.6335548621946842, 0.20516806386150477),
    matern52 = c(1.4567260936884034, 0.7110942955747759, 0.2525739141518531),
    rq = c(1.3234928519114306, 0.6299616859237249, 0.22819938721411268)
  )
  for (name in names(golden)) {
    kernel <- if (name == "rq") kernel_rq(10, alpha = 1.7) else make(name, 10)
    expect_close(vapply(c(0.3, 0.7, 0.95), kernel_radius, 0, kernel = kernel) / 10, golden[[name]], 1e-12)
  }
})

test_that("a sum is the sum and a product the product of the matrices", {
  a <- kernel_se(1, 2)
  b <- kernel_matern12(c(1, 2, 3), 0.5)
  c <- kernel_rq(2, 3)
  m <- function(kernel) kernel_matrix(kernel, x, z)
  expect_close(m(a + b), m(a) + m(b), 1e-12)
  expect_close(m(a * b), m(a) * m(b), 1e-12)
  expect_close(m((a + b) * c + a * b * c), (m(a) + m(b)) * m(c) + m(a) * m(b) * m(c), 1e-12)
  for (kernel in list(a + b, a * b, (a + b) * c)) {
    square <- kernel_matrix(kernel, x)
    expect_identical(square, t(square))
    expect_gte(min(eigen(square, symmetric = TRUE)$values), -1e-12)
    expect_equal(diag(square), rep(kernel$variance, 20), tolerance = 1e-12)
    for (rho in c(0.01, 0.5, 0.999)) {
      along_axes <- diag(kernel_radius(kernel, rho))
      expect_close(kernel_matrix(kernel, matrix(0, 1, 3), along_axes) / kernel$variance, rep(rho, 3), 1e-10)
    }
  }
  expect_equal(c((a + b)$variance, (a * b)$variance, ((a + b) * c)$variance), c(2.5, 1, 7.5))
})

test_that("sums of sums and products of products are flat, whatever the brackets", {
  a <- kernel_se(1, 2)
  b <- kernel_matern32(1, 3)
  c <- kernel_rq(1, 4)
  expect_identical((a + b) + c, a + (b + c))
  expect_identical((a * b) * c, a * (b * c))
  expect_length((a + b + c)$parts, 3)
  expect_length((a + b * c)$parts, 2)
  expect_equal(kernel_matrix(a * (b + c), x), kernel_matrix(a * b + a * c, x), tolerance = 1e-12)
  expect_null((kernel_se(1) + a)$variance)
})

for (name in names(conformance)) {
  one <- conformance[[name]]
  x2 <- x[, seq_len(one$D), drop = FALSE]
  z2 <- z[, seq_len(one$D), drop = FALSE]
  kernel <- one$make()

  test_that(paste0(name, ": the formula"), {
    expect_close(kernel_matrix(kernel, x2, z2), pairwise(one$k, x2, z2), 1e-12)
    expect_identical(kernel_matrix(kernel, z2, x2), t(kernel_matrix(kernel, x2, z2)))
  })

  test_that(paste0(name, ": symmetric, positive semidefinite on random, repeated and huge rows, with its diagonal"), {
    set.seed(7)
    D <- one$D
    cases <- list(
      random = matrix(rnorm(60 * D), ncol = D), repeated = x2[c(1:9, 1:9, 1, 1), , drop = FALSE],
      # whole quarters, so that differences have no rounding
      large = 1e8 * sample(c(-1, 1), 40, TRUE) + matrix(sample(0:40, 40 * D, TRUE) / 4, ncol = D)
    )
    if (one$bounded) cases$huge <- matrix(c(-1e200, 0, 1e8, 1e8 + 1, 1e200), 5, D)
    for (case in names(cases)) {
      rows <- cases[[case]]
      k <- kernel_matrix(kernel, rows)
      expect_true(all(is.finite(k)), info = case)
      expect_identical(k, t(k), info = case)
      expect_gte(min(eigen(k, symmetric = TRUE)$values), -1e-12 * nrow(k) * max(diag(k)))
      # as models read it
      diagonal <- gpstream:::core_kernel_diagonal(gpstream:::kernel_in_use(kernel, rows), rows)
      expect_equal(diagonal, diag(k), tolerance = 1e-14, info = case)
      if (!name %in% c("linear", "brownian", "integrated_brownian", "amplitude")) {
        expect_identical(diag(k), rep(2.5, nrow(k)), info = case)
      }
    }
  })

  test_that(paste0(name, ": on columns, by number and by name, it is the kernel of a matrix of these, bitwise"), {
    own <- if (one$D == 1) list("b") else list(c("b", "c"), c("c", "a")) # side by side, and neither so nor in order
    wide_x <- cbind(a = x[, 3], b = x[, 1], c = x[, 2])
    wide_z <- cbind(a = z[, 3], b = z[, 1], c = z[, 2])
    for (columns in own) {
      alone <- kernel_matrix(kernel, unname(wide_x[, columns, drop = FALSE]), unname(wide_z[, columns, drop = FALSE]))
      expect_identical(kernel_matrix(one$make(columns = columns), wide_x, wide_z), alone)
      expect_identical(kernel_matrix(one$make(columns = match(columns, colnames(wide_x))), wide_x, wide_z), alone)
      expect_identical(kernel_matrix(one$make(columns = columns), as.data.frame(wide_x), as.data.frame(wide_z)), alone)
    }
  })
}

test_that("a stream with the points at its rows and no end to the look-back is the exact Gaussian process, and so from a file", {
  for (name in names(conformance)) {
    one <- conformance[[name]]
    kernel <- one$make()
    rows <- x[, seq_len(one$D), drop = FALSE]
    at <- z[, seq_len(one$D), drop = FALSE]
    y <- sin(seq_len(20))
    gp <- streaming_gp(kernel = kernel, noise = 0.3, mean = 0, optimize = "none", select = select_fixed(rows), lookback = Inf)
    for (batch in split(1:20, rep(1:4, 5))) gp$update(rows[batch, , drop = FALSE], y[batch])
    p <- predict(gp, at, se.fit = TRUE)
    across <- kernel_matrix(kernel, at, rows)
    weights <- across %*% solve(kernel_matrix(kernel, rows) + diag(0.3, 20))
    expect_close(p$fit, drop(weights %*% y), 1e-8, 1)
    expect_close(p$se.fit^2, diag(kernel_matrix(kernel, at)) - rowSums(weights * across), 1e-8, 1)
    file <- tempfile(fileext = ".gps")
    save_gp(gp, file)
    expect_identical(predict(load_gp(file), at, se.fit = TRUE), p)
  }
})

test_that("stationary kernels on columns are those of a matrix of these, bitwise", {
  colnames(x) <- colnames(z) <- c("a", "b", "c")
  for (name in stationary) {
    for (columns in list("b", c("b", "c"), c("c", "a"))) {
      alone <- kernel_matrix(make(name, 0.7, 2.5), unname(x[, columns, drop = FALSE]), unname(z[, columns, drop = FALSE]))
      expect_identical(kernel_matrix(make(name, 0.7, 2.5, columns = columns), x, z), alone)
      expect_identical(kernel_matrix(make(name, 0.7, 2.5, columns = match(columns, colnames(x))), x, z), alone)
    }
  }
})

test_that("sums and products of kernels on columns are those of their matrices", {
  colnames(x) <- colnames(z) <- c("a", "b", "c")
  one <- kernel_se(0.7, 2, columns = "a")
  other <- kernel_periodic(1.3, 1, 3, columns = "c")
  line <- kernel_linear(0.5, 0, 1, columns = "b")
  m <- function(kernel) kernel_matrix(kernel, x, z)
  expect_close(m(one + other * line), m(one) + m(other) * m(line), 1e-12)
  expect_close(m(kernel_warped(one + other, "a", c(0, 1), 0)), m(one + other), 1e-12) # which stretches nothing
})

test_that("columns by name work wherever there are names", {
  colnames(x) <- c("a", "b", "c")
  by_name <- kernel_se(0.7, 2, columns = "b")
  by_number <- kernel_se(0.7, 2, columns = 2)
  expect_identical(oips(by_name, 0.5)$update(x)$index, oips(by_number, 0.5)$update(x)$index)
  expect_identical(select_points(select_oips(0.5), x, by_name), select_points(select_oips(0.5), x, by_number))
  expect_identical(nystrom_error(by_name, x, x[1:4, ]), nystrom_error(by_number, x, x[1:4, ]))
  expect_identical(kdpp_log_prob(by_name, x, 1:3), kdpp_log_prob(by_number, x, 1:3))
  named <- streaming_gp(kernel = by_name, noise = 0.1, optimize = "none")
  numbered <- streaming_gp(kernel = by_number, noise = 0.1, optimize = "none")
  for (gp in list(named, numbered)) gp$update(x, x[, 2])
  expect_identical(predict(named, x, se.fit = TRUE), predict(numbered, x, se.fit = TRUE))
  named$kernel <- kernel_matern52(1, 2, columns = "c")
  expect_identical(named$kernel$columns, c(c = 3))
})

test_that("a spectral kernel is its product: an amplitude, a wave and Gibbs' kernel, all of which vary", {
  t <- x[, 1]
  kernel <- kernel_spectral(0.7, 0.4, 2.5, knots = c(0.5, 1, 2))
  kernel$parts <- lapply(kernel$parts, function(part) {
    part$values <- bend$values
    part
  })
  phase <- stretched(t, bend$knots, bend$values)
  a <- exp(tent(t, bend$knots, bend$values))
  s <- tent(t, bend$knots, bend$values)
  S <- outer(exp(2 * s), exp(2 * s), "+")
  gibbs <- sqrt(2 * exp(outer(s, s, "+")) / S) * exp(-2 / S * outer(t, t, "-")^2 / 0.4^2)
  expect_close(kernel_matrix(kernel, t), 2.5 * outer(a, a) * cos(2 * pi * 0.7 * outer(phase, phase, "-")) * gibbs, 1e-12)
})

test_that("what is open and no parameter is taken from the rows", {
  t <- c(2, 3, 7, 8)
  unit <- (t - mean(t)) / sd(t)
  line <- kernel_matrix(kernel_linear(1), t)
  expect_close(line / line[1, 1], outer(unit, unit) / unit[1]^2, 1e-12)
  walk <- kernel_matrix(kernel_brownian(1), t)
  expect_close(diff(diag(walk)), diff(t) / diff(range(t)), 1e-12) # begins before the first
  expect_gt(walk[1, 1], 0)
  expect_lt(walk[1, 1], 0.1)
})

test_that("all kernels print in words", {
  shown <- printed_by(
    kernel_periodic(),
    kernel_periodic(12, 1, 2),
    kernel_periodic("1 day", columns = "time"),
    kernel_cosine(c(0.5, 1), 2),
    kernel_spectral(2, knots = c(0, 1)),
    kernel_constant(3),
    kernel_linear(1, 0, 2),
    kernel_brownian(columns = 2),
    kernel_brownian(integrated = TRUE),
    kernel_factor(0.5, columns = "station"),
    kernel_gibbs(0.2, knots = c(0, 5), values = 2),
    kernel_gibbs(knots = 3),
    gpstream:::kernel_amplitude(1, c(0, 5), 2),
    kernel_warped(kernel_matern52(1, 2), "x", c(0, 5), 2),
    kernel_warped(kernel_se() + kernel_constant(1)),
    kernel_se(columns = c("lon", "lat")) + kernel_periodic("24 hours", columns = "time")
  )
  expect_snapshot(writeLines(shown))
})

test_that("bad arguments of kernels are refused in a sentence that names them", {
  rows <- cbind(a = 1:3, b = 2:4)
  shown <- conditions_of(
    kernel_periodic(-1), kernel_periodic("fortnight"), kernel_periodic(c(1, 2)), kernel_periodic(1, lengthscale = 0),
    kernel_cosine("a"), kernel_cosine(Inf), kernel_cosine(1, variance = -1),
    kernel_spectral(c(1, 2)), kernel_spectral(1, columns = 1:2), kernel_spectral(1, knots = 1),
    kernel_constant(0), kernel_linear(origin = NA), kernel_linear(scale = -2), kernel_linear(1, "a"),
    kernel_brownian(origin = 1:2), kernel_brownian(scale = 0), kernel_brownian(integrated = NA),
    kernel_factor(1), kernel_factor(-0.1), kernel_factor("a"),
    kernel_gibbs(knots = c(2, 1)), kernel_gibbs(knots = 51), kernel_gibbs(knots = 3, values = 1), kernel_gibbs(knots = 2, values = 9),
    kernel_gibbs(along = 1:2), kernel_gibbs("long"),
    kernel_warped("se"), kernel_warped(kernel_se(columns = 1), columns = 2), kernel_warped(kernel_se(), along = 0),
    kernel_se(columns = 0), kernel_se(columns = c(1, 1)), kernel_se(columns = character()), kernel_se(columns = NA), kernel_se(columns = 1.5),
    kernel_matrix(kernel_se(1, columns = 3), rows), kernel_matrix(kernel_se(1, columns = "z"), rows),
    kernel_matrix(kernel_se(1, columns = "z"), unname(rows)), kernel_matrix(kernel_se(1:3, columns = 1:2), rows),
    kernel_matrix(kernel_gibbs(1, along = "a", columns = "b"), rows), kernel_matrix(kernel_periodic("1 day", 1, columns = "a"), rows),
    kernel_matrix(kernel_brownian(), rows), kernel_matrix(kernel_brownian(columns = 1:2, integrated = TRUE), rows),
    kernel_matrix(kernel_cosine(), rows), kernel_matrix(kernel_cosine(1), rows), kernel_matrix(kernel_cosine(1:2, columns = "a"), rows),
    kernel_matrix(kernel_linear(1, 1:3), rows), kernel_matrix(kernel_linear(1, scale = 1:2, columns = 1), rows),
    streaming_gp(kernel = kernel_se(1, columns = 1) + kernel_brownian())$update(rows, 1:3),
    kernel_radius(kernel_se(1, columns = "a"), 0.5), kernel_radius(kernel_cosine(1:2), 0.5), kernel_radius(kernel_linear(1, 0, 1), 0.5), kernel_radius(kernel_periodic(1, 1), 0.5)
  )
  expect_snapshot(writeLines(shown))
})

test_that("kernel_matrix takes any input and keeps row names", {
  k <- kernel_se(1)
  v <- c(a = 0, b = 1)
  expect_identical(dimnames(kernel_matrix(k, v)), list(c("a", "b"), c("a", "b")))
  expect_identical(dim(kernel_matrix(k, 1:3, 1:2)), c(3L, 2L))
  expect_identical(kernel_matrix(k, data.frame(t = 0:1)), kernel_matrix(k, 0:1))
  expect_identical(dim(kernel_matrix(k, numeric(), 1:2)), c(0L, 2L))
})

test_that("kernels are plain and immutable: changing a copy changes nothing else", {
  k <- kernel_se(1, 2)
  gp <- toy_gp(20, kernel = k)
  k$lengthscale <- 99
  expect_identical(gp$kernel$lengthscale, 1)
  gp$kernel <- kernel_se(1, 5)
  expect_identical(k$variance, 2)
})

test_that("kernels print in words", {
  shown <- printed_by(
    kernel_se(),
    kernel_se("ard", 2),
    kernel_matern12(0.123456789, 1 / 3),
    kernel_matern32(c(1, 10)),
    kernel_matern52(1e-5, 1e10),
    kernel_rq(1, 2, alpha = 1.5),
    kernel_se(1, 2) + kernel_matern12(3, 4) * kernel_rq(5, 6),
    kernel_se(1, 2) * (kernel_matern12(3, 4) + kernel_rq(5, 6)),
    likelihood_gaussian()
  )
  expect_snapshot(writeLines(shown))
})
