# The bounds on the Nystrom error: their formulas, that they hold, and the k-DPP by enumeration.

test_that("Theorem 2: the formulas", {
  n <- c(10, 200)
  expect_equal(bound_nystrom(n, 5, 0.8, 3), 3 * (n - 5) * (1 - 0.64))
  expect_equal(bound_nystrom(n, 5, 0.8, type = "gershgorin"), (n - 5) * (1 - 0.64 / (1 + 4 * 0.8)))
  expect_equal(bound_nystrom(n, 5, 0.8, type = "frobenius"), (n - 5) * (1 - 0.64 / (1 + sqrt(20) * 0.8)))
  expect_equal(bound_nystrom(n, 5, 0.8, 2, type = "paper"), 2 * (n - 5) * (1 - 0.64 / (1 + 20 * 0.8)))
  expect_equal(bound_nystrom(7, 7, 0.5, type = "paper"), 0)
  expect_equal(bound_nystrom(20, 1:3, 0.5), c(19, 18, 17) * 0.75)
  expect_identical(bound_nystrom(numeric(), 1, 0.5), numeric())
  # with one point all four are the same
  one <- vapply(c("nearest", "gershgorin", "frobenius", "paper"), function(type) bound_nystrom(9, 1, 0.3, type = type), 0)
  expect_equal(one, rep(one[[1]], 4), ignore_attr = TRUE)
})

test_that("Theorem 2: spectral <= Frobenius <= trace <= row by row <= nearest <= Gershgorin <= Frobenius <= printed, 300 random cases", {
  cases <- lapply(seq_len(if (identical(Sys.getenv("NOT_CRAN"), "true")) 300 else 60), nystrom_case, n_most = 60)
  cases <- Filter(function(case) case$refused == 0, cases) # a point left out is outside the assumption
  expect_gt(length(cases), 50)
  violation <- vapply(cases, chain_violation, 0)
  expect_identical(which(violation > 1e-12), integer())
  # the cases are worth something: every kind of rows, and bounds that are attained
  expect_setequal(vapply(cases, `[[`, "", "kind"), row_kinds)
  tight <- vapply(cases, function(case) case$chain[["trace"]] > 0.99 * case$chain[["bound_nearest"]] && case$n > case$m, TRUE)
  expect_true(any(tight))
})

test_that("Theorem 2: the bound by the nearest point cannot be improved without looking at the data", {
  x <- rbind(0, matrix(c(1, 0, 0, 1, -1, 0, 0, -1) * kernel_radius(kernel_se(1), 0.6) * (1 - 1e-12), 4, byrow = TRUE))
  z <- select_points(select_oips(0.6), x, kernel_se(1))$points
  expect_equal(nrow(z), 1)
  expect_equal(nystrom_error(kernel_se(1), x, z), bound_nystrom(5, 1, 0.6), tolerance = 1e-9)
})

test_that("Theorem 2: the assumption matters", {
  x <- toy(60)$x
  k <- kernel_se(1, 1)
  z <- select_points(select_oips(0.9), x, k)$points
  bound <- bound_nystrom(60, length(z), 0.9)
  expect_lt(nystrom_error(k, x, z), bound)
  expect_gt(nystrom_error(k, x, z + 20), bound) # points that were moved
  shorter <- kernel_se(0.05, 1) # another kernel, the points of the old one
  expect_gt(nystrom_error(shorter, x, z), bound)
  expect_lt(nystrom_error(shorter, x, z), bound_nystrom(60, length(z), 0.9^((1 / 0.05)^2)))
})

test_that("Theorem 2: after a change of lengthscale, the threshold rho^((l0 / l1)^2)", {
  set.seed(1)
  for (i in 1:40) {
    x <- matrix(runif(160), ncol = 2)
    l <- 10^runif(2, -1, 0.3)
    rho <- runif(1, 0.3, 0.99)
    z <- select_points(select_oips(rho), x, kernel_se(l[1]))$points
    allowed <- (nrow(x) - nrow(z)) * (1 - rho^(2 * (l[1] / l[2])^2))
    expect_lte(nystrom_error(kernel_se(l[2]), x, z), allowed + 1e-7)
    expect_equal(allowed, (nrow(x) - nrow(z)) * (1 - kernel_matrix(kernel_se(l[2]), 0, kernel_radius(kernel_se(l[1]), rho))[1]^2))
  }
})

test_that("the expected trace under a k-DPP is (k + 1) e_{k+1} / e_k, by enumeration, and at most Burt's bound", {
  set.seed(1)
  for (n in 6:8) {
    x <- matrix(runif(2 * n), n)
    K <- kernel_matrix(kernel_matern32(0.5, 2), x)
    lambda <- eigen(K, symmetric = TRUE)$values
    for (k in 1:(n - 1)) {
      sets <- utils::combn(n, k)
      weight <- apply(sets, 2, function(A) det(K[A, A, drop = FALSE]))
      error <- apply(sets, 2, function(A) sum(diag(K - K[, A, drop = FALSE] %*% solve(K[A, A, drop = FALSE], K[A, , drop = FALSE]))))
      expect_equal(bound_nystrom_kdpp(lambda, k, "expected"), sum(weight * error) / sum(weight), tolerance = 1e-9)
    }
    m <- 0:n
    expect_equal(bound_nystrom_kdpp(lambda, m), vapply(m, function(m) (m + 1) * sum(lambda[seq_along(lambda) > m]), 0))
    expect_true(all(bound_nystrom_kdpp(lambda, m, "expected") <= bound_nystrom_kdpp(lambda, m) * (1 + 1e-12)))
    expect_equal(bound_nystrom_kdpp(rev(lambda), 2:3, "expected"), bound_nystrom_kdpp(lambda, 2:3, "expected"))
    expect_equal(bound_nystrom_kdpp(lambda, 0, "expected"), sum(lambda)) # no points: all of K
  }
})

test_that("eigenvalues that are zero, or below it by rounding, leave nothing", {
  lambda <- c(3, 1, 0, -1e-15)
  expect_equal(bound_nystrom_kdpp(lambda, 0:4), c(4, 2, 0, 0, 0))
  expect_equal(bound_nystrom_kdpp(lambda, 0:4, "expected"), c(4, 2 * 3 / 4, 0, 0, 0))
  expect_error(bound_nystrom_kdpp(c(1, -0.5), 1), "must be the eigenvalues", class = "gpstream_error_parameter")
})

test_that("messages", {
  text <- conditions_of(
    nystrom_error(1, 1:3, 1:2),
    nystrom_error(kernel_se(), 1:3, 1:2),
    nystrom_error(kernel_se(1), 1:3, matrix(1:4, 2)),
    nystrom_error(kernel_se(1), c(1, NA), 1),
    nystrom_error(kernel_se(1), 1:3, 1:2, norm = "nuclear"),
    bound_nystrom(10, 0, 0.5),
    bound_nystrom(10, 11, 0.5),
    bound_nystrom("a", 1, 0.5),
    bound_nystrom(10, 2, 1),
    bound_nystrom(10, 2, 0.5, variance = 0),
    bound_nystrom(10, 2, 0.5, type = "best"),
    bound_nystrom_kdpp(c(2, -1), 1),
    bound_nystrom_kdpp(c(2, 1), 3),
    bound_nystrom_kdpp(c(2, 1), 0.5)
  )
  expect_snapshot(writeLines(text))
})
