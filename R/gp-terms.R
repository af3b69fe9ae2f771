# Formulas that say what a model is made of: gp(), season() and trend() among their terms.

#' Terms of a formula
#'
#' In the formula of [streaming_gp()], `gp()`, `season()` and `trend()` say what the function is a sum of:
#' `y ~ gp(lon, lat) + gp(time) + season(time, "1 day") + trend(time) + station`. They are not functions to be
#' called elsewhere.
#'
#' \itemize{
#'   \item `gp(a, b, ...)`: a smooth function of these columns together, with a lengthscale for each. The
#'     evidence chooses whether it is a squared exponential or one of the Matern kernels; `gp(a, kernel = )`
#'     takes the [kernel][kernels] that it is given, without columns.
#'   \item `season(t, period)`: what comes again after each period, [kernel_periodic()]. The period is a
#'     number or, where `t` is a date or time, a duration such as `"1 day"` or `"52 weeks"`; without one it is
#'     found from the spectrum of the rows.
#'   \item `gp(a, by = station)`, `season(t, period, by = station)`: a function for each level of a factor, a
#'     character or a logical column, the product with [kernel_factor()]. How alike these functions are is
#'     learned. Add the term without `by` for what all levels have in common.
#'   \item `trend(t)`: a straight line, of which next to nothing is thought beforehand, and a walk about it
#'     ([kernel_brownian()]): forecasts go on along the line from where the walk is, and their intervals widen
#'     with time, as much as the walk went astray so far. `trend(t, walk = FALSE)` is the line alone.
#'   \item A numeric column by itself: all of these together are one common `gp()`.
#'   \item A factor, a character or a logical column: [kernel_factor()], a level each, all equally alike.
#' }
#' A constant is always part of the sum. Terms add up; for a function of several columns together, their
#' interactions included, write `gp(a, b)`. [components()] gives what each term adds, and
#' `plot(gp, "components")` shows it. A formula without any of these three terms is one `gp()` of all its
#' columns, as ever.
#'
#' A column that has had one value only, or the 0/1 column of a level that has not come, gets a linear effect.
#' Its prior standard deviation is that of the response, until the column varies and the kernel is learned
#' again. Gaussian prediction intervals of such a level are about 1.4 times as wide as those of a level that
#' has come. The effect is part of the term of that column.
#'
#' @name formula-terms
#' @aliases gp season trend
#' @seealso [streaming_gp()], [components()], [kernels]
#' @examples
#' set.seed(1)
#' day <- sort(runif(400, 0, 60))
#' y <- 0.02 * day + sin(2 * pi * day / 7) + rnorm(400, sd = 0.2)
#' gp <- streaming_gp(y ~ trend(day) + season(day, 7), data.frame(day, y))
#' components(gp, data.frame(day = 61:62))
#'
#' # a week of its own for each shop
#' shop <- factor(sample(c("north", "south"), 400, replace = TRUE))
#' y <- ifelse(shop == "north", 1, 3) * sin(2 * pi * day / 7) + rnorm(400, sd = 0.2)
#' shops <- streaming_gp(y ~ season(day, 7, by = shop), data.frame(day, shop, y))
#' predict(shops, data.frame(day = 61.75, shop = c("north", "south")))
NULL

special_names <- c("gp", "season", "trend")

# Which of them are called; a column may well have such a name.
special_calls <- function(expr) {
  if (!is.call(expr)) return(character())
  own <- if (is.name(expr[[1]])) intersect(as.character(expr[[1]]), special_names)
  c(own, unlist(lapply(Filter(is.call, as.list(expr)), special_calls)))
}
has_special_terms <- function(formula) {
  inherits(formula, "formula") && length(special_calls(formula[[length(formula)]])) > 0
}

# NULL for a formula without such terms. Otherwise `formula`, in which they are columns like any other, and
# `terms`, what each of them is.
special_terms <- function(formula, data, arg) {
  if (!has_special_terms(formula)) return(NULL)
  terms <- as_input_error(stats::terms(formula, data = data), arg)
  labels <- attr(terms, "term.labels")
  env <- environment(formula)
  if (any(attr(terms, "order") > 1)) {
    abort("parameter", "with gp(), season() and trend() terms add up, but the formula has ",
      backtick(labels[attr(terms, "order") > 1][1]), "; a function of several columns together is gp(a, b), ",
      "one for each level of a factor gp(a, by = b) or season(t, \"1 day\", by = b).")
  }
  if (!attr(terms, "intercept")) {
    abort("parameter", "with gp(), season() and trend() a constant is always part of the sum; write the ",
      "formula without `- 1` or `0 +`.")
  }
  parsed <- lapply(labels, function(label) special_term(str2lang(label), label, env))
  trends <- unlist(lapply(parsed, function(term) if (term$kind == "trend") term$columns))
  if (anyDuplicated(trends)) {
    twice <- backtick(trends[duplicated(trends)][1])
    abort("parameter", "the formula has two trends in ", twice, "; write one.")
  }
  columns <- unique(unlist(lapply(parsed, function(term) c(term$columns, term$by))))
  offsets <- as.list(attr(terms, "variables"))[-1][attr(terms, "offset")]
  right <- Reduce(function(a, b) call("+", a, b), c(lapply(columns, str2lang), offsets))
  plain <- if (length(formula) == 3) call("~", formula[[2]], right) else call("~", right)
  list(formula = as_formula(plain, env), terms = parsed)
}

# `kind`, `label`, `columns` (as the formula writes them), and what else was said.
special_term <- function(expr, label, env) {
  kind <- if (is.call(expr) && is.name(expr[[1]])) as.character(expr[[1]]) else ""
  if (!kind %in% special_names) {
    inner <- special_calls(expr)
    if (length(inner) > 0) {
      abort("parameter", inner[1], "() must stand by itself in a formula, not within ", backtick(label), ".")
    }
    return(list(kind = "plain", label = label, columns = label))
  }
  arguments <- as.list(expr)[-1]
  named <- if (is.null(names(arguments))) rep("", length(arguments)) else names(arguments)
  given <- arguments[nzchar(named)]
  arguments <- arguments[!nzchar(named)]
  if (kind == "season" && length(arguments) == 2) {
    given <- c(given, list(period = arguments[[2]]))
    arguments <- arguments[1]
  }
  allowed <- list(gp = c("kernel", "by"), season = c("period", "by"), trend = "walk")[[kind]]
  is_column <- function(one) is.name(one) || is.call(one) # not season("x")
  columns <- vapply(arguments, is_column, NA)
  by <- given[["by"]]
  if (length(columns) == 0 || !all(columns) || (kind != "gp" && length(columns) > 1) ||
        !all(names(given) %in% allowed) || anyDuplicated(names(given)) || !(is.null(by) || is_column(by))) {
    abort("parameter", backtick(label), " is no term: write ",
      switch(kind, gp = "gp(a, b), gp(a, kernel = kernel_se()) or gp(a, by = station)",
        season = "season(t, \"1 day\") or season(t, \"1 day\", by = station)", trend = "trend(t)"), ".")
  }
  given <- lapply(given[names(given) != "by"], eval, env)
  if (!is.null(by)) given$by <- deparse1(by, backtick = TRUE)
  if (kind == "trend") given$walk <- is.null(given$walk) || check_flag(given$walk, "walk")
  if (!is.null(given$kernel)) {
    check_kernel(given$kernel, "kernel")
    if (length(each_kernel(given$kernel, function(k) k$columns)) > 0) {
      abort("parameter", "the kernel in ", backtick(label),
        " must have no `columns`: they are those of gp(). For a function per level of a factor write ",
        "gp(a, kernel = , by = station).")
    }
  }
  if (kind == "season") kernel_periodic(given$period) # which checks it
  c(list(kind = kind, label = label, columns = vapply(arguments, deparse1, "", backtick = TRUE)), given)
}

# Kernels of a distance along a line, which says nothing between levels coded as 0 and 1.
line_kernels <- c(
  "periodic", "cosine", "brownian", "integrated_brownian", "linear", "warped", "gibbs", "amplitude"
)

# A kernel along a line is not for the columns of a factor, and `by` is for nothing else. `category(name)`: is
# this column of the formula one of levels?
check_term_factors <- function(terms, category) {
  for (term in terms) {
    if (!is.null(term$by) && !category(term$by)) {
      abort("parameter", "`by` in ", backtick(term$label), " must be a factor, a character or a logical ",
        "column, not numbers. Write by = factor(", term$by, ").")
    }
    factors <- Filter(category, term$columns)
    kernels <- if (!is.null(term$kernel)) unlist(each_kernel(term$kernel, function(k) k$name))
    wrong <- intersect(kernels, line_kernels)
    if (term$kind == "gp" && length(wrong) > 0 && length(factors) > 0) {
      written <- c(setdiff(term$columns, factors), "kernel = ", paste("by =", factors[1]))
      abort("parameter", "the kernel in ", backtick(term$label), " must be of numbers or times, but ",
        backtick(factors[1]), " has levels. For a function per level write gp(",
        paste(written, collapse = ", "), ").")
    }
  }
}

# Seasons and trends are of numbers or times; the unit of a time is chosen by the model.
check_special_columns <- function(terms, xlevels, times) {
  for (term in Filter(function(term) term$kind %in% c("season", "trend"), terms)) {
    if (bare(term$columns) %in% names(xlevels)) {
      abort("parameter", backtick(term$label), " needs a column of numbers or times, but ",
        backtick(term$columns), " is a factor; write it by itself.")
    }
    time <- times[[bare(term$columns)]]
    if (!is.null(time) && time$class != "difftime" && !is.null(term$period) && !is_duration(term$period)) {
      abort("parameter", backtick(term$label), " does not say what its period is measured in, and ",
        backtick(term$columns), " is a time; write ", quoted(likely_period(term$period, time)), ", say.")
    }
  }
}

# A number that is known for a unit has that, another the unit of the column.
likely_period <- function(period, time) {
  known <- c("7" = "days", "24" = "hours", "52" = "weeks", "60" = "mins", "365" = "days", "365.25" = "days",
    "1440" = "mins", "86400" = "secs")
  unit <- known[format(period, digits = 15)]
  paste(format(period, digits = 15), if (is.na(unit)) time$unit else unit)
}

# --- what they make of a model ------------------------------------------------------------------------------

# The terms that are kernels, in the order of their labels; columns of numbers that stand by themselves are
# together where the first of them is.
kernel_terms_of <- function(frame) {
  terms <- Filter(function(term) term$kind != "trend" || term$walk, frame$special)
  plain <- vapply(terms, function(term) term$kind == "plain" && !is_category(term$columns, frame), NA)
  if (any(plain)) {
    own <- vapply(terms[plain], `[[`, "", "columns")
    first <- which(plain)[1]
    label <- paste0("gp(", paste(own, collapse = ", "), ")")
    terms[[first]] <- list(kind = "gp", label = label, columns = own)
    terms <- terms[!plain | seq_along(terms) == first]
  }
  terms
}

is_category <- function(name, frame) {
  bare(name) %in% names(frame$xlevels) || is_logical_input(name, input_names(frame))
}

formula_kernel <- function(frame) {
  kernels <- lapply(kernel_terms_of(frame), function(term) {
    own <- switch(term$kind,
      gp = if (is.null(term$kernel)) smooth_kernel(term$columns) else on_columns(term$kernel, term$columns),
      season = kernel_periodic(term$period, columns = term$columns),
      trend = kernel_brownian(columns = term$columns),
      plain = kernel_factor(columns = term$columns)
    )
    if (is.null(term$by)) own else own * kernel_factor(columns = term$by)
  })
  if (length(kernels) == 0) kernel_constant() else Reduce(`+`, kernels)
}

# Of a family that the evidence chooses.
smooth_kernel <- function(columns) {
  out <- kernel_se(if (length(columns) > 1) "ard", columns = columns)
  out$any <- TRUE
  out
}

on_columns <- function(kernel, columns) {
  if (kernel$name == "warped" && is.null(kernel$along)) kernel$along <- columns[1]
  if (is_composite(kernel)) {
    kernel$parts <- lapply(kernel$parts, on_columns, columns)
  } else {
    kernel$columns <- columns
  }
  kernel
}

trends_of <- function(frame) Filter(function(term) term$kind == "trend", frame$special)
trend_labels <- function(frame) vapply(trends_of(frame), `[[`, "", "label")

# What the formula says of kernel and mean, until others are assigned.
formula_wishes <- function(spec, frame) {
  if (is.null(frame$special)) return(spec)
  if (is.null(spec$kernel)) spec$kernel <- formula_kernel(frame)
  if (!identical(spec$mean, "auto")) return(spec)
  trends <- vapply(trends_of(frame), `[[`, "", "columns")
  spec$mean <- if (length(trends) > 0) stats::reformulate(sprintf("`%s`", bare(trends))) else "constant"
  spec
}

# Of a model whose formula has such terms.
check_special <- function(spec) {
  if (has_special_terms(spec$formula) && !is.null(spec$kernel)) {
    abort("parameter", "`kernel` and the terms of `formula` both say what the function is made of; give a ",
      "kernel for some columns as gp(a, kernel = kernel_se()).")
  }
  trends <- has_special_terms(spec$formula) && "trend" %in% special_calls(spec$formula)
  if (trends && !identical(spec$mean[1], "auto")) {
    abort("parameter", "`mean` and trend() in `formula` both say what the trend is; give one.")
  }
}
