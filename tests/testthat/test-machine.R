# The same model by every back end and any number of threads.

with_options <- function(new, code) {
  old <- options(new)
  on.exit(options(old))
  force(code)
}

stream <- function(rows = 3000) {
  set.seed(1)
  x <- cbind(runif(rows), runif(rows))
  list(x = x, y = sin(6 * x[, 1]) + x[, 2] + rnorm(rows, sd = 0.1))
}

# Batches, single rows, a kernel change, predictions of few and of many rows.
whole_life <- function(data = stream()) {
  gp <- streaming_gp(kernel = kernel_se(0.15, 1), noise = 0.01, mean = 0, select = select_oips(0.9), optimize = "none")
  gp$update(data$x[1:2500, ], data$y[1:2500])
  for (i in 2501:2520) gp$update(data$x[i, , drop = FALSE], data$y[i])
  gp$update(data$x[2521:3000, ], data$y[2521:3000])
  first <- predict(gp, data$x, se.fit = TRUE)
  gp$kernel <- kernel_se(0.2, 1.5)
  list(size = gp$size, first = first[c("fit", "se.fit")], few = predict(gp, data$x[1:20, ], se.fit = TRUE)[c("fit", "se.fit")],
    objective = gp$objective, posterior = gp$posterior)
}

# Predictions to 1e-12; after the change of the kernel, which solves once more with nearly dependent points, to 1e-11.
expect_same_life <- function(life, other) {
  expect_identical(life$size, other$size)
  expect_equal(life$first, other$first, tolerance = 1e-12)
  expect_equal(life$objective, other$objective, tolerance = 1e-12)
  expect_equal(life$few, other$few, tolerance = 1e-11)
  expect_equal(life$posterior$mean, other$posterior$mean, tolerance = 1e-11)
}

test_that("every back end does what R's own functions do", {
  set.seed(2)
  for (name in names(gpstream_info()$seconds)) with_options(list(gpstream.backend = name), {
    for (M in c(1, 31, 32, 33, 70, 150)) {
      L <- matrix(rnorm(M^2), M) + diag(2 * M, M) # what is above the diagonal must not matter
      low <- L * lower.tri(L, diag = TRUE)
      for (B in c(5, 40, 101)) {
        W <- matrix(rnorm(M * B), M)
        by <- function(operation, A, B) {
          B <- B + 0
          expect_true(gpstream:::core_bare(operation, A, B))
          B
        }
        expect_equal(by("solve", L, W), forwardsolve(low, W), tolerance = 1e-13)
        expect_equal(by("solve_transposed", L, W), backsolve(t(low), W), tolerance = 1e-13)
        out <- W + 0
        gpstream:::core_bare_multiply(t(L), W, out)
        expect_equal(out, low %*% W, tolerance = 1e-13)
        gpstream:::core_bare_product(L, W, out)
        expect_equal(out, L %*% W, tolerance = 1e-13)
        S <- matrix(rnorm(M^2), M)
        expect_equal(by("outer", W, S), S + tcrossprod(W) * lower.tri(S, diag = TRUE), tolerance = 1e-13)
      }
      product <- tcrossprod(low)
      product[upper.tri(product)] <- 7
      expected <- low
      expected[upper.tri(expected)] <- 7
      expect_equal(by("cholesky", L, product), expected, tolerance = 1e-12)
      indefinite <- diag(c(rep(1, M - 1), -1), M)
      expect_false(gpstream:::core_bare("cholesky", L, indefinite))
    }
  })
})

test_that("back ends agree to 1e-12", {
  names <- names(gpstream_info()$seconds)
  expect_true(all(c("eigen", "blas") %in% names))
  lives <- lapply(names, function(name) with_options(list(gpstream.backend = name), whole_life()))
  expect_gt(lives[[1]]$size, 100) # large enough for the back end to be used
  for (life in lives[-1]) expect_same_life(life, lives[[1]])
})

test_that("wide vectors change no bit of a kernel, and no point that is selected", {
  data <- stream()
  one <- function() {
    gpstream_info() # reads the options
    gp <- streaming_gp(kernel = kernel_matern52(0.3, 1), noise = 0.01, mean = 0, optimize = "none")
    gp$update(data$x, data$y)
    list(
      matrices = lapply(list(kernel_se(0.3, 2), kernel_matern12(1, 1), kernel_matern32(0.2, 1), kernel_rq(0.3, 1)), kernel_matrix, data$x[1:50, ]),
      points = gp$points
    )
  }
  expect_identical(with_options(list(gpstream.simd = FALSE), one()), one())
  expect_false(with_options(list(gpstream.simd = FALSE), gpstream_info()$simd))
  expect_false(with_options(list(gpstream.simd = FALSE), gpstream_info()$backend) == "avx2")
})

test_that("threads change nothing but rounding, also in forked processes", {
  one <- whole_life()
  two <- with_options(list(gpstream.threads = 2), whole_life())
  expect_same_life(two, one)
  skip_on_os("windows")
  forked <- with_options(list(gpstream.threads = 2), parallel::mclapply(1:2, function(i) whole_life(), mc.cores = 2))
  expect_identical(forked, list(two, two))
})

test_that("options that cannot be met say so, and the model stays as it was", {
  gp <- streaming_gp(kernel = kernel_se(0.15, 1), noise = 0.01, mean = 0, optimize = "none")
  data <- stream()
  gp$update(data$x[1:1000, ], data$y[1:1000])
  before <- as.list(gp)
  for (bad in list(list(gpstream.backend = "none"), list(gpstream.backend = 1), list(gpstream.threads = 0), list(gpstream.threads = "two"),
    list(gpstream.simd = NA))) {
    expect_error(with_options(bad, gp$update(data$x[1001:3000, ], data$y[1001:3000])), class = "gpstream_error_parameter")
    expect_error(with_options(bad, gpstream_info()), names(bad), class = "gpstream_error_parameter")
  }
  expect_identical(as.list(gp), before)
  gp$update(data$x[1001:3000, ], data$y[1001:3000])
  expect_identical(gp$nobs, 3000)
})

test_that("gpstream_info() says what is used", {
  info <- gpstream_info()
  expect_true(info$backend %in% names(info$seconds) && all(info$seconds > 0))
  expect_identical(info$threads, 1L)
  expect_identical(with_options(list(gpstream.backend = "blas"), gpstream_info()$backend), "blas")
  fixed <- structure(list(version = "1.0", backend = "eigen", seconds = c(eigen = 1e-3, blas = 4e-3), threads = 1L, simd = TRUE,
    blas = "libblas.so", eigen = "3.4.0"),
    class = "gpstream_info")
  expect_snapshot(with_options(list(gpstream.backend = NULL), print(fixed)))
  for (odd in list(NA, 1:2, c("eigen", "blas"))) expect_output(with_options(list(gpstream.backend = odd), print(fixed)), "by the option")
})

test_that("threads are a number from 1 to 1024, and the error says so", {
  for (bad in list(NA_real_, NaN, Inf, -1, 1025, 1:2, TRUE, list(2), numeric(0)))
    expect_error(with_options(list(gpstream.threads = bad), gpstream_info()), "from 1 to 1024", class = "gpstream_error_parameter")
  for (good in list(1, 2L, 1024)) expect_equal(with_options(list(gpstream.threads = good), gpstream_info()$threads), good)
})

test_that("the library, unloaded and loaded again, has every back end once", {
  skip_on_cran()
  script <- "names <- names(gpstream::gpstream_info()$seconds); path <- system.file(package = 'gpstream'); unloadNamespace('gpstream');
    library.dynam.unload('gpstream', path); stopifnot(identical(names(gpstream::gpstream_info()$seconds), names))"
  expect_identical(system2(file.path(R.home("bin"), "Rscript"), c("-e", shQuote(script)), env = libraries(), stdout = FALSE, stderr = FALSE), 0L)
})
