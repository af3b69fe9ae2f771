# gpstream beside its peers: Rscript bench/run.R [--quick] [--installed] [--out=DIR] [--only=W1,W2,...]
# Installs the package from this checkout as a user would, with R's own flags, into a temporary library (--installed: takes
# the one that R finds), draws the workloads with fixed seeds, runs gpstream and every peer that is installed in turn in one
# process, and writes results.csv, along-n.csv, must-show.csv, machine.txt and three plots to DIR.
# Without --out, DIR is a new temporary directory. Ten minutes; --quick: seconds, of use only to see that it works.
# Peers: Rscript bench/setup.R. bench/results has what one run gave.

here <- dirname(gsub("~+~", " ", sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)), fixed = TRUE))
source(file.path(here, "..", "tools", "setup.R"))
args <- commandArgs(TRUE)
value <- function(name, default) {
  hit <- sub(paste0("^--", name, "="), "", grep(paste0("^--", name, "="), args, value = TRUE))
  if (length(hit)) hit[1] else default
}
quick <- "--quick" %in% args
out <- value("out", file.path(dirname(tempdir()), basename(tempfile("gpstream-bench-")))) # R removes tempdir() itself
only <- strsplit(value("only", ""), ",")[[1]]
dir.create(out, recursive = TRUE, showWarnings = FALSE)

if (!"--installed" %in% args) {
  lib <- tempfile("gpstream-library-")
  dir.create(lib)
  copy <- copy_sources(package_root(), file.path(tempfile(), "gpstream"))
  run(r_program(), c("CMD", "INSTALL", "--no-docs", "--no-multiarch", "--no-test-load", paste0("--library=", lib), copy),
      log = file.path(out, "install.log"))
  .libPaths(c(lib, .libPaths()))
}
library(gpstream)
for (part in list.files(file.path(here, "run"), "[.]R$", full.names = TRUE)) source(part)

about <- machine()
writeLines(about)
if (!quick) compile_yardsticks(file.path(here, "run", "yardsticks.cpp"))

# name = what runs; each gives lines of the table
workloads <- list(W1 = selection, W2 = one_row, along = along, W3 = batches, W4 = fits, W5 = prediction, W6 = families, sizes = sizes,
                  streams = streams)
if (length(only)) workloads <- workloads[intersect(only, names(workloads))]
results <- lapply(workloads, function(workload) workload(quick))
curve <- results$along$curve
if (!is.null(curve)) results$along <- results$along$table
table <- with_ratio(do.call(rbind, unname(results)))
shown <- must_show(table, agreement(quick))

write_table(table, file.path(out, "results.csv"))
write_table(shown, file.path(out, "must-show.csv"))
if (!is.null(curve)) write_table(curve, file.path(out, "along-n.csv"))
about <- c(about, sprintf("%.0f seconds%s", elapsed(), if (quick) ", a quick run: sizes and numbers of repeats are small" else ""))
writeLines(about, file.path(out, "machine.txt"))
print_table(table)
print_must_show(shown)
draw_plots(table, curve, out)
cat("\n", about[length(about)], "; written to ", out, "\n", sep = "")
