# The buffer of a source: chunks as they come, batches as they are wanted.

# The short way, when a chunk is a batch; otherwise NULL, and the chunk is in the buffer.
draw_whole <- function(source, n) {
  chunk <- draw(source, n)
  if (is.null(chunk)) return(NULL)
  check_chunk(chunk)
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
    chunk <- draw(source, n - held)
    if (is.null(chunk)) break
    check_chunk(chunk)
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
  source$buffer <- c(list(batch), source$buffer)
  source$taken <- source$taken - batch_rows(batch)
}
