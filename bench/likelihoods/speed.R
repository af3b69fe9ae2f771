# The parts speed and peers of bench/likelihoods.R.

# --- speed -----------------------------------------------------------------------------------------------------------------------------
if ("speed" %in% parts) {
  points <- as.matrix(expand.grid(seq(0, 1, length.out = 24), seq(0, 1, length.out = 20)))
  if (quick) points <- points[1:100, ]
  set.seed(9)
  x <- matrix(stats::runif(2 * 9000), ncol = 2)
  f <- sin(12 * x[, 1]) + cos(9 * x[, 2])
  ys <- list(gaussian = f + stats::rnorm(9000, sd = 0.3), bernoulli = as.numeric(stats::runif(9000) < stats::plogis(2 * f)))
  first <- 1:2000
  made <- lapply(names(ys), function(name) {
    gp <- streaming_gp(kernel = kernel_se(0.08, 2), mean = 0, optimize = "none", likelihood = likelihoods[[name]]$given,
      noise = if (name == "gaussian") 0.09, select = select_fixed(points))
    feed(gp, x[first, ], ys[[name]][first], 1000)
  })
  names(made) <- names(ys)
  turn <- function(name, rows, by, foretold) {
    seconds <- 0
    copies <- ceiling(300 / length(rows))
    for (copy in seq_len(copies)) {
      gp <- made[[name]]$copy()
      invisible(predict(gp, x[1, , drop = FALSE], se.fit = TRUE)) # factored by now
      seconds <- seconds + cpu(if (foretold) {
        for (i in rows) {
          predict(gp, x[i, , drop = FALSE], se.fit = TRUE)
          gp$update(x[i, , drop = FALSE], ys[[name]][i])
        }
      } else {
        feed(gp, x[rows, ], ys[[name]][rows], by)
      })
    }
    seconds / length(rows) / copies
  }
  quickest <- function(name, ...) min(vapply(seq_len(if (quick) 1 else 5), function(i) turn(name, ...), 0))
  case <- sprintf("%d points, look-back 100", nrow(points))
  beside <- function(what, rows, by, bar, foretold = FALSE) {
    took <- vapply(names(ys), quickest, 0, rows = rows, by = by, foretold = foretold)
    note("speed", case, paste0(what, ", Gaussian, microseconds a row"), 1e6 * took[["gaussian"]])
    note("speed", case, paste0(what, ", Bernoulli, microseconds a row"), 1e6 * took[["bernoulli"]])
    note("speed", case, paste0(what, ", Bernoulli over Gaussian", bar), took[["bernoulli"]] / took[["gaussian"]])
  }
  beside("batches of 1000", if (quick) 2001:4000 else 2001:5000, 1000, " (bar 8)")
  beside("one at a time, no refresh due", 2001:2090, 1, " (bar 3)")
  beside("one at a time, refreshes due", 2001:2500, 1, " (bar 10)")
  beside("one at a time, predicted first", 2001:2500, 1, "", TRUE)
  # the same likelihood from an R function
  own <- likelihood_custom(function(y, f) stats::plogis((2 * y - 1) * f, log.p = TRUE), function(y) 2.2 * (y - 0.5), mean = stats::plogis, unit = 2, width = pi)
  made$custom <- feed(
    streaming_gp(kernel = kernel_se(0.08, 2), mean = 0, optimize = "none", likelihood = own, select = select_fixed(points)),
    x[first, ], ys$bernoulli[first], 1000
  )
  ys$custom <- ys$bernoulli
  for (case_of in list(list("batches of 1000", 2001:4000, 1000), list("one at a time", 2001:2300, 1))) {
    took <- vapply(c("bernoulli", "custom"), quickest, 0, rows = case_of[[2]], by = case_of[[3]], foretold = FALSE)
    note("speed", case, paste0(case_of[[1]], ", likelihood_custom() over likelihood_bernoulli()"), took[["custom"]] / took[["bernoulli"]])
  }
  gp <- made$bernoulli$copy()
  each <- vapply(2001:2300, function(i) system.time(gp$update(x[i, , drop = FALSE], ys$bernoulli[i]), gcFirst = FALSE)[[3]], 0)
  note("speed", case, "one at a time, slowest row, ms", 1e3 * max(each))
  note("speed", case, "rows slower than a tenth of that, of 300", sum(each > max(each) / 10))
}

# --- others ----------------------------------------------------------------------------------------------------------------------------
has <- function(package) requireNamespace(package, quietly = TRUE)
if ("peers" %in% parts) for (name in intersect(c("bernoulli", "poisson"), names(likelihoods))) {
  one <- likelihoods[[name]]
  n <- if (quick) 600 else 2000
  set.seed(12)
  x <- matrix(stats::runif(2 * n, 0, 5), ncol = 2)
  f <- random_function(one$scale, 1.5, 2)(x)
  rows <- data.frame(x1 = x[, 1], x2 = x[, 2], f, y = one$draw(f))
  family <- list(bernoulli = stats::binomial(), poisson = stats::poisson())[[name]]
  gp <- streaming_gp(y ~ x1 + x2, likelihood = one$open)
  past <- NULL
  loss <- function(mean, y) -if (name == "poisson") stats::dpois(y, mean, log = TRUE) else log(ifelse(y == 1, mean, 1 - mean))
  models <- list(
    "gpstream, default" = list(learn = function(new) gp$update(new), loss = function(new) -gp$score(new)$log_density),
    "mgcv::bam s(x1, x2), refit" = if (has("mgcv")) list(
      learn = function(new) fit <<- suppressWarnings(mgcv::bam(y ~ s(x1, x2, k = 60), family = family, data = past)),
      loss = function(new) loss(as.vector(stats::predict(fit, new, type = "response")), new$y)),
    "kernlab::gausspr, refit" = if (has("kernlab") && name == "bernoulli") list(
      learn = function(new) utils::capture.output(fit <<- kernlab::gausspr(as.matrix(past[1:2]), factor(past$y))),
      loss = function(new) loss(kernlab::predict(fit, as.matrix(new[1:2]), type = "probabilities")[, 2], new$y)))
  for (model in names(Filter(Negate(is.null), models))) {
    fit <- NULL
    sum <- seconds <- 0
    for (i in split(seq_len(n), (seq_len(n) - 1) %/% 200)) {
      if (i[1] > 1) sum <- sum + sum(models[[model]]$loss(rows[i, ]))
      past <- rows[seq_len(max(i)), ]
      seconds <- seconds + cpu(models[[model]]$learn(rows[i, ]))
    }
    case <- sprintf("%s, %d rows, %s", name, n, model)
    note("peers", case, "log loss a row, of each batch before it is learned", sum / (n - 200))
    note("peers", case, "CPU seconds", seconds)
  }
  note("peers", sprintf("%s, %d rows", name, n), "log loss a row of the function itself", -mean(one$log_density(rows$y, rows$f)[-(1:200)]))
}
