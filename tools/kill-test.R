# See kill-test.sh.
library(gpstream)

arguments <- as.integer(commandArgs(TRUE))
N <- arguments[1]
set.seed(arguments[2])

internal <- function(name) get(name, asNamespace("gpstream"))
read_checkpoint <- internal("read_checkpoint")
write_checkpoint <- internal("write_checkpoint")

dir <- tempfile("kill")
dir.create(dir)
file <- file.path(dir, "model.gps")
result <- file.path(dir, "result.gps")

# A stream whose ground widens, so that points join all along; batches of uneven size.
n <- 3000
x <- cbind(10 * (seq_len(n) * sqrt(2)) %% 1, 10 * (seq_len(n) * sqrt(3)) %% 1) * seq(0.3, 1, length.out = n)
y <- sin(x[, 1]) + cos(x[, 2]) + 0.1 * sin(37 * seq_len(n))
rows <- data.frame(y = y, a = x[, 1], b = x[, 2])
new_model <- function() streaming_gp(y ~ a + b, kernel = kernel_se(2), warmup = 100, lookback = 50)

# What a model knows but how long it took.
known <- function(gp) {
  core <- as.list(gp)$core
  core$history_now[8:9] <- 0
  core$history[, 8:9] <- 0
  core
}

stop_unless <- function(ok, ...) if (!isTRUE(ok)) stop(..., call. = FALSE)

# Runs `work` in a process of its own, killed after at most `seconds`. TRUE: it was killed; FALSE: it came to its end.
killed <- function(work, seconds) {
  job <- parallel::mcparallel(work(), silent = TRUE)
  done <- parallel::mccollect(job, wait = FALSE, timeout = stats::runif(1, 0, seconds))
  if (is.null(done)) {
    tools::pskill(job$pid, tools::SIGKILL)
    suppressWarnings(done <- parallel::mccollect(job))
  }
  if (is.null(done[[1]])) return(TRUE)
  stop_unless(!inherits(done[[1]], "try-error"), "the process failed: ", done[[1]])
  FALSE
}

# --- 1. saving -------------------------------------------------------------------------------------------------------------

save_for_ever <- function() {
  was <- if (file.exists(file)) read_checkpoint(file) else list(gp = new_model(), position = list(rows = 0))
  gp <- was$gp
  at <- was$position$rows
  repeat {
    from <- at %% (n - 10) + 1
    gp$update(rows[from:(from + 4), ])
    at <- at + 5
    write_checkpoint(gp, file, list(rows = at))
  }
}

kills <- left <- 0
reached <- 0
started <- proc.time()[[3]]
while (kills < N) {
  stop_unless(killed(save_for_ever, 0.3), "it came to its end")
  kills <- kills + 1
  left <- left + file.exists(paste0(file, ".tmp"))
  stop_unless(all(list.files(dir) %in% c("model.gps", "model.gps.tmp", "model.gps.lock")), "other files: ", list.files(dir))
  if (!file.exists(file)) next # killed before the first save
  now <- read_checkpoint(file)
  stop_unless(now$position$rows >= reached && now$gp$nobs == now$position$rows, "the checkpoint is not the newest")
  reached <- now$position$rows
}
invisible(write_checkpoint(read_checkpoint(file)$gp, file, NULL))
stop_unless(identical(list.files(dir), "model.gps"), "a temporary file was left: ", list.files(dir))
cat(sprintf("saving: %d kills, %d whole checkpoints, %d times a temporary file was left and used up; %d rows; %.0f s\n",
  kills, kills, left, reached, proc.time()[[3]] - started))

# --- 2. consume() ----------------------------------------------------------------------------------------------------------

if (!exists("consume", asNamespace("gpstream"))) quit(status = 0)
unlink(file)
sizes <- c(1, 7, 40, 150) # of batches, in turn for each run
every <- list(0.02, "1 batch", 0, "3 batches")
run <- function(i) {
  gp <- new_model()
  consume(gp, rows, batch_size = sizes[i], checkpoint = file, every = every[[i]], resume = TRUE, progress = FALSE)
  save_gp(gp, result)
  "done"
}
expected <- lapply(sizes, function(size) {
  gp <- new_model()
  suppressMessages(consume(gp, rows, batch_size = size, progress = FALSE))
  known(gp)
})
kills <- ends <- 0
started <- proc.time()[[3]]
i <- 1
time <- 1
while (kills < N || ends < length(sizes)) {
  was_killed <- killed(function() suppressMessages(run(i)), time)
  if (was_killed) {
    kills <- kills + 1
    if (file.exists(file)) read_checkpoint(file, like = new_model())
    time <- time * 1.02
    next
  }
  ends <- ends + 1
  stop_unless(identical(known(load_gp(result)), expected[[i]]), "after kills, a run with batches of ", sizes[i], " has another result")
  stop_unless(!file.exists(paste0(file, ".tmp")), "a temporary file was left")
  unlink(c(file, result))
  time <- max(0.1, 0.7 * time)
  i <- i %% length(sizes) + 1
}
cat(sprintf("consume: %d kills, %d good resumes, %d runs to their end, all identical to uninterrupted ones; %.0f s\n",
  kills, kills, ends, proc.time()[[3]] - started))
