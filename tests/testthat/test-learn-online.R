# Learning the kernel as the stream goes on, beside learning it once.

# Mean log score of each batch before it is learned, from row 201 on.
prequential <- function(gp, x, y, size = 40) {
  scores <- numeric()
  for (rows in split(seq_along(y), ceiling(seq_along(y) / size))) {
    if (gp$nobs >= 200) {
      p <- predict(gp, x[rows], se.fit = TRUE)
      scores <- c(scores, dnorm(y[rows], p$fit, sqrt(p$se.fit^2 + gp$noise), log = TRUE))
    }
    gp$update(x[rows], y[rows])
  }
  mean(scores)
}

test_that("a stream that becomes rough half-way: online follows, warm-up alone does not", {
  set.seed(2)
  x <- c(runif(400, 0, 10), runif(400, 10, 20))
  y <- ifelse(x < 10, sin(x), sin(6 * x)) + rnorm(800, sd = 0.1)
  online <- streaming_gp(kernel = kernel_se(), mean = "constant", optimize = "online")
  warm <- streaming_gp(kernel = kernel_se(), mean = "constant", optimize = "warmup")
  expect_gt(prequential(online, x, y), prequential(warm, x, y) + 0.1)
  expect_lt(online$kernel$lengthscale, 0.7 * warm$kernel$lengthscale)
})

test_that("a stream that stays as it is: online is as good as warm-up", {
  set.seed(3)
  x <- runif(800, 0, 10)
  y <- sin(2 * x) + rnorm(800, sd = 0.1)
  expect_gt(prequential(streaming_gp(optimize = "online"), x, y), prequential(streaming_gp(optimize = "warmup"), x, y) - 0.05)
})

test_that("what is given stays, and one row at a time works", {
  set.seed(4)
  x <- runif(500, 0, 10)
  y <- sin(x) + rnorm(500, sd = 0.1)
  given <- stream(streaming_gp(kernel = kernel_se(0.7), optimize = "online", noise = 0.02), x, y, 100)
  expect_identical(c(given$kernel$lengthscale, given$noise), c(0.7, 0.02))
  single <- stream(streaming_gp(optimize = "online"), x[1:350], y[1:350], 1)
  expect_equal(single$nobs, 350)
  expect_lt(sqrt(mean((predict(single, x) - sin(x))^2)), 0.06)
})
