# A small prototype of the rows of a model: which columns they have, and what was seen in these. The rows
# themselves are gone, but packages that take a model want to know them (R/with-*.R).
#
# With a formula it is in the frame: `columns`, a list of vectors of length 0, and `seen`, a matrix with the
# lowest and the highest value of each of them that is a number or a time (in seconds). These do not depend
# on how rows were cut into batches. Without a formula it is read off the rows that the model has kept.

new_prototype <- function(data, frame) {
  columns <- lapply(stats::setNames(nm = frame$variables), function(name) {
    prototype_column(data[[name]], frame$times[[name]])
  })
  columns <- columns[!vapply(columns, is.null, NA)]
  measured <- names(columns)[vapply(columns, function(column) is.numeric(column) || is_time(column), NA)]
  none <- rep(c(Inf, -Inf), length(measured)) # or, without a column, matrix() warns
  seen <- matrix(none, 2, length(measured), dimnames = list(c("min", "max"), measured))
  list(columns = columns, seen = seen)
}

# NULL for what is no plain column, such as a matrix. A model file holds these classes and no other.
prototype_column <- function(values, time) {
  if (!is.null(dim(values)) || is.list(values)) return(NULL)
  if (is.factor(values)) return(factor(character(), levels(values), ordered = is.ordered(values)))
  if (inherits(values, "difftime")) return(as.difftime(numeric(), units = units(values)))
  if (is_time(values)) return(as_seconds_tell(numeric(), fix_time(values)))
  if (is.character(values) && !is.null(time)) return(as_seconds_tell(numeric(), time))
  if (is.character(values)) return(character())
  if (is.logical(values)) return(logical())
  if (is_number_like(values)) return(if (is.integer(values)) integer() else numeric())
  NULL
}

# Seconds as the time that they are.
as_seconds_tell <- function(seconds, time) {
  number_to_time(seconds, replace(time, c("unit", "origin"), list("secs", 0)))
}

# The prototype after one more batch; a model of an earlier version gets its own now. Most rows change
# nothing, and cost a look at each column. `x`: the rows as the model has them.
see_rows <- function(prototype, data, frame, x) {
  if (is.null(prototype)) prototype <- new_prototype(data, frame)
  seen <- prototype$seen
  columns <- .subset(data, colnames(seen))
  for (j in seq_along(columns)) {
    values <- columns[[j]]
    if (is.object(values)) values <- if (is_time(values)) seconds_of(values) else as.double(values)
    if (!is.numeric(values)) values <- text_seconds(colnames(seen)[j], frame, x)
    low <- min(values)
    high <- max(values)
    if (!is.finite(high - low)) {
      values <- values[is.finite(values)]
      if (length(values) == 0) next
      low <- min(values)
      high <- max(values)
    }
    if (low < seen[1, j]) prototype$seen[1, j] <- low
    if (high > seen[2, j]) prototype$seen[2, j] <- high
  }
  prototype
}

# Text that is a time was read already; NA where the formula has no such column.
text_seconds <- function(name, frame, x) {
  time <- frame$times[[name]]
  if (is.null(time) || !name %in% bare(colnames(x))) return(NA_real_)
  time$origin + x[, match(name, bare(colnames(x)))] * unit_seconds[[time$unit]]
}

# What a batch added to what is known of rows.
keep_frame <- function(gp, frame) {
  fields <- gp@.xData
  for (name in c("prototype", "alone")) {
    if (!identical(fields$state$frame[[name]], frame[[name]])) fields$state$frame[[name]] <- frame[[name]]
  }
}

# Of models that are merged: what either has seen.
merge_prototypes <- function(one, two) {
  if (is.null(one) || is.null(two)) return(if (is.null(one)) two else one)
  both <- intersect(colnames(one$seen), colnames(two$seen))
  a <- one$seen[, both, drop = FALSE]
  b <- two$seen[, both, drop = FALSE]
  one$seen[, both] <- rbind(pmin(a[1, ], b[1, ]), pmax(a[2, ], b[2, ]))
  one
}

is_prototype <- function(prototype) {
  if (is.null(prototype)) return(TRUE)
  columns <- prototype$columns
  seen <- prototype$seen
  is.list(columns) && !is.null(names(columns)) && all(lengths(columns) == 0) && is.matrix(seen) &&
    is.double(seen) && nrow(seen) == 2 && all(colnames(seen) %in% names(columns))
}

# --- reading ------------------------------------------------------------------------------------------------

# `rows` (a data frame without rows), `seen` (the range of its measured columns), `levels` (of its
# categories), `response` and `inputs` (names of columns).
gp_prototype <- function(gp) {
  if (!is_started(gp)) {
    abort("input", "the model has seen no rows, and does not know which columns they have: update it first.")
  }
  frame <- gp_frame(gp)
  formula <- spec_of(gp)$formula
  known <- if (is.null(formula)) input_prototype(gp) else frame$prototype
  if (is.null(known)) {
    abort("input", "the model is of an earlier version, which did not remember the columns of its rows: ",
      "update it first.")
  }
  columns <- known$columns
  response <- if (is.null(formula)) "y" else intersect(all.vars(formula[[2]]), names(columns))
  words <- columns[!names(columns) %in% colnames(known$seen)]
  levels <- lapply(stats::setNames(nm = names(words)), function(name) {
    if (is.logical(words[[name]])) return(c("FALSE", "TRUE"))
    if (is.factor(words[[name]])) levels(words[[name]]) else frame$xlevels[[name]]
  })
  list(
    rows = as_rows(columns), seen = known$seen, levels = levels, response = response,
    inputs = setdiff(names(columns), response)
  )
}

as_rows <- function(columns) {
  structure(columns, class = "data.frame", row.names = .set_row_names(length(columns[[1]])))
}

# Without a formula: of the rows that became points, and of those that are kept to learn from.
input_prototype <- function(gp) {
  rows <- as.list(kept_inputs(gp, TRUE))
  list(
    columns = c(lapply(rows, `[`, 0), list(y = numeric())),
    seen = vapply(rows, function(values) range(measure(values)), c(min = 0, max = 0))
  )
}

# Numbers as they are, times in seconds; and back.
measure <- function(values) if (is_time(values)) seconds_of(values) else as.double(values)
as_measured <- function(numbers, column) {
  if (!is_time(column)) return(numbers)
  if (!inherits(column, "difftime")) return(as_seconds_tell(numbers, fix_time(column)))
  `units<-`(as.difftime(numbers, units = "secs"), units(column))
}

# Rows that show every level; numbers and times are at the mean of the rows that were kept or, where these do
# not tell, in the middle of all.
typical_rows <- function(gp) {
  known <- gp_prototype(gp)
  kept <- kept_inputs(gp)
  n <- max(1, lengths(known$levels))
  as_rows(lapply(stats::setNames(nm = known$inputs), function(name) {
    column <- known$rows[[name]]
    if (name %in% colnames(known$seen)) {
      middle <- if (is.null(kept)) mean(known$seen[, name]) else mean(measure(kept[[name]]))
      return(as_measured(rep(middle, n), column))
    }
    levels <- known$levels[[name]]
    like_column(rep_len(if (length(levels) > 0) levels else NA_character_, n), column)
  }))
}

# Words as what the column was.
like_column <- function(words, column) {
  if (is.factor(column)) return(factor(words, levels(column), ordered = is.ordered(column)))
  if (is.logical(column)) words == "TRUE" else words
}

# --- rows that are still there ------------------------------------------------------------------------------

# As they came, with the response where it is one column: the sample that is kept to learn from, or where
# there is none the rows that became points. NULL where columns cannot be told from what the formula made of
# them.
kept_rows <- function(gp) {
  inputs <- kept_inputs(gp)
  if (is.null(inputs)) return(NULL)
  kept <- gp_memory(gp)
  known <- gp_prototype(gp)
  plain <- length(known$response) == 1 && is.null(output_names(gp)) &&
    (is.null(spec_of(gp)$formula) || is.name(spec_of(gp)$formula[[2]]))
  if (length(kept$y) > 0 && length(kept$y) == nrow(inputs) && plain) {
    classes <- gp_frame(gp)$classes
    y <- if (is.null(classes)) kept$y else drawn_classes(kept$y, classes, likelihood_of(gp)$name)
    inputs[[known$response]] <- y
  }
  inputs
}

# `all`: points and sample together.
kept_inputs <- function(gp, all = FALSE) {
  frame <- gp_frame(gp)
  points <- unname(core_gp_points(gp_handle(gp)))
  x <- unname(gp_memory(gp)$x)
  if (nrow(x) == 0) x <- points else if (all) x <- rbind(points, x)
  colnames(x) <- input_names(frame)
  names <- if (is.null(spec_of(gp)$formula)) colnames(x) else gp_prototype(gp)$inputs
  columns <- lapply(stats::setNames(nm = names), function(name) raw_column(x, name, frame))
  if (any(vapply(columns, is.null, NA))) NULL else as_rows(columns)
}

# A column of the data from those of the model; NULL where it is not there as it was.
raw_column <- function(x, name, frame) {
  if (name %in% colnames(x)) return(number_to_time(x[, name], frame$times[[name]]))
  if (paste0(name, "TRUE") %in% colnames(x)) return(x[, paste0(name, "TRUE")] > 0.5)
  levels <- frame$xlevels[[name]]
  if (is.null(levels) || !all(paste0(name, levels) %in% colnames(x))) return(NULL)
  values <- levels[max.col(x[, paste0(name, levels), drop = FALSE], "first")]
  like_column(values, frame$prototype$columns[[name]])
}
