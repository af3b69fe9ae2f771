# One bad row costs one row: the model is the one of a run on the others, to the bit.

# Rows of which some cannot be learned, in ways that text cannot hold (`kinds`) or can.
spoiled <- function(data, bad, kind) {
  switch(kind,
    missing = transform(data, y = replace(y, bad, NA)), infinite = transform(data, a = replace(a, bad, Inf)),
    level = transform(data, g = replace(g, bad, "new")), large = transform(data, y = replace(y, bad, 1e200))
  )
}

test_that("random bad rows x sources x batches: as a run without them, resumed or not", {
  set.seed(15)
  for (case in 1:10) {
    n <- sample(c(60, 150), 1)
    data <- stream_rows(n, from = 100 * case)
    size <- sample(c(7, 40, 1000), 1)
    kind <- c("missing", "infinite", "level", "large")[1 + case %% 4]
    usable <- if (kind == "level") setdiff(seq_len(n), seq_len(size)) else seq_len(n) # the first batch fixes the levels
    bad <- if (length(usable) > 3) sort(sample(usable, sample(min(10, length(usable) - 2), 1))) else integer()
    if (case %% 5 == 0 && length(usable) > 0) bad <- utils::tail(usable, 3) # the last rows
    rows <- spoiled(data, bad, kind)
    expected <- consumed(data[setdiff(seq_len(n), bad), ], size)
    sources <- list(
      frame = function() rows, whole = function() chunked(rows, n), chunks = function() chunked(rows, c(13, 20, n - 33))
    )
    for (name in names(sources)) {
      gp <- stream_model()
      skips <- function(gp, ...) withCallingHandlers(consume(gp, sources[[name]](), size, on_error = "skip", ...), gpstream_warning_skipped = function(w) {
        told <<- conditionMessage(w)
        tryInvokeRestart("muffleWarning")
      })
      told <- NULL
      skips(gp)
      expect_identical(timeless(gp), expected, info = paste(case, name))
      if (length(bad) > 0) {
        expect_match(told, paste0("Left out ", length(bad), " of ", n, " rows that could not be learned"), info = paste(case, name))
        expect_match(told, paste0("row ", bad[1], "\\b"))
      }
      file <- tempfile(fileext = ".gps")
      skips(stream_model(), checkpoint = file, max_rows = size * sample(3, 1))
      gp <- stream_model()
      suppressMessages(skips(gp, checkpoint = file, resume = TRUE), classes = "gpstream_message")
      expect_identical(timeless(gp), expected, info = paste(case, name, "resumed"))
      if (length(bad) > 0) expect_match(told, paste0("Left out ", length(bad), " of ", n, " rows"))
    }
  }
})

test_that("random bad lines: as a file without them", {
  set.seed(16)
  for (case in 1:12) {
    n <- sample(c(60, 150), 1)
    data <- stream_rows(n, from = 77 * case)
    file <- tempfile(fileext = ".csv")
    utils::write.csv(data, file, row.names = FALSE)
    lines <- readLines(file)
    size <- sample(c(10, 40, 1000), 1)
    bad <- sort(sample(n, sample(5, 1)))
    if (size == 10) bad <- bad[c(TRUE, diff(bad) > 9)] # in the first batch, a fifth at most
    ways <- c("1,\"u\"", "high,\"u\",1", "1,\"u\",1,9", "1,\"u\",low")
    lines[bad + 1] <- sample(ways, length(bad), replace = TRUE)
    writeLines(lines, file)
    gp <- stream_model()
    told <- capture_warnings(consume(gp, file, size, on_error = "skip"))
    expect_match(told, paste0("Left out ", length(bad), " of ", n, " rows .* line ", min(bad[1], n) + 1, " of CSV file"), info = case)
    expect_identical(timeless(gp), consumed(data[-bad, ], size), info = case)
    error <- stopped_by(consume(stream_model(), file, size), "gpstream_error_batch")
    expect_match(conditionMessage(error), paste0("line (", paste(bad + 1, collapse = "|"), ") of CSV file"))
  }
})

test_that("a stray quote costs its line", {
  data <- stream_rows(400)
  data$g <- c("u", "v")[1 + seq_len(400) %% 2]
  file <- tempfile(fileext = ".csv")
  utils::write.csv(data, file, row.names = FALSE)
  for (quoted in c(TRUE, FALSE)) {
    lines <- readLines(file)
    if (!quoted) lines <- gsub("\"", "", lines)
    lines[151] <- "1,\"u,3"
    writeLines(lines, file)
    gp <- stream_model()
    expect_warning(consume(gp, file, 100, on_error = "skip"), "Left out 1 of 400 rows .* line 151 of .* a quote that is not closed")
    expect_identical(timeless(gp), consumed(data[-150, ]))
  }
})

test_that("all rows bad, and none", {
  data <- transform(stream_rows(120), y = NA_real_)
  gp <- stream_model()
  expect_warning(consume(gp, data, 50, on_error = "skip"), "Left out 120 of 120 rows")
  expect_identical(gp$nobs, 0)
  lacking <- stream_rows(3000)["a"] # found at once, not row by row
  expect_warning(consume(stream_model(), lacking, 1000, on_error = "skip"), "Left out 3,000 of 3,000 rows .* has no column")
})

test_that("an error names the row of the source, whatever the batch", {
  data <- stream_rows(500)
  for (kind in c("missing", "infinite", "level", "large")) {
    error <- stopped_by(consume(stream_model(), spoiled(data, 250, kind), 100), "gpstream_error_batch")
    expect_match(conditionMessage(error), "^batch 3 \\(rows 201 to 300\\) was not learned: .*row 250")
    source <- as_source(spoiled(data, 250, kind))
    next_batch(source, 30)
    error <- stopped_by(consume(stream_model(), source, 100), "gpstream_error_batch")
    expect_match(conditionMessage(error), "row 250", info = kind)
  }
})

test_that("shards leave the same rows out in every pass", {
  data <- stream_rows(900)
  parts <- unname(split(data, rep(1:3, each = 300)))
  parts[[2]]$y[40] <- NA
  settings <- list(size = 100, response = "y", skips = TRUE)
  none <- function(...) list(tick = function(run) NULL, end = function() NULL)
  fixed <- function() stream_model(select = select_oips(0.9))$update(data[1:3, ])
  shards <- function(parts) consume_shards(fixed(), parts, NULL, settings, NULL, FALSE, none)
  expect_warning(gp <- shards(parts), "Left out 1 of 900 rows", class = "gpstream_warning_skipped")
  parts[[2]] <- parts[[2]][-40, ]
  expect_identical(predict(gp, data), predict(shards(parts), data))
})
