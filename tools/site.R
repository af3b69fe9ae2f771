# The documentation as a static site, offline: Rscript tools/site.R OUT [--library=DIR]
# Home is README, the reference follows the map of ?gpstream, articles are the vignettes as they are installed (README's install line
# brings them); also NEWS, CONTRIBUTING, a cheat sheet and a search over all of it. Every link is followed before the script ends, and
# every page opened in a browser where there is one, 400 pixels wide: it must fit, and ask nothing of another host. Needs knitr and
# markdown.

local({
  file <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
  source(file.path(dirname(gsub("~+~", " ", file, fixed = TRUE)), "setup.R"), local = globalenv())
})
root <- package_root()
source(file.path(root, "vignettes", "_setup.R"), chdir = TRUE)
for (part in c("map.R", "formulas.R", "site/page.R", "site/links.R", "site/look.R")) source(file.path(root, "tools", part))
args <- commandArgs(TRUE)
out <- grep("^--", args, value = TRUE, invert = TRUE)
if (length(out) != 1) stop("say where the site goes: Rscript tools/site.R OUT [--library=DIR]", call. = FALSE)
lib <- sub("^--library=", "", grep("^--library=", args, value = TRUE))
doc <- system.file("doc", package = "gpstream", lib.loc = if (length(lib)) lib)
articles <- list.files(doc, "[.]html$")
articles <- setdiff(articles, "index.html")
if (length(articles) == 0) stop("gpstream is not installed with its vignettes; README says how", call. = FALSE)

for (dir in file.path(out, c("articles", "reference", "figures"))) dir.create(dir, recursive = TRUE, showWarnings = FALSE)
out <- normalizePath(out)
man <- man_pages(root)
tasks <- task_map(root, man)
titles <- article_titles(root)

# ---- pages: path in the site, title, body -------------------------------------------------------

pages <- list()
# `words`: what the search finds it by, beside its title
add <- function(path, title, body, words = "") pages[[path]] <<- list(path = path, title = title, body = body, words = words)
read <- function(...) paste(readLines(file.path(...), warn = FALSE, encoding = "UTF-8"), collapse = "\n")

readme <- markdown_body(read(root, "README.md"))
for (picture in all_of("(?<=src=\")[^\"]+[.]png", readme)) {
  file.copy(file.path(root, picture), file.path(out, "figures", basename(picture)), overwrite = TRUE)
  readme <- gsub(picture, paste0("figures/", basename(picture)), readme, fixed = TRUE)
}
add("index.html", "gpstream", readme)
add("news.html", "News", markdown_body(read(root, "NEWS.md")))
add("contributing.html", "Working on gpstream", markdown_body(read(root, "CONTRIBUTING.md")))
for (file in articles) {
  name <- sub("[.]html$", "", file)
  add(file.path("articles", file), titles[[name]], body_of(read(doc, file)))
}
for (i in seq_along(man$rd)) {
  name <- sub("[.]Rd$", "", man$pages$file[i])
  add(paste0("reference/", name, ".html"), man$pages$title[i], reference_body(man$rd[[i]], reference_links(man)),
    words = paste(man$aliases[[i]], collapse = " "))
}
add("articles/index.html", "Articles", article_index(titles[order(titles, method = "radix")]))
add("reference/index.html", "Reference", reference_index(tasks, man))

run(r_program("Rscript"), c(file.path(root, "tools", "cheatsheet.R"), file.path(out, "cheatsheet.pdf")), log = tempfile())
pages <- lapply(pages, function(page) within(page, body <- with_ids(linked(body, path, man, names(titles)))))
for (page in pages) writeLines(in_layout(page), file.path(out, page$path), useBytes = TRUE)
writeLines(c(page_style(root), read(root, "tools", "site", "site.css")), file.path(out, "site.css"))
writeLines(c(search_index(pages), read(root, "tools", "site", "search.js")), file.path(out, "search.js"), useBytes = TRUE)

wrong <- broken_links(out)
if (length(wrong) > 0) stop(paste(c("links that lead nowhere:", wrong), collapse = "\n  "), call. = FALSE)
wrong <- if (can_look()) faults_seen(out)
if (length(wrong) > 0) stop(paste(c("pages as a browser has them:", wrong), collapse = "\n  "), call. = FALSE)
say(length(pages), " pages in ", out, "; no broken link", if (can_look()) ", none wider than a telephone")
