# Random models with rows for them: likelihood x formula x kernel x selector x settings.

draw_rows <- function(n = sample(30:90, 1)) {
  words <- c("u", "v", "w")
  data <- data.frame(
    a = round(stats::runif(n, 0, 10), 4), b = round(stats::rnorm(n), 4), g = factor(sample(words, n, TRUE), words),
    o = round(stats::runif(n, 0, 1), 4)
  )
  data$g[1:3] <- words # the first batch has them all
  data
}
draw_function <- function(data) sin(data$a) + 0.4 * data$b + 0.5 * (data$g == "u")

# What is observed of a function f: the columns it takes, and the likelihood. `r`: how R has p(y | f), for oracles.
responses <- list(
  gaussian = function(f) list(y = f + stats::rnorm(length(f), sd = 0.2), likelihood = likelihood_gaussian()),
  student = function(f) {
    list(y = f + 0.2 * stats::rt(length(f), 3), likelihood = one_of(list(likelihood_student(), likelihood_student(4))))
  },
  laplace = function(f) list(y = f + 0.2 * stats::rexp(length(f)) * sample(c(-1, 1), length(f), TRUE),
    likelihood = likelihood_laplace()),
  quantile = function(f) list(y = f + stats::rnorm(length(f), sd = 0.2), likelihood = likelihood_quantile(one_of(0.3, 0.5, 0.9))),
  tobit = function(f) list(y = pmax(f + stats::rnorm(length(f), sd = 0.2), -0.5), likelihood = likelihood_tobit(lower = -0.5)),
  heteroscedastic = function(f) {
    list(y = f + stats::rnorm(length(f), sd = 0.1 + 0.2 * (f > 0)), likelihood = likelihood_heteroscedastic())
  },
  bernoulli = function(f) {
    y <- c(0, 1, stats::rbinom(length(f) - 2, 1, stats::plogis(2 * f[-(1:2)])))
    list(y = if (chance(0.5)) y else factor(c("no", "yes")[y + 1]), likelihood = likelihood_bernoulli())
  },
  probit = function(f) {
    list(y = c(0, 1, stats::rbinom(length(f) - 2, 1, stats::pnorm(f[-(1:2)]))), likelihood = likelihood_bernoulli("probit"))
  },
  binomial = function(f) {
    k <- stats::rbinom(length(f), 6, stats::plogis(f))
    list(y = k, z = 6 - k, left = "cbind(y, z)", likelihood = likelihood_binomial())
  },
  ordinal = function(f) {
    y <- cut(f + stats::rlogis(length(f), scale = 0.2), c(-Inf, -0.3, 0.6, Inf), c("low", "mid", "high"), ordered_result = TRUE)
    y[1:3] <- c("low", "mid", "high")
    list(y = y, likelihood = likelihood_ordinal())
  },
  categorical = function(f) {
    y <- factor(c("p", "q", "r")[1 + (f > -0.2) + (f + stats::rnorm(length(f), sd = 0.3) > 0.6)], c("p", "q", "r"))
    y[1:3] <- c("p", "q", "r")
    list(y = y, likelihood = likelihood_categorical())
  },
  poisson = function(f) list(y = stats::rpois(length(f), exp(1 + f / 2)), likelihood = likelihood_poisson()),
  negbin = function(f) {
    list(y = stats::rnbinom(length(f), size = 3, mu = exp(1 + f / 2)),
      likelihood = one_of(list(likelihood_negbin(), likelihood_negbin(3))))
  },
  gamma = function(f) {
    list(y = stats::rgamma(length(f), 3, 3 / exp(f)), likelihood = one_of(list(likelihood_gamma(), likelihood_gamma(3))))
  },
  exponential = function(f) list(y = stats::rexp(length(f), exp(-f)), likelihood = likelihood_exponential()),
  weibull = function(f) {
    list(y = stats::rweibull(length(f), 2, exp(f)), likelihood = one_of(list(likelihood_weibull(), likelihood_weibull(2))))
  }
)
all_likelihoods <- names(responses)
numeric_likelihoods <- c("gaussian", "student", "laplace", "quantile", "tobit", "heteroscedastic")
positive_likelihoods <- c("gamma", "exponential", "weibull")
class_likelihoods <- c("bernoulli", "probit", "ordinal", "categorical")
no_interval <- c("ordinal", "categorical")
given_noise <- c("gaussian", "student", "laplace")

all_formulas <- c("a", "a + b", "a + g", "a + b + g", "log(a + 1) + b", "I(a^2) + b", "a * b", "poly(a, 2)", "a + offset(o)",
  "gp(a) + gp(b)", "gp(a, b) + g", "gp(a) + b", "trend(a) + gp(b)", "season(a, 3) + trend(a, walk = FALSE)")
special_formula <- function(right) grepl("gp\\(|season\\(|trend\\(", right)

all_kernels <- c("se", "matern12", "matern32", "matern52", "rq", "sum", "product", "periodic", "linear", "columns", "ard", "gibbs")
draw_kernel <- function(name) {
  l <- round(stats::runif(1, 0.8, 3), 2)
  switch(name,
    se = kernel_se(l, 1), matern12 = kernel_matern12(3 * l, 1), matern32 = kernel_matern32(l, 1),
    matern52 = kernel_matern52(l, 1.5), rq = kernel_rq(l, 1, alpha = 2), sum = kernel_se(2 * l, 1) + kernel_matern12(l, 0.2),
    product = kernel_se(2 * l, 1) * kernel_matern32(l, 1), periodic = kernel_periodic(3, 1, 0.5, columns = 1) + kernel_se(l, 1),
    sum_smooth = kernel_se(2 * l, 1) + kernel_rq(l, 0.2, alpha = 2), product_smooth = kernel_se(2 * l, 1) * kernel_se(3 * l, 1),
    linear = kernel_linear(0.2) + kernel_se(l, 1), columns = kernel_se(l, 1, columns = 1) + kernel_matern52(2 * l, 0.5),
    ard = kernel_se(rep(l, 2), 1), gibbs = kernel_gibbs(l, 1, knots = c(2, 8), values = 0.3, along = 1) + kernel_se(2 * l, 0.3)
  )
}

# Whose choice does not depend on how rows are cut, and the others.
online_selectors <- c("oips", "noise", "variance", "knearest")
all_selectors <- c(online_selectors, "support", "full", "grid", "kmeans", "random", "greedy", "kdpp", "fixed")
draw_selector <- function(name, data, D) {
  switch(name,
    oips = select_oips(one_of(0.6, 0.8, 0.95)), noise = select_noise(one_of(0.1, 1)), variance = select_variance(one_of(0.02, 0.2)),
    knearest = select_knearest(2, 0.8), support = select_oips(0.8, support = 2), full = select_oips(0.9, max_points = 12),
    grid = select_grid(2^D * 2), kmeans = select_kmeans(12), random = select_random(12),
    greedy = select_greedy(12, one_of("bound", "variance")), kdpp = select_kdpp(12),
    fixed = select_fixed(cbind(seq(0, 10, length.out = 12), rep(c(-1, 0.5, 1.5), 4), matrix(0.4, 12, 3))[, seq_len(D), drop = FALSE])
  )
}

# A model that can be made again and again: `left ~ right` on `data`, `new` rows to predict at, `args` of streaming_gp().
draw_case <- function(likelihoods = all_likelihoods, formulas = all_formulas, kernels = all_kernels, selectors = all_selectors,
                      learned = 0.08, lookbacks = c(0, 5, 20, 100, Inf), means = c("zero", "number", "constant", "linear", "auto"),
                      noise = 0.7, rows = NULL) {
  data <- if (is.null(rows)) draw_rows() else draw_rows(rows)
  name <- one_name(likelihoods)
  response <- responses[[name]](draw_function(data))
  data$y <- if (is.numeric(response$y) && name %in% numeric_likelihoods) round(response$y, 5) else response$y
  if (!is.null(response$z)) data$z <- response$z
  # neither Gaussian noise nor classes have an offset, and trend() is the mean
  right <- one_name(if (name %in% c("gaussian", "categorical")) setdiff(formulas, "a + offset(o)") else formulas)
  learns <- chance(learned)
  D <- c(a = 1, "a + b" = 2, "a + g" = 4, "a + b + g" = 5, "log(a + 1) + b" = 2, "I(a^2) + b" = 2, "a * b" = 3, "poly(a, 2)" = 2,
    "a + offset(o)" = 1)[right]
  free <- special_formula(right) || learns
  kernel <- if (!free) one_name(if (D == 2) kernels else setdiff(kernels, "ard"))
  select <- one_name(if (free) intersect(selectors, c("oips", "noise", "variance", "support", "full")) else selectors)
  if (length(select) == 0 || is.na(select)) select <- one_name(online_selectors[1:3])
  lookback <- one_of(lookbacks)
  if (select == "support") lookback <- max(lookback, 20)
  mean <- if (grepl("trend", right)) "auto" else one_name(means)
  args <- list(
    kernel = if (!free) draw_kernel(kernel), likelihood = response$likelihood, lookback = lookback,
    select = if (free && chance(0.5)) select_oips() else draw_selector(select, data, if (is.na(D)) 2 else D),
    mean = if (mean == "number") 0.3 else mean, optimize = if (learns) one_of("online", "warmup") else "none",
    noise = if (name %in% given_noise && chance(noise)) 0.05
  )
  # a scale of the likelihood says the same as `noise`
  if (name == "student" && !is.null(args$likelihood$dispersion)) args$noise <- NULL
  left <- if (is.null(response$left)) "y" else response$left
  case <- list(
    name = name, left = left, right = right, data = data, args = args, learns = learns, selector = select, kernel = kernel,
    new = draw_rows(8), seed = sample.int(1e6, 1)
  )
  note(left, " ~ ", right, "; ", name, "; kernel ", if (is.null(kernel)) "open" else kernel, "; ", format(args$select), "; lookback ",
    lookback, "; mean ", mean, "; ", args$optimize, "; noise ", if (is.null(args$noise)) "open" else args$noise, "; ", nrow(data), " rows")
  case
}

formula_of <- function(case) stats::as.formula(paste(case$left, "~", case$right), env = globalenv())

# Selectors that draw begin from the same seed.
new_model <- function(case, ...) {
  set.seed(case$seed)
  args <- c(list(formula = formula_of(case)), case$args)
  changed <- list(...)
  args[names(changed)] <- changed
  do.call(streaming_gp, args)
}
learned <- function(case, parts = list(case$data), ...) learn(new_model(case, ...), parts)
learn <- function(gp, parts) {
  for (part in parts) gp$update(part)
  gp
}

# Everything given, so that what is computed is a sum over rows: nothing depends on the first batch.
draw_given <- function(..., noise = 1, means = c("zero", "number"), learned = 0) {
  draw_case(..., noise = noise, means = means, learned = learned)
}
plain_formulas <- c("a", "a + b", "a + g", "a + b + g", "log(a + 1) + b", "a * b", "a + offset(o)")
steady_kernels <- c("se", "matern12", "matern32", "matern52", "rq", "sum", "product")

# The model itself, without where it was made and how long it took.
bytes <- function(gp) as.list(gp)$core
# What it says about `new` rows.
says <- function(gp, new, count = TRUE) {
  p <- predict(gp, new, se.fit = TRUE, type = "latent")
  name <- gp$likelihood$name
  out <- list(fit = p$fit, se = p$se.fit)
  if (!name %in% no_interval) out$interval <- predict(gp, new, interval = "prediction")
  if (name != "quantile") out$response <- predict(gp, new)
  if (count) c(out, list(objective = gp$objective, nobs = gp$nobs, size = gp$size)) else out
}
