# The table for a person, and what the numbers were measured on.

machine <- function() {
  cpu <- if (file.exists("/proc/cpuinfo")) sub(".*: ", "", grep("^model name", readLines("/proc/cpuinfo"), value = TRUE)[1]) else Sys.info()[["machine"]]
  load <- if (file.exists("/proc/loadavg")) strsplit(readLines("/proc/loadavg"), " ")[[1]][1] else "?"
  versions <- vapply(unique(unlist(lapply(installed_peers(), `[[`, "package"))), function(p) as.character(packageVersion(p)), "")
  backend <- if ("gpstream_info" %in% getNamespaceExports("gpstream")) {
    paste(utils::capture.output(print(gpstream::gpstream_info())), collapse = "; ")
  }
  c(
    sprintf("gpstream %s, %s, BLAS %s", packageVersion("gpstream"), R.version.string, basename(extSoftVersion()[["BLAS"]])),
    if (!is.null(backend)) paste("gpstream_info():", backend),
    sprintf("%s, %d processors, load %s at the start, %s", cpu, parallel::detectCores(), load, format(Sys.Date())),
    paste("peers:", if (length(versions)) paste(names(versions), versions, collapse = ", ") else "none installed (Rscript bench/setup.R)")
  )
}

number <- function(x, digits = 3) ifelse(is.na(x), "", format_each(signif(x, digits)))
format_each <- function(x) vapply(x, function(v) format(v, scientific = abs(v) >= 1e6 || (v != 0 && abs(v) < 1e-3), digits = 3, drop0trailing = TRUE), "")

print_table <- function(table) {
  width <- max(nchar(table$method))
  for (workload in unique(table$workload)) {
    part <- table[table$workload == workload, ]
    cat("\n", workload, "\n", sep = "")
    for (setting in unique(part$setting)) {
      at <- part[part$setting == setting, ]
      cat("  ", setting, "\n", sep = "")
      cat(sprintf("    %-*s %8s %8s %10s %10s %9s %9s %9s %6s\n", width, at$unit[1], "points", "rows", "median", "p99", "x gpstr.", "RMSE", "log score", "times"))
      cat(sprintf("    %-*s %8s %8s %10s %10s %9s %9s %9s %6s\n", width, at$method, number(at$points, 5), number(at$rows, 6), number(at$median),
                  number(at$p99), number(at$ratio), number(at$rmse), number(at$log_score), number(at$times, 6)), sep = "")
    }
  }
}

print_must_show <- function(shown) {
  missing <- sum(is.na(shown$measured))
  shown <- shown[!is.na(shown$measured), ]
  cat("\nmust show", if (missing) sprintf(" (%d more in a full run with all peers)", missing), "\n", sep = "")
  cat(sprintf("  %-*s %10s   %s\n", max(nchar(shown$what)), "", "measured", "wanted"))
  cat(sprintf("  %-*s %10s   %s\n", max(nchar(shown$what)), shown$what, number(shown$measured), shown$wanted), sep = "")
}

# Four significant digits are more than the clock gives.
write_table <- function(table, file) {
  numbers <- vapply(table, is.double, NA)
  table[numbers] <- lapply(table[numbers], signif, 4)
  write.csv(table, file, row.names = FALSE, na = "")
}
