# Rows that say little: one value, one class, one row, one column that never changes, a place far away.

# What is known of f, and the limits of an interval, are finite. A mean exp(m + s^2 / 2) of few rows and a wide trend
# may be more than a double can hold (to a factor: of a Weibull time, Gamma(1 + 1 / shape)): then it is Inf.
all_finite <- function(gp, new, when = "") {
  s <- says(gp, new, FALSE)
  size <- s$fit + s$se^2 / 2
  if (gp$likelihood$name %in% log_means) {
    above <- size > log(.Machine$double.xmax) - 5
    s$response[above & s$response == Inf] <- 0
    s$interval[above & s$interval[, "fit"] == Inf, "fit"] <- 0
  }
  wrong <- names(unlist(s))[!is.finite(unlist(s))]
  holds(length(wrong) == 0, "a prediction", when, " is not finite: ", paste(utils::head(wrong, 3), collapse = " "))
}
log_means <- c("poisson", "negbin", "gamma", "exponential", "weibull")

finite_and_quick <- function(case, data, new, seconds = 20) {
  took <- sum(system.time(gp <- learned(case, batches(data)))[1:2]) # of processor time: others may use the machine
  holds(took < seconds, "took ", round(took), " s")
  all_finite(gp, new)
  invisible(gp)
}

relation("y of one value", function() {
  case <- draw_case(c(setdiff(numeric_likelihoods, "tobit"), positive_likelihoods, "poisson", "negbin"), selectors = setdiff(all_selectors, "full"), learned = 0.3,
    means = c("constant", "linear", "auto"), noise = 0)
  value <- if (case$name %in% numeric_likelihoods) one_of(0, 1, -3, 1000) else one_of(1, 2, 50)
  note("y is ", value)
  gp <- finite_and_quick(case, transform(case$data, y = value), case$new)
})

relation("classes of one value", function() {
  case <- draw_case(c("bernoulli", "probit", "binomial", "ordinal", "categorical"), learned = 0.2)
  data <- case$data
  data$y <- if (is.factor(data$y)) factor(levels(data$y)[1], levels(data$y), ordered = is.ordered(data$y)) else one_of(0, 1)
  if (case$name == "binomial") data$z <- 0
  if (case$name == "binomial") data$y <- 6
  gp <- finite_and_quick(case, data, case$new)
  if (case$name %in% no_interval) holds(mean(predict(gp, case$new)[, 1]) > 1 / 3, "the class that came is not the most probable one")
})

relation("a column of one value", function() {
  # its distance is 0 from every row: the model without it
  case <- draw_given(formulas = "a + b", kernels = steady_kernels, selectors = setdiff(online_selectors, "knearest"))
  value <- one_of(0, 1, 1e6, -1e-6)
  data <- transform(case$data, b = value)
  parts <- batches(data)
  gp <- learned(case, parts)
  other <- learned(replace(case, "right", "a"), parts)
  same(said(gp, transform(case$new, b = value)), said(other, case$new), if (case$name == "gaussian") 1e-8 else 1e-5, "the prediction")
})

relation("a column of one value, kernel learned", function() {
  case <- draw_case(formulas = c("a + b", "gp(a) + gp(b)", "gp(a, b)"), learned = 1, selectors = "oips")
  value <- one_of(0, 1, 1e6, -1e-6)
  finite_and_quick(case, transform(case$data, b = value), transform(case$new, b = value))
})

relation("x of one value", function() {
  case <- draw_case(formulas = c("a", "gp(a) + b", "a + b"), learned = 0.2, selectors = setdiff(all_selectors, c("grid", "fixed")))
  data <- transform(case$data, a = 3)
  finite_and_quick(case, data, case$new)
})

relation("one row", function() {
  case <- draw_case(setdiff(all_likelihoods, no_interval), formulas = c("a", "a + b", "log(a + 1) + b", "gp(a) + gp(b)"), learned = 0.3,
    selectors = setdiff(all_selectors, "grid"))
  gp <- learned(case, list(case$data[3, ]))
  all_finite(gp, case$new)
  holds(gp$nobs == 1, "the count of rows")
  gp$update(case$data[4, ])
  all_finite(gp, case$new, " after two rows")
})

relation("far away", function() {
  case <- draw_given(setdiff(all_likelihoods, no_interval), c("a", "a + b", "a + g"), steady_kernels, all_selectors)
  gp <- learned(case)
  far <- transform(case$new, a = one_of(-1, 1) * 10^one_of(3, 6, 12, 100))
  p <- predict(gp, far, type = "latent", se.fit = TRUE)
  if (case$name == "heteroscedastic") return()
  mean <- if (is.numeric(case$args$mean)) case$args$mean else 0
  same(p$fit, rep(mean, nrow(far)), 1e-9, "the mean", scale = 1)
  x <- matrix(c(1e3, 0), 1)
  prior <- kernel_matrix(case$args$kernel, x[, 1])
  same(p$se.fit^2, rep(prior, nrow(far)), 1e-9, "the variance")
  holds(all(is.finite(predict(gp, far, interval = "prediction"))), "an interval is not finite")
})

relation("intervals at any spread", function() {
  # whatever the variance of f: an answer, soon, in order
  case <- draw_given(setdiff(all_likelihoods, no_interval), "a", "se", "oips", means = "zero")
  sd <- one_of(0, 0.1, 1, 10, 30, 100, 300) + 1e-3
  note("sd ", sd)
  case$args$kernel <- kernel_se(1, sd^2)
  set.seed(case$seed)
  gp <- do.call(streaming_gp, case$args)
  level <- one_of(0.5, 0.95, 0.999)
  took <- system.time(p <- predict(gp, case$new$a, interval = "prediction", level = level))[["elapsed"]]
  holds(took < 5, "took ", round(took), " s")
  holds(!anyNA(p), "a limit is missing")
  holds(all(p[, "lwr"] <= p[, "upr"]), "limits are in the wrong order")
})

relation("the same rows again and again", function() {
  case <- draw_case(learned = 0.1)
  data <- case$data[c(1:3, rep(4, 30)), ]
  finite_and_quick(case, data, case$new)
})
