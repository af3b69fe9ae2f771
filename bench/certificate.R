# Is a certificate ever wrong? Rscript bench/certificate.R [--quick]
# 10,000 random streams (300 with --quick) of every kind: kernels, sums of kernels, selectors, look-backs, batch sizes, ordered or not, with
# repeated rows, points moved or removed on the way, noise from a hundred-millionth of the variance upwards, scale relearned. In each,
#   lower <= bound of the model's posterior <= log evidence <= upper     and     trace(K - Q) <= trace <= trace_bound
# are checked against the data. Writes inst/extdata/certificate.csv, how often each failed and how tight the bracket is, by look-back.
# About 7 minutes on one core; needs gpstream installed. Stops when anything is violated.

local({
  file <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
  setwd(file.path(dirname(gsub("~+~", " ", file, fixed = TRUE)), ".."))
})
library(gpstream)
quick <- "--quick" %in% commandArgs(TRUE)
pick <- function(...) list(...)[[sample(...length(), 1)]]

log_evidence <- function(gp, x, y) {
  C <- chol(kernel_matrix(gp$kernel, x) + diag(gp$noise, length(y)))
  -sum(backsolve(C, y - gp$mean, transpose = TRUE)^2) / 2 - sum(log(diag(C))) - length(y) / 2 * log(2 * pi)
}

# The variational bound at the model's posterior, with all rows under its present points.
bound_of_posterior <- function(gp, x, y) {
  p <- predict(gp, x, se.fit = TRUE)
  core <- as.list(gp)$core
  v <- gp$kernel$variance
  # settled and open rows together
  W <- core$window_w
  P <- core$P + t(core$P) - diag(diag(core$P), nrow(core$P)) + tcrossprod(W)
  b <- core$b + drop(W %*% core$window_y)
  h <- core$H[, 1] + rowSums(W)
  G <- diag(nrow(P)) + v / gp$noise * P
  m <- sqrt(v) / gp$noise * solve(G, b - (core$mean - core$offset) * h)
  kl <- (sum(diag(solve(G))) + sum(m^2) - length(m) + as.numeric(determinant(G)$modulus)) / 2
  -kl - length(y) / 2 * log(2 * pi * gp$noise) - sum((y - p$fit)^2 + p$se.fit^2) / (2 * gp$noise)
}

random_stream <- function() {
  D <- pick(1, 2, 3)
  n <- pick(20, 60, 150)
  x <- matrix(runif(n * D, 0, 3), n)
  if (runif(1) < 0.5) x <- x[order(x[, 1]), , drop = FALSE]
  if (runif(1) < 0.2) x <- x[sample(n, n, TRUE), , drop = FALSE]
  shape <- function() pick(kernel_se, kernel_matern12, kernel_matern32, kernel_matern52, kernel_rq)
  l <- runif(1, 0.3, 2)
  v <- 10^runif(1, -2, 2)
  kernel <- shape()(l, v)
  if (runif(1) < 0.2) kernel <- kernel + shape()(l / 2, v / 3)
  noise <- v * 10^runif(1, -8, 0.5)
  mean <- rnorm(1, sd = 3 * sqrt(v))
  y <- if (runif(1) < 0.6) mean + drop(crossprod(chol(kernel_matrix(kernel, x) + diag(noise + 1e-10 * v, n)), rnorm(n))) else rnorm(n, sd = 2 * sqrt(v))
  select <- pick(select_oips(runif(1, 0.1, 0.7)), select_oips(runif(1, 0.7, 0.999)), select_oips(0.9),
    select_variance(10^runif(1, -6, -0.3)), select_fixed(x[sample(n, 6), , drop = FALSE]), select_grid(2^D + 4))
  list(x = x, y = y, size = pick(1, 10, n), move = pick("no", "no", "no", "shift", "drop"), rescale = runif(1) < 0.3,
    gp = streaming_gp(kernel = kernel, noise = noise, mean = mean, select = select, lookback = pick(0, 10, Inf), optimize = "none"))
}

run_stream <- function(s) {
  gp <- s$gp
  for (rows in split(seq_along(s$y), ceiling(seq_along(s$y) / s$size))) {
    gp$update(s$x[rows, , drop = FALSE], s$y[rows])
    if (s$move == "no" || runif(1) > 0.15) next
    gp$points <- if (s$move == "shift") gp$points + rnorm(length(gp$points), sd = 0.02) else gp$points[sample(gp$size, max(1, gp$size - 2)), , drop = FALSE]
  }
  if (s$rescale) tryCatch(gp$optimize(), gpstream_error = function(e) NULL)
  gp
}

checked <- function(gp, s) {
  sure <- gp$certificate()
  exact <- log_evidence(gp, s$x, s$y)
  elbo <- bound_of_posterior(gp, s$x, s$y)
  v <- gp$kernel$variance
  n <- length(s$y)
  # what the references themselves are off by: the condition number of K + noise I times the last digit
  off <- (1e-9 + 1e-16 * n * v / gp$noise) * (1 + abs(exact) + abs(elbo))
  trace <- nystrom_error(gp$kernel, s$x, gp$points)
  data.frame(
    lookback = as.list(gp)$core$lookback, moved = sure$moves > 0, kl_row = sure$kl / n, told = sure$gamma <= 0.2,
    lower = sure$lower > elbo + off, elbo = elbo > exact + off, upper = exact > sure$upper + off,
    trace = trace > sure$trace + 1e-9 * n * v, trace_bound = isTRUE(sure$trace > sure$trace_bound + 1e-9 * n * v)
  )
}

set.seed(2026)
cases <- if (quick) 300 else 10000
results <- do.call(rbind, lapply(seq_len(cases), function(i) {
  s <- random_stream()
  checked(suppressWarnings(run_stream(s)), s)
}))
checks <- c("lower", "elbo", "upper", "trace", "trace_bound")
table <- do.call(rbind, lapply(split(results, list(results$lookback, results$moved)), function(some) data.frame(
  lookback = some$lookback[1], moved = some$moved[1], cases = nrow(some), violations = sum(some[checks]),
  kl_row_10 = signif(quantile(some$kl_row, 0.1), 3), kl_row_50 = signif(median(some$kl_row), 3), pointwise = round(mean(some$told), 3)
)))
print(table, row.names = FALSE)
if (any(results[checks])) stop("violated: ", paste(checks[colSums(results[checks]) > 0], collapse = ", "))
if (!quick) write.csv(table, "inst/extdata/certificate.csv", row.names = FALSE, quote = FALSE)
