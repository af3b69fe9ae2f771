# Several outputs of the same rows.

# Two outputs in different units, with noise of their own; a share of the second is missing, and few of the first.
pair_data <- function(n, share = 0, seed = 1) {
  with_seed(seed, {
    x <- runif(n, 0, 10)
    data <- data.frame(x = x, u = sin(x) + rnorm(n, sd = 0.1), v = 50 + 4 * cos(0.7 * x) + rnorm(n, sd = 1.5))
    data$v[runif(n) < share] <- NA
    data$u[!is.na(data$v) & runif(n) < share / 5] <- NA
    data
  })
}

with_seed <- function(seed, expr) {
  before <- if (exists(".Random.seed", globalenv())) get(".Random.seed", globalenv())
  on.exit(if (!is.null(before)) assign(".Random.seed", before, globalenv()))
  set.seed(seed)
  expr
}

fixed_model <- function(formula, noise, mean, ...) {
  streaming_gp(
    formula, kernel = kernel_se(1.4, 2), noise = noise, mean = mean, lookback = 30, optimize = "none",
    select = select_fixed(cbind(x = seq(0, 10, length.out = 12))), ...
  )
}

at <- data.frame(x = c(-1, 0.3, 2, 5.5, 9.9, 11))

test_that("[derivation 21] two outputs are two models with the same points, missing values left out", {
  for (share in c(0, 0.3)) {
    data <- pair_data(200, share)
    two <- fixed_model(cbind(u, v) ~ x, c(u = 0.02, v = 2.5), c(u = 0.1, v = 49))
    for (i in split(1:200, rep(1:8, 25))) two$update(data[i, ])
    first <- fixed_model(u ~ x, 0.02, 0.1)
    second <- fixed_model(v ~ x, 2.5, 49)
    order <- unlist(split(1:200, rep(1:8, 25)))
    first$update(data[order, ][!is.na(data$u[order]), ])
    second$update(data[order, ][!is.na(data$v[order]), ])
    expect_equal(predict(two, at), cbind(u = predict(first, at), v = predict(second, at)), tolerance = 1e-10)
    expect_equal(two$objective, first$objective + second$objective, tolerance = 1e-10)
    found <- predict(two, at, se.fit = TRUE, cov = TRUE)
    alone <- predict(second, at, se.fit = TRUE, cov = TRUE)
    expect_equal(found$se.fit[, "v"], alone$se.fit, tolerance = 1e-10)
    expect_equal(found$cov[, , "v"], alone$cov, tolerance = 1e-9)
    expect_equal(found$residual.scale, c(u = sqrt(0.02), v = sqrt(2.5)))
  }
})

test_that("predictions, scores and draws have a column or a slice an output", {
  data <- pair_data(150, 0.2)
  two <- fixed_model(cbind(u, v) ~ x, c(v = 2.5, u = 0.02), 0, na_action = "omit")
  two$update(data)
  row.names(at) <- letters[1:6]
  fit <- predict(two, at)
  expect_identical(dimnames(fit), list(letters[1:6], c("u", "v")))
  limits <- predict(two, at, interval = "prediction", level = 0.9)
  expect_identical(dim(limits), c(6L, 3L, 2L))
  expect_identical(dimnames(limits), list(letters[1:6], c("fit", "lwr", "upr"), c("u", "v")))
  expect_identical(limits[, "fit", ], fit)
  found <- predict(two, at, se.fit = TRUE)
  expect_equal(limits[, "upr", "u"] - limits[, "fit", "u"], qnorm(0.95) * sqrt(found$se.fit[, "u"]^2 + 0.02))
  expect_identical(predict(two, at, type = "latent"), fit)
  with_gap <- predict(two, data.frame(x = c(1, NA)), interval = "confidence")
  expect_true(all(is.na(with_gap[2, , ])) && !anyNA(with_gap[1, , ]))

  scores <- two$score(data[1:4, ])
  expect_identical(names(scores), c("output", "row", "mean", "sd", "z", "p", "log_density"))
  expect_identical(scores$row, rep(1:4, 2))
  expect_identical(levels(scores$output), c("u", "v"))
  expect_identical(is.na(scores$z), is.na(c(data$u[1:4], data$v[1:4])))
  expect_equal(scores$mean[!is.na(scores$mean)], as.vector(predict(two, data[1:4, ]))[!is.na(scores$mean)])

  draws <- simulate(two, 3, seed = 1, newdata = at)
  expect_identical(dim(draws), c(6L, 3L, 2L))
  expect_identical(draws, simulate(two, 3, seed = 1, newdata = at))
  expect_identical(dimnames(draws)[[3]], c("u", "v"))

  parts <- components(two, at)
  expect_equal(as.vector(tapply(parts$fit, list(parts$row, parts$output), sum)), as.vector(unname(fit)), tolerance = 1e-10)
  expect_identical(names(two$posterior), c("u", "v"))
  expect_identical(names(two$noise), c("u", "v"))
  expect_equal(sigma(two), sqrt(c(u = 0.02, v = 2.5)))
  expect_equal(coef(two)[c("variance.u", "lengthscale", "noise.v", "mean.u")],
    c(variance.u = 2, lengthscale = 1.4, noise.v = 2.5, mean.u = 0))
  if (requireNamespace("generics", quietly = TRUE)) {
    expect_identical(nrow(generics::glance(two)), 1L)
    expect_true(all(c(".fitted.u", ".upper.v", ".resid.v") %in% names(generics::augment(two, data))))
    expect_identical(generics::tidy(two)$term, names(coef(two)))
  }
})

test_that("a matrix without names, names in another order, and a matrix of one column", {
  data <- pair_data(60)
  y <- unname(as.matrix(data[c("u", "v")]))
  plain <- streaming_gp(kernel = kernel_se(1.4, 2), noise = 0.1, mean = 0, optimize = "none")
  plain$update(data$x, y)
  expect_identical(colnames(predict(plain, 1:3)), c("y1", "y2"))
  named <- streaming_gp(kernel = kernel_se(1.4, 2), noise = 0.1, mean = 0, optimize = "none")
  named$update(data$x[1:30], data[1:30, c("u", "v")])
  named$update(data$x[31:60], as.matrix(data[31:60, c("v", "u")]))
  named$update(data$x[0], y[0, ])
  again <- streaming_gp(kernel = kernel_se(1.4, 2), noise = 0.1, mean = 0, optimize = "none")
  again$update(data$x[1:30], data[1:30, c("u", "v")])
  again$update(data$x[31:60], y[31:60, ])
  expect_identical(predict(again, 1:3), predict(named, 1:3))
  one <- streaming_gp(kernel = kernel_se(1.4, 2), noise = 0.1, mean = 0, optimize = "none")$update(data$x, data$u)
  column <- streaming_gp(kernel = kernel_se(1.4, 2), noise = 0.1, mean = 0, optimize = "none")$update(data$x, cbind(u = data$u))
  expect_identical(as.list(column), as.list(one))
  expect_null(dim(predict(column, 1:3)))
  prior <- predict(fixed_model(cbind(u, log(v)) ~ x, 0.1, c(u = 1, `log(v)` = 2)), at, se.fit = TRUE)
  expect_equal(prior$fit, matrix(c(1, 2), 6, 2, byrow = TRUE, dimnames = list(NULL, c("u", "log(v)"))))
  expect_equal(unname(prior$se.fit), matrix(sqrt(2), 6, 2))
  before <- fixed_model(cbind(u, v) ~ x, c(u = 0.1, v = 2), 0)$score(data[1:2, ])
  expect_equal(before$sd, sqrt(2 + c(0.1, 0.1, 2, 2)))
})

test_that("streams of several outputs: any cut, copies and files, shards, unlearning", {
  data <- pair_data(240, 0.3)
  fed <- function(by, rows = 1:240) {
    gp <- fixed_model(cbind(u, v) ~ x, c(u = 0.02, v = 2.5), 0)
    for (i in split(rows, ceiling(seq_along(rows) / by))) gp$update(data[i, ])
    gp
  }
  gp <- fed(240)
  expect_equal(predict(fed(1), at), predict(gp, at), tolerance = 1e-10)
  expect_equal(predict(fed(37), at), predict(gp, at), tolerance = 1e-10)

  file <- tempfile()
  on.exit(unlink(file))
  save_gp(gp, file)
  rds <- tempfile()
  saveRDS(gp, rds)
  for (twin in list(load_gp(file), gp$copy(), readRDS(rds), streaming_gp_restore(as.list(gp)))) {
    expect_identical(predict(twin, at, interval = "prediction"), predict(gp, at, interval = "prediction"))
    expect_identical(as.list(twin$update(data[1:20, ]))$core, as.list(gp$copy()$update(data[1:20, ]))$core)
  }
  before <- as.list(gp)
  gp$update(data[0, ])
  expect_identical(as.list(gp), before)

  first <- fed(60, 1:120)
  part <- shard(first)
  part$update(data[121:240, ])
  both <- merge(first, part)
  expect_equal(predict(both, at), predict(gp, at), tolerance = 1e-10)
  expect_equal(both$objective, gp$objective, tolerance = 1e-10)

  less <- gp$copy()$unlearn(data[c(5, 235), ], at = c(35, NA))
  expect_equal(predict(less, at), predict(fed(30, setdiff(1:240, c(5, 235))), at), tolerance = 1e-8)
  expect_error(gp$copy()$unlearn(transform(data[236, ], u = u + 1)), class = "gpstream_error_unlearn")
  gp$noise <- c(v = 4, u = 0.5)
  expect_identical(gp$noise, c(u = 0.5, v = 4))
  gp$mean <- 1
  expect_identical(gp$mean, c(u = 1, v = 1))
})

test_that("[derivation 21] the default call has honest noise and intervals for each output", {
  for (share in c(0, 0.3)) {
    data <- pair_data(900, share, seed = 3)
    gp <- streaming_gp(cbind(u, v) ~ x, data[1:700, ])
    for (i in split(701:900, rep(1:4, each = 50))) gp$update(data[i, ])
    expect_equal(sigma(gp), c(u = 0.1, v = 1.5), tolerance = 0.1)
    new <- pair_data(1000, seed = 4)
    limits <- predict(gp, new, interval = "prediction")
    for (name in c("u", "v")) {
      covered <- mean(limits[, "lwr", name] <= new[[name]] & new[[name]] <= limits[, "upr", name])
      expect_gt(covered, 0.92)
      expect_lt(covered, 0.98)
    }
    error <- predict(gp, new) - cbind(u = sin(new$x), v = 50 + 4 * cos(0.7 * new$x))
    expect_true(all(sqrt(colMeans(error^2)) < c(0.03, 0.45)))
    expect_identical(dim(gp$memory$y), c(900L, 2L))
    expect_setequal(gp$calibration$output, c("u", "v"))
  }
  # with the kernel given the scale of each output is learned from its own evidence
  scaled <- streaming_gp(cbind(u, v) ~ x, data, kernel = kernel_se(2))
  expect_equal(sigma(scaled), c(u = 0.1, v = 1.5), tolerance = 0.1)
  alone <- streaming_gp(v ~ x, data, kernel = kernel_se(2), na_action = "omit")
  expect_equal(scaled$noise[["v"]], alone$noise, tolerance = 0.05)
})

test_that("an output that comes late is learned when it comes, and one that never varies does no harm", {
  data <- pair_data(600, seed = 5)
  data$v[1:150] <- NA
  data$w <- 3
  gp <- streaming_gp(cbind(v, u, w) ~ x)
  for (i in split(1:600, rep(1:12, each = 50))) gp$update(data[i, ])
  expect_identical(gp$restarts$origins, 0)
  expect_equal(sigma(gp)[c("u", "v")], c(u = 0.1, v = 1.5), tolerance = 0.1)
  new <- transform(pair_data(1000, seed = 6), w = 3)
  limits <- predict(gp, new, interval = "prediction")
  for (name in c("u", "v")) {
    covered <- mean(limits[, "lwr", name] <= new[[name]] & new[[name]] <= limits[, "upr", name])
    expect_gt(covered, 0.92)
    expect_lt(covered, 0.98)
  }
  expect_equal(limits[, "fit", "w"], rep(3, 1000), tolerance = 1e-6)
})

test_that("evaluate() and consume() play streams of several outputs", {
  data <- pair_data(400, 0.2)
  scores <- evaluate(streaming_gp(cbind(u, v) ~ x), data, batch_size = 100)
  expect_identical(scores$overall$scored, sum(!is.na(data[101:400, c("u", "v")])) + 0)
  expect_gt(scores$overall$coverage, 0.9)
  gp <- streaming_gp()
  consume(gp, as_source(data$x, y = as.matrix(data[c("u", "v")])), batch_size = 100)
  expect_identical(gp$nobs, 400)
  expect_identical(colnames(predict(gp, 1:2)), c("u", "v"))
  expect_error(evaluate(list(gp = streaming_gp(cbind(u, v) ~ x), mean = baseline_mean()), data), "several outputs")
})

test_that("what cannot be is refused in a sentence, and leaves the model as it was", {
  data <- pair_data(60)
  gp <- fixed_model(cbind(u, v) ~ x, 0.1, 0)
  gp$update(data)
  y <- as.matrix(data[c("u", "v")])
  plain <- streaming_gp(kernel = kernel_se(1, 1), noise = 0.1, optimize = "none")
  plain$update(data$x, y)
  refused <- function(model, expr, kind, message) {
    before <- as.list(model)
    expect_error(expr, message, class = paste0("gpstream_error_", kind))
    expect_identical(as.list(model), before)
  }
  refused(plain, plain$update(1:3, 1:3), "dimension", "`y` has 1 column; the first batch had the outputs `u`, `v`")
  refused(plain, plain$update(1:3, cbind(1:3, 1:3, 1:3)), "dimension", "`y` has 3 columns")
  refused(plain, plain$update(1:3, cbind(u = 1:3, w = 1:3)), "dimension", "columns `u`, `w`; the first batch had")
  refused(plain, plain$update(1:3, matrix("a", 3, 2)), "type", "must be numeric")
  refused(plain, plain$update(1:3, data.frame(u = 1:3, v = letters[1:3])), "type", "output `v` must be numeric")
  refused(plain, plain$update(1:3, y[1:2, ]), "dimension", "`y` has 2 rows for 3 rows")
  refused(plain, plain$update(1, cbind(u = NA, v = NA_real_)), "nonfinite", "has NA in row 1")
  refused(plain, plain$update(1, cbind(u = 1, v = Inf)), "nonfinite", "has Inf in row 1, column `v`")
  refused(gp, gp$update(data.frame(x = 1, u = 1)), "dimension", "no column `v`")
  refused(gp, gp$optimize(what = "kernel"), "parameter", "several outputs")
  refused(gp, gp$certificate(), "parameter", "is for one output; this model has 2: `u`, `v`")
  refused(gp, gp$bound(data), "parameter", "is for one output")
  refused(gp, gp$noise <- c(u = 1, w = 2), "parameter", "`noise` has values for `u`, `w`, but the outputs are `u`, `v`")
  refused(gp, plot(gp, "calibration"), "parameter", "is for one output")
  single <- streaming_gp(kernel = kernel_se(1, 1), noise = 0.1, optimize = "none")$update(1:3, 1:3)
  refused(single, single$update(1:3, y[1:3, ]), "dimension", "must be one column, not 2: the model has one output")
  expect_error(streaming_gp(u ~ x, data, noise = c(u = 1, v = 2)), "the model has one output", class = "gpstream_error_parameter")
  expect_error(streaming_gp(cbind(u, v) ~ x, data, likelihood = likelihood_student()), "likelihood_gaussian()",
    class = "gpstream_error_dimension")
  expect_error(streaming_gp(cbind(u, v) ~ x, data, select = select_greedy(5)), "one output", class = "gpstream_error_parameter")
  expect_error(merge(plain, single), "outputs", class = "gpstream_error_input")
  dropped <- fixed_model(cbind(u, v) ~ x, 0.1, 0, na_action = "omit")
  expect_message(dropped$update(transform(data, u = replace(u, 1:3, NA), v = replace(v, 2, NA))), "Dropped 1 of 60")
  expect_identical(dropped$nobs, 59)
  odd <- gp$copy()
  odd$update(data.frame(x = c(1, 2), u = c(sin(1), 100), v = c(NA, NA)), if_plausible = 1e-6)
  expect_identical(odd$implausible, 1)
})

test_that("models of several outputs are printed and drawn, a panel each", {
  data <- pair_data(120, 0.2)
  gp <- streaming_gp(cbind(u, v) ~ x, data)
  shown <- capture.output(print(gp), print(summary(gp)))
  expect_true(any(grepl("^outputs  2: u, v$", shown)) && any(grepl("that of all outputs", shown)))
  expect_true(any(grepl("^noise    u .*, v .* \\(variance\\)$", shown)))
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  drawn <- plot(gp)
  expect_identical(levels(drawn$output), c("u", "v"))
  expect_equal(drawn$fit[drawn$output == "v"], unname(predict(gp, drawn[drawn$output == "v", ])[, "v"]))
  expect_identical(par("mfrow"), c(1L, 1L))
  expect_identical(nrow(plot(gp, "points")), gp$size)
  expect_s3_class(plot(gp, "history"), "data.frame")
  expect_s3_class(plot(gp, "components"), "data.frame")
  skip_if_not_installed("ggplot2")
  built <- ggplot2::ggplot_build(ggplot2::autoplot(gp))
  expect_identical(nlevels(built$data[[1]]$PANEL), 2L)
  expect_identical(nrow(built$data[[3]]), sum(!is.na(data[c("u", "v")])))
  parts <- ggplot2::autoplot(gp, "components")
  expect_identical(as.character(unique(parts$data$output)), c("u", "v"))
  expect_identical(nlevels(parts$data$panel), 2L * nlevels(parts$data$term))
  expect_error(ggplot2::autoplot(gp, "calibration"), "is for one output", class = "gpstream_error_parameter")
})

test_that("names of columns that are no words are kept in what is drawn", {
  gp <- fixed_model(cbind(u, v) ~ log(x), 1, 0, data = pair_data(60))
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_true("log(x)" %in% names(plot(gp, n = 5)))
  skip_if_not_installed("ggplot2")
  expect_no_error(ggplot2::ggplot_build(ggplot2::autoplot(gp, n = 5)))
})
