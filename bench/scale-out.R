# One model from many shards: Rscript bench/scale-out.R [--quick] [rows]
# Rows in 16 shards of binary columns, made anew in a temporary directory, read by 1 and by 2 workers in turn; what travels; what a merge
# costs; a worker that is killed. Writes inst/extdata/scale-out.csv, which vignette("scale-out") reads (not with --quick: seconds).
# Needs gpstream installed, two processors with nothing else to do, and 24 bytes of disk a row.
suppressMessages(library(gpstream))
library(parallel)

args <- commandArgs(TRUE)
quick <- "--quick" %in% args
number <- suppressWarnings(as.numeric(args[!startsWith(args, "--")]))
rows <- if (length(number)) number[1] else if (quick) 2e4 else 1e7
shards <- 16
each <- ceiling(rows / shards)
root <- dirname(dirname(normalizePath(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)))))
results <- data.frame(part = character(), case = character(), what = character(), value = numeric())
note <- function(part, case, what, value) {
  results[nrow(results) + 1, ] <<- list(part, case, what, value)
  cat(sprintf("%-10s %-22s %-28s %s\n", part, case, what, format(value, digits = 4)))
}

# ---- shards: three columns of doubles in a file, one block of rows after the other, as in Parquet -----------------
block <- 10000
directory <- tempfile("shards-")
dir.create(directory)
write_shard <- function(i) {
  set.seed(i)
  to <- file(file.path(directory, sprintf("shard-%02d.bin", i)), "wb")
  on.exit(close(to))
  left <- each
  while (left > 0) {
    n <- min(block, left)
    x <- matrix(runif(2 * n), ncol = 2)
    y <- sin(12 * x[, 1]) * cos(9 * x[, 2]) + rnorm(n, sd = 0.1)
    writeBin(as.double(n), to)
    writeBin(c(x, y), to)
    left <- left - n
  }
  to
}
for (i in seq_len(shards)) write_shard(i)
# opened on the worker that reads it
shard_file <- function(file) {
  eval(bquote(function() {
    from <- NULL
    function(reset = FALSE) {
      if (reset) {
        if (!is.null(from)) close(from)
        from <<- file(.(file), "rb")
        return(invisible())
      }
      n <- readBin(from, "double")
      if (length(n) == 0) return(NULL)
      values <- readBin(from, "double", 3 * n)
      list(x = matrix(values[seq_len(2 * n)], n), y = values[-seq_len(2 * n)])
    }
  }), globalenv())
}
sources <- lapply(list.files(directory, full.names = TRUE), shard_file)

# ---- 1 and 2 workers, in turn; the same points for both, and the same result ---------------------------------------
make <- function(...) streaming_gp(kernel = kernel_se(0.09, 1), noise = 0.01, mean = 0, optimize = "none", ...)
clusters <- list("1 worker" = makeCluster(1), "2 workers" = makeCluster(2))
seconds <- list()
answers <- list()
turns <- if (quick) 1 else 2
first <- make()
time <- system.time(consume(first, sources, batch_size = block, cluster = clusters[[2]]))[["elapsed"]]
note("choosing", "2 workers, three passes", "seconds", time)
note("choosing", "2 workers, three passes", "points", first$size)
fixed <- function() make(select = select_fixed(first$points))
for (turn in seq_len(turns)) {
  for (name in names(clusters)) {
    gp <- fixed()
    gp$update(first$points[1:2, ], c(0, 0)) # has a kernel, and so its points
    took <- system.time(consume(gp, sources, batch_size = block, cluster = clusters[[name]]))[["elapsed"]]
    seconds[[name]] <- c(seconds[[name]], took)
    answers[[name]] <- predict(gp, matrix(seq(0, 1, length.out = 40), 20), se.fit = TRUE)
  }
}
for (name in names(clusters)) {
  note("learning", name, "seconds", min(seconds[[name]]))
  note("learning", name, "rows a second", shards * each / min(seconds[[name]]))
}
note("learning", "2 over 1", "throughput", min(seconds[[1]]) / min(seconds[[2]]))
stopifnot(identical(answers[[1]], answers[[2]]))
note("learning", "rows", "all", shards * each)

# ---- a worker is killed ----------------------------------------------------------------------------------------------
gp <- fixed()
gp$update(first$points[1:2, ], c(0, 0))
victim <- clusterCall(clusters[[2]], Sys.getpid)[[1]]
system(sprintf("(sleep %f; kill -9 %d) &", 0.3 * min(seconds[[2]]), victim))
took <- system.time(consume(gp, sources, batch_size = block, cluster = clusters[[2]]))[["elapsed"]]
note("killed", "1 of 2 workers", "seconds", took)
stopifnot(identical(predict(gp, matrix(seq(0, 1, length.out = 40), 20), se.fit = TRUE), answers[[1]]))
for (cluster in clusters) try(stopCluster(cluster), silent = TRUE)
unlink(directory, recursive = TRUE)

# ---- what travels, and what merging costs ----------------------------------------------------------------------------
for (M in if (quick) 100 else c(100, 480, 1000)) {
  set.seed(1)
  gp <- make(select = select_fixed(matrix(runif(2 * M), ncol = 2)))
  gp$update(matrix(runif(400), ncol = 2), rnorm(200))
  parts <- lapply(1:8, function(i) shard(gp)$update(matrix(runif(1000), ncol = 2), rnorm(500)))
  case <- paste(gp$size, "points")
  note("message", case, "bytes", length(serialize(gpstream:::gp_handle(parts[[1]]), NULL)))
  handles <- lapply(parts, function(part) unserialize(serialize(part, NULL)))
  best <- min(replicate(5, system.time(do.call(merge, c(list(gp), handles)))[["elapsed"]]))
  note("merge", case, "seconds for 8 shards", best)
}
if (!quick) write.csv(results, file.path(root, "inst", "extdata", "scale-out.csv"), row.names = FALSE)
