# The default call on data nobody here made:
#   Rscript bench/real.R [--quick] [--only=co2,boston] [--protocol=stream,hold] [--seeds=11,12,13]
#     ['--models=gpstream,lm,ard=streaming_gp(kernel = kernel_se("ard"))'] [--out=FILE]
# Streams in their natural order and shuffled tables, from R and from packages on CRAN where these are
# installed (bench/real/sets.R), through streaming_gp() beside what a quick user would take instead
# (bench/real/fits.R). A model among --models is a word or R text. Per run: error in units of sd(y); loss in
# nats a row, of the 95 % prediction interval as a normal, y in units of its sd; share inside that interval;
# loss of the worst batch; points; CPU seconds; rows scored. Tables once a seed; streams have the first seed
# only. Public interface only; needs gpstream installed. Ten minutes, most of it the baselines'. A whole run
# writes inst/extdata/real.csv.gz for the vignette `learning`; one with --quick, --only, --protocol or --models
# a temporary file. --quick: three small sets, seconds.
suppressMessages(library(gpstream))

here <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
here <- dirname(gsub("~+~", " ", here, fixed = TRUE))
for (part in list.files(file.path(here, "real"), "[.]R$", full.names = TRUE)) source(part)
known_options("quick", c("only", "protocol", "models", "seeds", "out"))

quick <- "--quick" %in% arguments
sets <- list(stream = streams, hold = tables)[values("protocol", c("stream", "hold"))]
only <- values("only", if (quick) c("nottem", "milk", "crabs"))
if (!is.null(only)) {
  unknown <- setdiff(only, unlist(lapply(sets, names)))
  if (length(unknown)) stop("no such data set: ", paste(unknown, collapse = ", "), call. = FALSE)
  sets <- lapply(sets, function(some) some[names(some) %in% only])
}
seeds <- as.integer(values("seeds", if (quick) "11" else c("11", "12", "13")))

there <- function(package) nzchar(system.file(package = package))
lacking <- names(needed)[!vapply(needed, there, NA)]
if (length(lacking)) cat("not installed, so not run:", paste(lacking, collapse = ", "), "\n")
known <- c(list(gpstream = default_call), baselines[setdiff(names(baselines), lacking)])
models <- models_of(value("models", paste(names(known), collapse = ",")), known)

table <- NULL
for (protocol in names(sets)) for (name in names(sets[[protocol]])) {
  set <- sets[[protocol]][[name]]
  if (!there(set$package)) {
    cat(sprintf("%-6s %-12s skipped: the package %s is not installed\n", protocol, name, set$package))
    next
  }
  data <- tryCatch(set$read(), error = identity)
  if (inherits(data, "error")) {
    cat(sprintf("%-6s %-12s skipped: %s\n", protocol, name, conditionMessage(data)))
    next
  }
  for (seed in if (protocol == "hold") seeds else seeds[1]) for (model in names(models)) {
    if (protocol == "hold" && model == "last") next
    line <- run_line(protocol, name, data, model, models[[model]], seed)
    print_line(line)
    table <- rbind(table, line)
  }
}

if (is.null(table)) stop("nothing was run", call. = FALSE)
measured <- c("error", "loss", "inside", "worst", "cpu")
table[measured] <- lapply(table[measured], signif, 5)
part <- length(c(only, value("models"), value("protocol"))) > 0
file <- table_file("real.csv.gz", whole = !part)
utils::write.csv(table, if (grepl("[.]gz$", file)) gzfile(file) else file, row.names = FALSE)
ours <- setdiff(names(models), names(baselines))
if (length(ours)) print_report(beside_best(table, ours))
cat("\nwritten to", file, "\n")
