# Functions that change:
#   Rscript bench/forgetting.R [--quick] [--kinds=still,slow,mid,fast,jump] [--seeds=41,42,43] [--out=FILE]
# A function of x in [0, 10], lengthscale 1, noise 0.2, 6000 rows in random places, turns into another one: never
# (still), with a correlation time of 5000, 1500 or 400 rows (slow, mid, fast), or at once in the middle (jump).
# Batches of 20 are predicted, then learned; error, share inside 95 % intervals and CPU seconds, after the first
# 400 rows, of the default call with half_life = "auto" and without, of a given kernel with "auto", and, the error
# only, of exact windows of 30, 50, 100 and 300 rows that know the kernel and the noise, the best in hindsight.
# Public interface only; needs gpstream installed. A whole run writes inst/extdata/forgetting.csv.
suppressMessages(library(gpstream))

here <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
here <- dirname(gsub("~+~", " ", here, fixed = TRUE))
source(file.path(here, "real", "options.R"))
known_options("quick", c("kinds", "seeds", "out"))
quick <- "--quick" %in% arguments
kinds <- values("kinds", c("still", "slow", "mid", "fast", "jump"))
seeds <- as.numeric(values("seeds", if (quick) "41" else c("41", "42", "43")))
n <- if (quick) 1500 else 6000

se <- function(x, z) exp(-outer(x, z, "-")^2)
at <- seq(0, 10, length.out = 501)
root <- t(chol(se(at, at) + 1e-8 * diag(501)))
random_function <- function() as.vector(root %*% stats::rnorm(501)) # on the grid
times <- c(slow = 5000, mid = 1500, fast = 400)

# The function at each row: a walk from function to function, of unit variance at all times.
changing <- function(kind) {
  cell <- sample.int(501, n, TRUE)
  if (kind == "still") return(list(x = at[cell], f = random_function()[cell]))
  if (kind == "jump") {
    both <- cbind(random_function(), random_function())
    return(list(x = at[cell], f = both[cbind(cell, 1 + (seq_len(n) > n / 2))]))
  }
  step <- 10 # rows
  keep <- exp(-step / times[[kind]])
  f <- numeric(n)
  now <- random_function()
  for (rows in split(seq_len(n), (seq_len(n) - 1) %/% step)) {
    f[rows] <- now[cell[rows]]
    now <- keep * now + sqrt(1 - keep^2) * random_function()
  }
  list(x = at[cell], f = f)
}

batches <- split(seq_len(n), (seq_len(n) - 1) %/% 20)
scored <- seq_len(n) > 400

foretold <- function(gp, x, y) {
  error <- inside <- numeric(n)
  cpu <- system.time(for (i in batches) {
    if (i[1] > 1) {
      p <- predict(gp, x[i], interval = "prediction")
      error[i] <- y[i] - p[, "fit"]
      inside[i] <- y[i] >= p[, "lwr"] & y[i] <= p[, "upr"]
    }
    gp$update(x[i], y[i])
  })
  c(error = sqrt(mean(error[scored]^2)), inside = mean(inside[scored]), cpu = sum(cpu[1:2]))
}

window_error <- function(x, y, rows) {
  error <- numeric(n)
  for (i in batches[-1]) {
    past <- max(1, i[1] - rows):(i[1] - 1)
    weights <- solve(se(x[past], x[past]) + 0.04 * diag(length(past)), y[past])
    error[i] <- y[i] - se(x[i], x[past]) %*% weights
  }
  sqrt(mean(error[scored]^2))
}

models <- list(
  "default, auto" = function() streaming_gp(half_life = "auto"),
  "default, nothing forgotten" = function() streaming_gp(),
  "kernel given, auto" = function() streaming_gp(kernel = kernel_se(1, 1), half_life = "auto")
)

table <- NULL
for (kind in kinds) for (seed in seeds) {
  set.seed(seed)
  stream <- changing(kind)
  y <- stream$f + stats::rnorm(n, sd = 0.2)
  best <- min(vapply(c(30, 50, 100, 300), window_error, 0, x = stream$x, y = y))
  for (name in names(models)) {
    gp <- models[[name]]()
    found <- foretold(gp, stream$x, y)
    used <- gp$half_life$half_life[gp$half_life$in_use]
    cat(sprintf("%-6s %3.0f %-28s error %.4f (best window %.4f, ratio %.3f) inside %.3f cpu %5.2f half-life %s noise %.3f points %d factor %.2f\n",
      kind, seed, name, found[["error"]], best, found[["error"]] / best, found[["inside"]], found[["cpu"]], used,
      gp$noise, gp$size, gp$calibration$factor[4]))
    table <- rbind(table, data.frame(kind, seed, model = name, error = signif(found[["error"]], 4),
      window = signif(best, 4), inside = signif(found[["inside"]], 4), cpu = signif(found[["cpu"]], 3)))
  }
}
file <- table_file("forgetting.csv", whole = !quick && is.null(value("kinds")) && is.null(value("seeds")))
utils::write.csv(table, file, row.names = FALSE)
cat("written to", file, "\n")
