# What all vignettes share: source("_setup.R") in their first chunk. Pages ask nothing of another host: the template is
# _page.html, and code is coloured here.
options(digits = 4, markdown.html.template = normalizePath("_page.html", mustWork = TRUE))

source("_pictures.R", local = TRUE)
options(device = picture_device)
knitr::opts_chunk$set(
  collapse = TRUE, comment = "#>", fig.width = 5.8, fig.height = 3.2, mar = c(3.8, 4.1, 1, 1), error = FALSE, purl = FALSE,
  dev = "picture_device", fig.ext = "bmp", fig.process = small_png
)
knitr::knit_hooks$set(mar = function(before, options, envir) {
  if (!before) return()
  par(las = 1, tcl = -0.35, mgp = c(2.6, 0.5, 0))
  if (is.numeric(options$mar)) par(mar = options$mar)
})

# R code in colours: <b> for words and functions, <u> for strings, <i> for comments (_page.html says how they look); the rest is black,
# and tags of one letter keep pages small.
coloured <- function(code) {
  code <- highr::hi_html(code)
  for (kind in list(c("kw[ac]", "b"), c("kwd", "b"), c("str", "u"), c("com", "i"), c("[a-z]+", ""))) {
    tags <- if (nzchar(kind[2])) c(paste0("<", kind[2], ">"), paste0("</", kind[2], ">")) else c("", "")
    code <- gsub(paste0("<span class=\"hl ", kind[1], "\">(.*?)</span>"), paste0(tags[1], "\\1", tags[2]), code, perl = TRUE)
  }
  paste0("<pre class=\"src\"><code>", paste(code, collapse = "\n"), "</code></pre>")
}
if (requireNamespace("highr", quietly = TRUE)) {
  knitr::knit_hooks$set(source = function(x, options) paste0("\n", coloured(x), "\n"))
}

source("_formulas.R", local = TRUE)
knitr::knit_hooks$set(document = function(x) typeset(enc2utf8(paste(x, collapse = "\n"))))

number <- function(x, digits = 3) format(signif(x, digits), big.mark = ",", scientific = FALSE, trim = TRUE)
percent <- function(x, digits = 2) paste(number(100 * x, digits), "%")
words <- function(x) if (length(x) < 2) x else paste(paste(x[-length(x)], collapse = ", "), "and", x[length(x)])
rms <- function(x) sqrt(mean(x^2))
# a table of measurements that comes with the package
stored <- function(file) utils::read.csv(system.file("extdata", file, package = "gpstream", mustWork = TRUE))
blue <- "#1B5E8C"
red <- "#B5451B"
green <- "#4C7A34"
band <- function(x, p, col = "#1B5E8C33") polygon(c(x, rev(x)), c(p[, "lwr"], rev(p[, "upr"])), col = col, border = NA)
