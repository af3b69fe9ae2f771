# The table as it is printed, and what it comes to.

print_line <- function(line) {
  numbers <- "error %6.3f  loss %8.3f  inside %5.3f  worst %9.2f  points %4s  cpu %6.2f\n"
  line$points <- format(line$points)
  cat(do.call(sprintf, c(paste("%-6s %-12s %5d %3d  %-14s %3d ", numbers), line[names(line) != "scored"])))
}

# A run of one of our models beside the baseline with the least loss, chosen in hindsight. Near: its loss is
# within 0.02 of that. Holds: the share inside is 0.95, give or take 0.03 or 2.5 standard errors. A run that
# failed is neither.
beside_best <- function(table, ours) {
  runs <- table[table$model %in% ours, ]
  others <- table[!table$model %in% ours & !is.na(table$loss), ]
  best <- do.call(rbind, lapply(seq_len(nrow(runs)), function(i) {
    run <- c("protocol", "data", "seed")
    same <- others[rowSums(others[run] == runs[rep(i, nrow(others)), run]) == 3, ]
    if (nrow(same) == 0) return(data.frame(best = NA, best_loss = NA, best_error = NA))
    least <- same[which.min(same$loss), ]
    data.frame(best = least$model, best_loss = least$loss, best_error = least$error)
  }))
  slack <- pmax(0.03, 2.5 * sqrt(0.95 * 0.05 / runs$scored))
  runs <- cbind(runs, best)
  runs$near <- !is.na(runs$loss) & runs$loss <= runs$best_loss + 0.02
  runs$holds <- !is.na(runs$inside) & abs(runs$inside - 0.95) <= slack
  runs
}

print_report <- function(runs) {
  for (model in unique(runs$model)) {
    ours <- runs[runs$model == model, ]
    cat("\n", model, ", means over seeds; * loss above the best baseline by more than 0.02, ! intervals off",
      "\n", sep = "")
    titles <- c("", "", "n", "D", "error", "loss", "inside", "worst", "best", "its loss")
    cat(do.call(sprintf, c("%-6s %-12s %5s %3s %8s %8s %7s %9s  %-8s %8s\n", as.list(titles))))
    set <- paste(ours$protocol, ours$data)
    for (one in split(ours, factor(set, unique(set)))) {
      cat(sprintf(
        "%-6s %-12s %5d %3d %8.3f %8.3f %7.3f %9.2f  %-8s %8.3f %s%s\n", one$protocol[1], one$data[1],
        one$n[1], one$D[1], mean(one$error), mean(one$loss), mean(one$inside), max(one$worst),
        most_frequent(one$best), mean(one$best_loss), if (all(one$near %in% TRUE)) "" else "*",
        if (all(one$holds)) "" else "!"
      ))
    }
    for (these in split(ours, factor(ours$protocol, unique(ours$protocol)))) {
      cat(sprintf(
        "%s, %s: of %d runs loss near the best baseline in %d, intervals hold in %d; failed %d; %.0f s CPU\n",
        model, these$protocol[1], nrow(these), sum(these$near, na.rm = TRUE), sum(these$holds),
        sum(is.na(these$loss)), sum(these$cpu, na.rm = TRUE)
      ))
    }
  }
}

most_frequent <- function(words) names(sort(-table(words, useNA = "always")))[1]
