# The machine's own limits, in the same run: bare matrix operations of the same size as those inside gpstream. By the back end
# that gpstream has chosen, by R's BLAS through R's functions, and, once compiled, by Eigen with R's own flags (a quarter of a minute).

compile_yardsticks <- function(file) {
  Sys.setenv(PKG_LIBS = "$(BLAS_LIBS) $(LAPACK_LIBS) $(FLIBS)", PKG_CXXFLAGS = "-w") # Eigen 3.3 with g++: pages of warnings
  tryCatch(
    {
      Rcpp::sourceCpp(file, env = globalenv(), verbose = FALSE)
      use_clocks(fine_clocks)
    },
    error = function(e) message("  without Eigen's yardsticks: ", conditionMessage(e))
  )
}

compiled <- function() exists("eigen_scan", globalenv())

# A lower triangle that neither blows up nor dies away when it is applied again and again.
triangle <- function(M) {
  L <- diag(M)
  L[lower.tri(L)] <- rep_len(c(0.5, -0.5), M * (M - 1) / 2) / M
  L
}

# One triangular solve of M x B and one symmetric update of M x M by it: the algebra of absorbing B rows.
solve_and_update <- function(M, B) {
  L <- triangle(M)
  W <- with_seed(3, matrix(rnorm(M * B), M))
  S <- diag(M)
  bare <- list("machine: R's BLAS" = function() method(function() timed({
    W <- backsolve(L, W, upper.tri = FALSE)
    tcrossprod(W)
  }, B)))
  V <- W + 0
  bare[["machine: back end"]] <- function() method(function() timed({
    gpstream:::core_bare("solve", L, V)
    gpstream:::core_bare("outer", V, S)
  }, B))
  if (compiled()) bare[["machine: Eigen"]] <- function() method(function() timed(eigen_solve_and_update(L, V, S), B))
  bare
}

# One triangular product of M x M and M x B.
multiply <- function(M, B) {
  L <- triangle(M)
  R <- t(L)
  W <- with_seed(4, matrix(rnorm(M * B), M))
  V <- W + 0
  bare <- list("machine: back end" = function() method(function() timed(gpstream:::core_bare_multiply(R, W, V), B)))
  if (!compiled()) return(bare)
  bare[["machine: R's BLAS"]] <- function() method(function() timed(blas_multiply(L, V), B))
  bare[["machine: Eigen"]] <- function() method(function() timed(eigen_multiply(L, W, V), B))
  bare
}

# M x M numbers read and M x M written.
memory_copy <- function(M) {
  if (!compiled()) return(list())
  S <- matrix(0, M, M)
  T <- S + 1
  list("machine: memory" = function() method(function() each(20, function(i) copy_over(S, T))))
}

# Distances of all rows to a given set of points, by matrix products over blocks of rows: no selection, but what a plain one
# would have to compute.
distance_scan <- function(x, Z) {
  n <- nrow(x)
  bare <- list("machine: R's BLAS" = function() method(function() timed(blas_scan(x, Z), n)))
  if (compiled()) bare[["machine: Eigen"]] <- function() method(function() timed(eigen_scan(x, Z), n))
  bare
}

blas_scan <- function(x, Z, width = 1000) {
  squares <- rowSums(Z^2)
  Zt <- -2 * t(Z)
  for (start in seq(1, nrow(x), by = width)) {
    block <- x[start:min(start + width - 1, nrow(x)), , drop = FALSE]
    distance <- block %*% Zt + rep(squares, each = nrow(block)) + rowSums(block^2)
    rowSums(distance <= 0.001) # is any point near?
  }
}
