# Calls that take several seconds, each with the model that it must leave as it was (or NULL). Used by
# test-interrupt-all.R and, all of them, by tools/interrupts.R.
long_calls <- function() {
  set.seed(1)
  given <- function(...) streaming_gp(optimize = "none", kernel = kernel_se(1, 1), ...)
  x <- seq(0, 90, by = 0.1)
  dense <- given(noise = 0.01, mean = 0, select = select_fixed(seq(0, 400, length.out = 800)), lookback = 50)
  dense$update(x, sin(x))
  other <- given(noise = 0.01, mean = 0, select = select_fixed(seq(0.2, 400.2, length.out = 800)), lookback = 50)
  other$update(x, sin(x))
  counts <- given(likelihood = likelihood_poisson())
  counts$update(seq(0, 10, 0.1), rpois(101, 5))
  plane <- streaming_gp(optimize = "none", kernel = kernel_se(c(1, 1, 1), 1), noise = 0.1, select = select_random(600))
  plane$update(matrix(runif(3000, 0, 9), ncol = 3), rnorm(1000))
  many <- (seq_len(4e5) * sqrt(2)) %% 1 * 400
  some <- matrix(runif(3e5, 0, 20), ncol = 3)
  big <- streaming_gp(lookback = 20000)
  rows <- sort(runif(20000, 0, 300))
  list(
    update = list(function() dense$update(many, sin(many)), dense),
    learn = list(function() big$update(some, rnorm(nrow(some))), big),
    optimize = list(function() dense$optimize(many[1:20000], sin(many[1:20000])), dense),
    `predict, se` = list(function() predict(dense, many, se.fit = TRUE), dense),
    `predict, slope` = list(function() predict(dense, many, deriv = 1, se.fit = TRUE), dense),
    `predict, joint` = list(function() predict(dense, seq(0, 400, length.out = 8000), cov = TRUE), dense),
    `predict, counts` = list(function() predict(counts, rep(50, 2e5), interval = "prediction"), counts),
    simulate = list(function() simulate(dense, 500, newdata = seq(0, 400, length.out = 4000)), dense),
    score = list(function() evaluate(counts, rep(5, 2e4), y = rep(4, 2e4), learn = FALSE, batch_size = 2e4), counts),
    components = list(function() components(dense, many), dense),
    importance = list(function() importance(plane, some), plane),
    merge = list(function() for (i in 1:50) merge(dense, other), dense),
    unlearn = list(function() for (i in 1:2000) dense$copy()$unlearn(x[901], sin(x[901])), dense),
    forget = list(function() for (i in 1:2000) dense$copy()$forget(0.9), dense),
    kernel_matrix = list(function() kernel_matrix(kernel_matern32(1), rows), NULL),
    nystrom_error = list(function() nystrom_error(kernel_se(0.05), rows, rows[seq(1, 20000, 10)], "spectral"), NULL),
    kdpp_sample = list(function() kdpp_sample(kernel_se(0.02), runif(5000), 40), NULL),
    select_points = list(function() select_points(select_variance(1e-6), some, kernel_se(c(0.5, 0.5, 0.5))), NULL),
    certificate = list(function() for (i in 1:500) dense$certificate(), dense),
    save_gp = list(function() for (i in 1:500) save_gp(dense, tempfile()), dense),
    read_csv = list(function() {
      file <- tempfile(fileext = ".csv")
      utils::write.csv(data.frame(x = many, y = 1), file, row.names = FALSE)
      repeat consume(given(noise = 1, mean = 0, select = select_fixed(1)), file)
    }, NULL)
  )
}

# In a process of its own: each call gets SIGINT after a while; when did it return, and is its model as it was?
interrupted_calls <- function(calls, which, after = 0.3) suspendInterrupts({
  out <- list()
  for (name in which) {
    model <- calls[[name]][[2]]
    # what is derived when it is asked for is no change
    if (!is.null(model) && model$nobs > 0) predict(model, model$points[1, , drop = FALSE], se.fit = TRUE)
    before <- if (!is.null(model)) as.list(model)
    system(sprintf("(sleep %g; kill -INT %d) > /dev/null 2>&1", after, Sys.getpid()), wait = FALSE)
    start <- proc.time()[["elapsed"]]
    ended <- tryCatch(
      {
        allowInterrupts(suppressMessages(calls[[name]][[1]]()))
        "finished"
      },
      interrupt = function(i) "interrupted", error = function(e) conditionMessage(e)
    )
    took <- proc.time()[["elapsed"]] - start
    # what was sent must not hit the next one
    if (ended != "interrupted") tryCatch(allowInterrupts(Sys.sleep(5)), interrupt = identity)
    same <- is.null(model) || identical(as.list(model), before)
    out[[name]] <- data.frame(call = name, ended = ended, seconds = round(took - after, 2), same = same)
  }
  do.call(rbind, out)
})
