# Selectors as users meet them: in a model, and on their own through select_points(). The mathematics of OIPS is in test-select-oips.R.

t2 <- toy(200, 2)
kernel <- kernel_se(2, 3)

# One of each; a new selector needs its line here.
selectors <- list(
  oips = function(...) select_oips(0.8, ...), variance = function(...) select_variance(...), noise = function(...) select_noise(0.3, ...),
  knearest = function(...) select_knearest(2, 0.5, ...), fixed = function(...) select_fixed(1:3, ...),
  grid = function(...) select_grid(6, ...), kmeans = function(...) select_kmeans(6, ...), random = function(...) select_random(6, ...),
  greedy = function(...) select_greedy(6, "variance", ...), kdpp = function(...) select_kdpp(6, ...)
)

model_with <- function(selector, ..., k = kernel, noise = 0.1) {
  streaming_gp(kernel = k, noise = noise, mean = 0, select = selector, optimize = "none", ...)
}

test_that("every selector of the registry has a constructor that gives a selector of that name", {
  expect_setequal(names(selectors), gpstream:::core_selector_names())
  for (name in names(selectors)) {
    selector <- selectors[[name]]()
    expect_true(paste0("select_", name) %in% getNamespaceExports("gpstream"))
    expect_s3_class(selector, "gpstream_selector")
    expect_identical(selector$name, name)
    expect_output(print(selector), "<selector>")
    x <- toy(30)$x
    set.seed(1)
    chosen <- select_points(selector, x, kernel)
    set.seed(1)
    gp <- model_with(selector, noise = 0.1 * kernel$variance)$update(x, x[, 1]) # as select_points() takes it to be
    expect_identical(gp$points, chosen$points)
    expect_identical(chosen$points[!is.na(chosen$index), , drop = FALSE], x[chosen$index[!is.na(chosen$index)], , drop = FALSE])
    expect_output(print(gp), format(selector), fixed = TRUE)
    expect_identical(streaming_gp_restore(as.list(gp))$points, gp$points)
    expect_identical(as.list(gp$copy()), as.list(gp))
  }
})

test_that("optimize_points is kept when it is TRUE, and shown", {
  for (name in names(selectors)) {
    expect_identical(selectors[[name]](optimize_points = FALSE), selectors[[name]]())
    selector <- selectors[[name]](optimize_points = TRUE)
    expect_true(selector$optimize_points)
    expect_match(format(selector), ", optimised)", fixed = TRUE)
    expect_identical(gpstream:::check_selector(selector), selector)
    x <- toy(30)$x
    handle <- gpstream:::core_set_new(kernel, gpstream:::selector_for(selector, NULL), 1L) # through the core and back
    expect_mapequal(unclass(gpstream:::core_set_state(handle)$select), unclass(selector))
    expect_error(selectors[[name]](optimize_points = NA), "`optimize_points` must be TRUE or FALSE", class = "gpstream_error_parameter")
  }
})

test_that("arguments of selectors are checked", {
  for (make in list(select_kmeans, select_grid, select_random, select_greedy, select_kdpp)) {
    for (m in list(0, -1, 1.5, NA, NULL, "a", 1:2, Inf, 1e6, TRUE, list(3))) {
      expect_error(make(m), "`m` must be a single whole number from 1 to 50,000", class = "gpstream_error_parameter")
    }
    expect_error(make(), "`m` is missing", class = "gpstream_error_parameter")
  }
  for (tol in list(0, 1, -1, NA, NULL, "a", c(0.1, 0.2))) {
    expect_error(select_variance(tol), "`tol` must be a single number between 0 and 1", class = "gpstream_error_parameter")
  }
  expect_error(select_variance(max_points = 0), "`max_points` must be", class = "gpstream_error_parameter")
  expect_error(select_greedy(3, "best"), "`criterion` must be one of \"bound\", \"variance\"", class = "gpstream_error_parameter")
  for (k in list(0, -1, 1.5, NA, NULL, "a", 1:2)) {
    expect_error(select_knearest(k), "`k` must be a single whole number", class = "gpstream_error_parameter")
  }
  expect_error(select_knearest(), "`k` is missing", class = "gpstream_error_parameter")
  expect_error(select_knearest(3, 1.2), "`rho` must be", class = "gpstream_error_parameter")
  expect_error(select_knearest(3, statistic = "mode"), "`statistic` must be one of \"mean\", \"median\"", class = "gpstream_error_parameter")
  for (make in list(select_oips, select_noise, select_variance)) {
    for (support in list(0, 1.5, NA, NULL, "a", Inf)) {
      expect_error(make(support = support), "`support` must be a single whole number", class = "gpstream_error_parameter")
    }
    expect_identical(make(support = 1), make())
    expect_identical(make(support = 3)$support, 3)
  }
  edited <- select_random(3)
  edited$m <- "a"
  expect_error(streaming_gp(select = edited), "`m` must be", class = "gpstream_error_parameter")
  edited <- select_random(3)
  edited$size <- 1
  expect_error(select_points(edited, 1:3, kernel), "edited by hand", class = "gpstream_error_parameter")
})

test_that("selectors that choose from a batch fill up to m points, then stop and draw no random numbers", {
  stream <- toy(40, 2)
  for (name in c("kmeans", "random", "greedy", "kdpp")) {
    gp <- model_with(selectors[[name]]())
    sizes <- vapply(list(1, 2:4, 5:20, 21:40), function(rows) gp$update(stream$x[rows, , drop = FALSE], stream$y[rows])$size, 1)
    expect_equal(sizes, c(1, 4, 6, 6), info = name)
    set.seed(1)
    seed <- .Random.seed
    gp$update(stream$x, stream$y)
    expect_identical(.Random.seed, seed)
  }
})

test_that("no selector but those three draws random numbers, and those are repeatable", {
  set.seed(1)
  seed <- .Random.seed
  drawing <- c("kmeans", "random", "kdpp")
  for (name in setdiff(names(selectors), drawing)) select_points(selectors[[name]](), toy(30)$x, kernel)
  expect_identical(.Random.seed, seed)
  for (name in drawing) {
    points <- lapply(c(1, 1, 2), function(seed) {
      set.seed(seed)
      select_points(selectors[[name]](), t2$x, kernel)
    })
    expect_identical(points[[1]], points[[2]])
    expect_false(identical(points[[1]], points[[3]]))
  }
})

test_that("select_points with OIPS: rows of x, apart from each other, near to everything", {
  chosen <- select_points(select_oips(0.7), t2$x, kernel)
  expect_identical(chosen$points, t2$x[chosen$index, ])
  expect_type(chosen$index, "integer")
  expect_identical(chosen$index[1], 1L)
  apart <- kernel_matrix(kernel, chosen$points) / 3
  expect_lt(max(apart[upper.tri(apart)]), 0.7)
  near <- kernel_matrix(kernel, chosen$points, t2$x) / 3
  expect_gte(min(apply(near, 2, max)), 0.7)
  again <- select_points(select_oips(0.7), chosen$points, kernel)
  expect_identical(again$index, seq_len(nrow(chosen$points)))
})

test_that("the choice does not depend on the variance, and rises with rho", {
  sizes <- vapply(c(0.3, 0.5, 0.8, 0.95), function(rho) {
    index <- lapply(c(1e-6, 1, 1e6), function(v) select_points(select_oips(rho), t2$x, kernel_se(2, v))$index)
    expect_identical(index[[1]], index[[2]])
    expect_identical(index[[3]], index[[2]])
    length(index[[1]])
  }, 1)
  expect_true(all(diff(sizes) > 0))
})

test_that("a model, oips() and select_points() choose the same points", {
  expected <- select_points(select_oips(0.8), t2$x, kernel)
  sel <- oips(kernel, 0.8)
  gp <- streaming_gp(optimize = "none", kernel = kernel, noise = 0.1, select = select_oips(0.8))
  for (rows in split(1:200, c(rep(1:8, each = 5), rep(9, 159), 10))) {
    sel$update(t2$x[rows, , drop = FALSE])
    gp$update(t2$x[rows, , drop = FALSE], t2$y[rows])
  }
  expect_identical(sel$points, expected$points)
  expect_equal(sel$index, expected$index)
  expect_identical(gp$points, expected$points)
  expect_equal(c(sel$size, sel$seen, sel$rho), c(nrow(expected$points), 200, 0.8))
})

test_that("sel$predict is the highest correlation with a point, at least rho for every row seen", {
  sel <- oips(kernel, 0.8)$update(t2$x)
  new <- toy(50, 2, from = 1000)$x * 3
  expect_close(sel$predict(new), apply(kernel_matrix(kernel, sel$points, new), 2, max) / 3, 1e-12)
  expect_gte(min(sel$predict(t2$x)), 0.8)
  expect_identical(sel$predict(sel$points), rep(1, sel$size))
})

test_that("select_fixed: these points, in this order, and no others", {
  Z <- toy(7, 2, from = 500)$x
  colnames(Z) <- c("a", "b")
  chosen <- select_points(select_fixed(Z), t2$x, kernel)
  expect_identical(chosen$points, unname(Z))
  expect_identical(chosen$index, rep(NA_integer_, 7))
  gp <- streaming_gp(optimize = "none", kernel = kernel, noise = 0.1, select = select_fixed(Z))$update(t2$x, t2$y)
  expect_identical(gp$points, unname(Z))
  expect_identical(select_fixed(1:3)$points, matrix(c(1, 2, 3)))
  expect_identical(select_fixed(data.frame(a = 1:3))$points[, 1], c(1, 2, 3))
})

test_that("a point that says nothing new is refused, and summary() counts it", {
  gp <- streaming_gp(optimize = "none", kernel = kernel_se(1, 1), noise = 0.1, select = select_fixed(c(1, 2, 2, 2 + 1e-9)))$update(1:3, 1:3)
  expect_equal(gp$size, 2)
  expect_output(print(summary(gp)), "2 candidates refused")
})

test_that("max_points: the model goes on with the points it has and warns once", {
  gp <- streaming_gp(optimize = "none", kernel = kernel_se(1, 1), noise = 0.1, select = select_oips(max_points = 3, when_full = "stop"))
  expect_silent(gp$update(c(0, 5, 10), 1:3))
  expect_silent(gp$update(c(0.01, 5, 9.99), 1:3)) # covered: nothing is lost
  expect_warning(gp$update(c(20, 30), 1:2), "`max_points` \\(3\\)", class = "gpstream_warning_max_inducing")
  expect_silent(gp$update(40, 1))
  expect_equal(c(gp$size, gp$nobs), c(3, 9))
  expect_output(print(summary(gp)), "3 rows turned away")
})

test_that("column names of x are kept", {
  named <- data.frame(a = t2$x[, 1], b = t2$x[, 2])
  expect_identical(colnames(select_points(select_oips(), named, kernel)$points), c("a", "b"))
  expect_identical(colnames(oips(kernel)$update(named)$points), c("a", "b"))
})

test_that("without a lengthscale, the median distance of the first batch is used", {
  sel <- oips(kernel_matern32())$update(t2$x)
  expect_equal(sel$kernel$lengthscale, median(dist(t2$x)))
  sel$update(100 * t2$x)
  expect_equal(sel$kernel$lengthscale, median(dist(t2$x)))
  expect_equal(select_points(select_oips(), t2$x, kernel_matern32())$index, oips(kernel_matern32())$update(t2$x)$index)
})

test_that("selectors and OIPS objects print in words", {
  shown <- printed_by(
    select_oips(),
    select_oips(0.95, max_points = 12345),
    select_oips(0.5, Inf),
    select_fixed(1),
    select_fixed(cbind(1:3, 4:6)),
    select_variance(max_points = 1),
    select_grid(100),
    select_kmeans(12000, optimize_points = TRUE),
    select_random(1),
    select_greedy(20),
    select_greedy(20, "variance"),
    select_kdpp(20),
    select_knearest(3),
    select_knearest(5, 0.5, "median", 20, "stop"),
    select_oips(support = 3),
    select_variance(support = 2, optimize_points = TRUE),
    select_oips(optimize_points = TRUE),
    oips(kernel_se()),
    print(oips(kernel_se(1, 1), 0.5)$update(1:3))
  )
  expect_snapshot(writeLines(shown))
})

test_that("select_points() says when the limit cut it short", {
  expect_warning(select_points(select_oips(0.8, max_points = 3), 1:20, kernel_se(1)), "`max_points` \\(3\\)", class = "gpstream_warning_max_inducing")
  expect_warning(select_points(select_oips(0.8), 1:20, kernel_se(1)), NA)
  expect_warning(select_points(select_variance(0.2, 3), 1:20, kernel_se(1)), "`max_points` \\(3\\)", class = "gpstream_warning_max_inducing")
})

# --- conditional variance ------------------------------------------------------------------------------------------------------

# What the points leave of the variance of each row.
residual <- function(kernel, Z, x) {
  1 - colSums(forwardsolve(t(chol(kernel_matrix(kernel, Z))), kernel_matrix(kernel, Z, x))^2) / kernel$variance
}

test_that("select_variance: every row is explained to within tol, and points are apart", {
  for (tol in c(0.01, 0.05, 0.3)) {
    chosen <- select_points(select_variance(tol), t2$x, kernel)
    expect_lte(max(residual(kernel, chosen$points, t2$x)), tol + 1e-12)
    apart <- kernel_matrix(kernel, chosen$points) / 3
    expect_lt(max(apart[upper.tri(apart)]), sqrt(1 - tol))
    for (i in seq_along(chosen$index)[-1]) {
      expect_gt(residual(kernel, chosen$points[seq_len(i - 1), , drop = FALSE], chosen$points[i, , drop = FALSE]), tol)
    }
    for (size in c(1, 7, 200)) expect_identical(stream(model_with(select_variance(tol)), t2$x, t2$y, size)$points, chosen$points)
    expect_identical(select_points(select_variance(tol), t2$x, kernel_se(2, 1e6))$index, chosen$index)
  }
  expect_lte(summary(model_with(select_variance(0.05))$update(t2$x, t2$y))$info$tau / 200, 0.05)
})

test_that("select_variance: the limit turns rows away, with one warning that says what to do", {
  gp <- model_with(select_variance(0.1, max_points = 3, when_full = "stop"), k = kernel_se(1, 1))
  expect_silent(gp$update(c(0, 5, 10), 1:3))
  expect_warning(gp$update(c(20, 30), 1:2), "`max_points` \\(3\\).*Raise `tol`", class = "gpstream_warning_max_inducing")
  expect_silent(gp$update(40, 1))
  expect_equal(c(gp$size, gp$nobs), c(3, 6))
})

# --- greedy --------------------------------------------------------------------------------------------------------------------

test_that("greedy by variance is pivoted Cholesky", {
  K <- kernel_matrix(kernel, t2$x) / 3
  left <- rep(1, 200)
  L <- matrix(0, 200, 0)
  rows <- integer()
  for (j in 1:25) {
    i <- which.max(left)
    L <- cbind(L, (K[, i] - L %*% L[i, ]) / sqrt(left[i]))
    left <- left - L[, j]^2
    rows <- c(rows, i)
  }
  expect_identical(select_points(select_greedy(25, "variance"), t2$x, kernel)$index, rows)
  expect_equal(nrow(select_points(select_greedy(25, "variance"), rep(1:3, 9), kernel)$points), 3) # no more is left
})

test_that("[Titsias09] greedy by bound raises the objective as much as the best of all rows, at every step", {
  t <- toy(50, 2)
  F <- function(rows) batch_posterior(kernel, t$x[rows, , drop = FALSE], t$x, t$y, 0.1, t$x[1, , drop = FALSE])$objective
  points <- model_with(select_greedy(8))$update(t$x, t$y)$points
  rows <- match(points[, 1], t$x[, 1])
  expect_length(rows, 8)
  for (j in seq_along(rows)) {
    before <- rows[seq_len(j - 1)]
    best <- max(vapply(setdiff(1:50, before), function(i) F(c(before, i)), 1))
    expect_gte(F(rows[seq_len(j)]), best - 1e-9 * abs(best))
  }
})

test_that("greedy by bound without outputs leaves out their terms, and stops when nothing is gained", {
  chosen <- select_points(select_greedy(8), t2$x, kernel)
  as_model <- model_with(select_greedy(8), noise = 0.3)$update(t2$x, numeric(200))
  expect_identical(chosen$points, as_model$points)
  expect_identical(sort(select_points(select_greedy(5), c(0, 0, 1, 1, 0), kernel_se(1))$points[, 1]), c(0, 1))
  for (noise in c(1e-12, 1e12)) {
    gp <- model_with(select_greedy(20), noise = noise)
    for (rows in list(1:5, 6:100)) gp$update(t2$x[rows, ], t2$y[rows])
    expect_equal(gp$size, 20)
  }
})

test_that("greedy choice from a batch of more rows than are tried", {
  x <- matrix(toy(3000)$x)
  for (criterion in c("bound", "variance")) {
    chosen <- select_points(select_greedy(10, criterion), x, kernel_se(1, 1))
    expect_equal(anyDuplicated(chosen$index), 0)
    expect_identical(chosen$points, x[chosen$index, , drop = FALSE])
    expect_lt(mean(residual(kernel_se(1, 1), chosen$points, x)), 0.2)
  }
  expect_equal(nrow(select_points(select_greedy(250), x, kernel_matern12(1))$points), 250) # all that were asked for
})

# --- grid ----------------------------------------------------------------------------------------------------------------------

test_that("the grid spans the stream exactly, and follows it", {
  Z <- select_points(select_grid(30), t2$x, kernel)$points
  axes <- apply(t2$x, 2, function(column) seq(min(column), max(column), length.out = 5))
  expected <- as.matrix(expand.grid(axes[, 1], axes[, 2]))
  by_place <- function(points) points[order(points[, 2], points[, 1]), ]
  expect_equal(by_place(Z), unname(expected), tolerance = 1e-14)
  expect_identical(apply(Z, 2, range), apply(t2$x, 2, range))
  gp <- model_with(select_grid(30))
  for (i in seq(1, 200, by = 20)) {
    gp$update(t2$x[i + 0:19, ], t2$y[i + 0:19])
    expect_equal(gp$size, 25)
    expect_identical(apply(gp$points, 2, range), apply(t2$x[1:(i + 19), ], 2, range))
  }
  expect_identical(gp$points, Z)
  settled <- gp$points
  gp$update(t2$x[1:9, ], t2$y[1:9])
  expect_identical(gp$points, settled)
})

test_that("a model whose grid has moved predicts as one that had the last grid from the start", {
  x <- 10 * toy(300)$x / max(toy(300)$x)
  x <- x[order(abs(x - 5))] # the grid widens with almost every batch
  y <- sin(x)
  moving <- stream(model_with(select_grid(20), k = kernel_se(1, 1), lookback = Inf), x, y, 30)
  expect_posterior(moving, batch_posterior(kernel_se(1, 1), moving$points, x, y, 0.1, 0:10), 0:10, 1e-8)
  forgetful <- stream(model_with(select_grid(20), k = kernel_se(1, 1), lookback = 0), x, y, 30)
  expect_lt(sqrt(mean((predict(forgetful, x) - y)^2)), 0.1)
})

test_that("a grid needs two points a column, but a column that has not varied has one", {
  for (m in c(1, 7)) {
    gp <- model_with(select_grid(m), k = kernel_se(1, 1))
    expect_refused(gp, gp$update(toy(9, 3)$x, toy(9, 3)$y), "parameter", "`m` must be at least 2\\^3 for a grid over 3 columns")
  }
  expect_error(select_points(select_grid(1), 1:3, kernel_se(1)), "2\\^1 for a grid over 1 column\\.", class = "gpstream_error_parameter")
  expect_identical(select_points(select_grid(2), 1:9, kernel_se(1))$points, matrix(c(1, 9)))
  expect_equal(nrow(select_points(select_grid(27), toy(9, 3)$x, kernel_se(1))$points), 27)
  expect_equal(nrow(select_points(select_grid(26), toy(9, 3)$x, kernel_se(1))$points), 8)
  gp <- suppressWarnings(model_with(select_grid(9))$update(cbind(1:5, 2), 1:5))
  expect_identical(gp$points, cbind(c(1, 5, 3), 2))
  gp$update(cbind(2:3, c(2, 4)), 1:2)
  expect_equal(gp$size, 9)
  expect_identical(apply(gp$points, 2, range), cbind(c(1, 5), c(2, 4)))
})

test_that("an update that fails leaves a model on a grid as it was", {
  gp <- model_with(select_grid(9))$update(t2$x, t2$y)
  expect_refused(gp, gp$update(rbind(c(50, NA)), 1), "nonfinite", "`x` has NA")
  expect_refused(gp, gp$update(rbind(c(50, 50)), 1e200), "input", "`y` has values as large")
})

# --- k-means -------------------------------------------------------------------------------------------------------------------

within_ss <- function(x, centres) {
  sum(apply(x, 1, function(row) min(colSums((t(centres) - row)^2))))
}

test_that("select_kmeans: centres within the bounds, closer to the rows than random rows are", {
  set.seed(1)
  for (m in c(1, 2, 15)) {
    chosen <- select_points(select_kmeans(m), t2$x, kernel)
    expect_equal(dim(chosen$points), c(m, 2))
    expect_identical(chosen$index, rep(NA_integer_, m))
    for (j in 1:2) expect_true(all(chosen$points[, j] >= min(t2$x[, j]) & chosen$points[, j] <= max(t2$x[, j])))
    random <- replicate(10, within_ss(t2$x, select_points(select_random(m), t2$x, kernel)$points))
    expect_lt(within_ss(t2$x, chosen$points), min(random))
  }
  expect_close(select_points(select_kmeans(1), t2$x, kernel)$points[1, ], colMeans(t2$x), 1e-14)
})

test_that("select_kmeans: no more centres than distinct rows, whatever the scale", {
  set.seed(1)
  for (scale in c(1, 1e-300, 1e300)) {
    x <- scale * c(3, 1, 1, 2, 3)
    chosen <- select_points(select_kmeans(3), x, kernel_se(scale))
    expect_setequal(chosen$points, scale * 1:3)
    expect_identical(x[chosen$index], chosen$points[, 1])
    expect_setequal(select_points(select_kmeans(9), x, kernel_se(scale))$points, scale * 1:3)
    two <- sort(select_points(select_kmeans(2), scale * c(1, 1.1, 5, 5.1), kernel_se(scale))$points)
    expect_equal(two / scale, c(1.05, 5.05))
  }
  expect_identical(select_points(select_kmeans(2), c(0, 0), kernel_se(1))$points, matrix(0))
})

# --- random --------------------------------------------------------------------------------------------------------------------

test_that("select_random: rows of x, each as often as any other", {
  set.seed(1)
  counts <- tabulate(unlist(replicate(2000, select_points(select_random(3), 1:10, kernel_se(1))$index)), 10)
  expect_equal(sum(counts), 6000)
  expect_gt(chisq.test(counts)$p.value, 1e-3)
  expect_identical(select_points(select_random(20), 1:10, kernel_se(1))$index, 1:10)
})

test_that("points that are given are matched by the names of their columns, as rows are", {
  data <- toy(40, 2)
  frame <- data.frame(lon = data$x[, 1], lat = data$x[, 2], y = data$y)
  Z <- unique(round(as.matrix(frame[seq(1, 40, 4), c("lon", "lat")]), 2))
  make <- function(Z, formula = y ~ lon + lat) streaming_gp(formula, kernel = kernel_se(c(1, 3), 1), noise = 0.01, mean = 0, optimize = "none", select = select_fixed(Z))
  same <- make(unname(Z))$update(frame)
  for (moved in list(Z, Z[, 2:1], as.data.frame(Z)[2:1], data.frame(id = 1, Z[, 2:1]))) {
    gp <- make(moved)$update(frame)
    expect_identical(unname(gp$points), unname(same$points))
    expect_identical(predict(gp, frame), predict(same, frame))
    expect_identical(unname(make(moved, NULL)$update(frame[c("lon", "lat")], frame$y)$points), unname(Z))
    expect_equal(predict(make(moved), frame), numeric(40))
    expect_identical(unname(fit_shards(make(moved), list(frame[1:20, ], frame[21:40, 3:1]))$points), unname(Z))
  }
  expect_identical(unname(make(`colnames<-`(Z, c("Var1", "Var2")))$update(frame)$points), unname(Z))
  gp <- make(`colnames<-`(Z, c("lon", "north")))
  expect_refused(gp, gp$update(frame), "dimension", "must have the columns `lon`, `lat`, not `lon`, `north`")
  file <- tempfile(fileext = ".gps")
  consume(make(Z[, 2:1]), frame[1:20, ], batch_size = 10, checkpoint = file)
  gp <- consume(make(Z[, 2:1]), frame, batch_size = 10, checkpoint = file, resume = TRUE)
  expect_equal(gp$nobs, 40)
  expect_identical(unname(gp$points), unname(Z))
  expect_identical(select_points(select_fixed(Z[, 2:1]), as.matrix(frame[1:2]), kernel_se(1))$points, select_points(select_fixed(unname(Z)), as.matrix(frame[1:2]), kernel_se(1))$points)
})

test_that("select_greedy() chooses the same rows for a response in other units, or with the classes turned", {
  rows <- toy(60)
  chosen <- function(y, likelihood) {
    gp <- streaming_gp(likelihood = likelihood, kernel = kernel_se(1, 1), mean = "constant", optimize = "none", select = select_greedy(8))
    gp$update(rows$x, y)
    gp$points
  }
  y <- exp(rows$y)
  expect_identical(chosen(1000 * y, likelihood_gamma(2)), chosen(y, likelihood_gamma(2)))
  expect_identical(chosen(rows$y < 0, likelihood_bernoulli()), chosen(rows$y >= 0, likelihood_bernoulli()))
})
