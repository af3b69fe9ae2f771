# What the process that reads a shard does for fit_shards(): passes over its rows, each in bounded memory.
# `reading`: a list of `spec` and `frame`, how rows are read, and of `key`, which with the `number` of the
# shard names rows that are kept between passes.

pass_batch <- 10000

pass_frame <- function(source, number, reading) {
  source <- open_shard(source)
  on.exit(release(source))
  repeat {
    batch <- take_batch(source, pass_batch)
    if (is.null(batch)) return(NULL)
    rows <- read_pass(reading, batch)
    if (nrow(rows$x) == 0) next
    ends <- if (nrow(rows$x) > 1) apply(rows$x, 2, range) # of each column
    return(list(frame = rows$frame, numeric = rows$numeric, ends = ends))
  }
}

pass_count <- function(source, number, reading) {
  n <- 0
  dropped <- each_batch(source, number, reading, function(rows) n <<- n + nrow(rows$x))
  c(rows = n, dropped = dropped)
}

pass_sample <- function(source, number, reading, limit, first) {
  sample <- core_sample_new(limit, reading$frame$D, first)
  each_batch(source, number, reading, function(rows) core_sample_add(sample, rows$x, rows$y, rows$weights))
  core_sample_list(sample)
}

# Points that the rule chooses from the shard; beyond those that there are already, if any.
pass_points <- function(source, number, reading, rule, from = NULL) {
  set <- new_points(rule, reading$frame$D, from)
  turned_away <- 0
  each_batch(source, number, reading, function(rows) {
    turned_away <<- turned_away + core_set_update(set, rows$x, rule$variance, rule$noise)
  })
  points <- core_set_state(set)$points
  fresh <- seq_len(nrow(points)) > if (is.null(from)) 0 else nrow(from)
  list(points = points[fresh, , drop = FALSE], turned_away = turned_away)
}

# What the rows say, seen from a kernel and points; with `last`, nothing is kept any more.
pass_sums <- function(source, number, reading, view, last = FALSE) {
  pass <- core_pass_new(view, NULL, FALSE)
  each_batch(source, number, reading, function(rows) core_pass_add(pass, rows$x, rows$y, rows$weights))
  if (last) forget_rows()
  core_pass_list(pass)
}

# How the bound of all rows changes through these.
pass_slopes <- function(source, number, reading, view, adjoint, points) {
  pass <- core_pass_new(view, adjoint, points)
  each_batch(source, number, reading, function(rows) core_pass_add(pass, rows$x, rows$y, rows$weights))
  core_pass_list(pass)
}

new_points <- function(rule, columns, from = NULL) {
  if (is.null(from) || nrow(from) == 0) return(core_set_new(rule$kernel, rule$select, columns))
  core_set_from(rule$kernel, rule$select, from)
}

# --- rows ---------------------------------------------------------------------------------------------------

# Rows that were read for the call `key`, by the number of their shard: those of another call go.
shard_cache <- new.env(parent = emptyenv())
shard_cache$most <- 2^28 # bytes, of all shards

forget_rows <- function(key = "") {
  shard_cache$key <- key
  shard_cache$shards <- list()
  shard_cache$bytes <- 0
}

# f(rows) for each batch: `x`, `y` and `weights`, none where all are 1. How many rows were dropped on the way.
each_batch <- function(source, number, reading, f) {
  if (!identical(shard_cache$key, reading$key)) forget_rows(reading$key)
  name <- as.character(number)
  kept <- shard_cache$shards[[name]]
  if (!is.null(kept)) {
    for (rows in kept) f(rows)
    return(0)
  }
  source <- open_shard(source)
  on.exit(release(source))
  kept <- list()
  bytes <- shard_cache$bytes
  dropped <- 0
  while (!is.null(batch <- take_batch(source, pass_batch))) {
    rows <- read_pass(reading, batch)
    dropped <- dropped + batch_rows(batch) - nrow(rows$x)
    if (nrow(rows$x) == 0) next
    rows <- list(x = unname(rows$x), y = as.double(rows$y), weights = numbers_or_none(rows$weights))
    f(rows)
    bytes <- bytes + 8 * sum(lengths(rows))
    kept <- if (bytes <= shard_cache$most && !is.null(kept)) c(kept, list(rows))
  }
  if (!is.null(kept)) {
    shard_cache$shards[[name]] <- kept
    shard_cache$bytes <- bytes
  }
  dropped
}

read_pass <- function(reading, batch) {
  given <- for_spec(reading$spec, batch, "y")
  quiet_drops(read_rows(
    reading$spec, reading$spec$likelihood, reading$frame, given$x, given$y, given$data
  ))
}
