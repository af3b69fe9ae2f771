# The formula interface: the same model as with a matrix, with terms, levels and columns fixed by the first batch.

t2 <- toy(40, 2)
frame <- data.frame(
  y = t2$y, a = t2$x[, 1], b = t2$x[, 2], g = factor(rep(c("u", "v"), 20), levels = c("u", "v", "w")), s = rep(c("p", "q", "r", "q"), 10)
)
first <- frame[1:20, ]
later <- frame[21:40, ]
by_formula <- function(formula, data = first, ...) streaming_gp(optimize = "none", formula, data, kernel = kernel_se(1, 1), noise = 0.01, mean = 0, ...)
by_matrix <- function(x, y = first$y) suppressWarnings(toy_gp(0)$update(as.matrix(x), y)) # a level not seen is a constant column

# The formula reads `first` and `later` as these matrices.
expect_reads <- function(formula, x_first, x_later) {
  gp <- by_formula(formula)
  reference <- by_matrix(x_first)
  expect_identical(unname(predict(gp, later)), unname(predict(reference, unname(x_later))))
  gp$update(later)
  reference$update(unname(x_later), later$y)
  expect_identical(as.list(gp)$core, as.list(reference)$core)
}

test_that("numeric columns: the same as a matrix", {
  both <- function(data) unname(as.matrix(data[c("a", "b")]))
  expect_reads(y ~ a + b, both(first), both(later))
  expect_reads(y ~ a + b - 1, both(first), both(later))
  expect_reads(y ~ 0 + a + b, both(first), both(later))
  expect_identical(colnames(by_formula(y ~ a + b)$points), c("a", "b"))
})

test_that("transformations are those of the first batch", {
  expect_reads(y ~ log(a + 1), matrix(log(first$a + 1)), matrix(log(later$a + 1)))
  basis <- poly(first$a, 3)
  read_basis <- function(a) unclass(predict(basis, a))[, 1:3]
  expect_reads(y ~ poly(a, 3), read_basis(first$a), read_basis(later$a))
  z <- scale(first$b)
  expect_reads(y ~ scale(b), matrix(z), matrix((later$b - attr(z, "scaled:center")) / attr(z, "scaled:scale")))
  expect_reads(y ~ a:b, matrix(first$a * first$b), matrix(later$a * later$b))
  expect_reads(y ~ a * b, with(first, cbind(a, b, a * b)), with(later, cbind(a, b, a * b)))
})

test_that("a factor is one 0/1 column a level, so that all levels are equally far apart", {
  indicator <- function(values, levels) outer(as.character(values), levels, "==") + 0
  u <- c("u", "v", "w")
  p <- c("p", "q", "r")
  expect_reads(y ~ g, indicator(first$g, u), indicator(later$g, u))
  expect_reads(y ~ s, indicator(first$s, p), indicator(later$s, p))
  expect_reads(y ~ a + g, cbind(first$a, indicator(first$g, u)), cbind(later$a, indicator(later$g, u)))
  expect_reads(y ~ a:g, first$a * indicator(first$g, u), later$a * indicator(later$g, u))
  gp <- by_formula(y ~ a + g + s)
  expect_identical(colnames(gp$points), c("a", "gu", "gv", "gw", "sp", "sq", "sr"))
  ordered <- transform(first, s = factor(s, ordered = TRUE))
  expect_identical(as.list(by_formula(y ~ s, ordered))$core, as.list(by_formula(y ~ s))$core)
})

test_that("levels are fixed by the first batch: fewer later are fine, a new one is an error that names it", {
  gp <- by_formula(y ~ a + g + s)
  one <- later[1, ]
  expect_silent(predict(gp, one))
  before <- as.list(gp) # with the factor that a prediction needs
  expect_identical(predict(gp, transform(one, g = as.character(g))), predict(gp, one))
  expect_silent(predict(gp, transform(one, g = "w"))) # declared, though not seen
  expect_error(predict(gp, transform(one, g = "x")), "`g` in `newdata` has the new level \"x\"", class = "gpstream_error_input")
  expect_error(gp$update(transform(one, s = "nowhere")), "`s` in `data` has the new level \"nowhere\"", class = "gpstream_error_input")
  expect_error(gp$update(transform(one, g = 1)), "`g` in `data` has the new level \"1\"", class = "gpstream_error_input")
  expect_error(gp$update(transform(one, a = "1")), "`a` in `data` must be numeric", class = "gpstream_error_type")
  expect_identical(as.list(gp), before)
  expect_silent(gp$update(one))
  expect_identical(unname(is.na(predict(gp, rbind(one, transform(one, g = NA))))), c(FALSE, TRUE))
})

test_that("a missing column is an error that names it, also when the calling environment has a variable of that name", {
  gp <- by_formula(y ~ a + b)
  before <- as.list(gp)
  b <- later$b
  y <- later$y
  expect_error(gp$update(later[c("y", "a")]), "`data` has no column `b`", class = "gpstream_error_dimension")
  expect_error(predict(gp, later["a"]), "`newdata` has no column `b`", class = "gpstream_error_dimension")
  expect_error(gp$update(later[c("a", "b")]), "`data` has no column `y`", class = "gpstream_error_dimension")
  expect_identical(as.list(gp), before)
  expect_error(by_formula(y ~ a + b, later[c("y", "a")]), "`data` has no column `b`", class = "gpstream_error_dimension")
  b <- 3 # a single number would fit a first batch of one row
  expect_error(by_formula(y ~ a + b, later[1, c("y", "a")]), "`data` has no column `b`", class = "gpstream_error_dimension")
  expect_error(predict(by_formula(y ~ a + b, NULL), later["a"]), "`newdata` has no column `b`", class = "gpstream_error_dimension")
})

test_that("a constant of the calling environment is kept with the model", {
  power <- 2
  gp <- by_formula(y ~ I(a^power))
  expected <- predict(by_matrix(first$a^2), later$a^2)
  power <- 3
  expect_identical(unname(predict(gp, later)), expected)
  rm(power)
  expect_identical(unname(predict(unserialize(serialize(gp, NULL)), later)), expected)
})

test_that("y ~ . is every other column of the first batch; more columns later do not matter", {
  columns <- c("y", "a", "b")
  gp <- by_formula(y ~ ., first[columns])
  expect_identical(as.list(gp)$core, as.list(by_formula(y ~ a + b))$core)
  expect_identical(predict(gp, later), predict(gp, later[3:2]))
  expect_identical(as.list(gp$update(later))$core, as.list(by_formula(y ~ a + b)$update(later))$core)
})

test_that("the response may be missing in newdata, and may be transformed", {
  gp <- by_formula(y ~ a + b)
  expect_identical(predict(gp, later[c("b", "a")]), predict(gp, later))
  logged <- by_formula(log(y + 5) ~ a)
  expect_identical(as.list(logged)$core, as.list(by_matrix(first$a, log(first$y + 5)))$core)
})

test_that("formulas that make no sense are refused", {
  refused <- function(formula, kind, message) expect_error(by_formula(formula), message, class = paste0("gpstream_error_", kind))
  refused(y ~ a + offset(b), "parameter", "offset")
  refused(y ~ 1, "parameter", "at least one input")
  refused(~a, "parameter", "form y ~ x")
  refused("y ~ a", "parameter", "form y ~ x")
  refused(cbind(g, a) ~ b, "type", "output `g` of the response `cbind\\(g, a\\)` must be numeric")
  refused(g ~ a, "type", "the response `g` must be one numeric column")
  refused(y ~ nosuch(a), "input", "nosuch")
  expect_error(streaming_gp(optimize = "none", data = first), "`formula`", class = "gpstream_error_parameter")
  expect_error(by_formula(y ~ a, 1:3), "`data` must be a data frame", class = "gpstream_error_type")
})

test_that("data may come with the first update, and as a matrix with column names", {
  gp <- by_formula(y ~ a + b, NULL)
  expect_equal(gp$nobs, 0)
  gp$update(first)
  expect_identical(as.list(gp), as.list(by_formula(y ~ a + b)))
  expect_identical(as.list(by_formula(y ~ a + b, NULL)$update(data = first))$core, as.list(gp)$core)
  expect_identical(as.list(by_formula(y ~ a + b, as.matrix(first[c("y", "b", "a")])))$core, as.list(gp)$core)
  skip_if_not_installed("tibble")
  expect_identical(as.list(by_formula(y ~ a + b, tibble::as_tibble(first)))$core, as.list(gp)$core)
})

test_that("before the first batch the prediction is the prior, read by the formula", {
  gp <- by_formula(y ~ a + g, NULL)
  p <- predict(gp, later[1:4, c("a", "g")], cov = TRUE)
  expect_identical(unname(p$fit), numeric(4))
  x <- cbind(later$a, outer(as.character(later$g), c("u", "v", "w"), "=="))[1:4, ]
  expect_equal(unname(p$cov), kernel_matrix(kernel_se(1, 1), x), tolerance = 1e-12)
})

test_that("row names of newdata are kept, automatic ones are not", {
  gp <- by_formula(y ~ a)
  named <- data.frame(a = 1:3, row.names = c("one", "two", "three"))
  expect_identical(names(predict(gp, named)), c("one", "two", "three"))
  expect_null(names(predict(gp, data.frame(a = 1:3))))
})

test_that("a missing value of a variable that is not in the formula does not matter", {
  expect_silent(gp <- by_formula(y ~ a, transform(first, b = NA)))
  expect_identical(as.list(gp)$core, as.list(by_formula(y ~ a))$core)
})

test_that("a level that the first batch does not show is no constant column; a number that stays the same is one", {
  data <- data.frame(y = sin(1:9), a = 1:9, g = factor("u", c("u", "v")))
  make <- function(data) streaming_gp(optimize = "none", y ~ a + g, data, kernel = kernel_se(1, 1), noise = 0.1)
  expect_warning(make(data), NA)
  expect_warning(make(transform(data, a = 1)), "column `a` of the first batch", class = "gpstream_warning_constant_column")
})

test_that("a variable is as wide as in the first batch", {
  data <- data.frame(a = toy(40)$x[, 1], b = (1:40) / 40, y = toy(40)$y)
  wide <- data
  wide$a <- I(cbind(data$a, data$b))
  narrow <- streaming_gp(y ~ a + b, data, kernel = kernel_se(1, 1), noise = 0.01, optimize = "none")
  message <- "`a` in `%s` must have %s, as in the first batch, not %d\\."
  expect_refused(narrow, narrow$update(wide), "dimension", sprintf(message, "data", "1 column", 2L))
  expect_refused(narrow, predict(narrow, wide), "dimension", sprintf(message, "newdata", "1 column", 2L))
  two <- streaming_gp(y ~ a + b, wide, kernel = kernel_se(1, 1), noise = 0.01, optimize = "none")
  expect_refused(two, two$update(data), "dimension", sprintf(message, "data", "2 columns", 1L))
  expect_refused(two, two$score(data), "dimension", sprintf(message, "data", "2 columns", 1L))
})
