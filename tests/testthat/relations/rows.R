# Rows: their order, how they are cut, how often they come, and those that say nothing.

at_rest <- function(gp) if (gp$likelihood$name == "gaussian") gp else gp$refresh()
# What is said of the function alone: the objective counts rows, too.
said <- function(gp, new) says(gp, new, count = FALSE)

# Of the others the bound may have several maxima (no log-concave density), sites settle slowly (|f| has a kink), or the noise
# is a guess from the first batch (tobit).
one_optimum <- setdiff(all_likelihoods, c("student", "heteroscedastic", "quantile", "laplace", "tobit"))

relation("order of rows", function() {
  # points given and every row kept: a sum over rows. Sites that depend on each other agree to 1e-6 of an sd
  case <- draw_given(one_optimum, plain_formulas, steady_kernels, "fixed", lookbacks = Inf)
  gp <- at_rest(learned(case))
  other <- at_rest(learned(case, batches(case$data[c(1:3, shuffled(4:nrow(case$data))), ])))
  same(said(other, case$new), said(gp, case$new), if (case$name == "gaussian") 1e-8 else 1e-4, "the prediction")
})

relation("any cut: fixed points", function() {
  case <- draw_given("gaussian", plain_formulas, steady_kernels, "fixed")
  gp <- learned(case)
  other <- learned(case, batches(case$data))
  same(says(other, case$new), says(gp, case$new), 1e-8, "the prediction")
})

relation("any cut: every row kept", function() {
  # also where kernel and noise are learned online, at numbers of rows. A warm-up learns at the ends of batches
  case <- draw_case("gaussian", all_formulas, steady_kernels, online_selectors, lookbacks = Inf, learned = 0.3, noise = 1, means = c("zero", "number"))
  if (case$learns) case$args$optimize <- "online"
  gp <- learned(case, batches(case$data, size = 200))
  # of poly() the first batch is the basis
  other <- learned(case, batches(case$data, if (case$learns && case$right != "poly(a, 2)") 1 else 12))
  same(says(other, case$new), says(gp, case$new), if (case$learns) 1e-6 else 1e-8, "the prediction")
})

relation("any cut: the points", function() {
  case <- draw_given(all_likelihoods, plain_formulas, steady_kernels, online_selectors)
  # what is not given is guessed from the first batch
  gp <- learned(case, batches(case$data, size = 200))
  other <- learned(case, batches(case$data))
  same_bytes(unname(other$points), unname(gp$points), "the points")
})

relation("any cut: select_points() and oips()", function() {
  case <- draw_given("gaussian", c("a", "a + b"), steady_kernels, setdiff(online_selectors, "noise"))
  x <- as.matrix(case$data[strsplit(case$right, " + ", fixed = TRUE)[[1]]])
  chosen <- select_points(case$args$select, x, case$args$kernel)
  if (case$selector == "oips") {
    rho <- case$args$select$rho
    points <- oips(case$args$kernel, rho)
    for (part in batches(x, 1)) points$update(part)
    same(points$points, chosen$points, 0, "the points of oips()")
    near <- abs(kernel_matrix(case$args$kernel, chosen$points, x)) / case$args$kernel$variance
    if (!is.null(case$args$kernel$variance)) holds(all(apply(near, 2, max) >= rho - 1e-12), "a row is not covered")
  }
  gp <- learned(replace(case, "args", list(utils::modifyList(case$args, list(lookback = 100)))))
  same(gp$points, chosen$points, 0, "the points of a model")
})

relation("weights are replicates", function() {
  case <- draw_given(one_optimum, plain_formulas, steady_kernels, "fixed", lookbacks = Inf)
  n <- nrow(case$data)
  weights <- c(1, 1, 1, sample(1:3, n - 3, TRUE))
  gp <- new_model(case, weights = "w")
  gp$update(transform(case$data, w = weights))
  other <- learned(case, list(case$data[rep(seq_len(n), weights), ]))
  tolerance <- if (case$name == "gaussian") 1e-8 else 1e-4
  same(said(at_rest(gp), case$new), said(at_rest(other), case$new), tolerance, "the prediction")
})

relation("weight 0 is absent", function() {
  # poly() is made of all rows of the first batch, as in lm()
  case <- draw_case(formulas = setdiff(all_formulas, "poly(a, 2)"), selectors = setdiff(all_selectors, c("kmeans", "random", "kdpp")))
  n <- nrow(case$data)
  away <- sort(sample(4:n, 5))
  weights <- replace(sample(1:2, n, TRUE), away, 0)
  way <- one_name(c("column", "argument"))
  gp <- new_model(case, weights = if (way == "column") "w")
  data <- transform(case$data, w = weights)
  data$y[away] <- data$y[away[1]]
  if (way == "column") gp$update(data) else gp$update(data, weights = weights)
  other <- new_model(case, weights = if (way == "column") "w")
  if (way == "column") other$update(data[-away, ]) else other$update(data[-away, ], weights = weights[-away])
  same_bytes(bytes(gp), bytes(other), "the model")
})

relation("rows that lack something", function() {
  case <- draw_case(selectors = setdiff(all_selectors, c("kmeans", "random", "kdpp")), formulas = setdiff(all_formulas, "poly(a, 2)"))
  n <- nrow(case$data)
  spoilt <- case$data
  away <- sort(sample(4:n, 6))
  spoilt$a[away[1:2]] <- c(NA, one_of(NaN, Inf, -Inf))
  if (grepl("\\bb\\b", case$right)) spoilt$b[away[3]] <- NA else spoilt$a[away[3]] <- NA
  spoilt$y[away[4:5]] <- NA
  if (grepl("\\bg\\b", case$right)) spoilt$g[away[6]] <- NA else spoilt$y[away[6]] <- NA
  gp <- new_model(case, na_action = "omit")
  other <- new_model(case, na_action = "omit")
  for (rows in batches(seq_len(n))) {
    gp$update(spoilt[rows, ])
    other$update(case$data[setdiff(rows, away), ])
  }
  same_bytes(bytes(gp), bytes(other), "the model")
  refused(gp, new_model(case)$update(spoilt), "", "a row that lacks something")
  p <- predict(gp, spoilt[c(away[1], 1), ], se.fit = TRUE)
  holds(all(is.na(as.matrix(p$fit)[1, ])) && !anyNA(as.matrix(p$fit)[2, ]), "NA is not where the input is missing")
})

relation("no rows", function() {
  case <- draw_case()
  gp <- learned(case)
  before <- bytes(gp)
  gp$update(case$data[0, ])
  same_bytes(bytes(gp), before, "the model")
  none <- case$new[0, ]
  classes <- case$name %in% no_interval
  for (type in c("response", "latent", if (case$name %in% class_likelihoods) "class")) {
    holds(NROW(predict(gp, none, type = type)) == 0, "predict() of no rows, type ", type)
  }
  if (!classes) holds(identical(dim(predict(gp, none, interval = "prediction")), c(0L, 3L)), "an interval of no rows")
  p <- predict(gp, none, se.fit = TRUE)
  holds(NROW(p$fit) == 0 && NROW(p$se.fit) == 0, "standard errors of no rows")
  holds(identical(dim(as.matrix(predict(gp, none))), if (classes) c(0L, 3L) else c(0L, 1L)), "the shape of no rows")
  holds(nrow(gp$score(case$data[0, ])) == 0, "score() of no rows")
  holds(nrow(simulate(gp, 2, newdata = none, type = "response")) == 0, "simulate() of no rows")
  if (case$name != "categorical") holds(nrow(components(gp, none)) == 0, "components() of no rows")
})

relation("rows predicted one by one", function() {
  case <- draw_case()
  gp <- learned(case)
  whole <- says(gp, case$new, FALSE)
  for (i in seq_len(nrow(case$new))) {
    one <- says(gp, case$new[i, ], FALSE)
    for (part in names(whole)) same(one[[part]], as.matrix(whole[[part]])[i, ], 1e-9, paste("row", i, part), scale = 1e-3)
  }
  turned <- shuffled(seq_len(nrow(case$new)))
  for (part in names(whole)) {
    same(says(gp, case$new[turned, ], FALSE)[[part]], as.matrix(whole[[part]])[turned, ], 1e-9, paste("turned", part), scale = 1e-3)
  }
})

relation("unlearned is never learned", function() {
  case <- draw_given("gaussian", plain_formulas, steady_kernels, "fixed")
  n <- nrow(case$data)
  # rows that have left the look-back need their place
  lookback <- case$args$lookback
  out <- sort(sample(n, 4))
  gp <- learned(case)
  left <- ifelse(out + lookback <= n, out + lookback, NA)
  gp$unlearn(case$data[out, ], at = left)
  other <- learned(case, list(case$data[-out, ]))
  same(said(gp, case$new), said(other, case$new), 1e-7, "the prediction")
  holds(gp$nobs == n - 4 && gp$unlearned == 4, "the count of rows")
})

relation("unlearned from the look-back", function() {
  case <- draw_given(one_optimum, plain_formulas, steady_kernels, "fixed", lookbacks = Inf)
  out <- sort(sample(4:nrow(case$data), 4))
  gp <- learned(case)
  gp$unlearn(case$data[out, ])
  other <- learned(case, list(case$data[-out, ]))
  same(said(at_rest(gp), case$new), said(at_rest(other), case$new), if (case$name == "gaussian") 1e-7 else 1e-4, "the prediction")
})

relation("forgotten is weighted", function() {
  # keep * (what the first rows said) + what the others say
  case <- draw_given("gaussian", plain_formulas, steady_kernels, "fixed", lookbacks = Inf)
  keep <- round(stats::runif(1, 0.1, 1), 2)
  parts <- batches(case$data)
  gp <- learned(case, parts[1])
  gp$forget(keep)
  learn(gp, parts[-1])
  other <- new_model(case)
  other$update(parts[[1]], weights = rep(keep, nrow(parts[[1]])))
  learn(other, parts[-1])
  same(said(gp, case$new), said(other, case$new), 1e-8, "the prediction")
})

relation("a half-life is weights", function() {
  case <- draw_given("gaussian", plain_formulas, steady_kernels, "fixed", lookbacks = c(0, 5, 100))
  n <- nrow(case$data)
  by <- chance(0.5) && grepl("^a( \\+ b)?( \\+ g)?$", case$right)
  span <- round(stats::runif(1, 4, 60), 1)
  note("half-life ", span, if (by) " along a")
  gp <- learned(case, batches(case$data), half_life = if (by) half_life(span, by = "a") else span)
  age <- if (by) max(case$data$a) - case$data$a else n - seq_len(n)
  other <- new_model(case)
  other$update(case$data, weights = 2^(-age / span))
  same(said(gp, case$new), said(other, case$new), 1e-7, "the prediction")
})

relation("an offset is part of the function", function() {
  # of responses that f only moves, with the noise given: y - o
  case <- draw_given(c("student", "laplace"), "a", steady_kernels, online_selectors, lookbacks = c(20, Inf))
  gp <- learned(replace(case, "right", "a + offset(o)"))
  moved <- transform(case$data, y = y - o)
  other <- learned(case, list(moved))
  p <- predict(gp, case$new, interval = "prediction")
  same(p, predict(other, case$new, interval = "prediction") + case$new$o, 1e-6, "the prediction")
  set.seed(case$seed)
  plain <- do.call(streaming_gp, case$args)
  plain$update(case$data$a, case$data$y, offset = case$data$o)
  same(says(plain, case$new$a, FALSE)$se, says(other, case$new, FALSE)$se, 1e-6, "the standard error")
})

relation("counts with an exposure", function() {
  # one row of y1 + y2 in twice the time says what two rows say
  case <- draw_given("poisson", "a", steady_kernels, "fixed", lookbacks = Inf)
  half <- nrow(case$data) %/% 2
  first <- transform(case$data[seq_len(half), ], t = 1)
  second <- transform(first, y = case$data$y[half + seq_len(half)])
  case$right <- "a + offset(log(t))"
  gp <- learned(case, list(rbind(first, second)))
  other <- learned(case, list(transform(first, y = first$y + second$y, t = 2)))
  new <- transform(case$new, t = 1)
  same(said(at_rest(gp), new), said(at_rest(other), new), 1e-4, "the prediction")
})

relation("rows that come twice", function() {
  case <- draw_case()
  gp <- learned(case, list(rbind(case$data, case$data)))
  s <- said(gp, case$new)
  holds(all(is.finite(unlist(s))), "a prediction is not finite")
})
