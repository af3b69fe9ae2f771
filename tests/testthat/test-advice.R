# What to write instead: unknown arguments, words where an object belongs, formulas and data in the wrong place.

test_that("arguments that are none say what was meant, or where they belong", {
  gp <- toy_gp()
  new <- toy_gp(0)
  frame <- data.frame(x = c(1, 3, 5), y = c(1, 2, 4))
  before <- as.list(gp)
  text <- conditions_of(
    streaming_gp(rho = 0.9), streaming_gp(max_points = 50), streaming_gp(lengthscale = 2), streaming_gp(na.action = "omit"), streaming_gp(lookbak = 5),
    streaming_gp(alpha = 1), streaming_gp(period = 7), streaming_gp(nugget = 1), streaming_gp(inducing = 1:3), streaming_gp(wieghts = "w"), streaming_gp(df = 4),
    streaming_gp(zzz = 1), streaming_gp(y ~ x, frame, subset = nowhere > 3), streaming_gp(batch_size = 5), streaming_gp(rho = 0.9, max_points = 50),
    predict(gp, 1, rho = 0.5), predict(gp, 1, weights = 1), predict(gp, 1, derivative = 1), predict(gp, 1, intervall = "confidence"),
    predict(gp, 1, data = 2), gp$predict(1, noise = 2),
    gp$update(1, 2, wieghts = 1), gp$update(1, 2, noise = 1), update(gp, 1, 2, rho = 0.5), update(gp, 1, 2, lookback = 3), new$update(1, 2, kernel = kernel_se(1)),
    consume(gp, toy(5), batchsize = 2), consume(gp, toy(5), rho = 0.5), consume(gp, toy(5), weights = "w"), consume(gp, toy(5), lengthscale = 1),
    components(gp, 1, center = TRUE)
  )
  expect_snapshot(writeLines(text))
  expect_identical(as.list(gp), before)
})

test_that("a word or a function where an object belongs says what to write", {
  text <- conditions_of(
    streaming_gp(kernel = "se"), streaming_gp(kernel = "RBF"), streaming_gp(kernel = "Matern 5/2"), streaming_gp(kernel = "kernel_rq()"), streaming_gp(kernel = "mattern32"),
    streaming_gp(kernel = kernel_periodic), streaming_gp(kernel = mean), streaming_gp(kernel = "nothing like it"), streaming_gp(select = "oips"),
    streaming_gp(select = select_variance), streaming_gp(likelihood = "poisson"), streaming_gp(likelihood = "Student")
  )
  expect_snapshot(writeLines(text))
})

test_that("formulas of mixed models and data in a pipe say what to write", {
  data <- data.frame(y = sin(1:20), x = 1:20, g = rep(c("u", "v"), 10))
  text <- conditions_of(
    streaming_gp(y ~ x + (1 | g), data), streaming_gp(y ~ x + (x || g), data), streaming_gp(y ~ x | g, data), streaming_gp(data, y ~ x), streaming_gp(data), streaming_gp(data$x, data$y), streaming_gp(y ~ s(x), data), streaming_gp(x = data$x, y = data$y),
    streaming_gp(y ~ x, data, weights = nowhere), streaming_gp(y ~ x, data, weights = 1 / nowhere), plot(toy_gp(), "ses"), save_gp(toy_gp()), load_gp()
  )
  expect_snapshot(writeLines(text))
  # within a function it is R's own
  expect_silent(streaming_gp(y ~ I((x > 3) | (x < 1)), data, kernel = kernel_se(1, 1), noise = 1, optimize = "none"))
  piped <- streaming_gp(data, formula = y ~ x, kernel = kernel_se(1, 1), noise = 1, optimize = "none") # data |> streaming_gp(formula = y ~ x)
  expect_equal(piped$nobs, 20)
})

test_that("the nearest word is near", {
  expect_identical(gpstream:::nearest_word("lenghtscale", c("variance", "lengthscale")), "lengthscale")
  expect_null(gpstream:::nearest_word("zzz", c("variance", "lengthscale")))
  expect_null(gpstream:::nearest_word("k", "y"))
})
