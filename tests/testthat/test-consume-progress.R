# The bar of consume(): what it says; silence where nobody looks.

test_that("what is shown", {
  run <- list(gp = toy_gp(60), rows = 12000, taken = 12000, scored = 100, squared = 4)
  expect_identical(progress_text(run, 1.5), paste0("12,000 rows, 8,000/s, ", toy_gp(60)$size, " points, RMSE 0.2"))
  run$scored <- run$squared <- 0
  expect_identical(progress_text(run, 1.5), paste0("12,000 rows, 8,000/s, ", toy_gp(60)$size, " points"))
})

test_that("a bar with the time left where the length is known, without it where not", {
  skip_if_not_installed("progress")
  run <- list(gp = toy_gp(60), rows = 500, taken = 500, scored = 100, squared = 4)
  shown <- function(total) {
    lines <- utils::capture.output(type = "message", {
      bar <- new_progress(TRUE, FALSE, total, force = TRUE)
      bar$tick(run)
      Sys.sleep(0.6) # it shows itself to those who wait
      run$rows <- 900
      bar$tick(run)
      bar$end()
    })
    paste(lines, collapse = "\n")
  }
  known <- shown(1000)
  expect_match(known, "900 rows")
  expect_match(known, "RMSE 0.2")
  expect_match(known, "90%")
  expect_match(known, "left")
  unknown <- shown(NA)
  expect_match(unknown, "900 rows")
  expect_no_match(unknown, "left")
})

test_that("silent where nobody looks, and where the run is not interactive by default", {
  expect_silent(consume(stream_model(), stream_rows(300), 100))
  expect_silent(consume(stream_model(), stream_rows(300), 100, progress = FALSE))
  expect_silent(new_progress(FALSE, FALSE, 100)$tick(list()))
})
