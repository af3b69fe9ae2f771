# A table of a million rows streamed from SQLite: Rscript bench/streams.R [--quick]
# Peak memory of the process against one that loaded the package and did nothing (must stay within 150 MB), and the processor time of
# consume() against a loop of dbFetch() and gp$update() (must stay below 1.10 at batches of 1000), for models of about 50, 200 and 500
# points. Exit status 1 otherwise (with --quick, a few seconds, only the memory is judged: too short for the other). Writes
# inst/extdata/streams.csv for the vignette `streams`, unless quick.
library(gpstream)
for (package in c("DBI", "RSQLite")) {
  if (!requireNamespace(package, quietly = TRUE)) {
    cat("skipped: the package", package, "is not installed\n")
    quit(status = 0)
  }
}

args <- commandArgs(TRUE)
quick <- "--quick" %in% args
rows <- if (quick) 5e4 else 1e6
size <- 1000
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)))

draw <- function(n) {
  u <- stats::runif(n)
  v <- stats::runif(n)
  data.frame(u = u, v = v, y = sin(6 * u) * cos(4 * v) + stats::rnorm(n, sd = 0.1))
}

model <- function(lengthscale = 0.15) {
  streaming_gp(y ~ u + v, kernel = kernel_se(lengthscale, 1), noise = 0.01, mean = "zero", optimize = "none")
}

# Lengthscales that give about so many points in the unit square.
lengthscales <- c(`50` = 0.26, `200` = 0.127, `500` = 0.077)

query <- "SELECT u, v, y FROM t ORDER BY rowid"

# --- memory: each in a process of its own ------------------------------------------------------------------------------------

# The most memory the process ever had, in MB; NA where the system does not tell.
peak <- function() {
  status <- tryCatch(readLines("/proc/self/status"), error = function(e) "", warning = function(w) "")
  kb <- sub("^VmHWM:\\s*([0-9]+) kB$", "\\1", grep("^VmHWM:", status, value = TRUE))
  if (length(kb)) as.numeric(kb) / 1024 else NA
}

ways <- list(
  nothing = function(file) NULL,
  consume = function(file) {
    db <- DBI::dbConnect(RSQLite::SQLite(), file)
    gp <- model()
    consume(gp, db, batch_size = size, sql = query)
    DBI::dbDisconnect(db)
    gp
  },
  `whole table` = function(file) {
    db <- DBI::dbConnect(RSQLite::SQLite(), file)
    gp <- model()
    gp$update(DBI::dbGetQuery(db, query))
    DBI::dbDisconnect(db)
    gp
  }
)

child <- grep("^--way=", args, value = TRUE)
if (length(child)) {
  start <- proc.time()[["elapsed"]]
  gp <- ways[[sub("^--way=", "", child)]](args[length(args)])
  cat("peak", peak(), proc.time()[["elapsed"]] - start, if (is.null(gp)) c(0, 0) else c(gp$nobs, gp$size), "\n")
  quit(status = 0)
}

in_child <- function(way, file) {
  script <- shQuote(file.path(here, "streams.R"))
  out <- system2(file.path(R.home("bin"), "Rscript"), c(script, shQuote(paste0("--way=", way)), shQuote(file)), stdout = TRUE)
  told <- as.numeric(strsplit(sub("^peak ", "", grep("^peak ", out, value = TRUE)), " +")[[1]])
  data.frame(what = "memory", way = way, points = told[4], rows = told[3], peak_mb = told[1], seconds = told[2], ratio = NA)
}

file <- tempfile(fileext = ".sqlite")
db <- DBI::dbConnect(RSQLite::SQLite(), file)
set.seed(1)
for (i in seq_len(rows / 5e4)) DBI::dbWriteTable(db, "t", draw(5e4), append = TRUE)
cat(sprintf("SQLite table of %.0f rows, %.0f MB\n\n%-12s %9s %7s %10s %9s\n", rows, file.size(file) / 1e6, "", "rows", "points", "peak, MB", "seconds"))
memory <- do.call(rbind, lapply(names(ways), function(way) {
  one <- in_child(way, file)
  cat(sprintf("%-12s %9.0f %7.0f %10.1f %9.1f\n", way, one$rows, one$points, one$peak_mb, one$seconds))
  one
}))
extra <- memory$peak_mb[memory$way == "consume"] - memory$peak_mb[memory$way == "nothing"]
cat(sprintf("consume() needs %.1f MB more than a session that loaded the package and did nothing\n\n", extra))

# --- time: the two in turns, on the same rows --------------------------------------------------------------------------------

# Processor time: this machine may have others to serve.
cpu <- function(code) {
  start <- sum(proc.time()[1:2])
  force(code)
  sum(proc.time()[1:2]) - start
}

by_hand <- function(gp, source, n) for (i in seq_len(n / size)) gp$update(DBI::dbFetch(source, size))

cat(sprintf("%-12s %14s %9s\n", "points", "ms of a batch", "ratio"))
overhead <- do.call(rbind, lapply(names(lengthscales), function(name) {
  loop <- model(lengthscales[name])
  run <- model(lengthscales[name])
  for (gp in list(loop, run)) gp$update(draw(5000)) # all points are there
  turn <- if (quick) 5000 else c(`50` = 50000, `200` = 20000, `500` = 10000)[[name]]
  turns <- if (quick) 2 else 24
  times <- vapply(seq_len(turns), function(i) {
    result <- DBI::dbSendQuery(db, query)
    one <- cpu(by_hand(loop, result, turn))
    DBI::dbClearResult(result)
    result <- DBI::dbSendQuery(db, query)
    two <- cpu(consume(run, result, batch_size = size, max_rows = turn))
    DBI::dbClearResult(result)
    c(one, two)
  }, c(0, 0))
  # the quickest turns are those that others disturbed least
  best <- apply(times, 1, min)
  out <- data.frame(what = "time", way = "consume", points = run$size, rows = turn, peak_mb = NA, seconds = best[2], ratio = best[2] / best[1])
  cat(sprintf("%-12d %14.2f %9.3f   (all turns together: %.3f)\n", run$size, 1000 * best[1] / (turn / size), out$ratio, sum(times[2, ]) / sum(times[1, ])))
  out
}))
DBI::dbDisconnect(db)
unlink(file)

if (!quick) utils::write.csv(rbind(memory, overhead), file.path(here, "..", "inst", "extdata", "streams.csv"), row.names = FALSE)
good <- !isTRUE(extra > 150) && (quick || all(overhead$ratio <= 1.10))
if (!good) quit(status = 1)
