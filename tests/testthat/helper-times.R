# Rows with a time of every class, and models of them. Nothing here draws random numbers.

# n instants within `days` days of the change of clocks in Berlin on 31 March 2024, in order.
clock_rows <- function(n = 120, days = 6, tz = "Europe/Berlin") {
  time <- as.POSIXct("2024-03-28 10:15", tz = "UTC") + sort((seq_len(n) * sqrt(2)) %% 1) * days * 86400
  hour <- as.numeric(time - time[1], units = "hours")
  attr(time, "tzone") <- tz
  data.frame(time = time, depth = (seq_len(n) * sqrt(3)) %% 1, y = sin(2 * pi * hour / 24) + 0.1 * sin(37 * seq_len(n)))
}

# Days since midnight UTC before the first of them.
clock_days <- function(rows) (as.numeric(rows$time) - as.numeric(as.POSIXct("2024-03-28", tz = "UTC"))) / 86400

# Nothing to be learned, so that what comes out is what went in.
clock_model <- function(...) streaming_gp(kernel = kernel_se(0.5, 1), noise = 0.02, mean = 0, optimize = "none", ...)

core_of <- function(gp) as.list(gp)$core
