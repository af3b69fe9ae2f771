# What a row costs along a stream, one row at a time, from the first row on: on a random stream, and on an ordered one that
# sweeps through the square ten times. Medians over stretches of the stream, and how flat it is once the points are there.

along <- function(quick) {
  n <- if (quick) 5000 else 1e5
  cases <- list(list(points = 100, order = "random"), list(points = 500, order = "random"), list(points = 500, order = "ordered"))
  if (quick) cases <- cases[1]
  results <- lapply(cases, function(case) along_case(case$points, case$order, n))
  list(table = do.call(rbind, lapply(results, `[[`, "table")), curve = do.call(rbind, lapply(results, `[[`, "curve")))
}

along_case <- function(points, order, n) {
  setting <- sprintf("%d points, %.0e rows, %s", points, n, order)
  progress("along a stream", setting)
  data <- if (order == "random") draw(n, 2, 7) else sweep_through(n, 2, 7, passes = 10)
  gp <- oips_model(known(2, points))
  x <- one_row_each(data$x)
  pieces <- split(seq_len(n), ceiling(seq_len(n) / (n / 1000)))
  size <- numeric(length(pieces))
  took <- numeric(n)
  invisible(gc())
  for (p in seq_along(pieces)) {
    rows <- pieces[[p]]
    took[rows] <- each(length(rows), function(i) gp$update(x[[rows[i]]], data$y[rows[i]]))
    size[p] <- gp$size
  }
  # settled: the points are within one in a hundred of what they will be
  settled <- pieces[[which(size >= 0.99 * size[length(size)])[1]]][1]
  after <- took[settled:n]
  tenth <- seq_len(length(after) %/% 10)
  first <- after[tenth]
  last <- rev(after)[tenth]
  stretch <- ceiling(4 * log10(seq_len(n)))
  quality <- score(gp_predict(gp, test_set(2)$x), test_set(2))
  flat <- function(name, seconds, size, rows, quality) line("along n", setting, name, "us per row", list(seconds), size, rows, quality)
  none <- c(rmse = NA, log_score = NA)
  list(
    table = rbind(
      flat("gpstream", after, gp$size, n, quality),
      flat("gpstream, first tenth after settling", first, size[findInterval(settled, seq(1, n, length.out = length(size)))], settled + max(tenth), none),
      flat("gpstream, last tenth", last, gp$size, n, none)
    ),
    curve = data.frame(points = gp$size, order = order, n = tapply(seq_len(n), stretch, max), median = 1e6 * tapply(took, stretch, median))
  )
}
