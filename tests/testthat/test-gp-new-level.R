# A column that has had one value only, a level of a factor that has not come say: no row tells what happens when
# it varies. What that is thought to be is about as uncertain as the response, however the formula is written.

level_forms <- list(y ~ x + g, y ~ gp(x) + g, y ~ gp(x, g))
one_level <- function(draw, n = 48, seed = 1, levels = c("a", "b")) {
  set.seed(seed)
  data.frame(g = factor("a", levels), x = runif(n), y = draw(n))
}
asked <- data.frame(x = 0.5, g = c("a", "b"))

test_that("Gaussian: the interval of a level that has not come is about sqrt(2) times as wide, in all forms", {
  for (seed in 1:3) for (unit in c(1, 1e3)) {
    data <- one_level(function(n) unit * rnorm(n, 10), seed = seed)
    for (form in level_forms) {
      band <- predict(streaming_gp(form, data), asked, interval = "prediction")
      half <- (band[, "upr"] - band[, "lwr"]) / 2
      expect_gt(half[2] / (1.96 * sqrt(2) * sd(data$y)), 1 / 1.5)
      expect_lt(half[2] / (1.96 * sqrt(2) * sd(data$y)), 1.5)
      expect_gt(half[2] / half[1], 1.2)
      expect_lt(abs(band[2, "fit"] - mean(data$y)), 0.7 * sd(data$y))
    }
  }
})

test_that("other likelihoods: a standard error of order 1 where f is, and a finite mean", {
  draws <- list(
    poisson = list(poisson(), function(n) rpois(n, 10)), binomial = list(binomial(), function(n) rbinom(n, 1, 0.4)),
    Gamma = list(Gamma("log"), function(n) rgamma(n, 5, 0.5)), one = list(likelihood_bernoulli("probit"), function(n) rbinom(n, 1, 0.4))
  )
  for (one in draws) {
    data <- one_level(one[[2]])
    for (form in level_forms) {
      gp <- streaming_gp(form, data, likelihood = as_likelihood(one[[1]]))
      f <- predict(gp, asked, se.fit = TRUE, type = "latent")
      expect_gt(f$se.fit[2], 0.7)
      expect_lt(f$se.fit[2], 3)
      expect_lt(f$se.fit[1], 0.5)
      expect_lt(predict(gp, asked)[2], 3 * max(data$y))
    }
  }
})

test_that("of several levels those that have come do not change, and it is learned anew when one comes", {
  for (form in level_forms) {
    data <- one_level(function(n) rnorm(n, 10), levels = c("a", "b", "c"))
    gp <- streaming_gp(form, data)
    before <- predict(gp, asked, se.fit = TRUE)$se.fit
    more <- transform(data, g = factor("b", levels(g)), y = y + 5)
    update(gp, more)
    after <- predict(gp, rbind(asked, data.frame(x = 0.5, g = "c")), se.fit = TRUE)
    expect_lt(max(abs(after$fit[1:2] - c(10, 15))), 0.5)
    expect_lt(after$se.fit[2], 0.5 * before[2])
    expect_gt(after$se.fit[3], 0.5)
  }
})

test_that("a number that has not varied gets no wide slope, one that is 0 neither", {
  for (at in c(0, 5)) {
    set.seed(2)
    data <- data.frame(x = runif(60), z = at)
    data$y <- rnorm(60, 3)
    for (form in list(y ~ x + z, y ~ gp(x, z))) {
      gp <- suppressWarnings(streaming_gp(form, data))
      size <- if (at == 0) 1 else at
      se <- predict(gp, data.frame(x = 0.5, z = at + c(0, size)), se.fit = TRUE)$se.fit
      expect_gt(se[2], 0.7)
      expect_lt(se[2], 2)
      expect_lt(se[1], 0.4)
    }
  }
})

test_that("nobody asked for these slopes: they are not shown, add to their own term, and are saved and merged", {
  data <- one_level(function(n) rnorm(n, 10))
  gp <- streaming_gp(y ~ gp(x) + g, data)
  expect_false(any(grepl("slope", names(coef(gp)))))
  expect_false(any(grepl("slope", capture.output(print(gp)))))
  parts <- components(gp, asked)
  expect_setequal(as.character(parts$term), c("constant", "gp(x)", "g"))
  se <- parts$se.fit[parts$term == "g"]
  expect_gt(se[2], 0.5)
  file <- tempfile(fileext = ".gp")
  on.exit(unlink(file))
  save_gp(gp, file)
  expect_identical(predict(load_gp(file), asked, se.fit = TRUE), predict(gp, asked, se.fit = TRUE))
  for (form in list(y ~ gp(x) + g, y ~ gp(x, g))) {
    one <- streaming_gp(form, data)
    both <- one_level(function(n) rnorm(n, 10), seed = 2)
    both$g <- factor(rep(c("a", "b"), 24))
    other <- streaming_gp(form, transform(both, y = y + 3 * (g == "b")))
    merged <- function(...) predict(suppressWarnings(suppressMessages(merge(..., rebase = TRUE))), asked)[2]
    expect_lt(abs(merged(other, one) - 13), 0.4)
    expect_lt(abs(merged(one, other) - 13), 1) # by the kernel of a model that has not seen the level
  }
})
