# Many models, many processes, many runs: what they say together is what one says of all rows.

relation("order of a merge", function() {
  case <- draw_given("gaussian", plain_formulas, steady_kernels, c("fixed", "oips", "variance"))
  rows <- split_rows(case$data, rep(1:3, length.out = nrow(case$data)))
  rows <- lapply(rows, function(part) part[order(match(part$g, c("u", "v", "w"))), ])
  models <- lapply(rows, function(part) learned(case, list(part)))
  one <- merge(models[[1]], models[[2]], models[[3]])
  turned <- do.call(merge, models[shuffled(1:3)])
  grouped <- merge(models[[1]], merge(models[[2]], models[[3]]))
  # rows of look-backs that are too many leave, and which they are depends on the order
  kept <- is.infinite(case$args$lookback) || case$selector == "fixed" || case$args$lookback >= nrow(case$data) || case$args$lookback == 0
  holds(one$nobs == nrow(case$data), "the count of rows")
  if (!kept) return()
  same(said(turned, case$new), said(one, case$new), 1e-6, "another order")
  same(said(grouped, case$new), said(one, case$new), 1e-6, "another grouping")
  if (case$selector == "fixed") same(says(one, case$new), says(learned(case), case$new), 1e-7, "one model of all rows")
})

relation("shards and messages", function() {
  case <- draw_given("gaussian", plain_formulas, steady_kernels, "fixed")
  parts <- batches(case$data)
  gp <- learned(case, parts[1])
  whole <- says(learned(case), case$new)
  if (length(parts) == 1) return()
  shards <- lapply(parts[-1], function(part) {
    one <- shard(gp)
    one$update(part)
    if (chance(0.5)) unserialize(serialize(shard_message(one), NULL)) else one
  })
  same(says(do.call(merge, c(list(gp), shards)), case$new), whole, 1e-7, "the model of all rows")
})

# In this process, as workers would do it.
over_shards <- function(gp, sources, size = 50) {
  none <- function(...) list(tick = function(run) NULL, end = function() NULL)
  settings <- list(size = size, response = "y", skips = FALSE)
  getFromNamespace("consume_shards", "gpstream")(gp, sources, NULL, settings, file = NULL, resume = FALSE, new_bar = none)
}

relation("shards are one process", function() {
  # points given; kernel, noise and mean given: sums over rows in another order
  case <- draw_given("gaussian", c("a", "a + b", "log(a + 1) + b"), steady_kernels, "fixed", lookbacks = 0)
  parts <- split_rows(case$data, sort(sample(one_of(1, 2, 4), nrow(case$data), TRUE)))
  gp <- learned(case, list(case$data[1:5, ]))
  other <- gp$copy()
  gp$update(case$data)
  over_shards(other, lapply(parts, function(part) shuffled_columns(cbind(part, id = seq_len(nrow(part))))))
  same(said(other, case$new), said(gp, case$new), 1e-7, "the prediction")
  holds(other$nobs == gp$nobs, "the count of rows")
})

relation("shards by name", function() {
  # whatever is learned, with columns in any order, more of them, or files
  case <- draw_case("gaussian", c("a", "a + b", "a + g", "log(a + 1) + b"), learned = 1, selectors = c("oips", "noise"), rows = 60)
  case$args$kernel <- if (chance(0.6)) kernel_se("ard")
  case$data$g <- as.character(case$data$g)
  parts <- split_rows(case$data, rep(1:2, each = 30))
  parts <- lapply(parts, function(part) {
    part$g[1:3] <- c("u", "v", "w")
    part
  })
  gp <- over_shards(new_model(case), parts)
  path <- tempfile(c("a", "b"), fileext = ".csv")
  on.exit(unlink(path))
  files <- chance(0.5)
  note(if (files) "files" else "frames")
  turned <- lapply(1:2, function(i) {
    part <- shuffled_columns(if (chance(0.5)) cbind(parts[[i]], id = seq_len(30)) else parts[[i]])
    if (files) write_rows(part, path[i]) else part
  })
  other <- over_shards(new_model(case), turned)
  same_models(other, gp, case$new, "the model")
})

relation("resumed is never stopped", function() {
  case <- draw_stream(learned = 0.15)
  size <- case$size
  file <- tempfile(fileext = ".gps")
  path <- tempfile(fileext = ".csv")
  on.exit(unlink(c(file, path)))
  write_rows(case$data, path)
  source <- if (chance(0.5)) path else case$data
  whole <- taken(case, source)
  stops <- cumsum(rep(size, ceiling(nrow(case$data) / size)))
  for (rows in stops[-length(stops)]) {
    if (chance(0.6)) next
    gp <- new_model(case)
    consume(gp, source, size, checkpoint = file, resume = TRUE, max_rows = size * sample(2, 1), progress = FALSE)
  }
  gp <- new_model(case)
  consume(gp, source, size, checkpoint = file, resume = TRUE, progress = FALSE)
  same_models(gp, whole, case$new, "the model")
})

relation("evaluate() by hand", function() {
  case <- draw_case(c(numeric_likelihoods, positive_likelihoods, "poisson", "negbin"), selectors = setdiff(all_selectors, c("kmeans", "random", "kdpp")))
  size <- one_of(12, 25)
  gp <- new_model(case)
  other <- gp$copy()
  found <- evaluate(gp, case$data, size, level = 0.9)
  sums <- c(0, 0, 0, 0, 0, 0)
  for (rows in split(seq_len(nrow(case$data)), (seq_len(nrow(case$data)) - 1) %/% size)) {
    part <- case$data[rows, ]
    if (rows[1] > 1) {
      limits <- predict(other, part, interval = "prediction", level = 0.9)
      error <- part$y - limits[, "fit"]
      sums <- sums + c(length(rows), sum(error^2), sum(abs(error)), sum(other$score(part)$log_density),
        sum(part$y >= limits[, "lwr"] & part$y <= limits[, "upr"]), sum(limits[, "upr"] - limits[, "lwr"]))
    }
    other$update(part)
  }
  overall <- found$overall
  means <- sums[-1] / sums[1]
  holds(overall$scored == sums[1], "the count of rows that are scored")
  same(unlist(overall[c("rmse", "mae", "log_score", "coverage", "width")]), c(sqrt(means[1]), means[2:5]), 1e-9, "the scores")
  same_bytes(unhurried(gp)$Z, unhurried(other)$Z, "the points")
})

relation("scores of models side by side", function() {
  case <- draw_case(c("gaussian", "student"), c("a", "a + b"), selectors = online_selectors)
  alone <- evaluate(new_model(case), case$data, 20)$overall
  both <- evaluate(list(one = new_model(case), two = new_model(case, lookback = 0), mean = baseline_mean()), case$data, 20)$overall
  same(unlist(both[1, c("rmse", "log_score", "crps", "coverage")]), unlist(alone[c("rmse", "log_score", "crps", "coverage")]), 1e-12, "beside others")
})
