# Rows that stand for those a model has seen, and the range of all of them: where importance() averages and
# where pictures look. Inducing points do not serve: those of a trend or a season lie in the first hours.

# `x`: the training sample at even distances along the stream. Where there is none, the look-back window or,
# if rows have left it, inducing points and look-back window, spread over the range. `range`: the lowest and
# the highest value of each column of the model.
seen_rows <- function(gp) {
  sample <- gp_memory(whole_model(gp))
  points <- unname(core_gp_points(gp_handle(gp)))
  if (nrow(sample$x) > 0) {
    x <- unname(sample$x)
    range <- seen_range(gp_frame(gp), if (nrow(x) < gp_info(gp)$nobs) rbind(x, points) else x)
    return(list(x = x[evenly(sample$row, nrow(x)), , drop = FALSE], range = range))
  }
  x <- window_inputs(gp)
  if (nrow(x) > 0 && nrow(x) >= gp_info(gp)$nobs) return(list(x = x, range = seen_range(gp_frame(gp), x)))
  x <- rbind(points, x)
  range <- seen_range(gp_frame(gp), x)
  codes <- unlist(each_kernel(gp_info(gp)$kernel, function(part) if (part$name == "factor") part$columns))
  list(x = spread_over(x, range, setdiff(seq_len(ncol(x)), codes)), range = range)
}

# Of a model of one output of several, which has no sample of its own, the model it was read from.
whole_model <- function(gp) {
  whole <- state_of(gp)$whole
  if (is.null(whole)) gp else whole
}

window_inputs <- function(gp) {
  core <- core_gp_state(gp_handle(gp))
  unname(matrix(as.double(core$window_x), ncol = gp_frame(gp)$D))
}

# Indices of at most `most` rows at even distances in `number`; a row stands for those nearest to it.
evenly <- function(number, most) {
  n <- length(number)
  if (n < 2) return(seq_len(n))
  at <- seq(number[1], number[n], length.out = min(most, n))
  findInterval(at, (number[-1] + number[-n]) / 2) + 1
}

# Columns of the data that the formula has as they are were followed row by row (the prototype). For others,
# and without a formula, it is the range of the rows `x` that the model still holds.
seen_range <- function(frame, x) {
  out <- apply(x, 2, range)
  seen <- frame$prototype$seen
  names <- bare(input_names(frame))
  for (j in which(names %in% setdiff(colnames(seen), names(frame$xlevels)))) {
    ends <- seen[, names[j]]
    time <- frame$times[[names[j]]]
    if (!is.null(time)) ends <- (ends - time$origin) / unit_seconds[[time$unit]]
    if (all(is.finite(ends))) out[, j] <- ends
  }
  out
}

# Of `columns` one of which the rows leave a quarter of the range or more without one is spread evenly over
# the range, in the order of its values.
spread_over <- function(x, range, columns) {
  for (j in columns) {
    ends <- range[, j]
    empty <- max(diff(sort(c(ends, x[, j])))) >= diff(ends) / 4
    if (diff(ends) == 0 || !empty || length(unique(x[, j])) < 3) next
    x[, j] <- ends[1] + (rank(x[, j], ties.method = "first") - 0.5) / nrow(x) * diff(ends)
  }
  x
}
