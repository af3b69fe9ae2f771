# Formulas that say what a function is a sum of: gp(), season(), trend(), columns by themselves.  [derivation 22]

set.seed(16)
n <- 240
d <- data.frame(t = sort(runif(n, 0, 20)), a = rnorm(n), b = rnorm(n), station = factor(sample(c("u", "v", "w"), n, TRUE)))
d$high <- d$b > 0
d$exposure <- runif(n, 1, 2)
d$y <- 0.2 * d$t + sin(2 * pi * d$t / 3) + 0.3 * d$a + c(0, 0.5, 1)[d$station] + rnorm(n, sd = 0.2)
d$count <- rpois(n, d$exposure * exp(sin(2 * pi * d$t / 3)))
d$when <- as.POSIXct("2024-03-01", tz = "UTC") + 86400 * d$t
new <- d[c(3, 77, 200), ]

# name and columns of each part, as one word each
parts_of <- function(gp) {
  kernel <- gp$kernel
  parts <- if (kernel$name == "sum") kernel$parts else list(kernel)
  vapply(parts, function(part) paste0(part$name, "(", paste(part$columns, collapse = ","), ")"), "")
}
smooth <- "^(se|matern12|matern32|matern52)" # whichever the evidence chose
terms_of <- function(gp, newdata = new) levels(components(gp, newdata)$term)

test_that("terms build the sum that they say, on their columns", {
  gp <- streaming_gp(y ~ gp(a, b) + gp(t) + season(t, 3) + trend(t) + station, d)
  parts <- parts_of(gp)
  expect_length(parts, 5)
  expect_match(parts[1], paste0(smooth, "\\(1,2\\)$"))
  expect_length(gp$kernel$parts[[1]]$lengthscale, 2)
  expect_match(parts[2], paste0(smooth, "\\(3\\)$"))
  expect_identical(parts[3:5], c("periodic(3)", "brownian(3)", "factor(4,5,6)"))
  expect_identical(gp$kernel$parts[[3]]$period, 3)
  expect_identical(grep("slope", names(coef(gp)), value = TRUE), "slope.t")
  expect_identical(terms_of(gp), c("constant", "trend(t)", "gp(a, b)", "gp(t)", "season(t, 3)", "station"))
})

test_that("numeric columns by themselves are together one gp(), where the first of them stands", {
  apart <- streaming_gp(y ~ a + season(t, 3) + b, d)
  together <- streaming_gp(y ~ gp(a, b) + season(t, 3), d)
  expect_identical(terms_of(apart), c("constant", "gp(a, b)", "season(t, 3)"))
  # the columns are not in the same order
  expect_equal(predict(apart, new), predict(together, new), tolerance = 1e-8)
  expect_identical(apart$kernel$parts[[1]]$columns, c(a = 1, b = 3))
})

test_that("factors, text and logical columns get a kernel of levels", {
  d$text <- as.character(d$station)
  for (formula in list(y ~ station + season(t, 3), y ~ text + season(t, 3))) {
    gp <- streaming_gp(formula, d)
    expect_identical(parts_of(gp), c("factor(1,2,3)", "periodic(4)"))
    expect_true(gp$kernel$parts[[1]]$correlation >= 0 && gp$kernel$parts[[1]]$correlation < 1)
  }
  for (formula in list(y ~ high + season(t, 3), y ~ (b > 0) + season(t, 3))) {
    gp <- streaming_gp(formula, d)
    expect_identical(parts_of(gp), c("factor(1)", "periodic(2)"))
  }
  # of two levels, what a level adds
  shown <- components(gp, data.frame(b = c(-1, 1, 2), t = 1))
  own <- shown$fit[shown$term == "b > 0"]
  expect_equal(own[2], own[3])
  expect_false(own[1] == own[2])
})

test_that("by = gives each level a function: the product with kernel_factor(), written out", {
  kernels <- list(kernel_se(1.2, 2), kernel_matern32(0.7, 1), kernel_periodic(3, 1, 2), kernel_se(2, 1) + kernel_periodic(1.5, 1, 1))
  written <- function(k, column) if (k$name == "sum") Reduce(`+`, lapply(k$parts, written, column)) else replace(k, "columns", column)
  set.seed(3)
  for (k in kernels) {
    level <- sample(c("text", "factor", "logical"), 1)
    rows <- transform(d, by = switch(level, text = as.character(station), factor = station, logical = high))
    batches <- split(rows, sort(sample(3, n, TRUE)))
    own <- streaming_gp(y ~ gp(t, kernel = k, by = by), noise = 0.1, mean = 0, optimize = "none")
    by_hand <- streaming_gp(y ~ t + by, kernel = written(k, "t") * kernel_factor(columns = "by"), noise = 0.1, mean = 0, optimize = "none")
    for (batch in batches) {
      own$update(batch)
      by_hand$update(batch)
    }
    expect_identical(as.list(own)$core, as.list(by_hand)$core)
    expect_identical(predict(own, rows, se.fit = TRUE), predict(by_hand, rows, se.fit = TRUE))
  }
})

test_that("a season of its own for each level is found, saved and shown as one term", {
  height <- c(u = 0.1, v = 1, w = 3)[as.character(d$station)]
  rows <- transform(d, y = height * sin(2 * pi * t / 3) + 0.1 * y)
  all_alike <- streaming_gp(y ~ season(t, 3) + station, rows)
  each <- streaming_gp(y ~ season(t, 3, by = station) + station, rows)
  truth <- height * sin(2 * pi * d$t / 3)
  error <- function(gp) sd(predict(gp, rows) - truth)
  expect_lt(error(each), error(all_alike) / 3)
  expect_identical(terms_of(each), c("constant", "season(t, 3, by = station)", "station"))
  file <- tempfile(fileext = ".gps")
  on.exit(unlink(file))
  save_gp(each, file)
  expect_identical(predict(load_gp(file), new), predict(each, new))
  expect_identical(predict(each, transform(new, station = as.character(station))), predict(each, new))
})

test_that("plot(gp, \"components\") shows a term with `by` for each level, along its column", {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  gp <- streaming_gp(y ~ gp(a) + season(t, 3, by = station) + gp(t, by = high), d)
  drawn <- plot(gp, "components")
  levels <- paste0("season(t, 3, by = station), station = ", c("u", "v", "w"))
  expect_identical(levels(drawn$term), c("gp(a)", levels, paste0("gp(t, by = high), highTRUE = ", 0:1)))
  expect_true(all(drawn$column[drawn$term != "gp(a)"] == "t"))
  for (j in 1:3) {
    shown <- drawn[drawn$term == levels[j], ][c(1, 200), ]
    parts <- components(gp, data.frame(a = 0, t = shown$x, station = c("u", "v", "w")[j], high = FALSE), centred = TRUE)
    expect_equal(shown$fit, parts$fit[parts$term == "season(t, 3, by = station)"], tolerance = 1e-8)
  }
})

test_that("trend() is a line and a walk, or the line alone", {
  walk <- streaming_gp(y ~ trend(t), d)
  expect_identical(walk$kernel$name, "brownian")
  expect_named(coef(walk), c("variance", "noise", "mean", "slope.t"))
  expect_identical(terms_of(walk), c("constant", "trend(t)"))
  line <- streaming_gp(y ~ trend(t, walk = FALSE), d)
  expect_identical(line$kernel$name, "constant")
  expect_identical(terms_of(line), c("constant", "trend(t, walk = FALSE)"))
  # nothing is known of a line beforehand: nearly that of lm()
  expect_equal(coef(line)[["slope.t"]], coef(lm(y ~ t, d))[["t"]], tolerance = 0.02)
  # forecasts of a walk grow uncertain, those of a line hardly do
  ahead <- data.frame(t = c(21, 25, 40))
  expect_true(all(diff(predict(walk, ahead, se.fit = TRUE)$se.fit) > 0))
  with_season <- streaming_gp(y ~ trend(t) + season(t, 3), d)
  expect_identical(parts_of(with_season), c("brownian(1)", "periodic(1)"))
})

test_that("a dot is all other columns, in one gp() and a kernel of levels", {
  gp <- streaming_gp(y ~ . + season(t, 3), d[c("y", "t", "a", "station")])
  expect_identical(terms_of(gp), c("constant", "gp(t, a)", "station", "season(t, 3)"))
})

test_that("periods are in the unit of their column, where it is a time in words", {
  week <- streaming_gp(y ~ season(when, "3 days") + trend(when), d)
  expect_output(print(week), "weeks since")
  expect_identical(week$kernel$parts[[1]]$period, 3 / 7)
  numbers <- streaming_gp(y ~ season(t, 3) + trend(t), d)
  expect_equal(unname(predict(week, new)), unname(predict(numbers, new)), tolerance = 1e-6)
  expect_identical(terms_of(week), c("constant", "trend(when)", "season(when, \"3 days\")"))
  days <- as.difftime(3, units = "days")
  same <- streaming_gp(y ~ season(when, days) + trend(when), d)
  expect_equal(predict(same, new), predict(week, new), tolerance = 1e-12)
})

test_that("transformed columns and names with blanks are columns like any other", {
  gp <- streaming_gp(y ~ log(t + 1) + season(t, 3), d)
  expect_identical(terms_of(gp), c("constant", "gp(log(t + 1))", "season(t, 3)"))
  blank <- stats::setNames(d[c("y", "t", "a", "station")], c("y", "my t", "my a", "my station"))
  gp <- streaming_gp(y ~ trend(`my t`) + season(`my t`, 3) + `my a` + `my station`, blank)
  plain <- streaming_gp(y ~ trend(t) + season(t, 3) + a + station, d)
  expect_identical(predict(gp, blank), predict(plain, d))
  expect_identical(terms_of(gp, blank[1:2, ]), c("constant", "trend(`my t`)", "season(`my t`, 3)", "gp(`my a`)", "`my station`"))
})

test_that("gp() takes a kernel, sums and products included, and puts it on its columns", {
  gp <- streaming_gp(y ~ gp(t, kernel = kernel_matern32(2) * kernel_periodic(3)) + gp(a, b, kernel = kernel_se("ard")), d)
  product <- gp$kernel$parts[[1]]
  expect_identical(product$name, "product")
  expect_setequal(vapply(product$parts, `[[`, "", "name"), c("matern32", "periodic"))
  expect_identical(unlist(lapply(product$parts, `[[`, "columns")), c(t = 1, t = 1))
  expect_identical(gp$kernel$parts[[2]]$columns, c(a = 2, b = 3))
  own <- kernel_matern12(0.5) # found where the formula was written
  expect_identical(streaming_gp(y ~ gp(t, kernel = own), d)$kernel$lengthscale, 0.5)
  warped <- streaming_gp(y ~ a + gp(t, kernel = kernel_warped(kernel_se())), d)
  expect_identical(warped$kernel$parts[[2]]$name, "warped")
  expect_identical(warped$kernel$parts[[2]]$along, 2)
})

# --- parts ----------------------------------------------------------------------------------------------------------------------

adds_up <- function(gp, newdata) {
  whole <- predict(gp, newdata, type = "latent", se.fit = TRUE)
  for (centred in c(FALSE, TRUE)) {
    parts <- components(gp, newdata, cov = TRUE, centred = centred)
    expect_close(as.vector(tapply(parts$fit, parts$row, sum)), unname(whole$fit), 1e-10, 1)
    joint <- attr(parts, "cov")
    expect_close(apply(joint, 1, sum), unname(whole$se.fit^2), 1e-10, gp$kernel$variance)
    for (row in seq_len(nrow(newdata))) {
      expect_equal(sqrt(pmax(diag(joint[row, , ]), 0)), parts$se.fit[parts$row == row & parts$term != "offset"],
        tolerance = 1e-9, ignore_attr = TRUE)
    }
  }
}

test_that("components add up to the prediction, and their covariances to its variance, centred or not", {
  gp <- streaming_gp(y ~ gp(a, b) + season(t, 3) + trend(t) + station, d)
  adds_up(gp, rbind(new, transform(new, t = t + 30)))
  adds_up(streaming_gp(y ~ trend(t, walk = FALSE) + a, d), new)
})

test_that("a season's level is told from the constant once parts are centred", {
  gp <- streaming_gp(y ~ season(t, 3) + trend(t), d)
  se <- function(centred) {
    parts <- components(gp, new, centred = centred)
    max(parts$se.fit[parts$term == "season(t, 3)"])
  }
  expect_lt(se(TRUE), se(FALSE) / 3)
  expect_lt(se(TRUE), 0.25)
})

test_that("an offset is a part of its own, with counts", {
  gp <- streaming_gp(count ~ season(t, 3) + a + offset(log(exposure)), d, likelihood = likelihood_poisson())
  expect_identical(terms_of(gp), c("constant", "season(t, 3)", "gp(a)", "offset"))
  parts <- components(gp, new)
  expect_identical(parts$fit[parts$term == "offset"], log(new$exposure))
  adds_up(gp, new)
  expect_gt(cor(predict(gp, d), d$exposure * exp(sin(2 * pi * d$t / 3))), 0.9)
})

# --- what it leaves as it was ----------------------------------------------------------------------------------------------------

test_that("a formula without such terms is one gp() of all its columns, as ever", {
  for (rows in list(d, d[1:40, ])) {
    by_formula <- streaming_gp(y ~ t + a, rows)
    by_matrix <- streaming_gp()
    by_matrix$update(as.matrix(rows[c("t", "a")]), rows$y)
    expect_identical(unname(predict(by_formula, new)), unname(predict(by_matrix, as.matrix(new[c("t", "a")]))))
    expect_identical(by_formula$kernel, by_matrix$kernel)
  }
  expect_null(gpstream:::state_of(by_formula)$frame$special)
})

test_that("a variable called gp, season or trend is a column", {
  rows <- stats::setNames(d[c("y", "t", "a")], c("y", "season", "trend"))
  gp <- streaming_gp(y ~ season + trend, rows)
  plain <- streaming_gp(y ~ t + a, d)
  expect_identical(predict(gp, rows), predict(plain, d))
})

test_that("before any data: what is printed is what the formula says", {
  shown <- function(formula) grep("^(kernel|mean)", capture.output(print(streaming_gp(formula))), value = TRUE)
  expect_identical(shown(y ~ season(t, 3)), c("kernel   as the formula says", "mean     a constant, from the data"))
  expect_identical(shown(y ~ trend(t))[2], "mean     a linear trend, from the data")
  expect_identical(shown(y ~ t)[1], "kernel   chosen by the evidence")
  expect_named(coef(streaming_gp(y ~ trend(t) + season(t, 3))), c("noise", "mean"))
  expect_output(print(summary(streaming_gp(y ~ trend(t)))), "as the formula says")
})

test_that("before any data: the prior of the sum", {
  gp <- streaming_gp(y ~ season(t, 3) + trend(t) + a + station)
  prior <- predict(gp, new, se.fit = TRUE)
  expect_identical(unname(prior$fit), c(0, 0, 0))
  expect_true(all(prior$se.fit > 0))
  parts <- components(gp, new)
  expect_identical(levels(parts$term), c("constant", "season(t, 3)", "trend(t)", "gp(a)", "station"))
  expect_close(as.vector(tapply(parts$se.fit^2, parts$row, sum)), unname(prior$se.fit^2), 1e-10) # independent beforehand
  gp <- streaming_gp(y ~ season(when, "1 day"))
  expect_length(predict(gp, new), 3)
  expect_length(predict(streaming_gp(y ~ t, mean = ~t), new), 3)
})

test_that("saved, copied, sent elsewhere: predictions and what comes after are identical", {
  formula <- y ~ gp(a) + season(when, "3 days") + trend(when) + station
  first <- d[1:150, ]
  rest <- d[151:240, ]
  gp <- streaming_gp(formula, first)
  file <- tempfile(fileext = ".gps")
  save_gp(gp, file)
  rds <- tempfile()
  saveRDS(gp, rds)
  others <- list(
    file = load_gp(file), rds = readRDS(rds), copy = gp$copy(), list = streaming_gp_restore(as.list(gp))
  )
  for (other in others) {
    expect_identical(predict(other, new, se.fit = TRUE), predict(gp, new, se.fit = TRUE))
    expect_identical(components(other, new), components(gp, new))
  }
  gp$update(rest)
  for (other in others) {
    other$update(rest)
    expect_identical(predict(other, new, se.fit = TRUE), predict(gp, new, se.fit = TRUE))
    expect_identical(components(other, new, centred = TRUE), components(gp, new, centred = TRUE))
  }
})

test_that("any cut of the stream after the first batch gives the same model", {
  formula <- y ~ a + season(t, 3) + trend(t) + station
  stream <- function(cuts) {
    gp <- streaming_gp(formula, d[1:60, ])
    for (rows in split(61:n, cut(61:n, c(60, cuts, n)))) gp$update(d[rows, ])
    gp
  }
  whole <- stream(integer())
  for (cuts in list(c(61, 62, 150), c(100, 101, 239), 61:90)) {
    expect_close(predict(stream(cuts), new), predict(whole, new), 1e-8)
  }
})

test_that("bad terms are refused in a sentence that names them", {
  shown <- conditions_of(
    streaming_gp(y ~ season(t, 3) * a, d), streaming_gp(y ~ season("x"), d), streaming_gp(y ~ season(t, 3, 4), d),
    streaming_gp(y ~ season(t, 3, period = 4), d), streaming_gp(y ~ season(t, length = 3), d),
    streaming_gp(y ~ season(t, -1), d), streaming_gp(y ~ season(t, "1 day"), d), streaming_gp(y ~ season(station, 3), d),
    streaming_gp(y ~ season(when, "fortnight"), d), streaming_gp(y ~ season(nothing, 3), d),
    streaming_gp(y ~ log(season(t)), d), streaming_gp(y ~ trend(t) - 1, d), streaming_gp(y ~ 0 + trend(t), d),
    streaming_gp(y ~ trend(t, a), d), streaming_gp(y ~ trend(t, walk = 2), d), streaming_gp(y ~ trend(station), d),
    streaming_gp(y ~ trend(t) + trend(t, walk = FALSE), d),
    streaming_gp(y ~ gp(), d), streaming_gp(y ~ gp(a, kernel = "se"), d), streaming_gp(y ~ gp(a, kernel = kernel_se(columns = 1)), d),
    streaming_gp(y ~ season(t, 3), d, kernel = kernel_se()), streaming_gp(y ~ gp(a) + offset(b), d),
    streaming_gp(y ~ season(when, 7), d), streaming_gp(y ~ season(day, 7), transform(d, day = as.Date(when))),
    streaming_gp(y ~ season(day, "1 day"), transform(d, day = as.Date(when))),
    streaming_gp(y ~ season(t, 3):station, d), streaming_gp(y ~ gp(t, by = a), d), streaming_gp(y ~ season(t, 3, by = "station"), d),
    streaming_gp(y ~ trend(t, by = station), d), streaming_gp(y ~ gp(t, station, kernel = kernel_periodic(3)), d)
  )
  expect_snapshot(writeLines(shown))
})

# --- the bar ----------------------------------------------------------------------------------------------------------------------

test_that("co2, foretold month by month a year ahead: a fifth of the error of a line, with intervals that hold", {
  rows <- data.frame(co2 = as.vector(co2), t = as.vector(time(co2)))
  batches <- split(seq_len(nrow(rows)), (seq_len(nrow(rows)) - 1) %/% 12)
  gp <- streaming_gp(co2 ~ trend(t) + season(t, 1), rows[batches[[1]], ])
  ours <- line <- inside <- numeric()
  for (k in seq_along(batches)[-1]) {
    next_rows <- rows[batches[[k]], ]
    p <- predict(gp, next_rows, interval = "prediction")
    ours <- c(ours, p[, "fit"] - next_rows$co2)
    inside <- c(inside, p[, "lwr"] <= next_rows$co2 & next_rows$co2 <= p[, "upr"])
    refitted <- lm(co2 ~ t, rows[seq_len(batches[[k]][1] - 1), ])
    line <- c(line, predict(refitted, next_rows) - next_rows$co2)
    gp$update(next_rows)
  }
  expect_lte(sqrt(mean(ours^2)), sqrt(mean(line^2)) / 5)
  expect_gte(mean(inside), 0.92)
  expect_lte(mean(inside), 0.98)
})

test_that("a kernel or mean that is assigned takes the place of what the formula says, and stays", {
  rows <- data.frame(y = sin(1:120 / 5) + 0.1 * cos(37 * 1:120), x = 1:120 / 10, z = rep(c(-1, 0, 1), 40))
  for (change in list(function(gp) gp$kernel <- gp$kernel, function(gp) gp$kernel <- kernel_se(2, 1), function(gp) gp$mean <- 0.5)) {
    gp <- streaming_gp(y ~ gp(z) + trend(x), rows[1:60, ])
    change(gp)
    file <- tempfile(fileext = ".gps")
    save_gp(gp, file)
    both <- list(gp, load_gp(file), gp$copy(), streaming_gp_restore(as.list(gp)))
    shown <- capture.output(print(gp$kernel))
    for (one in both) one$update(rows[61:120, ])
    for (one in both) expect_identical(predict(one, rows[c(1, 90), ]), predict(gp, rows[c(1, 90), ]))
    if (is.null(gp$spec$kernel)) expect_identical(gp$mean, 0.5) else expect_identical(class(gp$kernel), "gpstream_kernel")
    expect_output(print(summary(gp)), "120 observations")
  }
  new <- streaming_gp(y ~ gp(z) + trend(x))
  expect_error(new$kernel <- kernel_se(1), "terms of `formula`", class = "gpstream_error_parameter")
  expect_error(new$mean <- 0, "trend\\(\\) in `formula`", class = "gpstream_error_parameter")
  expect_null(new$spec$kernel)
})
