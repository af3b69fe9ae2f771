# What a row costs against the number of inducing points M: slope 2 wherever M^2 rules. Fixed points on a square grid.
# And what a call costs when there is next to nothing to do.

sizes <- function(quick) {
  batch <- draw(1000, 2, 1)
  one <- list(x = batch$x[1, , drop = FALSE], y = batch$y[1])
  rbind(do.call(rbind, lapply(if (quick) c(49, 196) else c(49, 100, 196, 400, 784, 1600), function(M) {
    gp <- grid_model(M)
    gp$update(batch$x, batch$y)
    task <- function(act, rows = 1) function() gp_method(gp, function() often(act) / rows)
    measure("by M", sprintf("%d points", M), "us per row", test = NULL, rounds = if (quick) 3 else 15, budget = 2, makers = lapply(list(
      "gpstream" = task(function() gp$update(one$x, one$y)),
      "gpstream, one row and one prediction" = task(function() {
        gp$update(one$x, one$y)
        predict(gp, one$x, se.fit = TRUE)
      }),
      "gpstream, batch of 1000" = task(function() gp$update(batch$x, batch$y), 1000),
      "gpstream, predict mean" = task(function() predict(gp, batch$x), 1000),
      "gpstream, predict mean and sd" = task(function() predict(gp, batch$x, se.fit = TRUE), 1000)
    ), function(make) function() replace(make(), "predict", list(NULL))))
  })), calls(quick))
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
