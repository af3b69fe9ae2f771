# W2: one row at a time, two columns; the hyper-parameters are given. gpstream with about `points` points after a stream of
# 20000 rows; exact methods with `rows` rows. Each call is timed by itself.

one_row <- function(quick) {
  cases <- if (quick) list(c(100, 100)) else list(c(100, 100), c(100, 200), c(500, 500), c(500, 1000), c(500, 2000))
  do.call(rbind, lapply(cases, function(case) one_row_case(case[1], case[2], quick)))
}

# An endless supply of rows.
supply <- function(D, seed, n) {
  data <- draw(n, D, seed)
  x <- one_row_each(data$x)
  at <- 0
  function() {
    at <<- at %% n + 1
    list(x = x[[at]], y = data$y[at])
  }
}

one_row_case <- function(points, rows, quick) {
  burn <- if (quick) 3000 else 20000
  calls <- if (quick) 200 else 1000
  test <- test_set(2)
  asked <- test$x[1, , drop = FALSE]

  # Some calls of act() a round.
  own <- function(act) function() {
    gp <- settled_model(2, points, burn)
    nxt <- supply(2, 5, 10000)
    gp_method(gp, function() {
      batch <- lapply(seq_len(calls), function(i) nxt())
      each(calls, function(i) act(gp, batch[[i]]))
    })
  }
  other <- function(peer, act) function() {
    data <- draw(rows, 2, 1)
    model <- peer$fit(data$x, data$y, known(2, points))
    nxt <- supply(2, 5, 1000)
    seen <- rows
    few <- 1 # calls a round: five where they take less than 0.1 s
    method(
      function() {
        batch <- lapply(seq_len(few), function(i) nxt())
        seen <<- seen + few
        took <- each(few, function(i) model <<- act(peer, model, batch[[i]]))
        if (took[1] < 0.1) few <<- 5
        took
      },
      predict = function(x) peer$predict(model, x), rows = function() seen,
      size = function() if (is.null(peer$basis)) NA else peer$basis(points)^2,
      close = function() if (!is.null(peer$close)) peer$close(model)
    )
  }
  others <- able(installed_peers(), c("fit", "update"), 2)
  if (rows > points || quick) others <- Filter(function(peer) isTRUE(peer$exact), others)
  if (quick) others <- others[names(others) %in% c("laGP", "hetGP")]
  setting <- sprintf("%d points, %d rows", points, rows)
  update <- measure(
    "W2 one row", paste0(setting, ": update"), "us per row", test = test, rounds = 10, budget = 2,
    makers = c(
      list(gpstream = own(function(gp, row) gp$update(row$x, row$y))),
      lapply(others, other, act = function(peer, model, row) peer$update(model, row$x, row$y)),
      memory_copy(points)
    )
  )
  if (rows > points) return(update)
  both <- measure(
    "W2 one row", paste0(setting, ": update, then predict one with sd"), "us per row", test = test, rounds = 5, budget = 1,
    makers = c(
      list(gpstream = own(function(gp, row) {
        gp$update(row$x, row$y)
        predict(gp, asked, se.fit = TRUE)
      })),
      lapply(others, other, act = function(peer, model, row) {
        model <- peer$update(model, row$x, row$y)
        peer$predict(model, asked)
        model
      })
    )
  )
  rbind(update, both)
}
