# Likelihoods with several latent functions, for bench/likelihoods.R: `draw` takes a matrix with a function in each column.
several <- list(
  heteroscedastic = list(name = "heteroscedastic", kind = "number", K = 2, open = likelihood_heteroscedastic(),
    draw = function(f) f[, 1] + exp(f[, 2] / 2 - 1) * stats::rnorm(nrow(f))),
  categorical = list(name = "categorical", kind = "class", K = 3, open = likelihood_categorical(),
    probability = function(f) exp(f) / rowSums(exp(f)),
    draw = function(f) factor(max.col(f - log(-log(matrix(stats::runif(length(f)), nrow(f)))), "first"), 1:3))
)

functions_at <- function(one, x, lengthscale, size) {
  matrix(vapply(seq_len(one$K), function(k) random_function(size, lengthscale, NCOL(x))(x), numeric(NROW(x))), ncol = one$K)
}

# As fitted_stream() has it, with lengthscales that all functions have.
cover_several <- function(one, many) {
  runs <- lapply(seq_len(many), function(seed) {
    set.seed(seed)
    x <- stats::runif(800, 0, 10)
    f <- functions_at(one, x, exp(stats::runif(1, 0, 1.1)), exp(stats::runif(1, -0.7, 0.3)))
    f <- f + rep(stats::rnorm(one$K, sd = 0.5), each = 800)
    y <- one$draw(f)
    gp <- feed(streaming_gp(likelihood = one$open), x[1:400], y[1:400])
    new <- 401:800
    if (one$kind == "class") {
      return(data.frame(seed, said = as.vector(predict(gp, x[new])), true = as.vector(one$probability(f[new, ]))))
    }
    limits <- predict(gp, x[new], interval = "prediction")
    mean(y[new] >= limits[, "lwr"] & y[new] <= limits[, "upr"])
  })
  case <- sprintf("%s, %d streams", one$name, many)
  if (one$kind == "class") note_calibration(case, do.call(rbind, runs)) else note_coverage(case, unlist(runs))
}

# The posterior of each function is not public, so that the loss is that of new rows' densities.
stream_several <- function(one, order) {
  found <- vapply(seq_len(if (quick) 1 else 3), function(seed) {
    set.seed(seed)
    x <- stats::runif(1200, 0, 10)
    y <- one$draw(functions_at(one, x, lengthscale, 1))
    rows <- if (order == "sorted") order(x[1:800]) else 1:800
    model <- function(...) {
      streaming_gp(kernel = kernel_se(lengthscale, 1), mean = 0, likelihood = one$open, optimize = "none", ...)
    }
    stream <- feed(model(), x[rows], y[rows], 10)
    batch <- model(lookback = Inf, select = select_fixed(stream$points))
    batch$update(x[rows], y[rows])
    density <- function(gp) sum(gp$score(x[801:1200], y[801:1200])$log_density)
    ours <- latent(stream, x[801:1200])
    theirs <- latent(batch, x[801:1200])
    c(density(batch) - density(stream), max(abs(ours$fit - theirs$fit) / theirs$se.fit))
  }, numeric(2))
  case <- sprintf("%s, 1-D, %s", one$name, order)
  note("streaming", case, "log density of 400 new rows lost, nats, largest", max(found[1, ]))
  note("streaming", case, "means apart, in latent sd, largest", max(found[2, ]))
}
