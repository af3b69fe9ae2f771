# Accuracy against time on a random and on an ordered stream of the same rows: what a method costs to be done with 1e4 rows
# of two columns, one at a time, and how well it then knows the function everywhere. gpstream at several thresholds,
# with no look-back, the default and a long one; exact methods get a part of the rows, evenly spread, mgcv batches of 1000.

streams <- function(quick) {
  n <- if (quick) 1000 else 1e4
  f <- target(2, spread = 7.7)
  test <- test_set(2, f = f)
  do.call(rbind, lapply(c("random", "ordered"), function(order) {
    data <- if (order == "random") draw(n, 2, 11, f) else sweep_through(n, 2, 11, f)
    measure("stream", sprintf("%s, %.0e rows", order, n), "s", c(own_streams(data, quick), peer_streams(data, quick)), test,
            rounds = if (quick) 1 else 3, budget = 3)
  }))
}

own_streams <- function(data, quick) {
  x <- one_row_each(data$x)
  one <- function(rho, lookback) function() {
    gp <- NULL
    method(
      function() {
        gp <<- oips_model(known(2, 100), lookback, rho)
        timed(for (i in seq_along(x)) gp$update(x[[i]], data$y[i]))
      },
      predict = function(x) gp_predict(gp, x), size = function() gp$size, rows = function() gp$nobs
    )
  }
  cases <- expand.grid(rho = if (quick) 0.8 else c(0.6, 0.7, 0.8, 0.9, 0.95), lookback = c(100, 0, 1000))
  makers <- Map(one, cases$rho, cases$lookback)
  names(makers) <- with(cases, ifelse(rho == 0.8 & lookback == 100, "gpstream", sprintf("gpstream, rho %.2f, look-back %d", rho, lookback)))
  makers
}

peer_streams <- function(data, quick) {
  n <- nrow(data$x)
  # `used` rows evenly spread: ten to begin with, then one at a time, or all in batches of 1000
  thinned <- function(peer, used) function() {
    rows <- round(seq(1, n, length.out = used))
    batches <- split(rows, if (isTRUE(peer$batches)) ceiling(seq_along(rows) / 1000) else pmax(seq_along(rows), 10))
    model <- NULL
    method(
      function() timed({
        model <<- peer$fit(data$x[batches[[1]], ], data$y[batches[[1]]], known(2, 100))
        for (batch in batches[-1]) model <<- peer$update(model, data$x[batch, , drop = FALSE], data$y[batch])
      }),
      predict = function(x) peer$predict(model, x), rows = function() used
    )
  }
  others <- able(installed_peers(), c("fit", "update"), 2)
  unlist(unname(Map(function(name, peer) {
    used <- if (isTRUE(peer$exact)) c(125, 250, 500, if (name == "laGP") 1000) else if (is.null(peer$most)) n else peer$most
    if (quick) used <- if (name %in% c("laGP", "hetGP")) 125 else integer()
    setNames(lapply(used, thinned, peer = peer), sprintf("%s, %d rows", name, as.integer(used)))
  }, names(others), others)))
}
