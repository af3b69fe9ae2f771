# Code of help pages and vignettes that uses a cluster, run as it is printed: each page in a process of its own, on the two PSOCK workers
# that it makes. Rscript tools/snippets.R [--library=DIR]: DIR has gpstream. Last line: N passed, N failed; exit status 1 if any failed.
#
# Of a help page: the examples (with \donttest and \dontrun) and code in its text. Of a vignette: chunks, also those with eval = FALSE, and
# indented code; chunks that come before belong to it. A function() as_source(...) within a sentence must be part of code that is run.

file <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
source(file.path(dirname(gsub("~+~", " ", file, fixed = TRUE)), "setup.R"))
root <- package_root()
library <- sub("^--library=", "", grep("^--library=", commandArgs(TRUE), value = TRUE))
.libPaths(c(library, .libPaths()))

uses_cluster <- function(code) any(grepl("make(PSOCK|Fork|MPI)?_?[Cc]luster\\(|cluster *=|fit_shards\\(", code))
within_sentence <- "function\\(\\) *(gpstream::)?as_source\\("

# A block: `code`, is it a `snippet` (or what comes before one), may it `fail`?
block <- function(code, snippet = uses_cluster(code), fail = FALSE) list(code = code, snippet = snippet, fail = fail)

tagged <- function(rd, tag) {
  found <- if (identical(attr(rd, "Rd_tag"), tag)) list(paste(unlist(rd), collapse = ""))
  c(found, if (is.list(rd)) unlist(lapply(rd, tagged, tag), recursive = FALSE))
}

help_page <- function(rd) {
  tags <- vapply(rd, function(part) attr(part, "Rd_tag"), "")
  text <- rd[tags != "\\examples"]
  examples <- utils::capture.output(tools::Rd2ex(rd, commentDontrun = FALSE, commentDonttest = FALSE))
  blocks <- c(list(block(examples)), lapply(tagged(text, "\\preformatted"), function(code) block(strsplit(code, "\n")[[1]])))
  list(blocks = Filter(function(one) one$snippet, blocks), sentences = grep(within_sentence, unlist(tagged(text, "\\code")), value = TRUE))
}

vignette <- function(lines) {
  open <- grepl("^```+ *\\{r", lines)
  fence <- cumsum(grepl("^```", lines))
  inside <- fence %% 2 == 1
  indented <- !inside & grepl("^    ", lines)
  kind <- ifelse(inside, "chunk", ifelse(indented, "indented", "text"))
  runs <- rle(paste(kind, fence))
  ends <- cumsum(runs$lengths)
  blocks <- Map(function(from, to) {
    code <- lines[from:to]
    if (inside[from] && !open[from]) return(NULL)
    if (kind[from] == "text") return(block(inline_code(code), snippet = FALSE))
    one <- if (inside[from]) block(code[-1], fail = grepl("error *= *TRUE", code[1])) else block(sub("^    ", "", code))
    if (one$snippet || (inside[from] && !grepl("eval *= *FALSE", code[1]))) one
  }, ends - runs$lengths + 1, ends)
  blocks <- Filter(Negate(is.null), blocks)
  last <- max(0, which(vapply(blocks, `[[`, NA, "snippet")))
  spans <- unlist(regmatches(lines[!inside], gregexpr("`[^`]+`", lines[!inside])))
  list(blocks = blocks[seq_len(last)], sentences = gsub("`", "", grep(within_sentence, spans, value = TRUE)))
}

# `r code` within a sentence, which later chunks may need.
inline_code <- function(lines) {
  spans <- unlist(regmatches(lines, gregexpr("`r [^`]+`", lines)))
  if (length(spans) > 0) paste0("invisible(", gsub("^`r |`$", "", spans), ")")
}

squeezed <- function(code) gsub("[[:space:]]+", "", paste(code, collapse = ""))

run_page <- function(name, page) {
  wanted <- sum(vapply(page$blocks, `[[`, NA, "snippet"))
  code <- unlist(lapply(page$blocks, `[[`, "code"))
  lone <- page$sentences[!vapply(page$sentences, function(one) grepl(squeezed(one), squeezed(code), fixed = TRUE), NA)]
  for (one in lone) say(name, ": not run, as it is in no code of the page: ", one)
  if (wanted == 0) return(c(passed = 0, failed = length(lone)))
  at <- tempfile("snippets-")
  dir.create(at)
  file.copy(list.files(file.path(root, "vignettes"), full.names = TRUE), at)
  script <- file.path(at, "page.R")
  writeLines(c("library(gpstream)", "pdf(NULL)", unlist(lapply(page$blocks, function(one) {
    c(if (one$fail) "try({", one$code, if (one$fail) "})", if (one$snippet) "cat('\\n@@ run\\n')")
  }))), script)
  log <- file.path(at, "log")
  start <- proc.time()[["elapsed"]]
  owd <- setwd(at)
  on.exit(setwd(owd))
  Sys.setenv(R_LIBS = paste(.libPaths(), collapse = .Platform$path.sep))
  system2(r_program("Rscript"), "page.R", stdout = log, stderr = log)
  lines <- readLines(log, warn = FALSE)
  passed <- sum(lines == "@@ run")
  if (passed < wanted) writeLines(utils::tail(lines, 15))
  say(sprintf("%s: %d of %d (%.0f s)", name, passed, wanted, proc.time()[["elapsed"]] - start))
  c(passed = passed, failed = wanted - passed + length(lone))
}

help <- lapply(tools::Rd_db("gpstream"), help_page)
files <- list.files(file.path(root, "vignettes"), "[.]Rmd$", full.names = TRUE)
vignettes <- stats::setNames(lapply(files, function(file) vignette(readLines(file, encoding = "UTF-8"))), basename(files))
pages <- c(help, vignettes)
counts <- c(passed = 0, failed = 0)
for (name in names(pages)) counts <- counts + run_page(name, pages[[name]])
say(counts[["passed"]], " passed, ", counts[["failed"]], " failed")
quit(status = as.integer(counts[["failed"]] > 0 || counts[["passed"]] == 0))
