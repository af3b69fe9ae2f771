# Every kernel of the registry, by name, against the formulas of ?kernels written out in R.

# The correlation at distance r, in lengthscales. A new kernel needs its line here.
profiles <- list(
  se = function(r) exp(-r^2),
  matern12 = function(r) exp(-r),
  matern32 = function(r) (1 + sqrt(3) * r) * exp(-sqrt(3) * r),
  matern52 = function(r) (1 + sqrt(5) * r + 5 * r^2 / 3) * exp(-sqrt(5) * r),
  rq = function(r, alpha = 1) (1 + r^2 / alpha)^(-alpha)
)
simple <- setdiff(gpstream:::core_kernel_names(), c("sum", "product"))
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

test_that("every kernel has its formula in this file", {
  expect_setequal(names(profiles), simple)
})

for (name in simple) {
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
