# An even sample of the rows of all shards, to find a kernel by before any of them is learned: blocks of
# consecutive rows with the smallest hashes. Which these are depends on the shards alone, not on who reads
# them.

sample_rows <- 1000
sample_block <- 10

# Of one shard, as the source gives them: `rows`, batches of at most `sample_rows` rows in all, `hash` of each
# row's block; all words of columns that are no numbers, which a sample may lack; and how many rows there are.
shard_sample <- function(source, part, settings) {
  source <- open_shard(source)
  on.exit(release(source))
  if (inherits(source, "gpstream_source")) source$skips <- settings$skips
  chunks <- hashes <- list()
  words <- list()
  seen <- 0
  limit <- 1 # hashes from here on are too large
  repeat {
    batch <- take_sound(source, settings)
    if (is.null(batch)) break
    n <- batch_rows(batch)
    hash <- core_hashes(part, floor((seen + seq_len(n) - 1) / sample_block))
    seen <- seen + n
    if (!is_pair(batch)) words <- add_words(words, batch)
    keep <- which(hash < limit)
    if (length(keep) == 0) next
    chunks <- c(chunks, list(batch_part(batch, keep)))
    hashes <- c(hashes, list(hash[keep]))
    if (sum(lengths(hashes)) < 2 * sample_rows) next
    kept <- smallest(chunks, hashes)
    chunks <- list(kept$rows)
    hashes <- list(kept$hash)
    limit <- kept$limit
  }
  c(smallest(chunks, hashes), list(words = words, seen = seen))
}

# A batch that cannot be read is left out, if that is what is wanted: later passes say so.
take_sound <- function(source, settings) {
  repeat {
    batch <- tryCatch(take_batch(source, settings$size), gpstream_error_rows = identity)
    if (!inherits(batch, "error")) return(batch)
    if (!settings$skips) stop(batch)
    drop_bad(source)
  }
}

# Whole blocks, in the order of the rows. `limit`: no block with a larger hash will ever be among them.
smallest <- function(chunks, hashes) {
  if (length(chunks) == 0) return(list(rows = NULL, hash = numeric(), limit = 1))
  rows <- bind_chunks(chunks)
  hash <- unlist(hashes)
  if (length(hash) <= sample_rows) return(list(rows = rows, hash = hash, limit = 1))
  limit <- sort(hash)[sample_rows + 1]
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

# Samples of all shards as one, in their order: a batch for a model. Columns of words get all the words there
# are, so that none is unknown later, where the formula takes them for categories.
joint_sample <- function(samples, formula) {
  samples <- Filter(function(one) !is.null(one$rows), samples)
  kept <- smallest(lapply(samples, `[[`, "rows"), lapply(samples, `[[`, "hash"))
  rows <- kept$rows
  if (is.null(rows) || is_pair(rows) || is.null(formula)) return(rows)
  frame <- formula_frame(check_formula(formula), rows, "data")
  for (name in intersect(names(frame$xlevels), names(rows))) {
    words <- unique(unlist(lapply(samples, function(one) one$words[[name]])))
    rows[[name]] <- factor(rows[[name]], if (is.factor(rows[[name]])) words else sort(words))
  }
  rows
}
