# What a quick user would fit to all rows at hand, none of it tuned. fit_*(seen) gives a function of new
# rows, whose value is list(mean, sd of a new observation).

# Columns of equal spread, a factor as one column a level.
columns <- function(data, like = data) {
  wide <- function(d) do.call(cbind, lapply(d[setdiff(names(d), "y")], function(column) {
    if (is.factor(column)) outer(as.character(column), levels(column), "==") + 0 else cbind(column)
  }))
  spread <- apply(wide(like), 2, stats::sd)
  unname(sweep(wide(data), 2, ifelse(spread > 0, spread, 1), "/"))
}

fit_mean <- function(seen) {
  function(data) list(mean = rep(mean(seen$y), nrow(data)), sd = rep(stats::sd(seen$y), nrow(data)))
}

# The last value; how far values 50 rows apart differ is its spread.
fit_last <- function(seen) {
  n <- nrow(seen)
  spread <- stats::sd(diff(seen$y, lag = min(50, n %/% 2)))
  function(data) list(mean = rep(seen$y[n], nrow(data)), sd = rep(spread, nrow(data)))
}

# lm() forgets levels it has not seen, and then stops at them; columns of zeros it leaves out.
fit_lm <- function(seen) {
  fit <- stats::lm(y ~ ., cbind(as.data.frame(columns(seen)), y = seen$y))
  function(data) {
    p <- stats::predict(fit, as.data.frame(columns(data, seen)), se.fit = TRUE)
    list(mean = p$fit, sd = sqrt(p$se.fit^2 + p$residual.scale^2))
  }
}

# One number: s(). Two: te(). More: a sum of s(). Factors, and numbers with few values, as they are.
smooths <- function(seen) {
  inputs <- setdiff(names(seen), "y")
  kinds <- vapply(seen[inputs], function(column) if (is.factor(column)) 0L else length(unique(column)), 0L)
  smooth <- inputs[kinds > 4]
  n <- nrow(seen)
  terms <- if (length(smooth) == 1) {
    sprintf("s(%s, k = %d)", smooth, as.integer(min(kinds[smooth] - 1, 200, max(5, n %/% 5))))
  } else if (length(smooth) == 2) {
    k <- as.integer(pmin(kinds[smooth] - 1, 18, max(4, floor(sqrt(n / 4)))))
    sprintf("te(%s, %s, k = c(%d, %d))", smooth[1], smooth[2], k[1], k[2])
  } else {
    k <- as.integer(pmin(kinds[smooth] - 1, if (n > 1000) 15 else 7, max(4, n %/% (3 * length(inputs)))))
    sprintf("s(%s, k = %d)", smooth, k)
  }
  stats::as.formula(paste("y ~", paste(c(terms, inputs[kinds <= 4]), collapse = " + ")))
}

fit_bam <- function(seen) {
  fit <- mgcv::bam(smooths(seen), data = seen, discrete = TRUE, drop.unused.levels = FALSE)
  function(data) {
    p <- mgcv::predict.bam(fit, data, se.fit = TRUE, discrete = FALSE)
    list(mean = as.vector(p$fit), sd = sqrt(as.vector(p$se.fit)^2 + fit$sig2))
  }
}

# The spread is that of the rows out of bag.
fit_ranger <- function(seen) {
  fit <- ranger::ranger(y ~ ., seen, num.threads = 1)
  function(data) {
    p <- stats::predict(fit, data, num.threads = 1)
    list(mean = p$predictions, sd = rep(sqrt(fit$prediction.error), nrow(data)))
  }
}

# A local fit at each place that is asked for.
fit_lagp <- function(seen) {
  x <- columns(seen)
  function(data) {
    p <- laGP::aGP(x, seen$y, columns(data, seen), verb = 0)
    list(mean = p$mean, sd = sqrt(p$var))
  }
}

# Spread by simulation, which has the nugget in it.
fit_gpgp <- function(seen) {
  x <- columns(seen)
  fit <- GpGp::fit_model(seen$y, x, matrix(1, nrow(x)), "matern25_scaledim", m_seq = c(10, 20), silent = TRUE)
  function(data) {
    z <- columns(data, seen)
    one <- matrix(1, nrow(z))
    draws <- GpGp::cond_sim(fit, z, one, nsims = 50)
    list(mean = drop(GpGp::predictions(fit, z, one)), sd = apply(draws, 1, stats::sd))
  }
}
