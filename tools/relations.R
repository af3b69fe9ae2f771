# Relations that must hold (tests/testthat/relations/), on random models and rows, against the *installed* gpstream:
#   Rscript tools/relations.R [--minutes=60] [--cases=20000] [--seed=1] [--only=relation] [--case=ID] [--processes=1]
# Every relation has as many cases as the others. It ends after so many cases or minutes, whichever is first, with the
# count of cases of each relation; a failure is printed with the command that repeats it. Exit status 1 if there is any.
# `--only` is a part of the names of relations; with `--case` only that case of them runs.
source(file.path(dirname(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))), "setup.R"))
suppressMessages(library(gpstream))

given <- commandArgs(TRUE)
option <- function(name, default) {
  value <- sub(paste0("^--", name, "="), "", grep(paste0("^--", name, "="), given, value = TRUE))
  if (length(value) == 0) default else methods::as(value[1], class(default))
}
known <- "^--(minutes|cases|seed|only|case|processes)="
if (any(!grepl(known, given))) stop("unknown: ", given[!grepl(known, given)][1], "; the head of this file has the options")

home <- new.env()
dir <- file.path(package_root(), "tests", "testthat", "relations")
for (name in unique(c("registry.R", "cases.R", list.files(dir, "[.]R$")))) sys.source(file.path(dir, name), home)

seed <- option("seed", 1)
names <- grep(option("only", ""), names(home$relations), value = TRUE, fixed = TRUE)
if (length(names) == 0) stop("no relation has that name")
one <- option("case", 0)
most <- if (one > 0) length(names) else option("cases", 20000)
processes <- option("processes", 1)
limit <- 60 * option("minutes", 60)

# In rounds of a case or more of each relation, so that what has run at the end is even.
started <- proc.time()[["elapsed"]]
elapsed <- function() proc.time()[["elapsed"]] - started
try_case <- function(task) {
  used <- system.time(why <- home$broken_case(task$name, task$id, seed), gcFirst = FALSE)
  list(why = why, seconds = sum(used[1:2]))
}
workers <- if (processes > 1) parallel::makeForkCluster(processes)
cases <- failed <- seconds <- stats::setNames(numeric(length(names)), names)
told <- 0
round <- 0
while (sum(cases) < most && elapsed() < limit) {
  round <- round + 1
  tasks <- lapply(names, function(name) list(name = name, id = if (one > 0) one else round))
  tasks <- utils::head(tasks, most - sum(cases))
  done <- if (is.null(workers)) lapply(tasks, try_case) else parallel::clusterApplyLB(workers, tasks, try_case)
  for (i in seq_along(tasks)) {
    found <- done[[i]]
    task <- tasks[[i]]
    cases[task$name] <- cases[task$name] + 1
    seconds[task$name] <- seconds[task$name] + found$seconds
    if (is.null(found$why)) next
    failed[task$name] <- failed[task$name] + 1
    say("FAILED  Rscript tools/relations.R --seed=", seed, " --only=\"", task$name, "\" --case=", task$id, "\n    ", found$why)
  }
  if (elapsed() - told > 30) {
    told <- elapsed()
    left <- min(told * (most / sum(cases) - 1), limit - told)
    say(format(sum(cases), big.mark = ","), " cases, ", sum(failed), " failed; ", ceiling(left / 60), " min left")
  }
}
if (!is.null(workers)) parallel::stopCluster(workers)
say(sprintf("%-42s %7s %7s %8s", "relation", "cases", "failed", "ms each"))
for (name in names[cases > 0]) say(sprintf("%-42s %7.0f %7.0f %8.0f", name, cases[name], failed[name], 1000 * seconds[name] / cases[name]))
say(format(sum(cases), big.mark = ","), " cases of ", sum(cases > 0), " relations in ", round(elapsed() / 60, 1), " min, ", sum(failed), " failed; seed ", seed)
if (sum(failed) > 0) quit(status = 1)
