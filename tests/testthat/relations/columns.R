# Columns: their order, number, names and types must not matter, or are refused by name.

odd_names <- c("a b", "\u00e4\u03b2", "if", "TRUE", "pi", "c", "data", "gp", "weights", "x.1", ".x", "_x", "a+b", "100%", "a:b", "log",
  "y ~ x", "(Intercept)", "NULL", "a\"b", "it's", "I(a)", "T", "season", "offset", "trend", "row", "fit", "1", "a\\b")
ticked <- function(name) paste(deparse(as.name(name), backtick = TRUE), collapse = "")
# The right side with one name for another.
in_formula <- function(right, name, new_name) {
  deparse1(do.call(substitute, list(str2lang(right), stats::setNames(list(as.name(new_name)), name))), backtick = TRUE)
}

relation("columns permuted", function() {
  case <- draw_case()
  parts <- batches(case$data)
  gp <- learned(case, parts)
  other <- learned(case, lapply(parts, shuffled_columns))
  same_bytes(bytes(other), bytes(gp), "the model")
  same_bytes(says(other, shuffled_columns(case$new)), says(gp, case$new), "the prediction")
})

relation("columns extra", function() {
  case <- draw_case()
  parts <- batches(case$data)
  gp <- learned(case, parts)
  with_more <- function(part) {
    part$extra <- NA
    part$word <- one_of("x", "1", NA)
    part$list <- I(as.list(seq_len(nrow(part))))
    part$number <- one_of(Inf, NaN, 1)
    shuffled_columns(part)
  }
  other <- learned(case, lapply(parts, with_more))
  same_bytes(bytes(other), bytes(gp), "the model")
  same_bytes(says(other, with_more(case$new)), says(gp, case$new), "the prediction")
})

relation("columns renamed", function() {
  case <- draw_case(formulas = plain_formulas)
  new_name <- one_name(odd_names)
  note("a is ", new_name)
  renamed <- function(data) stats::setNames(data, replace(names(data), names(data) == "a", new_name))
  other <- case
  other$right <- in_formula(case$right, "a", new_name)
  parts <- batches(case$data)
  gp <- learned(case, parts)
  again <- learned(other, lapply(parts, renamed))
  same_bytes(bytes(again), bytes(gp), "the model")
  same_bytes(says(again, renamed(case$new)), says(gp, case$new), "the prediction")
  path <- tempfile(fileext = ".gps")
  on.exit(unlink(path))
  save_gp(again, path)
  same_bytes(says(load_gp(path), renamed(case$new)), says(gp, case$new), "the prediction of the model in a file")
})

relation("response renamed", function() {
  case <- draw_case(likelihoods = setdiff(all_likelihoods, "binomial"))
  new_name <- one_name(odd_names)
  note("y is ", new_name)
  other <- case
  other$left <- ticked(new_name)
  gp <- learned(case)
  again <- learned(other, list(stats::setNames(case$data, replace(names(case$data), names(case$data) == "y", new_name))))
  same_bytes(bytes(again), bytes(gp), "the model")
  same_bytes(says(again, case$new), says(gp, case$new), "the prediction")
})

relation("columns missing", function() {
  case <- draw_case()
  gp <- learned(case)
  lacks <- one_name(c("a", if (grepl("\\bb\\b", case$right)) "b", if (grepl("\\bg\\b", case$right)) "g"))
  without <- function(data) data[setdiff(names(data), lacks)]
  refused(gp, gp$update(without(case$data)), lacks, "update")
  refused(gp, predict(gp, without(case$new)), lacks, "predict")
  refused(gp, gp$update(case$data[setdiff(names(case$data), "y")]), "y", "update without a response")
})

relation("columns of another type", function() {
  case <- draw_case(formulas = c("a", "a + b", "a + g", "gp(a) + gp(b)", "a * b"))
  gp <- learned(case)
  wrong <- one_of(list(
    function(x) paste("word", x), function(x) factor(x), function(x) as.list(x), function(x) as.Date("2024-01-01") + seq_along(x),
    function(x) complex(real = x, imaginary = 1), function(x) I(cbind(x, x))
  ))
  spoilt <- function(data) {
    data$a <- wrong(data$a)
    data
  }
  refused(gp, gp$update(spoilt(case$data[1:9, ])), "[`']a['`]", "update")
  refused(gp, predict(gp, spoilt(case$new)), "[`']a['`]", "predict")
})

relation("whole numbers are numbers", function() {
  case <- draw_case()
  case$data$a <- round(case$data$a)
  case$new$a <- round(case$new$a)
  gp <- learned(case)
  whole <- one_of(c(list(as.integer, function(x) stats::setNames(x, paste0("n", seq_along(x)))),
    if (requireNamespace("bit64", quietly = TRUE)) list(function(x) bit64::as.integer64(x))))
  typed <- function(data) {
    data$a <- whole(data$a)
    data
  }
  other <- learned(case, list(typed(case$data)))
  same_bytes(bytes(other), bytes(gp), "the model")
  same_bytes(unname(predict(other, typed(case$new))), unname(predict(gp, case$new)), "the prediction")
})

relation("text is a factor", function() {
  case <- draw_case(formulas = c("a + g", "a + b + g", "gp(a, b) + g"))
  texts <- function(data) transform(data, g = as.character(g))
  parts <- batches(case$data)
  gp <- learned(case, parts)
  other <- learned(case, lapply(parts, function(part) if (chance(0.7)) texts(part) else part))
  same_bytes(bytes(other), bytes(gp), "the model")
  same_bytes(says(other, texts(case$new)), says(gp, case$new), "the prediction")
})

relation("order of levels", function() {
  # another order of columns: sums in another order, so to rounding
  case <- draw_given(formulas = c("a + g", "a + b + g"), kernels = steady_kernels, selectors = online_selectors)
  turned <- function(data) transform(data, g = factor(g, c("w", "u", "v")))
  parts <- batches(case$data)
  gp <- learned(case, parts)
  later <- learned(case, c(parts[1], lapply(parts[-1], turned)))
  same_bytes(bytes(later), bytes(gp), "the model of which later batches have another order")
  other <- learned(case, lapply(parts, turned))
  same(says(other, turned(case$new)), says(gp, case$new), 1e-8, "all levels turned")
})

relation("levels not used", function() {
  case <- draw_case(formulas = c("a + g", "a + b + g", "gp(a, b) + g"))
  parts <- batches(case$data)
  gp <- learned(case, parts)
  dropped <- learned(case, c(parts[1], lapply(parts[-1], droplevels)))
  same_bytes(bytes(dropped), bytes(gp), "the model without levels that a batch has not")
  more <- learned(case, c(parts[1], lapply(parts[-1], function(part) transform(part, g = factor(g, c("u", "v", "w", "never"))))))
  same_bytes(bytes(more), bytes(gp), "the model with a level that no row has")
})

relation("a level that never comes", function() {
  # its column is 0 in every row: nothing is said of it, and nothing of the rest changes
  case <- draw_given(formulas = c("a + g", "a + b + g"), kernels = steady_kernels, selectors = online_selectors)
  wider <- function(data) transform(data, g = factor(g, c("u", "v", "w", "never")))
  gp <- learned(case)
  other <- learned(case, list(wider(case$data)))
  same(says(other, wider(case$new)), says(gp, case$new), 1e-9, "the prediction")
})

relation("frames of other classes", function() {
  case <- draw_case()
  dressed <- one_of(c(
    list(function(data) structure(data, class = c("other", "data.frame")), function(data) `rownames<-`(data, paste0("r", seq_len(nrow(data)))),
      function(data) structure(data, note = "an attribute"), function(data) {
        data$a <- structure(data$a, label = "a label", names = paste(seq_along(data$a)))
        data
      }),
    if (requireNamespace("tibble", quietly = TRUE)) list(tibble::as_tibble)
  ))
  parts <- batches(case$data)
  gp <- learned(case, parts)
  other <- learned(case, lapply(parts, dressed))
  same_bytes(bytes(other), bytes(gp), "the model")
  bare <- function(x) if (is.list(x)) lapply(x, bare) else as.double(x)
  same_bytes(bare(says(other, dressed(case$new))), bare(says(gp, case$new)), "the prediction")
})
