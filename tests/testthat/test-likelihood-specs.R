# Likelihoods: what users see of them. The sites and the iteration are tested in the core.

x <- seq(0, 10, length.out = 400)[order(sin(1:400))]
shape <- function(x) sin(x)
set.seed(15)
observed <- list(
  gaussian = shape(x) + rnorm(400, sd = 0.2), student = shape(x) + 0.1 * rt(400, 3), laplace = shape(x) + 0.1 * (rexp(400) - rexp(400)),
  quantile = shape(x) + rnorm(400, sd = 0.2), tobit = pmax(shape(x) + rnorm(400, sd = 0.2), -0.5), bernoulli = rbinom(400, 1, plogis(2 * shape(x))),
  probit = rbinom(400, 1, pnorm(shape(x))), binomial = local({
    k <- rbinom(400, 5, plogis(shape(x)))
    cbind(k, 5 - k)
  }),
  ordinal = cut(2 * shape(x) + rlogis(400), c(-Inf, -1, 1, Inf), c("low", "middle", "high"), ordered_result = TRUE),
  categorical = factor(c("oak", "ash", "elm")[ifelse(runif(400) < plogis(3 * shape(x)), 1, ifelse(runif(400) < plogis(x - 5), 2, 3))]),
  heteroscedastic = shape(x) + exp(-2 + 1.5 * cos(x)) * rnorm(400),
  poisson = rpois(400, exp(1 + shape(x))), negbin = rnbinom(400, size = 2, mu = exp(1 + shape(x))), gamma = rgamma(400, 3, 3 / exp(shape(x))),
  exponential = rexp(400, exp(-shape(x))), weibull = rweibull(400, 2, exp(shape(x) / 2))
)
kinds <- list(
  gaussian = likelihood_gaussian(), student = likelihood_student(), laplace = likelihood_laplace(), quantile = likelihood_quantile(0.9), tobit = likelihood_tobit(lower = -0.5),
  bernoulli = likelihood_bernoulli(), probit = likelihood_bernoulli("probit"), binomial = likelihood_binomial(), ordinal = likelihood_ordinal(),
  categorical = likelihood_categorical(), heteroscedastic = likelihood_heteroscedastic(),
  poisson = likelihood_poisson(), negbin = likelihood_negbin(), gamma = likelihood_gamma(), exponential = likelihood_exponential(), weibull = likelihood_weibull()
)
rows_of <- function(y, i) if (is.matrix(y)) y[i, , drop = FALSE] else y[i]
learned <- function(name, n = 300, by = 50, ...) {
  gp <- streaming_gp(likelihood = kinds[[name]], ...)
  for (i in split(seq_len(n), (seq_len(n) - 1) %/% by)) gp$update(x[i], rows_of(observed[[name]], i))
  gp
}
at <- seq(0.5, 9.5, by = 1)

test_that("every likelihood of the core has a constructor, and the default call learns with it", {
  expect_setequal(c(names(kinds), "custom"), names(gpstream:::likelihood_titles)) # test-likelihood-custom.R
  truth <- list(
    student = shape(at), laplace = shape(at), tobit = shape(at), bernoulli = plogis(2 * shape(at)), probit = pnorm(shape(at)), binomial = plogis(shape(at)), heteroscedastic = shape(at),
    poisson = exp(1 + shape(at)), negbin = exp(1 + shape(at)), gamma = exp(shape(at)), exponential = exp(shape(at))
  )
  for (name in setdiff(names(kinds), "gaussian")) {
    gp <- learned(name)
    expect_identical(gp$likelihood$name, kinds[[name]]$name)
    fit <- predict(gp, at)
    if (name %in% names(truth)) expect_gt(cor(fit, truth[[name]]), 0.9, label = name)
    if (!name %in% c("ordinal", "categorical")) {
      p <- predict(gp, at, interval = "prediction")
      expect_true(all(p[, "lwr"] <= p[, "upr"]), label = name)
    }
    latent <- predict(gp, at, type = "latent", se.fit = TRUE)
    expect_true(all(latent$se.fit > 0))
    f <- tempfile(fileext = ".gps")
    save_gp(gp, f)
    for (again in list(load_gp(f), gp$copy(), streaming_gp_restore(as.list(gp)), unserialize(serialize(gp, NULL)))) {
      expect_identical(predict(again, at), fit)
      again$update(x[301:330], rows_of(observed[[name]], 301:330))
    }
    gp$update(x[301:330], rows_of(observed[[name]], 301:330))
    expect_identical(predict(again, at), predict(gp, at))
    expect_output(print(gp), gpstream:::likelihood_titles[[name]], fixed = TRUE)
    expect_output(print(summary(gp)), "nothing is proved")
    expect_named(simulate(gp, 2, newdata = at, type = "response"), c("sim_1", "sim_2"))
  }
})

test_that("intervals of the predictive distribution: no count below 0, no probability beyond 0 and 1", {
  for (name in c("poisson", "negbin", "gamma", "exponential", "weibull", "bernoulli", "binomial")) {
    gp <- learned(name)
    wide <- c(-30, at, 40) # far from all rows
    for (interval in c("confidence", "prediction")) {
      p <- predict(gp, wide, interval = interval)
      expect_true(all(p >= 0), label = name)
      if (name %in% c("bernoulli", "binomial")) expect_true(all(p <= 1), label = name)
    }
    inside <- predict(gp, wide, interval = "confidence")
    latent <- predict(gp, wide, type = "latent", interval = "confidence")
    expect_equal(order(inside[, "lwr"]), order(latent[, "lwr"]))
  }
})

test_that("responses as glm() takes them: logical, factors, offsets, families, weights, trials", {
  y <- observed$bernoulli[1:200]
  number <- streaming_gp(likelihood = likelihood_bernoulli())$update(x[1:200], y)
  word <- streaming_gp(likelihood = likelihood_bernoulli())$update(x[1:200], factor(y, 0:1, c("no", "yes")))
  expect_equal(predict(word, at), predict(number, at))
  expect_equal(predict(streaming_gp(likelihood = likelihood_bernoulli())$update(x[1:200], y == 1), at), predict(number, at))
  expect_identical(predict(word, at, type = "class"), factor(ifelse(predict(number, at) > 0.5, "yes", "no"), c("no", "yes")))
  expect_identical(unname(predict(number, at, type = "class")), as.double(predict(number, at) > 0.5))
  trials <- streaming_gp(family = binomial())$update(x[1:200], cbind(y, 1 - y))
  expect_equal(predict(trials, at), predict(number, at), tolerance = 1e-6)
  # an exposure is an offset of its logarithm
  set.seed(2)
  data <- data.frame(x = x[1:200], t = runif(200, 0.5, 3))
  data$n <- rpois(200, data$t * exp(1 + shape(data$x)))
  formula <- streaming_gp(n ~ x + offset(log(t)), data, family = poisson())
  by_hand <- streaming_gp(likelihood = likelihood_poisson())
  by_hand$update(data$x, data$n, offset = log(data$t))
  expect_equal(predict(formula, data.frame(x = at, t = 1)), predict(by_hand, at))
  expect_equal(predict(formula, data.frame(x = at, t = 2)), 2 * predict(formula, data.frame(x = at, t = 1)))
  # the family chosen by name, and one that there is not
  expect_identical(streaming_gp(family = Gamma("log"))$likelihood$name, "gamma")
  expect_error(streaming_gp(family = quasi()), "family quasi", class = "gpstream_error_parameter")
  # a row of weight two is two rows
  given <- function() streaming_gp(kernel = kernel_se(1.5, 1), mean = 0, optimize = "none", lookback = Inf, likelihood = likelihood_poisson())
  once <- given()$update(x[1:50], observed$poisson[1:50], weights = rep(2, 50))
  twice <- given()$update(rep(x[1:50], 2), rep(observed$poisson[1:50], 2))
  expect_equal(predict(once, at), predict(twice, at), tolerance = 1e-4)
})

test_that("censored observations come as Surv", {
  skip_if_not_installed("survival")
  time <- observed$weibull
  until <- rep(c(0.7, 3), 200)
  gp <- streaming_gp(likelihood = likelihood_weibull())$update(x, survival::Surv(pmin(time, until), time <= until))
  expect_gt(cor(predict(gp, at), exp(shape(at) / 2)), 0.9)
  naive <- streaming_gp(likelihood = likelihood_weibull())$update(x, pmin(time, until))
  expect_gt(mean(predict(gp, at)), mean(predict(naive, at))) # times that were not seen to their end were longer
  below <- survival::Surv(observed$tobit, observed$tobit > -0.5, type = "left")
  a <- streaming_gp(likelihood = likelihood_tobit())$update(x, below)
  b <- streaming_gp(likelihood = likelihood_tobit(lower = -0.5))$update(x, observed$tobit)
  expect_equal(predict(a, at), predict(b, at))
  expect_error(gp$update(1, survival::Surv(1, 2, 1)), "censored on the right", class = "gpstream_error_input")
})

test_that("bad responses are refused with the column and the row, and nothing changes", {
  bad <- list(
    list("bernoulli", c(0, 1.5), "must be 0 or 1, but in row 2 it is 1.5"), list("poisson", c(1, -1), "row 2 it is -1"), list("poisson", c(0.5, 1), "whole number"),
    list("gamma", c(1, 0), "positive"), list("weibull", c(-1, 1), "positive"), list("bernoulli", c(NA, 1), "NA in row 1"),
    list("binomial", cbind(c(1, -1), c(2, 3)), "row 2")
  )
  for (case in bad) {
    gp <- learned(case[[1]], 100)
    before <- as.list(gp)
    expect_error(gp$update(1:2, case[[2]]), case[[3]], class = "gpstream_error")
    expect_identical(as.list(gp), before)
  }
  data <- data.frame(x = x[1:40], kind = factor(rep(c("a", "b"), 20)))
  gp <- streaming_gp(kind ~ x, data, likelihood = likelihood_bernoulli())
  before <- as.list(gp)
  expect_error(gp$update(data.frame(x = 1, kind = "c")), "`kind` has the new level \"c\" in row 1", class = "gpstream_error_input")
  expect_error(streaming_gp(kind ~ x, transform(data, kind = rep(c("a", "b", "c", "d"), 10)), likelihood = likelihood_bernoulli()), "two levels", class = "gpstream_error_input")
  counts <- data.frame(x = 1:20, n = 1, t = c(1:19, 0))
  expect_error(streaming_gp(n ~ x + offset(log(t)), counts, family = poisson()), "row 20.*exposure 0", class = "gpstream_error_input")
  expect_identical(as.list(gp), before)
  expect_error(streaming_gp(noise = 1, likelihood = likelihood_poisson()), "`noise` is for", class = "gpstream_error_parameter")
  expect_error(streaming_gp(noise = 1, likelihood = likelihood_student(scale = 2)), "give one", class = "gpstream_error_parameter")
  expect_error(streaming_gp(half_life = "auto", likelihood = likelihood_poisson()), "Gaussian noise", class = "gpstream_error_parameter")
  expect_error(gp$certificate(), "nothing is proved", class = "gpstream_error_likelihood")
  expect_error(predict(learned("poisson", 100), 1, type = "class"), "for classes", class = "gpstream_error_parameter")
})

test_that("any cut of a stream has the same refreshes, and predictions that differ by next to nothing", {
  # the warm-up ends with the same rows
  for (name in c("bernoulli", "poisson")) {
    cuts <- lapply(c(50, 400), function(by) learned(name, 400, by))
    expect_equal(predict(cuts[[1]], at), predict(cuts[[2]], at), tolerance = 1e-3)
  }
  for (name in c("bernoulli", "poisson", "student", "negbin")) {
    noise <- if (name == "student") 0.02
    cuts <- lapply(c(1, 7, 100, 400), function(by) {
      learned(name, 400, by, kernel = kernel_se(1.5, 1), optimize = "none", mean = 0, noise = noise, select = select_oips(0.8))
    })
    for (gp in cuts[-1]) {
      off <- abs(predict(gp, at, type = "latent") - predict(cuts[[1]], at, type = "latent")) / predict(cuts[[1]], at, type = "latent", se.fit = TRUE)$se.fit
      expect_lt(max(off), 0.05, label = name)
    }
  }
})

test_that("gross errors: Student-t noise lets one observation change nothing elsewhere; scores tell", {
  y <- observed$student
  gp <- streaming_gp(likelihood = likelihood_student())$update(x[1:300], y[1:300])
  before <- predict(gp, at, se.fit = TRUE)
  expect_lt(gp$score(5, 1e6)$p, 1e-6)
  gp$update(5, 1e6)
  gp$update(x[301:400], y[301:400])
  after <- predict(gp, at)
  expect_lt(max(abs(after - before$fit) / before$se.fit), 3)
  expect_gt(coef(gp)[["likelihood.df"]], 1)
})

test_that("how far a gross error is does not matter, and learning goes on as it would have without", {
  y <- observed$student
  learned_with <- function(far) {
    gp <- streaming_gp(likelihood = likelihood_student())$update(x[1:250], y[1:250])
    if (is.finite(far)) gp$update(5, far)
    gp$update(x[251:400], y[251:400])
  }
  models <- lapply(c(NA, 50, 1e6), learned_with)
  expect_equal(coef(models[[3]])[["likelihood.df"]], coef(models[[2]])[["likelihood.df"]], tolerance = 0.05)
  elsewhere <- at[abs(at - 5) > 2]
  without <- predict(models[[1]], elsewhere, se.fit = TRUE)
  expect_lt(max(abs(predict(models[[3]], elsewhere) - without$fit) / without$se.fit), 1)
})

test_that("rows that all say the same do not run away, and others are believed when they come", {
  set.seed(7)
  at_first <- runif(260, 0, 10)
  later <- runif(340, 0, 10)
  rate <- streaming_gp(likelihood = likelihood_poisson())
  share <- streaming_gp(likelihood = likelihood_bernoulli())
  kind <- streaming_gp(likelihood = likelihood_ordinal())
  levels <- c("a", "b", "c")
  for (i in split(1:260, (1:260 - 1) %/% 20)) {
    rate$update(at_first[i], rep(0, length(i)))
    share$update(at_first[i], rep(0, length(i)))
    kind$update(at_first[i], factor(levels[1 + i %% 2], levels, ordered = TRUE))
  }
  expect_gt(predict(share, 5), 1e-6)
  expect_gt(predict(kind, 5)[, "c"], 1e-6)
  for (i in split(1:340, (1:340 - 1) %/% 20)) {
    rate$update(later[i], rpois(length(i), 0.5))
    share$update(later[i], rbinom(length(i), 1, 0.3))
  }
  expect_lt(abs(log(predict(rate, 5) / (0.5 * 340 / 600))), 0.5)
  expect_lt(abs(predict(share, 5) - 0.3 * 340 / 600), 0.08)
})

test_that("a gross error among the first rows spoils nothing", {
  y <- observed$student
  gp <- streaming_gp(likelihood = likelihood_student())$update(x, replace(y, 60, 1e6))
  expect_lt(sqrt(mean((predict(gp, at) - shape(at))^2)), 0.1)
})

test_that("where f is the same everywhere its mean has the standard error it should", {
  set.seed(8)
  gp <- streaming_gp(likelihood = likelihood_poisson())$update(x[1:300], rpois(300, 3))
  expect_lt(abs(predict(gp, 5, type = "latent", se.fit = TRUE)$se.fit / sqrt(1 / 900) - 1), 0.5)
})

test_that("scores fit what is observed: log score, Brier, a PIT that is uniform for counts, too", {
  gp <- streaming_gp(likelihood = likelihood_poisson())
  source <- list(x = x, y = observed$poisson)
  run <- evaluate(gp, source, batch_size = 20)
  expect_true(all(is.finite(utils::tail(run$scores$log_score, 5))))
  p <- gpstream:::new_predictive(rep(1, 2000), rep(0.2, 2000), 1, list(name = "poisson", numbers = list()))
  set.seed(4)
  y <- rpois(2000, exp(rnorm(2000, 1, sqrt(0.2))))
  expect_gt(ks.test(gpstream:::predictive_pit(p, y), "punif")$p.value, 0.01)
  q <- gpstream:::new_predictive(c(0, 2), c(1, 1), 1, list(name = "bernoulli", numbers = list()))
  expect_equal(gpstream:::predictive_crps(q, c(1, 0)), (c(1, 0) - gpstream:::predictive_mean(q))^2)
  scores <- learned("bernoulli")$score(at, rep(0:1, 5))
  expect_named(scores, c("mean", "sd", "z", "p", "log_density"))
  expect_equal(exp(scores$log_density), ifelse(rep(0:1, 5) == 1, scores$mean, 1 - scores$mean))
})

test_that("likelihoods print in words, with what was learned", {
  expect_snapshot(for (one in kinds) print(one))
  expect_output(print(learned("student", 100)), "Student-t noise \\(df [0-9.]+\\)\nnoise +[0-9.]+ \\(squared scale\\)")
  expect_output(print(learned("ordinal", 100)), "ordered classes \\(logit\\) \\(cut1 -0.6931, gap2 [0-9.]+\\)")
})

test_that("several functions: each is printed, and no class is preferred to another", {
  x <- seq(0, 10, length.out = 120)
  class <- function(levels) factor(c("a", "b", "c")[1 + (x > 3) + (x > 7)], levels)
  fit <- function(levels) {
    gp <- streaming_gp(kernel = kernel_se(1, 2), optimize = "none", likelihood = likelihood_categorical())
    gp$update(x, class(levels))
  }
  there <- fit(c("a", "b", "c"))
  back <- fit(c("c", "b", "a"))
  expect_equal(predict(there, 0:10), predict(back, 0:10)[, 3:1], tolerance = 1e-6)
  expect_output(print(there), "latent   a: variance 2, mean 0; b: variance 2, mean 0; c: variance 2, mean 0", fixed = TRUE)
  expect_output(print(summary(there)), "latent     a: variance 2, mean 0;", fixed = TRUE)
  expect_output(print(summary(there)), "lookback   120 rows kept, each for 200 more or longer", fixed = TRUE)
  gp <- streaming_gp(kernel = kernel_se(1), optimize = "none", likelihood = likelihood_heteroscedastic())
  gp$update(x, sin(x) + 0.1 * cos(37 * x))
  each <- gpstream:::core_gp_functions(gpstream:::gp_handle(gp))
  expect_output(print(gp), paste0("log_variance: variance ", signif(each$variance[2], 4), ", mean ",
    signif(each$mean[2] + log(gp$noise), 4)), fixed = TRUE)
})

test_that("classes without an order: probabilities that add up, classes by name, words and logicals", {
  gp <- learned("categorical", 400)
  p <- predict(gp, at)
  expect_identical(colnames(p), c("ash", "elm", "oak"))
  expect_equal(rowSums(p), rep(1, length(at)), tolerance = 1e-12)
  truth <- plogis(3 * shape(at))
  expect_lt(max(abs(p[, "oak"] - truth)), 0.2)
  best <- predict(gp, at, type = "class")
  expect_identical(as.integer(best), max.col(p))
  expect_false(is.ordered(best))
  latent <- predict(gp, at, type = "latent", se.fit = TRUE)
  expect_identical(dim(latent$fit), c(length(at), 3L))
  expect_identical(dim(latent$se.fit), c(length(at), 3L))
  expect_error(predict(gp, at, type = "latent", cov = TRUE), "one latent function", class = "gpstream_error_parameter")
  drawn <- simulate(gp, 200, seed = 1, newdata = at, type = "response")
  expect_identical(levels(drawn$sim_1), c("ash", "elm", "oak"))
  expect_lt(max(abs(rowMeans(drawn == "oak") - p[, "oak"])), 0.15)
  expect_error(simulate(gp, 1, newdata = at), "response", class = "gpstream_error_parameter")
  expect_error(gp$update(1, "fir"), "fir", class = "gpstream_error_input")
  expect_error(gp$update(1, "oak", offset = 1), "no offset", class = "gpstream_error_input")
  expect_error(predict(streaming_gp(likelihood = likelihood_categorical()), 1), "first batch", class = "gpstream_error_input")
  scored <- evaluate(gp$copy(), data.frame(x = x, y = observed$categorical), batch_size = 100)$overall
  expect_gt(scored$accuracy, 0.5)
  expect_lt(scored$brier, 0.66)
  words <- streaming_gp(likelihood = likelihood_categorical())
  words$update(x[1:300], as.character(observed$categorical[1:300]))
  expect_identical(colnames(predict(words, at)), c("ash", "elm", "oak"))
  two <- streaming_gp(kernel = kernel_se(lengthscale = 1.5), likelihood = likelihood_categorical())
  one <- streaming_gp(kernel = kernel_se(lengthscale = 1.5), likelihood = likelihood_bernoulli())
  yes <- observed$bernoulli == 1
  two$update(x, yes)
  one$update(x, yes)
  expect_lt(max(abs(predict(two, at)[, "TRUE"] - predict(one, at))), 0.06)
})

test_that("noise that varies: bands as wide as the noise is where they are", {
  gp <- learned("heteroscedastic", 400)
  sd <- predict(gp, at, se.fit = TRUE)$residual.scale
  expect_gt(cor(log(sd), -2 + 1.5 * cos(at)), 0.9)
  set.seed(3)
  far <- seq(0, 10, length.out = 4000)
  y <- shape(far) + exp(-2 + 1.5 * cos(far)) * rnorm(4000)
  p <- predict(gp, far, interval = "prediction")
  inside <- y >= p[, "lwr"] & y <= p[, "upr"]
  loud <- cos(far) > 0.5
  expect_gt(mean(inside[loud]), 0.9)
  expect_gt(mean(inside[!loud]), 0.9)
  expect_lt(mean(inside), 0.99)
  both <- predict(gp, at, type = "latent")
  expect_identical(colnames(both), c("f", "log_variance"))
  expect_equal(unname(both[, "f"]), predict(gp, at))
  # in other units of y the same
  small <- streaming_gp(likelihood = likelihood_heteroscedastic())
  for (i in split(1:400, (0:399) %/% 50)) small$update(x[i], 1e-3 * observed$heteroscedastic[i] + 5)
  q <- predict(small, at, interval = "prediction")
  expect_equal(unname(1e3 * (q - 5)), unname(predict(gp, at, interval = "prediction")), tolerance = 0.05)
})

test_that("classes in another order are the same classes, whatever the mean", {
  rows <- toy(60)
  class <- c("p", "q", "r")[1 + (rows$y > -0.3) + (rows$y > 0.5)]
  chances <- function(levels, mean) {
    gp <- streaming_gp(likelihood = likelihood_categorical(), kernel = kernel_se(1, 1), mean = mean, optimize = "none")
    gp$update(rows$x, factor(class, levels))
    predict(gp, rows$x)[, c("p", "q", "r")]
  }
  for (mean in list("zero", 0.7, "constant")) expect_close(chances(c("r", "p", "q"), mean), chances(c("p", "q", "r"), mean), 1e-9)
})
