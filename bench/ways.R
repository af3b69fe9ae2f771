# Three ways for a point to leave (vignette "derivation", section 16), on streams that go on, with variance
# and noise learned from the evidence every 100 rows and the lengthscale given:
#   Rscript bench/ways.R [--quick] [--out=FILE]
#   integrated out  what settled rows said of the points that stay is what it was, for the variance over the
#                   noise of then. This is what the package does.
#   dropped         the entries of their features that only the point could hold are cut off
#   set aside       the one combination of settled rows that only the point explains is set aside like a row
#                   that no point is near: it counts no more in anything. What is left says nothing of the
#                   point, whatever variance and noise become
# Errors, log scores and coverage of 95 % intervals are of rows foretold ten at a time, after the first 400
# and against what came; noise and variance are those at the end over the truth. ways.cpp, on the package's
# own core, is compiled first (minutes). A whole run writes inst/extdata/endless-ways.csv. --quick: shorter
# streams, to a temporary file.
here <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
here <- dirname(gsub("~+~", " ", here, fixed = TRUE))
source(file.path(here, "real", "options.R"))
source(file.path(here, "tracks.R"))
known_options("quick", "out")
quick <- "--quick" %in% arguments
n <- if (quick) 1500 else 6000
Sys.setenv(PKG_CXXFLAGS = "-w -DNDEBUG", PKG_LIBS = "$(LAPACK_LIBS) $(BLAS_LIBS) $(FLIBS)")
Rcpp::sourceCpp(file.path(here, "ways.cpp"))

series <- function(n) {
  t <- cbind(seq_len(n) / 20)
  list(x = t, f = sin(t[, 1]) + 0.5 * sin(2.3 * t[, 1] + 1), sd = 0.1)
}
track <- function(x) list(x = x, f = random_function(ncol(x))(x), sd = 0.2)
streams <- list(
  "series, 60 points" = list(make = function() series(n), most = 60),
  "series, 100 points" = list(make = function() series(n), most = 100),
  "wander in 2 dimensions" = list(make = function() track(wander(n, 2)), share = 1 / 5),
  "wander in 3 dimensions" = list(make = function() track(wander(n, 3)), share = 1 / 5),
  "patrol in 2 dimensions" = list(make = function() track(patrol(n, 2)), share = 1 / 2),
  "patrol in 3 dimensions" = list(make = function() track(patrol(n, 3)), share = 1 / 2)
)

table <- NULL
for (name in names(streams)) for (seed in if (quick) 1 else 1:3) {
  set.seed(seed)
  stream <- streams[[name]]$make()
  y <- stream$f + stats::rnorm(n, sd = stream$sd)
  late <- seq_len(n) > 400
  most <- streams[[name]]$most
  for (way in c("no limit", "integrated out", "dropped", "set aside")) {
    took <- system.time(run <- follow(stream$x, y, if (way == "no limit") Inf else most, way))[["user.self"]]
    if (is.null(most)) most <- ceiling(run$points * streams[[name]]$share)
    error <- (y - run$mean)[late]
    line <- data.frame(stream = name, seed, way, points = run$points, removed = run$removed,
      error = sqrt(mean(error^2)), log_score = mean(stats::dnorm(error, sd = run$sd[late], log = TRUE)),
      inside = mean(abs(error) < 1.96 * run$sd[late]), noise = run$noise[n] / stream$sd^2,
      variance = run$variance[n])
    cat(sprintf("%-24s %d %-14s %4d points, %4d left: error %.4f, log score %.3f, noise %.3f (%.0f s)\n",
      name, seed, way, run$points, run$removed, line$error, line$log_score, line$noise, took))
    table <- rbind(table, line)
  }
}
numbers <- vapply(table, is.double, NA)
table[numbers] <- lapply(table[numbers], signif, 4)
file <- table_file("endless-ways.csv", whole = !quick)
utils::write.csv(table, file, row.names = FALSE)
cat("written to", file, "\n")
