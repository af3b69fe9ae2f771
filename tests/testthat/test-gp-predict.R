# predict() has the shapes of predict.lm() and the arithmetic of a Gaussian process.

gp <- toy_gp(60)
at <- c(0.3, 5, 9.9, 20)

test_that("the shapes are those of predict.lm", {
  line <- lm(dist ~ speed, cars)
  gp <- streaming_gp(optimize = "none", dist ~ speed, cars, kernel = kernel_se(5))
  newdata <- data.frame(speed = c(5, 10, 15), row.names = c("slow", "middle", "fast"))
  for (args in list(list(), list(interval = "confidence"), list(interval = "prediction", level = 0.5))) {
    ours <- do.call(predict, c(list(gp, newdata), args))
    theirs <- do.call(predict, c(list(line, newdata), args))
    expect_identical(attributes(ours), attributes(theirs))
    ours <- do.call(predict, c(list(gp, newdata, se.fit = TRUE), args))
    theirs <- do.call(predict, c(list(line, newdata, se.fit = TRUE), args))
    expect_identical(attributes(ours$fit), attributes(theirs$fit))
    expect_identical(names(ours$se.fit), names(theirs$se.fit))
    expect_identical(names(ours), setdiff(names(theirs), "df"))
  }
  expect_identical(dimnames(predict(gp, newdata, cov = TRUE)$cov), list(row.names(newdata), row.names(newdata)))
  expect_identical(predict(gp, newdata, interval = "conf"), predict(gp, newdata, interval = "confidence"))
  expect_identical(gp$predict(newdata, interval = "prediction"), predict(gp, newdata, interval = "prediction"))
})

test_that("an interval is the fit and so many standard deviations, with the noise for a new observation", {
  p <- predict(gp, at, se.fit = TRUE)
  expect_equal(p$residual.scale, sqrt(gp$noise))
  sds <- list(confidence = p$se.fit, prediction = sqrt(p$se.fit^2 + gp$noise))
  for (interval in names(sds)) {
    for (level in c(0.5, 0.95)) {
      half <- qnorm((1 + level) / 2) * sds[[interval]]
      expected <- cbind(fit = p$fit, lwr = p$fit - half, upr = p$fit + half)
      expect_equal(predict(gp, at, interval = interval, level = level), expected, tolerance = 1e-12)
    }
  }
  expect_identical(predict(gp, at, type = "latent"), predict(gp, at, type = "response"))
})

test_that("the mean alone is identical to the fit that comes with standard errors", {
  expect_identical(predict(gp, at), predict(gp, at, se.fit = TRUE)$fit)
  expect_identical(predict(gp, at), predict(gp, at, interval = "prediction")[, "fit"])
  expect_identical(predict(gp, at), predict(gp, at, cov = TRUE)$fit)
})

test_that("the diagonal of the covariance is the squared standard error, and it is a covariance", {
  x <- toy(40, 1, from = 100)$x
  p <- predict(gp, x, cov = TRUE)
  expect_close(diag(p$cov), p$se.fit^2, 1e-12)
  expect_identical(p$cov, t(p$cov))
  expect_gte(min(eigen(p$cov, symmetric = TRUE)$values), -1e-12)
})

test_that("NA in, NA out, and the other rows as if alone", {
  gp2 <- toy_gp(30, 2)
  x <- toy(5, 2)$x
  rownames(x) <- letters[1:5]
  x[2, 1] <- NA
  x[4, 2] <- NaN
  known <- c(1, 3, 5)
  alone <- predict(gp2, x[known, ], se.fit = TRUE, cov = TRUE, interval = "prediction")
  p <- predict(gp2, x, se.fit = TRUE, cov = TRUE, interval = "prediction")
  expect_true(all(is.na(p$fit[-known, ])) && all(is.na(p$se.fit[-known])) && all(is.na(p$cov[-known, ])) && all(is.na(p$cov[, -known])))
  expect_identical(p$fit[known, ], alone$fit)
  expect_identical(p$se.fit[known], alone$se.fit)
  expect_identical(p$cov[known, known], alone$cov)
  expect_identical(predict(gp2, x), p$fit[, "fit"])
  expect_identical(predict(gp2, NA_real_ * x), stats::setNames(rep(NA_real_, 5), letters[1:5]))
})

test_that("a row's prediction does not depend on the rows beside it", {
  gp2 <- toy_gp(200, 2)
  x <- toy(3000, 2, from = 7)$x
  whole <- predict(gp2, x, se.fit = TRUE)
  one_by_one <- lapply(seq_len(nrow(x)), function(i) predict(gp2, x[i, , drop = FALSE], se.fit = TRUE))
  pieces <- lapply(split(seq_len(nrow(x)), rep(1:5, c(1, 511, 512, 513, 1463))), function(i) predict(gp2, x[i, , drop = FALSE], se.fit = TRUE))
  for (other in list(one_by_one, pieces)) {
    expect_identical(unlist(lapply(other, `[[`, "fit"), use.names = FALSE), whole$fit)
    expect_close(unlist(lapply(other, `[[`, "se.fit"), use.names = FALSE)^2, whole$se.fit^2, 1e-12)
  }
})

test_that("before any data: the prior mean, variance and covariance", {
  for (mean in list(0, 3, "zero")) {
    kernel <- kernel_se(2, 4) + kernel_matern12(1, 0.5)
    prior <- predict(streaming_gp(optimize = "none", kernel = kernel, noise = 1, mean = mean), at, se.fit = TRUE, cov = TRUE)
    expect_identical(prior$fit, rep(if (is.numeric(mean)) mean else 0, 4))
    expect_equal(prior$se.fit^2, rep(4.5, 4), tolerance = 1e-12)
    expect_equal(prior$cov, kernel_matrix(kernel, at), tolerance = 1e-12)
  }
  fixed <- predict(streaming_gp(optimize = "none", kernel = kernel, noise = 1, select = select_fixed(at)), at, se.fit = TRUE)
  expect_equal(fixed$se.fit^2, rep(4.5, 4), tolerance = 1e-12)
})

test_that("far away the prediction is the prior, and nowhere is it less certain", {
  for (name in stationary) {
    kernel <- getExportedValue("gpstream", paste0("kernel_", name))(1, 2)
    gp <- toy_gp(60, kernel = kernel)
    p <- predict(gp, seq(-20, 30, by = 0.1), se.fit = TRUE)
    expect_true(all(p$se.fit^2 <= 2 * (1 + 1e-12)) && all(p$se.fit > 0))
    far <- predict(gp, c(-1e9, 1e9), se.fit = TRUE)
    expect_equal(far$fit, c(0, 0), tolerance = 1e-12)
    expect_equal(far$se.fit^2, c(2, 2), tolerance = 1e-12)
    outward <- predict(gp, 10 + 0:40 / 4, se.fit = TRUE)$se.fit
    expect_gte(min(diff(outward)), -1e-12)
  }
})

test_that("the posterior at the inducing points is what predict() says there", {
  p <- predict(gp, gp$points, cov = TRUE)
  expect_close(gp$posterior$mean, p$fit, 1e-10)
  expect_close(gp$posterior$cov, p$cov, 1e-10)
})

test_that("names come from row names", {
  x <- c(a = 1, b = 2)
  expect_identical(names(predict(gp, x)), c("a", "b"))
  expect_identical(rownames(predict(gp, x, interval = "confidence")), c("a", "b"))
  expect_identical(names(predict(gp, matrix(1:2, dimnames = list(c("u", "v"), NULL)))), c("u", "v"))
  expect_null(names(predict(gp, data.frame(t = 1:2))))
})
