# The one place where a batch is played: the same for all who play, and where its rows are after a failure.

play <- function(run, size = 10) {
  played <- list()
  ended <- gpstream:::play(run, function() size, function(one) played[[length(played) + 1]] <<- one)
  list(ended = ended, played = played)
}
model <- function(gp, ...) {
  utils::modifyList(gpstream:::streaming_model(gp, "y", function(n) seq_len(n)), list(...), keep.null = TRUE)
}
run_of <- function(..., data = toy(40)) gpstream:::new_run(source = as_source(data), models = list(...))
ctrl_c <- function() stop(structure(class = c("interrupt", "condition"), list(message = "", call = NULL)))

test_that("consume(), evaluate() and watch() make the same model of the same batches", {
  rows <- toy(200)
  consumed <- consume(toy_gp(0), rows, 20)
  evaluated <- toy_gp(0)
  evaluate(evaluated, rows, 20)
  watched <- played(10, rows, batch_size = 20, gp = toy_gp(0))$gp
  expect_identical(evaluated$points, consumed$points)
  expect_identical(watched$points, consumed$points)
  at <- seq(0, 10, by = 0.5)
  said <- function(gp) predict(gp, at, interval = "prediction")
  expect_equal(said(evaluated), said(consumed))
  expect_equal(said(watched), said(consumed))
  both <- setdiff(names(watched$history), "seconds")
  expect_equal(watched$history[both], evaluated$history[both]) # every row is scored
})

test_that("what is told of a batch: rows, scores of what was predicted before, seconds", {
  gp <- toy_gp(0)
  out <- play(run_of(model(gp)), 25)
  expect_identical(out$ended, "finished")
  expect_identical(vapply(out$played, `[[`, 0, "rows"), c(25, 15))
  expect_identical(vapply(out$played, `[[`, 0, "learned"), c(25, 15))
  expect_null(out$played[[1]]$scores[[1]]) # nothing was known yet
  rest <- toy(15, from = 26)
  expect_equal(out$played[[2]]$scores[[1]]$error, rest$y - predict(toy_gp(25), rest$x))
  expect_true(all(out$played[[2]]$seconds >= 0))
  expect_identical(gpstream:::play(run_of(model(gp)), function() 0, stop), "stopped")
})

test_that("a batch that fails goes back, or is left out; the next one is played", {
  holes <- toy(40)
  holes$y[15] <- NA
  for (skips in c(FALSE, TRUE)) {
    run <- run_of(model(toy_gp(0)), data = holes)
    run$skips <- skips
    failures <- 0
    size <- function() if (failures > 0 && !skips) 0 else 10
    gpstream:::play(run, size, function(one) failures <<- failures + !is.null(one$failed))
    expect_identical(failures, 1)
    expect_identical(run$source$taken, if (skips) 40 else 10)
    expect_identical(run$models[[1]]$gp$nobs, if (skips) 30 else 10)
    expect_null(run$pending)
  }
})

test_that("rows that one of several models has learned do not go back", {
  fails <- function(rows) stop("no")
  own <- list(read = function(batch, y) batch, foresee = function(rows) NULL, learn = function(rows) NULL)
  for (first in list(model(toy_gp(0)), own)) {
    run <- run_of(first, model(toy_gp(0), learn = fails))
    expect_error(gpstream:::play(run, function() 10, function(one) stop(one$failed)), "no")
    expect_identical(run$source$taken, 10)
  }
  run <- run_of(model(toy_gp(0), learn = fails), model(toy_gp(0)))
  expect_error(gpstream:::play(run, function() 10, function(one) stop(one$failed)), "no")
  expect_identical(run$source$taken, 0)
})

test_that("Ctrl-C: rows go back, unless they were just learned", {
  gp <- toy_gp(0)
  stopped <- function(run) tryCatch(play(run), interrupt = function(i) "interrupted")
  for (step in c("read", "foresee", "learn")) {
    run <- run_of(do.call(model, c(list(toy_gp(20)), stats::setNames(list(function(...) ctrl_c()), step))))
    expect_identical(stopped(run), "interrupted")
    expect_identical(run$source$taken, 0)
    expect_null(run$late)
  }
  run <- run_of(model(gp, learn = function(rows) {
    gpstream:::gp_learn(gp, rows)
    ctrl_c()
  }))
  expect_identical(stopped(run), "interrupted")
  expect_identical(run$source$taken, 10)
  expect_identical(run$late[c("rows", "learned")], list(rows = 10, learned = 10))
})

test_that("Ctrl-C when a batch has just been learned leaves no gap in the history, nor in when rows are scored", {
  whole <- toy_gp(20)
  rest <- toy(20, from = 21)
  done <- play(run_of(model(whole), data = rest), 20)
  gp <- toy_gp(20)
  late <- function(rows) {
    gpstream:::gp_learn(gp, rows)
    ctrl_c()
  }
  run <- run_of(model(gp, learn = late), data = rest)
  expect_identical(tryCatch(play(run, 20), interrupt = function(i) "interrupted"), "interrupted")
  expect_identical(run$late$scores, done$played[[1]]$scores)
  columns <- setdiff(names(whole$history), "seconds")
  expect_identical(gp$history[columns], whole$history[columns])
  expect_gt(sum(gp$history$scored, na.rm = TRUE), 0)
})

test_that("an error of what is done after a batch is not the batch's", {
  gp <- toy_gp(0)
  run <- run_of(model(gp))
  expect_error(gpstream:::play(run, function() 10, function(one) stop("disk full")), "disk full")
  expect_identical(gp$nobs, 10)
  expect_identical(run$source$taken, 10)
})
