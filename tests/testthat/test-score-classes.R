# Accuracy and Brier score, where classes are observed.

class_stream <- function(n = 300) {
  set.seed(4)
  x <- runif(n, -3, 3)
  level <- 1.5 * x + rlogis(n)
  data.frame(x = x, alarm = factor(ifelse(level > 0, "on", "off"), c("off", "on")),
    grade = cut(level, c(-Inf, -1.5, 1.5, Inf), c("low", "mid", "high"), ordered_result = TRUE))
}

test_that("two classes: accuracy is how often the more probable came, the Brier score the squared error of the probability", {
  data <- class_stream()
  gp <- streaming_gp(alarm ~ x, kernel = kernel_se(2), likelihood = likelihood_bernoulli())
  gp$update(data[1:200, ])
  new <- data[201:300, ]
  scores <- evaluate(gp, new, batch_size = 30, learn = FALSE)
  y <- as.double(new$alarm == "on")
  p <- unname(predict(gp, new))
  expect_equal(scores$overall$accuracy, mean((p > 0.5) == y))
  expect_equal(scores$overall$brier, mean((p - y)^2))
  expect_equal(scores$overall$crps, scores$overall$brier)
  expect_equal(weighted.mean(scores$batches$accuracy, scores$batches$rows), scores$overall$accuracy)
  expect_output(print(scores), "accuracy")
})

test_that("ordered classes: the Brier score is the sum over classes, missing observations do not count", {
  data <- class_stream()
  gp <- streaming_gp(grade ~ x, kernel = kernel_se(2), likelihood = likelihood_ordinal())
  gp$update(data[1:200, ])
  new <- data[201:300, ]
  new$grade[7] <- NA
  scores <- evaluate(gp, new, learn = FALSE)
  p <- predict(gp, new)
  came <- outer(as.integer(new$grade), 1:3, `==`)
  expect_equal(scores$overall$accuracy, mean(predict(gp, new, type = "class") == new$grade, na.rm = TRUE))
  expect_equal(scores$overall$brier, mean(rowSums((p - came)^2), na.rm = TRUE))
  expect_equal(scores$overall$scored, 99)
})

test_that("the history keeps them, through thinning, copies and files, and has none for numbers", {
  data <- class_stream()
  gp <- streaming_gp(alarm ~ x, kernel = kernel_se(2), likelihood = likelihood_bernoulli())
  scores <- evaluate(gp, data, batch_size = 50)
  expect_equal(gp$history$accuracy, scores$batches$accuracy)
  expect_equal(gp$history$brier, scores$batches$brier)
  expect_identical(streaming_gp_restore(as.list(gp))$history, gp$history)
  row <- generics::glance(gp)
  expect_equal(c(row$accuracy, row$brier), c(scores$overall$accuracy, scores$overall$brier))
  line <- streaming_gp(dist ~ speed, kernel = kernel_se(8), noise = 200)
  numbers <- evaluate(line, cars, batch_size = 10)
  expect_true(all(is.na(numbers$overall[c("accuracy", "brier")])))
  expect_true(all(is.na(line$history[c("accuracy", "brier")])))
})

test_that("a state from before there were classes has none noted", {
  gp <- scored_model()
  old <- as.list(gp)
  old$core$history <- old$core$history[, 1:12]
  old$core$history_now <- old$core$history_now[1:12]
  expect_identical(streaming_gp_restore(old)$history, gp$history)
})

test_that("words are the classes that the first batch had, though a batch has only one of them", {
  data <- class_stream()
  data$alarm <- as.character(data$alarm)
  gp <- streaming_gp(alarm ~ x, kernel = kernel_se(2), likelihood = likelihood_bernoulli())
  gp$update(data[1:200, ])
  on <- data[data$alarm == "on", ]
  expect_equal(evaluate(gp, on, learn = FALSE)$overall$accuracy, mean(predict(gp, on) > 0.5))
})

test_that("trials are scored with their number", {
  set.seed(5)
  x <- runif(200, 0, 5)
  size <- rpois(200, 6) + 1
  data <- data.frame(x = x, yes = rbinom(200, size, plogis(sin(x))), size = size)
  gp <- streaming_gp(cbind(yes, size - yes) ~ x, kernel = kernel_se(1), likelihood = likelihood_binomial())
  gp$update(data[1:150, ])
  scores <- evaluate(gp, data[151:200, ], learn = FALSE)$overall
  expect_equal(scores$log_score, mean(gp$score(data[151:200, ])$log_density))
  expect_true(is.na(scores$accuracy))
})

test_that("classes have no coverage: not in evaluate(), the history or its pictures; the share of right ones is shown", {
  set.seed(1)
  d <- data.frame(a = runif(160, 0, 10))
  d$two <- factor(ifelse(sin(d$a) > runif(160, -1, 1), "yes", "no"))
  d$grade <- factor(cut(sin(d$a) + rnorm(160, sd = 0.3), c(-Inf, -0.5, 0.5, Inf), c("low", "mid", "high")), ordered = TRUE)
  fit <- function(formula, likelihood) streaming_gp(formula, kernel = kernel_se(1, 1), likelihood = likelihood, optimize = "none")
  for (gp in list(fit(two ~ a, likelihood_bernoulli()), fit(two ~ a, likelihood_bernoulli("probit")), fit(grade ~ a, likelihood_ordinal()),
    fit(two ~ a, likelihood_categorical()))) {
    e <- evaluate(gp, d, batch_size = 40)
    expect_true(all(is.na(e$overall[c("coverage", "width")])) && all(is.na(gp$history$coverage)))
    expect_false(anyNA(e$overall[c("accuracy", "brier")]))
    expect_false(any(grepl("coverage", capture.output(print(e)))))
    expect_error(plot(e, "coverage"), "nothing to plot", class = "gpstream_error_input")
    drawn <- on_device(plot(gp, "history"))
    expect_equal(drawn$accuracy_so_far[4], e$overall$accuracy)
    skip_if_not_installed("ggplot2")
    picture <- ggplot2::autoplot(gp, "history")
    expect_match(levels(picture$data$panel)[3], "most probable")
    on_device(print(picture))
  }
})
