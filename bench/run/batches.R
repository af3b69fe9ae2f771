# W3: batches of 100 and of 1000 rows in two columns, beside the bare triangular solve and symmetric update of that size.
# mgcv: bam.update() batch by batch, and bam(discrete = TRUE) once, with all the rows at hand.

batches <- function(quick) {
  cases <- if (quick) list(c(100, 1000)) else list(c(100, 100), c(100, 1000), c(500, 100), c(500, 1000))
  do.call(rbind, lapply(cases, function(case) batch_case(case[1], case[2], quick)))
}

batch_case <- function(points, B, quick) {
  test <- test_set(2)
  burn <- if (quick) 5000 else 20000
  runs <- if (B == 1000) 2 else 5
  M <- NA
  own <- function(then, threads = 1) function() {
    gp <- settled_model(2, points, burn)
    M <<- gp$size
    seed <- 10
    gp_method(gp, function() {
      seed <<- seed + 1
      data <- lapply(seq_len(runs), function(i) draw(B, 2, 100 * seed + i))
      with_threads(threads, vapply(data, function(d) timed({
        gp$update(d$x, d$y)
        then(gp)
      }, B), 0))
    })
  }
  makers <- list(
    gpstream = own(function(gp) NULL),
    "gpstream, two threads" = own(function(gp) NULL, 2),
    "gpstream, posterior read after each batch" = own(function(gp) predict(gp, test$x[1, , drop = FALSE], se.fit = TRUE))
  )
  makers <- c(makers, lapply(able(installed_peers(), "batches", 2), batch_peer, points, B))
  if (B == 1000) makers <- c(makers, lapply(able(installed_peers(), "whole", 2), whole_peer, points, if (quick) 1e4 else 1e5))
  measure("W3 batches", sprintf("%d points, batches of %d", points, B), "us per row", test = test, rounds = if (quick) 3 else 10, budget = 3,
          makers = c(makers, solve_and_update(points, B)))
}

batch_peer <- function(peer, points, B) function() {
  data <- draw(5000, 2, 1)
  model <- peer$fit(data$x, data$y, known(2, points))
  seed <- 10
  seen <- 5000
  method(
    function() {
      seed <<- seed + 1
      seen <<- seen + B
      d <- draw(B, 2, 100 * seed)
      timed(model <<- peer$update(model, d$x, d$y), B)
    },
    predict = function(x) peer$predict(model, x), rows = function() seen, size = function() peers$mgcv$basis(points)^2
  )
}

whole_peer <- function(peer, points, n) function() {
  data <- draw(n, 2, 1)
  model <- NULL
  method(
    function() timed(model <<- peer$fit(data$x, data$y, known(2, points)), n),
    predict = function(x) peer$predict(model, x), rows = function() n, size = function() peers$mgcv$basis(points)^2
  )
}
