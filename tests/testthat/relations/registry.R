# Relations that must hold for every model: a case is drawn, said twice in ways that must not matter, and compared.
#
# `relation(name, check)`: `check()` draws its case from R's generator and stops where it does not hold. The seed of
# a case follows from the seed of the run, the relation's name and the number of the case, so that one case can be
# repeated alone: Rscript tools/relations.R --only=name --case=7 --seed=1.
relations <- list()
relation <- function(name, check) relations[[name]] <<- check

case_seed <- function(name, id, seed) {
  word <- sum(utf8ToInt(name) * seq_len(nchar(name)))
  (word * 7919 + id * 104729 + seed * 15485863) %% .Machine$integer.max
}

# NULL, or why it failed. Messages and warnings are no part of a relation; a minute is enough for any case.
broken_case <- function(name, id, seed) {
  drawn <<- character()
  RNGkind("Mersenne-Twister", "Inversion", "Rejection")
  set.seed(case_seed(name, id, seed))
  found <- tryCatch({
    setTimeLimit(elapsed = 60, transient = TRUE)
    suppressWarnings(suppressMessages(relations[[name]]()))
    NULL
  }, error = identity, finally = setTimeLimit())
  if (is.null(found)) return(NULL)
  call <- if (inherits(found, "broken_relation")) NULL else deparse(conditionCall(found), nlines = 1)[1]
  paste(c(conditionMessage(found), if (!is.null(call)) paste("in", call), drawn), collapse = "\n    ")
}

# What was drawn, for the report of a failure.
drawn <- character()
note <- function(...) drawn <<- c(drawn, paste0(...))

# --- drawing ------------------------------------------------------------------------------------------------------
one_of <- function(...) {
  all <- c(...)
  all[[sample.int(length(all), 1)]]
}
one_name <- function(all) all[sample.int(length(all), 1)]
chance <- function(p) stats::runif(1) < p
shuffled <- function(x) x[sample.int(length(x))]
shuffled_columns <- function(data) data[shuffled(names(data))]

# Rows in consecutive batches of random sizes; the first holds at least `first`.
batches <- function(data, first = 12, size = one_of(1, 7, 25, 200)) {
  n <- NROW(data)
  ends <- unique(c(min(first, n), if (n > first) seq(min(first + size, n), n, by = size), n))
  split_rows(data, rep(seq_along(ends), diff(c(0, ends))))
}
split_rows <- function(data, group) lapply(unname(split(seq_len(NROW(data)), group)), function(i) rows_of(data, i))
rows_of <- function(data, i) if (is.null(dim(data))) data[i] else data[i, , drop = FALSE]

# --- comparing ----------------------------------------------------------------------------------------------------
broken <- function(...) {
  stop(structure(class = c("broken_relation", "error", "condition"), list(message = paste0(...), call = NULL)))
}
holds <- function(claim, ...) if (!isTRUE(claim)) broken(...)

# Numbers, or lists of them, element by element: the largest difference over the largest value, or over `scale`.
same <- function(object, expected, tolerance, what = "", scale = 0) {
  if (is.list(expected)) {
    holds(identical(names(object), names(expected)), what, ": other elements")
    for (name in names(expected)) {
      same(object[[name]], expected[[name]], tolerance, paste0(what, "$", name), scale)
    }
    return(invisible())
  }
  a <- as.double(object)
  b <- as.double(expected)
  holds(length(a) == length(b), what, ": ", length(a), " values for ", length(b))
  holds(identical(is.na(a), is.na(b)), what, ": NA elsewhere")
  infinite <- which(is.infinite(a) | is.infinite(b))
  holds(identical(a[infinite], b[infinite]), what, ": infinite elsewhere")
  there <- setdiff(which(!is.na(a)), infinite)
  if (length(there) == 0) return(invisible())
  off <- max(abs(a[there] - b[there])) / max(abs(a[there]), abs(b[there]), scale, 1e-300)
  holds(off <= tolerance, sprintf("%s is off by %.2g, more than %.2g (%s for %s)", what, off, tolerance,
    paste(format(utils::head(a[there], 4), digits = 4), collapse = " "),
    paste(format(utils::head(b[there], 4), digits = 4), collapse = " ")))
}
same_bytes <- function(object, expected, what = "") {
  if (identical(object, expected)) return(invisible())
  differ <- if (is.list(expected) && !is.null(names(expected))) {
    paste(Filter(function(name) !identical(object[[name]], expected[[name]]),
      union(names(object), names(expected))), collapse = ", ")
  }
  broken(what, " is not identical", if (length(differ)) paste0(": ", differ))
}

# `code` fails with an error of the package, and leaves the model as it was.
refused <- function(gp, code, pattern = "", what = "") {
  before <- as.list(gp)
  found <- tryCatch({
    force(code)
    NULL
  }, error = identity)
  holds(inherits(found, "error"), what, ": was not refused")
  holds(inherits(found, "gpstream_error"), what, ": an error of R, ", conditionMessage(found))
  holds(grepl(pattern, conditionMessage(found)), what, ": the message is ", conditionMessage(found))
  same_bytes(as.list(gp), before, paste(what, "a model after an error"))
}
