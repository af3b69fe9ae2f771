# MathML of the formulas of the vignettes: Rscript tools/formulas.R, after changing a formula
# Writes vignettes/_formulas.tsv, TeX and MathML, from which pages are typeset (vignettes/_formulas.R). Needs pandoc, which whoever makes
# the pages does not.

# As they stand in the vignettes, each once, in the order of the files.
vignette_formulas <- function(root) {
  texts <- lapply(list.files(file.path(root, "vignettes"), "[.]Rmd$", full.names = TRUE), function(file) {
    paste(readLines(file, encoding = "UTF-8"), collapse = "\n")
  })
  unique(unlist(lapply(texts, function(text) formulas_of(text)$tex)))
}

pandoc_version <- function() {
  if (!nzchar(Sys.which("pandoc"))) return("")
  system2("pandoc", "--version", stdout = TRUE)[1]
}

# Upright words as browsers have them: one <mi> for all letters, or one that says so for a single one. They do not look at <mstyle>.
upright <- function(math) {
  words <- gregexpr("<mstyle mathvariant=\"normal\">(<mi>[A-Za-z]</mi>)+</mstyle>", math, perl = TRUE)
  regmatches(math, words) <- lapply(regmatches(math, words), function(x) {
    x <- gsub("<[^>]*>", "", x)
    paste0("<mi", ifelse(nchar(x) == 1, " mathvariant=\"normal\"", ""), ">", x, "</mi>")
  })
  gsub("<mtext mathvariant=\"normal\">", "<mtext>", math, fixed = TRUE)
}

# log, var and the like have a thin space beside them, and none at the start or before a bracket; a minus that follows a sign belongs to
# what comes after it; ell is a letter; a tilde is as wide as one.
spaced <- function(math) {
  math <- gsub("<mo>([A-Za-z]{2,})</mo>", "<mo lspace=\".17em\" rspace=\".17em\">\\1</mo>", math)
  math <- gsub("(<math[^>]*>(?:<mrow>)?|<mtd[^>]*>|<mo[^>]*>[^A-Za-z<]+</mo>)<mo lspace=\".17em\"", "\\1<mo lspace=\"0\"", math, perl = TRUE)
  math <- gsub(
    " rspace=\".17em\">([A-Za-z]+)</mo>(?=(?:<msup>)?<mrow><mo(?: stretchy=\"[a-z]+\")?(?: form=\"prefix\")?>[(|\\[])", " rspace=\"0\">\\1</mo>",
    math, perl = TRUE
  )
  math <- gsub(
    "(<mo[^>]*>(?:[=\u2264\u2265\u2192(,\\[]|&[lg]t;)</mo>)<mo>\u2212</mo>", "\\1<mo form=\"prefix\">\u2212</mo>",
    math, perl = TRUE
  )
  math <- gsub("<mo>\u2113</mo>", "<mi>\u2113</mi>", math, fixed = TRUE)
  gsub("\u0303", "\u02dc", math, fixed = TRUE)
}

# Without what says the same in TeX, or what is so by default; brackets grow only where TeX says \\left or sets a matrix; what
# markdown would read as its own is named by number.
slim <- function(math, tex) {
  math <- gsub("<annotation.*?</annotation>|</?semantics>| xmlns=\"[^\"]*\"| display=\"inline\"", "", math, perl = TRUE)
  math <- upright(math)
  grows <- grepl("\\\\left(?![a-z])|\\{(cases|[pb]matrix)\\}|\\\\binom", tex, perl = TRUE)
  math <- gsub("<mo stretchy=\"true\" form=\"(prefix|postfix)\">([][(){}])</mo>", "<mo>\\2</mo>", math)
  math[!grows] <- gsub("<mo>([][(){}])</mo>", "<mo stretchy=\"false\">\\1</mo>", math[!grows])
  math[!grows] <- gsub("<mo stretchy=\"true\" form=\"(prefix|postfix)\">[|]</mo>", "<mo stretchy=\"false\" form=\"\\1\">|</mo>", math[!grows])
  math <- gsub("<mspace width=\"([^\"]*)\"></mspace>", "<mspace width=\"\\1\"/>", gsub("0.167em", ".17em", spaced(math), fixed = TRUE))
  text <- gregexpr("(?<=>)[^<]+(?=<)", math, perl = TRUE)
  regmatches(math, text) <- lapply(regmatches(math, text), function(x) {
    for (sign in strsplit("*_~[]^|'\"`\\-", "")[[1]]) x <- gsub(sign, sprintf("&#%d;", utf8ToInt(sign)), x, fixed = TRUE)
    x
  })
  math
}

mathml <- function(tex) {
  input <- tempfile(fileext = ".md")
  writeLines(paste0(tex, "\n"), input, useBytes = TRUE)
  out <- system2("pandoc", c("-f", "markdown", "-t", "html5", "--mathml", "--wrap=none", shQuote(input)), stdout = TRUE)
  Encoding(out) <- "UTF-8"
  out <- paste(out, collapse = " ")
  math <- regmatches(out, gregexpr("<math.*?</math>", out, perl = TRUE))[[1]]
  if (length(math) != length(tex)) stop("pandoc did not understand every formula (its warnings are above)", call. = FALSE)
  slim(math, tex)
}

formula_lines <- function(root) {
  tex <- vignette_formulas(root)
  c(paste("#", pandoc_version()), if (length(tex) > 0) paste(tex, mathml(tex), sep = "\t"))
}

if (sys.nframe() == 0) {
  root <- dirname(dirname(normalizePath(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)))))
  source(file.path(root, "vignettes", "_formulas.R"))
  writeLines(enc2utf8(formula_lines(root)), file.path(root, "vignettes", "_formulas.tsv"), useBytes = TRUE)
}
