# Columns are matched by name, whichever way rows come in; where they cannot be, the error names the source and the column.

plane <- function(n = 240, seed = 1) {
  set.seed(seed)
  data <- data.frame(lon = runif(n, 0, 6), lat = runif(n, 0, 6), g = sample(c("u", "v"), n, TRUE), stringsAsFactors = FALSE)
  data$t <- as.POSIXct("2024-03-01", tz = "UTC") + 3600 * sort(runif(n, 0, 100))
  data$w <- runif(n, 1, 2)
  data$y <- sin(2 * data$lon) + 0.1 * data$lat + (data$g == "v") + rnorm(n, sd = 0.1)
  data
}
as_shards <- function(gp, sources, skips = FALSE, response = "y") {
  none <- function(...) list(tick = function(run) NULL, end = function() NULL)
  gpstream:::consume_shards(gp, sources, NULL, list(size = 100, response = response, skips = skips), NULL, FALSE, none)
}
csv_of <- function(data) {
  file <- tempfile(fileext = ".csv")
  if (inherits(data$t, "POSIXct")) data$t <- format(data$t, "%Y-%m-%d %H:%M:%OS6")
  write.csv(data, file, row.names = FALSE)
  file
}

test_that("found by hand: shards with permuted or more columns learn the kernel of plain ones", {
  make <- function() streaming_gp(y ~ lon + lat, kernel = kernel_se("ard"))
  set.seed(1)
  data <- data.frame(lon = runif(1200, 0, 10), lat = runif(1200, 0, 10))
  data$y <- sin(2 * data$lon) + 0.1 * data$lat + rnorm(1200, sd = 0.1)
  first <- data[1:600, c("y", "lon", "lat")]
  second <- data[601:1200, ]
  plain <- as_shards(make(), list(first, second[names(first)]))
  expect_lt(abs(log(plain$noise / 0.01)), 0.2)
  others <- list(second[c("y", "lat", "lon")], data.frame(id = 1:600, second), data.frame(lat = second$lat, note = "text", second[c("y", "lon")]))
  for (other in others) expect_identical(timeless(as_shards(make(), list(first, other))), timeless(plain))
  text <- transform(second, lon = format(lon, digits = 12))
  expect_error(as_shards(make(), list(first, text)), "^shard 2: `lon` in `data` must be numeric, as in the first rows, not a vector of .* values [(]character[)]", class = "gpstream_error_shard")
  expect_error(as_shards(make(), list(first, north = data.frame(lon = 1, y = second$y))), "^shard 2 [(]north[)]: `data` has no column `lat`, which the first rows have", class = "gpstream_error_dimension")
  expect_error(as_shards(make(), list(data.frame(x = 1, y = second$y), first)), "^shard 1: `data` has no column `lon`, `lat`, which the formula needs")
})

# What is done with the second half of the rows. `error`: of those that must be one, the column that is named.
changes <- list(
  permuted = function(data) data[sample(names(data))],
  "a number more" = function(data) data.frame(id = seq_len(nrow(data)), data),
  "text more" = function(data) data.frame(note = paste("row", seq_len(nrow(data))), data[rev(names(data))], stringsAsFactors = FALSE),
  "whole numbers more, in place of the first" = function(data) data.frame(lon2 = rev(data$lon), data),
  factor = function(data) transform(data[rev(names(data))], g = factor(g, c("v", "u"))),
  renamed = function(data) stats::setNames(data, sub("lat", "north", names(data))),
  missing = function(data) data[setdiff(names(data), "lat")],
  "other type" = function(data) transform(data, lat = paste0("no. ", lat)),
  "no time" = function(data) transform(data, t = seq_along(t))
)
named <- c(renamed = "lat", missing = "lat", "other type" = "lat", "no time" = "t")

formula <- y ~ lon + lat + g + t
start <- function(...) streaming_gp(formula, kernel = kernel_se(c(1, 4, 1, 1, 60), 1), noise = 0.01, mean = 0, optimize = "none", weights = "w", ...)
fixed <- function(data) select_fixed(cbind(data$lon, data$lat, data$g == "u", data$g == "v", as.numeric(data$t - as.POSIXct("2024-03-01", tz = "UTC"), units = "days"))[seq(1, 120, 6), ])
in_two <- function(learn) function(first, second) {
  gp <- start(data = first)
  learn(gp, second)
  gp
}
pieces <- function(...) {
  left <- list(...)
  function() {
    if (length(left) == 0) return(NULL)
    out <- left[[1]]
    left <<- left[-1]
    out
  }
}
ways <- list(
  update = in_two(function(gp, rows) gp$update(rows)),
  "consume a data frame" = in_two(function(gp, rows) consume(gp, rows)),
  "consume a CSV file" = in_two(function(gp, rows) consume(gp, csv_of(rows))),
  "a function, in one source" = function(first, second) consume(start(), pieces(first, second), batch_size = nrow(first)),
  "a function, cut elsewhere" = function(first, second) consume(start(select = fixed(first), lookback = 0), pieces(first, second), batch_size = 50),
  "a method of one's own" = in_two(function(gp, rows) consume(gp, structure(list2env(list(left = list(rows))), class = "gpstream_test_pieces"))),
  shards = function(first, second) as_shards(start(select = fixed(first)), list(first, second)),
  "shards of a model with rows" = in_two(function(gp, rows) as_shards(gp, list(rows[1:50, ], rows[51:120, ]))),
  fit_shards = function(first, second) fit_shards(start(select = fixed(first)), list(first, second)),
  merge = function(first, second) {
    gp <- start(data = first)
    merge(gp, shard(gp)$update(second))
  },
  message = function(first, second) {
    gp <- start(data = first)
    merge(gp, shard_message(shard(gp)$update(second)))
  },
  predict = function(first, second) predict(start(data = first), second),
  score = function(first, second) start(data = first)$score(second),
  unlearn = function(first, second) start(data = rbind(second[names(first)], first), lookback = Inf)$unlearn(first[sample(names(first))])
)
database <- function(gp, rows) {
  db <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  on.exit(DBI::dbDisconnect(db))
  rows$t <- if (inherits(rows$t, "POSIXct")) format(rows$t, "%Y-%m-%d %H:%M:%OS6") else rows$t
  DBI::dbWriteTable(db, "log", rows)
  consume(gp, db, table = "log")
}
next_batch.gpstream_test_pieces <- function(source, n) {
  if (length(source$left) == 0) return(NULL)
  out <- source$left[[1]]
  source$left <- source$left[-1]
  out
}
registerS3method("next_batch", "gpstream_test_pieces", next_batch.gpstream_test_pieces, asNamespace("gpstream"))

said <- function(result, data) {
  if (!inherits(result, "StreamingGP")) return(unlist(result))
  c(unlist(predict(result, data[seq(1, 240, 12), ], se.fit = TRUE)), result$nobs, result$noise)
}

test_that("every way in x every change: the same model (1e-10), or one error that names the column", {
  if (requireNamespace("RSQLite", quietly = TRUE)) ways[["consume a database"]] <- in_two(database)
  data <- plane()
  first <- data[1:120, ]
  second <- data[121:240, ]
  set.seed(2)
  for (way in names(ways)) {
    same <- said(suppressMessages(ways[[way]](first, second)), data)
    for (change in setdiff(names(changes), if (way == "unlearn") names(named))) {
      what <- paste0(way, ": ", change)
      other <- changes[[change]](second)
      if (!change %in% names(named)) {
        expect_equal(said(suppressMessages(ways[[way]](first, other)), data), same, tolerance = 1e-10, info = what)
        next
      }
      error <- tryCatch(suppressMessages(ways[[way]](first, other)), error = identity)
      expect_s3_class(error, "gpstream_error")
      expect_match(conditionMessage(error), paste0("`", named[[change]], "`"), info = what)
      if (way %in% c("shards", "fit_shards")) expect_match(conditionMessage(error), "^shard 2", info = what)
    }
  }
})

test_that("a sample is that of the model's columns: random shards, a kernel that is learned, to the bit", {
  for (seed in 1:2) {
    data <- plane(c(600, 1500)[seed], seed)
    parts <- split(data, sample(3, nrow(data), TRUE))
    parts[[1]] <- parts[[1]][c("y", "lon", "lat", "g", "t", "w")]
    whole <- timeless(as_shards(streaming_gp(y ~ lon + lat, kernel = kernel_se("ard"), weights = "w"), parts))
    moved <- c(parts[1], lapply(parts[-1], function(part) changes[[sample(5, 1)]](part)))
    expect_identical(timeless(as_shards(streaming_gp(y ~ lon + lat, kernel = kernel_se("ard"), weights = "w"), moved)), whole, info = seed)
    bad <- sample(names(named)[1:3], 1)
    moved[[3]] <- changes[[bad]](parts[[3]])
    expect_error(as_shards(streaming_gp(y ~ lon + lat, kernel = kernel_se("ard"), weights = "w"), moved), paste0("^shard 3 [(]3[)]: .*`lat`"), class = "gpstream_error_shard", info = bad)
  }
})

test_that("shards of different types that a model reads alike are read alike: whole numbers, factors, dates and ISO text", {
  data <- plane(160)
  data$lon <- round(4 * data$lon)
  parts <- list(data[1:80, ], data[81:160, ])
  twin <- function(second, formula = y ~ lon + g + t) says_of(as_shards(streaming_gp(formula, kernel = kernel_se("ard")), list(parts[[1]], second)))
  says_of <- function(gp) predict(gp, data[1:20, ], se.fit = TRUE)[1:2]
  same <- twin(parts[[2]])
  expect_equal(twin(transform(parts[[2]], lon = as.integer(lon))), same, tolerance = 1e-10)
  expect_equal(twin(transform(parts[[2]], g = factor(g, c("v", "u")))), same, tolerance = 1e-10)
  expect_equal(twin(transform(parts[[2]], t = as.POSIXct(format(t, "%Y-%m-%d %H:%M:%OS6"), tz = "UTC"))), twin(transform(parts[[2]], t = format(t, "%Y-%m-%d %H:%M:%OS6"))), tolerance = 1e-10)
  expect_error(twin(transform(parts[[2]], t = as.numeric(t))), "^shard 2: `t` in `data` must be a date or time", class = "gpstream_error_type")
  # without a formula
  plain <- function(second, ...) says_of(as_shards(streaming_gp(kernel = kernel_se("ard")), list(parts[[1]][c("lon", "lat", "y")], second), ...))
  data$y2 <- 1
  says_of <- function(gp) predict(gp, data[1:20, c("lat", "lon", "g")], se.fit = TRUE)[1:2]
  expect_equal(plain(parts[[2]][c("y", "lat", "lon")]), plain(parts[[2]][c("lon", "lat", "y")]), tolerance = 1e-10)
  expect_equal(plain(parts[[2]]), plain(parts[[2]][c("lon", "lat", "y")]), tolerance = 1e-10)
  expect_equal(plain(list(x = as.matrix(parts[[2]][c("lat", "lon")]), y = parts[[2]]$y)), plain(parts[[2]][c("lon", "lat", "y")]), tolerance = 1e-10)
  expect_equal(plain(list(x = unname(as.matrix(parts[[2]][c("lon", "lat")])), y = parts[[2]]$y)), plain(parts[[2]][c("lon", "lat", "y")]), tolerance = 1e-10)
  expect_error(plain(parts[[2]][c("lat", "y")]), "^shard 2: `x` has no column `lon`", class = "gpstream_error_dimension")
  expect_error(plain(parts[[2]][c("lat", "lon")]), "^shard 2: .*there is no column `y`", class = "gpstream_error_input")
})

test_that("with on_error = \"skip\" a shard that does not fit is left out, and counted", {
  data <- plane(400)
  parts <- list(data[1:200, ], data[201:400, ])
  gp <- streaming_gp(y ~ lon + lat)
  expect_warning(as_shards(gp, list(parts[[1]], changes$renamed(parts[[2]])), skips = TRUE), "Left out 200 of 400 rows that could not be learned", class = "gpstream_warning_skipped")
  expect_equal(gp$nobs, 200)
  expect_warning(as_shards(gp <- streaming_gp(y ~ lon + lat), list(changes$missing(parts[[1]]), parts[[2]]), skips = TRUE), class = "gpstream_warning_skipped")
  expect_equal(gp$nobs, 200)
  # a bad batch within a shard
  mixed <- function() as_source(pieces(parts[[1]][1:100, ], transform(parts[[1]][101:200, ], lat = "x")))
  expect_error(as_shards(streaming_gp(y ~ lon + lat), list(parts[[2]], mixed)), "^shard 2: `lat` in `data` must be numeric")
  expect_warning(as_shards(gp <- streaming_gp(y ~ lon + lat), list(parts[[2]], mixed), skips = TRUE), "Left out 100 of 400 rows")
  expect_equal(gp$nobs, 300)
})

test_that("whole numbers of 64 bits in chunks that are joined stay what they are", {
  whole <- function(x) structure(unclass(readBin(writeBin(as.integer(rbind(x, 0L)), raw(), endian = "little"), "double", length(x), endian = "little")), class = "integer64")
  chunk <- function(rows) structure(list(x = whole(rows), y = sin(rows)), class = "data.frame", row.names = .set_row_names(length(rows)))
  got <- next_batch(as_source(pieces(chunk(1:5), chunk(6:10), chunk(11:12))), 12)
  expect_equal(got$x, 1:12)
})
