# gp$unlearn(): rows are taken out again. [derivation 18]

at <- seq(-1, 11, length.out = 40)
rows <- toy(1000)
fed <- function(gp, which, by = 70) {
  for (i in split(which, ceiling(seq_along(which) / by))) gp$update(rows$x[i, , drop = FALSE], rows$y[i])
  gp
}
fixed_gp <- function(...) {
  streaming_gp(kernel = kernel_se(1, 1), noise = 0.01, optimize = "none", mean = 0, select = select_fixed(matrix(seq(0, 10, 0.8))), ...)
}
says <- function(gp) c(predict(gp, at, se.fit = TRUE)[c("fit", "se.fit")], gp$objective, gp$nobs)
left <- function(i, n = 1000, lookback = 100) ifelse(i + lookback <= n, i + lookback, NA)

test_that("learn 1000 rows, unlearn 100 of them = never seen (1e-8), open and settled rows", {
  gone <- seq(4, 1000, by = 10)
  never <- fed(fixed_gp(), setdiff(1:1000, gone))
  gp <- fed(fixed_gp(), 1:1000)
  expect_identical(gp$unlearn(rows$x[gone, ], rows$y[gone], left(gone)), gp)
  expect_equal(says(gp), says(never), tolerance = 1e-8)
  one_by_one <- fed(fixed_gp(), 1:1000)
  for (i in gone) one_by_one$unlearn(rows$x[i], rows$y[i], if (is.na(left(i))) NULL else left(i))
  expect_equal(says(one_by_one), says(never), tolerance = 1e-8)
  # certificate and history tell
  expect_equal(c(gp$nobs, gp$unlearned), c(900, 100))
  certificate <- gp$certificate()
  expect_equal(c(certificate$nobs, certificate$rows, certificate$unlearned), c(900, 900, 100))
  expect_equal(certificate$kl, never$certificate()$kl, tolerance = 1e-6)
  expect_output(print(certificate), "100 rows unlearned")
  expect_output(print(gp), "100 rows unlearned")
  expect_equal(sum(gp$history$unlearned), 100)
  expect_equal(sum(gp$history$rows), 1000)
  expect_equal(gp$history$nobs[nrow(gp$history)], 900)
  # and the stream goes on
  more <- toy(200, from = 2000)
  expect_equal(says(gp$update(more$x, more$y)), says(never$update(more$x, more$y)), tolerance = 1e-8)
  expect_equal(sum(gp$history$rows), 1200)
})

test_that("unlearn: rows that left before points joined, in a trend, with weights, by formula", {
  data <- data.frame(a = rows$x[1:300, 1], y = rows$y[1:300], w = 1 + (1:300) %% 3)
  gone <- c(1, 17, 150, 289, 295)
  make <- function() {
    streaming_gp(y ~ a, kernel = kernel_se(1, 1), noise = 0.01, mean = "linear", optimize = "none", select = select_oips(0.8),
      lookback = 20, weights = "w")
  }
  gp <- make()
  for (i in split(1:300, (1:300) %/% 23)) gp$update(data[i, ])
  # Evidence of every row, with the points there were when it left: by hand from the state
  core <- as.list(gp)$core
  gp$unlearn(data[gone, ], at = left(gone, 300, 20))
  after <- as.list(gp)$core
  settled <- gone[gone <= 280]
  K <- function(x, z) exp(-outer(x, z, "-")^2)
  W <- forwardsolve(core$L, K(core$Z[, 1], data$a[settled]))
  for (j in seq_along(settled)) W[core$joined >= left(settled[j], 300, 20), j] <- 0
  Om <- diag(data$w[settled])
  expect_equal(after$b, core$b - drop(W %*% (data$w[settled] * (data$y[settled] - core$offset))), tolerance = 1e-9)
  P <- core$P + t(core$P) - diag(diag(core$P)) - W %*% Om %*% t(W)
  expect_equal(after$P[lower.tri(P, TRUE)], P[lower.tri(P, TRUE)], tolerance = 1e-9)
  expect_equal(after$n, core$n - length(settled))
  expect_equal(nrow(after$window_x), nrow(core$window_x) - 2)
})

test_that("unlearn: a refused call leaves the model as it was, and says why", {
  gp <- fed(fixed_gp(lookback = 30), 1:200)
  x <- rows$x
  y <- rows$y
  expect_refused(gp, gp$unlearn(x[5], y[5]), "unlearn", "not in the look-back.*`at`")
  expect_refused(gp, gp$unlearn(x[180], y[181]), "unlearn", "not in the look-back")
  expect_refused(gp, gp$unlearn(x[c(190, 5), ], y[c(190, 5)]), "unlearn", "row 2 is not in the look-back")
  expect_refused(gp, gp$unlearn(x[c(5, 5), ], y[c(5, 5)], c(35, 35)), "unlearn", "row 2 was unlearned before")
  expect_refused(gp, gp$unlearn(x[5], y[5], 201), "input", "at most 200")
  expect_refused(gp, gp$unlearn(x[5], y[5], 20), "input", "none had left")
  expect_refused(gp, gp$unlearn(x[5], 400, 35), "unlearn", "not possible")
  expect_refused(gp, gp$unlearn(x[5], y[5], "a"), "type", "`at`")
  expect_refused(gp, gp$unlearn(x[5], y[5], 3.5), "parameter", "`at`")
  expect_refused(gp, gp$unlearn(x[5], y[5], 1:2), "dimension", "`at` has 2 values for 1 row")
  expect_refused(gp, gp$unlearn(NA, 1), "nonfinite", "`x`")
  expect_identical(gp$unlearn(numeric(), numeric()), gp)
  expect_error(fixed_gp()$unlearn(1, 1), "seen no data", class = "gpstream_error_input")
  # a row that was unlearned before, settled and open
  gp$unlearn(x[5], y[5], 35)
  expect_refused(gp, gp$unlearn(x[5], y[5], 35), "unlearn", "unlearned before")
  gp$unlearn(x[190], y[190])
  expect_refused(gp, gp$unlearn(x[190], y[190]), "unlearn", "not in the look-back")
})

test_that("unlearn: refused where points were moved or the kernel changed, not where points were only added", {
  make <- function() fed(toy_gp(0, select = select_oips(0.8), lookback = 30), 1:200)
  gp <- make()
  gp$points <- gp$points[-2, , drop = FALSE]
  expect_refused(gp, gp$unlearn(rows$x[5], rows$y[5], 35), "unlearn", "moved or removed")
  gp$unlearn(rows$x[190], rows$y[190]) # the look-back is as good as ever
  gp <- make()
  gp$kernel <- kernel_matern52(1, 1)
  expect_refused(gp, gp$unlearn(rows$x[5], rows$y[5], 35), "unlearn", "kernel was changed")
  fed(gp, 201:300)$unlearn(rows$x[200], rows$y[200], 230) # left since then
  gp <- make()
  gp$points <- rbind(gp$points, 14)
  gp$kernel <- kernel_se(1, 3) # another variance only
  gp$unlearn(rows$x[5], rows$y[5], 35)
  expect_equal(gp$unlearned, 1)
})

test_that("unlearn: a model that goes on learning forgets the row in its memory, too", {
  gp <- fed(streaming_gp(), 1:120, by = 40)
  n <- length(gp$memory$y)
  before <- predict(gp, at)
  gp$unlearn(rows$x[110], rows$y[110])
  expect_equal(length(gp$memory$y), n - 1)
  expect_false(rows$y[110] %in% gp$memory$y)
  expect_equal(c(gp$restarts$rivals, gp$nobs, gp$unlearned), c(0, 119, 1))
  expect_false(identical(predict(gp, at), before))
  fed(gp, 121:400)
  expect_equal(c(gp$nobs, gp$unlearned), c(399, 1))
  # of rows before it was made anew the model knows only some, and not which
  short <- fed(streaming_gp(lookback = 20), 1:80, by = 40)
  expect_refused(short, short$unlearn(rows$x[5], rows$y[5], 25), "unlearn", "made anew")
  short$unlearn(rows$x[40], rows$y[40], 60)
  expect_equal(short$unlearned, 1)
  # while a model warms up every row is in the look-back
  warm <- fed(streaming_gp(optimize = "warmup", warmup = 100), 1:60)
  warm$unlearn(rows$x[3], rows$y[3])
  fed(warm, 61:150)
  expect_equal(c(warm$nobs, warm$unlearned, warm$certificate()$rows), c(149, 1, 149))
})

test_that("unlearn: rows of an earlier format that had left cannot be found, later ones can", {
  gp <- fed(toy_gp(0, select = select_oips(0.8), lookback = 30), 1:200)
  older <- as.list(gp)
  older$format <- older$core$format <- 6
  older$core[c("traces", "joined", "lost_rows", "taken", "unlearned", "shard")] <- NULL
  older$core$history <- older$core$history[, 1:10]
  older$core$history_now <- older$core$history_now[1:10]
  old <- streaming_gp_restore(older)
  expect_identical(predict(old, at), predict(gp, at))
  expect_identical(old$history, gp$history)
  expect_refused(old, old$unlearn(rows$x[5], rows$y[5], 35), "unlearn", "earlier version")
  fed(old, 201:260)$unlearn(rows$x[190], rows$y[190], 220)
  expect_equal(old$unlearned, 1)
})

test_that("save, copy and resume after unlearning are identical()", {
  gone <- c(5, 60, 195)
  gp <- fed(toy_gp(0, select = select_oips(0.8), lookback = 30), 1:200)$unlearn(rows$x[gone, ], rows$y[gone], left(gone, 200, 30))
  file <- tempfile(fileext = ".gps")
  on.exit(unlink(file))
  save_gp(gp, file)
  twins <- list(load_gp(file), gp$copy(), streaming_gp_restore(as.list(gp)), unserialize(serialize(gp, NULL)))
  go_on <- function(one) fed(one, 201:260)$unlearn(rows$x[c(100, 250), ], rows$y[c(100, 250)], c(130, NA))
  go_on(gp)
  for (twin in twins) {
    expect_refused(twin, twin$unlearn(rows$x[5], rows$y[5], 35), "unlearn", "unlearned before")
    expect_identical(as.list(go_on(twin))$core, as.list(gp)$core)
  }
})

test_that("`at` may be NA throughout", {
  gp <- toy_gp(40, select = select_fixed(1:9))
  other <- gp$copy()
  rows <- toy(40)
  gp$unlearn(rows$x[1:3, , drop = FALSE], rows$y[1:3], at = rep(NA, 3))
  other$unlearn(rows$x[1:3, , drop = FALSE], rows$y[1:3])
  expect_identical(as.list(gp), as.list(other))
})
