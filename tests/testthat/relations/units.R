# Units, origins and signs: the same model, in other words. Powers of 2 are exact in floating point, powers of 10 are rounded.

draw_unit <- function(most = 6) if (chance(0.5)) 2^sample(-20:20, 1) else 10^sample(-most:most, 1)
# Numbers to which any offset below can be added exactly.
coarse <- function(x) round(x * 2^12) / 2^12
# What depends on the unit of y in a law where f moves with y.
in_units <- function(case, unit) {
  args <- case$args
  if (!is.null(args$kernel)) args$kernel <- rescaled_kernel(args$kernel, unit)
  # of Laplace noise it is half the scale
  if (!is.null(args$noise)) args$noise <- args$noise * if (case$name == "laplace") unit else unit^2
  if (is.numeric(args$mean)) args$mean <- args$mean * unit
  if (case$name == "tobit") args$likelihood <- likelihood_tobit(lower = -0.5 * unit)
  replace(case, "args", list(args))
}
rescaled_kernel <- function(kernel, unit) {
  if (is.null(kernel$parts)) {
    kernel$variance <- kernel$variance * unit^2
  } else if (identical(kernel$name, "product")) {
    kernel$parts[[1]] <- rescaled_kernel(kernel$parts[[1]], unit)
  } else {
    kernel$parts <- lapply(kernel$parts, rescaled_kernel, unit)
  }
  kernel
}
unit_kernels <- c("se", "matern12", "matern32", "matern52", "rq", "sum", "product")
# What is learned, and sites that are sought, stop when they change little; by given numbers it is rounding.
learned_tolerance <- function(case) if (case$learns || case$name != "gaussian") 1e-5 else 1e-6
# The guess of what is open, and what is learned, stay relative to the spread of the rows.
relation("y in other units", function() {
  case <- draw_case(setdiff(numeric_likelihoods, "heteroscedastic"), setdiff(plain_formulas, "a + offset(o)"), unit_kernels, setdiff(all_selectors, c("kmeans", "random", "kdpp")),
    learned = 0.2)
  unit <- draw_unit()
  note("unit ", unit)
  parts <- batches(case$data)
  gp <- learned(case, parts)
  other <- learned(in_units(case, unit), lapply(parts, function(part) transform(part, y = y * unit)))
  p <- predict(gp, case$new, interval = "prediction")
  same(predict(other, case$new, interval = "prediction") / unit, p, learned_tolerance(case), "the prediction")
  same(predict(other, case$new, type = "latent", se.fit = TRUE)$se.fit / unit, predict(gp, case$new, type = "latent", se.fit = TRUE)$se.fit,
    learned_tolerance(case), "the standard error")
  same(other$size, gp$size, 0, "the number of points")
})

relation("y in other units, nothing given", function() {
  case <- draw_case(c("gaussian", "student", "laplace", "quantile", "tobit"), c("a", "a + b", "a + g"), learned = 1, selectors = "oips", noise = 0, means = "auto")
  case$args$kernel <- NULL
  unit <- draw_unit()
  note("unit ", unit)
  gp <- learned(case)
  other <- learned(in_units(case, unit), list(transform(case$data, y = y * unit)))
  same(predict(other, case$new, interval = "prediction") / unit, predict(gp, case$new, interval = "prediction"), 1e-5, "the prediction")
})

relation("positive y in other units", function() {
  # f moves by the log of the unit
  case <- draw_case(positive_likelihoods, plain_formulas, unit_kernels, setdiff(all_selectors, c("kmeans", "random", "kdpp")), learned = 0.2,
    means = c("constant", "linear", "auto"))
  unit <- draw_unit()
  note("unit ", unit)
  gp <- learned(case)
  other <- learned(case, list(transform(case$data, y = y * unit)))
  same(predict(other, case$new, interval = "prediction") / unit, predict(gp, case$new, interval = "prediction"), 1e-5, "the prediction")
})

stretched_kernel <- function(kernel, unit) {
  if (!is.null(kernel$parts)) kernel$parts <- lapply(kernel$parts, stretched_kernel, unit) else kernel$lengthscale <- kernel$lengthscale * unit
  kernel
}
relation("x in other units", function() {
  # with the lengthscales, or a kernel that is learned
  case <- draw_case(all_likelihoods, "a", unit_kernels, setdiff(all_selectors, c("kmeans", "random", "kdpp", "fixed")), learned = 0.2)
  unit <- draw_unit()
  note("unit ", unit)
  other <- case
  if (!is.null(case$args$kernel)) other$args$kernel <- stretched_kernel(case$args$kernel, unit)
  turned <- function(data) transform(data, a = a * unit)
  parts <- batches(case$data)
  gp <- learned(case, parts)
  again <- learned(other, lapply(parts, turned))
  same(says(again, turned(case$new), FALSE), says(gp, case$new, FALSE), learned_tolerance(case), "the prediction")
})

relation("y from another origin", function() {
  # a constant or a trend is part of the model; numbers that an offset leaves exact
  case <- draw_case(c("gaussian", "student", "laplace", "quantile", "tobit", "heteroscedastic"), plain_formulas[1:6], unit_kernels,
    setdiff(all_selectors, c("kmeans", "random", "kdpp")), means = c("constant", "linear", "auto"), learned = 0.2)
  by <- one_of(-1, 1) * 2^one_of(3, 10, 20, 30)
  note("offset ", by)
  case$data$y <- coarse(case$data$y)
  other <- case
  if (case$name == "tobit") other$args$likelihood <- likelihood_tobit(lower = -0.5 + by)
  gp <- learned(case)
  again <- learned(other, list(transform(case$data, y = y + by)))
  same(predict(again, case$new, interval = "prediction") - by, predict(gp, case$new, interval = "prediction"), 1e-5 + abs(by) * 1e-15, "the prediction")
})

relation("x from another origin", function() {
  case <- draw_case(all_likelihoods, c("a", "a + g"), setdiff(unit_kernels, "linear"), setdiff(all_selectors, c("kmeans", "random", "kdpp", "fixed")), learned = 0.2)
  # by sites, a kernel is sought in rounds that end after so many steps: rounding moves where (1e-14 in y, 1% of a lengthscale)
  if (case$name != "gaussian") case$args$optimize <- "none"
  by <- one_of(-1, 1) * 2^one_of(3, 10, 20, 30)
  note("offset ", by)
  moved <- function(data) transform(data, a = a + by)
  case$data$a <- coarse(case$data$a)
  case$new$a <- coarse(case$new$a)
  parts <- batches(case$data)
  gp <- learned(case, parts)
  other <- learned(case, lapply(parts, moved))
  same(says(other, moved(case$new), FALSE), says(gp, case$new, FALSE), 1e-5, "the prediction")
})

relation("x from its other end", function() {
  # every kernel of a difference is even
  case <- draw_case(all_likelihoods, c("a", "a + g", "a + b"), unit_kernels, setdiff(all_selectors, c("kmeans", "random", "kdpp", "fixed")), learned = 0.2)
  turned <- function(data) transform(data, a = -a)
  parts <- batches(case$data)
  gp <- learned(case, parts)
  other <- learned(case, lapply(parts, turned))
  same(says(other, turned(case$new), FALSE), says(gp, case$new, FALSE), learned_tolerance(case), "the prediction")
})

relation("y upside down", function() {
  # medians and quartiles, where guesses begin, are order statistics: of 4k + 1 rows the same from both ends
  case <- draw_case(rows = 4 * sample(8:20, 1) + 1, c("gaussian", "student", "laplace", "quantile", "tobit", "heteroscedastic"), plain_formulas, unit_kernels,
    setdiff(all_selectors, c("kmeans", "random", "kdpp")), learned = 0.1)
  other <- case
  if (is.numeric(case$args$mean)) other$args$mean <- -case$args$mean
  if (case$name == "tobit") other$args$likelihood <- likelihood_tobit(upper = 0.5)
  if (case$name == "quantile") other$args$likelihood <- likelihood_quantile(1 - case$args$likelihood$numbers$tau)
  turned <- transform(case$data, y = -y)
  if (grepl("offset", case$right)) {
    turned$o <- -turned$o
    case$new$o <- 0
  }
  gp <- learned(case)
  again <- learned(other, list(turned))
  p <- predict(gp, case$new, interval = "prediction")
  same(predict(again, case$new, interval = "prediction"), -p[, c(1, 3, 2)], 1e-6, "the prediction")
})

relation("classes change their names", function() {
  case <- draw_given(c("bernoulli", "probit", "ordinal"), c("a", "a + b", "a + g"), unit_kernels, setdiff(all_selectors, c("kmeans", "random", "kdpp")))
  levels <- levels(if (is.factor(case$data$y)) case$data$y else factor(case$data$y))
  y <- factor(case$data$y, levels)
  data <- list(transform(case$data, y = factor(y, levels, ordered = case$name == "ordinal")))
  turned <- list(transform(case$data, y = factor(y, rev(levels), ordered = case$name == "ordinal")))
  other <- case
  if (is.numeric(case$args$mean)) other$args$mean <- -case$args$mean
  gp <- learned(case, data)
  again <- learned(other, turned)
  if (case$name == "ordinal") {
    # cuts are of the same line read from its other end only where they are learned alike: the order is what is told
    holds(identical(colnames(predict(again, case$new)), rev(levels)), "the names of classes")
    return()
  }
  same(predict(again, case$new), 1 - predict(gp, case$new), 1e-6, "the chance")
})

relation("categories in another order", function() {
  case <- draw_given("categorical", c("a", "a + b", "a + g"), unit_kernels, setdiff(all_selectors, c("kmeans", "random", "kdpp")))
  gp <- learned(case)
  other <- learned(case, list(transform(case$data, y = factor(y, c("r", "p", "q")))))
  p <- predict(gp, case$new)
  same(predict(other, case$new)[, colnames(p)], p, 1e-5, "the chances")
})

# Two likelihoods that are one law.
relation("one law, two names", function() {
  pair <- one_of(list(
    list("bernoulli", likelihood_bernoulli(), likelihood_binomial(), function(y) as.integer(factor(y)) - 1),
    list("exponential", likelihood_exponential(), likelihood_gamma(1), identity),
    list("exponential", likelihood_exponential(), likelihood_weibull(1), identity),
    list("laplace", likelihood_laplace(), likelihood_quantile(0.5), identity),
    list("bernoulli", likelihood_bernoulli(), "binomial", function(y) as.integer(factor(y)) == 2),
    list("poisson", likelihood_poisson(), "poisson", identity)
  ))
  case <- draw_given(pair[[1]], c("a", "a + b", "a + g"), unit_kernels, setdiff(all_selectors, c("kmeans", "random", "kdpp")), noise = 0)
  note(pair[[1]], ", then ", if (is.character(pair[[3]])) pair[[3]] else format(pair[[3]]))
  gp <- learned(case, likelihood = pair[[2]])
  data <- transform(case$data, y = pair[[4]](y))
  other <- if (is.character(pair[[3]])) learned(case, list(data), likelihood = likelihood_gaussian(), family = get(pair[[3]], asNamespace("stats"))()) else
    learned(case, list(data), likelihood = pair[[3]])
  same(predict(other, case$new, type = "latent", se.fit = TRUE), predict(gp, case$new, type = "latent", se.fit = TRUE), 1e-6, "the prediction")
})

relation("trials one by one", function() {
  case <- draw_given("binomial", c("a", "a + b", "a + g"), steady_kernels, "fixed", lookbacks = Inf)
  gp <- learned(case)
  n <- nrow(case$data)
  ones <- case$data[rep(seq_len(n), 6), ]
  ones$y <- as.numeric(rep(1:6, each = n) <= rep(case$data$y, 6))
  ones$z <- 1 - ones$y
  other <- learned(case, list(ones))
  same(said(at_rest(other), case$new), said(at_rest(gp), case$new), 1e-4, "the prediction")
})

relation("weights and noise", function() {
  # noise / weight is all there is
  case <- draw_given("gaussian", plain_formulas, steady_kernels, setdiff(all_selectors, c("kmeans", "random", "kdpp", "noise")))
  by <- round(stats::runif(1, 0.2, 5), 2)
  weights <- round(stats::runif(nrow(case$data), 0.5, 2), 2)
  gp <- new_model(case)
  gp$update(case$data, weights = weights)
  other <- new_model(case, noise = case$args$noise * by)
  other$update(case$data, weights = weights * by)
  if (case$selector == "greedy") return()
  p <- predict(gp, case$new, se.fit = TRUE)[c("fit", "se.fit")]
  same(predict(other, case$new, se.fit = TRUE)[c("fit", "se.fit")], p, 1e-7, "the prediction")
})
