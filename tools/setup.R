# What the scripts in tools/ share: where the package is, how to run a command, how to get R packages.
# Load it with source(); it needs nothing but R itself.

# Directory of the script that Rscript runs, so that every script works from any directory.
script_dir <- function() {
  file <- grep("^--file=", commandArgs(FALSE), value = TRUE)
  if (length(file) == 0) return(getwd())
  # R's start-up shell script writes a space in this argument as ~+~
  dirname(normalizePath(gsub("~+~", " ", sub("^--file=", "", file[1]), fixed = TRUE)))
}

package_root <- function() {
  root <- dirname(script_dir())
  if (!file.exists(file.path(root, "DESCRIPTION"))) stop("no R package at ", root, call. = FALSE)
  root
}

say <- function(...) {
  cat(..., "\n", sep = "")
  flush(stdout())
}

# Run a command and show it. With `log`, its output goes to that file instead of the terminal.
# `env` holds "NAME=value" strings. Fails when the command does, unless `check` is FALSE; returns its status.
run <- function(command, args = character(), env = character(), log = NULL, check = TRUE) {
  say("$ ", paste(c(env, basename(command), args), collapse = " "))
  out <- if (is.null(log)) "" else log
  # only the value is quoted: the shell must still recognise the assignment
  env <- sub("^([^=]+)=(.*)$", "\\1='\\2'", env)
  status <- system2(command, shQuote(args), stdout = out, stderr = out, env = env)
  if (check && status != 0) stop(basename(command), " failed with status ", status, call. = FALSE)
  invisible(status)
}

r_program <- function(name = "R") file.path(R.home("bin"), name)

loads <- function(package) suppressWarnings(requireNamespace(package, quietly = TRUE))

apt_usable <- function() {
  nzchar(Sys.which("apt-get")) && file.access("/var/lib/dpkg", 2) == 0 && identical(unname(Sys.info()["effective_user"]), "root")
}

apt <- function(...) {
  suppressWarnings(system2("apt-get", c("-qq", ...), env = "DEBIAN_FRONTEND=noninteractive",
                             stdout = FALSE, stderr = FALSE)) == 0
}

apt_install <- function(packages) {
  apt("update")
  debian <- paste0("r-cran-", tolower(packages))
  known <- vapply(debian, function(p) {
    length(suppressWarnings(system2("apt-cache", c("show", p), stdout = TRUE, stderr = FALSE))) > 0
  }, NA)
  if (any(known)) {
    say("installing ", paste(debian[known], collapse = ", "))
    apt("install", "-y", "--no-install-recommends", debian[known])
  }
}

# First library we may write to; the user's own one is made when there is none.
writable_library <- function() {
  for (lib in .libPaths()) if (file.access(lib, 2) == 0) return(lib)
  lib <- strsplit(Sys.getenv("R_LIBS_USER"), .Platform$path.sep, fixed = TRUE)[[1]]
  if (length(lib) == 0) stop("no R library is writable and R_LIBS_USER is not set", call. = FALSE)
  lib <- path.expand(lib[1])
  dir.create(lib, recursive = TRUE, showWarnings = FALSE)
  .libPaths(c(lib, .libPaths()))
  lib
}

cran_install <- function(packages, jobs = 2, lib = writable_library()) {
  repos <- getOption("repos")
  # a list that comes with R; the first mirror redirects to a near one
  if (is.na(repos["CRAN"]) || repos["CRAN"] == "@CRAN@") utils::chooseCRANmirror(ind = 1, local.only = TRUE)
  # testthat needs fs, which otherwise asks for a system library that few have
  if (!nzchar(Sys.getenv("USE_BUNDLED_LIBUV"))) Sys.setenv(USE_BUNDLED_LIBUV = "1")
  say("installing ", paste(packages, collapse = ", "), " from source into ", lib)
  utils::install.packages(packages, lib = lib, quiet = TRUE, Ncpus = jobs)
}

# Make sure that `packages` load, installing the missing ones. With `optional`, failing is no error;
# returns whether all load.
need <- function(packages, optional = FALSE) {
  absent <- function() packages[!vapply(packages, loads, NA)]
  # Debian's binary packages save minutes of compiling, but belong to Debian's own R only
  if (length(absent()) && apt_usable() && identical(R.home(), "/usr/lib/R")) apt_install(absent())
  if (length(absent()) && !optional) tryCatch(cran_install(absent()), error = message)
  left <- absent()
  if (length(left) && !optional) {
    stop("could not install or load ", paste(left, collapse = ", "), ".\n",
             "Install by hand, e.g. install.packages(c(", paste0('"', left, '"', collapse = ", "), ")), and try again.",
             call. = FALSE)
  }
  invisible(length(left) == 0)
}

# Programs that are no R packages, from Debian's `packages` where we may install those. Returns whether all are there.
need_programs <- function(programs, packages = programs) {
  absent <- function() !all(nzchar(Sys.which(programs)))
  if (absent() && apt_usable()) {
    say("installing ", paste(packages, collapse = ", "))
    apt("update")
    apt("install", "-y", "--no-install-recommends", packages)
  }
  invisible(!absent())
}

# Copy the package's sources without version control and build products: scripts work on the copy and
# leave the checkout as it was.
copy_sources <- function(root, to) {
  files <- list.files(root, all.files = TRUE, recursive = TRUE, no.. = TRUE)
  files <- grep("^\\.git/|^tests/core/build/|\\.(o|so|dll|tar\\.gz)$|\\.Rcheck/|Rplots\\.pdf$", files, invert = TRUE, value = TRUE)
  for (dir in unique(dirname(file.path(to, files)))) dir.create(dir, recursive = TRUE, showWarnings = FALSE)
  file.copy(file.path(root, files), file.path(to, files), copy.mode = TRUE)
  to
}
