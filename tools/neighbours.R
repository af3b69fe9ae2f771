# Other packages that take a model and that only CRAN has: Rscript tools/neighbours.R [--minutes=60] [--library=DIR] [--counts=FILE]
# Installs what is missing of them, from source, into a library of their own beside R's other caches (a quarter of an hour, once; what
# is not done in --minutes goes on the next time), and runs their tests with the gpstream of --library, or of R's own libraries.

local({
  file <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
  source(file.path(dirname(gsub("~+~", " ", file, fixed = TRUE)), "setup.R"), local = globalenv())
})
args <- commandArgs(TRUE)
value <- function(name) sub(".*=", "", grep(paste0("^--", name, "="), args, value = TRUE))
minutes <- as.numeric(c(value("minutes"), 60)[1])

lib <- file.path(tools::R_user_dir("gpstream", "cache"), paste0("neighbours-", getRversion()))
dir.create(lib, recursive = TRUE, showWarnings = FALSE)
unlink(list.files(lib, "^00LOCK", full.names = TRUE), recursive = TRUE) # of an installation that was ended
.libPaths(c(value("library"), lib, .libPaths()))

packages <- c("marginaleffects", "parsnip", "recipes", "tune", "vetiver", "workflows", "yardstick")
missing <- function() packages[!vapply(packages, loads, NA)]
if (length(missing()) > 0) {
  if (apt_usable()) {
    apt("update")
    apt("install", "-y", "--no-install-recommends", "libcurl4-openssl-dev") # for what vetiver needs
  }
  log <- tempfile()
  code <- sprintf(
    "source(%s); .libPaths(c(%s, .libPaths())); cran_install(%s, lib = %s)", encodeString(file.path(script_dir(), "setup.R"), quote = "'"),
    encodeString(lib, quote = "'"), paste(deparse(missing()), collapse = ""), encodeString(lib, quote = "'")
  )
  say("installing ", paste(missing(), collapse = ", "), " into ", lib)
  system2(r_program("Rscript"), c("-e", shQuote(code)), stdout = log, stderr = log, timeout = 60 * minutes)
}
if (length(missing()) > 0) say("not there: ", paste(missing(), collapse = ", "))
here <- script_dir() # before the directory changes: it may be relative
setwd(package_root())
profile <- tempfile() # marginaleffects 1.0 counts on what base R has since 4.4
writeLines("if (!exists('%||%')) `%||%` <- function(x, y) if (is.null(x)) y else x", profile)
run(r_program("Rscript"), c(file.path(here, "suite.R"), value("counts")),
    env = c("FILTER=^with", paste0("R_PROFILE_USER=", profile), "NOT_CRAN=true", paste0("R_LIBS=", paste(.libPaths(), collapse = .Platform$path.sep))))
