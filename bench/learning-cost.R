# What learning costs:
#   Rscript bench/learning-cost.R [--quick] [--out=FILE]
#   longest   the longest batch in which a kernel is learned, 18 columns, 4,000 rows in batches of 100
#   default   CPU of the default call at 4,000 rows beside that of optimize = "warmup" with as many points, 2, 8 and 18 columns
#   between   a row between learnings beside one of a model with the same kernel, noise and way to choose points that learns nothing:
#             rows one at a time, and in batches of 100
# CPU seconds of this process. Public interface only; needs gpstream installed. A whole run writes
# inst/extdata/learning-cost.csv. --quick: seconds, to a temporary file.
suppressMessages(library(gpstream))

here <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
here <- dirname(gsub("~+~", " ", here, fixed = TRUE))
source(file.path(here, "real", "options.R"))
known_options("quick", "out")
quick <- "--quick" %in% arguments
n <- if (quick) 600 else 4000

table <- NULL
note <- function(part, case, what, value) {
  cat(sprintf("%-8s %-24s %-44s %.4g\n", part, case, what, value))
  table <<- rbind(table, data.frame(part, case, what, value = signif(value, 4)))
}
cpu <- function(code) sum(system.time(code, gcFirst = FALSE)[1:2])

# A function of the first columns that takes many points, and hardly of the others.
rows_of <- function(n, D, waves = 7) {
  set.seed(7)
  x <- matrix(stats::runif(n * D, -1, 1), n)
  list(x = x, y = sin(waves * x[, 1]) * cos(waves * x[, 2]) + sin(5 * x[, 1] * x[, min(3, D)]) + rowSums(x) / D +
    stats::rnorm(n, sd = 0.05))
}

# Seconds of each batch.
fed <- function(gp, data, by = 100) {
  vapply(split(seq_along(data$y), (seq_along(data$y) - 1) %/% by), function(i) {
    cpu(suppressWarnings(suppressMessages(gp$update(data$x[i, , drop = FALSE], data$y[i]))))
  }, 0)
}

for (D in c(2, 8, 18)) {
  data <- rows_of(n, D)
  case <- sprintf("%d columns, %d rows", D, n)
  gp <- streaming_gp()
  took <- fed(gp, data)
  if (D == 18) note("longest", case, "longest batch, seconds (bar 3)", max(took))
  once <- streaming_gp(optimize = "warmup", select = select_noise(1e-6, max_points = gp$size, when_full = "stop"))
  note("default", case, "points", gp$size)
  note("default", case, "seconds", sum(took))
  warm <- sum(fed(once, data))
  note("default", case, "points, warm-up", once$size)
  note("default", case, "seconds, warm-up", warm)
  note("default", case, "seconds over 4 times warm-up + 6 (bar 1)", sum(took) / (4 * warm + 6))
}

# Between two learnings, with many points: learned at 3100 rows, without rivals from 3500 on, learned next at 4650. The quickest of
# some turns.
n <- if (quick) 600 else 3550
more <- if (quick) 200 else 1050
data <- rows_of(n + more, 2, waves = 14)
first <- seq_len(n)
gp <- streaming_gp()
invisible(fed(gp, list(x = data$x[first, ], y = data$y[first])))
if (gp$restarts$rivals > 0 && !quick) warning("rivals are left: the ratio is theirs, too")
given <- streaming_gp(kernel = gp$kernel, noise = gp$noise, mean = "linear", optimize = "none", select = select_noise(0.01)) # as print(gp) says
invisible(fed(given, list(x = data$x[first, ], y = data$y[first])))
case <- sprintf("%d points, %d rows since", gp$size, n - gp$restarts$learned)
note("between", case, "points, given kernel", given$size)
turn <- function(model, by) {
  model <- model$copy()
  parts <- split(n + seq_len(more), (seq_len(more) - 1) %/% by)
  cpu(for (i in parts) model$update(data$x[i, , drop = FALSE], data$y[i]))
}
for (by in c(1, 100)) {
  quickest <- function(model) min(vapply(seq_len(if (quick) 1 else 3), function(i) turn(model, by), 0))
  own <- quickest(gp)
  note("between", case, sprintf("batches of %d, microseconds a row", by), 1e6 * own / more)
  note("between", case, sprintf("batches of %d, over a given kernel (bar 1.1)", by), own / quickest(given))
}

file <- table_file("learning-cost.csv", whole = !quick)
utils::write.csv(table, file, row.names = FALSE)
cat("written to", file, "\n")
