# The part coverage of bench/likelihoods.R. Streams come in turns, some of each likelihood in each, until there are enough or the time is
# over; what each turn has found is written after it, under the number of streams that there are by then.

# The default call on 400 rows of a function drawn with seed `seed`: the model, and 400 new rows.
one_stream <- function(one, seed) {
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

# Of a stream of classes its sums over ten bins of the predicted probability, else the share inside.
in_bins <- function(said, true) {
  bin <- cut(as.vector(said), 0:10 / 10, include.lowest = TRUE)
  sums <- function(x) as.vector(tapply(x, bin, sum, default = 0))
  list(count = sums(rep(1, length(bin))), off = sums(as.vector(true) - as.vector(said)))
}
found_in <- function(one, seed) {
  run <- if (is.null(one$K)) one_stream(one, seed) else one_stream_of_several(one, seed)
  learned <- if (!is.null(one$learned)) one$learned(run$gp)
  if (one$kind == "class") return(c(in_bins(predict(run$gp, run$x), one$probability(run$f)), learned = learned))
  list(share = inside(one, run$gp, run$x, run$f), learned = learned)
}

note_calibration <- function(case, runs) {
  count <- do.call(cbind, lapply(runs, `[[`, "count"))
  off <- do.call(cbind, lapply(runs, `[[`, "off"))
  all <- rowSums(count)
  mean_off <- rowSums(off) / all
  se <- sqrt(rowSums((off - mean_off * count)^2)) / all # rows of one stream belong together
  worst <- which.max(ifelse(all >= sum(all) / 100, abs(mean_off), 0))
  note("coverage", case, "true less predicted probability, worst of ten bins (bar 0.02)", mean_off[worst])
  note("coverage", case, "standard error of that", se[worst])
  note("coverage", case, "the bin", worst)
  note("coverage", case, "true less predicted, mean of absolute values", sum(abs(rowSums(off))) / sum(all))
}
note_coverage <- function(case, share) {
  note("coverage", case, "share inside 95 % (bar 0.935 to 0.965)", mean(share))
  note("coverage", case, "standard error of that", stats::sd(share) / sqrt(length(share)))
  note("coverage", case, "share inside, worst stream", min(share))
}
note_streams <- function(one, runs) {
  case <- sprintf("%s, %d streams", one$name, length(runs))
  if (one$kind == "class") note_calibration(case, runs) else note_coverage(case, vapply(runs, `[[`, 0, "share"))
  learned <- unlist(lapply(runs, `[[`, "learned"))
  true <- if (is.null(one$true)) one$noise else one$true
  if (!is.null(learned)) note("coverage", case, "parameter learned over true, median", stats::median(learned) / true)
}

if ("coverage" %in% parts) {
  tried <- c(likelihoods, several)
  runs <- lapply(tried, function(one) list())
  while (any(lengths(runs) < streams) && Sys.time() < end) {
    table <- table[table$part != "coverage", ]
    for (name in names(tried)) {
      turn <- if (tried[[name]]$kind == "class") 2 * turn_of else turn_of
      for (seed in length(runs[[name]]) + seq_len(min(turn, streams - length(runs[[name]])))) {
        if (Sys.time() < end) runs[[name]][[seed]] <- found_in(tried[[name]], seed)
      }
      if (length(runs[[name]]) > 1) note_streams(tried[[name]], runs[[name]])
    }
  }
}
