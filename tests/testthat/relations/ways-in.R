# Ways in: a formula or x and y, names or places, files, databases, functions.

# x and y without a formula say what `y ~ a + b` says.
relation("x and y, or a formula", function() {
  case <- draw_case(setdiff(all_likelihoods, "binomial"), formulas = c("a", "a + b"))
  columns <- if (case$right == "a") "a" else c("a", "b")
  parts <- batches(case$data)
  gp <- learned(case, parts)
  shape <- one_name(c("matrix", "frame", "bare", if (length(columns) == 1) "vector"))
  note(shape)
  x_of <- function(data) {
    x <- as.matrix(data[columns])
    switch(shape, matrix = x, frame = data[columns], bare = unname(x), vector = data$a)
  }
  method <- chance(0.5)
  set.seed(case$seed)
  other <- do.call(streaming_gp, case$args)
  for (part in parts) if (method) other$update(x_of(part), part$y) else update(other, x_of(part), y = part$y)
  same_bytes(bytes(other), bytes(gp), "the model")
  same(says(other, x_of(case$new)), says(gp, case$new), 0, "the prediction")
})

relation("columns of x by name", function() {
  case <- draw_case(setdiff(all_likelihoods, "binomial"), formulas = "a + b")
  parts <- batches(case$data)
  x_of <- function(data) as.matrix(data[c("a", "b")])
  run <- function(turn) {
    set.seed(case$seed)
    gp <- do.call(streaming_gp, case$args)
    gp$update(x_of(parts[[1]]), parts[[1]]$y)
    for (part in parts[-1]) gp$update(turn(x_of(part)), part$y)
    gp
  }
  turn <- one_of(list(function(x) x[, c("b", "a"), drop = FALSE], function(x) as.data.frame(x)[c("b", "a")]))
  gp <- run(identity)
  other <- run(turn)
  same_bytes(bytes(other), bytes(gp), "the model")
  same_bytes(says(other, turn(x_of(case$new))), says(gp, x_of(case$new)), "the prediction")
})

relation("arguments by place", function() {
  case <- draw_case()
  gp <- learned(case)
  way <- sample(3, 1)
  args <- case$args
  all_args <- shuffled(c(list(formula = formula_of(case), data = case$data), args))
  set.seed(case$seed)
  placed <- c(list(formula_of(case), NULL, args$kernel, args$noise, args$select, args$lookback, args$likelihood, args$mean, args$optimize))
  other <- do.call(streaming_gp, placed)
  switch(way, update(other, case$data), other$update(data = case$data), update(object = other, data = case$data))
  same_bytes(as.list(other), as.list(gp), "the model")
  set.seed(case$seed)
  at_once <- do.call(streaming_gp, all_args)
  same_bytes(as.list(at_once), as.list(gp), "the model with its first batch")
  same_bytes(at_once$predict(case$new), predict(gp, newdata = case$new), "the prediction")
})

# Each pair of formulas says the same of the same rows. `exact`: the same columns in the same order.
equal_formulas <- list(
  list("a + b", "b + a"), list("a + g", "g + a"), list("a * b", "a + b + a:b", exact = TRUE), list("a + b", "(a + b)", exact = TRUE),
  list("a + g", "a + factor(g, c('u', 'v', 'w'))"), list("a + b", "I(a) + b", exact = TRUE), list("log(a + 1)", "log1p(a)"),
  list("I(a^2) + b", "I(a * a) + b"), list("a + b", "a + b + a", exact = TRUE), list("a + b", "a + b - 1", exact = TRUE),
  list("a + b", "0 + a + b", exact = TRUE), list("a + b", ". - g - o", exact = TRUE), list("a + I(a^2)", "I(a^2) + a"),
  list("a + b", "a + b + g - g", exact = TRUE), list("a + b", "a + +b", exact = TRUE), list("a", "I(1 * a)"), list("a + b", "base::identity(a) + b")
)
relation("formulas written otherwise", function() {
  pair <- one_of(equal_formulas)
  case <- draw_given(setdiff(all_likelihoods, "binomial"), formulas = "a + b", kernels = steady_kernels, selectors = online_selectors)
  note(pair[[1]], " or ", pair[[2]])
  case$right <- pair[[1]]
  other <- replace(case, "right", pair[[2]])
  parts <- batches(case$data)
  gp <- learned(case, parts)
  again <- learned(other, parts)
  if (isTRUE(pair$exact)) same_bytes(bytes(again), bytes(gp), "the model")
  same(says(again, case$new), says(gp, case$new), 1e-8, "the prediction")
})

relation("terms in another order", function() {
  # given kernels, by hand; sums in another order, so to rounding
  case <- draw_given(formulas = "gp(a) + gp(b)", selectors = online_selectors[1:3])
  terms <- c("gp(a, kernel = kernel_se(2, 1))", "gp(b, kernel = kernel_matern32(1.5, 0.7))")
  if (chance(0.5)) terms <- c(terms, "gp(a, b, kernel = kernel_rq(3, 0.5, alpha = 1))")
  gp <- learned(replace(case, "right", paste(terms, collapse = " + ")))
  again <- learned(replace(case, "right", paste(rev(terms), collapse = " + ")))
  same(says(again, case$new), says(gp, case$new), 1e-8, "the prediction")
})

relation("a formula that computes", function() {
  # log(y) ~ log(a + 1) on the rows, or the numbers themselves
  case <- draw_case("gaussian", formulas = "log(a + 1) + b")
  data <- transform(case$data, y = exp(y))
  gp <- learned(replace(case, "left", "log(y)"), list(data))
  done <- function(data) transform(data, a = log(a + 1))
  other <- learned(replace(case, "right", "a + b"), list(transform(done(data), y = log(y))))
  same_bytes(bytes(other), bytes(gp), "the model")
  same_bytes(says(other, done(case$new)), says(gp, case$new), "the prediction")
})

# --- sources ------------------------------------------------------------------------------------------------------

# Rows in text that holds them exactly.
draw_stream <- function(...) {
  case <- draw_case(setdiff(all_likelihoods, c("binomial", class_likelihoods)), selectors = setdiff(all_selectors, c("kmeans", "random", "kdpp")), ...)
  case$data$y <- if (case$name %in% c("poisson", "negbin")) case$data$y else signif(case$data$y, 6) + 0
  case$data$g <- as.character(case$data$g)
  case$size <- one_of(13, 20, 50)
  case
}
taken <- function(case, source, ..., na_action = "error") {
  gp <- new_model(case, na_action = na_action)
  consume(gp, source, case$size, ..., progress = FALSE)
  gp
}
unhurried <- function(gp) {
  core <- bytes(gp)
  core[setdiff(names(core), c("history", "history_now"))]
}
same_models <- function(other, gp, new, what) {
  same_bytes(unhurried(other), unhurried(gp), what)
  same_bytes(predict(other, new), predict(gp, new), what)
}

# A file as some program writes it.
write_rows <- function(data, path, sep = ",", end = "\n", mark = FALSE, quote = FALSE, blank = FALSE, last = TRUE, missing = "") {
  field <- function(x) {
    out <- if (is.character(x)) x else format(x, digits = 15, trim = TRUE)
    out <- ifelse(is.na(x), missing, if (quote && is.character(x)) paste0("\"", out, "\"") else trimws(out))
    out
  }
  lines <- c(paste(if (quote) paste0("\"", names(data), "\"") else names(data), collapse = sep), do.call(paste, c(unname(lapply(data, function(x) {
    if (is.character(x)) field(x) else vapply(x, field, "")
  })), sep = sep)))
  if (blank) lines <- append(lines, c("", ""), sample(seq_along(lines), 1))
  text <- paste0(paste(lines, collapse = end), if (last) end)
  connection <- if (grepl("gz$", path)) gzfile(path, "wb") else file(path, "wb")
  on.exit(close(connection))
  writeBin(c(if (mark) as.raw(c(0xef, 0xbb, 0xbf)), charToRaw(enc2utf8(text))), connection)
  path
}

relation("sources", function() {
  case <- draw_stream()
  data <- case$data
  gp <- taken(case, data)
  cuts <- split_rows(data, sort(sample(5, nrow(data), TRUE)))
  at <- 0
  give <- function(reset = FALSE) {
    if (reset) return(at <<- 0)
    at <<- at + 1
    if (at <= length(cuts)) cuts[[at]]
  }
  other <- one_name(c("function", "permuted", "source", "csv", "connection", "sqlite", "table", "tibble"))
  note(other)
  path <- tempfile(fileext = one_of(".csv", ".csv.gz"))
  on.exit(unlink(path))
  if (other %in% c("sqlite", "table")) {
    if (!requireNamespace("RSQLite", quietly = TRUE)) return()
    db <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
    on.exit(DBI::dbDisconnect(db), add = TRUE)
    DBI::dbWriteTable(db, "t", data)
  }
  if (other == "tibble" && !requireNamespace("tibble", quietly = TRUE)) return()
  again <- switch(other,
    `function` = taken(case, give), permuted = taken(case, shuffled_columns(data)), source = taken(case, as_source(data)),
    csv = taken(case, write_rows(data, path)), connection = taken(case, textConnection(readLines(write_rows(data, path)))),
    sqlite = taken(case, db, sql = "SELECT * FROM t ORDER BY rowid"), table = taken(case, db, table = "t"), tibble = taken(case, tibble::as_tibble(data))
  )
  same_models(again, gp, case$new, other)
})

relation("files of other programs", function() {
  case <- draw_stream()
  path <- tempfile(fileext = one_of(".csv", ".csv.gz", ".txt"))
  on.exit(unlink(path))
  sep <- one_of(",", ";", "\t", "|")
  end <- one_of("\n", "\r\n")
  style <- list(mark = chance(0.5), quote = chance(0.5), blank = chance(0.5), last = chance(0.5))
  note("sep ", deparse(sep), ", end ", deparse(end), ", ", paste(names(style)[unlist(style)], collapse = ", "), ", ", basename(path))
  do.call(write_rows, c(list(case$data, path, sep, end), style))
  same_models(taken(case, path, sep = sep), taken(case, case$data), case$new, "a file")
})

relation("missing values in files", function() {
  case <- draw_stream(formulas = c("a", "a + b", "a + g", "gp(a) + gp(b)"))
  data <- case$data
  data$a[sample(4:nrow(data), 3)] <- NA
  data$y[sample(4:nrow(data), 3)] <- NA
  path <- tempfile(fileext = ".csv")
  on.exit(unlink(path))
  missing <- one_of("", "NA")
  note("missing is ", deparse(missing))
  write_rows(data, path, missing = missing)
  same_models(taken(case, path, na_action = "omit"), taken(case, data, na_action = "omit"), case$new, "a file")
})

relation("consume() is update() by hand", function() {
  case <- draw_stream()
  gp <- learn(new_model(case), split_rows(case$data, (seq_len(nrow(case$data)) - 1) %/% case$size))
  other <- taken(case, case$data)
  # rows are predicted now and then before they are learned, so the posterior is factored at other times
  same(says(other, case$new), says(gp, case$new), 1e-7, "the prediction")
})
