# What an observation costs: Rscript bench/run.R [--quick]
# Against the number of inducing points M, against the length of the stream n, one row at a time and in
# batches of 1000; predictions with and without variance. Public interface only; needs gpstream installed.
# One process, one thread, medians.
library(gpstream)

quick <- "--quick" %in% commandArgs(TRUE)
sizes <- if (quick) c(49, 100, 196) else c(49, 100, 196, 400, 784)
rows <- if (quick) 5e4 else 5e5

clock <- function() as.numeric(Sys.time()) # proc.time() ticks in milliseconds

# Median seconds of one run of `code`, over at least five samples and 0.2 s; a sample is as many runs as take 10 ms.
seconds <- function(code) {
  code <- substitute(code)
  frame <- parent.frame()
  samples <- numeric()
  begin <- clock()
  while (length(samples) < 5 || clock() - begin < 0.2) {
    start <- clock()
    runs <- 0
    while (clock() - start < 0.01) {
      eval(code, frame)
      runs <- runs + 1
    }
    samples <- c(samples, (clock() - start) / runs)
  }
  median(samples)
}

# A square grid of M points, neighbours correlated by exp(-1/2) = 0.61 whatever M is, so that the models
# differ in size only.
model <- function(m, ...) {
  side <- seq(0, 1, length.out = round(sqrt(m)))
  streaming_gp(kernel = kernel_se(lengthscale = sqrt(2) * diff(side[1:2]), variance = 1), noise = 0.01, mean = "zero",
                 select = select_fixed(as.matrix(expand.grid(side, side))), optimize = "none", ...)
}

draw <- function(n) {
  x <- matrix(runif(2 * n), ncol = 2)
  list(x = x, y = sin(6 * x[, 1]) * cos(4 * x[, 2]) + rnorm(n, sd = 0.1))
}

set.seed(1)
batch <- draw(1000)
cat(sprintf("gpstream %s, %s\n\n", packageVersion("gpstream"), R.version.string))

cat("Microseconds per row against M (D = 2, fixed points, look-back 100); x: times the line above.\nrow+pred.: one row absorbed and one predicted with its standard deviation, so that the posterior is always ready\n")
columns <- c("batch1000", "one row", "row+pred.", "mean", "mean+sd")
cat(sprintf("%6s", "M"), sprintf("| %9s %5s", columns, "x"), "\n")
last <- rep(NA, length(columns))
for (m in sizes) {
  gp <- model(m)
  gp$update(batch$x, batch$y)
  one <- list(x = batch$x[1, , drop = FALSE], y = batch$y[1])
  cost <- 1e6 * c(seconds(gp$update(batch$x, batch$y)) / 1000,
          seconds(gp$update(one$x, one$y)),
          seconds({ gp$update(one$x, one$y); predict(gp, one$x, se.fit = TRUE) }),
          seconds(predict(gp, batch$x)) / 1000,
          seconds(predict(gp, batch$x, se.fit = TRUE)) / 1000)
  ratio <- ifelse(is.na(last), "", sprintf("%.1f", cost / last))
  cat(sprintf("%6d", gp$size), sprintf("| %9.2f %5s", cost, ratio), "\n")
  last <- cost
}

# Time of each batch along a stream; flat means last tenth / first tenth = 1.
along <- function(gp, n, size) {
  batches <- n %/% size
  took <- numeric(batches)
  for (i in seq_len(batches)) {
    now <- draw(size)
    start <- clock()
    gp$update(now$x, now$y)
    took[i] <- clock() - start
  }
  tenth <- seq_len(batches %/% 10)
  c(first = median(took[tenth]), last = median(took[batches + 1 - tenth])) / size
}

cat(sprintf("\nMicroseconds per row along a stream of n rows (batch 1000: n = %.0f; one row: n = %.0f)\n", rows, rows / 10))
cat(sprintf("%-28s | %6s %12s %12s %12s\n", "", "M", "first tenth", "last tenth", "last/first"))
report <- function(name, gp, n, size) {
  t <- 1e6 * along(gp, n, size)
  cat(sprintf("%-28s | %6d %12.2f %12.2f %12.2f\n", name, gp$size, t[["first"]], t[["last"]], t[["last"]] / t[["first"]]))
}
oips_model <- function() {
  streaming_gp(kernel = kernel_se(lengthscale = 0.2, variance = 1), noise = 0.01, mean = "zero",
                 select = select_oips(rho = 0.8), optimize = "none")
}
report("fixed points, batch 1000", model(196), rows, 1000)
report("fixed points, one row", model(196), rows / 10, 1)
report("OIPS, batch 1000", oips_model(), rows, 1000)
report("OIPS, one row", oips_model(), rows / 10, 1)
cat("\nOIPS: points join mostly in the first tenth; a join costs more than a row that is only absorbed.\n")

# Learning: one evaluation of the bound and its whole gradient, against absorbing the same rows, which the bound alone costs
# at the least; and what the warm-up takes at the row that ends it.
cat(sprintf("\nOne evaluation of bound and gradient, 1000 rows\n%6s | %12s %12s %8s\n", "M", "absorb, ms", "gradient, ms", "ratio"))
for (m in sizes) {
  gp <- model(m, lookback = 0)
  gp$update(batch$x[1:2, ], batch$y[1:2])
  empty <- gpstream:::core_gp_copy(gp$state$handle)
  F <- gpstream:::core_objective(empty, batch$x, batch$y)
  kernel <- gp$kernel
  Z <- gp$points
  absorb <- seconds(gpstream:::core_gp_absorb(gpstream:::core_gp_copy(empty), batch$x, batch$y))
  gradient <- seconds(gpstream:::core_objective_at(F, kernel, Z, 0.01, 0, FALSE))
  cat(sprintf("%6d | %12.2f %12.2f %8.1f\n", m, 1e3 * absorb, 1e3 * gradient, gradient / absorb))
}
cat(sprintf("\nEnd of the warm-up, 200 rows\n%6s | %8s %6s\n", "D", "seconds", "M"))
for (D in c(1, 2, 5)) {
  x <- matrix(runif(200 * D), ncol = D)
  y <- sin(5 * x[, 1]) + rnorm(200, sd = 0.1)
  took <- system.time(gp <- streaming_gp()$update(x, y))[["elapsed"]]
  cat(sprintf("%6d | %8.2f %6d\n", D, took, gp$size))
}
