# Sources: whatever the rows come from, they come in order, once, and in batches of the size asked for.

frame <- function(n) data.frame(i = as.double(seq_len(n)), y = sin(seq_len(n)))

test_that("every row comes once, in order, in batches of n", {
  for (rows in c(1, 2, 9, 10, 11, 57)) {
    for (n in c(1, 3, 10, 100)) {
      sources <- list(
        as_source(frame(rows)), as_source(as.matrix(frame(rows))),
        as_source(chunked(frame(rows), rows)), as_source(chunked(frame(rows), rep(1, rows))), as_source(chunked(frame(rows), c(0, 1, rows - 1)))
      )
      for (source in sources) {
        batches <- drained(source, n)
        sizes <- vapply(batches, nrow, 0L)
        expect_identical(sizes, c(rep(as.integer(n), rows %/% n), if (rows %% n > 0) as.integer(rows %% n)))
        expect_identical(do.call(rbind, batches), frame(rows))
        expect_null(next_batch(source, n))
      }
      pairs <- drained(as_source(frame(rows)["i"], y = frame(rows)$y), n)
      expect_identical(unlist(lapply(pairs, `[[`, "y")), frame(rows)$y)
      expect_identical(unlist(lapply(pairs, function(pair) pair$x[, "i"]), use.names = FALSE), frame(rows)$i)
    }
  }
})

test_that("chunks of any size are cut once, and their rows come in order whatever is asked for in turn", {
  source <- as_source(chunked(frame(100), c(3, 50, 1, 40, 6)))
  asked <- c(10, 10, 1, 25, 4, 10, 10, 30)
  got <- lapply(asked, function(n) next_batch(source, n))
  expect_equal(vapply(got, nrow, 0L), asked)
  expect_identical(do.call(rbind, got), frame(100))
  source <- as_source(chunked(frame(100), c(4, 96)))
  next_batch(source, 10)
  expect_identical(vapply(source$buffer, nrow, 0L), rep(10L, 9))
})

test_that("vectors, matrices, lists and data frames with outputs are one", {
  x <- 1:7
  y <- sin(x)
  ways <- list(as_source(x, y = y), as_source(matrix(x), y = y), as_source(list(x = x, y = y)), as_source(list(y = y, x = matrix(x))))
  for (source in ways) {
    batch <- next_batch(source, 4)
    expect_identical(list(unname(batch$x), batch$y), list(matrix(as.double(1:4)), y[1:4]))
  }
})

test_that("a source is a source, and remembers where it is", {
  source <- as_source(frame(10))
  expect_identical(as_source(source), source)
  next_batch(source, 4)
  same <- source
  expect_identical(next_batch(same, 2)$i, c(5, 6))
  expect_identical(next_batch(source, 9)$i, c(7, 8, 9, 10))
})

test_that("factors, words, dates and columns of columns survive the cutting", {
  data <- data.frame(g = factor(rep(c("u", "v", "w"), 4)), w = letters[1:12], d = as.Date("2024-01-01") + 0:11, l = rep(c(TRUE, FALSE), 6))
  data$m <- matrix(1:24, 12, dimnames = list(NULL, c("a", "b")))
  for (source in list(as_source(data), as_source(chunked(data, c(5, 1, 6))))) expect_equal(do.call(rbind, drained(source, 5)), data)
  # a factor whose levels differ from chunk to chunk
  parts <- list(data.frame(g = factor("b")), data.frame(g = factor(c("a", "b"))))
  at <- 0
  source <- as_source(function() if ((at <<- at + 1) <= 2) parts[[at]])
  expect_identical(as.character(next_batch(source, 9)$g), c("b", "a", "b"))
})

test_that("where columns change, the batch ends: what was sound stays so", {
  parts <- list(frame(3), frame(2), data.frame(i = c("7", "8"), y = 1:2), frame(4), data.frame(z = 1))
  at <- 0
  source <- as_source(function(...) if ((at <<- at + 1) <= 5) parts[[at]])
  batches <- drained(source, 10)
  expect_identical(batches, list(rbind(frame(3), frame(2)), parts[[3]], frame(4), parts[[5]]))
  expect_identical(source$taken, 12)
})

test_that("rows that are put back come again, those that are passed over do not", {
  make <- list(function() as_source(frame(20)), function() as_source(chunked(frame(20), c(7, 7, 6))))
  for (new in make) {
    source <- new()
    next_batch(source, 6)
    put_back(source, next_batch(source, 6))
    expect_identical(source$taken, 6)
    expect_identical(unlist(lapply(drained(source, 6), `[[`, "i")), as.double(7:20))
    source <- new()
    expect_identical(pass_over(source, 13, 6), 13)
    expect_identical(next_batch(source, 6)$i, as.double(14:19))
    expect_identical(pass_over(source, 13, 6), 1)
    expect_null(next_batch(source, 1))
  }
})

test_that("biglm's protocol: the function is rewound first, and not called after its end", {
  calls <- character()
  left <- 2
  source <- as_source(function(reset) {
    calls <<- c(calls, if (reset) "reset" else "next")
    if (!reset && (left <<- left - 1) >= 0) frame(2)
  })
  expect_identical(calls, character())
  drained(source, 3)
  next_batch(source, 3)
  expect_identical(calls, c("reset", "next", "next", "next"))
})

test_that("a class of one's own needs one method", {
  registerS3method("next_batch", "countdown", function(source, n) {
    if (source$left == 0) return(NULL)
    source$left <- source$left - 1
    data.frame(x = source$left, y = 1)
  })
  mine <- structure(list2env(list(left = 3)), class = "countdown")
  expect_identical(as_source(mine), mine)
  expect_identical(next_batch(mine, 9)$x, 2)
  expect_identical(pass_over(mine, 1, 5), 1)
  expect_identical(next_batch(mine, 9)$x, 0)
})

test_that("what is no source is refused, in words", {
  refused <- conditions_of(
    as_source(quote(a + b)), as_source(1:3), as_source(matrix(1:4, 2)), as_source(1:3, y = 1:2), as_source(list(1, 2)), as_source(list(x = 1, z = 2)),
    as_source(function(n) n), as_source(cars, sql = "SELECT 1"), next_batch(as_source(cars), 0), next_batch(cars, 3),
    next_batch(as_source(function() 7), 3), next_batch(as_source(function() list(x = 1:3, y = 1)), 3)
  )
  expect_snapshot(writeLines(refused))
  printed <- printed_by(as_source(cars), as_source(1:3, y = 1:3), as_source(function() NULL, rows = 1e6))
  expect_snapshot(writeLines(printed))
})
