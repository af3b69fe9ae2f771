# A batch on its way from a source to a model: a data frame, or list(x = , y = ). Where rows of the source
# were left out, its attribute `gaps` has for each row how many just before it.

is_pair <- function(batch) is.list(batch) && !is.data.frame(batch)

batch_rows <- function(batch) {
  as.double(if (is.null(batch)) 0 else if (is_pair(batch)) NROW(batch$x) else nrow(batch))
}

batch_part <- function(batch, rows) {
  part <- if (is_pair(batch)) {
    list(x = some_rows(batch$x, rows), y = some_rows(batch$y, rows))
  } else {
    some_rows(batch, rows)
  }
  with_gaps(part, attr(batch, "gaps")[rows])
}

# `behind`: of a chunk on its way into the buffer, the rows left out after its last.
with_gaps <- function(batch, gaps, behind = 0) {
  attr(batch, "gaps") <- if (any(gaps > 0)) gaps
  attr(batch, "behind") <- if (any(behind > 0)) behind
  batch
}

# Rows of the source up to the end of the batch.
source_rows <- function(batch) batch_rows(batch) + sum(attr(batch, "gaps"))

# How many rows of the source lie before each row that is kept, since the one kept before it; and behind the
# last.
gaps_without <- function(gaps, rows, bad) {
  if (is.null(gaps)) gaps <- numeric(rows)
  keep <- setdiff(seq_len(rows), bad)
  ends <- cumsum(gaps + 1)
  list(keep = keep, gaps = diff(c(0, ends[keep])) - 1, behind = sum(gaps + 1) - max(0, ends[keep]))
}

# x[rows, ] without its cost for data frames, most of which goes into row names.
some_rows <- function(x, rows) {
  if (!is.data.frame(x)) return(if (length(dim(x)) == 2) x[rows, , drop = FALSE] else x[rows])
  columns <- lapply(as.list(x), some_rows, rows)
  structure(columns, class = "data.frame", row.names = .set_row_names(length(rows)))
}

check_chunk <- function(chunk) {
  if (is.data.frame(chunk)) return(invisible())
  if (!is.list(chunk) || length(chunk) != 2 || !all(c("x", "y") %in% names(chunk))) {
    abort("type", "a source must give data frames, or lists of `x` and `y`, not ", describe(chunk), ".")
  }
  if (NROW(chunk$x) != NROW(chunk$y)) {
    abort("dimension", "`y` has ", count(NROW(chunk$y), "value"), " for ",
      count(NROW(chunk$x), "row"), " of `x`.")
  }
}

# Chunks of one shape can be put one below the other without changing what is in them.
shape <- function(chunk) {
  if (is_pair(chunk)) return(list(shape_of(chunk$x), shape_of(chunk$y)))
  lapply(as.list(chunk), shape_of)
}

shape_of <- function(x) if (is.data.frame(x)) shape(x) else list(kind(x), NCOL(x), colnames(x))

# Numbers are numbers, words are words; anything else is its class.
kind <- function(x) {
  if (is.object(x) && !is.factor(x)) return(class(x))
  if (is.factor(x) || is.character(x)) {
    "character"
  } else if (is.numeric(x) || is.logical(x)) {
    "numeric"
  } else {
    typeof(x)
  }
}

same_shape <- function(one, two) identical(shape(one), shape(two))

# At most `most` of n rows, evenly spread.
spread_rows <- function(n, most) if (n <= most) seq_len(n) else round(seq(1, n, length.out = most))
