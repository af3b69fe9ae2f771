# Batches from several places, one below the other. This is the one place where rows of different origin
# become one table: columns are matched by name, and each is of the sort that it is of in the first batch.

# What a model reads of a batch: the columns that its formula names (and that of the weights), or inputs and
# outputs.
own_columns <- function(spec, batch, response) {
  given <- for_spec(spec, batch, response)
  if (is.null(given$data)) return(list(x = named_table(given$x), y = named_table(given$y)))
  data <- as_data(given$data, "data")
  named <- all.vars(as_input_error(stats::terms(check_formula(spec$formula), data = data), "data"))
  table_of(.subset(data, intersect(c(named, spec$weights), names(data))), nrow(data))
}

table_of <- function(columns, rows) {
  structure(columns, class = "data.frame", row.names = .set_row_names(rows))
}

# Inputs and outputs with names are data frames, and text among them is the time that it stands for.
named_table <- function(x) {
  x <- plain_numbers(x)
  if (inherits(x, "POSIXlt")) x <- as.POSIXct(x)
  if (is.matrix(x) && !is.object(x) && !is.null(colnames(x))) x <- as.data.frame(x)
  if (!is.data.frame(x)) return(x)
  table_of(lapply(as.list(x), function(values) {
    time <- if (is.character(values) || inherits(values, "POSIXlt")) as_time(values)
    if (is.null(time)) values else time
  }), nrow(x))
}

# Can the batch be put below the first one? An error where not.
check_below <- function(first, batch) {
  if (!same_shape(first, batch)) bind_chunks(list(first, batch))
  invisible()
}

bind_chunks <- function(chunks) {
  if (length(chunks) == 1) return(chunks[[1]])
  gaps <- unlist(lapply(chunks, function(chunk) {
    if (is.null(attr(chunk, "gaps"))) numeric(batch_rows(chunk)) else attr(chunk, "gaps")
  }))
  if (!is_pair(chunks[[1]])) return(with_gaps(bind_frames(chunks, "data"), gaps))
  side <- function(name) bind_columns(lapply(chunks, `[[`, name), name, name)
  with_gaps(list(x = side("x"), y = side("y")), gaps)
}

bind_frames <- function(frames, arg) {
  names <- names(frames[[1]])
  columns <- lapply(frames, function(frame) {
    lacking <- setdiff(names, names(frame))
    if (length(lacking) > 0) {
      abort("dimension", "`", arg, "` has no column ", backtick(lacking), ", which the first rows have.")
    }
    unname(.subset(frame, names))
  })
  bound <- lapply(stats::setNames(seq_along(names), names), function(j) {
    bind_columns(lapply(columns, `[[`, j), names[j], arg)
  })
  table_of(bound, sum(vapply(frames, nrow, 0L)))
}

# Values of the column `name` of `arg`. Factors are joined as factors where all are; c() of R before 4.1 would
# give their codes.
bind_columns <- function(parts, name, arg) {
  parts <- lapply(parts, plain_numbers)
  shapes <- lapply(parts, shape_of)
  tables <- vapply(parts, is.data.frame, NA)
  odd <- !vapply(shapes, identical, NA, shapes[[1]])
  if (all(tables) || any(tables) && length(unique(vapply(parts, NCOL, 0L))) == 1) {
    return(bind_frames(with_names(parts, names(parts[[which(tables)[1]]])), arg))
  }
  if (any(odd)) parts <- of_one_sort(parts, which(odd)[1], name, arg)
  first <- parts[[1]]
  if (length(dim(first)) == 2 && !is.object(first)) return(do.call(rbind, parts))
  factors <- vapply(parts, is.factor, NA)
  if (!any(factors)) return(do.call(c, parts))
  words <- unlist(lapply(parts, as.character))
  if (all(factors)) factor(words, unique(unlist(lapply(parts, levels)))) else words
}

# Matrices without names are matched by position.
with_names <- function(parts, names) {
  lapply(parts, function(part) if (is.data.frame(part)) part else as.data.frame(`colnames<-`(part, names)))
}

# Columns as a model would take them one after the other: numbers stay numbers, times become what the first
# one is, and what follows words is read as words. `odd`: the first that is of another sort.
of_one_sort <- function(parts, odd, name, arg) {
  first <- parts[[1]]
  what <- if (name == arg) backtick(arg) else paste0(backtick(name), " in `", arg, "`")
  refuse <- function(wanted, values) {
    abort("type", what, " must be ", wanted, ", as in the first rows, not ", describe(values), ".")
  }
  if (NCOL(first) > 1 || NCOL(parts[[odd]]) > 1) refuse(describe(first), parts[[odd]])
  if (is_number_like(first)) refuse("numeric", parts[[odd]])
  time <- as_time(first)
  if (!is.null(time)) {
    seconds <- replace(fix_time(time), c("unit", "origin"), list("secs", 0))
    return(lapply(parts, function(values) number_to_time(time_to_number(values, seconds, what), seconds)))
  }
  if (kind(first)[1] != "character") refuse(describe(first), parts[[odd]])
  lapply(parts, function(values) {
    if (is.factor(values) || is.character(values)) return(values)
    if (is_number_like(values)) as.character(values) else refuse("text or a factor", values)
  })
}
