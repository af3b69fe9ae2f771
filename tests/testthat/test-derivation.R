# vignette("derivation") names the file and the test of every formula, and comments name its sections. Both can rot.

tree <- function(...) test_path("..", "..", ...)

# the text of each numbered section, named by its number
sections <- function() {
  text <- readLines(tree("vignettes", "derivation.Rmd"))
  heading <- grepl("^## [0-9]+[.] ", text)
  number <- sub("^## ([0-9]+)[.] .*", "\\1", text[heading])
  body <- split(text, factor(cumsum(heading), 0:sum(heading)))[-1]
  vapply(stats::setNames(body, number), paste, "", collapse = "\n")
}

in_backticks <- function(text) gsub("`", "", unlist(regmatches(text, gregexpr("`[^`\n]+`", text))))

test_that("the sections of the derivation are numbered from 1 without gaps", {
  skip_if_not(file.exists(tree("vignettes", "derivation.Rmd")))
  expect_identical(names(sections()), as.character(seq_along(sections())))
  expect_gte(length(sections()), 12)
})

test_that("every file that the derivation names exists", {
  skip_if_not(file.exists(tree("vignettes", "derivation.Rmd")))
  named <- unique(grep("^(src|R|tests|bench|tools|vignettes)/", in_backticks(sections()), value = TRUE))
  for (folder in c("tests/core", "bench", "tools")) { # not in a built package
    if (!dir.exists(tree(folder))) named <- named[!startsWith(named, paste0(folder, "/"))]
  }
  expect_gt(length(named), 20)
  expect_identical(named[!file.exists(tree(sub("/$", "", named)))], character())
})

test_that("a comment with the key [derivation n] stands in a file that section n names", {
  skip_if_not(file.exists(tree("vignettes", "derivation.Rmd")))
  folders <- c("src", "R", "tests")
  files <- unlist(lapply(folders, function(folder) {
    file.path(folder, list.files(tree(folder), "[.](h|cpp|R)$", recursive = TRUE))
  }))
  files <- setdiff(files, "tests/testthat/test-derivation.R")
  keys <- unlist(lapply(files, function(file) {
    text <- paste(readLines(tree(file), warn = FALSE), collapse = " ")
    found <- unlist(regmatches(text, gregexpr("\\[[^]]*derivation [0-9]+(, [0-9]+)*", text)))
    numbers <- unlist(strsplit(sub(".*derivation ", "", found), ", "))
    if (length(numbers)) paste(file, unique(numbers))
  }))
  expect_gt(length(keys), 15)
  named <- unlist(Map(function(text, number) paste(in_backticks(text), number), sections(), names(sections())), use.names = FALSE)
  expect_identical(setdiff(keys, named), character())
})
