# Links of the site: names of functions and vignettes in a text become links, headings get an id, and all links are followed.

# Where a page at `path` finds another one.
relative <- function(to, path) paste0(if (grepl("/", path)) "../" else "", to)

# `streaming_gp()`, `?notation` and `vignette("streams")` in running text, outside of links and blocks.
linked <- function(body, path, man, articles) {
  where <- reference_links(man)
  body <- gsub("href=\"CONTRIBUTING.md\"", "href=\"contributing.html\"", body, fixed = TRUE)
  parts <- strsplit(gsub("(?s)(<pre.*?</pre>|<a .*?</a>)", "\001\\1\001", body, perl = TRUE), "\001", fixed = TRUE)[[1]]
  running <- !grepl("^<(pre|a )", parts)
  parts[running] <- vapply(parts[running], function(text) {
    for (code in unique(all_of("<code>[^<]{2,80}</code>", text))) {
      word <- gsub("</?code>", "", code)
      article <- sub("^vignette[(]&quot;(.*)&quot;[)]$", "\\1", word)
      topic <- sub("[(][)]$", "", sub("^[?]", "", word))
      to <- if (article != word && article %in% articles) {
        paste0("articles/", article, ".html")
      } else if (topic != word && topic %in% names(where)) {
        paste0("reference/", where[[topic]])
      }
      if (!is.null(to) && to != path) text <- gsub(code, sprintf("<a href=\"%s\">%s</a>", relative(to, path), code), text, fixed = TRUE)
    }
    text
  }, "")
  paste(parts, collapse = "")
}

with_ids <- function(body) {
  for (heading in unique(all_of("<h[23]>.*?</h[23]>", body))) {
    id <- gsub("^-|-$", "", gsub("[^a-z0-9]+", "-", tolower(gsub("<[^>]+>|&[a-z]+;", "", heading))))
    body <- sub(heading, sub(">", sprintf(" id=\"%s\">", id), heading), body, fixed = TRUE)
  }
  body
}

# One entry a section: title, address, words; of the first one also the names by which it goes.
search_index <- function(pages) {
  plain <- function(x) gsub("\\s+", " ", gsub("&[a-z#0-9]+;", " ", gsub("(?s)<style>.*?</style>|<[^>]*>", " ", x, perl = TRUE)))
  quoted <- function(x) encodeString(trimws(enc2utf8(x)), quote = "\"")
  entries <- lapply(pages, function(page) {
    sections <- strsplit(gsub("<h([23]) id=", "\001<h\\1 id=", page$body), "\001", fixed = TRUE)[[1]]
    id <- ifelse(grepl("^<h[23] id", sections), sub("(?s)^<h[23] id=\"([^\"]*)\".*", "#\\1", sections, perl = TRUE), "")
    heading <- ifelse(nzchar(id), paste0(": ", plain(sub("(?s)</h[23]>.*", "", sections, perl = TRUE))), "")
    words <- vapply(plain(sections), function(text) {
      paste(unique(tolower(strsplit(text, "[^[:alnum:]_.]+")[[1]])), collapse = " ")
    }, "")
    names <- ifelse(nzchar(id), "", tolower(page$words))
    sprintf("[%s,%s,%s,%s]", quoted(paste0(plain(page$title), heading)), quoted(paste0(page$path, id)), quoted(words), quoted(names))
  })
  paste0("const pages = [", paste(unlist(entries), collapse = ",\n"), "];")
}

# Addresses in the pages that no file or id of the site answers to, and whatever another host would be asked for.
broken_links <- function(out) {
  files <- list.files(out, "[.]html$", recursive = TRUE)
  html <- stats::setNames(lapply(file.path(out, files), function(f) paste(readLines(f, warn = FALSE, encoding = "UTF-8"), collapse = "\n")), files)
  ids <- lapply(html, function(x) all_of("(?<= id=[\"'])[^\"']+", x))
  unlist(lapply(files, function(file) {
    loads <- all_of("(?<=src=\")(https?:)?//[^\"]+|<link[^>]*href=\"(https?:)?//[^\"]+", html[[file]])
    to <- unique(all_of("(?<= href=[\"'])[^\"']+|(?<= src=[\"'])[^\"']+", html[[file]]))
    to <- grep("^(https?:|data:|mailto:)", to, value = TRUE, invert = TRUE)
    target <- sub("#.*", "", to)
    target <- ifelse(target == "", file, file.path(dirname(file), target))
    target <- gsub("[^/.]+/[.][.]/", "", gsub("(^|/)[.]/", "\\1", target))
    there <- file.exists(file.path(out, target))
    fragment <- ifelse(grepl("#", to), sub(".*#", "", to), "")
    known <- mapply(function(t, f) f == "" || !t %in% files || f %in% ids[[t]], target, fragment)
    c(if (length(loads)) paste(file, "loads", loads), if (any(!there | !known)) paste(file, "->", to[!there | !known]))
  }))
}
