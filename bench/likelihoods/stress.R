# The parts gross and cut of bench/likelihoods.R.

# --- gross errors ----------------------------------------------------------------------------------------------------------------------
models <- list(student = likelihood_student(), gaussian = likelihood_gaussian())
if ("gross" %in% parts) {
  turns <- if (quick) 2 else 15
  found <- vapply(seq_len(turns), function(seed) {
    set.seed(seed)
    f <- random_function(1, 1.5)
    x <- stats::runif(1200, 0, 10)
    y <- f(x) + stats::rnorm(1200, sd = 0.2)
    train <- 1:400
    dirty <- replace(y, train[1:20 * 20 - 7], y[1:20 * 20 - 7] + sample(c(-1, 1), 20, TRUE) * stats::runif(20, 3, 30))
    vapply(models, function(likelihood) {
      errors <- vapply(list(y, dirty), function(out) {
        gp <- feed(streaming_gp(likelihood = likelihood), x[train], out[train])
        fit <- predict(gp, x[-train])
        c(rms(fit - y[-train]), rms(fit - f(x[-train])))
      }, numeric(2))
      c(errors[, 2] / errors[, 1], errors[, 1])
    }, numeric(4))
  }, matrix(0, 4, 2))
  for (name in names(models)) {
    own <- found[, match(name, names(models)), ]
    case <- sprintf("5 %% gross, %s", name)
    note("gross", case, "error on clean rows over that of clean data, mean (bar 1.1)", mean(own[1, ]))
    note("gross", case, "the same, worst of 15", max(own[1, ]))
    note("gross", case, "error of the function over that of clean data, median", stats::median(own[2, ]))
    note("gross", case, "clean data: error on clean rows", mean(own[3, ]))
  }
  # one observation of 1e6, farther than three lengthscales away
  for (given in c(FALSE, TRUE)) for (name in names(models)) for (after in c(0, 150)) {
    moved <- vapply(seq_len(if (quick) 1 else 5), function(seed) {
      set.seed(seed)
      f <- random_function(1, 1.5)
      x <- stats::runif(700, 0, 20)
      y <- f(x) + stats::rnorm(700, sd = 0.2)
      gp <- if (given) {
        streaming_gp(kernel = kernel_se(1.5, 1), noise = 0.04, mean = 0, optimize = "none", likelihood = models[[name]])
      } else {
        streaming_gp(likelihood = models[[name]])
      }
      feed(gp, x[1:400], y[1:400])
      told <- gp$score(5, 1e6)$p
      other <- gp$copy()$update(5, 1e6)
      if (after > 0) for (model in list(gp, other)) feed(model, x[401:550], y[401:550])
      far <- x[551:700][abs(x[551:700] - 5) > 3 * 1.5]
      before <- predict(gp, far, se.fit = TRUE)
      now <- predict(other, far, se.fit = TRUE)
      c(max(abs(now$fit - before$fit) / before$se.fit), told, max(now$se.fit / before$se.fit), rms(now$fit - f(far)) / rms(before$fit - f(far)))
    }, numeric(4))
    case <- sprintf("1e6, %s, %s", name, if (given) "kernel given" else "default")
    when <- if (after > 0) ", 150 rows later" else ""
    note("gross", case, paste0("predictions elsewhere moved, standard errors", when, if (name == "student") " (bar 1)"), max(moved[1, ]))
    note("gross", case, paste0("standard errors elsewhere over those before, largest", when), max(moved[3, ]))
    note("gross", case, paste0("error elsewhere over that without, largest", when), max(moved[4, ]))
    if (after == 0) note("gross", case, "p of that row by gp$score() before it, largest", max(moved[2, ]))
  }
  # while the kernel is being learned for the first time
  for (name in c("student", "laplace", "gaussian")) for (size in c(1e2, 1e4, 1e6)) {
    worse <- vapply(seq_len(if (quick) 1 else 3), function(seed) {
      set.seed(seed)
      f <- random_function(1, 1.5)
      x <- stats::runif(400, 0, 20)
      y <- f(x) + stats::rnorm(400, sd = 0.2)
      far <- seq(0, 20, length.out = 201)
      far <- far[abs(far - x[60]) > 3 * 1.5]
      errors <- vapply(list(y, replace(y, 60, size)), function(out) {
        rms(predict(feed(streaming_gp(likelihood = likelihoods[[name]]$open), x, out), far) - f(far))
      }, 0)
      errors[2] / errors[1]
    }, 0)
    note("gross", sprintf("%g in row 60, %s, default", size, name), "error elsewhere 340 rows later over that without, median", stats::median(worse))
  }
}

# --- other cuts ------------------------------------------------------------------------------------------------------------------------
if ("cut" %in% parts) for (name in intersect(c("gaussian", "bernoulli", "poisson", "student"), names(likelihoods))) for (fixed in c(TRUE, FALSE)) {
  one <- likelihoods[[name]]
  n <- if (quick) 300 else 1300 # the default call learns its kernel for the last time at 1000
  set.seed(5)
  x <- stats::runif(n, 0, 10)
  y <- one$draw(random_function(one$scale, 1.5)(x))
  at <- seq(0, 10, length.out = 201)
  cuts_of <- c(1, 7, 100, n)
  fits <- lapply(cuts_of, function(by) {
    gp <- if (fixed) {
      streaming_gp(kernel = kernel_se(1.5, one$scale^2), mean = 0, likelihood = one$given, optimize = "none",
        noise = if (is.null(one$given$dispersion)) one$noise)
    } else {
      streaming_gp(likelihood = one$open)
    }
    predict(feed(gp, x, y, by), at, type = "latent", se.fit = TRUE)
  })
  apart <- vapply(fits[-1], function(fit) max(abs(fit$fit - fits[[1]]$fit) / fits[[1]]$se.fit), 0)
  for (i in seq_along(apart)) {
    note("cut", sprintf("%s, %s", name, if (fixed) "all given" else "default"),
      sprintf("batches of %d against one row at a time, latent sd, largest", cuts_of[i + 1]), apart[i])
  }
}
