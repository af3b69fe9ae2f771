# vcov(), confint(): the posterior of a trend's coefficients; what else lm() has says what to call.

trend_rows <- function(n) {
  d <- data.frame(a = runif(n, 0, 10), b = rnorm(n, 3), c = runif(n))
  transform(d, y = 1 + 2 * a - b + rnorm(n, sd = 0.5))
}

test_that("with lines alone the slopes and their covariance are those of lm(), whatever the units", {
  set.seed(1)
  for (case in 1:4) {
    d <- trend_rows(sample(c(60, 400), 1))
    d$a <- d$a * 10^sample(-3:3, 1) + sample(c(0, 100), 1)
    gp <- streaming_gp(y ~ trend(a, walk = FALSE) + trend(b, walk = FALSE), d)
    line <- lm(y ~ a + b, d)
    slopes <- c("slope.a", "slope.b")
    ratio <- gp$noise / summary(line)$sigma^2 # the noise is estimated without the degrees of freedom
    expect_equal(vcov(gp)[slopes, slopes], ratio * vcov(line)[-1, -1], tolerance = 0.02, ignore_attr = TRUE)
    half <- diff(t(confint(line, level = 0.9)[-1, ])) / 2
    expect_equal(confint(gp, slopes, 0.9), confint(line, level = 0.9)[-1, ], tolerance = 0.1 * min(half / abs(coef(line)[-1])) + 0.01,
      ignore_attr = TRUE)
    expect_identical(colnames(confint(gp)), c("2.5 %", "97.5 %"))
    expect_equal(rowMeans(confint(gp)), coef(gp)[c("mean", slopes)])
    tidied <- generics::tidy(gp)
    expect_equal(tidied$std.error[match(c("mean", slopes), tidied$term)], unname(sqrt(diag(vcov(gp)))))
    expect_true(all(is.na(tidied$std.error[!tidied$term %in% c("mean", slopes)])))
  }
})

test_that("the slope of a model without another function of the column is that of predict(deriv = )", {
  set.seed(2)
  d <- trend_rows(200)
  for (gp in list(
    streaming_gp(y ~ trend(a, walk = FALSE) + gp(c), d), streaming_gp(round(exp(a / 5)) ~ trend(a, walk = FALSE) + gp(c), d, family = poisson())
  )) {
    slope <- predict(gp, d[1, ], deriv = "a", interval = "confidence", level = 0.8)
    expect_equal(unname(confint(gp, "slope.a", 0.8)), unname(slope[, c("lwr", "upr"), drop = FALSE]), tolerance = 1e-6)
  }
  two <- streaming_gp(cbind(y, z = -y) ~ trend(a, walk = FALSE), transform(d, z = -y))
  expect_named(confint(two)[, 1], c("mean.y", "mean.z", "slope.a.y", "slope.a.z"))
  expect_equal(vcov(two)["slope.a.y", "slope.a.z"], 0)
  expect_equal(confint(two)["slope.a.y", ], -rev(confint(two)["slope.a.z", ]), ignore_attr = TRUE, tolerance = 1e-6)
})

test_that("without coefficients, and for what a stream does not have, errors name the function that does it", {
  d <- data.frame(x = 1:20, region = rep(c("u", "v"), 10), y = sin(1:20))
  gp <- streaming_gp(y ~ x + region, d, kernel = kernel_se(1, 1), noise = 1, mean = 0)
  before <- as.list(gp)
  expect_error(vcov(gp), "deriv = \"x\", interval = \"confidence\"", class = "gpstream_error_input")
  expect_error(confint(streaming_gp()), "no coefficients of a trend", class = "gpstream_error_input")
  expect_error(confint(streaming_gp(y ~ trend(x), d), "variance"), "must be some of \"mean\", \"slope.x\"", class = "gpstream_error_parameter")
  expect_error(vcov(streaming_gp(region ~ x, d, likelihood = likelihood_categorical())), "each class", class = "gpstream_error_likelihood")
  expect_error(anova(gp), "evaluate", class = "gpstream_error_input")
  expect_error(AIC(gp), "evaluate", class = "gpstream_error_input")
  expect_error(BIC(gp), "evaluate", class = "gpstream_error_input")
  expect_error(predict(gp, d, type = "terms"), "components(gp, newdata)", fixed = TRUE, class = "gpstream_error_parameter")
  expect_error(update(gp, . ~ . - region), "streaming_gp(y ~ x, data).", fixed = TRUE, class = "gpstream_error_input")
  expect_error(update(streaming_gp(), y ~ x), "streaming_gp(y ~ x, data).", fixed = TRUE)
  expect_identical(as.list(gp), before)
})

test_that("members by other names, and what is assigned to none, say what to write", {
  gp <- toy_gp()
  before <- as.list(gp)
  meant <- c(elbo = "objective", loglik = "objective", lengthscale = "kernel", inducing_points = "points", forecast = "predict", nugget = "noise")
  for (name in names(meant)) {
    expect_error(do.call(`$`, list(gp, name)), paste0("did you mean `", meant[[name]], "`"), class = "gpstream_error_input")
  }
  expect_error(gp$nowhere, paste0("`", names(gp), "`", collapse = ", "), fixed = TRUE) # all of them
  expect_true(all(gpstream:::member_synonyms %in% names(gp)))
  expect_error(gp$lengthscale <- 2, "write gp$kernel <- kernel_se(lengthscale = 2).", fixed = TRUE, class = "gpstream_error_input")
  expect_error(gp$period <- "1 day", "write gp$kernel <- kernel_periodic(period =).", fixed = TRUE)
  expect_error(gp$nugget <- 0.5, "write gp$noise <- 0.5.", fixed = TRUE)
  expect_error(gp$anything <- 2, "what can be assigned is gp$kernel, gp$noise, gp$mean, gp$points.", fixed = TRUE)
  expect_error(gp$update <- 2, "no `update` to assign", class = "gpstream_error_input")
  expect_error(gp$nobs <- 2, "read-only", class = "gpstream_error_input")
  expect_identical(as.list(gp), before)
  gp$noise <- 0.5
  expect_identical(gp$noise, 0.5)
})

test_that("a new level says how to write the levels, and that works", {
  day <- c("Mon", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat")
  first <- data.frame(day = day[1:2], `a b` = c("u", "v"), y = 1:2, check.names = FALSE)
  later <- data.frame(day = day[3:7], `a b` = "w", y = 3:7, check.names = FALSE)
  cure <- function(formula) {
    gp <- suppressWarnings(streaming_gp(formula, first))
    text <- tryCatch(gp$update(later), error = conditionMessage)
    sub(" into the formula of the model[.]$", "", sub("^.* Write ", "", text))
  }
  expect_identical(cure(y ~ day), "factor(day, levels = c(\"Mon\", \"Tue\", \"Wed\", \"Thu\", \"Fri\", ...))")
  expect_identical(cure(y ~ factor(day)), cure(y ~ day))
  written <- cure(y ~ `a b`)
  gp <- suppressWarnings(streaming_gp(as.formula(paste("y ~", written)), first))
  expect_identical(gp$update(later)$nobs, 7)
})
