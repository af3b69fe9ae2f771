# A long stream: Rscript bench/soak.R [--quick]
# 1e6 rows in batches of 1000 (quick: 5e4), OIPS saturated early. Memory and time per batch must not depend on
# how much has gone by: resident memory may grow by 2 MB from row 1e5 on, the last tenth of the batches may
# take 1.1 times as long as the first. Exit status 1 otherwise (not judged with --quick: too short).
library(gpstream)

quick <- "--quick" %in% commandArgs(TRUE)
rows <- if (quick) 5e4 else 1e6
size <- 1000
early <- rows / 10

# Resident memory in MB, after a collection; NA where the system does not tell.
resident <- function() {
  gc()
  status <- tryCatch(readLines("/proc/self/status"), error = function(e) "", warning = function(w) "")
  kb <- sub("^VmRSS:\\s*([0-9]+) kB$", "\\1", grep("^VmRSS:", status, value = TRUE))
  if (length(kb)) as.numeric(kb) / 1024 else NA
}

set.seed(1)
gp <- streaming_gp(kernel = kernel_se(lengthscale = 0.15, variance = 1), noise = 0.01, mean = "zero",
                   select = select_oips(rho = 0.8), optimize = "none")
draw <- function(n) {
  x <- matrix(runif(2 * n), ncol = 2)
  list(x = x, y = sin(6 * x[, 1]) * cos(4 * x[, 2]) + rnorm(n, sd = 0.1))
}

batches <- rows / size
took <- numeric(batches)
memory <- numeric()
cat(sprintf("%9s %6s %10s %12s\n", "rows", "M", "RSS, MB", "ms/batch"))
for (i in seq_len(batches)) {
  now <- draw(size)
  start <- as.numeric(Sys.time()) # microseconds; proc.time() ticks in milliseconds
  gp$update(now$x, now$y)
  took[i] <- as.numeric(Sys.time()) - start
  if (i %% (batches / 10) == 0) {
    memory <- c(memory, resident())
    cat(sprintf("%9.0f %6d %10.1f %12.2f\n", i * size, gp$size, tail(memory, 1),
          1000 * median(took[seq(to = i, length.out = batches / 10)])))
  }
}

tenth <- seq_len(batches / 10)
ratio <- median(took[batches + 1 - tenth]) / median(took[tenth])
growth <- tail(memory, 1) - memory[1]
truth <- draw(1000)
error <- sqrt(mean((predict(gp, truth$x) - sin(6 * truth$x[, 1]) * cos(4 * truth$x[, 2]))^2))
cat(sprintf("\nRMSE against the true function: %.4f (noise 0.1)\n", error))
cat(sprintf("RSS growth from row %.0f to %.0f: %.2f MB; time per batch, last/first tenth: %.2f\n", early, rows, growth, ratio))
if (!quick && (isTRUE(growth > 2) || ratio > 1.1)) quit(status = 1)
