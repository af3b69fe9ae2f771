# Likelihoods beside the Gaussian one:
#   Rscript bench/likelihoods.R [--quick] [--only=streaming,coverage,gross,cut,speed,peers] [--likelihoods=poisson,student]
#     [--streams=40] [--out=FILE]
#   streaming  what a look-back of 100 loses against all rows at once, 800 rows in batches of 10, the points the same, everything given:
#              nats of the variational objective of the posterior there is, which is made here of gp$posterior and predictions, by the
#              formulas of bench/likelihoods/known.R (all rows at once, it is gp$objective: "off by" says how well); log density of 400
#              new rows; means of the latent function in its sd
#   coverage   the default call on 400 rows in batches of 20, random functions, --streams of them, of classes twice as many: how many of
#              400 new observations are within 95 % intervals, counts by randomised PIT; for classes, by how much the true probability
#              is off in ten bins of the predicted one, of those with a hundredth of all rows or more
#   gross      5 % gross errors under Student-t noise, and one observation of 1e6
#   cut        the same stream in other batches: how far predictions are apart, in sd of the latent function
#   speed      Bernoulli beside Gaussian, 480 points given, CPU seconds, the quickest of some turns
#   peers      log loss and CPU of mgcv::bam and kernlab::gausspr, fitted anew at each batch, beside the default call
# Public interface only; needs gpstream installed. A whole run writes bench/results/likelihoods.csv. --quick: less of all, to a temporary
# file.
suppressMessages(library(gpstream))

here <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
here <- dirname(gsub("~+~", " ", here, fixed = TRUE))
source(file.path(here, "real", "options.R"))
source(file.path(here, "likelihoods", "known.R"))
source(file.path(here, "likelihoods", "several.R"))
known_options("quick", c("only", "streams", "out", "likelihoods"))
quick <- "--quick" %in% arguments
parts <- values("only", c("streaming", "coverage", "gross", "cut", "speed", "peers"))
streams <- as.numeric(value("streams", if (quick) 2 else 40))
chosen <- values("likelihoods", c(names(likelihoods), names(several)))
likelihoods <- likelihoods[intersect(names(likelihoods), chosen)]
several <- several[intersect(names(several), chosen)]

table <- NULL
note <- function(part, case, what, value) {
  cat(sprintf("%-9s %-28s %-62s %.4g\n", part, case, what, value))
  table <<- rbind(table, data.frame(part, case, what, value = signif(value, 4)))
}
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
if ("streaming" %in% parts) for (one in likelihoods) for (D in 1:2) for (order in c("random", "sorted")) {
  found <- vapply(seq_len(if (quick) 1 else 3), function(seed) {
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
    c(loss(stream), loss(there), abs(best - batch$objective), density(batch) - density(stream),
      max(abs(ours$fit - theirs$fit) / theirs$se.fit))
  }, numeric(5))
  case <- sprintf("%s, %d-D, %s", one$name, D, order)
  note("streaming", case, "nats lost, largest of three (bar 1.5)", max(found[1, ]))
  note("streaming", case, "with the points there from the start", max(found[2, ]))
  note("streaming", case, "all rows at once: objective off by", max(found[3, ]))
  note("streaming", case, "log density of 400 new rows lost, nats, largest", max(found[4, ]))
  note("streaming", case, "means apart, in latent sd, largest", max(found[5, ]))
}

# --- coverage --------------------------------------------------------------------------------------------------------------------------
fitted_stream <- function(one, seed) {
  set.seed(seed)
  f <- random_function(one$scale * exp(stats::runif(1, -0.7, 0.3)), exp(stats::runif(1, 0, 1.1)))
  level <- stats::rnorm(1, sd = one$scale / 2)
  x <- stats::runif(800, 0, 10)
  at <- level + f(x)
  list(gp = feed(streaming_gp(likelihood = one$open), x[1:400], one$draw(at[1:400])), x = x[401:800], f = at[401:800])
}
inside <- function(one, gp, x, f) {
  y <- if (is.null(one$beyond)) one$draw(f) else one$beyond(f)
  if (one$kind == "number") {
    limits <- predict(gp, x, interval = "prediction")
    return(mean(y >= limits[, "lwr"] & y <= limits[, "upr"]))
  }
  score <- gp$score(x, y) # z is in the middle of the step of the distribution function at y
  pit <- stats::pnorm(score$z) + exp(score$log_density) * (stats::runif(length(y)) - 0.5)
  mean(pit > 0.025 & pit < 0.975)
}
note_calibration <- function(case, rows) {
  bin <- cut(rows$said, 0:10 / 10, include.lowest = TRUE)
  count <- as.vector(base::table(bin))
  off <- as.vector(tapply(rows$true - rows$said, bin, mean))
  apart <- tapply(rows$true - rows$said - off[bin], list(bin, rows$seed), sum)
  se <- sqrt(rowSums(apart^2, na.rm = TRUE)) / count # rows of one stream belong together
  worst <- which.max(ifelse(count >= nrow(rows) / 100, abs(off), 0))
  note("coverage", case, "true less predicted probability, worst of ten bins (bar 0.02)", off[worst])
  note("coverage", case, "standard error of that", se[[worst]])
  note("coverage", case, "the bin", worst)
  note("coverage", case, "true less predicted, mean of absolute values", sum(abs(off) * count, na.rm = TRUE) / nrow(rows))
}
note_coverage <- function(case, share) {
  note("coverage", case, "share inside 95 % (bar 0.935 to 0.965)", mean(share))
  note("coverage", case, "standard error of that", stats::sd(share) / sqrt(length(share)))
  note("coverage", case, "share inside, worst stream", min(share))
}
if ("coverage" %in% parts) for (one in likelihoods) {
  many <- if (one$kind == "class") 2 * streams else streams
  learned <- NULL
  runs <- lapply(seq_len(many), function(seed) {
    run <- fitted_stream(one, seed)
    if (!is.null(one$learned)) learned <<- c(learned, one$learned(run$gp))
    if (one$kind != "class") return(inside(one, run$gp, run$x, run$f))
    data.frame(seed, said = as.vector(predict(run$gp, run$x)), true = as.vector(one$probability(run$f)))
  })
  case <- sprintf("%s, %d streams", one$name, many)
  if (one$kind == "class") note_calibration(case, do.call(rbind, runs)) else note_coverage(case, unlist(runs))
  true <- if (is.null(one$true)) one$noise else one$true
  if (!is.null(learned)) note("coverage", case, "parameter learned over true, median", stats::median(learned) / true)
}

if ("coverage" %in% parts) for (one in several) cover_several(one, if (one$kind == "class") 2 * streams else streams)
if ("streaming" %in% parts) for (one in several) for (order in c("random", "sorted")) stream_several(one, order)
source(file.path(here, "likelihoods", "stress.R"))
source(file.path(here, "likelihoods", "speed.R"))
whole <- !quick && is.null(value("only")) && is.null(value("streams")) && is.null(value("likelihoods"))
file <- value("out", if (whole) file.path(here, "results", "likelihoods.csv") else tempfile(fileext = ".csv"))
utils::write.csv(table, file, row.names = FALSE)
cat("written to", file, "\n")
