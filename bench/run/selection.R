# W1: choosing points alone. OIPS against k-means (ten Lloyd steps from random rows, for the same number of points), pivoted
# incomplete Cholesky, and a bare scan of all distances to the points. The accuracy is that of one and the same
# model on the points that a method chose.

selection <- function(quick) {
  cases <- if (quick) list(c(2, 100, 1e5), c(8, 128, 2e4)) else {
    list(c(2, 100, 1e5), c(8, 128, 1e5), c(2, 1000, 1e6), c(3, 1000, 1e6), c(8, 1500, 1e6))
  }
  do.call(rbind, lapply(cases, function(case) selection_case(case[1], case[2], case[3], quick)))
}

selection_case <- function(D, points, rows, quick) {
  data <- draw(rows, D, 1)
  x <- data$x
  given <- known(D, points)
  kernel <- kernel_se(given$lengthscale)
  chosen <- select_points(select_oips(0.8, Inf), x, kernel)$points
  M <- nrow(chosen)
  few <- seq_len(min(rows, if (quick) 1e4 else 1e5)) # k-means takes minutes for 1e6 rows; its cost is linear in them
  judged <- seq_len(if (quick) 2000 else 1e4)

  # A way to choose: what it does and on which rows.
  chooser <- function(choose, used) {
    Z <- NULL
    method(
      run = function() timed(Z <<- choose(), used),
      predict = function(test) {
        gp <- streaming_gp(kernel = kernel_se(given$lengthscale, 1), noise = given$noise, mean = "zero", select = select_fixed(Z), optimize = "none")
        gp_predict(gp$update(x[judged, , drop = FALSE], data$y[judged]), test)
      },
      size = function() nrow(Z), rows = function() used
    )
  }
  makers <- list(
    gpstream = function() chooser(function() select_points(select_oips(0.8, Inf), x, kernel)$points, rows),
    "stats::kmeans" = function() chooser(function() {
      start <- with_seed(2, sample(length(few), M))
      suppressWarnings(kmeans(x[few, ], x[start, ], iter.max = 10, algorithm = "Lloyd"))$centers
    }, length(few))
  )
  if (points <= 128 && requireNamespace("kernlab", quietly = TRUE)) {
    some <- seq_len(if (quick) 1000 else 1e4)
    makers[["kernlab::inchol"]] <- function() chooser(function() {
      rbf <- kernlab::rbfdot(sigma = 1 / given$lengthscale^2)
      x[kernlab::pivots(kernlab::inchol(x[some, ], rbf, tol = 1e-8, maxiter = M)), , drop = FALSE]
    }, length(some))
  }
  measure("W1 selection", sprintf("D = %d, %d points, %.0e rows", D, points, rows), "us per row", c(makers, distance_scan(x, chosen)),
          test_set(D), rounds = if (quick) 2 else 3, budget = 5)
}
