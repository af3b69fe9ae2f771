# The numbers of the vignette "experiments": Rscript bench/experiments.R
# Runs the vignette's own code, its chunk `methods`, on 20 seeds and writes inst/extdata/experiments.csv.gz: one line for each data
# set, source of the kernel, rho, seed and method. One process, under a minute; needs gpstream installed.

local({
  file <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
  setwd(file.path(dirname(gsub("~+~", " ", file, fixed = TRUE)), ".."))
})

vignette <- readLines("vignettes/experiments.Rmd")
start <- grep("^```\\{r methods[,}]", vignette)
end <- start + match("```", vignette[-seq_len(start)])
eval(parse(text = vignette[(start + 1):(end - 1)]))

seeds <- 1:20
results <- NULL
for (data in c("A", "B", "C")) {
  for (seed in seeds) {
    results <- rbind(
      results,
      compare(data, seed, "median"),
      compare(data, seed, "learned"),
      do.call(rbind, lapply(c(0.7, 0.9, 0.95), function(rho) compare(data, seed, "learned", rho, c("OIPS", "OIPS/opt", "OIPS + look-back"))))
    )
  }
}
numbers <- vapply(results, is.double, TRUE)
results[numbers] <- lapply(results[numbers], round, 4)
write.csv(results, gzfile("inst/extdata/experiments.csv.gz"), row.names = FALSE, quote = FALSE)
