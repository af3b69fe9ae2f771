# gpstream itself, as the workloads use it. Public interface, but for one evaluation of bound and gradient.

# A stream that chooses its points, with the hyper-parameters given.
oips_model <- function(known, lookback = 100, rho = 0.8) {
  streaming_gp(kernel = kernel_se(known$lengthscale, known$variance), noise = known$noise, mean = "zero",
               select = select_oips(rho, Inf), lookback = lookback, optimize = "none")
}

# Fixed points on a square grid, neighbours correlated by exp(-1/2) = 0.61 whatever their number is, so that the models
# differ in size only.
grid_model <- function(points, ...) {
  side <- seq(0, 1, length.out = round(sqrt(points)))
  streaming_gp(kernel = kernel_se(sqrt(2) * diff(side[1:2]), 1), noise = noise_variance, mean = "zero",
               select = select_fixed(as.matrix(expand.grid(side, side))), optimize = "none", ...)
}

# After `rows` rows in batches: nearly all the points that a random stream will have.
settled_model <- function(D, points, rows, seed = 1, ...) {
  gp <- oips_model(known(D, points), ...)
  data <- draw(rows, D, seed)
  for (batch in split(seq_len(rows), ceiling(seq_len(rows) / 1000))) gp$update(data$x[batch, , drop = FALSE], data$y[batch])
  gp
}

# The same by so many threads.
with_threads <- function(threads, code) {
  old <- options(gpstream.threads = threads)
  on.exit(options(old))
  code
}

gp_predict <- function(gp, x) {
  p <- predict(gp, x, se.fit = TRUE)
  list(mean = p$fit, sd = sqrt(p$se.fit^2 + p$residual.scale^2))
}

gp_method <- function(gp, run) {
  method(run, predict = function(x) gp_predict(gp, x), size = function() gp$size, rows = function() gp$nobs)
}
