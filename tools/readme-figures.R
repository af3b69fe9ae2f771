# The figure of the README: Rscript tools/readme-figures.R
# There is one copy of the example: this runs the code in README.md itself, draws its plot into
# tools/figures/README-example.png, and writes what it prints into the block below the code. With --check
# it changes nothing and fails when the printed block is not what the code prints, to a hundredth. Needs gpstream installed.

local({
  file <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
  setwd(file.path(dirname(gsub("~+~", " ", file, fixed = TRUE)), ".."))
})
check <- "--check" %in% commandArgs(TRUE)
figure <- if (check) tempfile() else file.path(getwd(), "tools", "figures", "README-example.png")

# As few digits as possible are to depend on the processor.
options(gpstream.simd = FALSE, gpstream.backend = "eigen")

readme <- readLines("README.md")

# Lines strictly inside the first fenced block of a language.
block <- function(language) {
  start <- match(paste0("```", language), readme)
  if (is.na(start)) stop("README.md has no ", language, " block")
  end <- start + match("```", readme[-seq_len(start)])
  setdiff(start:end, c(start, end))
}

# In an empty directory, since the example writes a file.
run_example <- function(code) {
  owd <- setwd(tempfile_dir())
  on.exit(setwd(owd))
  grDevices::png(figure, 7.4, 4.4, units = "in", res = 110, type = if (capabilities("cairo")) "cairo" else getOption("bitmapType"))
  on.exit(grDevices::dev.off(), add = TRUE)
  graphics::par(mar = c(3.6, 3.9, 4.1, 1.1), mgp = c(2.4, 0.7, 0))
  utils::capture.output(source(textConnection(code), local = new.env(parent = globalenv()), print.eval = TRUE))
}

tempfile_dir <- function() {
  dir <- tempfile()
  dir.create(dir)
  dir
}

# Is the text the same, and every number with a decimal point to a hundredth or to one in the last place shown? Others are counts.
# A hundredth: what the search maximises is good to 1e-7 of its value; flat around its maximum, that is half a
# percent of a variance from one BLAS or processor to the next.
alike <- function(a, b) {
  decimal <- "[0-9]+[.][0-9]+"
  text <- function(x) gsub(" +", " ", gsub(decimal, "#", x)) # a number that is shorter moves its neighbours
  if (!identical(text(a), text(b))) return(FALSE)
  numbers <- function(x) unlist(regmatches(x, gregexpr(decimal, x)))
  last_place <- function(x) 10^-nchar(sub(".*[.]", "", x))
  a <- numbers(a)
  b <- numbers(b)
  place <- pmax(last_place(a), last_place(b))
  all(abs(as.numeric(a) - as.numeric(b)) <= pmax(1.01 * place, 1e-2 * as.numeric(a)))
}

printed <- run_example(readme[block("r")])
shown <- block("text")
if (check) {
  if (!alike(readme[shown], printed)) stop("README.md does not show what its example prints; run tools/readme-figures.R")
  cat("README.md shows what its example prints\n")
} else {
  start <- match("```text", readme)
  writeLines(c(readme[seq_len(start)], printed, readme[-seq_len(start + length(shown))]), "README.md")
  cat("wrote", figure, "\n")
}
