# What a row costs against the number of inducing points M: slope 2 wherever M^2 rules. Fixed points on a square grid.
# And what a call costs when there is next to nothing to do.

sizes <- function(quick) {
  rbind(do.call(rbind, lapply(if (quick) c(49, 196) else c(49, 100, 196, 400, 784, 1600), size_case, quick = quick)), calls(quick))
}

size_case <- function(M, quick) {
  batch <- draw(1000, 2, 1)
  x <- batch$x[1, , drop = FALSE]
  y <- batch$y[1]
  # A model for each task: what one leaves undone, such as a posterior to be factored, is not left to another.
  task <- function(act, rows = 1) function() {
    gp <- grid_model(M)$update(batch$x, batch$y)
    act(gp)
    method(function() often(function() act(gp)) / rows, size = function() gp$size, rows = function() gp$nobs)
  }
  measure("by M", sprintf("%d points", M), "us per row", rounds = if (quick) 3 else 15, budget = 2, makers = list(
    "gpstream" = task(function(gp) gp$update(x, y)),
    "gpstream, one row and one prediction" = task(function(gp) {
      gp$update(x, y)
      predict(gp, x, se.fit = TRUE)
    }),
    "gpstream, batch of 1000" = task(function(gp) gp$update(batch$x, batch$y), 1000),
    "gpstream, predict mean" = task(function(gp) predict(gp, batch$x), 1000),
    "gpstream, predict mean and sd" = task(function(gp) predict(gp, batch$x, se.fit = TRUE), 1000)
  ))
}

calls <- function(quick) {
  nothing <- function(x, y) NULL
  gp <- streaming_gp(kernel = kernel_se(1, 1), noise = noise_variance, mean = "zero", select = select_fixed(0.5), optimize = "none")
  x <- matrix(0.5)
  gp$update(x, 1)
  short <- function(act) function() method(function() often(act))
  measure("call", "one row, 1 point", "us per call", rounds = if (quick) 3 else 20, makers = list(
    gpstream = short(function() gp$update(x, 1)), "machine: empty closure" = short(function() nothing(x, 1))
  ))
}
