# Rows B1 to B18, B24 to B27 and B29 of the project's table of bad input: each is either right or a classed error that names the
# argument, and the object is as it was. Then every message a user can meet, and a sweep of odd values over every argument.

two <- toy(3, 2)

test_that("B1: a missing or infinite value is an error that says where it stands", {
  for (gp in list(toy_gp(0, 2), toy_gp(20, 2))) {
    for (bad in c(NA, NaN, Inf, -Inf)) {
      x <- two$x
      x[3, 2] <- bad
      expect_refused(gp, gp$update(x, two$y), "nonfinite", paste0("`x` has ", bad, " in row 3, column 2"))
      y <- replace(two$y, 2, bad)
      expect_refused(gp, gp$update(two$x, y), "nonfinite", paste0("`y` has ", bad, " in row 2\\."))
    }
  }
  named <- data.frame(a = c(1, NA), b = 1:2)
  expect_error(toy_gp(0, 2)$update(named, 1:2), "`x` has NA in row 2|column `a`", class = "gpstream_error_nonfinite")
})

test_that("B1: na_action = \"omit\" drops such rows, counts them, and learns what the others say", {
  x <- toy(20, 2)$x
  y <- toy(20)$y
  x[4, 1] <- NA
  x[5, 2] <- -Inf
  y[9] <- NaN
  gp <- toy_gp(0, na_action = "omit")
  expect_message(gp$update(x, y), "Dropped 3 of 20 rows", class = "gpstream_message")
  clean <- toy_gp(0)
  clean$update(x[-c(4, 5, 9), ], y[-c(4, 5, 9)])
  expect_identical(as.list(gp)$core, as.list(clean)$core)
  # large values are not missing values, even where their sum overflows
  big <- matrix(1e308, 2, 2)
  both <- suppressWarnings(suppressMessages(toy_gp(0, na_action = "omit")$update(rbind(big, NA), 1:3)))
  expect_equal(both$nobs, 2)
})

test_that("B2: a column or batch of missing values only is an error, or an empty update", {
  all_missing <- matrix(NA_real_, 3, 2)
  one_column <- cbind(1:3, NA)
  for (n in c(0, 20)) {
    gp <- toy_gp(n, 2)
    expect_refused(gp, gp$update(all_missing, 1:3), "nonfinite", "`x` has NA in row 1, column 1")
    expect_refused(gp, gp$update(one_column, 1:3), "nonfinite", "`x` has NA in row 1, column 2")
    omit <- toy_gp(n, 2, na_action = "omit")
    before <- as.list(omit)
    if (n == 0) { # nothing to begin with is a mistake
      expect_refused(omit, suppressMessages(omit$update(all_missing, 1:3)), "input", "no row of the first batch.*column 1, column 2")
      expect_refused(omit, suppressMessages(omit$update(data.frame(a = 1:3, b = NA), 1:3)), "input", "no row of the first batch.*`b`")
      expect_message(omit$update(cbind(1, NA), 1), "Dropped 1 of 1 rows") # one row may be missing
    } else {
      expect_message(omit$update(all_missing, 1:3), "Dropped 3 of 3 rows")
      expect_message(omit$update(one_column, 1:3), "Dropped 3 of 3 rows")
    }
    expect_identical(as.list(omit), before)
  }
  frame <- data.frame(y = NA_real_, x = 1:3)
  expect_error(suppressMessages(streaming_gp(y ~ x, frame, na_action = "omit")), "no row of the first batch", class = "gpstream_error_input")
})

test_that("B3: an empty batch of any kind is no update at all", {
  empty <- list(numeric(), logical(), matrix(0, 0, 2), matrix(0, 0, 0), data.frame(), data.frame(a = numeric(), b = numeric()))
  for (n in c(0, 20)) {
    gp <- toy_gp(n, 2)
    before <- as.list(gp)
    for (x in empty) expect_identical(as.list(gp$update(x, numeric())), before)
  }
  formula <- streaming_gp(dist ~ speed, data = cars)
  before <- as.list(formula)
  expect_identical(as.list(formula$update(cars[0, ])), before)
  expect_identical(predict(gp, matrix(0, 0, 2)), numeric())
  expect_identical(dim(predict(gp, matrix(0, 0, 2), interval = "prediction")), c(0L, 3L))
})

test_that("B4: the first batch may be a single point", {
  gp <- toy_gp(0)
  expect_silent(gp$update(2, 3))
  expect_equal(c(gp$nobs, gp$size), c(1, 1))
  guessing <- streaming_gp(optimize = "none")
  expect_message(guessing$update(2, 3), "one row.*`kernel`, `noise`", class = "gpstream_message")
  learning <- streaming_gp()
  expect_silent(learning$update(2, 3))
  for (gp in list(guessing, learning)) expect_true(all(is.finite(unlist(predict(gp, c(2, 100), se.fit = TRUE)))))
})

test_that("B5: one column as a vector, a matrix and a data frame is the same", {
  t <- toy(30)
  models <- lapply(list(t$x[, 1], t$x, data.frame(t = t$x[, 1])), function(x) as.list(toy_gp(0)$update(x, t$y))$core)
  expect_identical(models[[2]], models[[1]])
  expect_identical(models[[3]], models[[1]])
})

test_that("B6: a vector is not one row of several columns, and the error says how to make it one", {
  gp <- toy_gp(20, 3)
  expect_refused(gp, gp$update(c(1, 2, 3), 1:3), "dimension", "matrix\\(x, nrow = 1\\)")
  expect_refused(gp, predict(gp, c(1, 2, 3)), "dimension", "matrix\\(newdata, nrow = 1\\)")
  expect_silent(gp$update(matrix(c(1, 2, 3), nrow = 1), 1))
})

test_that("B7: wrong number of columns", {
  gp <- toy_gp(20, 2)
  wide <- matrix(1, 3, 5)
  expect_refused(gp, gp$update(wide, 1:3), "dimension", "`x` has 5 columns, but the model was built with 2")
  expect_refused(gp, predict(gp, wide), "dimension", "`newdata` has 5 columns, but the model was built with 2")
  expect_refused(gp, simulate(gp, newdata = wide), "dimension", "`newdata` has 5 columns, but the model was built with 2")
  expect_refused(gp, gp$points <- wide, "dimension", "`points` has 5 columns, but the model was built with 2")
  expect_refused(gp, gp$update(matrix(0, 3, 0), 1:3), "dimension", "`x` has no columns")
  sel <- oips(kernel_se(1))$update(two$x)
  expect_error(sel$update(wide), "5 columns.*built with 2", class = "gpstream_error_dimension")
  expect_error(sel$predict(wide), "5 columns.*built with 2", class = "gpstream_error_dimension")
  expect_error(kernel_matrix(kernel_se(1), wide, two$x), "`z` has 2 columns, but `x` has 5", class = "gpstream_error_dimension")
  expect_error(kernel_matrix(kernel_se(1:3), wide), "3 lengthscales, but `x` has 5", class = "gpstream_error_dimension")
  expect_error(toy_gp(0, select = select_fixed(two$x))$update(wide, 1:3), "2 columns, but `x` has 5", class = "gpstream_error_dimension")
})

test_that("B8: y must be one value a row", {
  gp <- toy_gp(20, 2)
  refused <- function(y, kind, message) expect_refused(gp, gp$update(two$x, y), kind, message)
  refused(1:2, "dimension", "`y` has 2 values for 3 rows of `x`")
  refused(1:4, "dimension", "`y` has 4 values for 3 rows")
  refused(1, "dimension", "`y` has 1 value for 3 rows")
  refused(cbind(1:3, 1:3), "dimension", "`y` must be one column, not 2")
  refused(data.frame(1:3, 1:3), "type", "`y` must be numeric")
  refused(list(1, 2, 3), "type", "`y` must be numeric, not a list")
  refused(NULL, "input", "`y` is missing")
  same <- lapply(list(1:3, matrix(1:3, 3), data.frame(y = 1:3)), function(y) as.list(gp$copy()$update(two$x, y))$core)
  expect_identical(same[[2]], same[[1]])
  expect_identical(same[[3]], same[[1]])
})

test_that("B9: what is not numeric is refused by name, what is like a number is converted", {
  gp <- toy_gp(20, 2)
  dates <- as.Date("2024-01-01") + 0:2
  columns <- list(
    factor = factor(c("u", "v", "u")), character = letters[1:3], Date = dates, POSIXct = as.POSIXct(dates), difftime = diff(dates[c(1:3, 3)]),
    complex = 1i * 1:3, raw = as.raw(1:3), list = I(list(1, 2, 3)), matrix = I(matrix(1, 3, 2))
  )
  for (type in names(columns)) {
    x <- data.frame(a = 1:3)
    x$odd <- columns[[type]]
    expect_refused(gp, gp$update(x, 1:3), "type", "column `odd` of `x` must be numeric")
    expect_refused(gp, predict(gp, x), "type", "column `odd` of `newdata` must be numeric")
    if (type != "matrix") expect_refused(gp, gp$update(two$x, columns[[type]]), "type", "`y` must be numeric")
  }
  for (x in c(columns[1:7], list(sum, NULL, list(1), new.env(), quote(a), array(1, c(3, 1, 2))))) {
    expect_refused(gp, gp$update(x, 1:3), "type", "`x` must")
  }
  numbers <- lapply(c("double", "integer", "logical"), function(type) {
    x <- matrix(c(0, 1, 1, 0, 0, 1), 3)
    storage.mode(x) <- type
    as.list(toy_gp(0)$update(x, c(TRUE, FALSE, TRUE)))$core
  })
  expect_identical(numbers[[2]], numbers[[1]])
  expect_identical(numbers[[3]], numbers[[1]])
  skip_if_not_installed("Matrix")
  expect_error(gp$update(Matrix::Matrix(two$x, sparse = TRUE), 1:3), "as.matrix\\(x\\)", class = "gpstream_error_type")
})

test_that("B10: columns are matched by name, and a missing one is an error", {
  t <- toy(20, 2)
  named <- data.frame(a = t$x[, 1], b = t$x[, 2])
  gp <- toy_gp(0)$update(named, t$y)
  shuffled <- cbind(other = letters[1:20], named[c("b", "a")])
  expect_identical(predict(gp, shuffled[c("b", "a")]), predict(gp, named))
  expect_identical(as.list(gp$copy()$update(named[2:1], t$y)), as.list(gp$copy()$update(named, t$y)))
  expect_identical(predict(gp, as.matrix(named)[, 2:1]), predict(gp, named))
  expect_identical(predict(gp, shuffled), predict(gp, named))
  expect_refused(gp, gp$update(data.frame(a = 1, c = 2), 1), "dimension", "`x` has no column `b`")
  expect_refused(gp, predict(gp, data.frame(a = 1, c = 2)), "dimension", "`newdata` has no column `b`")
})

test_that("B11: names on one side only: a message, and columns by position", {
  t <- toy(20, 2)
  named <- t$x
  colnames(named) <- c("a", "b")
  gp <- toy_gp(0)$update(named, t$y)
  expect_message(plain <- predict(gp, t$x), "matched by position: only the model has", class = "gpstream_message")
  expect_identical(plain, predict(gp, named))
  gp <- toy_gp(0)$update(t$x, t$y)
  expect_message(gp$update(named, t$y), "only `x` has column names", class = "gpstream_message")
  expect_silent(toy_gp(5)$update(data.frame(t = 1), 1)) # one column cannot be mistaken
})

test_that("B12: a constant column is a warning and a finite model", {
  gp <- streaming_gp()
  expect_warning(gp$update(cbind(a = 1:4, b = 7), 1:4), "`b`", class = "gpstream_warning_constant_column")
  expect_true(all(is.finite(unlist(predict(gp, cbind(a = 1:4, b = 7:8), se.fit = TRUE)))))
  expect_silent(gp$update(cbind(a = 1:4, b = 7), 1:4)) # only the first batch is judged
  expect_warning(streaming_gp(kernel = kernel_se("ard"))$update(cbind(1:4, 7), 1:4), "column 2")
})

test_that("B13: the same row 1e5 times is one point, known to its noise / n", {
  gp <- toy_gp(0)
  expect_warning(gp$update(rep(2, 1e5), rep(3, 1e5)), class = "gpstream_warning_constant_column")
  expect_equal(gp$size, 1)
  known <- predict(gp, 2, se.fit = TRUE)
  expect_equal(known$se.fit^2, 0.01 / (0.01 + 1e5), tolerance = 1e-10) # v s2 / (s2 + n v)
  expect_equal(known$fit, 3e5 / (0.01 + 1e5), tolerance = 1e-10)
})

test_that("B14: rows 1e-12 apart do no harm", {
  t <- toy(200)
  x <- round(t$x) + 1e-12 * seq_len(200)
  for (rho in c(0.8, 0.999)) {
    gp <- toy_gp(0, select = select_oips(rho))$update(x, t$y)
    p <- predict(gp, c(x, x + 0.5), se.fit = TRUE)
    expect_lte(gp$size, 11)
    expect_true(all(is.finite(p$fit)) && all(p$se.fit >= 0) && all(p$se.fit <= 1 + 1e-12))
  }
  fixed <- toy_gp(0, select = select_fixed(x))$update(x, t$y) # the points themselves nearly equal
  expect_lte(fixed$size, 11)
  expect_true(all(is.finite(unlist(predict(fixed, x, se.fit = TRUE)))))
})

# Right, or refused as too large: never NaN.
finite_or_refused <- function(code) {
  tryCatch(all(is.finite(unlist(suppressWarnings(code)))), gpstream_error_input = function(e) TRUE, gpstream_error_parameter = function(e) TRUE)
}

test_that("B15, B16: huge, tiny and denormal numbers never give NaN", {
  t <- toy(20)
  learn <- function(x, y, ...) {
    gp <- streaming_gp(...)$update(x, y)
    list(predict(gp, rbind(x, 0, 1e308, -1e308), se.fit = TRUE, cov = TRUE), gp$posterior)
  }
  kernels <- list(kernel_se(), kernel_se("ard"), kernel_matern52(1, 1), kernel_rq(1), kernel_se(1) + kernel_matern12(1))
  for (scale in c(5e-324, 1e-310, 1e-150, 1e150, 1e200, 1e307)) {
    for (kernel in kernels) expect_true(finite_or_refused(learn(t$x * scale, t$y, kernel = kernel)))
    expect_true(finite_or_refused(learn(t$x, t$y * scale)))
    expect_true(finite_or_refused(learn(t$x, t$y, noise = scale)))
    expect_true(finite_or_refused(learn(t$x, t$y, mean = scale)))
    expect_true(finite_or_refused(learn(t$x, t$y, kernel = kernel_se(scale, 1))))
    expect_true(finite_or_refused(learn(t$x, t$y, kernel = kernel_se(1, scale))))
    expect_true(finite_or_refused(learn(t$x, t$y, kernel = kernel_rq(1, 1, alpha = scale))))
  }
  expect_identical(predict(toy_gp(), -0.0), predict(toy_gp(), 0))
  expect_equal(oips(kernel_se(1))$update(c(0, -0.0))$size, 1)
  gp <- toy_gp()
  expect_refused(gp, gp$update(1, 1e308), "input", "`y` has values as large as 1e\\+308")
})

test_that("B17: hyperparameters must be positive, finite, numeric and of the right length", {
  gp <- toy_gp()
  new <- toy_gp(0)
  bad <- list(-1, 0, NA, NA_real_, NaN, Inf, -Inf, "1", TRUE, numeric(), c(1, -1), list(1), factor(1), 1i, as.Date("2024-01-01"))
  set <- list(
    variance = function(v) kernel_se(1, variance = v), lengthscale = function(v) kernel_matern32(lengthscale = v),
    alpha = function(v) kernel_rq(1, 1, alpha = v), noise = function(v) streaming_gp(noise = v),
    noise = function(v) gp$noise <- v, noise = function(v) new$noise <- v
  )
  for (i in seq_along(set)) {
    for (value in bad) expect_refused(gp, set[[i]](value), "parameter", paste0("`", names(set)[i], "` must"))
  }
  scalars <- setdiff(seq_along(set), 2)
  for (i in scalars) expect_error(set[[i]](1:2), "must", class = "gpstream_error_parameter")
  for (value in list(-1, 0.5, NA, NaN, "a", 1:2, NULL, TRUE)) {
    expect_error(streaming_gp(lookback = value), "`lookback` must", class = "gpstream_error_parameter")
    if (!identical(value, TRUE)) expect_error(select_oips(max_points = value), "`max_points` must", class = "gpstream_error_parameter")
  }
  for (value in list(NA, Inf, "a", 1:2, NULL, "Zero", 1e308)) {
    expect_error(streaming_gp(mean = value), "`mean` must", class = "gpstream_error_parameter")
    expect_refused(gp, gp$mean <- value, "parameter", "`mean` must")
  }
})

test_that("B18: rho lies between 0 and 1", {
  expect_null(select_oips(NULL)$rho)
  for (rho in list(0, 1, -0.5, 1.2, NA, NaN, Inf, c(0.5, 0.6), "0.5", NULL, TRUE, list(0.5))) {
    if (!is.null(rho)) expect_error(select_oips(rho), "`rho` must be a single number between 0 and 1", class = "gpstream_error_parameter")
    expect_error(oips(kernel_se(1), rho), "`rho` must be", class = "gpstream_error_parameter")
    expect_error(kernel_radius(kernel_se(1), rho), "`rho` must be", class = "gpstream_error_parameter")
    expect_error(predict(toy_gp(), 1, interval = "prediction", level = rho), "`level` must be", class = "gpstream_error_parameter")
  }
})

test_that("B24: with nothing learned the prediction is the prior", {
  kernel <- kernel_matern32(2, 3)
  gp <- streaming_gp(kernel = kernel, noise = 0.5, mean = 7)
  x <- c(1, 2, 50)
  p <- predict(gp, x, se.fit = TRUE, cov = TRUE)
  expect_identical(p$fit, c(7, 7, 7))
  expect_equal(p$se.fit, rep(sqrt(3), 3), tolerance = 1e-12)
  expect_equal(p$cov, kernel_matrix(kernel, x), tolerance = 1e-12)
  expect_identical(oips(kernel)$predict(x), c(0, 0, 0))
  before <- as.list(gp)
  predict(gp, matrix(1, 2, 5)) # a look at the prior does not fix the number of columns
  expect_identical(as.list(gp), before)
})

test_that("B25: forked children predict and continue identically", {
  skip_on_os("windows")
  skip_if_not_installed("parallel")
  gp <- toy_gp(30, 2)
  expected <- as.list(continue_stream(gp$copy(), 2))
  forked <- parallel::mclapply(1:2, function(i) as.list(continue_stream(gp, 2)), mc.cores = 2)
  expect_identical(forked, list(expected, expected))
  expect_equal(gp$nobs, 30) # the children's updates stayed theirs
})

test_that("B26: two models in one session do not know of each other, and the random generator is not touched", {
  set.seed(1)
  seed <- .Random.seed
  alone <- list(continue_stream(toy_gp(30)), continue_stream(toy_gp(30, 2, lookback = 3), 2))
  a <- toy_gp(0)
  b <- toy_gp(0, lookback = 3)
  a$update(toy(30)$x, toy(30)$y)
  b$update(toy(30, 2)$x, toy(30, 2)$y)
  for (n in c(1, 40, 1)) {
    next_a <- toy(n, 1, from = a$nobs + 1)
    next_b <- toy(n, 2, from = b$nobs + 1)
    shift <- if (n > 1) 3 else 0
    b$update(next_b$x + shift, next_b$y)
    a$update(next_a$x + shift, next_a$y)
  }
  expect_identical(as.list(a), as.list(alone[[1]]))
  expect_identical(as.list(b), as.list(alone[[2]]))
  predict(a, 1:3, interval = "prediction")
  oips(kernel_se())$update(toy(30)$x)
  capture.output(print(summary(a)))
  expect_identical(.Random.seed, seed)
})

test_that("B27: options and locale change neither numbers nor bytes", {
  run <- function() {
    gp <- suppressMessages(streaming_gp())$update(toy(30, 2)$x, toy(30, 2)$y)
    list(serialize(as.list(gp), NULL), predict(gp, toy(5, 2)$x, interval = "prediction"), kernel_matrix(kernel_rq(0.3), c(0.1, 0.25)))
  }
  expected <- run()
  old <- options(warn = 2, OutDec = ",", digits = 3, scipen = -5, stringsAsFactors = FALSE)
  on.exit(options(old))
  expect_identical(run(), expected)
  expect_error(streaming_gp(noise = -0.5), "`noise`", class = "gpstream_error_parameter")
  collate <- Sys.getlocale("LC_COLLATE")
  on.exit(Sys.setlocale("LC_COLLATE", collate), add = TRUE)
  for (locale in c("C", "C.UTF-8", "de_DE.UTF-8")) {
    if (nzchar(suppressWarnings(Sys.setlocale("LC_COLLATE", locale)))) expect_identical(run(), expected)
  }
})

test_that("B27: with options(warn = 2) a warning leaves the object as it was", {
  old <- options(warn = 2)
  on.exit(options(old))
  gp <- toy_gp(0, select = select_oips(max_points = 3, when_full = "stop"))
  before <- as.list(gp)
  expect_error(gp$update(toy(30)$x, toy(30)$y), "max_points")
  expect_error(gp$update(cbind(1:3, 1), 1:3), "one value only")
  expect_identical(as.list(gp), before)
})

test_that("B29: an object edited by hand is refused, and R survives", {
  t <- toy(3)
  uses <- list(
    function(gp) gp$update(t$x, t$y), function(gp) predict(gp, t$x), function(gp) print(gp), function(gp) summary(gp), function(gp) coef(gp),
    function(gp) nobs(gp), function(gp) gp$points, function(gp) gp$posterior, function(gp) gp$objective, function(gp) gp$history,
    function(gp) gp$copy(), function(gp) as.list(gp), function(gp) simulate(gp, newdata = t$x), function(gp) gp$noise <- 1
  )
  edit <- function(...) replace(toy_gp(10)$state, names(list(...)), list(...))
  foreign <- oips(kernel_se(1))$update(t$x)$state$handle
  states <- list(
    list(1), list(handle = raw()), edit(handle = raw()), edit(handle = 1), edit(handle = foreign), edit(handle = sum), edit(handle = NULL), edit(frame = NULL),
    edit(frame = list()), edit(frame = list(D = "a")), edit(frame = list(D = 1, names = c("a", "b")))
  )
  for (state in states) {
    gp <- toy_gp(10)
    gp$state <- state
    for (use in uses) expect_error(use(gp), class = "gpstream_error_input")
  }
  for (field in names(toy_gp(0)$spec)) {
    gp <- toy_gp(0)
    gp$spec[[field]] <- new.env()
    for (use in uses[c(1:6, 13)]) expect_error(use(gp), class = "gpstream_error")
  }
  expect_error(gp$state <- 1)
  sel <- oips(kernel_se(1))$update(t$x)
  sel$state$handle <- toy_gp(10)$state$handle
  expect_error(sel$update(1), class = "gpstream_error_input")
  expect_error(sel$predict(1), class = "gpstream_error_input")
  kernel <- kernel_se(1)
  edits <- list(list(name = "no such"), list(lengthscale = -1), list(variance = "a"), list(name = NULL), list(parts = 1), list(extra = 1))
  for (edit in edits) expect_error(kernel_matrix(utils::modifyList(kernel, edit), 1:3), "`", class = "gpstream_error_parameter")
})

test_that("every message, read as the user who made the mistake", {
  gp <- toy_gp(20)
  new <- toy_gp(0)
  wide <- toy_gp(20, 3)
  named <- toy_gp(0)$update(data.frame(depth = c(1, 4, 9), width = c(2, 6, 1)), 1:3)
  frame <- data.frame(y = c(1, 3, 2, 5), a = c(1, 2, 4, 8), g = factor(c("u", "v", "u", "v")))
  model <- streaming_gp(y ~ a + g, data = frame)
  sel <- oips(kernel_se(1))$update(1:3)
  warm <- streaming_gp()$update(1:9, sin(1:9))
  edited <- toy_gp(20)
  edited$state <- list(1)
  state <- as.list(gp)
  catalogue <- function(title, lines) c(paste("==", title, "=="), "", lines)
  all_text <- c(
    catalogue("kernels", conditions_of(
      kernel_se(lengthscale = -1), kernel_se(lengthscale = "long"), kernel_se(variance = 0), kernel_se(variance = c(1, 2)), kernel_rq(alpha = NULL),
      kernel_se(variance = 1e300), 2 * kernel_se(), kernel_se() + "noise", kernel_matrix("se", 1:3), kernel_matrix(kernel_se(), 1:3),
      kernel_matrix(kernel_se("ard"), 1:3), kernel_matrix(kernel_se(1:2), 1:3), kernel_matrix(kernel_se(1), 1:3, cbind(1, 2)),
      kernel_matrix(kernel_se(1), c(1, NA)), kernel_radius(kernel_se(1), 1.2), kernel_matrix(structure(list(name = "sq"), class = "gpstream_kernel"), 1)
    )),
    catalogue("selectors", conditions_of(
      select_oips(rho = 1), select_oips(max_points = 0.5), select_fixed(), select_fixed(letters), select_fixed(numeric()), select_fixed(c(1, Inf)),
      select_points("oips", 1:3, kernel_se(1)), select_points(select_fixed(1), cbind(1, 2), kernel_se(1)), oips(), oips("se"), sel$update(cbind(1, 2)),
      sel$update(NA), sel$rho <- 0.5
    )),
    catalogue("making a model", conditions_of(
      streaming_gp(noise = -1), streaming_gp(noise = 1e-300), streaming_gp(kernel = "se"), streaming_gp(select = 10), streaming_gp(lookback = -1),
      streaming_gp(likelihood = "poisson"), streaming_gp(mean = "quadratic"), streaming_gp(mean = NA), streaming_gp(optimize = "adam"), streaming_gp(warmup = 1),
      streaming_gp(na_action = "impute"), streaming_gp(lenghtscale = 1), streaming_gp(data = cars), streaming_gp("y ~ x"), streaming_gp(~x)
    )),
    catalogue("updating", conditions_of(
      gp$update(), gp$update(1:3), gp$update(1:3, 1:2), gp$update(1:3, cbind(1:3, 1:3)), gp$update(1:3, letters[1:3]), gp$update(letters[1:3], 1:3),
      gp$update(as.Date("2024-01-01"), 1), gp$update(data.frame(day = as.Date("2024-01-01")), 1), gp$update(array(1, c(1, 1, 1)), 1),
      gp$update(matrix(0, 2, 0), 1:2), gp$update(c(1, NA), 1:2), gp$update(1:2, c(1, Inf)), gp$update(cbind(1, 2), 1), gp$update(1, 1e200),
      gp$update(data = cars), wide$update(c(1, 2, 3), 1:3), named$update(data.frame(depth = 1), 1), named$update(cbind(1, 2), 1),
      streaming_gp(optimize = "none")$update(1, 1), streaming_gp()$update(cbind(1:3, 7), 1:3), streaming_gp()$update(c(1, 1e300), 1:2),
      toy_gp(0, na_action = "omit")$update(c(1, NA, 3), 1:3), toy_gp(0, select = select_oips(max_points = 2, when_full = "stop"))$update(c(1, 4, 9), 1:3),
      toy_gp(0, select = select_fixed(1:3))$update(cbind(1, 2), 1), toy_gp(0, kernel = kernel_se(1:3))$update(cbind(1, 2), 1)
    )),
    catalogue("learning", conditions_of(
      streaming_gp()$optimize(), gp$optimize(what = "noise"), gp$optimize(what = "kernel", steps = 0), gp$optimize("kernel"), gp$optimize(1:3),
      toy_gp(1)$optimize(), gp$bound(1:3), gp$bound(cbind(1, 2), 1), warm$points <- 1:3
    )),
    catalogue("predicting and drawing", conditions_of(
      predict(gp), predict(gp, "a"), predict(gp, Inf), predict(gp, cbind(1, 2)), predict(gp, 1, se.fit = "yes"), predict(gp, 1, interval = "credible"),
      predict(gp, 1, level = 95), predict(gp, 1, type = "link"), predict(gp, 1, cov = NA), predict(gp, 1, noise = TRUE),
      predict(gp, 1, TRUE, "none", 0.9, "latent", FALSE, 7), predict(named, cbind(1, 2)), simulate(gp), simulate(gp, 0, newdata = 1), simulate(gp, seed = "a", newdata = 1), residuals(gp), fitted(gp), logLik(gp)
    )),
    catalogue("formulas", conditions_of(
      streaming_gp(y ~ 1, frame), streaming_gp(y ~ b, frame), streaming_gp(y ~ a + offset(a), frame), streaming_gp(g ~ a, frame),
      streaming_gp(cbind(y, g) ~ a, frame), streaming_gp(y ~ a, 1:3), streaming_gp(y ~ a, transform(frame, y = NA)),
      streaming_gp(y ~ log(a), transform(frame, a = a - 1)), streaming_gp(y ~ poly(a, 7), frame), model$update(), model$update(frame, 1:4),
      model$update(data.frame(y = 1, a = 1)), model$update(data.frame(y = 1, a = 1, g = "w")),
      model$update(data.frame(y = 1, a = "b", g = "u")), predict(model, 1:3), predict(model, data.frame(a = 1))
    )),
    catalogue("members", conditions_of(
      gp$size <- 3, gp$noise <- -1, gp$mean <- "zero", gp$kernel <- "se", gp$kernel <- kernel_se(), gp$points <- cbind(1, 2), gp$points <- numeric(),
      new$points <- 1, print(gp, digits = -1)
    )),
    catalogue("saving", conditions_of(
      print(edited), streaming_gp_restore(1), streaming_gp_restore(utils::modifyList(state, list(format = 9))),
      streaming_gp_restore(utils::modifyList(state, list(spec = list(noise = -1)))),
      streaming_gp_restore(utils::modifyList(state, list(frame = list(D = 7)))),
      streaming_gp_restore(utils::modifyList(state, list(core = list(P = NULL)))),
      streaming_gp_restore(utils::modifyList(state, list(core = list(P = "a")))),
      streaming_gp_restore(utils::modifyList(state, list(core = list(b = c(1, NaN))))),
      save_gp(1, "a.gps"), save_gp(gp, 1), save_gp(gp, "no/such/place.gps"), load_gp("no.gps"), load_gp(c("a", "b")), load_gp("no.gps", trusted = "yes")
    ))
  )
  expect_false(any(grepl("<simpleError>|<simpleWarning>", all_text)))
  expect_snapshot(writeLines(all_text))
})

# --- sweep: every exported function, every argument, odd values --------------------------------------------------------------

odd_values <- list(
  NULL, NA, NaN, Inf, -1, 0, 0.5, 1:2, 1e308, 5e-324, "a", c("a", "b"), character(), numeric(), list(), list(1), sum, matrix(0, 0, 0), matrix(0, 2, 0),
  matrix("a", 2, 2), data.frame(), data.frame(a = 1:3, b = letters[1:3]), factor("a"), as.Date("2024-01-01"), 1i, as.raw(1), TRUE, new.env(), y ~ x,
  ~x, quote(a + b), array(1, c(2, 2, 2)), methods::getClass("numeric"), kernel_se(), select_oips(), structure(1, class = "gpstream_kernel")
)

# A call of each function that works, to be spoilt in one argument at a time.
sweep_calls <- function() {
  k <- kernel_se(1, 1)
  frame <- data.frame(x = c(1, 3, 5), y = c(1, 2, 4))
  gp <- toy_gp(20)
  new <- toy_gp(0)
  sel <- oips(k)$update(1:9)
  with_formula <- streaming_gp(y ~ x, data = frame)
  assign_member <- function(gp, name, value) eval(call("<-", call("$", quote(gp), as.name(name)), quote(value)))
  members <- c("points", "lookback", "rho", "size", "nobs", "kernel", "noise", "mean", "objective", "posterior", "history")
  in_scratch <- function(f) function(...) { # odd names of files go where they do no harm
    old <- setwd(tempdir())
    on.exit(setwd(old))
    f(...)
  }
  use <- function(...) {
    gp <- streaming_gp(...)
    predict(gp, 1:2, cov = TRUE)
    capture.output(print(gp), print(summary(gp)))
    predict(gp$update(1:3, 1:3), 1:2, cov = TRUE)
  }
  learn <- function(...) {
    gp <- streaming_gp(...)
    gp$update(seq(0, 5, length.out = 12), sin(1:12))
    predict(gp$update(1:3, 1:3), 1:2, cov = TRUE)
  }
  on_nothing <- function(draw) function(...) {
    grDevices::pdf(NULL)
    on.exit(grDevices::dev.off())
    draw(...)
  }
  # a checkpoint with an odd name must not be left lying about
  consume_elsewhere <- function(...) {
    folder <- tempfile()
    dir.create(folder)
    home <- setwd(folder)
    on.exit({
      setwd(home)
      unlink(folder, recursive = TRUE)
    })
    consume(...)
  }
  # made, and used on rows
  in_use <- function(make) function(...) kernel_matrix(make(...), 1:3)
  settings <- list(
    kernel = k, noise = 1, select = select_oips(), lookback = 5, likelihood = likelihood_gaussian(), mean = 0, optimize = "none", na_action = "error", half_life = 10
  )
  calls <- list(
    kernel_se = list(kernel_se, list(lengthscale = 1, variance = 1, columns = 1)),
    kernel_matern12 = list(kernel_matern12, list(lengthscale = 1, variance = 1, columns = 1)),
    kernel_matern32 = list(kernel_matern32, list(lengthscale = 1, variance = 1, columns = 1)),
    kernel_matern52 = list(kernel_matern52, list(lengthscale = 1, variance = 1, columns = 1)),
    kernel_rq = list(kernel_rq, list(lengthscale = 1, variance = 1, alpha = 1, columns = 1)),
    kernel_periodic = list(in_use(kernel_periodic), list(period = 2, lengthscale = 1, variance = 1, columns = 1)),
    kernel_cosine = list(in_use(kernel_cosine), list(frequency = 2, variance = 1, columns = 1)),
    kernel_spectral = list(in_use(kernel_spectral), list(frequency = 2, lengthscale = 1, variance = 1, knots = 3, columns = 1)),
    kernel_constant = list(in_use(kernel_constant), list(variance = 1, columns = 1)),
    kernel_linear = list(in_use(kernel_linear), list(variance = 1, origin = 0, scale = 1, columns = 1)),
    kernel_brownian = list(in_use(kernel_brownian), list(variance = 1, origin = 0, scale = 1, columns = 1, integrated = FALSE)),
    kernel_factor = list(in_use(kernel_factor), list(correlation = 0.5, variance = 1, columns = 1)),
    kernel_gibbs = list(in_use(kernel_gibbs), list(lengthscale = 1, variance = 1, knots = 0:1, values = 1, along = 1, columns = 1)),
    kernel_warped = list(in_use(kernel_warped), list(kernel = kernel_se(1), along = 1, knots = 0:1, values = 1, columns = 1)),
    kernel_matrix = list(kernel_matrix, list(kernel = k, x = 1:3, z = 1:2)),
    kernel_radius = list(kernel_radius, list(kernel = k, rho = 0.5)),
    nystrom_error = list(nystrom_error, list(kernel = k, x = 1:3, z = 1:2, norm = "spectral")),
    bound_nystrom = list(bound_nystrom, list(n = 5:6, m = 2, rho = 0.5, variance = 1, type = "paper")),
    bound_nystrom_kdpp = list(bound_nystrom_kdpp, list(eigenvalues = c(3, 1), m = 1, type = "expected")),
    suggest_rho = list(suggest_rho, list(kernel = k, x = 1:9, points = 3, n = 20)),
    forecast_points = list(forecast_points, list(gp = toy_gp(20), n = 1:2, level = 0.9)),
    watch = list(function(...) class(gpstream::watch(..., run = FALSE)), list(gp = toy_gp(20), source = toy(20), batch_size = 5, speed = 1, alarm = NULL)),
    bound_points = list(bound_points, list(n = 1:3, kernel = k, rho = 0.5, side = 1, d = 1, type = "expected")),
    likelihood_gaussian = list(likelihood_gaussian, list()),
    oips = list(oips, list(kernel = k, rho = 0.5)),
    OIPS = list(OIPS$new, list(kernel = k, rho = 0.5)),
    StreamingGP = list(StreamingGP$new, list(formula = y ~ x, data = frame, kernel = k)),
    select_oips = list(select_oips, list(rho = 0.5, max_points = 10, when_full = "stop", support = 2)),
    select_fixed = list(select_fixed, list(Z = 1:3)),
    select_variance = list(select_variance, list(tol = 0.1, max_points = 10, when_full = "stop", optimize_points = FALSE)),
    select_noise = list(select_noise, list(tol = 0.1, max_points = 10, when_full = "stop", support = 2, optimize_points = FALSE)),
    select_knearest = list(select_knearest, list(k = 3, rho = 0.5, statistic = "mean", max_points = 10, when_full = "stop", optimize_points = FALSE)),
    select_grid = list(select_grid, list(m = 9, optimize_points = FALSE)),
    select_kmeans = list(select_kmeans, list(m = 3, optimize_points = FALSE)),
    select_random = list(select_random, list(m = 3, optimize_points = FALSE)),
    select_greedy = list(select_greedy, list(m = 3, criterion = "bound", optimize_points = FALSE)),
    select_kdpp = list(select_kdpp, list(m = 3, optimize_points = FALSE)),
    select_points = list(select_points, list(selector = select_oips(), x = 1:3, kernel = k)),
    kdpp_sample = list(kdpp_sample, list(kernel = k, x = 1:3, k = 2)),
    kdpp_log_prob = list(kdpp_log_prob, list(kernel = k, x = 1:3, index = 1:2)),
    streaming_gp = list(streaming_gp, c(list(formula = y ~ x, data = frame), settings)),
    use = list(use, settings),
    learn = list(learn, list(kernel = kernel_se(), noise = 1, select = select_oips(), lookback = 5, mean = 0, optimize = "online", warmup = 12)),
    bound = list(gp$bound, list(x = 1:3, y = 1:3)),
    optimize = list(function(...) gp$copy()$optimize(...), list(x = 1:3, y = 1:3, what = "kernel", steps = 2)),
    streaming_gp_restore = list(streaming_gp_restore, list(state = as.list(gp))),
    save_gp = list(in_scratch(save_gp), list(gp = gp, file = "model.gps")),
    load_gp = list(in_scratch(load_gp), list(file = save_gp(gp, tempfile()), trusted = FALSE)),
    half_life = list(half_life, list(half_life = 10, by = "x")),
    likelihood_student = list(likelihood_student, list(df = 4, scale = 1)),
    likelihood_laplace = list(likelihood_laplace, list()),
    likelihood_quantile = list(likelihood_quantile, list(tau = 0.9)),
    likelihood_tobit = list(likelihood_tobit, list(lower = 0, upper = 1)),
    likelihood_bernoulli = list(likelihood_bernoulli, list(link = "logit")),
    likelihood_binomial = list(likelihood_binomial, list()),
    likelihood_ordinal = list(likelihood_ordinal, list()),
    likelihood_categorical = list(likelihood_categorical, list()),
    likelihood_heteroscedastic = list(likelihood_heteroscedastic, list()),
    likelihood_poisson = list(likelihood_poisson, list()),
    likelihood_negbin = list(likelihood_negbin, list(size = 2)),
    likelihood_gamma = list(likelihood_gamma, list(shape = 2)),
    likelihood_exponential = list(likelihood_exponential, list()),
    likelihood_weibull = list(likelihood_weibull, list(shape = 2)),
    likelihood_custom = list(likelihood_custom, list(log_density = function(y, f) -f^2, start = 0, mean = exp, cdf = function(y, f) 0 * f, discrete = FALSE, unit = 1, width = 1)),
    count_update = list(function(...) streaming_gp(likelihood = likelihood_poisson())$update(...), list(x = 1:3, y = 1:3, weights = c(1, 2, 1), offset = c(0, 0, 1))),
    class_predict = list(predict, list(streaming_gp(y ~ x, data.frame(x = 1:12, y = rep(0:1, 6)), likelihood = likelihood_bernoulli()), newdata = data.frame(x = 1:3), type = "class")),
    select_knearest = list(select_knearest, list(k = 3, rho = 0.8, statistic = "mean", max_points = 10, when_full = "stop")),
    drift_alarm = list(drift_alarm, list(level = 0.01, action = "warn", after = 5)),
    shard = list(shard, list(gp = toy_gp(20))),
    merge = list(function(...) merge(toy_gp(20), ...), list(y = toy_gp(30), rebase = FALSE)),
    DriftAlarm = list(DriftAlarm$new, list(level = 0.01, action = "warn", after = 5)),
    see = list(function(scores) drift_alarm(after = 0)$see(scores), list(scores = c(0.5, NA, 1))),
    score = list(gp$score, list(x = 1:3, y = 1:3, data = NULL, weights = c(1, 2, 1), joint = TRUE)),
    formula_score = list(with_formula$score, list(x = frame, y = NULL, weights = NULL)),
    forget = list(function(keep) gp$copy()$forget(keep), list(keep = 0.5)),
    update = list(function(...) gp$copy()$update(...), list(x = 1:3, y = 1:3, data = NULL, if_plausible = 0.01, offset = NULL)),
    first_update = list(function(...) new$copy()$update(...), list(x = 1:3, y = 1:3, data = NULL)),
    formula_update = list(function(...) with_formula$copy()$update(...), list(x = frame, y = NULL)),
    sel_update = list(function(...) sel$copy()$update(...), list(x = 1:3)),
    sel_predict = list(sel$predict, list(x = 1:3)),
    components = list(components, list(gp, newdata = 1:3, cov = TRUE, centred = TRUE)),
    predict = list(predict, list(gp, newdata = 1:3, se.fit = TRUE, interval = "none", level = 0.9, type = "latent", cov = TRUE)),
    slope = list(predict, list(gp, newdata = 1:3, se.fit = TRUE, interval = "none", level = 0.9, cov = TRUE, deriv = 1)),
    formula_slope = list(predict, list(with_formula, newdata = frame, deriv = "x")),
    importance = list(importance, list(gp, newdata = 1:3, by = "column")),
    expected_improvement = list(expected_improvement, list(gp = gp, x = 1:3, best = 0, minimize = TRUE)),
    plot_effects = list(on_nothing(plot), list(toy_gp(20, 2), what = "effects", at = NULL, n = 5, level = 0.9, col = "red")),
    prior = list(predict, list(new, newdata = 1:3, cov = TRUE)),
    formula_predict = list(predict, list(with_formula, newdata = frame)),
    simulate = list(simulate, list(gp, nsim = 1, seed = 1, newdata = 1:3, type = "latent")),
    print = list(print, list(gp, digits = 3)),
    summary = list(function(digits) print(summary(gp), digits), list(digits = 3)),
    format = list(format, list(k, digits = 3)),
    evaluate = list(function(gp, ...) evaluate(if (inherits(gp, "StreamingGP")) gp$copy() else gp, ...),
      list(gp = gp, source = list(x = 1:3, y = 1:3), batch_size = 2, level = 0.9, learn = TRUE)),
    plot = list(on_nothing(plot), list(gp, what = "fit", columns = 1, at = NULL, xlim = 0:1, ylim = 0:1, n = 5, level = 0.9, col = "red", legend = TRUE)),
    plot_points = list(on_nothing(plot), list(toy_gp(20, 2), what = "points", columns = 1:2, xlim = 0:1, ylim = 0:1, n = 5)),
    plot_evaluation = list(on_nothing(plot), list(evaluate(gp, toy(9), learn = FALSE), score = "mae", xlim = 0:1, ylim = 0:1, col = "red", legend = TRUE)),
    print_evaluation = list(print, list(evaluate(gp, toy(9), learn = FALSE), digits = 3)),
    baseline_mean = list(baseline_mean, list()),
    baseline_refit = list(baseline_refit, list(fit = function(data) lm(y ~ x, data), rows = 5)),
    as_source = list(as_source, list(x = 1:3, y = 1:3)),
    next_batch = list(function(source, n) next_batch(if (identical(source, 0)) as_source(frame) else source, n), list(source = 0, n = 2)),
    consume = list(consume_elsewhere, list(
      gp = gp$copy(), source = list(x = 1:3, y = 1:3), batch_size = 2, y = NULL, on_error = "stop", checkpoint = NULL, every = 60, resume = FALSE,
      progress = FALSE, max_rows = 3, skip = 0, alarm = NULL, if_plausible = NULL
    )),
    formula_consume = list(consume, list(gp = with_formula$copy(), source = frame, batch_size = 2)),
    fit_shards = list(function(gp, ...) fit_shards(if (inherits(gp, "StreamingGP")) gp$copy() else gp, ...), list(
      gp = streaming_gp(y ~ x, kernel = k, noise = 0.1, mean = 0), sources = list(frame), cluster = NULL
    )),
    shard_message = list(shard_message, list(gp = gp, min_rows = 0)),
    as_distribution = list(as_distribution, list(gp, newdata = 1:3, type = "latent")),
    gpstream_info = list(gpstream_info, list()),
    toy_data = list(toy_data, list(name = "A", n = 10, seed = 1))
  )
  for (name in members) calls[[paste("assign", name)]] <- list(function(value) assign_member(gp$copy(), name, value), list(value = 1))
  for (name in members) calls[[paste("assign new", name)]] <- list(function(value) assign_member(new$copy(), name, value), list(value = 1))
  calls
}

test_that("odd values in every argument of every function end in success or a classed error", {
  skip_on_cran()
  calls <- sweep_calls()
  functions <- Filter(function(name) is.function(getExportedValue("gpstream", name)), getNamespaceExports("gpstream"))
  # what parsnip, dials and plumber are given, they judge
  functions <- setdiff(functions, c("gaussian_process", "fit_gaussian_process", "tune_rho", "pr_update"))
  expect_setequal(intersect(functions, names(calls)), functions) # a new function belongs into the sweep
  unclassed <- character()
  for (name in names(calls)) {
    f <- calls[[name]][[1]]
    args <- calls[[name]][[2]]
    for (arg in setdiff(names(args), "")) {
      for (i in seq_along(odd_values)) {
        spoilt <- args
        spoilt[arg] <- odd_values[i]
        tryCatch(
          suppressMessages(suppressWarnings(capture.output(do.call(f, spoilt, quote = TRUE)))),
          gpstream_error = identity,
          error = function(e) unclassed <<- c(unclassed, paste0(name, "(", arg, " = value ", i, "): ", conditionMessage(e)))
        )
      }
    }
  }
  expect_identical(unclassed, character())
})
