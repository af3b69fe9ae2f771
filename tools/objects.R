# Writes src/Makevars: the objects of the package, one list per folder of src/core. Rscript tools/objects.R
# Run it after adding or removing a .cpp file. Plain lists, because R CMD check refuses extensions of GNU make.

makevars_lines <- function(root) {
  units <- sort(list.files(file.path(root, "src"), "[.]cpp$", recursive = TRUE), method = "radix")
  objects <- sub("cpp$", "o", units)
  room <- ifelse(startsWith(units, "core/"), sub("^core/([^/]*)/.*", "\\1", units), "glue")
  rooms <- unique(room[order(room != "glue", room, method = "radix")])
  lists <- lapply(rooms, function(one) {
    lines <- strwrap(paste(objects[room == one], collapse = " "), 100)
    c(paste0(toupper(one), " = ", lines[1]), if (length(lines) > 1) paste0("  ", lines[-1]))
  })
  continued <- function(lines) paste0(lines, c(rep(" \\", length(lines) - 1), ""))
  c(
    "# Written by tools/objects.R",
    "CXX_STD = CXX17",
    "PKG_CXXFLAGS = -pthread $(CXX_VISIBILITY)",
    "PKG_LIBS = $(LAPACK_LIBS) $(BLAS_LIBS) $(FLIBS) -pthread",
    "",
    unlist(lapply(lists, continued)),
    continued(strwrap(paste("OBJECTS =", paste0("$(", toupper(rooms), ")", collapse = " ")), 100, exdent = 2)),
    "",
    "# Names of functions that nobody can call are a fifth of the library.",
    "all: $(SHLIB)",
    "\t@strip -x $(SHLIB) 2>/dev/null || true",
    "",
    "clean:",
    "\trm -f $(OBJECTS) $(SHLIB)",
    "",
    ".PHONY: all clean"
  )
}

if (sys.nframe() == 0L) {
  file <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
  root <- file.path(dirname(gsub("~+~", " ", file, fixed = TRUE)), "..")
  writeLines(makevars_lines(root), file.path(root, "src", "Makevars"))
}
