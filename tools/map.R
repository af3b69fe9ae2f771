# The map by task, ?gpstream, as data; the help index INDEX and the reference of the site follow it.
#   Rscript tools/map.R     writes INDEX; after changing the map or the title of a page
# A page stands where the map names it first, by a link or as code, `importance()` say; pages that it does
# not name come last.

# All man pages: a data frame of name, title, file, and their aliases in a list of the same order.
man_pages <- function(root) {
  files <- list.files(file.path(root, "man"), "[.]Rd$", full.names = TRUE)
  rd <- lapply(files, tools::parse_Rd)
  field <- function(page, tag) {
    found <- page[vapply(page, function(x) identical(attr(x, "Rd_tag"), tag), NA)]
    trimws(gsub("[[:space:]]+", " ", vapply(found, function(x) paste(unlist(x), collapse = ""), "")))
  }
  list(
    pages = data.frame(
      name = vapply(rd, field, "", "\\name"), title = vapply(rd, field, "", "\\title"), file = basename(files)
    ),
    aliases = lapply(rd, field, "\\alias"), rd = rd
  )
}

# Words of a piece of Rd that may name a page, in order: targets of links, and code.
mentions <- function(rd) {
  tag <- attr(rd, "Rd_tag")
  if (identical(tag, "\\link")) {
    option <- attr(rd, "Rd_option")
    return(sub("^=", "", if (is.null(option)) paste(unlist(rd), collapse = "") else as.character(option)))
  }
  if (!is.list(rd)) return(NULL)
  inner <- unlist(lapply(rd, mentions))
  if (!identical(tag, "\\code") || length(inner) > 0) return(inner)
  sub("[(].*", "", sub("^[?]", "", paste(unlist(rd), collapse = "")))
}

# Sections of the map with the pages they name, each page where it is named first: a list of names.
task_map <- function(root, man = man_pages(root)) {
  top <- man$rd[[match("gpstream-package", man$pages$name)]]
  sections <- top[vapply(top, function(x) identical(attr(x, "Rd_tag"), "\\section"), NA)]
  titles <- vapply(sections, function(x) trimws(paste(unlist(x[[1]]), collapse = "")), "")
  where <- rep(seq_along(man$aliases), lengths(man$aliases))
  found <- lapply(sections, function(x) where[match(mentions(x), unlist(man$aliases))])
  tasks <- list()
  for (i in seq_along(found)) {
    tasks[[titles[i]]] <- setdiff(unique(found[[i]][!is.na(found[[i]])]), unlist(tasks))
  }
  lapply(tasks[lengths(tasks) > 0], function(i) man$pages$name[i])
}

# INDEX as it should be: streaming_gp, the map itself, then as the map goes.
index_lines <- function(root) {
  man <- man_pages(root)
  order <- unlist(task_map(root, man), use.names = FALSE)
  order <- unique(c(order[1], "gpstream-package", order, sort(man$pages$name, method = "radix")))
  formatDL(order, man$pages$title[match(order, man$pages$name)], width = 79, indent = 30)
}

if (sys.nframe() == 0) {
  root <- dirname(dirname(normalizePath(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)))))
  writeLines(index_lines(root), file.path(root, "INDEX"))
}
