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

# Without what says the same in TeX, or what is so by default; brackets grow only where TeX says \\left; what markdown would read as its
# own is named by number.
slim <- function(math, tex) {
  math <- gsub("<annotation.*?</annotation>|</?semantics>| xmlns=\"[^\"]*\"| display=\"inline\"", "", math, perl = TRUE)
  grows <- grepl("\\left", tex, fixed = TRUE)
  math <- gsub("<mo stretchy=\"true\" form=\"(prefix|postfix)\">([][(){}])</mo>", "<mo>\\2</mo>", math)
  math[!grows] <- gsub("<mo>([][(){}])</mo>", "<mo stretchy=\"false\">\\1</mo>", math[!grows])
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
