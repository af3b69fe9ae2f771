# The object as users see it: members, S3 methods, and what is printed.

cars_gp <- function() streaming_gp(optimize = "none", dist ~ speed, data = cars, kernel = kernel_matern52(lengthscale = 10, variance = 800), noise = 225, mean = 40)

test_that("update returns the object, invisibly, in both forms", {
  gp <- toy_gp(0)
  expect_invisible(gp$update(1, 1))
  expect_invisible(update(gp, 2, 2))
  expect_identical(gp$update(3, 3), gp)
  expect_identical(update(gp, 4, 4), gp)
  gp <- update(gp, x = 5, y = 5)
  expect_equal(gp$nobs, 5)
  expect_equal(gp$update(6, 6)$update(7, 7)$nobs, 7)
  formula_gp <- streaming_gp(optimize = "none", dist ~ speed)
  update(formula_gp, cars)
  expect_equal(nobs(update(formula_gp, data = cars)), 100)
})

test_that("StreamingGP$new() is streaming_gp(), OIPS$new() is oips()", {
  expect_identical(as.list(StreamingGP$new(optimize = "none", dist ~ speed, cars)), as.list(streaming_gp(optimize = "none", dist ~ speed, cars)))
  expect_identical(as.list(StreamingGP$new(optimize = "none", kernel = kernel_rq(2))), as.list(streaming_gp(optimize = "none", kernel = kernel_rq(2))))
  expect_identical(OIPS$new(kernel_se(1), 0.5)$update(1:9)$points, oips(kernel_se(1), 0.5)$update(1:9)$points)
  expect_s4_class(streaming_gp(optimize = "none"), "StreamingGP")
})

test_that("members before any data", {
  gp <- streaming_gp(optimize = "none")
  expect_identical(dim(gp$points), c(0L, 0L))
  expect_equal(c(gp$size, gp$nobs, gp$objective), c(0, 0, 0))
  expect_true(is.na(gp$noise) && is.na(gp$mean))
  expect_identical(gp$posterior, list(mean = numeric(), cov = matrix(numeric(), 0, 0)))
  expect_equal(nrow(gp$history), 0)
  expect_identical(gp$kernel, kernel_se())
  expect_null(formula(gp))
})

test_that("members after data", {
  gp <- toy_gp(30, 2)
  expect_identical(dim(gp$points), c(gp$size, 2L))
  expect_equal(gp$nobs, 30)
  expect_identical(dim(gp$posterior$cov), c(gp$size, gp$size))
  expect_length(gp$posterior$mean, gp$size)
  expect_equal(c(gp$noise, gp$mean), c(0.01, 0))
  expect_equal(gp$kernel, kernel_se(1, 1))
  expect_true(is.finite(gp$objective))
})

test_that("noise, mean, kernel and points can be assigned; the others cannot", {
  gp <- toy_gp(30)
  gp$noise <- 0.5
  gp$mean <- 2
  gp$kernel <- kernel_se(1, 7)
  expect_equal(coef(gp), c(variance = 7, lengthscale = 1, noise = 0.5, mean = 2))
  from_start <- streaming_gp(optimize = "none", kernel = kernel_se(1, 7), noise = 0.5, mean = 2)$update(toy(30)$x, toy(30)$y)
  expect_close(predict(gp, 1:9), predict(from_start, 1:9), 1e-10)
  gp$points <- 1:5
  expect_identical(gp$points, matrix(c(1, 2, 3, 4, 5)))
  before <- as.list(gp)
  expect_error(gp$size <- 1, "`size` is read-only", class = "gpstream_error_input")
  expect_error(gp$nobs <- 1, "`nobs`", class = "gpstream_error_input")
  expect_error(gp$objective <- 1, "`objective`", class = "gpstream_error_input")
  expect_error(gp$posterior <- 1, "`posterior`", class = "gpstream_error_input")
  expect_error(gp$history <- 1, "`history`", class = "gpstream_error_input")
  expect_identical(as.list(gp), before)
  new <- streaming_gp(optimize = "none")
  new$noise <- 0.3
  new$mean <- 1
  new$kernel <- kernel_matern12(2)
  expect_equal(coef(new), c(variance = NA, lengthscale = 2, noise = 0.3, mean = 1))
  expect_equal(new$update(1:5, 1:5)$noise, 0.3)
})

test_that("coef names every parameter", {
  expect_named(coef(toy_gp(0)), c("variance", "lengthscale", "noise", "mean"))
  ard <- toy_gp(5, 2, kernel = kernel_se(c(1, 2), 3))
  expect_equal(coef(ard), c(variance = 3, lengthscale.1 = 1, lengthscale.2 = 2, noise = 0.01, mean = 0))
  both <- toy_gp(5, kernel = kernel_se(1, 2) + kernel_rq(3, 4, alpha = 5))
  expect_equal(unname(coef(both)), c(2, 1, 4, 3, 5, 0.01, 0))
  expect_false(anyDuplicated(names(coef(toy_gp(5, kernel = kernel_se(1, 2) + kernel_se(3, 4))))) > 0)
  frame <- data.frame(y = 1:4, depth = c(1, 5, 2, 8), width = c(1, 2, 9, 4))
  expect_true(all(c("lengthscale.depth", "lengthscale.width") %in% names(coef(streaming_gp(optimize = "none", y ~ depth + width, frame, kernel = kernel_se("ard"))))))
})

test_that("what a stream cannot have is refused with the reason", {
  gp <- toy_gp()
  expect_error(residuals(gp), "data are gone", class = "gpstream_error_input")
  expect_error(fitted(gp), "data are gone", class = "gpstream_error_input")
  expect_error(logLik(gp), "objective", class = "gpstream_error_input")
})

test_that("formula and nobs are the usual generics", {
  gp <- cars_gp()
  expect_equal(deparse(formula(gp)), "dist ~ speed")
  expect_equal(nobs(gp), 50)
  expect_output(expect_identical(print(gp), gp))
})

test_that("print and summary on fixed data", {
  empty <- streaming_gp(optimize = "none")
  gp <- cars_gp()
  two <- toy_gp(1200, 2, kernel = kernel_se(c(2, 5), 1) + kernel_rq(10, 0.5), lookback = Inf)
  fixed <- toy_gp(30, select = select_fixed(0:10), lookback = 0)
  shown <- printed_by(
    empty, summary(empty), gp, summary(gp), print(gp, digits = 2), two, summary(two), fixed, summary(fixed), gp$history, coef(two)
  )
  expect_snapshot(writeLines(shown))
})

test_that("sigma() is the noise's standard deviation; update() and predict() also work on a selector", {
  expect_identical(sigma(toy_gp(5)), 0.1)
  sel <- update(oips(kernel_se(1), 0.8), 1:5)
  expect_identical(sel$seen, 5)
  expect_identical(predict(sel, 2), 1)
})

test_that("names and completion show what is for users, and all of it", {
  gp <- toy_gp()
  internals <- c("initialize", "show", "callSuper", "getClass", "spec", "state")
  expect_setequal(names(gp), c(setdiff(names(StreamingGP$fields()), internals), gpstream:::gp_verbs))
  inherited <- methods::getRefClass("envRefClass")$methods()
  own <- grep("#", setdiff(StreamingGP$methods(), c(setdiff(inherited, "copy"), "initialize", "show")), value = TRUE, invert = TRUE)
  expect_setequal(gpstream:::gp_verbs, own)
  expect_setequal(utils::.DollarNames(gp, "^look"), "lookback")
  for (name in names(gp)) expect_silent(eval(call("$", quote(gp), as.name(name))))
})

test_that("lookback and rho can be read, before and after the first batch, and not assigned", {
  gp <- streaming_gp(kernel = kernel_se(1, 1), noise = 1, optimize = "none", lookback = 7, select = select_oips(0.6))
  expect_identical(c(gp$lookback, gp$rho), c(7, 0.6))
  gp$update(1:3, 1:3)
  expect_identical(c(gp$lookback, gp$rho), c(7, 0.6))
  expect_identical(streaming_gp(select = select_grid(9))$rho, NA_real_)
  expect_error(gp$rho <- 0.5, "`rho` is read-only", class = "gpstream_error_input")
  expect_error(gp$lookback <- 5, "`lookback` is read-only", class = "gpstream_error_input")
})

test_that("gp$kernel names its columns, and is the same kernel", {
  rows <- data.frame(y = sin(1:40), x = 1:40 / 10, g = rep(c("u", "v"), 20), `a b` = cos(1:40), check.names = FALSE)
  gp <- streaming_gp(y ~ gp(x) + season(`a b`, 2) + g, rows, noise = 0.1, optimize = "none")
  shown <- capture.output(print(gp$kernel))
  expect_match(shown, "on x .* on `a b` .* on g ")
  expect_true(endsWith(grep("^kernel", capture.output(print(gp)), value = TRUE), sub("<kernel> ", "", shown)))
  before <- predict(gp, rows, se.fit = TRUE)
  gp$kernel <- gp$kernel
  expect_equal(predict(gp, rows, se.fit = TRUE), before, tolerance = 1e-6)
  expect_identical(capture.output(print(gp$kernel)), shown)
  again <- streaming_gp(y ~ x + `a b` + g, rows, kernel = gp$kernel$parts[[1]], noise = 0.1, optimize = "none")
  expect_identical(unname(again$kernel$columns), unname(gp$kernel$parts[[1]]$columns))
  file <- tempfile(fileext = ".gps")
  save_gp(gp, file)
  expect_identical(load_gp(file)$kernel, gp$kernel)
  # without names there are numbers
  plain <- streaming_gp(kernel = kernel_se(1, 1, columns = 2), noise = 0.1, optimize = "none")
  plain$update(cbind(1:3, 1:3), 1:3)
  expect_identical(plain$kernel$columns, 2)
})

test_that("a member that is none says which was meant", {
  text <- conditions_of(toy_gp()$updat(1, 2), toy_gp()$Predict(1), toy_gp()$window, toy_gp()$nowhere, oips(kernel_se(1))$pionts, oips(kernel_se(1))$nowhere)
  expect_snapshot(writeLines(text))
})
