# The part speed of bench/likelihoods.R.

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
