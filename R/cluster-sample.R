# An even sample of the rows of all shards, to find a kernel by before any of them is learned: blocks of
# consecutive rows with the smallest hashes. Which these are depends on the shards alone, not on who reads
# them.

sample_rows <- 1000
sample_block <- 10

# Of one shard, in the columns of the model: `rows`, a batch of at most `most` rows, `hash` of each row's
# block; all words of columns that are no numbers, which a sample may lack; how many rows could be read
# (`seen`), and how many could not and are `left_out`, if that is what is wanted.
shard_sample <- function(source, part, settings, spec, most) {
  source <- open_shard(source)
  on.exit(release(source))
  if (inherits(source, "gpstream_source")) source$skips <- settings$skips
  chunks <- hashes <- list()
  words <- list()
  seen <- 0
  left_out <- 0
  limit <- 1 # hashes from here on are too large
  repeat {
    taken <- sample_batch(source, settings, spec, if (length(chunks) > 0) chunks[[1]])
    if (is.null(taken)) break
    left_out <- left_out + taken$left_out
    batch <- taken$batch
    n <- batch_rows(batch)
    if (n == 0) next
    hash <- core_hashes(part, floor((seen + seq_len(n) - 1) / sample_block))
    seen <- seen + n
    if (!is_pair(batch)) words <- add_words(words, batch)
    keep <- which(hash < limit)
    if (length(keep) == 0) next
    chunks <- c(chunks, list(batch_part(batch, keep)))
    hashes <- c(hashes, list(hash[keep]))
    if (sum(lengths(hashes)) < 2 * most) next
    kept <- smallest(chunks, hashes, most)
    chunks <- list(kept$rows)
    hashes <- list(kept$hash)
    limit <- kept$limit
  }
  c(smallest(chunks, hashes, most), list(words = words, seen = seen, left_out = left_out))
}

# The next `batch`, in the columns of the model and so that it can be put below the first one; NULL after the
# last. One that cannot be read is left out, if that is what is wanted.
sample_batch <- function(source, settings, spec, first) {
  batch <- NULL
  tryCatch({
    batch <- take_batch(source, settings$size)
    if (is.null(batch)) return(NULL)
    own <- own_columns(spec, batch, settings$response)
    if (!is.null(first)) check_below(first, own)
    list(batch = own, left_out = source_rows(batch) - batch_rows(batch))
  }, gpstream_error = function(e) {
    unread <- is.null(batch)
    if (!settings$skips || unread && !inherits(e, "gpstream_error_rows")) stop(e)
    if (unread) drop_bad(source)
    list(batch = NULL, left_out = if (unread) e$rows else source_rows(batch))
  })
}

# Whole blocks, in the order of the rows. `limit`: no block with a larger hash will ever be among them.
smallest <- function(chunks, hashes, most) {
  if (length(chunks) == 0) return(list(rows = NULL, hash = numeric(), limit = 1))
  rows <- bind_chunks(chunks)
  hash <- unlist(hashes)
  if (length(hash) <= most) return(list(rows = rows, hash = hash, limit = 1))
  limit <- sort(hash)[most + 1]
  keep <- which(hash < limit)
  list(rows = batch_part(rows, keep), hash = hash[keep], limit = limit)
}

# The words in each column; of one with very many it does not matter which.
add_words <- function(words, batch) {
  for (name in names(batch)) {
    values <- batch[[name]]
    fresh <- if (is.factor(values)) levels(values) else if (is.character(values)) unique(values)
    if (length(words[[name]]) <= sample_rows) words[[name]] <- union(words[[name]], fresh[!is.na(fresh)])
  }
  words
}

# Samples of all shards as one, in their order: a batch for the model (`rows`). Columns of words get all the
# words there are, so that none is unknown later, where the formula takes them for categories. A shard that
# the model cannot read, or whose columns are not those of the first, is an error or, where batches that fail
# are skipped, is `left_out`.
joint_sample <- function(run, samples, most) {
  formula <- spec_of(run$gp)$formula
  first <- NULL
  left_out <- 0
  for (i in seq_along(samples)) {
    rows <- samples[[i]]$rows
    if (is.null(rows)) next
    failed <- tryCatch(check_sample(run$gp, rows, first), gpstream_error = identity)
    if (is.null(failed)) {
      if (is.null(first)) first <- rows
      next
    }
    if (!run$settings$skips) value_of(list(failed = failed), source_label(run$sources, i))
    left_out <- left_out + samples[[i]]$seen
    samples[[i]]["rows"] <- list(NULL)
  }
  samples <- Filter(function(one) !is.null(one$rows), samples)
  rows <- smallest(lapply(samples, `[[`, "rows"), lapply(samples, `[[`, "hash"), most)$rows
  if (!is.null(rows) && !is.null(formula)) rows <- with_all_words(rows, formula, samples)
  list(rows = rows, left_out = left_out)
}

# Can the model read these rows, and can they stand below the first ones?
check_sample <- function(gp, rows, first) {
  formula <- spec_of(gp)$formula
  if (is_started(gp)) {
    given <- for_model(gp, rows, "y")
    quiet_drops(read_batch(gp, given$x, given$y, given$data))
  } else if (is.null(first) && !is.null(formula)) {
    formula_terms(check_formula(formula), rows, "data")
  }
  if (!is.null(first)) check_below(first, rows)
  NULL
}

with_all_words <- function(rows, formula, samples) {
  frame <- formula_frame(check_formula(formula), rows, "data")
  for (name in intersect(names(frame$xlevels), names(rows))) {
    words <- unique(unlist(lapply(samples, function(one) one$words[[name]])))
    rows[[name]] <- factor(rows[[name]], if (is.factor(rows[[name]])) words else sort(words))
  }
  rows
}
