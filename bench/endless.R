# Streams that do not end:
#   Rscript bench/endless.R [--quick] [--only=track,stall,series] [--rows=1000000] [--out=FILE]
#   track    tracks through two and three dimensions that never return (a fifth of the points that would be
#            needed) or do (half of them): error of rows predicted before they are learned, against that with
#            unlimited points
#   stall    the slowest row at 1000 points when every row needs a new one, and the mean; by the clock, and by
#            the processor's time, which other programs disturb less
#   series   a time series of so many rows with the default call: error and noise on the way, memory, time
# Kernel and noise are given in `track` and `stall`. Public interface only; needs gpstream installed. A whole
# run writes inst/extdata/endless.csv. --quick: seconds, to a temporary file.
suppressMessages(library(gpstream))

here <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
here <- dirname(gsub("~+~", " ", here, fixed = TRUE))
source(file.path(here, "real", "options.R"))
source(file.path(here, "tracks.R"))
known_options("quick", c("only", "rows", "out"))
quick <- "--quick" %in% arguments
parts <- values("only", c("track", "stall", "series"))
rows <- as.numeric(value("rows", if (quick) "3000" else "1000000"))

table <- NULL
note <- function(part, case, what, value) {
  cat(sprintf("%-8s %-32s %-36s %.5g\n", part, case, what, value))
  table <<- rbind(table, data.frame(part, case, what, value = signif(value, 5)))
}

given <- function(max_points) {
  streaming_gp(kernel = kernel_se(1, 1), noise = 0.04, mean = 0, optimize = "none",
    select = select_oips(0.8, max_points = max_points))
}

# Root mean squared error of rows predicted ten at a time before they are learned, after the first 400.
foretold <- function(gp, x, y) {
  e <- numeric()
  for (i in split(seq_along(y), (seq_along(y) - 1) %/% 10)) {
    if (i[1] > 400) e <- c(e, predict(gp, x[i, , drop = FALSE]) - y[i])
    gp$update(x[i, , drop = FALSE], y[i])
  }
  sqrt(mean(e^2))
}

if ("track" %in% parts) for (D in 2:3) for (kind in c("wander", "patrol")) {
  set.seed(6)
  n <- if (quick) 1500 else 6000
  x <- if (kind == "wander") wander(n, D) else patrol(n, D)
  f <- random_function(D)(x)
  y <- f + stats::rnorm(n, sd = 0.2)
  free <- given(1e4)
  all <- foretold(free, x, y)
  most <- ceiling(free$size * if (kind == "wander") 1 / 5 else 1 / 2)
  gp <- given(most)
  few <- foretold(gp, x, y)
  case <- sprintf("%s in %d dimensions", kind, D)
  note("track", case, "points without a limit", free$size)
  note("track", case, "limit", most)
  note("track", case, "points that left", gp$removed$count)
  note("track", case, "error without a limit", all)
  note("track", case, "error, ratio", few / all)
}

if ("stall" %in% parts) {
  most <- if (quick) 100 else 1000
  gp <- given(most)
  x <- cbind(seq_len(most + if (quick) 100 else 400) * 1.0)
  gp$update(x[seq_len(most), , drop = FALSE], sin(x[seq_len(most), 1]))
  took <- vapply(seq(most + 1, nrow(x)), function(i) {
    used <- system.time(gp$update(x[i, , drop = FALSE], sin(x[i, 1])), gcFirst = FALSE)
    c(used[["elapsed"]], used[["user.self"]] + used[["sys.self"]])
  }, c(0, 0))
  case <- sprintf("%d points, each row a new one", most)
  note("stall", case, "slowest row, milliseconds", 1000 * max(took[1, ]))
  note("stall", case, "mean row, milliseconds", 1000 * mean(took[1, ]))
  note("stall", case, "slowest row, milliseconds of the processor", 1000 * max(took[2, ]))
}

if ("series" %in% parts) {
  set.seed(1)
  gp <- streaming_gp()
  truth <- function(t) sin(t) + 0.5 * sin(2.3 * t + 1)
  marks <- unique(pmin(rows, c(5000, 20000, 1e5, 2e5, 4e5, 6e5, 8e5, 1e6)))
  cpu <- numeric()
  for (end in seq(100, rows, by = 100)) {
    t <- (end - 99:0) / 20
    y <- truth(t) + stats::rnorm(100, sd = 0.1)
    cpu[end / 100] <- sum(system.time(gp$update(t, y), gcFirst = FALSE)[1:2])
    if (end %in% marks) {
      late <- seq(max(1, end - 999), end) / 20
      case <- sprintf("at row %s", format(end, big.mark = ",", scientific = FALSE))
      note("series", case, "error on the newest 1000 rows", sqrt(mean((predict(gp, late) - truth(late))^2)))
      note("series", case, "noise over the truth", gp$noise / 0.01)
      note("series", case, "points", gp$size)
      note("series", case, "points that left", gp$removed$count)
      note("series", case, "megabytes", as.numeric(utils::object.size(serialize(gp, NULL))) / 2^20)
      note("series", case, "seconds so far", sum(cpu))
    }
  }
  if (rows >= 1e5) { # after the limit was reached
    tenth <- length(cpu) %/% 10
    note("series", "time a row", "last tenth over first after row 30,000",
      mean(utils::tail(cpu, tenth)) / mean(cpu[300 + seq_len(tenth)]))
  }
}

file <- table_file("endless.csv", whole = !quick && is.null(value("only")) && is.null(value("rows")))
utils::write.csv(table, file, row.names = FALSE)
cat("written to", file, "\n")
