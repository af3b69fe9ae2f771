# W5: mean and standard deviation at many places, two columns, beside the bare triangular product of that size. Exact methods
# have as many rows as gpstream has points; mgcv has 10 x 10 or 20 x 20 basis functions.

prediction <- function(quick) {
  rows <- if (quick) 5000 else 2e4
  out <- do.call(rbind, lapply(if (quick) 100 else c(100, 500), prediction_case, rows = rows, quick = quick))
  if (quick) return(out)
  rbind(out, million(500))
}

prediction_case <- function(points, rows, quick) {
  test <- test_set(2)
  x <- draw(rows, 2, 8)$x
  gp <- settled_model(2, points, if (quick) 3000 else 20000)
  makers <- list(
    gpstream = function() gp_method(gp, function() timed(predict(gp, x, se.fit = TRUE), rows)),
    "gpstream, two threads" = function() gp_method(gp, function() with_threads(2, timed(predict(gp, x, se.fit = TRUE), rows))),
    "gpstream, mean alone" = function() gp_method(gp, function() timed(predict(gp, x), rows))
  )
  others <- able(installed_peers(), c("fit", "predict"), 2)
  others <- others[!names(others) %in% c("kernlab, onlearn", "mgcv, discrete", "GPTreeO")]
  if (quick) others <- others[names(others) %in% c("hetGP", "mgcv")]
  few <- x[seq_len(if (quick) 1000 else 5000), ]
  theirs <- lapply(others, predicting_peer, points, few)
  measure("W5 prediction", sprintf("%d points, mean and sd", points), "us per row", c(makers, theirs, multiply(points, 1000)), test,
          rounds = if (quick) 2 else 5, budget = 5)
}

predicting_peer <- function(peer, points, x) function() {
  n <- if (is.null(peer$basis)) points else 5000
  data <- draw(n, 2, 1)
  model <- peer$fit(data$x, data$y, known(2, points))
  blocks <- split(seq_len(nrow(x)), ceiling(seq_len(nrow(x)) / 1000))
  method(
    function() timed(for (rows in blocks) peer$predict(model, x[rows, ]), nrow(x)),
    predict = function(x) peer$predict(model, x), rows = function() n,
    size = function() if (is.null(peer$basis)) NA else peer$basis(points)^2,
    close = function() if (!is.null(peer$close)) peer$close(model)
  )
}

million <- function(points) {
  gp <- settled_model(2, points, 20000)
  x <- draw(1e6, 2, 9)$x
  measure("W5 prediction", sprintf("%d points, mean and sd, 1e6 rows at once", points), "us per row", rounds = 1, test = test_set(2),
          makers = list(gpstream = function() gp_method(gp, function() timed(predict(gp, x, se.fit = TRUE), 1e6))))
}
