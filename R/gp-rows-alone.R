# Rows come in batches, so what the formula makes of a row must not depend on the rows that come with it. It
# does not where a term remembers what the first batch gave it (poly(), scale(), splines: makepredictcall());
# it does in I(a - mean(a)), rank(a) or cumsum(a), whose columns are others for every cut of the same stream.

# Stops where a variable, the response or the offset of the formula has other values among other rows. `terms`
# are those by which batches are read, with what they remember.
check_rows_alone <- function(terms, data, arg) {
  calls <- which(vapply(as.list(attr(terms, "variables"))[-1], is.call, NA))
  if (length(calls) == 0 || nrow(data) == 0) return(invisible())
  rows <- rows_to_compare(.subset(data, intersect(all.vars(terms), names(data))), nrow(data))
  if (!exists(".Random.seed", envir = globalenv(), inherits = FALSE)) stats::runif(1)
  seed <- get(".Random.seed", envir = globalenv(), inherits = FALSE)
  on.exit(assign(".Random.seed", seed, envir = globalenv()))
  memory <- if (is.null(attr(terms, "predvars"))) attr(terms, "variables") else attr(terms, "predvars")
  for (k in calls) {
    values <- function(rows) suppressWarnings(eval(memory[[k + 1]], rows, environment(terms)))
    if (!is_of_each_row(values, rows)) refuse_other_rows(terms, k)
  }
}

refuse_other_rows <- function(terms, k) {
  what <- if (k == attr(terms, "response")) "the response "
  abort("parameter", "`formula` must have terms whose value in a row depends on that row alone, not ", what,
    backtick(deparse1(attr(terms, "variables")[[k + 1]])), ", which changes with the rows of a batch. Write ",
    "a constant in place of what several rows give, as in `I(a - 3.2)`, or use scale(a) or poly(a, 2) as a ",
    "term, which keep what the first batch gave.")
}

most_compared <- 20

# A few rows, complete ones where there are any.
rows_to_compare <- function(columns, n) {
  known <- lapply(columns, function(values) {
    if (length(dim(values)) == 2) rowSums(is.na(values)) == 0 else !is.na(values)
  })
  complete <- which(Reduce(`&`, known, rep(TRUE, n)))
  if (length(complete) < 2) complete <- seq_len(n)
  batch_part(table_of(columns, n), complete[spread_rows(length(complete), most_compared)])
}

# Has each row the same value in any company? Alone, in half of the rows (of which one is in reverse), and
# among rows with larger and smaller numbers, before it and behind it, which shows it for one row, too. Rows
# that the function cannot take are not asked about.
is_of_each_row <- function(values, rows) {
  n <- nrow(rows)
  value_of_rows <- function(rows) tryCatch(as_compared(values(rows)), error = function(e) NULL)
  whole <- value_of_rows(rows)
  if (NROW(whole) != n) return(TRUE) # model.frame() says why
  tolerance <- 1e-8 * if (is.numeric(whole)) max(0, abs(whole[is.finite(whole)])) else 0
  same <- function(found, expected) is.null(found) || same_values(found, expected, tolerance)
  half <- seq_len(n) <= n / 2
  for (some in c(seq_len(n), if (n > 1) list(which(half), rev(which(!half))))) {
    if (!same(value_of_rows(batch_part(rows, some)), whole[some, , drop = FALSE])) return(FALSE)
  }
  among <- value_of_rows(among_others(rows))
  NROW(among) != 3 * n || same(among[n + seq_len(n), , drop = FALSE], whole)
}

# The rows between those with larger numbers and those with smaller ones, which do not balance each other.
among_others <- function(rows) {
  n <- nrow(rows)
  out <- lapply(as.list(batch_part(rows, rep(seq_len(n), 3))), function(values) {
    if (!is.numeric(values) && !is_time(values) || !is.null(dim(values))) return(values)
    numbers <- as.double(unclass(values))
    others <- -(n + seq_len(n)) # infinite ones stay what they are
    numbers[others] <- (numbers + rep(c(2, 0, -1), each = n) * (1 + abs(numbers)))[others]
    if (is.integer(values) && all(abs(numbers) < 2^31, na.rm = TRUE)) numbers <- as.integer(numbers)
    attributes(numbers) <- attributes(values)
    numbers
  })
  table_of(out, 3 * n)
}

# A matrix of numbers or words, a row a row.
as_compared <- function(values) {
  if (is.data.frame(values)) values <- as.matrix(values)
  if (inherits(values, "POSIXlt")) values <- as.POSIXct(values)
  values <- if (is.factor(values)) as.character(values) else unclass(values)
  out <- if (is.numeric(values) || is.logical(values)) as.double(values) else as.character(values)
  matrix(out, NROW(values))
}

same_values <- function(found, expected, tolerance) {
  if (!identical(dim(found), dim(expected)) || !identical(is.na(found), is.na(expected))) return(FALSE)
  if (is.character(found) || is.character(expected)) return(all(found == expected, na.rm = TRUE))
  all(found == expected | abs(found - expected) <= tolerance, na.rm = TRUE)
}
