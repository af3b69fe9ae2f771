# False alarms and delays of drift_alarm(): Rscript bench/drift-alarm.R [--quick] [--only 1,6] [--out folder]
# Public interface only; needs gpstream installed. Writes drift-alarm.csv to inst/extdata, where vignettes/derivation.Rmd reads it; with
# --quick a few short streams, to a temporary folder. --only takes numbers of settings; of others the lines that are there stay. One
# process, fixed seeds; the whole takes about half an hour.
#
# Every stream has 5000 rows, x uniform on (0, 6), a random sum of two sine waves and noise of standard deviation 0.1, but for what
# the setting says. It changes at a row between 1000 and 4000. `false`: streams with an alarm before that; `found`: share of those with an
# alarm at most 30 rows after it; `median`, `q95`: of the rows until then.
library(gpstream)

arguments <- commandArgs(TRUE)
option <- function(name, default) if (name %in% arguments) arguments[match(name, arguments) + 1] else default
quick <- "--quick" %in% arguments
out <- option("--out", if (quick) tempdir() else file.path("inst", "extdata"))
stopifnot(dir.exists(out))
rows <- if (quick) 1000 else 5000
level <- 1e-3

given <- function(noise = 0.01) streaming_gp(y ~ x, kernel = kernel_se(1, 1), noise = noise, mean = "zero", optimize = "none")
default <- function() streaming_gp(y ~ x)
uniform <- function() runif(rows, 0, 6)
gaussian <- function() rnorm(rows, sd = 0.1)

# What a setting is made of: the model, inputs, noise, how the stream changes at row `at`, how many streams.
setting <- function(streams, model = given, x = uniform, noise = gaussian, change = NULL) {
  list(streams = streams, model = model, x = x, noise = noise, change = change)
}
up <- function(y, x, later) y + 0.3 * later
down <- function(y, x, later) y - 0.3 * later
settings <- list(
  "still" = setting(2000),
  "still, learns everything" = setting(30, default),
  "still, noise of Student's t, 3 df" = setting(100, noise = function() 0.1 * rt(rows, 3)),
  "still, told a fourth of the noise" = setting(100, function() given(0.0025)),
  "still, along time" = setting(100, x = function() seq_len(rows) / 50),
  "jump up" = setting(300, change = up),
  "jump down" = setting(300, change = down),
  "jump up, learns everything" = setting(100, default, change = up),
  "jump up, noise of Student's t, 3 df" = setting(100, noise = function() 0.1 * rt(rows, 3), change = up),
  "noise three times as large" = setting(100, change = function(y, x, later) y),
  "another function" = setting(100, change = function(y, x, later) ifelse(later, -y, y))
)
only <- option("--only", NULL)
chosen <- if (is.null(only)) names(settings) else names(settings)[as.integer(strsplit(only, ",")[[1]])]

one_stream <- function(s, name, seed) {
  set.seed(seed)
  at <- if (is.null(s$change)) rows else sample(floor(rows * c(0.2, 0.8))[1]:floor(rows * c(0.2, 0.8))[2], 1)
  x <- s$x()
  later <- seq_len(rows) > at
  noise <- s$noise() * if (name == "noise three times as large") ifelse(later, 3, 1) else 1
  phase <- runif(2, 0, 2 * pi)
  y <- sin(x + phase[1]) + 0.5 * sin(2 * x + phase[2])
  if (!is.null(s$change)) y <- s$change(y, x, later)
  data <- data.frame(x = x, y = y + noise)[seq_len(min(rows, at + 150)), ]
  alarm <- drift_alarm(level)
  suppressWarnings(consume(s$model(), data, alarm = alarm, progress = FALSE))
  false <- sum(alarm$rows <= at)
  delay <- c(alarm$rows[alarm$rows > at] - at, Inf)[1]
  c(false = false > 0, delay = delay)
}

file <- file.path(out, "drift-alarm.csv")
begin <- Sys.time()
for (name in chosen) {
  s <- settings[[name]]
  streams <- if (quick) 4 else s$streams
  seeds <- 1e5 * match(name, names(settings)) + seq_len(streams)
  found <- vapply(seeds, function(seed) one_stream(s, name, seed), c(false = 0, delay = 0))
  changes <- !is.null(s$change)
  line <- data.frame(
    setting = gsub(",", ";", name), streams = streams, rows = rows, false = sum(found["false", ]),
    found = if (changes) mean(found["delay", ] <= 30) else NA,
    median = if (changes) median(found["delay", ]) else NA,
    q95 = if (changes) unname(quantile(found["delay", ], 0.95, type = 1)) else NA
  )
  before <- if (file.exists(file)) read.csv(file)
  table <- rbind(before[before$setting != line$setting, ], line)
  table <- table[order(match(table$setting, gsub(",", ";", names(settings)))), ]
  write.csv(table, file, row.names = FALSE, quote = FALSE)
  cat(sprintf("%s: %d streams, %d with a false alarm, %s found within 30 rows; %.0f s\n", name, streams, line$false,
    format(line$found, digits = 3), as.numeric(difftime(Sys.time(), begin, units = "secs"))))
}
