# What a formula makes of a row must not depend on the rows that come with it: terms for which it does are refused.

some_rows_of <- function(n, seed) {
  set.seed(seed)
  data <- data.frame(
    a = runif(n, 0.5, 5), b = rnorm(n), k = sample(50, n, TRUE), g = sample(c("u", "v", "w"), n, TRUE),
    t = as.POSIXct("2024-03-01", tz = "UTC") + cumsum(rexp(n, 1 / 3600)), stringsAsFactors = FALSE
  )
  data$g[seq_len(min(n, 3))] <- c("u", "v", "w")[seq_len(min(n, 3))]
  data$y <- sin(data$a) + 0.1 * data$b
  data
}
alone <- function(formula, data, ...) streaming_gp(formula, data, kernel = kernel_se(1, 1), noise = 0.1, mean = 0, optimize = "none", ...)
refused <- function(code) tryCatch({
  suppressMessages(suppressWarnings(code))
  ""
}, gpstream_error_parameter = function(e) if (grepl("depends on that row alone", conditionMessage(e))) conditionMessage(e) else stop(e))

test_that("the error names the term, says why, and what to write instead; the model is as it was", {
  data <- some_rows_of(30, 1)
  expect_snapshot(error = TRUE, {
    streaming_gp(y ~ b + I(a - mean(a)), data)
    streaming_gp(y / mean(y) ~ a, data)
  })
  gp <- streaming_gp(y ~ rank(a))
  expect_refused(gp, gp$update(data), "parameter", "rank.a.`, which changes")
})

across <- c(
  "I(a - mean(a))", "rank(a)", "I(a/max(a))", "cumsum(a)", "c(0, diff(a))", "I(a - a[1])", "c(NA, head(a, -1))", "I(a - min(b))", "ave(a, g)",
  "order(a)", "I(a/sum(a))", "cut(a, 3)", "I(a - median(a))", "I(scale(a))", "log(scale(a) + 9)", "as.integer(factor(g))", "I(a * (a == max(a)))",
  "I(as.numeric(t) - as.numeric(t[1]))", "difftime(t, min(t), units = \"hours\")", "I(a + runif(length(a)))", "seq_along(a)", "rev(a)", "I(k/max(k))",
  "I(a > quantile(a, 0.7))", "gp(I(a - mean(a)))", "gp(b, rank(a))", "trend(I(a - a[1]))", "season(cumsum(a), 3)"
)
own <- c(
  "log(a)", "I(a - 3.2)", "poly(a, 2)", "scale(a)", "splines::ns(a, df = 3)", "splines::bs(a, df = 4)", "poly(a, b, degree = 2)", "factor(g)",
  "cut(a, c(0, 1, 2, 9))", "ifelse(a > 2, a, -1)", "pmin(a, 4) %% 2", "sin(2 * pi * a)", "a:b", "weekdays(t)", "I(k^2)", "gp(log(a), scale(b))",
  "trend(t)", "season(a, 2)", "as.numeric(g == \"u\")", "interaction(g, k > 25)", "exp(b)", "factor(k > 9)"
)

test_that("found by hand: the terms that look at other rows are all refused, those that do not are all read (50 rows)", {
  data <- some_rows_of(50, 2)
  for (term in across) {
    expect_match(refused(streaming_gp(stats::reformulate(term, "y"), data, optimize = "none")), "which changes with the rows", info = term)
  }
  for (term in own) expect_identical(refused(streaming_gp(stats::reformulate(term, "y"), data, optimize = "none")), "", info = term)
})

# A random term of numbers: of each row alone or, with `look`, of others too.
random_term <- function(look) {
  leaf <- function() sample(c("a", "b", "k"), 1)
  one <- function(depth) {
    if (depth == 0) return(leaf())
    x <- one(depth - 1)
    sprintf(sample(c("log(abs(%s) + 1)", "(%s + %s)", "sin(%s)", "(%s * 2.5)", "pmax(%s, 0.3)", "sqrt(abs(%s))", "(%s - 2 * %s)"), 1), x, leaf())
  }
  inner <- suppressWarnings(one(sample(0:2, 1)))
  if (!look) return(paste0("I(", inner, ")"))
  others <- c("I(%s - mean(a))", "rank(%s)", "cumsum(%s)", "I(%s / max(k))", "c(0, diff(%s))", "I(%s - b[1])", "I(%s + length(b))", "I(%s * sd(a))", "rev(%s)")
  sprintf(sample(others, 1), inner)
}
test_that("random terms: read are those whose rows are the same in every batch, for update, consume and predict (1e-8)", {
  for (seed in 1:60) {
    data <- some_rows_of(40, seed)
    look <- seed %% 2 == 0
    term <- random_term(look)
    formula <- stats::reformulate(c("b", term), "y")
    read <- refused(alone(formula, data[1:20, ]))
    expect_identical(nzchar(read), look, info = term)
    expect_identical(nzchar(refused(consume(streaming_gp(formula), data, batch_size = 7))), look, info = term)
    expect_identical(nzchar(refused(predict(streaming_gp(formula, kernel = kernel_se(1, 1), noise = 0.1), data))), look, info = term)
    # one row at a time is refused at the first row, or as soon as another is looked at
    gp <- streaming_gp(formula, kernel = kernel_se(1, 1), noise = 0.1, mean = 0, optimize = "none")
    expect_identical(nzchar(refused({
      gp$update(data[1, ])
      gp$update(data[2:4, ])
    })), look, info = term)
    if (look) next
    gp <- alone(formula, data[1:20, ])
    gp$update(data[21:40, ])
    expect_equal(unlist(lapply(1:10, function(i) unname(predict(gp, data[i, ])))), unname(predict(gp, data[1:10, ])), tolerance = 1e-8, info = term)
  }
})

test_that("responses and offsets, too; a response that remembers the first batch stays", {
  data <- some_rows_of(40, 4)
  data$count <- rpois(40, 3)
  expect_match(refused(streaming_gp(y / mean(y) ~ a, data)), "the response `y/mean(y)`", fixed = TRUE)
  expect_match(refused(streaming_gp(cbind(y, rank(b)) ~ a, data)), "the response `cbind(y, rank(b))`", fixed = TRUE)
  expect_match(refused(streaming_gp(count ~ a + offset(log(k / mean(k))), data, family = poisson())), "offset(log(k/mean(k)))", fixed = TRUE)
  for (formula in list(log(y + 9) ~ a, scale(y) ~ a, cbind(y, b) ~ a, I(y - 2) ~ g)) expect_identical(refused(streaming_gp(formula, data)), "")
  expect_identical(refused(streaming_gp(count ~ a + offset(log(k)), data, family = poisson())), "")
  gp <- alone(scale(y) ~ a, data[1:20, ])
  whole <- gp$copy()$update(data[21:40, ])
  parts <- gp$copy()
  for (i in 21:40) parts$update(data[i, ])
  expect_equal(predict(parts, data), predict(whole, data), tolerance = 1e-8)
})

test_that("what one row does not show, of words that others have, comes out with the first batch of several; then nothing is asked", {
  data <- some_rows_of(30, 5)
  data$g[1] <- "v"
  gp <- alone(y ~ as.integer(factor(g)), data[1, ])
  expect_refused(gp, gp$update(data[2:9, ]), "parameter", "depends on that row alone")
  expect_match(refused(predict(gp, data[2:9, ])), "depends on that row alone")
  calls <- 0
  logged <- function(x) {
    calls <<- calls + 1
    log(x)
  }
  gp <- alone(y ~ logged(a), data[1, ])
  gp$update(data[2:3, ])
  again <- calls
  gp$update(data[4:9, ])
  expect_equal(calls, again + 1)
  expect_true(load_gp(local({
    file <- tempfile(fileext = ".gps")
    save_gp(alone(y ~ log(a), data), file)
    file
  }))$state$frame$alone)
})

test_that("missing values, constant columns and random numbers do not hide or feign it", {
  data <- some_rows_of(30, 6)
  gaps <- transform(data, a = replace(a, c(1:9, 30), NA))
  omit <- function(formula, data) refused(streaming_gp(formula, data, na_action = "omit"))
  expect_match(omit(y ~ b + I(a - mean(a)), gaps), "depends on that row alone")
  expect_identical(omit(y ~ b + log(a) + ifelse(is.na(a), 0, a), gaps), "")
  flat <- transform(data, a = 2)
  expect_match(refused(streaming_gp(y ~ b + I(a - mean(a)), flat)), "depends on that row alone")
  expect_identical(refused(streaming_gp(y ~ b + I(a - 2), flat)), "")
  before <- .Random.seed
  streaming_gp(y ~ log(a), data, kernel = kernel_se(1, 1), noise = 0.1, optimize = "none")
  expect_identical(.Random.seed, before)
})

test_that("values that are missing or infinite in the first batch do not make a term look at other rows", {
  set.seed(1)
  for (bad in c(NA, NaN, Inf, -Inf)) {
    d <- data.frame(a = replace(runif(30), 7, bad), y = rnorm(30))
    for (formula in list(y ~ I(a^2), y ~ log(a + 1), y ~ I(abs(a)))) {
      gp <- suppressWarnings(streaming_gp(formula, d, kernel = kernel_se(1, 1), noise = 0.1, optimize = "none", na_action = "omit"))
      expect_identical(gp$nobs, 29)
    }
  }
})
