# consume(cluster = ): a model from rows that are elsewhere. Points first, that cover the rows of all shards;
# then every shard learns its rows about these, and what the data said is added up. [derivation 18]
#
# A run has `gp`, as the user gave it, which changes at the very end; `home`, what the evidence of the shards
# is merged into; `phase`, and in it `results`, what the first shards gave.

# Arguments as of consume(); `given`: those of it that have no meaning here.
consume_cluster <- function(gp, sources, cluster, batch_size, y, on_error, checkpoint, resume, progress,
                            default, given, called) {
  if (length(given) > 0) {
    abort("parameter", "with a `cluster` there is no use for ", backtick(given), ": shards have no order, ",
      "and are kept one by one.")
  }
  if (!is.null(y) && !is_name(y)) {
    abort("parameter", "`y` must be the name of a column where there is a `cluster`, not ", describe(y), ".")
  }
  if (check_flag(resume, "resume") && is.null(checkpoint)) {
    abort("parameter", "`resume` needs a `checkpoint` to resume from.")
  }
  check_flag(progress, "progress")
  settings <- list(
    size = check_count(batch_size, "batch_size", 1, most = 1e9), response = if (is.null(y)) "y" else y,
    skips = check_choice(on_error, c("stop", "skip"), "on_error") == "skip"
  )
  consume_shards(
    gp, check_sources(sources), cluster, settings, check_file_name(checkpoint, "checkpoint"), resume,
    function(...) new_progress(progress, default, ...), called
  )
}

# `new_bar(...)`: as new_progress().
consume_shards <- function(gp, sources, cluster, settings, file, resume, new_bar, called = "source") {
  run <- list2env(list(
    gp = gp, sources = sources, cluster = cluster, settings = settings, phase = "sample", results = list(),
    file = file, path = checkpoint_path(file), new_bar = new_bar, called = called,
    counts = c(rows = 0, learned = 0, dropped = 0, skipped = 0), away = 0
  ), parent = emptyenv())
  lock <- new_lock(run$path)
  on.exit(drop_lock(lock))
  take_lock(lock, file)
  if (!is.null(file)) know_shards(run)
  if (!resume) guard_shards(run)
  if (resume && take_up_shards(run)) {
    if (run$phase == "end") inform("Nothing to do: all shards were learned before.")
  } else {
    begin_shards(run)
  }
  while (run$phase != "end") {
    switch(run$phase, points = choose_points(run), cover = cover_rows(run), learn = learn_shards(run))
  }
  gp$state <- state_of(run$home)
  if (!is.null(file)) keep_shards(run)
  tell_shards(run)
  invisible(gp)
}

# `name` on every shard from the first of which nothing is known yet, with a model on the points there are;
# after(value, i) takes the values in the order of the shards.
on_shards <- function(run, name, after, from = 1, args = list(gp = shard_on_points(run$home))) {
  shards <- length(run$sources)
  left <- seq_len(shards)[seq_len(shards) >= from]
  doing <- c(
    sample = "taking a sample", points = "choosing points", cover = "covering rows", learn = "learning"
  )
  bar <- run$new_bar(total = shards, at = identity, text = function(done, seconds) {
    paste0(doing[[run$phase]], ": ", done, " of ", count(shards, "shard"))
  })
  on.exit(bar$end())
  tasks <- lapply(left, function(i) {
    c(list(source = run$sources[[i]]), if (name == "shard_sample") list(part = i))
  })
  cluster_map(run$cluster, name, tasks, c(args, list(settings = run$settings)), function(k, value) {
    after(value, left[k])
    bar$tick(left[k])
  }, function(k) source_label(run$sources, left[k]))
}

shard_on_points <- function(gp) {
  out <- StreamingGP$new(spec = replace(spec_of(gp), "optimize", "none"))
  set_state(out, core_gp_shard_on_points(gp_handle(gp)), gp_frame(gp))
  out
}

# A model with a kernel goes on; any other learns one from a sample of all rows.
begin_shards <- function(run) {
  run$home <- gp_copy(run$gp)
  if (!knows_kernel(run$home) && learn_sample(run)) {
    run$phase <- "end"
  } else {
    next_phase(run, if (core_gp_chooses(gp_handle(run$home))) "points" else "learn")
  }
}

# TRUE: all rows were in the sample, and are learned. Otherwise what the model has learned stays, and its rows
# are those that it had before: the others come again. Where so many rows of a sample are dropped that no
# kernel comes of the rest, a larger one is taken.
learn_sample <- function(run, most = sample_rows) {
  samples <- list()
  on_shards(run, "shard_sample", function(value, i) samples[[i]] <<- value,
    args = list(spec = spec_of(run$gp)[c("formula", "weights")], most = most))
  joint <- joint_sample(run, samples, most)
  seen <- sum(vapply(samples, `[[`, 0, "seen"))
  all <- seen <= most
  if (!is.null(joint$rows)) learn_rows_of_sample(run, joint$rows, quiet = !all)
  if (all) {
    unread <- sum(vapply(samples, `[[`, 0, "left_out"))
    run$counts[c("rows", "skipped")] <- c(seen + unread, unread + joint$left_out)
    return(TRUE)
  }
  if (!knows_kernel(run$home)) {
    run$home <- gp_copy(run$gp)
    return(learn_sample(run, 4 * most))
  }
  learned <- gp_handle(run$home)
  own <- if (gp_nobs(run$gp) > 0) learning_handle(run$gp)
  run$home$state$handle <- if (is.null(own)) core_gp_emptied(learned) else core_gp_with_own_rows(learned, own)
  FALSE
}

# `quiet`: what is left out of it is told when it is left out of all rows.
learn_rows_of_sample <- function(run, rows, quiet) {
  learn <- function() {
    consume(run$home, rows, run$settings$size, y = if (!is_pair(rows)) run$settings$response,
      progress = FALSE, on_error = if (run$settings$skips) "skip" else "stop")
  }
  stopped <- function(m) abort("interrupt", "stopped while it was learned. The model is as it was.")
  tryCatch(
    withCallingHandlers(
      if (quiet) quiet_drops(suppressWarnings(learn(), classes = "gpstream_warning_skipped")) else learn(),
      gpstream_message_stopped = stopped
    ),
    gpstream_error = function(e) value_of(list(failed = e), "a sample of all shards")
  )
}

knows_kernel <- function(gp) {
  if (!is_started(gp) || is_warm(gp)) return(FALSE)
  !core_gp_learner(gp_handle(gp))$follows || gp_nobs(gp) >= 50
}

next_phase <- function(run, phase) {
  run$phase <- phase
  run$results <- list()
  keep_shards(run)
}

# Each shard chooses from its rows what the model lacks; of all these the model chooses, in their order.
choose_points <- function(run) {
  gather_points(run)
  part <- gp_handle(shard_on_points(run$home))
  have <- core_gp_size(part)
  for (Z in run$results) core_gp_choose(part, Z)
  core_gp_join(gp_handle(run$home), points_after(part, have))
  next_phase(run, "cover")
}

# Rows whose own choice was left out may now lie far from all points: what they ask for joins, and is not
# weighed against each other.
cover_rows <- function(run) {
  gather_points(run)
  for (Z in run$results) core_gp_join(gp_handle(run$home), Z)
  next_phase(run, "learn")
}

gather_points <- function(run) {
  if (length(run$results) == 0) run$away <- 0
  on_shards(run, "shard_points", function(value, i) {
    run$results[[i]] <- value$points
    run$away <- run$away + value$away
    keep_shards(run)
  }, from = length(run$results) + 1)
}

# What the shards learned is added in their order, whoever is ready first.
learn_shards <- function(run) {
  spec <- wishes(gp_spec(run$home), gp_frame(run$home))
  on_shards(run, "shard_evidence", function(value, i) {
    core_gp_merge(gp_handle(run$home), value$handle, spec, FALSE)
    run$home$state$frame$prototype <- merge_prototypes(gp_frame(run$home)$prototype, value$prototype)
    run$counts <- run$counts + unlist(value$counts[names(run$counts)])
    run$results[[i]] <- TRUE
    keep_shards(run)
  }, from = length(run$results) + 1)
  core_gp_learn_scale(gp_handle(run$home), spec)
  run$phase <- "end"
}

# --- checkpoints --------------------------------------------------------------------------------------------
# The model so far and, by shard, the points found in this phase. A sample is taken anew.

keep_shards <- function(run) {
  if (is.null(run$file)) return(invisible())
  points <- if (run$phase %in% c("points", "cover")) run$results else list()
  names(points) <- sprintf("points_%d", seq_along(points))
  position <- c(
    list(phase = run$phase, shards = run$shards, done = length(run$results), away = run$away),
    as.list(run$counts), points
  )
  write_checkpoint(run$home, run$path, position)
}

# Each is opened on a worker for that.
know_shards <- function(run) {
  run$shards <- character(length(run$sources))
  on_shards(run, "shard_identity", function(value, i) run$shards[i] <- value, args = list())
}

take_up_shards <- function(run) {
  if (!is_checkpoint(run$path)) return(FALSE)
  saved <- read_checkpoint(run$path, like = run$gp)
  at <- saved$position
  if (!is_name(at$phase) || !is_count(at$done) || !is.character(at$shards)) {
    abort("input", "`checkpoint` ", dQuote(run$file, FALSE), " was not written by consume() with a cluster.")
  }
  change <- shards_change(run, at$shards)
  if (!is.null(change)) {
    abort("input", "`checkpoint` ", dQuote(run$file, FALSE), " was written on other shards: ", change, ". ",
      recipe(run))
  }
  check_same_model(run, saved)
  run$home <- saved$gp
  run$phase <- at$phase
  run$away <- at$away
  run$counts[] <- unlist(at[names(run$counts)])
  points <- at[startsWith(names(at), "points_")]
  run$results <- if (at$phase == "learn") as.list(rep(TRUE, at$done)) else unname(points)
  TRUE
}

# NULL: they are the same. One that has grown since is another one.
shards_change <- function(run, kept) {
  if (length(kept) != length(run$shards)) {
    return(paste0("there were ", length(kept), ", not ", length(run$shards)))
  }
  other <- match(TRUE, kept != run$shards)
  if (!is.na(other)) paste(source_label(run$sources, other), "is not the one it was")
}

guard_shards <- function(run) {
  if (is.null(run$file) || !file.exists(run$path)) return(invisible())
  saved <- read_guarded(run)
  seen <- c(gp_nobs(saved$gp), gp_nobs(run$gp))
  kept <- saved$position$shards
  change <- if (is.character(kept)) shards_change(run, kept) else ""
  if (seen[1] > seen[2]) refuse_older(run, seen, if (is.character(kept)) list(label = "shards"), change)
  if (is.null(change) && seen[1] == seen[2]) {
    abort("input", "`checkpoint` ", dQuote(run$file, FALSE), " was written on these shards, and its model ",
      "has learned some of them: use resume = TRUE to go on, or delete the file.")
  }
}

# --- at the end ---------------------------------------------------------------------------------------------

tell_shards <- function(run) {
  counts <- run$counts
  tell_skipped(counts[["skipped"]], counts[["rows"]])
  if (counts[["dropped"]] > 0) {
    inform("Dropped ", whole(counts[["dropped"]]), " of ", count(counts[["rows"]], "row"),
      " with missing or infinite values.")
  }
  if (run$away > 0) {
    warn("max_inducing", "`max_points` (", whole(gp_info(run$gp)$select$max_points), ") is reached: ",
      count(run$away, "row"), " found no point near.")
  }
  if (counts[["rows"]] == 0) inform("The sources have no rows.")
}
