# W4: all of a fit: hyper-parameters learned from the data, and the test rows predicted. Methods that cannot take all rows get
# as many as take them seconds. And one evaluation of bound and gradient, beside the bare operations of that size.

fits <- function(quick) {
  cases <- if (quick) list(c(2, 1000)) else list(c(1, 1e4), c(2, 1e4), c(8, 1e4))
  rbind(do.call(rbind, lapply(cases, function(case) fit_case(case[1], case[2], quick))), gradient(quick), warm_ups(quick))
}

fit_case <- function(D, n, quick) {
  test <- test_set(D)
  data <- draw(n, D, 1)
  # The time is that of fitting and predicting; what was predicted is kept for the score.
  whole <- function(learn, predict, used = n, asked = nrow(test$x), size = function(model) NA) function() {
    model <- answer <- NULL
    rows <- round(seq(1, n, length.out = used))
    method(
      function() timed({
        model <<- learn(data$x[rows, , drop = FALSE], data$y[rows])
        answer <<- predict(model, test$x[seq_len(asked), , drop = FALSE])
      }),
      predict = function(x) answer,
      rows = function() used, size = function() size(model)
    )
  }
  stream <- function(kernel) function(x, y) {
    gp <- streaming_gp(kernel = kernel)
    for (batch in split(seq_len(nrow(x)), ceiling(seq_len(nrow(x)) / 1000))) gp$update(x[batch, , drop = FALSE], y[batch])
    gp
  }
  makers <- list(gpstream = whole(stream(kernel_se()), gp_predict, size = function(gp) gp$size))
  if (D > 1 && !quick) makers[["gpstream, a lengthscale a column"]] <- whole(stream(kernel_se("ard")), gp_predict, size = function(gp) gp$size)
  others <- able(installed_peers(), "learn", D)
  if (quick) others <- others[names(others) == "hetGP"]
  theirs <- lapply(others, function(peer) {
    used <- min(n, if (quick && !is.null(peer$most)) 100 else peer$most)
    whole(peer$learn, peer$predict, used, min(nrow(test$x), peer$asked))
  })
  measure("W4 fit", sprintf("D = %d, %.0e rows", D, n), "s", c(makers, theirs), test, rounds = if (quick) 1 else 3, budget = 2)
}

# One evaluation of the bound and its whole gradient over n rows with M points chosen among them.
gradient <- function(quick) {
  n <- if (quick) 1000 else 1e4
  M <- if (quick) 100 else 500
  D <- 8
  data <- draw(n, D, 1)
  kernel <- kernel_se(rep(known(D, 500)$lengthscale, D), 1)
  Z <- data$x[seq_len(M), ]
  gp <- streaming_gp(kernel = kernel, noise = noise_variance, mean = "zero", select = select_fixed(Z), lookback = 0, optimize = "none")
  gp$update(data$x[1:2, ], data$y[1:2])
  empty <- gpstream:::core_gp_copy(gp$state$handle)
  objective <- gpstream:::core_objective(empty, data$x, data$y)
  copy <- function() gpstream:::core_gp_copy(empty)
  measure(
    "W4 gradient", sprintf("D = %d, %d points, %.0e rows", D, M, n), "s", rounds = 3, budget = 4,
    makers = c(
      list(
        gpstream = function() method(function() timed(gpstream:::core_objective_at(objective, kernel, Z, noise_variance, 0, FALSE)), size = function() M, rows = function() n),
        "gpstream, absorbing the rows" = function() method(function() timed(gpstream:::core_gp_take(list(handle = copy(), frame = gp$state$frame, plain = TRUE), data$x, data$y)), size = function() M, rows = function() n)
      ),
      lapply(solve_and_update(M, n), function(make) function() {
        bare <- make()
        replace(bare, "run", list(function() n * bare$run()))
      })
    )
  )
}

# What the last row of the default warm-up costs.
warm_ups <- function(quick) {
  do.call(rbind, lapply(if (quick) 1 else c(1, 2, 5), function(D) {
    data <- draw(200, D, 1, function(x) sin(5 * x[, 1]))
    gp <- NULL
    measure("W4 warm-up", sprintf("D = %d, 200 rows", D), "s", rounds = 3, budget = 2, makers = list(
      gpstream = function() method(function() timed(gp <<- streaming_gp()$update(data$x, data$y)), size = function() gp$size, rows = function() 200)
    ))
  }))
}
