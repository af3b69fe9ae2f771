# Arrow: what reads record batches, whoever made it.

# Anything with $read_next_batch().
stand_in <- function(data, sizes) {
  give <- chunked(data, sizes)
  structure(list(read_next_batch = function() give()), class = c("RecordBatchReader", "ArrowObject", "R6"))
}

test_that("record batches of any size are re-cut", {
  data <- stream_rows(300)
  for (sizes in list(300, rep(30, 10), c(1, 0, 199, 100))) {
    expect_identical(do.call(rbind, drained(as_source(stand_in(data, sizes)), 70)), data)
    expect_identical(consumed(as_source(stand_in(data, sizes))), consumed(data))
  }
  broken <- structure(list(read_next_batch = function() stop("disk on fire")), class = "RecordBatchReader")
  error <- stopped_by(consume(stream_model(), broken), "gpstream_error_source")
  expect_match(conditionMessage(error), "batch 1 could not be read: .*disk on fire")
})

test_that("array streams of nanoarrow", {
  skip_if_not_installed("nanoarrow")
  data <- stream_rows(300)
  arrays <- lapply(split(data, rep(1:3, c(10, 200, 90))), nanoarrow::as_nanoarrow_array)
  make <- function() nanoarrow::basic_array_stream(arrays)
  expect_identical(do.call(rbind, drained(as_source(make()), 70)), data)
  expect_identical(consumed(make()), consumed(data))
  # a stream in a file
  file <- tempfile(fileext = ".arrows")
  nanoarrow::write_nanoarrow(data, file)
  expect_identical(consumed(nanoarrow::read_nanoarrow(file)), consumed(data))
})

test_that("Parquet files and directories, datasets, queries and tables of arrow", {
  skip_if_not_installed("arrow")
  data <- stream_rows(300)
  folder <- tempfile()
  dir.create(folder)
  arrow::write_parquet(data[1:120, ], file.path(folder, "a.parquet"), chunk_size = 50)
  arrow::write_parquet(data[121:300, ], file.path(folder, "b.parquet"))
  expected <- consumed(data)
  expect_identical(consumed(folder), expected)
  expect_identical(consumed(arrow::open_dataset(folder)), expected)
  expect_identical(consumed(arrow::arrow_table(data)), expected)
  expect_identical(consumed(file.path(folder, "a.parquet")), consumed(data[1:120, ]))
  writeLines("no", file.path(folder, "c.parquet"))
  expect_error(drained(as_source(folder), 100), class = "gpstream_error")
})

test_that("without arrow, the error says what to install", {
  if (requireNamespace("arrow", quietly = TRUE)) skip("arrow is installed")
  file <- tempfile(fileext = ".parquet")
  file.create(file)
  expect_error(as_source(file), "the package arrow, which reads Parquet files, is not installed", class = "gpstream_error_package")
})
