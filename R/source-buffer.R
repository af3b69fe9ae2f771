# The buffer of a source: chunks as they come, batches as they are wanted.

# A chunk, with the rows left out since the one before. The first rows are remembered where nothing else
# tells one source from another.
drawn <- function(source, n) {
  chunk <- draw(source, n)
  if (is.null(chunk)) return(NULL)
  check_chunk(chunk)
  behind <- attr(chunk, "behind")
  if ((source$behind > 0 || !is.null(behind)) && batch_rows(chunk) > 0) {
    gaps <- attr(chunk, "gaps")
    if (is.null(gaps)) gaps <- numeric(batch_rows(chunk))
    chunk <- with_gaps(chunk, replace(gaps, 1, gaps[1] + source$behind))
    source$behind <- sum(behind)
  }
  if (source$remembers) remember_head(source, chunk)
  chunk
}

# The short way, when a chunk is a batch; otherwise NULL, and the chunk is in the buffer.
draw_whole <- function(source, n) {
  chunk <- drawn(source, n)
  if (is.null(chunk)) return(NULL)
  rows <- batch_rows(chunk)
  if (rows == n) return(chunk)
  if (rows > 0) source$buffer <- pieces(chunk, n, n)
  NULL
}

# A large chunk as batches of n, the first of them smaller: cut once, not again for every batch.
pieces <- function(chunk, first, n) {
  rows <- batch_rows(chunk)
  if (rows <= first) return(list(chunk))
  from <- c(1, seq(first + 1, rows, by = n))
  Map(function(from, to) batch_part(chunk, from:to), from, c(from[-1] - 1, rows))
}

# Draw until there are n rows, or a chunk of another shape than those before it.
fill_buffer <- function(source, n) {
  if (length(source$buffer) > 0 && batch_rows(source$buffer[[1]]) >= n) return(invisible())
  held <- if (length(source$buffer) > 0) sum(vapply(source$buffer, batch_rows, 0)) else 0
  while (held < n && (length(source$buffer) < 2 || one_shape(source$buffer))) {
    chunk <- drawn(source, n - held)
    if (is.null(chunk)) break
    rows <- batch_rows(chunk)
    if (rows == 0) next
    source$buffer <- c(source$buffer, pieces(chunk, n - held, n))
    held <- held + rows
  }
}

# Only the last two need be looked at: drawing stops where they differ.
one_shape <- function(buffer) {
  last <- length(buffer)
  identical(shape(buffer[[last - 1]]), shape(buffer[[last]]))
}

# The first rows of the buffer, n at most, all of one shape.
cut_buffer <- function(source, n) {
  if (length(source$buffer) == 0) return(NULL)
  first <- batch_rows(source$buffer[[1]])
  if (first == n || (length(source$buffer) == 1 && first <= n)) {
    batch <- source$buffer[[1]]
    source$buffer <- source$buffer[-1]
    return(batch)
  }
  rows <- cumsum(vapply(source$buffer, batch_rows, 0))
  used <- match(TRUE, rows >= n, nomatch = length(rows))
  shapes <- lapply(source$buffer[seq_len(used)], shape)
  used <- sum(cumprod(vapply(shapes, identical, NA, shapes[[1]])))
  batch <- bind_chunks(source$buffer[seq_len(used)])
  rest <- if (rows[used] > n) list(batch_part(batch, (n + 1):rows[used]))
  source$buffer <- c(rest, source$buffer[-seq_len(used)])
  if (is.null(rest)) batch else batch_part(batch, seq_len(n))
}

# The source stands where it stood before it gave `batch`.
put_back <- function(source, batch) {
  if (batch_rows(batch) > 0) source$buffer <- c(list(batch), source$buffer)
  source$taken <- source$taken - source_rows(batch)
}

# The same, without the rows `bad` of it, which are left out. The source stands behind them when it gives the
# next row.
put_back_without <- function(source, batch, bad) {
  source$taken <- source$taken - source_rows(batch)
  left <- gaps_without(attr(batch, "gaps"), batch_rows(batch), bad)
  if (length(source$buffer) == 0) {
    source$behind <- source$behind + left$behind
  } else if (left$behind > 0) {
    first <- source$buffer[[1]]
    gaps <- attr(first, "gaps")
    if (is.null(gaps)) gaps <- numeric(batch_rows(first))
    source$buffer[[1]] <- with_gaps(first, replace(gaps, 1, gaps[1] + left$behind))
  }
  if (length(left$keep) == 0) return(invisible())
  source$buffer <- c(list(with_gaps(batch_part(batch, left$keep), left$gaps)), source$buffer)
}

# Passes over at most so many rows of the source that are in its buffer; how many there were.
pass_buffer <- function(source, rows) {
  passed <- 0
  while (passed < rows && length(source$buffer) > 0) {
    chunk <- source$buffer[[1]]
    source$buffer <- source$buffer[-1]
    left <- rows - passed
    if (source_rows(chunk) > left) {
      gaps <- attr(chunk, "gaps")
      ends <- if (is.null(gaps)) seq_len(batch_rows(chunk)) else cumsum(gaps + 1)
      rest <- which(ends > left)
      chunk <- batch_part(chunk, rest)
      if (!is.null(gaps)) chunk <- with_gaps(chunk, replace(gaps[rest], 1, ends[rest[1]] - left - 1))
      source$buffer <- c(list(chunk), source$buffer)
      passed <- rows
    } else {
      passed <- passed + source_rows(chunk)
    }
  }
  source$taken <- source$taken + passed
  passed
}
