# The numbers of the vignette "theorem-1": Rscript bench/theorem-1.R [--quick]
# Counts the points that OIPS keeps of simulated streams and compares with bound_points(). Writes inst/extdata/theorem-1-*.csv; with
# --quick, a few seconds of the same that write nothing. One process, some ten minutes; needs gpstream installed.
# Exit status 1 if a bound that is proved was exceeded.
library(gpstream)

local({
  file <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
  if (length(file) == 1) setwd(file.path(dirname(gsub("~+~", " ", file, fixed = TRUE)), ".."))
})
quick <- "--quick" %in% commandArgs(TRUE)

store <- function(name, table) {
  numbers <- vapply(table, is.double, TRUE)
  table[numbers] <- lapply(table[numbers], signif, 6)
  cat("\n", name, "\n", sep = "")
  print(if (nrow(table) > 40) utils::head(table, 10) else table, row.names = FALSE)
  if (!quick) write.csv(table, sprintf("inst/extdata/theorem-1-%s.csv", name), row.names = FALSE, quote = FALSE)
}

# ---- streams and counts ---------------------------------------------------------------------------------------------------

uniform_rows <- function(n, side) matrix(runif(n * length(side), 0, rep(side, each = n)), n)

# How many points OIPS keeps of the first n rows.
kept <- function(x, kernel, rho, n = nrow(x)) {
  index <- select_points(select_oips(rho, max_points = Inf), x, kernel)$index
  vapply(n, function(n) sum(index <= n), 0)
}

# One row for each repetition, one column for each n.
simulated <- function(reps, n, side, kernel, rho) {
  matrix(replicate(reps, kept(uniform_rows(max(n), side), kernel, rho, n)), reps, byrow = TRUE)
}

# Standard errors by which the means of counts exceed a bound, were it their mean: counts of which the mean has the fraction f have a variance
# of at least f (1 - f), which a few repetitions need not show.
excess <- function(counts, bound) {
  f <- bound - floor(bound)
  (colMeans(counts) - bound - 1e-9) / sqrt(pmax(apply(counts, 2, var), f * (1 - f), 1e-12) / nrow(counts))
}

# ---- random settings ------------------------------------------------------------------------------------------------------

makers <- list(kernel_se, kernel_matern12, kernel_matern32, kernel_matern52, kernel_rq)

# D from 1 to 10, sides 0.1 to 10, rho 0.1 to 0.99; every kernel, one lengthscale or one per column, sums and products. In half of the
# cases the lengthscales are such that a side has a few radii, so that there is something to count.
random_setting <- function(D) {
  side <- exp(runif(D, log(0.1), log(10)))
  rho <- runif(1, 0.1, 0.99)
  one <- function() {
    make <- makers[[sample(length(makers), 1)]]
    scale <- if (runif(1) < 0.5) exp(runif(1, log(0.05), log(5))) else side / runif(D, 0.5, if (D < 4) 8 else 3) / kernel_radius(make(1), rho)
    if (runif(1) < 0.3) scale <- scale[1]
    make(scale, variance = exp(runif(1, -2, 2)))
  }
  kernel <- if (runif(1) < 0.8) one() else if (runif(1) < 0.5) one() + one() else one() * one()
  list(D = D, side = side, rho = rho, kernel = kernel, radii = rep_len(kernel_radius(kernel, rho), D))
}

# Rows that are packed as densely as the rule admits, or nearly: a grid, or the checkerboard lattice, with distances just above the radius.
lattice_rows <- function(s, checkerboard, most) {
  step <- s$radii * (1 + 1e-9) / if (checkerboard) sqrt(2) else 1
  ends <- floor(pmin(s$side / step, 1e3))
  while (prod(ends + 1) > most) ends <- pmin(ends, max(ends) - 1)
  corners <- as.matrix(expand.grid(lapply(ends, function(end) 0:end)))
  if (checkerboard) corners <- corners[rowSums(corners) %% 2 == 0, , drop = FALSE]
  unname(corners) %*% diag(step, length(step))
}

kinds <- list(
  uniform = function(s, n) uniform_rows(n, s$side),
  clustered = function(s, n) {
    centre <- uniform_rows(5, s$side)[sample(5, n, replace = TRUE), , drop = FALSE]
    near <- centre + matrix(rnorm(n * s$D, 0, rep(0.1 * s$side, each = n)), n)
    pmin(pmax(near, 0), rep(s$side, each = n))
  },
  sorted = function(s, n) {
    x <- uniform_rows(n, s$side)
    x[order(x[, 1]), , drop = FALSE]
  },
  "corners first" = function(s, n) {
    x <- uniform_rows(n, rep(1, s$D))
    x[seq_len(n %/% 2), ] <- round(x[seq_len(n %/% 2), ])
    x %*% diag(s$side, s$D)
  },
  grid = function(s, n) lattice_rows(s, FALSE, 2000),
  checkerboard = function(s, n) lattice_rows(s, TRUE, 4000)
)

# ---- the bounds that are proved: no violation -----------------------------------------------------------------------------

any_data <- function(cases) {
  set.seed(1)
  one <- function(i) {
    s <- random_setting(1 + i %% 10)
    kind <- names(kinds)[1 + (i %/% 10) %% length(kinds)]
    x <- kinds[[kind]](s, sample(20:400, 1))
    data.frame(kind, D = s$D, n = nrow(x), M = kept(x, s$kernel, s$rho), bound = bound_points(Inf, s$kernel, s$rho, s$side, type = "packing"))
  }
  all <- do.call(rbind, lapply(seq_len(cases), one))
  # of interest are those with more than one point and long enough to fill a good part of the box
  do.call(rbind, lapply(split(all, factor(all$kind, names(kinds))), function(part) {
    part$most <- floor(part$bound + 1e-9)
    filled <- with(part, M > 1 & most <= 5 * n)
    with(part, data.frame(
      rows = kind[1], cases = length(M), violations = sum(M > most), filled = sum(filled), attained = sum((M == most)[filled]),
      median_share = median((M / most)[filled]), largest_M = max(M)
    ))
  }))
}

# Where the first look, at 20 streams, is beyond three standard errors, 1000 more decide: a violation is a mean beyond four.
uniform_data <- function(cases) {
  set.seed(2)
  one <- function(i) {
    s <- random_setting(1 + i %% 10)
    n <- c(3, 20, 100)
    beyond <- function(reps) {
      counts <- simulated(reps, n, s$side, s$kernel, s$rho)
      bound <- function(type) bound_points(n, s$kernel, s$rho, s$side, type = type)
      rbind(excess(counts, bound("expected")), excess(-counts, -bound("lower")))
    }
    z <- beyond(20)
    again <- if (any(z > 3)) beyond(1000) else matrix(NA, 2, length(n))
    data.frame(D = s$D, bound = rep(c("expected", "lower"), length(n)), first = c(z), again = c(ifelse(z > 3, again, NA)))
  }
  all <- do.call(rbind, lapply(seq_len(cases), one))
  do.call(rbind, lapply(split(all, all$bound), function(part) {
    with(part, data.frame(
      bound = bound[1], cases, means = length(first), largest = max(first), beyond_3 = sum(first > 3), by_chance = length(first) * pt(-3, 19),
      largest_again = max(-Inf, again, na.rm = TRUE), violations = sum(again > 4, na.rm = TRUE)
    ))
  }))
}

# ---- Theorem 1 as printed -------------------------------------------------------------------------------------------------

types <- c("paper", "lower", "expected", "packing")
setting_row <- function(D, l, rho, side, n, reps) {
  kernel <- kernel_se(l)
  counts <- simulated(reps, n, rep(side, D), kernel, rho)
  bounds <- sapply(types, function(type) bound_points(n, kernel, rho, side, D, type))
  data.frame(
    D, l, rho, side, n, reps, mean = colMeans(counts), se = if (reps > 1) apply(counts, 2, sd) / sqrt(reps) else NA_real_,
    fewest = apply(counts, 2, min), matrix(bounds, length(n), dimnames = list(NULL, types))
  )
}

# The settings of the audit, and sides other than 1. A long stream on four columns takes most of the time.
printed <- function() {
  set.seed(3)
  settings <- read.table(header = TRUE, text = "
    D l rho side n reps
    1 0.1 0.7 1 1000 200
    1 0.3 0.9 1 1000 200
    2 0.1 0.7 1 10000 40
    2 0.3 0.7 1 10000 40
    2 0.8 0.3 1 1000 200
    3 0.3 0.7 1 10000 20
    3 0.5 0.25 1 10000 60
    3 0.6 0.3 1 10000 60
    4 0.3 0.7 1 10000 10
    4 0.3 0.7 1 1000000 2
    4 0.3 0.5 1 100000 6
    4 0.5 0.5 1 10000 40
    5 0.3 0.7 1 100000 2
    5 0.5 0.5 1 10000 20
    6 0.5 0.5 1 10000 20
    7 0.5 0.7 1 100 20
    7 0.5 0.7 1 10000 4
    8 0.5 0.5 1 10000 4
    9 0.5 0.5 1 10000 4
    10 0.5 0.5 1 10000 3
    1 0.1 0.367879441171442 2 10 200
    2 0.2 0.6 0.5 1 20
    2 0.2 0.6 0.5 1000 20
    2 0.3 0.7 2 10000 20
    3 0.3 0.7 1.5 100 20
    3 0.3 0.7 0.5 10000 20
    3 0.6 0.5 1 200000 300")
  if (quick) settings <- settings[settings$n <= 1000, ]
  do.call(rbind, lapply(seq_len(nrow(settings)), function(i) do.call(setting_row, settings[i, ])))
}

# The paper's figure: D = 3, rho = 0.7, l = 0.3.
figure <- function() {
  set.seed(4)
  n <- unique(round(10^seq(0, if (quick) 2 else 4, by = 0.1)))
  counts <- simulated(20, n, rep(1, 3), kernel_se(0.3), 0.7)
  data.frame(n, mean = colMeans(counts), se = apply(counts, 2, sd) / sqrt(20), fewest = apply(counts, 2, min), most = apply(counts, 2, max))
}

sweep_settings <- function() {
  set.seed(5)
  grid <- expand.grid(side = c(0.5, 1, 2), l = c(0.3, 0.5, 0.8), rho = c(0.5, 0.7, 0.9), D = 1:8)
  if (quick) grid <- grid[seq(1, nrow(grid), by = 40), ]
  n <- if (quick) 100 else 10000
  do.call(rbind, lapply(seq_len(nrow(grid)), function(i) with(grid[i, ], setting_row(D, l, rho, side, n, 4))))
}

# One column: the parking law.
line <- function() {
  set.seed(6)
  n <- c(2, 3, 5, 10, 30, 100, 1000)
  do.call(rbind, lapply(c(1.2, 1.5, 2, 3, 5, 10, 20), function(radii) {
    counts <- simulated(if (quick) 20 else 4000, n, radii, kernel_se(1), exp(-1))
    law <- bound_points(n, kernel_se(1), exp(-1), radii, type = "line")
    data.frame(radii, n, mean = colMeans(counts), se = apply(counts, 2, sd) / sqrt(nrow(counts)), law)
  }))
}

timed <- function(name, table) {
  took <- system.time(store(name, table))[["elapsed"]]
  cat(sprintf("(%.0f s)\n", took))
  invisible(table)
}
free <- timed("any-data", any_data(if (quick) 600 else 10000))
means <- timed("uniform-data", uniform_data(if (quick) 60 else 10000))
timed("printed", printed())
timed("figure", figure())
timed("sweep", sweep_settings())
timed("line", line())

wrong <- sum(free$violations, means$violations)
cat(sprintf("\n%d violations of the proved bounds\n", wrong))
quit(status = as.integer(wrong > 0))
