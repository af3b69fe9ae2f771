# Two ways to run a model over a set, and what is said of it.
#   stream  in order, in batches, each predicted, scored, then learned; the first is only learned
#   hold    shuffled, learned in batches, scored on a tenth (at most 1000 rows) kept aside

most_rows <- 10000

# Sums over rows. The loss is that of a normal with the spread of the interval, in nats, y in units of its sd.
scores <- function(y, p, scale) {
  if (!all(is.finite(p$mean), is.finite(p$sd))) stop("predictions are not finite")
  sd <- pmax(p$sd, 1e-9 * scale)
  c(
    squared = sum((y - p$mean)^2),
    loss = -sum(stats::dnorm(y, p$mean, sd, log = TRUE)) - length(y) * log(scale),
    inside = sum(abs(y - p$mean) <= stats::qnorm(0.975) * sd), scored = length(y)
  )
}

in_batches <- function(i, size) split(i, (seq_along(i) - 1) %/% size)

run_stream <- function(data, model) {
  n <- min(nrow(data), most_rows)
  scale <- stats::sd(data$y[seq_len(n)])
  each <- NULL
  for (i in in_batches(seq_len(n), if (n < 1000) 50 else 100)) {
    if (i[1] > 1) each <- rbind(each, scores(data$y[i], model$predict(data[i, ]), scale))
    model$update(data[i, ])
  }
  list(scale = scale, sums = colSums(each), worst = max(each[, "loss"] / each[, "scored"]))
}

run_hold <- function(data, model, seed) {
  set.seed(seed)
  i <- utils::head(sample(nrow(data)), most_rows)
  test <- utils::head(i, min(1000, length(i) %/% 10))
  scale <- stats::sd(data$y[i])
  set.seed(seed)
  for (batch in in_batches(setdiff(i, test), 100)) model$update(data[batch, ])
  sums <- scores(data$y[test], model$predict(data[test, ]), scale)
  list(scale = scale, sums = sums, worst = NA)
}

# Columns as gpstream sees them: a factor has one for each level.
count_columns <- function(data) {
  sum(vapply(data[names(data) != "y"], function(column) if (is.factor(column)) nlevels(column) else 1L, 1L))
}

# One line of the table. A model that fails gives NA, and says why.
run_line <- function(protocol, name, data, model_name, make, seed) {
  set.seed(seed)
  start <- sum(proc.time()[1:2]) # processor time: the machine may have others to serve
  line <- data.frame(
    protocol, data = name, n = min(nrow(data), most_rows), D = count_columns(data), model = model_name, seed,
    error = NA_real_, loss = NA_real_, inside = NA_real_, worst = NA_real_, points = NA_real_, cpu = NA_real_,
    scored = NA_real_
  )
  tryCatch({
    model <- make()
    run <- if (protocol == "stream") run_stream(data, model) else run_hold(data, model, seed)
    line$cpu <- sum(proc.time()[1:2]) - start
    line$error <- sqrt(run$sums[["squared"]] / run$sums[["scored"]]) / run$scale
    line[c("loss", "inside")] <- run$sums[c("loss", "inside")] / run$sums[["scored"]]
    line$worst <- run$worst
    line$points <- if (is.null(model$size)) NA else model$size()
    line$scored <- run$sums[["scored"]]
  }, error = function(e) message("    ", paste(protocol, name, model_name), " failed: ", conditionMessage(e)))
  line
}
