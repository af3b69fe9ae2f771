# Likelihoods beside the Gaussian one:
#   Rscript bench/likelihoods.R [--quick] [--only=streaming,coverage,gross,cut,speed] [--likelihoods=poisson,student]
#     [--streams=500] [--turn=10] [--minutes=60] [--out=FILE]
#   streaming  what a look-back of 100 loses against all rows at once, 800 rows in batches of 10, the points the same, everything given:
#              nats of the variational objective of the posterior there is (and how many more than under Gaussian noise, which
#              loses by points that join late, too), which is made here of gp$posterior and predictions, by the
#              formulas of bench/likelihoods/known.R (all rows at once, it is gp$objective: "off by" says how well); log density of 400
#              new rows; means of the latent function in its sd
#   coverage   the default call on 400 rows in batches of 20, random functions, --streams of them, in turns of --turn (of classes twice
#              as many) until --minutes are over: how many of 400 new observations are within 95 % intervals, counts by randomised PIT;
#              for classes, by how much the true probability is off in ten bins of the predicted one, of those with a hundredth of all
#              rows or more
#   gross      5 % gross errors under Student-t noise, and one observation of 1e6
#   cut        the same stream in other batches: how far predictions are apart, in sd of the latent function
#   speed      Bernoulli beside Gaussian, 480 points given, CPU seconds, the quickest of some turns
# Beside mgcv::bam and kernlab::gausspr: bench/run.R --only=W6. Public interface only (but for likelihoods/several.R); needs gpstream
# installed. Lines are written as they are found: with all parts and likelihoods to bench/results/likelihoods.csv, with some to --out
# (which may be that file: other lines in it stay). --quick: less of all, to a temporary file.
suppressMessages(library(gpstream))

here <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
here <- dirname(gsub("~+~", " ", here, fixed = TRUE))
source(file.path(here, "real", "options.R"))
source(file.path(here, "likelihoods", "known.R"))
source(file.path(here, "likelihoods", "several.R"))
known_options("quick", c("only", "streams", "turn", "minutes", "out", "likelihoods"))
quick <- "--quick" %in% arguments
parts <- values("only", c("streaming", "coverage", "gross", "cut", "speed"))
streams <- as.numeric(value("streams", if (quick) 2 else 500))
turn_of <- as.numeric(value("turn", 10))
end <- Sys.time() + 60 * as.numeric(value("minutes", Inf))
chosen <- values("likelihoods", c(names(likelihoods), names(several)))
gaussian <- likelihoods$gaussian
likelihoods <- likelihoods[intersect(names(likelihoods), chosen)]
several <- several[intersect(names(several), chosen)]
in_results <- !quick && is.null(value("only")) && is.null(value("likelihoods"))
file <- value("out", if (in_results) file.path(here, "results", "likelihoods.csv") else tempfile(fileext = ".csv"))
source(file.path(here, "likelihoods", "table.R"))

cpu <- function(code) sum(system.time(code, gcFirst = FALSE)[1:2])
feed <- function(gp, x, y, by = 20) {
  n <- NROW(x)
  for (i in split(seq_len(n), (seq_len(n) - 1) %/% by)) {
    suppressMessages(gp$update(if (is.matrix(x)) x[i, , drop = FALSE] else x[i], rows_of(y, i)))
  }
  invisible(gp)
}
rms <- function(x) sqrt(mean(x^2))

# --- streaming -------------------------------------------------------------------------------------------------------------------------
lengthscale <- 1.5
given <- function(one, ...) {
  streaming_gp(kernel = kernel_se(lengthscale, one$scale^2), mean = 0, likelihood = one$given, optimize = "none",
    noise = if (is.null(one$given$dispersion)) one$noise, ...)
}
latent <- function(gp, x) predict(gp, x, type = "latent", se.fit = TRUE)
bound <- function(gp, one, x, y) {
  q <- gp$posterior
  L <- t(chol(one$scale^2 * exp(-as.matrix(stats::dist(gp$points))^2 / lengthscale^2)))
  A <- forwardsolve(L, t(forwardsolve(L, q$cov)))
  p <- latent(gp, x)
  log_det <- as.numeric(determinant(A)$modulus)
  sum(expected(one, y, p$fit, p$se.fit^2)) - (sum(diag(A)) + sum(forwardsolve(L, q$mean)^2) - nrow(L) - log_det) / 2
}
# Of one stream: nats lost, the same with the points there from the start, ...
streamed <- function(one, D, order, seed) {
  set.seed(seed)
  x <- matrix(stats::runif(1200 * D, 0, c(10, 4)[D]), 1200)
  f <- random_function(one$scale, lengthscale, D)(x)
  y <- one$draw(f)
  rows <- if (order == "sorted") order(x[1:800, 1]) else 1:800
  stream <- feed(given(one), x[rows, , drop = FALSE], rows_of(y, rows), 10)
  batch <- given(one, lookback = Inf, select = select_fixed(stream$points))
  batch$update(x[rows, , drop = FALSE], rows_of(y, rows))
  there <- feed(given(one, select = select_fixed(stream$points)), x[rows, , drop = FALSE], rows_of(y, rows), 10)
  new <- x[801:1200, , drop = FALSE]
  ours <- latent(stream, new)
  theirs <- latent(batch, new)
  density <- function(gp) sum(gp$score(new, rows_of(y, 801:1200))$log_density)
  best <- bound(batch, one, x[rows, , drop = FALSE], rows_of(y, rows))
  loss <- function(gp) best - bound(gp, one, x[rows, , drop = FALSE], rows_of(y, rows))
  c(loss(stream), loss(there), abs(best - batch$objective), density(batch) - density(stream), max(abs(ours$fit - theirs$fit) / theirs$se.fit))
}
if ("streaming" %in% parts) for (D in 1:2) for (order in c("random", "sorted")) {
  all_streamed <- function(one) vapply(seq_len(if (quick) 1 else 3), function(seed) streamed(one, D, order, seed), numeric(5))
  under_gaussian <- all_streamed(gaussian) # the same x, and so the same points
  for (one in likelihoods) {
    found <- if (one$name == "gaussian") under_gaussian else all_streamed(one)
    case <- sprintf("%s, %d-D, %s", one$name, D, order)
    note("streaming", case, "nats lost, largest of three (bar 1.5)", max(found[1, ]))
    note("streaming", case, "more than Gaussian noise loses on the same x, largest", max(found[1, ] - under_gaussian[1, ]))
    note("streaming", case, "with the points there from the start", max(found[2, ]))
    note("streaming", case, "all rows at once: objective off by", max(found[3, ]))
    note("streaming", case, "log density of 400 new rows lost, nats, largest", max(found[4, ]))
    note("streaming", case, "means apart, in latent sd, largest", max(found[5, ]))
  }
}
if ("streaming" %in% parts) for (one in several) for (order in c("random", "sorted")) stream_several(one, order)
source(file.path(here, "likelihoods", "stress.R"))
source(file.path(here, "likelihoods", "speed.R"))
source(file.path(here, "likelihoods", "coverage.R"))
cat("written to", file, "\n")
