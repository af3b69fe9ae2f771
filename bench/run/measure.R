# How times are taken: in one process, methods in turn, round after round, so that what else the machine does hits all alike.
# A time is that of the clock on the wall or of the processors that worked for this process, whichever is less: with one
# thread the wait for a processor that another job holds is not counted, with several the clock counts.

# c(wall, processors). In R itself the second ticks in milliseconds, and is of no use for short times: the wall twice.
clocks <- function() rep(as.numeric(Sys.time()), 2)
use_clocks <- function(better) {
  clocks <<- better
  clock_cost <<- cost_of_clocks()
}

since <- function(start) min(clocks() - start)

# Seconds that `code` takes, divided by the number of rows it is about.
timed <- function(code, rows = 1) {
  start <- clocks()
  code
  since(start) / rows
}

# What reading the clocks costs, to be taken off where single calls are timed.
cost_of_clocks <- function() median(vapply(1:2000, function(i) timed(NULL), 0))
clock_cost <- cost_of_clocks()

# Seconds of each of n calls act(1), ..., act(n).
each <- function(n, act) {
  took <- numeric(n)
  for (i in seq_len(n)) {
    start <- clocks()
    act(i)
    took[i] <- since(start)
  }
  pmax(took - clock_cost, 0)
}

# Seconds of one call of something short: as many calls as take 10 ms.
often <- function(act) {
  runs <- 1
  repeat {
    took <- timed(for (i in seq_len(runs)) act())
    if (took >= 0.01) return(took / runs)
    runs <- 2 * runs
  }
}

begun <- Sys.time()
elapsed <- function() as.numeric(Sys.time() - begun, units = "secs")
progress <- function(...) say(sprintf("%6.0f s  ", elapsed()), paste(..., sep = ", "))

# A method: `run()` gives seconds, one or many, each for one row or one call; afterwards `predict(x)`, if there is one, gives
# list(mean, sd), and `size()` and `rows()` how many points (or basis functions) it has and how many rows it has seen.
method <- function(run, predict = NULL, size = function() NA, rows = function() NA, close = function() NULL) {
  list(run = run, predict = predict, size = size, rows = rows, close = close)
}

# Runs methods in turn, at least once each, until `rounds` are done or a method has had its seconds. Makers build a method;
# one that fails is left out, with a word.
measure <- function(workload, setting, unit, makers, test = NULL, rounds = 5, budget = 4) {
  progress(workload, setting)
  attempt <- function(name, code) tryCatch(code, error = function(e) {
    message("    ", name, " left out: ", conditionMessage(e))
    NULL
  })
  methods <- Filter(Negate(is.null), sapply(names(makers), function(name) attempt(name, makers[[name]]()), simplify = FALSE))
  seconds <- sapply(names(methods), function(name) list(), simplify = FALSE) # of each round
  spent <- sapply(methods, function(m) 0)
  invisible(gc())
  for (round in seq_len(rounds)) {
    for (name in names(seconds)) {
      if (round > 1 && spent[[name]] >= budget) next
      spent[[name]] <- spent[[name]] + timed(now <- attempt(name, methods[[name]]$run()))
      seconds[[name]] <- if (!is.null(now)) c(seconds[[name]], list(now))
    }
  }
  rows <- lapply(names(seconds), function(name) {
    m <- methods[[name]]
    quality <- if (is.null(m$predict)) c(rmse = NA, log_score = NA) else attempt(name, score(m$predict(test$x), test))
    if (is.null(quality)) quality <- c(rmse = NA, log_score = NA)
    out <- line(workload, setting, name, unit, seconds[[name]], m$size(), m$rows(), quality)
    m$close()
    out
  })
  do.call(rbind, rows)
}

per <- c("us per row" = 1e6, "us per call" = 1e6, "s" = 1)

# One line of the table, from the times of each round. The 99th percentile is the median of those of the rounds; of less than
# 100 times in a round it would be their maximum, and is left out.
line <- function(workload, setting, name, unit, seconds, size = NA, rows = NA, quality = c(rmse = NA, log_score = NA)) {
  value <- per[[unit]] * unlist(seconds)
  extreme <- vapply(seconds, function(round) if (length(round) < 100) NA else quantile(round, 0.99, names = FALSE), 0)
  data.frame(
    workload = workload, setting = setting, method = name, points = as.numeric(size), rows = as.numeric(rows), unit = unit,
    median = median(value), p99 = per[[unit]] * median(extreme), times = length(value),
    rmse = quality[["rmse"]], log_score = quality[["log_score"]]
  )
}

# How many times as long as gpstream, within a setting.
with_ratio <- function(table) {
  key <- paste(table$workload, table$setting)
  own <- table$method == "gpstream"
  table$ratio <- table$median / table$median[own][match(key, key[own])]
  table[c("workload", "setting", "method", "points", "rows", "unit", "median", "p99", "ratio", "rmse", "log_score", "times")]
}
