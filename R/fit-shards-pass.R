# What the process that reads a shard does: passes over its rows, each in bounded memory. `shard` is a list of
# `key` and `number`, by which rows are kept between passes; `source`; `spec` and `frame`, how they are read.

shard_batch <- 10000

shard_frame <- function(shard) {
  source <- open_shard(shard$source)
  on.exit(release(source))
  repeat {
    batch <- take_batch(source, shard_batch)
    if (is.null(batch)) return(NULL)
    rows <- read_shard_rows(shard, batch)
    if (nrow(rows$x) == 0) next
    ends <- if (nrow(rows$x) > 1) apply(rows$x, 2, range) # of each column
    return(list(frame = rows$frame, numeric = rows$numeric, ends = ends))
  }
}

shard_count <- function(shard) {
  n <- 0
  dropped <- each_batch(shard, function(rows) n <<- n + nrow(rows$x))
  c(rows = n, dropped = dropped)
}

shard_sample <- function(shard, limit, first) {
  sample <- core_sample_new(limit, shard$frame$D, first)
  each_batch(shard, function(rows) core_sample_add(sample, rows$x, rows$y, rows$weights))
  core_sample_list(sample)
}

# Points that the rule chooses from the shard; beyond those that there are already, if any.
shard_points <- function(shard, rule, from = NULL) {
  set <- new_points(rule, shard$frame$D, from)
  turned_away <- 0
  each_batch(shard, function(rows) {
    turned_away <<- turned_away + core_set_update(set, rows$x, rule$variance, rule$noise)
  })
  points <- core_set_state(set)$points
  if (!is.null(from)) points <- points[-seq_len(nrow(from)), , drop = FALSE]
  list(points = points, turned_away = turned_away)
}

# What the rows say, seen from a kernel and points; with `last`, rows that were kept go.
shard_sums <- function(shard, view, last = FALSE) {
  pass <- core_pass_new(view, NULL, FALSE)
  each_batch(shard, function(rows) core_pass_add(pass, rows$x, rows$y, rows$weights))
  if (last) kept_rows$shards[[as.character(shard$number)]] <- NULL
  core_pass_list(pass)
}

# How the bound of all rows changes through these.
shard_slopes <- function(shard, view, adjoint, points) {
  pass <- core_pass_new(view, adjoint, points)
  each_batch(shard, function(rows) core_pass_add(pass, rows$x, rows$y, rows$weights))
  core_pass_list(pass)
}

new_points <- function(rule, columns, from = NULL) {
  if (is.null(from) || nrow(from) == 0) return(core_set_new(rule$kernel, rule$select, columns))
  core_set_from(rule$kernel, rule$select, from)
}

# --- rows ---------------------------------------------------------------------------------------------------

# Rows that were read for the call `key`, by the number of their shard: those of another call go.
kept_rows <- new.env(parent = emptyenv())
kept_rows$most <- 2^28 # bytes, of all shards

forget_rows <- function(key = "") {
  kept_rows$key <- key
  kept_rows$shards <- list()
  kept_rows$bytes <- 0
}

# f(rows) for each batch: `x`, `y` and `weights`, none where all are 1. How many rows were dropped on the way.
each_batch <- function(shard, f) {
  if (!identical(kept_rows$key, shard$key)) forget_rows(shard$key)
  name <- as.character(shard$number)
  kept <- kept_rows$shards[[name]]
  if (!is.null(kept)) {
    for (rows in kept) f(rows)
    return(0)
  }
  source <- open_shard(shard$source)
  on.exit(release(source))
  kept <- list()
  bytes <- kept_rows$bytes
  dropped <- 0
  while (!is.null(batch <- take_batch(source, shard_batch))) {
    rows <- read_shard_rows(shard, batch)
    dropped <- dropped + batch_rows(batch) - nrow(rows$x)
    if (nrow(rows$x) == 0) next
    rows <- list(x = unname(rows$x), y = as.double(rows$y), weights = numbers_or_none(rows$weights))
    f(rows)
    bytes <- bytes + 8 * sum(lengths(rows))
    kept <- if (bytes <= kept_rows$most && !is.null(kept)) c(kept, list(rows))
  }
  if (!is.null(kept)) {
    kept_rows$shards[[name]] <- kept
    kept_rows$bytes <- bytes
  }
  dropped
}

read_shard_rows <- function(shard, batch) {
  given <- for_spec(shard$spec, batch, "y")
  read_rows(shard$spec, shard$spec$likelihood, shard$frame, given$x, given$y, given$data)
}

# Sources that are made here begin at their first row; one that cannot would have none in the next pass.
open_shard <- function(source) {
  opens <- is.function(source) && length(formals(args(source))) == 0
  opened <- as_source(if (opens) source() else source)
  if (!opens && inherits(opened, "gpstream_source") && !isTRUE(opened$anew)) {
    abort("input", "it is read once, and shards are read again and again: give a function that opens it.")
  }
  opened
}
