# CSV files and connections: what comes out is what read.csv() reads, batch by batch.

csv_file <- function(lines, ext = ".csv") {
  file <- tempfile(fileext = ext)
  writeLines(lines, file)
  file
}

written <- function(data, ...) {
  file <- tempfile(fileext = ".csv")
  utils::write.csv(data, file, row.names = FALSE, ...)
  file
}

rows_of <- function(source, n = 2) do.call(rbind, drained(source, n))

test_that("files, compressed files, URLs and connections give the same rows as read.csv()", {
  data <- stream_rows(25)
  file <- written(data)
  packed <- tempfile(fileext = ".csv.gz")
  con <- gzfile(packed, "wt")
  writeLines(readLines(file), con)
  close(con)
  for (n in c(1, 4, 25, 100)) {
    expect_identical(rows_of(as_source(file), n), data)
    expect_identical(rows_of(as_source(packed), n), data)
    expect_identical(rows_of(as_source(gzfile(packed)), n), data)
    expect_identical(rows_of(as_source(paste0("file://", file)), n), data)
    lines <- textConnection(readLines(file))
    expect_identical(rows_of(as_source(lines), n), data)
    close(lines) # a connection that was open is left open
  }
  expect_equal(utils::read.csv(file), data)
  skip_on_os("windows")
  expect_identical(rows_of(as_source(pipe(paste("cat", shQuote(file)))), 4), data)
})

test_that("quotes, empty fields, blank lines, line ends within fields, white space", {
  lines <- c(
    "a,\"the, name\",w", "1,\"x, y\",p", "", " 2 ,\"say \"\"hi\"\"\",\"\"", "3,\"two", "lines\",r", "4,,s", "NA,\"\"\"q\"\"\",t", "  ", "6,plain,u"
  )
  expected <- data.frame(
    a = c(1, 2, 3, 4, NA, 6), `the, name` = c("x, y", "say \"hi\"", "two\nlines", NA, "\"q\"", "plain"), w = c("p", NA, "r", "s", "t", "u"),
    check.names = FALSE
  )
  for (n in 1:7) expect_identical(rows_of(as_source(csv_file(lines)), n), expected)
})

test_that("blanks around names, numbers and missing values do not matter", {
  lines <- c("a, b ,w", "1, 2.5,x", "2, NA , y", " 3,  ,NA")
  expect_identical(rows_of(as_source(csv_file(lines))), data.frame(a = c(1, 2, 3), b = c(2.5, NA, NA), w = c("x", " y", NA)))
})

test_that("a file stays the same file when the directory changes", {
  folder <- tempfile()
  dir.create(folder)
  home <- setwd(folder)
  on.exit(setwd(home))
  writeLines(c("a,y", "1,2"), "rows.csv")
  source <- as_source("rows.csv")
  setwd(home)
  expect_identical(next_batch(source, 9), data.frame(a = 1, y = 2))
})

test_that("separators, decimal commas, headers and missing values as told", {
  semi <- csv_file(c("a;b", "1,5;2", "2,25;-", "7;1"))
  expect_identical(rows_of(as_source(semi, sep = ";", dec = ",", na.strings = "-")), data.frame(a = c(1.5, 2.25, 7), b = c(2, NA, 1)))
  bare <- csv_file(c("1,2", "3,x", "5,6"))
  expect_identical(rows_of(as_source(bare, header = FALSE), 3), data.frame(V1 = c(1, 3, 5), V2 = c("2", "x", "6")))
  expect_identical(rows_of(as_source(csv_file("1,2"), header = FALSE), 3), data.frame(V1 = 1, V2 = 2))
})

test_that("the first batch fixes what a column holds", {
  file <- csv_file(c("n,l,w,late,never", "1,TRUE,F,,", "2.5,false,12,,", "3,TRUE,x,7,", "NaN,,y,8,"))
  expect_identical(
    rows_of(as_source(file), 2),
    data.frame(n = c(1, 2.5, 3, NaN), l = c(TRUE, FALSE, TRUE, NA), w = c("F", "12", "x", "y"), late = c(NA, NA, 7, 8), never = rep(NA_real_, 4))
  )
  zip <- csv_file(c("zip,y", "01234,1", "1A,2"))
  expect_identical(rows_of(as_source(zip, colClasses = c(zip = "character")), 1), data.frame(zip = c("01234", "1A"), y = c(1, 2)))
  source <- as_source(zip)
  next_batch(source, 1)
  expect_error(next_batch(source, 1), "line 3 .*\"1A\" in column `zip`, where the first batch has numbers", class = "gpstream_error_rows")
})

test_that("a bad line stays until it is passed over", {
  source <- as_source(csv_file(c("a,y", "1,2", "3", "5,6", "7,8,9", "1,1")))
  expect_identical(next_batch(source, 1)$a, 1)
  for (i in 1:2) expect_error(next_batch(source, 1), "line 3 .* has 1 field, but there are 2 columns", class = "gpstream_error_io")
  drop_bad(source)
  expect_identical(next_batch(source, 1)$a, 5)
  expect_identical(source$taken, 3)
  source <- as_source(csv_file(c("a,y", "1,2", "3,\"4", "5,6", "7,8")))
  expect_error(next_batch(source, 9), "line 3 .* a quote that is not closed", class = "gpstream_error_rows")
})

test_that("passing over lines leaves the types and the rest as they are", {
  data <- stream_rows(50)
  data$late <- replace(seq_len(50) / 4, 1:21, NA)
  for (passed in c(0, 1, 10, 20, 30, 50)) {
    source <- as_source(written(data, na = ""))
    expect_identical(pass_over(source, passed, 10), as.double(passed))
    expect_equal(rows_of(source, 10), if (passed < 50) data[seq(passed + 1, 50), ], ignore_attr = "row.names")
  }
  expect_identical(pass_over(as_source(written(data)), 99, 10), 50)
})

test_that("empty files, files of a header, files that are gone, closed connections", {
  expect_null(next_batch(as_source(csv_file(character())), 3))
  expect_null(next_batch(as_source(csv_file("a,b")), 3))
  file <- csv_file(c("a,b", "1,2"))
  source <- as_source(file)
  unlink(file)
  expect_error(next_batch(source, 3), "cannot read CSV file", class = "gpstream_error_io")
  expect_error(as_source(file), "there is no file", class = "gpstream_error_io")
  con <- textConnection("a")
  source <- as_source(con)
  close(con)
  expect_error(next_batch(source, 3), class = "gpstream_error_io")
  expect_error(next_batch(as_source(csv_file(c("a,a", "1,2"))), 1), "column `a` twice", class = "gpstream_error_io")
  torn <- tempfile(fileext = ".gz")
  con <- gzfile(torn, "wt")
  writeLines(c("a,y", paste0(1:20000, ",", (1:20000 * 7919) %% 1013)), con)
  close(con)
  writeBin(readBin(torn, "raw", 20000), torn)
  expect_error(drained(as_source(torn), 1000), class = "gpstream_error_io")
  latin <- tempfile()
  writeBin(c(charToRaw("g,y\n"), as.raw(0xe9), charToRaw(",1\n")), latin)
  expect_identical(next_batch(as_source(latin), 1)$g, "\u00e9")
})

test_that("files that were opened are closed at the end, or when nobody needs them", {
  before <- nrow(showConnections())
  file <- written(stream_rows(9))
  drained(as_source(file), 4)
  expect_identical(nrow(showConnections()), before)
  source <- as_source(file)
  next_batch(source, 2)
  expect_identical(nrow(showConnections()), before + 1L)
  rm(source)
  gc()
  expect_identical(nrow(showConnections()), before)
})

test_that("a feed: lines are learned as they come", {
  skip_on_os("windows")
  slow <- "for i in 1 2 3 4 5 6; do echo \"$i,$((i * i))\"; sleep 0.05; done"
  source <- as_source(pipe(slow), header = FALSE)
  start <- as.numeric(Sys.time())
  first <- next_batch(source, 2)
  expect_identical(first, data.frame(V1 = c(1, 2), V2 = c(1, 4)))
  expect_identical(rows_of(source, 2), data.frame(V1 = c(3, 4, 5, 6), V2 = c(9, 16, 25, 36)))
})

test_that("arguments", {
  file <- csv_file(c("a,b", "1,2"))
  refused <- conditions_of(
    as_source(c("a", "b")), as_source(NA_character_), as_source(file, sep = ""), as_source(file, dec = "::"), as_source(file, header = NA),
    as_source(file, na.strings = 1), as_source(file, colClasses = "numeric"), as_source(file, colClasses = c(a = "Date")), as_source(file, seperator = ",")
  )
  expect_snapshot(writeLines(refused))
})

test_that("plain lines are taken apart as the others are, value by value", {
  words <- c(
    "1", " -2.5e-3 ", "+7", "0x1F", "1e400", "-Inf", "NaN", "NA", "", "  ", ".5", "5.", "1e", "abc", "1 2", "\"3\"", "\"a,b\"",
    "\"NA\"", "0.1", "123456789012345678", "2.2250738585072014e-308", "TRUE", "1L", "\"\"", " NaN", "\u00e4"
  )
  for (types in list(c("numeric", "character"), c("character", "numeric"), c("numeric", "logical"), c(NA, NA))) {
    for (word in words) for (other in c("4", "NA")) {
      source <- csv_source(NULL, "lines", TRUE, ",", ".", c("NA", ""), NULL, NULL)
      source$columns <- c("p", "q")
      source$types <- stats::setNames(types, c("p", "q"))
      records <- list(text = c("1,2", paste0(word, ",", other), "3,3"), line = 1:3)
      quick <- core_csv_columns(records$text, ",", types %in% "numeric", source$missing)
      if (is.null(quick)) next
      slow <- odd_fields(source, records)
      slow[types %in% "numeric"] <- lapply(slow[types %in% "numeric"], as.numeric)
      expect_identical(quick, slow)
    }
  }
  expect_null(core_csv_columns("1,2,3", ",", c(TRUE, TRUE), "NA"))
  expect_null(core_csv_columns("1", ",", c(TRUE, TRUE), "NA"))
  expect_null(core_csv_columns("1,x", ",", c(TRUE, TRUE), "NA"))
  expect_identical(core_csv_columns("1,x,", ",", c(TRUE, FALSE, FALSE), character()), list(1, "x", ""))
})

test_that("lines of numbers that never become text give what lines of text give, batch by batch", {
  numbers <- c(
    "1", " -2.5e-3 ", "+7", "0x1F", "1e400", "-Inf", "NaN", "NA", "", "  ", ".5", "5.", "\"3\"", "0.1", "123456789012345678", "2.2250738585072014e-308"
  )
  plain <- c("a,b", "1,2", "2,3", paste0(numbers, ",", rev(numbers)), "3,4", "5,6")
  among <- function(...) append(plain, c(...), 8)
  files <- list(
    plain, among("1,x"), among("1"), among("1,2,3"), among("", "  ", "\f"), among("\"1,2", "3\",4"), among("\"4\",\" 5 \""), among("1,2\"3\""),
    among("\u00e4,1"), c("a", "1", "", "2", " ", "3", "NA"), c("a,b", "1,x", "2,y"), c("a,b", "NA,1", "NA,2", "x,3"), "a,b", character()
  )
  endings <- c("\n", "\r\n", "\r")
  read <- function(source, n) {
    out <- list()
    repeat {
      batch <- tryCatch(next_batch(source, n), gpstream_error = function(e) sub(".*line ", "line ", sub(" of CSV.* has", " has", conditionMessage(e))))
      out <- c(out, list(batch, source$taken))
      if (is.null(batch)) return(out)
      if (is.character(batch)) drop_bad(source)
    }
  }
  for (lines in files) for (end in endings) for (last in c(end, "")) {
    file <- tempfile()
    writeBin(charToRaw(enc2utf8(paste0(paste(lines, collapse = end), last))), file)
    for (n in c(1, 2, 5, 100)) expect_identical(read(as_source(file), n), read(as_source(file(file)), n))
  }
})

test_that("blocks of bytes are put together, compressed or not, whatever the size of batches", {
  data <- data.frame(a = seq_len(90000) / 7, b = round(sin(seq_len(90000)), 6))
  file <- written(data)
  packed <- tempfile(fileext = ".csv.xz")
  con <- xzfile(packed, "wt")
  writeLines(readLines(file), con)
  close(con)
  whole <- utils::read.csv(file)
  for (path in c(file, packed)) for (n in c(4999, 60000, 1e6)) expect_identical(rows_of(as_source(path), n), whole)
  source <- as_source(file)
  next_batch(source, 10)
  expect_equal(pass_over(source, 70000, 1000), 70000)
  expect_identical(next_batch(source, 2)$a, whole$a[70011:70012])
})

test_that("what other programs write for a missing number is missing, never a level (found M12)", {
  set.seed(12)
  words <- c("nan", "NaN", "NAN", "NA", "na", "N/A", "n/a", "null", "NULL", "", " ", "nan ")
  for (case in 1:30) {
    n <- sample(c(2, 20), 1)
    x <- sample(1:3, n, replace = TRUE)
    gone <- sample(n, sample(n - 1, 1))
    text <- replace(format(x), gone, sample(words, length(gone), replace = TRUE))
    if (case %% 2 == 0) text <- trimws(text)
    g <- sample(c("nan", "null", "b"), n, replace = TRUE) # words stay words among words
    g[1] <- "b"
    l <- replace(rep("TRUE", n), gone, "nan")
    file <- csv_file(c("x,g,l", paste(text, g, l, sep = ",")))
    expected <- data.frame(x = replace(as.double(x), gone, NA), g = g, l = replace(rep(TRUE, n), gone, NA))
    for (size in c(1, 3, 100)) {
      # a column of which nothing has come yet is one of numbers so far
      got <- rows_of(as_source(file, colClasses = c(x = "numeric", g = "character", l = "logical")), size)
      got$x[is.nan(got$x)] <- NA
      expect_identical(got, expected)
    }
    got <- rows_of(as_source(file), 100)
    expect_identical(vapply(got, class, ""), c(x = "numeric", g = "character", l = "logical"))
  }
  # numpy.savetxt()
  d <- data.frame(x = c(1, 2, 1, 2, NaN, 1, 2), y = c(1, 2, 1, 2, 2, 1, 2) + 0.5)
  file <- csv_file(c("x,y", sub("NaN", "nan", paste(format(d$x), d$y, sep = ","))))
  expect_message(consume(gp <- streaming_gp(y ~ x, na_action = "omit"), file), "Dropped 1 of 7")
  expect_null(as.list(gp)$frame$xlevels$x)
})

test_that("empty text is missing in a data frame as it is in a CSV file", {
  data <- stream_rows(60)
  gone <- c(7, 30, 41)
  empty <- transform(data, g = replace(g, gone, c("", "  ", "")))
  expected <- consumed(data[-gone, ], gp = stream_model(na_action = "omit"))[[1]]$core
  for (rows in list(empty, transform(empty, g = factor(g)), written(empty))) {
    gp <- stream_model(na_action = "omit")
    expect_message(consume(gp, rows), "Dropped 3 of 60")
    expect_identical(as.list(gp)$core[["Z"]], expected[["Z"]])
  }
  expect_identical(is.na(predict(gp, empty)), is.na(transform(data, g = replace(g, gone, NA))$g))
  expect_error(consume(stream_model(), empty), "NA in row 7", class = "gpstream_error_nonfinite")
})

test_that("a word among the numbers of the first batch is pointed at", {
  lines <- c("x,y", paste(1:20 / 7, c(1:11, "bad", 13:20), sep = ","))
  expect_error(consume(streaming_gp(y ~ x), csv_file(lines)), "response `y` must be .* Look at line 13 of CSV file .*\"bad\" there", class = "gpstream_error_batch")
  gp <- streaming_gp(y ~ x)
  expect_warning(consume(gp, csv_file(lines), on_error = "skip"), "Left out 1 of 20 rows .* line 13 .*\"bad\" in column `y`")
  expect_identical(gp$nobs, 19)
})
