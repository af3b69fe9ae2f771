# Several CSV files are one source.

# `data` cut into files: columns in any order, a further one, line ends and compression as they come.
cut_into_files <- function(data, home, name = function(i) sprintf("part%d.csv", i)) {
  n <- sample(5, 1)
  part <- sort(sample(n, nrow(data), replace = TRUE))
  paths <- file.path(home, name(seq_len(n)))
  for (i in seq_len(n)) {
    rows <- data[part == i, , drop = FALSE]
    if (i > 1) rows <- rows[sample(ncol(rows))]
    if (i > 1 && stats::runif(1) < 0.3) rows$further <- rep("f", nrow(rows))
    con <- if (stats::runif(1) < 0.3) gzfile(paths[i], "wt") else file(paths[i], "wt")
    utils::write.csv(rows, con, row.names = FALSE)
    close(con)
  }
  paths
}

test_that("random cuts into files give the rows of one file, by names, by a pattern and by a directory", {
  set.seed(28)
  for (case in 1:20) {
    home <- tempfile()
    dir.create(home)
    data <- stream_rows(sample(30:80, 1), from = 1000 * case)
    paths <- cut_into_files(data, home)
    first <- utils::read.csv(paths[1])
    if (nrow(first) == 0) next # the order of columns is its own, but nothing says what they hold
    n <- sample(c(1, 7, 100), 1)
    for (x in list(paths, file.path(home, "part*.csv"), home)) {
      source <- as_source(x)
      expect_equal(do.call(rbind, drained(source, n)), data, ignore_attr = "row.names")
      expect_identical(source$taken, as.double(nrow(data)))
      passed <- sample(0:nrow(data), 1)
      source <- as_source(x)
      expect_identical(pass_over(source, passed, n), as.double(passed))
      rest <- data[seq_len(nrow(data)) > passed, ]
      expect_equal(do.call(rbind, drained(source, n)), if (nrow(rest) > 0) rest, ignore_attr = "row.names")
    }
    expect_identical(consumed(paths, 20), consumed(data, 20))
    unlink(home, recursive = TRUE)
  }
})

test_that("files are sorted with numbers by their value, names keep their order", {
  expect_identical(in_natural_order(c("b10", "b9", "a", "b2.csv", "b02.csv", "b1x10", "b1x9")), c("a", "b1x9", "b1x10", "b02.csv", "b2.csv", "b9", "b10"))
  home <- tempfile()
  dir.create(home)
  old <- setwd(home)
  on.exit(setwd(old))
  for (i in c(10, 9, 1)) writeLines(c("x,y", paste0(i, ",0")), paste0("d", i, ".csv"))
  x_of <- function(...) do.call(rbind, drained(as_source(...), 5))$x
  expect_identical(x_of("d*.csv"), c(1, 9, 10))
  expect_identical(x_of("."), c(1, 9, 10))
  expect_identical(x_of(c("d10.csv", "d1.csv")), c(10, 1))
  expect_identical(x_of(c("d9.csv", "d1*.csv")), c(9, 1, 10))
  expect_error(as_source(c("d1.csv", "./d1.csv")), "\"./d1.csv\" is named twice", class = "gpstream_error_input")
  expect_error(as_source("e*.csv"), "there is no file \"e*.csv\"", fixed = TRUE, class = "gpstream_error_io")
  expect_error(as_source(c("d1.csv", "e.csv")), "there is no file \"e.csv\"", class = "gpstream_error_io")
  expect_error(as_source(character()), class = "gpstream_error_type")
})

test_that("a file that lacks a column, or is cut by another character, is named", {
  home <- tempfile()
  dir.create(home)
  old <- setwd(home)
  on.exit(setwd(old))
  writeLines(c("x,y", "1,1"), "a.csv")
  writeLines(c("x,z", "1,1"), "b.csv")
  for (on_error in c("stop", "skip")) {
    error <- stopped_by(consume(streaming_gp(y ~ x), c("a.csv", "b.csv"), 1, on_error = on_error), "gpstream_error_io")
    expect_match(conditionMessage(error), "cannot read CSV file \"b.csv\": it has no column `y`, which \"a.csv\" has")
  }
  for (sep in c(";", "\t")) {
    writeLines(c(paste0("x", sep, "y"), paste0("1", sep, "1")), "c.csv")
    told <- if (sep == ";") "Write sep = \";\"." else "Write sep = \"\\t\"."
    expect_error(next_batch(as_source("c.csv"), 1), told, fixed = TRUE, class = "gpstream_error_io")
    expect_identical(next_batch(as_source("c.csv", sep = sep), 1), data.frame(x = 1, y = 1))
  }
  writeLines(c("\"x;y\"", "1"), "c.csv")
  expect_identical(next_batch(as_source("c.csv"), 1), data.frame(`x;y` = 1, check.names = FALSE))
})

test_that("errors name the row of the file", {
  home <- tempfile()
  dir.create(home)
  old <- setwd(home)
  on.exit(setwd(old))
  data <- stream_rows(300)
  data$y[c(130, 260)] <- NA
  for (i in 1:3) utils::write.csv(data[100 * (i - 1) + 1:100, ], sprintf("p%d.csv", i), row.names = FALSE)
  error <- stopped_by(consume(stream_model(), "p*.csv", 50), "gpstream_error_batch")
  expect_match(conditionMessage(error), "batch 3 (rows 101 to 150) was not learned: `y` has NA in row 30 of CSV file \"p2.csv\"", fixed = TRUE)
  expect_warning(consume(stream_model(), "p*.csv", 50, on_error = "skip"), "Left out 2 of 300 rows .* in row 30 of CSV file \"p2.csv\"")
})
