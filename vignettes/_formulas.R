# Formulas: TeX between dollar signs, $...$ in a line, $$...$$ on lines of its own, becomes MathML, which browsers typeset without
# asking anyone. _formulas.tsv has all there are, by their TeX; `Rscript tools/formulas.R` writes it.

# Where a text has formulas, and the formulas: code, be it fenced, indented or in a line, has none.
formulas_of <- function(text) {
  code <- "(?s)(?:^|\n) *```.*?\n *```|<pre.*?</pre>|\n {4}[^\n]*|(`+)(?!`).+?(?<!`)\\1(?!`)"
  at <- gregexpr(paste0(code, "|\\$\\$.+?\\$\\$|\\$(?=[^\\s$])[^$]+\\$"), text, perl = TRUE)[[1]]
  found <- substring(text, at, at + attr(at, "match.length") - 1)
  keep <- startsWith(found, "$")
  list(at = at[keep], length = attr(at, "match.length")[keep], tex = gsub("\\s+", " ", found[keep]))
}

typeset <- function(text) {
  formulas <- formulas_of(text)
  if (length(formulas$tex) == 0) return(text)
  known <- do.call(rbind, strsplit(readLines("_formulas.tsv", encoding = "UTF-8")[-1], "\t", fixed = TRUE))
  new <- setdiff(formulas$tex, known[, 1])
  if (length(new) > 0) stop("formulas without MathML: ", paste(new, collapse = " "), "; run Rscript tools/formulas.R", call. = FALSE)
  html <- known[match(formulas$tex, known[, 1]), 2]
  display <- startsWith(formulas$tex, "$$")
  html[display] <- paste0("\n\n<div class=\"formula\">", html[display], "</div>\n\n")
  from <- c(1, formulas$at + formulas$length)
  between <- substring(text, from, c(formulas$at - 1, nchar(text)))
  # browsers would break a line between a formula and the comma after it
  before <- ifelse(!display & endsWith(between[seq_along(html)], "("), "(", "")
  after <- ifelse(display, "", sub("(?s)^([,.;:!?)-]*).*", "\\1", between[-1], perl = TRUE))
  both <- nzchar(paste0(before, after))
  html[both] <- paste0("<span class=\"w\">", before, html, after, "</span>")[both]
  between <- substring(between, c(0, nchar(after)) + 1, nchar(between) - c(nchar(before), 0))
  paste0(between, c(html, ""), collapse = "")
}
