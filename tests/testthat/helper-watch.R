# Players of the live page, for tests without a browser and without waiting: the clock stands still until pass() moves it.

# A data frame of toy rows.
toy_stream <- function(n = 200, D = 1) {
  rows <- toy(n, D)
  data.frame(stats::setNames(as.data.frame(rows$x), paste0("x", seq_len(D))), y = rows$y)
}

toy_player <- function(data = toy_stream(), ..., gp = streaming_gp(y ~ ., kernel = kernel_se(1, 1), noise = 0.01, mean = 0, optimize = "none")) {
  hands <- new.env()
  hands$now <- 100
  player <- gpstream:::new_player(gp, as_source(data), ..., clock = function() hands$now)
  player$hands <- hands
  player
}

pass <- function(player, seconds) player$hands$now <- player$hands$now + seconds

# After some batches.
played <- function(steps, ...) {
  player <- toy_player(...)
  for (i in seq_len(steps)) gpstream:::player_step(player)
  player
}
