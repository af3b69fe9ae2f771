# Errors and number of points over time, as the live page shows them. Every entry holds sums since the start,
# so that leaving entries out merges batches exactly: the record stays short however long the stream.

player_columns <- c("nobs", "points", "scored", "squared", "covered")

player_record <- function(gp) new_record(gp_info(gp))

new_record <- function(info) {
  matrix(c(info$nobs, info$size, 0, 0, 0), 1, dimnames = list(NULL, player_columns))
}

# `sums`: those of the scores of the newest batch, if it was scored. A model that has started anew has a new
# record.
add_to_record <- function(record, info, sums) {
  if (info$nobs < record[nrow(record), "nobs"]) return(new_record(info))
  new <- if (is.null(sums)) 0 else unlist(sums[c("scored", "squared", "covered")])
  record <- rbind(record, c(info$nobs, info$size, record[nrow(record), 3:5] + new), deparse.level = 0)
  # the first and the last entry stay
  if (nrow(record) > player_entries) record <- record[unique(c(seq(1, nrow(record), by = 2), nrow(record))), ]
  record
}

# The record in about `bins` stretches of equally many rows: a data frame of nobs, points, rmse and coverage
# at the end of each.
player_table <- function(record, bins = 60) {
  nobs <- record[, "nobs"]
  edges <- seq(nobs[1], nobs[length(nobs)], length.out = bins + 1)
  kept <- record[unique(c(1, findInterval(edges, nobs))), , drop = FALSE]
  step <- kept[-1, , drop = FALSE] - kept[-nrow(kept), , drop = FALSE]
  data.frame(
    nobs = kept[-1, "nobs"], points = kept[-1, "points"],
    rmse = sqrt(step[, "squared"] / step[, "scored"]), coverage = step[, "covered"] / step[, "scored"],
    row.names = NULL
  )
}

# The same for the latest rows, at least `rows` of them where there are as many.
player_recent <- function(record, rows = 200) {
  last <- record[nrow(record), ]
  from <- record[max(1, which(record[, "scored"] <= last["scored"] - rows)), ]
  scored <- last[["scored"]] - from[["scored"]]
  list(
    scored = scored, rmse = sqrt((last[["squared"]] - from[["squared"]]) / scored),
    coverage = (last[["covered"]] - from[["covered"]]) / scored
  )
}

# Rows learned by the clock in the last three seconds; the oldest entry stands for the start of that time.
player_pace <- function(pace, now, nobs) {
  if (!is.null(pace) && nobs < pace[[nrow(pace), "nobs"]]) pace <- NULL # the model has started anew
  pace <- rbind(pace, c(time = now, nobs = nobs), deparse.level = 0)
  pace[seq_len(nrow(pace)) >= sum(pace[, "time"] <= now - 3), , drop = FALSE]
}

player_rate <- function(pace) {
  if (is.null(pace)) return(NA_real_)
  last <- nrow(pace)
  seconds <- pace[[last, "time"]] - pace[[1, "time"]]
  if (seconds > 0.5) (pace[[last, "nobs"]] - pace[[1, "nobs"]]) / seconds else NA_real_
}
