# What is said in several ways: densities, intervals, moments, slopes, parts, scores.

# p(y | f) as R has it, for rows of y; `gp` has the parameters. NULL: none here.
density_given <- function(gp, name, y, f) {
  p <- unlist(gp$likelihood$numbers)
  one <- function(which, otherwise = NULL) if (which %in% names(p)) p[[which]] else otherwise
  s <- sqrt(gp$noise)
  switch(name,
    gaussian = stats::dnorm(y, f, s), student = stats::dt((y - f) / s, one("df")) / s,
    laplace = exp(-abs(y - f) / (2 * gp$noise)) / (4 * gp$noise),
    bernoulli = stats::plogis(if (y == 1) f else -f), probit = stats::pnorm(if (y == 1) f else -f),
    binomial = stats::dbinom(y, 6, stats::plogis(f)), poisson = stats::dpois(y, exp(f)), negbin = stats::dnbinom(y, size = one("size"), mu = exp(f)),
    gamma = stats::dgamma(y, one("shape"), one("shape") / exp(f)), exponential = stats::dexp(y, exp(-f)),
    weibull = stats::dweibull(y, one("shape"), exp(f))
  )
}
over_f <- function(mean, sd, integrand) {
  stats::integrate(function(f) integrand(f) * stats::dnorm(f, mean, sd), mean - 9 * sd, mean + 9 * sd, rel.tol = 1e-9, subdivisions = 2000)$value
}
with_density <- setdiff(all_likelihoods, c("tobit", "quantile", "heteroscedastic", "ordinal", "categorical"))

relation("score() is the density of predict()", function() {
  case <- draw_case(with_density)
  gp <- learned(case)
  rows <- case$data[sample(nrow(case$data), 3), ]
  p <- predict(gp, rows, type = "latent", se.fit = TRUE)
  y <- if (is.factor(rows$y)) as.integer(rows$y) - 1 else rows$y
  density <- mapply(function(y, m, s) over_f(m, s, function(f) density_given(gp, case$name, y, f)), y, p$fit, p$se.fit)
  same(gp$score(rows)$log_density, log(density), 1e-5, "the log density", scale = 1) # the core's quadrature
})

relation("a Gaussian model in R's words", function() {
  case <- draw_case("gaussian", learned = 0)
  case$args$calibrate <- FALSE
  gp <- learned(case)
  rows <- case$data[sample(nrow(case$data), 4), ]
  level <- round(stats::runif(1, 0.5, 0.99), 2)
  p <- predict(gp, rows, se.fit = TRUE, cov = TRUE)
  sd <- sqrt(p$se.fit^2 + gp$noise)
  z <- stats::qnorm((1 + level) / 2)
  same(p$residual.scale, sqrt(gp$noise), 1e-14, "the scale")
  same(diag(p$cov), p$se.fit^2, 1e-8, "the variances", scale = 1e-3)
  same(predict(gp, rows, interval = "confidence", level = level), cbind(p$fit, p$fit - z * p$se.fit, p$fit + z * p$se.fit), 1e-10, "confidence")
  same(predict(gp, rows, interval = "prediction", level = level), cbind(p$fit, p$fit - z * sd, p$fit + z * sd), 1e-10, "prediction")
  s <- gp$score(rows)
  same(s$log_density, stats::dnorm(rows$y, p$fit, sd, log = TRUE), 1e-10, "the log density", scale = 1)
  same(s$z, (rows$y - p$fit) / sd, 1e-10, "z", scale = 1)
  same(s$p, 2 * stats::pnorm(-abs(s$z)), 1e-10, "p")
  C <- p$cov + diag(gp$noise, 4)
  joint <- -2 * log(2 * pi) - determinant(C)$modulus / 2 - sum((rows$y - p$fit) * solve(C, rows$y - p$fit)) / 2
  same(sum(gp$score(rows, joint = TRUE)$log_density), joint, 1e-8, "the joint density", scale = 1)
})

relation("intervals are quantiles", function() {
  case <- draw_case(c("gaussian", "student", "laplace", "quantile", "heteroscedastic", positive_likelihoods), learned = 0)
  case$args$calibrate <- FALSE
  gp <- learned(case)
  level <- round(stats::runif(1, 0.5, 0.99), 2)
  limits <- predict(gp, case$new, interval = "prediction", level = level)
  for (side in c("lwr", "upr")) {
    same(gp$score(transform(case$new, y = limits[, side]))$p, rep(1 - level, nrow(limits)), 1e-5, paste("the probability beyond", side))
  }
  wider <- predict(gp, case$new, interval = "prediction", level = (1 + level) / 2)
  holds(all(wider[, "lwr"] <= limits[, "lwr"] & wider[, "upr"] >= limits[, "upr"]), "a wider level has a narrower interval")
})

relation("intervals of counts", function() {
  # the narrowest central interval: at most (1 - level) / 2 beyond each end, and more than that with the end
  case <- draw_case(c("poisson", "negbin", "bernoulli", "probit"), learned = 0)
  gp <- learned(case)
  level <- round(stats::runif(1, 0.5, 0.99), 2)
  limits <- predict(gp, case$new, interval = "prediction", level = level)
  holds(all(limits[, "lwr"] >= 0 & limits == cbind(limits[, 1], round(limits[, -1]))), "a limit is no count")
  for (i in 1:2) {
    if (case$name %in% c("bernoulli", "probit")) break
    mass <- exp(gp$score(transform(case$new[rep(i, limits[i, "upr"] + 1), ], y = seq(0, limits[i, "upr"])))$log_density)
    below <- cumsum(mass)
    lower <- limits[i, "lwr"]
    tail <- (1 - level) / 2
    holds(lower == 0 || below[lower] < tail + 1e-6, "the lower limit is too high")
    holds(below[lower + 1] >= tail - 1e-6, "the lower limit is too low")
    holds(below[limits[i, "upr"] + 1] >= 1 - tail - 1e-6, "the upper limit is too low")
    holds(limits[i, "upr"] == 0 || below[limits[i, "upr"]] < 1 - tail + 1e-6, "the upper limit is too high")
  }
})

relation("means are averages of the response", function() {
  case <- draw_case(c("bernoulli", "probit", "poisson", "negbin", "gamma", "exponential", "weibull", "binomial"))
  gp <- learned(case)
  new <- case$new[1:3, ]
  p <- predict(gp, new, type = "latent", se.fit = TRUE)
  shape <- unlist(gp$likelihood$numbers)["shape"]
  mean_of <- function(f) {
    switch(case$name, bernoulli = , binomial = stats::plogis(f), probit = stats::pnorm(f), weibull = exp(f) * gamma(1 + 1 / shape), exp(f))
  }
  # where exp() of it is an average of what 9 standard deviations off is
  if (max(p$se.fit) > 3) return()
  expected <- mapply(function(m, s) over_f(m, s, mean_of), p$fit, p$se.fit)
  same(predict(gp, new), expected, 1e-5, "the mean")
  limits <- predict(gp, new, interval = "confidence", level = 0.9)
  same(limits[, -1], mean_of(cbind(p$fit - stats::qnorm(0.95) * p$se.fit, p$fit + stats::qnorm(0.95) * p$se.fit)), 1e-5, "its interval")
})

relation("chances of classes", function() {
  case <- draw_case(c("ordinal", "categorical", "bernoulli"))
  gp <- learned(case)
  p <- predict(gp, case$new)
  best <- predict(gp, case$new, type = "class")
  if (case$name == "bernoulli") {
    holds(all(p >= 0 & p <= 1), "a chance is none")
    second <- (p > 0.5)[abs(p - 0.5) > 1e-9]
    holds(identical(unname(as.integer(factor(best)) * 0 + second), second * 1), "classes")
    return()
  }
  same(rowSums(p), rep(1, nrow(p)), 1e-9, "the sum of chances")
  holds(all(p >= 0), "a negative chance")
  holds(identical(as.character(best), colnames(p)[max.col(p, "first")]), "the class is not the most probable one")
  rows <- case$data[1:3, ]
  same(gp$score(rows)$log_density, log(predict(gp, rows)[cbind(1:3, match(as.character(rows$y), colnames(p)))]), 1e-9, "the log score", scale = 1)
})

relation("draws have these moments", function() {
  # 5.5 standard errors: one case in 10^7 lies beyond
  case <- draw_case(setdiff(all_likelihoods, "categorical"))
  gp <- learned(case)
  new <- case$new[1:4, ]
  p <- predict(gp, new, type = "latent", se.fit = TRUE, cov = case$name != "heteroscedastic")
  n <- 4000
  draws <- t(as.matrix(simulate(gp, n, seed = case$seed, newdata = new)))
  mean <- as.matrix(p$fit)[, 1]
  se <- as.matrix(p$se.fit)[, 1]
  holds(all(abs(colMeans(draws) - mean) <= 5.5 * se / sqrt(n) + 1e-9), "the mean of draws")
  holds(all(abs(apply(draws, 2, stats::sd) / pmax(se, 1e-9) - 1) <= 5.5 / sqrt(2 * n)) || any(se < 1e-6), "the standard deviation of draws")
  if (is.null(p$cov)) return()
  off <- abs(stats::cor(draws) - stats::cov2cor(p$cov))
  holds(all(off <= 5.5 / sqrt(n)) || any(se < 1e-6), "the correlation of draws")
})

relation("slopes are differences", function() {
  # central differences: the error is of order h^2 of the third derivative, and rounding / h
  case <- draw_given(kernels = c("se", "rq", "sum_smooth", "matern52", "product_smooth"), formulas = c("a", "a + b", "a + g"), selectors = all_selectors)
  gp <- learned(case)
  h <- 1e-4
  at <- function(by) predict(gp, transform(case$new, a = a + by), type = "latent")
  slope <- predict(gp, case$new, deriv = "a")
  scale <- max(abs(slope), 1e-2)
  same(as.matrix(slope)[, 1], as.matrix((at(h) - at(-h)) / (2 * h))[, 1], 2e-5, "the slope", scale = scale)
  if (case$name %in% c("categorical", "heteroscedastic")) return()
  h <- 5e-3
  pair <- case$new[c(1, 1), ]
  pair$a <- pair$a + c(h, -h)
  C <- predict(gp, pair, type = "latent", cov = TRUE)$cov
  p <- predict(gp, case$new[1, ], deriv = "a", se.fit = TRUE, cov = TRUE)
  same(p$cov, p$se.fit^2, 1e-8, "the variance of a slope")
  if (case$kernel != "matern52") same(p$se.fit^2, (C[1, 1] + C[2, 2] - 2 * C[1, 2]) / (4 * h^2), 1e-3, "the variance of a slope", scale = 0.01)
})

relation("parts add up", function() {
  case <- draw_case(setdiff(all_likelihoods, "categorical"))
  gp <- learned(case)
  parts <- components(gp, case$new, cov = TRUE, centred = chance(0.5))
  p <- predict(gp, case$new, type = "latent", se.fit = TRUE)
  same(tapply(parts$fit, parts$row, sum), as.matrix(p$fit)[, 1], 1e-8, "the sum", scale = 1)
  if (case$name == "heteroscedastic") return()
  cov <- attr(parts, "cov")
  total <- apply(cov, which(dim(cov) == nrow(case$new))[1], sum)
  # parts that the rows cannot tell apart have variances far above that of their sum
  same(total, p$se.fit^2, 1e-7, "the variance of the sum", scale = max(abs(cov)))
})

relation("expected improvement", function() {
  case <- draw_case(setdiff(all_likelihoods, c("heteroscedastic", "categorical")))
  gp <- learned(case)
  p <- predict(gp, case$new, type = "latent", se.fit = TRUE)
  best <- round(stats::rnorm(1), 2)
  lower <- chance(0.5)
  gain <- if (lower) best - p$fit else p$fit - best
  z <- gain / p$se.fit
  same(expected_improvement(gp, case$new, best, lower), p$se.fit * (z * stats::pnorm(z) + stats::dnorm(z)), 1e-6, "the improvement", scale = 1e-3)
  if (!grepl("offset", case$right)) holds(all(expected_improvement(gp, case$new, minimize = lower) >= 0), "a negative improvement")
})

relation("covariances of parts are parts", function() {
  case <- draw_case(setdiff(all_likelihoods, c("categorical", "heteroscedastic")))
  gp <- learned(case)
  C <- predict(gp, case$new, cov = TRUE, type = "latent")$cov
  few <- sort(sample(nrow(case$new), 3))
  same(predict(gp, case$new[few, ], cov = TRUE, type = "latent")$cov, C[few, few], 1e-8, "a part", scale = max(C) * 1e-2)
  same(C, t(C), 1e-12, "its transpose")
  holds(min(eigen(C, TRUE, TRUE)$values) >= -1e-8 * max(C), "a negative eigenvalue")
})

relation("before any row", function() {
  case <- draw_given(setdiff(all_likelihoods, no_interval), "a", steady_kernels, online_selectors, means = "number")
  set.seed(case$seed)
  gp <- do.call(streaming_gp, case$args)
  p <- predict(gp, case$new$a, type = "latent", se.fit = TRUE)
  if (case$name == "heteroscedastic") return()
  same(p$fit, rep(0.3, nrow(case$new)), 1e-12, "the mean")
  same(p$se.fit, sqrt(diag(kernel_matrix(case$args$kernel, case$new$a))), 1e-12, "the standard deviation")
})

relation("points at every row: the exact process", function() {
  case <- draw_given("gaussian", c("a", "a + b"), c(steady_kernels, "periodic"), "fixed", means = "number", rows = 30)
  columns <- strsplit(case$right, " + ", fixed = TRUE)[[1]]
  x <- as.matrix(case$data[columns])
  case$args$select <- select_fixed(unname(x))
  # a point that is a combination of the others up to rounding is refused: its row is not at a point, and left out
  joined <- learned(case)$points
  at_point <- match(asplit(x, 1), asplit(joined, 1))
  case$data <- case$data[!is.na(at_point), ]
  x <- x[!is.na(at_point), , drop = FALSE]
  gp <- learned(case, batches(case$data))
  holds(gp$size == nrow(unique(x)), "points at ", gp$size, " of ", nrow(unique(x)), " places")
  K <- kernel_matrix(case$args$kernel, x)
  at <- as.matrix(case$new[columns])
  k <- kernel_matrix(case$args$kernel, x, at)
  A <- solve(K + diag(0.05, nrow(K)))
  p <- predict(gp, case$new, se.fit = TRUE)
  same(p$fit, 0.3 + crossprod(k, A %*% (case$data$y - 0.3)), 1e-6, "the mean")
  same(p$se.fit^2, diag(kernel_matrix(case$args$kernel, at)) - diag(crossprod(k, A %*% k)), 1e-6, "the variance", scale = 1)
})

relation("the bound of a batch", function() {
  case <- draw_given("gaussian", plain_formulas, steady_kernels)
  parts <- batches(case$data)
  gp <- learned(case, parts[-length(parts)])
  if (length(parts) < 2) return()
  before <- gp$objective
  said <- gp$bound(parts[[length(parts)]])
  same(sum(said$terms) + said$points, said$bound, 1e-6, "the terms", scale = 1)
  gp$update(parts[[length(parts)]])
  same(said$bound, gp$objective - before, 1e-6, "the rise of the objective", scale = 1)
})

relation("kernels add and multiply", function() {
  k <- lapply(c(one_name(all_kernels), one_name(all_kernels)), draw_kernel)
  x <- cbind(stats::runif(7, 0, 10), stats::rnorm(7))
  z <- cbind(stats::runif(4, 0, 10), stats::rnorm(4))
  K <- lapply(k, kernel_matrix, x, z)
  same(kernel_matrix(k[[1]] + k[[2]], x, z), K[[1]] + K[[2]], 1e-12, "the sum")
  same(kernel_matrix(k[[2]] + k[[1]], x, z), K[[1]] + K[[2]], 1e-12, "the other sum")
  same(kernel_matrix(k[[1]] * k[[2]], x, z), K[[1]] * K[[2]], 1e-12, "the product")
  C <- kernel_matrix(k[[1]], x)
  same(C, t(C), 1e-14, "the transpose")
  holds(min(eigen(C, TRUE, TRUE)$values) > -1e-10 * max(C), "a negative eigenvalue")
})
