# The objective elsewhere and its gradient, as the search sees them. Every kernel, with old evidence, is in tests/core/test_gradient.cpp.

golden <- jsonlite::fromJSON(test_path("fixtures", "golden.json"))$streaming_step_gradient

test_that("value and gradient are those of an independent implementation [derivation 6]", {
  old <- streaming_gp(kernel = kernel_se(golden$l_old, golden$v_old), noise = golden$sigma2, mean = 0, select = select_fixed(golden$Z_old),
    lookback = 0, optimize = "none")
  old$update(golden$X_old, golden$y_old)
  F <- gpstream:::core_objective(old$state$handle, golden$X, golden$y)
  at <- gpstream:::core_objective_at(F, kernel_se(golden$l, golden$v), golden$Z, golden$sigma2, 0, TRUE)
  # theirs leaves the residual of the old rows at the old amplitude, ours reads it with the new one
  residual <- gpstream:::core_gp_info(old$state$handle)$tau / (2 * golden$sigma2)
  expect_close(at$objective - old$objective - (golden$v_old - golden$v) * residual, golden$L_t, 1e-10)
  expect_close(at$kernel[1], golden$dlogl, 1e-10)
  expect_close(at$kernel[2] + golden$v * residual, golden$dlogv, 1e-10)
  expect_close(at$points, golden$dZ, 1e-10)
  # without old rows, the noise too: theirs freezes the old noise, ours reads it anew
  empty <- streaming_gp(kernel = kernel_se(golden$l_old, golden$v_old), noise = 1, mean = 0, select = select_fixed(golden$Z_old), optimize = "none")
  empty$update(golden$X[1, , drop = FALSE], golden$y[1])
  value <- function(noise) {
    batch_posterior(kernel_se(golden$l, golden$v), golden$Z, golden$X, golden$y, noise, golden$X)$objective
  }
  F <- gpstream:::core_objective(empty$state$handle, golden$X[-1, ], golden$y[-1])
  at <- gpstream:::core_objective_at(F, kernel_se(golden$l, golden$v), golden$Z, 0.2, 0, FALSE)
  expect_close(at$objective, value(0.2), 1e-10)
  expect_close(at$log_noise, (value(0.2 * exp(1e-4)) - value(0.2 * exp(-1e-4))) / 2e-4, 1e-6)
})

test_that("slopes stand in the order in which the kernel names its parameters, in every kernel", {
  data <- example_stream(40, 2)
  gp <- streaming_gp(kernel = kernel_se(1, 1), noise = 0.1, mean = 0, optimize = "none")$update(data$x, data$y)
  F <- gpstream:::core_objective(gp$state$handle, data$x[1:10, ], data$y[1:10])
  at <- function(kernel) gpstream:::core_objective_at(F, kernel, gp$points, 0.1, 0, FALSE)
  times <- function(kernel, name, factor) {
    column <- if (startsWith(name, "lengthscale")) as.integer(sub("lengthscale", "", name)) else NA
    if (is.na(column)) kernel[[name]] <- factor * kernel[[name]] else kernel$lengthscale[column] <- factor * kernel$lengthscale[column]
    kernel
  }
  for (make in kernel_constructors) {
    kernel <- make(c(0.8, 1.5), 1.2)
    own <- gpstream:::core_kernel_parameters(kernel)
    slopes <- vapply(own$name, function(name) {
      (at(times(kernel, name, exp(1e-4)))$objective - at(times(kernel, name, exp(-1e-4)))$objective) / 2e-4
    }, 0)
    expect_close(at(kernel)$kernel, unname(slopes), 1e-6)
    expect_identical(own$value[1:3], c(0.8, 1.5, 1.2))
  }
})
