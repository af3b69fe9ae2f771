# The player behind the live page of watch(): takes a source through a model, batch by batch, at a given
# speed, and keeps what the page shows. It knows nothing of Shiny. Every function here takes the player, an
# environment, and changes it in place.

player_rows <- 500 # rows kept to be shown
player_scored <- 200 # rows of a batch that are scored
player_entries <- 600 # entries of the record of errors and points
player_fresh <- 5 # batches for which a point counts as new
player_rare <- 1 / 1000 # a row that is so improbable is marked

wall_clock <- function() proc.time()[["elapsed"]]

# `clock` gives seconds; tests have their own.
new_player <- function(gp, source, batch_size = 10, speed = 5, response = "y", clock = wall_clock,
                       alarm = NULL) {
  scored <- function(n) spread_rows(n, player_scored)
  new_run(
    gp = gp, models = list(streaming_model(gp, response, scored, alarm = alarm)), skips = TRUE,
    source = source,
    batch_size = batch_size, speed = speed, clock = clock,
    state = "running", # or "paused", "ended"
    batch = 0, refused = 0, # batches asked for, and those of them that failed
    trouble = NULL, note = NULL, # the error that paused it, and the latest warning or message
    seen = NULL, # the latest rows: x, y, batch (number of the batch they came in), surprise (or no such row)
    limits = NULL, # smallest and largest value seen of each column and, last, of the response
    raw = NULL, # the latest batch as it came
    points = gp_points(gp), born = rep(-Inf, gp_info(gp)$size), # the batch in which each point joined
    record = player_record(gp), pace = NULL, # see watch-record.R
    ticked = NULL, due = 1, # time of the last tick, batches due by then
    changes = 0 # counts whatever could change the page
  )
}

player_pause <- function(player) {
  change_player(player, state = if (player$state == "ended") "ended" else "paused")
}

# The end of a source need not be final: a file or a table may have grown.
is_final <- function(player) player$state == "ended" && is.finite(source_total(player$source))

player_resume <- function(player) {
  if (is_final(player)) return(invisible(player))
  change_player(player, state = "running", trouble = NULL, ticked = NULL, due = 1, pace = NULL)
}

player_speed <- function(player, speed) {
  change_player(player, speed = speed, due = min(player$due, 1), pace = NULL)
}

change_player <- function(player, ...) {
  list2env(list(...), player)
  player$changes <- player$changes + 1
  invisible(player)
}

# Learn the batches that are due by now, but no longer than `budget` seconds: the page wants to be served,
# too. A player that was kept from its work for long does not make up for more than a second of it.
player_tick <- function(player, budget = 0.1) {
  now <- player$clock()
  since <- if (is.null(player$ticked)) 0 else now - player$ticked
  player$ticked <- now
  if (player$state != "running") return(invisible(player))
  player$due <- if (is.infinite(player$speed)) {
    Inf
  } else {
    min(player$due + player$speed * since, max(player$speed, 1))
  }
  while (player$due >= 1 && player$state == "running") {
    player$due <- player$due - 1
    if (!player_step(player) || player$clock() - now >= budget) break
  }
  player$pace <- player_pace(player$pace, player$clock(), gp_info(player$gp)$nobs)
  invisible(player)
}

# One batch: shown, scored, learned. FALSE when there was nothing to learn. An error leaves the model as it
# was and pauses the player; the batch is left out.
player_step <- function(player) {
  batch <- player$batch + 1
  tell <- function(restart) function(condition) {
    player$note <- paste0("Batch ", batch, ": ", trimws(conditionMessage(condition)))
    tryInvokeRestart(restart)
  }
  played <- NULL
  size <- function() if (is.null(played)) player$batch_size else 0
  after <- function(one) played <<- one
  withCallingHandlers(
    play(player, size, after), warning = tell("muffleWarning"), message = tell("muffleMessage")
  )
  if (is.null(played)) {
    change_player(player, state = "ended")
  } else if (!is.null(played$failed)) {
    change_player(
      player, batch = batch, refused = player$refused + 1, state = "paused",
      trouble = conditionMessage(played$failed)
    )
  } else if (played$learned > 0) {
    show_batch(player, played, batch)
  }
  !is.null(played) && is.null(played$failed) && played$learned > 0
}

show_batch <- function(player, played, number) {
  rows <- played$read[[1]]
  rows$y <- shown_response(likelihood_of(player$gp), rows$y, rows$more, rows$offset)
  scores <- played$scores[[1]]
  points <- gp_points(player$gp)
  change_player(player,
    batch = number, trouble = NULL, raw = if (is.null(rows$given$data)) rows$given$x else rows$given$data,
    seen = latest_rows(player$seen, rows, number, surprises(player, rows, scores)),
    limits = wider_limits(player$limits, rows),
    points = points, born = births(player, points, number),
    record = add_to_record(player$record, gp_info(player$gp), if (!is.null(scores)) score_sums(scores))
  )
}

latest_rows <- function(seen, rows, number, surprise) {
  new <- list(x = rows$x, y = rows$y, batch = rep(number, length(rows$y)), surprise = surprise)
  if (!is.null(seen)) {
    new <- Map(function(old, new) rbind(unname(as.matrix(old)), unname(as.matrix(new))), seen, new)
  }
  new$x <- last_rows(new$x)
  new[-1] <- lapply(new[-1], function(values) utils::tail(as.vector(values), player_rows))
  new
}

# Which rows lay where one in a thousand does, by what the model foretold; the class that came, how improbable
# it was. Rows that were not scored do not surprise.
surprises <- function(player, rows, scores) {
  n <- length(rows$y)
  at <- spread_rows(n, player_scored)
  if (length(scores$pit) != length(at)) return(logical(n)) # the first batch, or one not read in full
  rare <- if (has_classes(likelihood_of(player$gp))) {
    scores$log_score < log(player_rare)
  } else {
    abs(2 * scores$pit - 1) > 1 - player_rare
  }
  seq_len(n) %in% at[rare %in% TRUE]
}

last_rows <- function(x) utils::tail(x, player_rows, keepnums = FALSE)

wider_limits <- function(limits, rows) unname(apply(rbind(limits, cbind(rows$x, rows$y)), 2, range))

# Points that were there before keep the number they had; while a model warms up it may choose all of them
# anew.
births <- function(player, points, number) {
  before <- player$points
  old <- nrow(before)
  if (nrow(points) >= old && identical(points[seq_len(old), ], before[seq_len(old), ])) {
    return(c(player$born, rep(number, nrow(points) - old)))
  }
  key <- function(x) do.call(paste, lapply(seq_len(ncol(x)), function(j) sprintf("%a", x[, j])))
  born <- player$born[match(key(points), if (old > 0) key(before))]
  ifelse(is.na(born), number, born)
}

is_newest <- function(seen) seen$batch == max(seen$batch)

is_fresh <- function(player) player$born > player$batch - player_fresh
