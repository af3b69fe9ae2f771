# gp$score(), if_plausible, gp$forget()

scored_model <- function(...) {
  gp <- streaming_gp(kernel = kernel_se(1, 1), noise = 0.04, mean = 0.5, optimize = "none", ...)
  x <- 6 * ((1:80 * sqrt(2)) %% 1)
  gp$update(x, sin(x) + 0.2 * sin(37 * 1:80))
  gp
}
new_x <- c(0.3, 1.1, 1.2, 2.9, 6.5, 1.1)
new_y <- c(0.4, 0.9, 5, 0, -1, 1.3)

test_that("a score is the predictive distribution of an observation at it, and learns nothing", {
  gp <- scored_model()
  gp$posterior # read, so that it is factored
  before <- as.list(gp)
  score <- gp$score(new_x, new_y)
  expect_named(score, c("mean", "sd", "z", "p", "log_density"))
  expect_identical(as.list(gp), before)
  new <- predict(gp, new_x, se.fit = TRUE)
  sd <- sqrt(new$se.fit^2 + gp$noise)
  expect_equal(score$mean, new$fit)
  expect_equal(score$sd, sd)
  expect_equal(score$z, (new_y - new$fit) / sd)
  expect_equal(score$p, 2 * pnorm(-abs(score$z)))
  expect_equal(score$log_density, dnorm(new_y, new$fit, sd, log = TRUE))
  expect_identical(nrow(gp$score(numeric(), numeric())), 0L)
})

test_that("[derivation 17] joint scores are those of rows learned one by one, where every row is a point, and add up to the joint density", {
  gp <- scored_model(select = select_fixed(cbind(unique(c(new_x, 0:6)))))
  score <- gp$score(new_x, new_y, joint = TRUE)
  new <- predict(gp, new_x, cov = TRUE)
  total <- new$cov + diag(gp$noise, 6)
  error <- new_y - new$fit
  density <- -0.5 * (determinant(total)$modulus + drop(error %*% solve(total, error)) + 6 * log(2 * pi))
  expect_equal(sum(score$log_density), as.numeric(density), tolerance = 1e-10)
  for (i in 1:6) {
    expect_equal(score[i, ], gp$score(new_x[i], new_y[i]), tolerance = 1e-8, ignore_attr = TRUE)
    gp$update(new_x[i], new_y[i])
  }
})

test_that("joint scores of a right model are independent and standard", {
  set.seed(1)
  x <- seq(0, 5, length.out = 40)
  C <- kernel_matrix(kernel_se(1, 1), x) + diag(0.04, 40)
  z <- replicate(200, {
    gp <- streaming_gp(kernel = kernel_se(1, 1), noise = 0.04, mean = 0, optimize = "none")
    y <- drop(rnorm(40) %*% chol(C))
    gp$update(x[1:5], y[1:5])
    gp$score(x[-(1:5)], y[-(1:5)], joint = TRUE)$z
  })
  expect_lt(abs(mean(z)), 4 / sqrt(7000))
  expect_lt(abs(mean(z^2) - 1), 4 * sqrt(2 / 7000))
  expect_lt(abs(mean(z[-1, ] * z[-35, ])), 4 / sqrt(6800))
})

test_that("weights divide the noise; what is missing is NA", {
  gp <- scored_model()
  plain <- gp$score(new_x, new_y)
  weighted <- gp$score(new_x, new_y, weights = c(1, 4, 0, NA, 1, 0.25))
  expect_identical(is.na(weighted$z), c(FALSE, FALSE, TRUE, TRUE, FALSE, FALSE))
  expect_equal(weighted$sd[c(2, 6)]^2, plain$sd[c(2, 6)]^2 - gp$noise + gp$noise / c(4, 0.25))
  some <- gp$score(c(new_x[1], NA, new_x[3]), c(new_y[1:2], NA))
  expect_identical(is.na(some$p), c(FALSE, TRUE, TRUE))
  expect_equal(gp$score(c(1, NA, 2), c(1, 1, 1), joint = TRUE)[-2, ], gp$score(c(1, 2), c(1, 1), joint = TRUE), ignore_attr = TRUE)
})

test_that("a model with a formula scores data; before any data the score is that of the prior", {
  gp <- streaming_gp(y ~ x, kernel = kernel_se(1, 1), noise = 0.04, mean = 0, optimize = "none", weights = "w")
  data <- data.frame(x = new_x, y = new_y, w = c(1, 1, 4, 1, 1, 1))
  expect_equal(gp$score(data)$sd^2, 1 + 0.04 / data$w)
  gp$update(data)
  expect_equal(gp$score(data)$mean, predict(gp, data))
  expect_error(gp$score(new_x, new_y), "has a formula; use score\\(data\\)", class = "gpstream_error_input")
  expect_error(gp$score(), "`data` is missing; use score", class = "gpstream_error_input")
  expect_error(scored_model()$score(), "`x` is missing; use score", class = "gpstream_error_input")
  expect_error(scored_model()$score(1, data = data), "no formula; use score", class = "gpstream_error_input")
  expect_error(scored_model()$score(1:2, 1), "`y` has 1 value for 2 rows", class = "gpstream_error_dimension")
  expect_error(scored_model()$score(1, 1, joint = NA), "`joint`", class = "gpstream_error_parameter")
})

test_that("rows that are implausible to the model before the batch are counted, and nothing else", {
  gp <- scored_model()
  twin <- gp$copy()
  p <- gp$score(new_x, new_y)$p
  gp$update(new_x, new_y, if_plausible = 1e-4, weights = 1:6)
  twin$update(new_x[p > 1e-4], new_y[p > 1e-4], weights = (1:6)[p > 1e-4])
  expect_equal(gp$implausible, sum(p <= 1e-4))
  expect_gt(gp$implausible, 0)
  expect_identical(predict(gp, new_x, se.fit = TRUE), predict(twin, new_x, se.fit = TRUE))
  expect_identical(c(gp$nobs, twin$implausible), c(twin$nobs, 0))
  gp$update(1.2, 99, if_plausible = 1e-4)
  expect_identical(gp$nobs, twin$nobs)
  expect_output(print(gp), "rows? not learned, being implausible")
  expect_identical(gp$copy()$implausible, gp$implausible)
  expect_identical(streaming_gp_restore(as.list(gp))$implausible, gp$implausible)
  expect_error(gp$update(1, 1, if_plausible = 0), "`if_plausible`", class = "gpstream_error_parameter")
  expect_error(gp$implausible <- 3, "read-only", class = "gpstream_error_input")
})

test_that("a young model finds everything plausible; a model that goes on learning keeps the count", {
  gp <- streaming_gp()
  x <- 6 * ((1:400 * sqrt(2)) %% 1)
  y <- sin(x) + 0.1 * sin(37 * 1:400)
  gp$update(x[1:20], replace(y[1:20], 7, 1000), if_plausible = 0.01)
  expect_identical(c(gp$nobs, gp$implausible), c(20, 0))
  gp <- streaming_gp()
  gp$update(x[1:120], y[1:120])
  gp$update(3, 1000, if_plausible = 1e-6)
  gp$update(x[121:400], y[121:400] + 3 * sin(5 * x[121:400]))
  expect_identical(c(gp$nobs, gp$implausible), c(400, 1))
  expect_gt(gp$restarts$changes, 0) # other models took over since
  warm <- streaming_gp(optimize = "warmup", warmup = 100)
  warm$update(x[1:60], y[1:60])
  warm$update(3, 1000, if_plausible = 1e-6)
  expect_identical(warm$nobs, 61)
})

test_that("a forgotten row counts as one of less weight; forgetting nothing changes nothing", {
  x <- 6 * ((1:60 * sqrt(2)) %% 1)
  y <- sin(x) + 0.1 * sin(37 * 1:60)
  for (lookback in c(0, 10, Inf)) {
    make <- function() {
      streaming_gp(kernel = kernel_se(1, 1), noise = 0.01, mean = 0, optimize = "none", select = select_fixed(cbind(0:6)), lookback = lookback)
    }
    gp <- make()
    gp$update(x[1:40], y[1:40])
    before <- predict(gp, 0:7 / 2, se.fit = TRUE)
    expect_identical(predict(gp$forget(1), 0:7 / 2, se.fit = TRUE), before)
    gp$forget(0.25)
    gp$update(x[41:60], y[41:60])
    weighted <- make()
    weighted$update(x, y, weights = rep(c(0.25, 1), c(40, 20)))
    expect_equal(predict(gp, 0:7 / 2, cov = TRUE), predict(weighted, 0:7 / 2, cov = TRUE), tolerance = 1e-9)
    expect_identical(gp$nobs, 60)
  }
  for (keep in list(0, 1.5, -1, NA, "a", c(0.5, 0.5))) {
    expect_error(gp$forget(keep), "`keep` must be a single number above 0 and at most 1", class = "gpstream_error_parameter")
  }
  expect_identical(streaming_gp()$forget(0.5)$nobs, 0)
})

test_that("rivals of a model that goes on learning forget, too, and the memory does not", {
  x <- 6 * ((1:160 * sqrt(2)) %% 1)
  gp <- streaming_gp()
  gp$update(x, sin(x) + 0.1 * sin(37 * 1:160))
  expect_gt(gp$restarts$rivals, 0)
  memory <- gp$memory
  core <- as.list(gp)$core
  gp$forget(0.5)
  after <- as.list(gp)$core
  rivals <- grep("rival[0-9]+[.]n$", names(core), value = TRUE)
  expect_identical(length(rivals), gp$restarts$rivals)
  for (name in c("n", rivals)) expect_identical(after[[name]], 0.5 * core[[name]])
  expect_identical(gp$memory, memory)
})
