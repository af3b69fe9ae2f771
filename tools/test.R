# Everything that must hold before a change goes in: Rscript tools/test.R [--build-cost]
# Needs R and a C++ compiler; installs the R packages it lacks. Works on a copy of the sources in a
# temporary directory. Goes on after a failed step; the last line counts testthat expectations, core
# test cases and, as one each, the other steps. Exit status 1 if anything failed.

local({
  file <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
  source(file.path(dirname(gsub("~+~", " ", file, fixed = TRUE)), "setup.R"), local = globalenv())
})

root <- package_root()
for (script in c("tools/map.R", "tools/objects.R", "vignettes/_formulas.R", "tools/formulas.R")) source(file.path(root, script))
# nanonext, which mirai needs, is compiled with it where Debian has no package
if (!loads("mirai")) need_programs("cmake")
# everything DESCRIPTION names: with a suggested package missing, R CMD check --as-cran would ask the network
fields <- read.dcf(file.path(root, "DESCRIPTION"), c("Imports", "LinkingTo", "Suggests"))
need(setdiff(unlist(strsplit(gsub("[[:space:]]|\\([^)]*\\)", "", fields), ",")), rownames(installed.packages(priority = "base"))))
# from source, roxygen2 drags in minutes of compiling for one step: only where it comes for free
have_roxygen <- need("roxygen2", optional = TRUE)
# for the tests of the live page, which are otherwise skipped, and say so
need_programs(c("chromium", "chromedriver"), c("chromium", "chromium-driver"))
have_qpdf <- need_programs("qpdf")
# typesets formulas
need_programs("pandoc")
# the package is compiled three times, for its tests, for its vignettes and by the check; what has not changed since the last run is not
# compiled again
have_ccache <- need_programs("ccache")

tmp <- tempfile("gpstream-test-")
tree <- copy_sources(root, file.path(tmp, "gpstream"))
lib <- file.path(tmp, "library")
dir.create(lib)
description <- read.dcf(file.path(tree, "DESCRIPTION"))[1, ]

# The suites decide by NOT_CRAN how long they run; the check must see what CRAN sees.
Sys.unsetenv("NOT_CRAN")
Sys.setenv(R_LIBS = paste(c(lib, .libPaths()), collapse = .Platform$path.sep), MAKEFLAGS = "-j2")
# Without debug symbols, whatever this machine's R defaults to: with Debian's -g the library has 33 MB instead
# of 0.6, and the check complains of its size.
compiler <- system2(file.path(R.home("bin"), "R"), c("CMD", "config", "CXX17"), stdout = TRUE)
writeLines(c("CXX17FLAGS = -O2", if (have_ccache) paste("CXX17 = ccache", compiler)), file.path(tmp, "Makevars"))
# where it was compiled does not matter to what was kept of an earlier run
Sys.setenv(CCACHE_NOHASHDIR = "1")
Sys.setenv(R_MAKEVARS_USER = file.path(tmp, "Makevars"))

# ---- running steps and keeping count ------------------------------------------------------------

results <- list()

# A step returns the counts it wants on the books, or stops. Default: one thing passed.
step <- function(name, code) {
  say("\n== ", name, " ", strrep("=", max(3, 70 - nchar(name))))
  start <- proc.time()[["elapsed"]]
  counts <- tryCatch(code, error = function(e) {
    say("FAILED: ", conditionMessage(e))
    c(failed = 1)
  })
  seconds <- proc.time()[["elapsed"]] - start
  if (is.null(names(counts))) counts <- c(passed = 1)
  total <- c(passed = 0, failed = 0, skipped = 0)
  total[names(counts)] <- counts
  say(sprintf("-- %s: %s (%.0f s)", name, verdict(total), seconds))
  results[[name]] <<- c(total, seconds = seconds)
  invisible(total[["failed"]] == 0)
}

verdict <- function(counts) {
  if (counts[["failed"]] > 0) "FAILED" else if (counts[["passed"]] > 0) "ok" else "skipped"
}

skipped <- function(why) {
  say("skipped: ", why)
  c(skipped = 1)
}

show_file <- function(file, last = Inf) {
  lines <- readLines(file, warn = FALSE)
  writeLines(utils::tail(lines, min(last, length(lines))))
}

# ---- the steps ----------------------------------------------------------------------------------

# Widths, the format of C++, and the fence: nothing in the core but theory itself needs theory.
formatted <- function() {
  sources <- list.files(tree, "[.](R|h|cpp)$|^Makefile$", recursive = TRUE)
  sources <- grep("^(R|src|tests/core)/", grep("RcppExports", sources, invert = TRUE, value = TRUE), value = TRUE)
  lines <- lapply(file.path(tree, sources), readLines, warn = FALSE, encoding = "UTF-8")
  at <- data.frame(file = rep(sources, lengths(lines)), line = sequence(lengths(lines)), text = unlist(lines))
  wide <- at[nchar(at$text) > 110 & !startsWith(at$text, "#' |"), ]
  if (nrow(wide) > 0) stop("wider than 110 columns: ", paste(wide$file, wide$line, sep = ":", collapse = ", "))
  named <- regmatches(at$text, regexpr("^[.a-zA-Z0-9_]+(?= <- )", at$text, perl = TRUE))[grepl("^R/", at$file[grepl("^[.a-zA-Z0-9_]+ <- ", at$text)])]
  if (anyDuplicated(named)) stop("defined twice: ", paste(unique(named[duplicated(named)]), collapse = ", "))
  core <- at[startsWith(at$file, "src/core/") & !startsWith(at$file, "src/core/theory/"), ]
  crossing <- core[grepl('^ *#include ["<]([^">]*/)?theory/', core$text), ]
  if (nrow(crossing) > 0) stop("theory is included by ", paste(unique(crossing$file), collapse = ", "))
  program <- Sys.which("clang-format")
  if (!nzchar(program) || !any(grepl("version 14[.]", system2(program, "--version", stdout = TRUE)))) {
    return(say(length(sources), " files; C++ not compared: there is no clang-format 14"))
  }
  style <- paste0("--style=file:", file.path(root, ".clang-format"))
  files <- file.path(tree, grep("[.](h|cpp)$", sources, value = TRUE))
  log <- file.path(tmp, "format.log")
  status <- system2(program, shQuote(c(style, "--dry-run", "-Werror", files)), stdout = log, stderr = log)
  if (status != 0) {
    show_file(log, last = 40)
    stop("C++ files are not as clang-format 14 makes them")
  }
  say(length(sources), " files")
}

install <- function() {
  log <- file.path(tmp, "install.log")
  args <- c("CMD", "INSTALL", "--no-multiarch", paste0("--library=", lib), copy_sources(tree, file.path(tmp, "install")))
  if (run(r_program(), args, log = log, check = FALSE) != 0) {
    show_file(log)
    stop("the package does not install")
  }
}

# Generate in a second copy and compare. Roxygen looks objects up in the installed package, which
# saves compiling once more.
generated <- function() {
  copy <- copy_sources(tree, file.path(tmp, "generated"))
  Rcpp::compileAttributes(copy)
  writeLines(makevars_lines(copy), file.path(copy, "src", "Makevars"))
  files <- c("src/RcppExports.cpp", "R/RcppExports.R", "src/Makevars")
  wanted <- description["RoxygenNote"]
  version <- if (have_roxygen) as.character(utils::packageVersion("roxygen2")) else "no roxygen2"
  if (identical(version, unname(wanted))) {
    log <- file.path(tmp, "roxygen.log")
    code <- sprintf("roxygen2::roxygenise(%s, load_code = 'installed')", encodeString(copy, quote = "'"))
    if (run(r_program("Rscript"), c("-e", code), log = log, check = FALSE) != 0) {
      show_file(log)
      stop("roxygen2 failed")
    }
    man <- union(list.files(file.path(tree, "man"), "[.]Rd$"), list.files(file.path(copy, "man"), "[.]Rd$"))
    files <- c(files, "NAMESPACE", "INDEX", if (length(man)) file.path("man", man))
    writeLines(index_lines(copy), file.path(copy, "INDEX"))
  } else {
    say("NAMESPACE and man/ not compared: made by roxygen2 ", wanted, ", found here: ", version)
  }
  # formulas as they were typeset, or at least all of them and no other
  table <- file.path("vignettes", "_formulas.tsv")
  typeset <- readLines(file.path(tree, table), encoding = "UTF-8")
  if (typeset[1] == paste("#", pandoc_version())) {
    writeLines(enc2utf8(formula_lines(copy)), file.path(copy, table), useBytes = TRUE)
    files <- c(files, table)
  } else if (!setequal(sub("\t.*", "", typeset[-1]), vignette_formulas(copy))) {
    stop(table, " does not have the formulas of the vignettes; run tools/formulas.R")
  }
  stale <- files[!mapply(identical, unname(tools::md5sum(file.path(tree, files))),
                           unname(tools::md5sum(file.path(copy, files))))]
  if (length(stale)) {
    for (file in stale) system2("diff", c("-uN", shQuote(file.path(c(tree, copy), file))))
    stop("not up to date: ", paste(stale, collapse = ", "),
             "; run Rcpp::compileAttributes(), roxygen2::roxygenise(), tools/map.R, tools/objects.R and tools/formulas.R")
  }
  say(length(files), " files are as generated")
}

# What needs one processor goes on beside the rest: the core tests while the package is installed and its tests run; after them the build,
# which makes the vignettes.
core_log <- file.path(tmp, "core.log")
build_log <- file.path(tmp, "build.log")
status_of <- function(log) sub("log$", "status", log)
in_background <- function(log, directory, command, before = "true") {
  command <- sprintf("(%s; cd %s; %s > %s 2>&1; echo $? > %s) &", before, shQuote(directory), command, shQuote(log), shQuote(status_of(log)))
  say("$ ", command)
  system(command)
}
start_core_tests <- function() in_background(core_log, file.path(tree, "tests", "core"), paste("make -j2", if (have_ccache) "CXX='ccache g++'"))
start_build <- function() {
  in_background(build_log, tmp, paste(shQuote(r_program()), "CMD build gpstream"),
                before = sprintf("until test -s %s; do sleep 1; done", shQuote(status_of(core_log))))
}
status_when_done <- function(log) {
  while (!file.exists(status_of(log)) || length(readLines(status_of(log))) == 0) Sys.sleep(0.5)
  as.integer(readLines(status_of(log)))
}

core_tests <- function() {
  log <- core_log
  status <- status_when_done(core_log)
  line <- utils::tail(grep("^core: [0-9]+ passed, [0-9]+ failed$", readLines(log), value = TRUE), 1)
  if (status != 0) show_file(log) else writeLines(line)
  if (length(line) == 0) stop("the core tests did not finish")
  n <- as.numeric(regmatches(line, gregexpr("[0-9]+", line))[[1]])
  # a sanitizer report after the last test must not pass for success
  c(passed = n[1], failed = if (status != 0) max(n[2], 1) else n[2])
}

package_tests <- function() {
  counts <- file.path(tmp, "counts.rds")
  owd <- setwd(tree)
  on.exit(setwd(owd))
  run(r_program("Rscript"), c(file.path(root, "tools", "suite.R"), counts), env = "NOT_CRAN=true", check = FALSE)
  if (!file.exists(counts)) stop("the test process died")
  n <- readRDS(counts)
  if (n[["passed"]] + n[["failed"]] == 0) stop("no tests were run")
  n
}

# No network, no clock server; absent suggested packages, and those that ours adds something to, are no error.
check_variables <- c("_R_CHECK_CRAN_INCOMING_=FALSE", "_R_CHECK_SYSTEM_CLOCK_=FALSE", "_R_CHECK_FORCE_SUGGESTS_=FALSE",
                     "_R_CHECK_PACKAGE_DEPENDS_IGNORE_MISSING_ENHANCES_=TRUE",
                     # the library of units is .8 MB larger than that of one file was, and its bar (tools/build-cost.sh) not yet met; the
                     # check asks for 5 MB
                     "_R_CHECK_PKG_SIZES_THRESHOLD_=6.5",
                     # the check wants qpdf to be there, even for a package without a PDF, and never runs it then
                     if (!have_qpdf) paste0("R_QPDF=", Sys.which("true")))

check_package <- function() {
  owd <- setwd(tmp)
  on.exit(setwd(owd))
  log <- file.path(tmp, "check.log")
  if (status_when_done(build_log) != 0) {
    show_file(build_log)
    stop("R CMD build failed")
  }
  tarball <- sprintf("gpstream_%s.tar.gz", description["Version"])
  say(sprintf("%s: %.0f kB", tarball, file.size(tarball) / 1024))
  # the build above has just run every vignette
  args <- c("CMD", "check", "--as-cran", "--no-build-vignettes", if (!nzchar(Sys.which("pdflatex"))) "--no-manual", tarball)
  run(r_program(), args, env = check_variables, log = log, check = FALSE)
  lines <- readLines("gpstream.Rcheck/00check.log")
  status <- utils::tail(grep("^Status: ", lines, value = TRUE), 1)
  if (identical(status, "Status: OK")) return(say(status))
  item <- cumsum(grepl("^\\* ", lines))
  bad <- unique(item[grepl("(^|\\.\\.\\.? |\\] )(ERROR|WARNING|NOTE)", lines)])
  writeLines(lines[item %in% bad])
  # what the log only points to
  detail <- c(if (any(grepl("can be installed .*ERROR", lines))) "gpstream.Rcheck/00install.out",
        list.files("gpstream.Rcheck", "[.]fail$", recursive = TRUE, full.names = TRUE))
  for (file in detail) {
    say("---- ", file)
    show_file(file, last = 100)
  }
  stop(if (length(status)) status else "R CMD check did not finish")
}

# Memory, time and number of units of a build from nothing, within their limits.
build_cost <- function() run(file.path(root, "tools", "build-cost.sh"), "--limits")

# The README shows what its example prints.
readme <- function() run(r_program("Rscript"), c(file.path(root, "tools", "readme-figures.R"), "--check"))

# What a newcomer meets, in the library that the check has made from the tarball; the site follows its own links.
front_door <- function() {
  checked <- paste0("--library=", file.path(tmp, "gpstream.Rcheck"))
  run(r_program("Rscript"), c(file.path(root, "tools", "front-door.R"), checked))
  run(r_program("Rscript"), c(file.path(root, "tools", "site.R"), file.path(tmp, "site"), checked), log = file.path(tmp, "site.log"))
}

# Code of help pages and vignettes that uses a cluster, as it is printed.
snippets <- function() {
  log <- file.path(tmp, "snippets.log")
  run(r_program("Rscript"), c(file.path(root, "tools", "snippets.R"), paste0("--library=", lib)), log = log, check = FALSE)
  show_file(log)
  n <- as.numeric(regmatches(utils::tail(readLines(log), 1), gregexpr("[0-9]+", utils::tail(readLines(log), 1)))[[1]])
  if (length(n) != 2) stop("the snippets did not finish")
  c(passed = n[1], failed = n[2])
}

# CRAN's own neighbours: where they are, and on a machine that is there for nothing else (CI) installed, a few minutes at a time.
neighbours <- function() {
  if (!nzchar(Sys.getenv("CI")) && length(list.files(tools::R_user_dir("gpstream", "cache"), "^neighbours")) == 0) {
    return(skipped("they are not installed; tools/neighbours.R does it"))
  }
  counts <- file.path(tmp, "neighbours.rds")
  log <- file.path(tmp, "neighbours.log")
  run(r_program("Rscript"), c(file.path(root, "tools", "neighbours.R"), "--minutes=8", paste0("--library=", lib), paste0("--counts=", counts)),
      log = log, check = FALSE)
  show_file(log, last = 12)
  readRDS(counts)
}

# The theory against simulation, briefly, and the benchmark.
bench_smoke <- function() {
  for (script in c("theorem-1", "theorem-2", "kdpp", "certificate", "streams", "run")) {
    run(r_program("Rscript"), c(file.path(root, "bench", paste0(script, ".R")), "--quick", if (script == "run") "--installed"))
  }
}

start_core_tests()
step("format", formatted())
installed <- step("install", install())
step("generated files", if (installed) generated() else skipped("the package does not install"))
start_build()
step("package tests", if (installed) package_tests() else skipped("the package does not install"))
step("core tests", core_tests())
step("R CMD check", check_package())
if ("--build-cost" %in% commandArgs(TRUE)) step("build cost", build_cost())
built <- dir.exists(file.path(tmp, "gpstream.Rcheck", "gpstream", "help"))
step("front door", if (built) front_door() else skipped("the check did not install the package"))
step("README example", if (installed) readme() else skipped("the package does not install"))
step("snippets", if (installed) snippets() else skipped("the package does not install"))
step("neighbours", if (installed) neighbours() else skipped("the package does not install"))
step("benchmark smoke run", if (installed) bench_smoke() else skipped("the package does not install"))

# ---- summary ------------------------------------------------------------------------------------

say("\n", sprintf("%-22s %-8s %7s %7s %8s %8s", "step", "result", "passed", "failed", "skipped", "seconds"))
for (name in names(results)) {
  r <- results[[name]]
  say(sprintf("%-22s %-8s %7.0f %7.0f %8.0f %8.1f", name, verdict(r), r["passed"], r["failed"], r["skipped"], r["seconds"]))
}
total <- Reduce(`+`, results)
unlink(tmp, recursive = TRUE)
if (total["skipped"] > 0) say(sprintf("%.0f skipped", total["skipped"]))
say(sprintf("%.0f passed, %.0f failed", total["passed"], total["failed"]))
quit(status = as.integer(total["failed"] > 0))
