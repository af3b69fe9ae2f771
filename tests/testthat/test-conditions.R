# Messages are short. Those that snapshots show begin with their class, and end where the next one begins, at an
# empty line or at the next call.

messages_in <- function(file) {
  lines <- trimws(readLines(file, encoding = "UTF-8"))
  begins <- grepl("^((Error|Warning|Message) )?<gpstream_", lines)
  ends <- c(begins | !nzchar(lines) | grepl("^(> |Code$)", lines), TRUE)
  lapply(which(begins), function(i) lines[seq(i, min(which(ends & seq_along(ends) > i)) - 1)])
}

test_that("no message is longer than ten lines, of 80 letters each where it has no lines", {
  files <- list.files(test_path("_snaps"), "[.]md$", full.names = TRUE)
  skip_if(length(files) == 0)
  all <- unlist(lapply(files, messages_in), recursive = FALSE)
  expect_gt(length(all), 300) # they were found
  long <- vapply(all, function(lines) length(lines) > 10 || sum(nchar(lines)) > 800, NA)
  expect_identical(vapply(all[long], `[`, "", 1), character())
})
