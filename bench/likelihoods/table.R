# The table of bench/likelihoods.R: lines as they are found, printed and written at once, so that a run that is stopped has left what it
# had. In a file that is there they take the place of what was said of the same case before; the rest stays.
table <- NULL
same_case <- function(rows) paste(rows$part, sub(", [0-9]+ streams$", "", rows$case))
put_in_file <- function(rows) {
  old <- if (file.exists(file)) utils::read.csv(file, stringsAsFactors = FALSE)
  all <- rbind(old[!same_case(old) %in% same_case(rows), ], rows)
  all <- all[order(match(all$part, c("streaming", "coverage", "gross", "cut", "speed"))), ]
  part <- tempfile(tmpdir = dirname(file), fileext = ".csv")
  utils::write.csv(all, part, row.names = FALSE)
  file.rename(part, file)
}
note <- function(part, case, what, value) {
  cat(sprintf("%-9s %-28s %-62s %.4g\n", part, case, what, value))
  table <<- rbind(table, data.frame(part, case, what, value = signif(value, 4)))
  put_in_file(table)
}
