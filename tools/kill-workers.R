# See kill-workers.sh.
library(gpstream)
library(parallel)

arguments <- as.integer(commandArgs(TRUE))
N <- arguments[1]
set.seed(arguments[2])

rows <- function(i, n = 3000) {
  x <- cbind(10 * ((i * n + seq_len(n)) * sqrt(2)) %% 1, 10 * ((i * n + seq_len(n)) * sqrt(3)) %% 1)
  data.frame(y = sin(x[, 1]) + cos(x[, 2]) + 0.1 * sin(37 * seq_len(n)), a = x[, 1], b = x[, 2])
}
sources <- lapply(1:6, rows)
new_model <- function() streaming_gp(y ~ a + b, kernel = kernel_se(2, 1), noise = 0.01, mean = 0, optimize = "none")

# What a model knows but how long it took.
known <- function(gp) {
  core <- as.list(gp)$core
  core$history_now[8:9] <- 0
  core$history[, 8:9] <- 0
  core
}
stop_unless <- function(ok, ...) if (!isTRUE(ok)) stop(..., call. = FALSE)

run <- function(seconds = Inf, both = FALSE) {
  cluster <- makeForkCluster(2)
  # one by one: stopCluster() itself stops at a worker that is dead
  on.exit(for (i in 1:2) {
    suppressWarnings(try(stopCluster(cluster[i]), silent = TRUE))
    try(close(cluster[[i]]$con), silent = TRUE)
  })
  pids <- unlist(clusterCall(cluster, Sys.getpid))
  gp <- new_model()
  if (is.finite(seconds)) {
    mcparallel({
      Sys.sleep(seconds)
      for (pid in if (both) pids else sample(pids, 1)) tools::pskill(pid, tools::SIGKILL)
    }, detached = TRUE)
  }
  result <- tryCatch(consume(gp, sources, cluster = cluster), error = identity)
  if (inherits(result, "error")) {
    stop_unless(inherits(result, "gpstream_error_cluster"), "an error of another class: ", conditionMessage(result))
    stop_unless(gp$nobs == 0, "the model has changed")
    return(list(failed = TRUE, pids = pids))
  }
  list(failed = FALSE, known = known(gp), pids = pids)
}

start <- proc.time()[["elapsed"]]
whole <- run()
length <- proc.time()[["elapsed"]] - start
connections <- nrow(showConnections())
counts <- c(same = 0, failed = 0)
for (i in seq_len(N)) {
  one <- run(stats::runif(1, 0, length), both = i %% 5 == 0)
  if (!one$failed) stop_unless(identical(one$known, whole$known), "kill ", i, ": another model")
  counts[[if (one$failed) "failed" else "same"]] <- counts[[if (one$failed) "failed" else "same"]] + 1
  Sys.sleep(0.1)
  stop_unless(!any(vapply(one$pids, function(pid) file.exists(file.path("/proc", pid, "status")) &&
    !any(grepl("^State:\\s*Z", readLines(file.path("/proc", pid, "status")))), NA)), "kill ", i, ": a worker is left")
  stop_unless(nrow(showConnections()) == connections, "kill ", i, ": a connection is left")
}
cat(N, "kills:", counts[["same"]], "runs gave the same model to the bit,", counts[["failed"]],
  "lost all workers and left the model as it was\n")
