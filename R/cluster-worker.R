# What is done with a shard where its rows are: a sample is taken of them, points are chosen from them, or
# they are learned. In all of these a source is opened anew, and the same batches are left out.

# `sources`: what a user gives. Each is opened on the worker that reads it, and for every pass again.
check_sources <- function(sources, arg = "source", where = " where there is a `cluster`,") {
  if (is.character(sources)) sources <- as.list(sources)
  if (!is.list(sources) || is.data.frame(sources) || length(sources) == 0) {
    abort("type", "`", arg, "` must be a list of sources, one for each shard,", where, " not ",
      describe(sources), ".")
  }
  for (i in seq_along(sources)) {
    one <- sources[[i]]
    if (is_source(one) || inherits(one, c("connection", "DBIResult", "DBIConnection"))) {
      abort("type", "source ", i, " cannot be opened elsewhere (it is ", describe(one), "): give a ",
        "function() that opens it, as in function() as_source(...).")
    }
  }
  sources
}

# A function without arguments opens the source.
open_shard <- function(source) {
  if (is.function(source) && length(formals(args(source))) == 0) source <- source()
  as_source(source)
}

source_label <- function(sources, i) {
  one <- sources[[i]]
  name <- if (is_name(one)) paste0(" (", basename(one), ")") else ""
  own <- names(sources)[i]
  if (length(own) == 1 && !is.na(own) && nzchar(own)) name <- paste0(" (", own, ")")
  paste0("shard ", i, name)
}

# `learn(rows)`, a batch as the model reads it. The counts of a run that consume() would have.
run_shard <- function(source, gp, settings, learn) {
  run <- new_run(
    gp = gp, size = settings$size, response = settings$response, skips = settings$skips,
    by_row = TRUE, most = Inf,
    file = NULL, alarm = NULL, if_plausible = NULL, source = open_shard(source), given = FALSE,
    bar = list(tick = function(run) invisible())
  )
  on.exit(release(run$source))
  start_counts(run)
  model <- streaming_model(gp, run$response, function(n) integer(), short = is.null(learn))
  if (!is.null(learn)) model[c("learn", "probe")] <- list(learn, NULL)
  run$models <- list(model)
  # the one who asked says it when there are too many points
  ended <- suppressWarnings(stream(run), classes = "gpstream_warning_max_inducing")
  if (ended == "interrupted") abort("interrupt", "the worker was interrupted.")
  mget(c("rows", "learned", "dropped", "skipped"), run)
}

# The points that this shard's rows add to those of the model, and the rows that found no room.
shard_points <- function(source, gp, settings) {
  gp <- gp_copy(gp) # in one process all shards are given the same
  handle <- gp_handle(gp)
  have <- core_gp_size(handle)
  away <- 0
  counts <- run_shard(source, gp, settings, function(rows) {
    if (nrow(rows$x) > 0) away <<- core_gp_choose(handle, rows$x)
    0
  })
  list(points = points_after(handle, have), away = away, rows = counts$rows)
}

points_after <- function(handle, have) {
  points <- core_gp_points(handle)
  points[seq_len(nrow(points)) > have, , drop = FALSE]
}

# What this shard's rows say, about the points there are.
shard_evidence <- function(source, gp, settings) {
  gp <- gp_copy(gp)
  counts <- run_shard(source, gp, settings, NULL)
  list(handle = gp_handle(gp), prototype = gp_frame(gp)$prototype, counts = counts)
}

# What tells this shard from others: one string.
shard_identity <- function(source, settings) {
  source <- open_shard(source)
  on.exit(release(source))
  known <- identity_of(source, reads = TRUE)
  numbers <- format(c(known$size, known$head), digits = 15, trim = TRUE)
  paste(c(known$kind, known$name, numbers, known$hash), collapse = "\n")
}
