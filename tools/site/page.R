# What the pages of the site are made of: markdown, Rd and vignettes as HTML, two indices, one layout.

all_of <- function(pattern, text) unlist(regmatches(text, gregexpr(pattern, text, perl = TRUE)))
escape <- function(x) gsub(">", "&gt;", gsub("<", "&lt;", gsub("&", "&amp;", x, fixed = TRUE), fixed = TRUE), fixed = TRUE)

# Index entries of the vignettes by name: their number, and what they are about.
article_titles <- function(root) {
  files <- list.files(file.path(root, "vignettes"), "[.]Rmd$", full.names = TRUE)
  titles <- vapply(files, function(file) all_of("(?<=VignetteIndexEntry[{]).*(?=[}]$)", readLines(file, 9)), "")
  stats::setNames(titles, sub("[.]Rmd$", "", basename(files)))
}

markdown_body <- function(text) {
  body <- markdown::mark_html(text = text, template = FALSE, options = "-base64_images")
  for (block in unique(all_of("(?s)<pre><code class=\"language-r\">.*?</code></pre>", body))) {
    body <- sub(block, highlighted(gsub("<[^>]+>", "", block)), body, fixed = TRUE)
  }
  body
}

unescape <- function(x) {
  for (one in list(c("&lt;", "<"), c("&gt;", ">"), c("&quot;", "\""), c("&#39;", "'"), c("&amp;", "&"))) {
    x <- gsub(one[1], one[2], x, fixed = TRUE)
  }
  x
}

# Escaped R code in the colours of the vignettes; coloured() is theirs.
highlighted <- function(code) coloured(sub("\n+$", "", sub("^\n+", "", unescape(code))))

# Formulas of a help page, which has them as TeX where pandoc can typeset them.
typeset_reference <- function(body) {
  found <- unique(all_of("(?s)<code class=\"reqn\">.*?</code>", body))
  if (length(found) == 0) return(body)
  tex <- trimws(gsub("\\s+", " ", unescape(gsub("<[^>]*>", "", found))))
  html <- mathml(paste0("$", tex, "$"))
  for (i in seq_along(found)) body <- gsub(found[i], html[i], body, fixed = TRUE)
  body
}

body_of <- function(html) sub("</body>.*", "", sub(".*<body[^>]*>", "", html))

# For Rd2HTML(): where an alias is documented.
reference_links <- function(man) {
  file <- sub("Rd$", "html", rep(man$pages$file, lengths(man$aliases)))
  stats::setNames(file, unlist(man$aliases))
}

reference_body <- function(rd, links) {
  file <- tempfile()
  # topics of other packages are no links here
  suppressWarnings(tools::Rd2HTML(rd, file, package = "gpstream", Links = links, Links2 = character(), stylesheet = "", dynamic = FALSE,
    texmath = if (nzchar(pandoc_version())) "katex" else ""))
  body <- typeset_reference(body_of(paste(readLines(file, encoding = "UTF-8", warn = FALSE), collapse = "\n")))
  body <- sub("(?s)^.*?<h2[^>]*>(.*?)</h2>", "<h1>\\1</h1>", body, perl = TRUE)
  body <- sub("(?s)<hr[^>]*><div[^>]*>\\[.*$", "", body, perl = TRUE) # the footer
  body <- gsub("(</?)h3", "\\1h2", body)
  body <- gsub("(?s)<a href=\"[.][.]/[.][.]/[^\"]*\">(.*?)</a>", "\\1", body, perl = TRUE) # other packages
  at <- regexpr("(?s)(?<=<h2>Examples</h2>).*", body, perl = TRUE)
  if (at > 0) regmatches(body, at) <- paste0("\n", highlighted(gsub("<[^>]+>", "", regmatches(body, at))))
  body
}

reference_index <- function(tasks, man) {
  line <- function(name) {
    i <- match(name, man$pages$name)
    shown <- grep("method$|-package$|[.](StreamingGP|gpstream_evaluation)$", man$aliases[[i]], value = TRUE, invert = TRUE)
    shown <- unique(c(sub("[.]StreamingGP$", "", name), shown))
    sprintf("<tr><td><a href=\"%s\"><code>%s</code></a></td><td>%s%s</td></tr>", sub("Rd$", "html", man$pages$file[i]), shown[1],
      escape(man$pages$title[i]), if (length(shown) > 1) paste0("<br><small>", paste(escape(shown[-1]), collapse = ", "), "</small>") else "")
  }
  rest <- setdiff(man$pages$name, c("gpstream-package", unlist(tasks)))
  if (length(rest) > 0) tasks[["Other"]] <- rest
  tables <- vapply(names(tasks), function(task) {
    paste0("<h2>", task, "</h2>\n<table class=\"index\">\n", paste(vapply(tasks[[task]], line, ""), collapse = "\n"), "\n</table>")
  }, "")
  paste(c("<h1>Reference, by task</h1>", "<p>The same as a text: <a href=\"gpstream-package.html\"><code>?gpstream</code></a>.</p>", tables),
    collapse = "\n")
}

article_index <- function(titles) {
  paste(c("<h1>Articles</h1>", "<p>In the order of a reader's questions; theory comes after practice.</p>", "<ul class=\"plain\">",
    sprintf("<li><a href=\"%s.html\">%s</a></li>", names(titles), escape(titles)), "</ul>"), collapse = "\n")
}

# The style of the vignettes is that of the site.
page_style <- function(root) {
  lines <- readLines(file.path(root, "vignettes", "_page.html"))
  lines[(match("<style>", lines) + 1):(match("</style>", lines) - 1)]
}

in_layout <- function(page) {
  up <- if (grepl("/", page$path)) "../" else ""
  menu <- c("index.html" = "gpstream", "articles/gpstream.html" = "Start", "reference/index.html" = "Reference",
    "articles/index.html" = "Articles", "news.html" = "News", "cheatsheet.pdf" = "Cheat sheet")
  c("<!DOCTYPE html>", "<html lang=\"en\">", "<head>", "<meta charset=\"utf-8\">",
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">",
    sprintf("<title>%s</title>", escape(page$title)), sprintf("<link rel=\"stylesheet\" href=\"%ssite.css\">", up),
    sprintf("<script src=\"%ssearch.js\" data-up=\"%s\" defer></script>", up, up), "</head>", "<body>", "<nav>",
    sprintf("<a href=\"%s%s\">%s</a>", up, names(menu), menu),
    "<input id=\"search\" type=\"search\" placeholder=\"Search\" aria-label=\"Search\"><div id=\"found\"></div>", "</nav>", "<main>",
    page$body, "</main>", "</body>", "</html>")
}
