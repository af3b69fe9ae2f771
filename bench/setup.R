# Installs the packages that bench/run.R and bench/real.R compare with or take data from: Rscript bench/setup.R [name ...]
# Without names, all of them. Debian's binary packages first, where this is Debian's own R and we may install them; the
# rest, and what they depend on, from source out of whatever repository this R is configured for, one job at a time.
# Nothing else in the project needs them, and both go without those that are absent.
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)))
source(file.path(here, "..", "tools", "setup.R"))

source(file.path(here, "run", "peers.R"))
for (part in c("fits", "models", "sets")) source(file.path(here, "real", paste0(part, ".R")))

known <- unique(unlist(c(lapply(c(peers, streams, tables), `[[`, "package"), needed)))
wanted <- commandArgs(TRUE)
if (length(wanted) == 0) wanted <- known
if (length(unknown <- setdiff(wanted, known))) stop("no peer and no source of data: ", paste(unknown, collapse = ", "), call. = FALSE)

absent <- function(packages) packages[!vapply(packages, loads, NA)]

# A package and all it needs, where a repository can be asked.
with_dependencies <- function(packages) {
  needs <- tryCatch(tools::package_dependencies(packages, utils::available.packages(), recursive = TRUE), error = function(e) NULL)
  unique(c(packages, unlist(needs)))
}

# One after another: a package that does not build does not take the others with it.
for (package in absent(wanted)) {
  if (apt_usable()) apt_install(absent(with_dependencies(package)))
  if (!loads(package)) tryCatch(cran_install(package, jobs = 1), error = message)
  say(package, if (loads(package)) paste0(" ", utils::packageVersion(package), ": installed") else ": NOT installed")
}
