# Copies, files and errors: what must leave a model as it was, to the last bit.

a_copy <- function(gp, way) {
  path <- tempfile(fileext = if (way == "load_gp") ".gps" else ".rds")
  on.exit(unlink(path))
  switch(way,
    copy = gp$copy(),
    load_gp = {
      save_gp(gp, path)
      load_gp(path, trusted = TRUE)
    },
    readRDS = {
      saveRDS(gp, path)
      readRDS(path)
    },
    serialize = unserialize(serialize(gp, NULL)), list = streaming_gp_restore(as.list(gp))
  )
}

relation("copies go on alike", function() {
  case <- draw_case(learned = 0.2)
  n <- nrow(case$data)
  gp <- learned(case, batches(case$data[seq_len(n %/% 2), ]))
  if (chance(0.5)) predict(gp, case$new, se.fit = TRUE)
  way <- one_name(c("copy", "load_gp", "readRDS", "serialize", "list"))
  note(way)
  before <- bytes(gp)
  other <- a_copy(gp, way)
  same_bytes(bytes(gp), before, "a model that was copied")
  same_bytes(bytes(other), bytes(gp), "the copy")
  same_bytes(says(other, case$new), says(gp, case$new), "what the copy says")
  for (part in batches(case$data[-seq_len(n %/% 2), ], 1)) {
    seed <- sample.int(1e6, 1)
    set.seed(seed)
    gp$update(part)
    set.seed(seed)
    other$update(part)
  }
  same_bytes(bytes(other), bytes(gp), "the copy after more rows")
  same_bytes(says(other, case$new), says(gp, case$new), "what the copy says after more rows")
})

relation("copies are apart", function() {
  case <- draw_case()
  parts <- batches(case$data)
  gp <- learned(case, parts)
  other <- gp$copy()
  before <- bytes(gp)
  other$update(case$data)
  if (case$name == "gaussian") other$forget(0.5)
  same_bytes(bytes(gp), before, "the model of which a copy went on")
})

relation("errors change nothing", function() {
  case <- draw_case()
  gp <- learned(case)
  data <- case$data[1:9, ]
  with <- function(name, value) {
    data[[name]][5] <- value
    data
  }
  refused(gp, gp$update(with("a", one_of(NA, Inf, NaN))), "", "a missing input")
  refused(gp, gp$update(with("y", NA)), "", "a missing response")
  refused(gp, gp$update(data, weights = rep(1, 8)), "weights", "too few weights")
  refused(gp, gp$update(data, weights = replace(rep(1, 9), 4, one_of(-1, NA, Inf))), "", "weights that are none")
  refused(gp, gp$update("text"), "", "text")
  refused(gp, gp$update(), "", "nothing")
  refused(gp, gp$update(list(1)), "", "a list")
  refused(gp, gp$update(data, nonsense = 1), "nonsense", "an argument that is unknown")
  refused(gp, predict(gp, data, nonsense = 1), "nonsense", "an argument that is unknown")
  refused(gp, predict(gp), "newdata", "predict() without rows")
  refused(gp, gp$noise <- -1, "", "a negative noise")
  refused(gp, gp$forget(one_of(0, 2, NA, -1)), "keep", "forget() too much")
  refused(gp, gp$unlearn(transform(data, a = a + 0.12345)), "", "unlearn() rows that never came")
  wrong <- switch(case$name, poisson = , negbin = list(-1, 0.5), gamma = , exponential = , weibull = list(-1, 0), bernoulli = , probit = list(0.5, 2),
    binomial = list(-1, 0.5), ordinal = , categorical = list(), list(Inf))
  for (value in if (is.factor(data$y)) list() else wrong) refused(gp, gp$update(with("y", value)), "", paste("a response of", value))
  if (is.factor(data$y)) refused(gp, gp$update(transform(data, y = factor("never"))), "never", "a new class")
  if (grepl("\\bg\\b", case$right)) {
    refused(gp, gp$update(transform(data, g = factor(replace(as.character(g), 5, "never")))), "never", "a new level")
    refused(gp, predict(gp, transform(data, g = "never")), "never", "a new level")
  }
})

relation("an error in a stream", function() {
  # the rows before the bad batch are learned, and nothing of it
  case <- draw_stream()
  bad <- case$data
  bad$y[nrow(bad) - 2] <- NA
  size <- case$size
  sound <- (nrow(bad) - 3) %/% size * size
  gp <- new_model(case)
  found <- tryCatch(consume(gp, bad, size, progress = FALSE), error = identity)
  holds(inherits(found, "gpstream_error_batch"), "no error of a batch")
  holds(gp$nobs == sound, gp$nobs, " rows learned, not ", sound)
  if (sound > 0) same_models(gp, taken(case, bad[seq_len(sound), ]), case$new, "the model before the error")
})

relation("reading changes no answer", function() {
  # a posterior is factored at another time: to rounding
  case <- draw_case(noise = 1, learned = 0, selectors = setdiff(all_selectors, c("kmeans", "random", "kdpp")))
  parts <- batches(case$data)
  gp <- learned(case, parts)
  other <- new_model(case)
  for (part in parts) {
    other$update(part)
    switch(one_name(c("predict", "score", "print", "coef", "simulate", "summary", "objective", "nothing")),
      predict = says(other, case$new), score = other$score(part), print = utils::capture.output(print(other)), coef = coef(other),
      simulate = simulate(other, 1, seed = 1, newdata = case$new, type = "response"), summary = utils::capture.output(print(summary(other))),
      objective = other$objective)
  }
  same(says(other, case$new), says(gp, case$new), 1e-7, "the prediction")
  holds(identical(other$points, gp$points), "other points")
})

relation("random numbers are not used", function() {
  case <- draw_case(selectors = setdiff(all_selectors, c("kmeans", "random", "kdpp")), learned = 0.2)
  gp <- learned(case)
  set.seed(case$seed)
  before <- .Random.seed
  other <- new_model(case)
  for (part in list(case$data)) other$update(part)
  says(other, case$new)
  other$score(case$data[1:3, ])
  simulate(other, 1, seed = 3, newdata = case$new, type = "response")
  holds(identical(.Random.seed, before), "the generator has moved")
  set.seed(case$seed + 1)
  third <- do.call(streaming_gp, c(list(formula = formula_of(case)), case$args))
  third$update(case$data)
  same_bytes(bytes(third), bytes(gp), "the model after another seed")
})

relation("a seed repeats", function() {
  case <- draw_case(selectors = c("kmeans", "random", "kdpp", "oips"))
  gp <- learned(case)
  other <- learned(case)
  same_bytes(bytes(other), bytes(gp), "the model")
  seed <- sample.int(100, 1)
  draws <- function() simulate(gp, 3, seed = seed, newdata = case$new, type = "response")
  same_bytes(draws(), draws(), "draws")
})

relation("options do not matter", function() {
  case <- draw_stream()
  path <- tempfile(fileext = ".csv")
  on.exit(unlink(path))
  write_rows(case$data, path)
  run <- function() {
    gp <- learned(case)
    utils::capture.output(print(gp), print(summary(gp)))
    from_file <- taken(case, path)
    list(bytes(gp), says(gp, case$new), unhurried(from_file), gp$score(case$data[1:3, ]))
  }
  expected <- run()
  old <- suppressWarnings(options(one_of(list(
    list(OutDec = ","), list(digits = 3), list(scipen = -10), list(na.action = "na.fail"), list(contrasts = c("contr.sum", "contr.poly")),
    list(warn = 2), list(stringsAsFactors = TRUE), list(warnPartialMatchDollar = TRUE, warnPartialMatchArgs = TRUE), list(expressions = 500),
    list(encoding = "latin1"), list(max.print = 5), list(keep.source = TRUE), list(digits.secs = 3), list(scipen = 100)
  ))))
  note("options: ", paste(names(old), collapse = ", "))
  found <- tryCatch(run(), finally = options(old))
  same_bytes(found, expected, "what is learned and said")
})
