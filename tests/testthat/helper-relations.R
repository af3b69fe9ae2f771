# Relations that must hold, and random models to try them on: tests/testthat/relations/, which tools/relations.R
# reads, too.
held <- new.env()
local({
  files <- list.files(testthat::test_path("relations"), "[.]R$")
  for (name in unique(c("registry.R", "cases.R", files))) sys.source(testthat::test_path("relations", name), held)
})
