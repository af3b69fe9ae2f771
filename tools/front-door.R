# What a newcomer meets: Rscript tools/front-door.R [--library=DIR]
# In a library made from the built tarball: vignettes are there, in order, and ask nothing of another host; the help index starts with
# streaming_gp and has every page; README names only files and vignettes that there are, and its code runs. tools/test.R gives it the
# library that R CMD check has made; without one it builds and installs the package as README says, which takes minutes.

local({
  file <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
  source(file.path(dirname(gsub("~+~", " ", file, fixed = TRUE)), "setup.R"), local = globalenv())
})
root <- package_root()
source(file.path(root, "tools", "map.R"))

install_as_readme_says <- function() {
  copy <- copy_sources(root, file.path(tempfile(), "gpstream"))
  lib <- file.path(dirname(copy), "library")
  dir.create(lib)
  owd <- setwd(copy)
  on.exit(setwd(owd))
  line <- trimws(grep("^ +R CMD build", readLines("README.md"), value = TRUE))
  say("$ ", line)
  log <- tempfile()
  Sys.setenv(R_LIBS = paste(c(lib, .libPaths()), collapse = .Platform$path.sep))
  if (system(sprintf("(%s) > %s 2>&1", line, shQuote(log))) != 0) {
    writeLines(readLines(log))
    stop("README's install line fails", call. = FALSE)
  }
  lib
}
lib <- sub("^--library=", "", grep("^--library=", commandArgs(TRUE), value = TRUE))
lib <- if (length(lib) == 1) normalizePath(lib) else install_as_readme_says()

wrong <- character()
must <- function(ok, ...) if (!ok) wrong <<- c(wrong, paste0(...))
readme <- readLines(file.path(root, "README.md"))
all_of <- function(pattern, text) unlist(regmatches(text, gregexpr(pattern, text, perl = TRUE)))

# ---- vignettes ----------------------------------------------------------------------------------

sources <- sub("[.]Rmd$", "", list.files(file.path(root, "vignettes"), "[.]Rmd$"))
listed <- vignette(package = "gpstream", lib.loc = lib)$results
must(setequal(listed[, "Item"], sources), "vignettes that are installed: ", toString(listed[, "Item"]))
# their titles are numbered in the order in which README names them
table <- readme[grepl("^\\| `", readme) & seq_along(readme) > match("| `vignette(\"...\")` | answers |", readme)]
wanted <- intersect(all_of("(?<=`)[^`]+(?=`)", sub("^\\| ([^|]*) \\|.*", "\\1", table)), sources)
titles <- listed[order(listed[, "Title"], method = "radix"), "Item"]
must(identical(unname(titles), wanted), "vignettes by their titles are not in README's order: ", toString(titles))
for (name in listed[, "Item"]) {
  html <- paste(readLines(file.path(lib, "gpstream", "doc", paste0(name, ".html")), warn = FALSE), collapse = "\n")
  must(grepl("<h2>", html) && grepl("</html>", html), "vignette ", name, " is not a page")
  must(!grepl("(src|<link[^>]*href)=[\"'](https?:)?//|@import", html), "vignette ", name, " loads something from another host")
}

# ---- help ---------------------------------------------------------------------------------------

index <- sub(" .*", "", grep("^[^ ]", readLines(file.path(lib, "gpstream", "INDEX")), value = TRUE))
must(index[1] == "streaming_gp", "the help index starts with ", index[1])
pages <- man_pages(root)$pages
odd <- pages$name[pages$name != sub("[.]Rd$", "", pages$file)]
must(length(odd) == 0, "pages listed under another name than their file's: ", toString(odd), "; see @name in the first of their blocks")
pages <- pages$name
must(setequal(index, pages), "the help index differs from man/ in ", toString(c(setdiff(index, pages), setdiff(pages, index))))
missing <- setdiff(pages, c("gpstream-package", unlist(task_map(root))))
must(length(missing) == 0, "?gpstream does not name ", toString(missing))

# ---- README -------------------------------------------------------------------------------------

fences <- cumsum(grepl("^ *```", readme))
prose <- readme[fences %% 2 == 0]
links <- all_of("\\]\\([^)]+\\)", prose)
paths <- c(substr(links, 3, nchar(links) - 1), all_of("(?<=`)(R|src|bench|tools|tests|vignettes|inst)/[^`* ]*(?=`)", prose))
paths <- setdiff(grep("^https?:|^#", paths, value = TRUE, invert = TRUE), "src/core/kernels/powexp.cpp")
gone <- paths[!file.exists(file.path(root, paths))]
must(length(gone) == 0, "README names what there is not: ", toString(gone))
named <- all_of("(?<=vignette\\(\")[a-z0-9-]+(?=\"\\))", readme)
must(all(named %in% sources), "README names vignettes that there are not: ", toString(setdiff(named, sources)))
for (command in c("Rscript tools/demo.R", "Rscript tools/test.R")) {
  must(any(grepl(paste0("^ +", command, "$"), readme)), "README lost the command ", command)
}

# Numbers in it are those of the tables that the scripts wrote.
read_table <- function(...) utils::read.csv(file.path(root, ...))
claim <- function(...) {
  text <- sprintf(...)
  must(any(grepl(text, gsub("\\s+", " ", paste(readme, collapse = " ")), fixed = TRUE)), "README does not say what the tables do: ", text)
}
real <- read_table("inst", "extdata", "real.csv.gz")
ours <- real[real$model == "gpstream", ]
others <- real[real$model != "gpstream" & !is.na(real$loss), ]
run_of <- function(table) paste(table$protocol, table$data, table$seed)
near <- ours$loss <= tapply(others$loss, run_of(others), min)[run_of(ours)] + 0.02
holds <- abs(ours$inside - 0.95) <= pmax(0.03, 2.5 * sqrt(0.95 * 0.05 / ours$scored))
for (kind in c("hold", "stream")) {
  of <- ours$protocol == kind
  claim("| %s | %d | %d | %d |", c(hold = "shuffled", stream = "streams in their natural order")[[kind]], sum(of),
    sum(near[of], na.rm = TRUE), sum(holds[of], na.rm = TRUE))
}
along <- subset(read_table("bench", "results", "along-n.csv"), n == max(n))
claim("%.0f microseconds with %d of them, %.0f with %d, %.0f with %d", along$median[1], along$points[1], along$median[2], along$points[2],
  along$median[3], along$points[3])
shown <- read_table("bench", "results", "must-show.csv")
beside <- function(n) shown$measured[shown$what == paste("one row, 500 points: laGP::updateGP at n =", n, "/ gpstream")]
claim("takes %.0f times as long as a model of 480 points at 500 rows, %.0f times at 1000", beside(500), beside(1000))
results <- read_table("bench", "results", "results.csv")
took <- function(workload, setting, method) {
  results$median[results$workload == workload & results$setting == setting & results$method == method]
}
batches <- function(method) took("W3 batches", "500 points, batches of 1000", method)
claim("**Batches of 1000 rows** at 480 points: %.0f microseconds a row, %.0f with two threads", batches("gpstream"), batches("gpstream, two threads"))
each <- function(method) took("W5 prediction", "500 points, mean and sd", method)
claim("%.1f and %.1f; mgcv with 400 basis functions %.0f, hetGP with 500 rows %.0f", each("gpstream"), each("gpstream, two threads"), each("mgcv"), each("hetGP"))
chosen <- vapply(2:3, function(d) took("W1 selection", sprintf("D = %d, 1000 points, 1e+06 rows", d), "gpstream"), 1)
claim("takes %.2f to %.2f seconds", chosen[1], chosen[2])
learning <- read_table("inst", "extdata", "learning-cost.csv")
cost <- function(columns, what) learning$value[learning$case == sprintf("%d columns, 4000 rows", columns) & learning$what == what]
claim("take %.1f seconds with 2 columns and %.1f with 18; learning once, in the warm-up, %.1f and %.1f", cost(2, "seconds"), cost(18, "seconds"),
  cost(2, "seconds, warm-up"), cost(18, "seconds, warm-up"))

# Its blocks of R run one after the other, in an empty directory (what is indented is a part of something).
inside <- which(readme == "```r")
code <- unlist(lapply(inside, function(i) readme[(i + 1):(i + which(readme[-seq_len(i)] == "```")[1] - 1)]))
folder <- tempfile()
dir.create(folder)
writeLines(code, file.path(folder, "readme.R"))
log <- file.path(folder, "log")
owd <- setwd(folder)
status <- run(r_program("Rscript"), "readme.R", log = log, check = FALSE,
  env = paste0("R_LIBS=", paste(c(lib, .libPaths()), collapse = .Platform$path.sep)))
setwd(owd)
must(status == 0, "README's code fails:\n", paste(utils::tail(readLines(log), 5), collapse = "\n"))

if (length(wrong) > 0) stop(paste(c("the front door:", wrong), collapse = "\n  "), call. = FALSE)
say(length(sources), " vignettes, ", length(pages), " help pages, ", length(unique(paths)), " files named in README, ", length(inside), " blocks of code")
