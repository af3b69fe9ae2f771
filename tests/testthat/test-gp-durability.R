# A model that was copied, saved, sent to a worker or made of its plain state predicts and continues identically: T0, not "nearly".

# Streams of n rows a lengthscale apart, so that every row is a point: sizes around multiples of eight show differences in how
# storage is aligned. `looked`: a prediction was made before saving, so that derived quantities exist.
durable_cases <- expand.grid(n = c(0, 1, 7, 8, 9, 50), lookback = c(0, 5, 100, Inf), looked = c(FALSE, TRUE))

durable_model <- function(n, lookback, looked) {
  gp <- toy_gp(0, lookback = lookback)
  for (batch in split(seq_len(n), ceiling(seq_len(n) / 4))) gp$update(1.1 * batch + 0.1 * sin(batch), sin(batch))
  if (looked) predict(gp, 1:3, se.fit = TRUE)
  gp
}

# What comes after: one row, many rows of which some join, one row that joins; and all there is to see.
afterwards <- function(gp) {
  gp$update(4.4, 1)
  first <- predict(gp, c(0.3, 4, 77), interval = "prediction")
  gp$update(toy(40)$x * 2 - 6, toy(40)$y)
  gp$update(-50, 2)
  list(first, predict(gp, seq(-60, 60, by = 1.7), se.fit = TRUE, cov = TRUE), gp$objective, gp$posterior, gp$history, as.list(gp))
}

reload <- function(write, read) {
  function(gp) {
    file <- tempfile(fileext = ".gps")
    on.exit(unlink(file))
    write(gp, file)
    read(file)
  }
}
load_into <- function(file) {
  here <- new.env()
  load(file, here)
  here$gp
}
roads <- list(
  copy = function(gp) gp$copy(),
  `as.list, restore` = function(gp) streaming_gp_restore(as.list(gp)),
  serialize = function(gp) unserialize(serialize(gp, NULL)),
  saveRDS = reload(function(gp, file) saveRDS(gp, file, compress = FALSE), readRDS),
  save_gp = reload(save_gp, load_gp),
  `serialize as hex` = function(gp) unserialize(serialize(gp, NULL, ascii = NA)), # R's decimal form (ascii = TRUE) drops the last digit
  save = reload(function(gp, file) save(gp, file = file), load_into),
  `saveRDS twice` = function(gp) roads$saveRDS(roads$saveRDS(gp)),
  `saveRDS of a list of models` = function(gp) roads$saveRDS(list(1, gp))[[2]]
)

for (road in names(roads)) {
  test_that(paste0("through ", road, ": predictions and further updates are identical"), {
    rows <- if (road %in% names(roads)[1:5]) seq_len(nrow(durable_cases)) else which(durable_cases$lookback == 5)
    for (i in rows) {
      case <- durable_cases[i, ]
      gp <- durable_model(case$n, case$lookback, case$looked)
      twin <- roads[[road]](gp)
      expect_true(identical(afterwards(twin), afterwards(gp)), info = paste(names(case), case, collapse = ", "))
    }
  })
}

# --- saving at any moment -----------------------------------------------------------------------------------------------

# A stream as a list of steps, each a function of the model: batches small and large, known ground and new, looks in between.
steps_of <- function(sizes, D, looks, from = 0) {
  steps <- list()
  for (i in seq_along(sizes)) local({
    rows <- toy(sizes[i], D, from = from + 1 + sum(sizes[seq_len(i - 1)]))
    x <- rows$x * min(1, i / length(sizes) + 0.2) # the ground widens: points join all along
    steps[[length(steps) + 1]] <<- function(gp) gp$update(x, rows$y)
    if (looks > 0 && i %% looks == 0) steps[[length(steps) + 1]] <<- function(gp) predict(gp, x[1, , drop = FALSE], se.fit = TRUE)
  })
  steps
}

saving_cases <- list(
  `one row at a time` = list(make = function() toy_gp(0, 1), sizes = rep(1, 90), D = 1, looks = 3),
  `one row at a time, never looked at` = list(make = function() toy_gp(0, 1), sizes = rep(1, 40), D = 1, looks = 0),
  `small batches, many points` = list(make = function() toy_gp(0, 2, lookback = 30), sizes = rep(c(1, 2, 5, 1, 1, 9), 8), D = 2, looks = 4),
  `no look-back` = list(make = function() toy_gp(0, 2, lookback = 0), sizes = rep(c(1, 3), 15), D = 2, looks = 2),
  `large batches` = list(make = function() toy_gp(0, 2), sizes = c(600, 1, 1, 1, 40, 1, 1, 700), D = 2, looks = 1),
  `limit on points` = list(make = function() toy_gp(0, 2, select = select_oips(0.8, max_points = 30)), sizes = rep(c(2, 1, 4), 10), D = 2, looks = 2),
  `learning` = list(make = function() streaming_gp(optimize = "warmup", warmup = 40), sizes = c(rep(1, 12), 15, 12, 3, rep(c(1, 4, 1), 8)), D = 1, looks = 3),
  `learning online` = list(make = function() streaming_gp(), sizes = c(20, 15, rep(c(9, 11), 8)), D = 1, looks = 4),
  `scale only` = list(make = function() streaming_gp(kernel = kernel_se(1)), sizes = rep(c(1, 2, 3), 10), D = 1, looks = 3)
)

for (name in names(saving_cases)) {
  test_that(paste0("a model saved or restored at any moment of a stream continues bitwise: ", name), {
    case <- saving_cases[[name]]
    steps <- steps_of(case$sizes, case$D, case$looks)
    run <- function(gp, steps) suppressMessages(suppressWarnings({
      for (step in steps) step(gp)
      list(as.list(gp)[c("frame", "core", "learning")], predict(gp, toy(5, case$D)$x, interval = "prediction", se.fit = TRUE), gp$objective, gp$history)
    }))
    expected <- run(case$make(), steps)
    # saved after every step, and never restored
    saving <- lapply(steps, function(step) function(gp) {
      step(gp)
      before <- as.list(gp)
      serialize(gp, NULL)
      expect_identical(as.list(gp), before)
    })
    expect_true(identical(run(case$make(), saving), expected))
    # restored after every step, by turns on one road and the others
    gp <- case$make()
    for (i in seq_along(steps)) {
      suppressMessages(suppressWarnings(steps[[i]](gp)))
      gp <- roads[[c("serialize", "as.list, restore", "save_gp")[1 + i %% 3]]](gp)
    }
    expect_true(identical(run(gp, list()), expected))
    # restored once
    for (i in unique(round(seq(1, length(steps) - 1, length.out = 9)))) {
      gp <- case$make()
      suppressMessages(suppressWarnings(for (step in steps[1:i]) step(gp)))
      expect_true(identical(run(streaming_gp_restore(as.list(gp)), steps[-(1:i)]), expected), info = i)
    }
  })
}

test_that("an update that fails leaves the model bitwise as it was, with rows that were not yet in the factor", {
  gp <- toy_gp(60, 2, select = select_oips(0.8, max_points = 55, when_full = "stop"))
  predict(gp, toy(1, 2)$x)
  gp$update(toy(2, 2)$x, toy(2, 2)$y)
  expect_equal(ncol(as.list(gp)$core$waiting), 2)
  before <- as.list(gp)
  far <- toy(40, 2)
  expect_identical(tryCatch(gp$update(far$x + 7, far$y), gpstream_warning_max_inducing = function(w) "caught"), "caught")
  expect_identical(as.list(gp), before)
})

test_that("a copy is independent in both directions", {
  gp <- toy_gp(30)
  twin <- gp$copy()
  before <- as.list(gp)
  twin$update(100, 1)
  twin$noise <- 7
  twin$points <- 1:3
  expect_identical(as.list(gp), before)
  changed <- as.list(twin)
  gp$update(200, 1)
  expect_identical(as.list(twin), changed)
  alias <- gp # an assignment is not a copy
  alias$update(300, 1)
  expect_equal(gp$nobs, 32)
  new <- toy_gp(0)
  new$copy()$update(1, 1)
  expect_equal(new$nobs, 0)
})

test_that("models with a formula, several columns, fixed points and composite kernels are durable too", {
  frame <- data.frame(y = toy(30)$y, a = toy(30)$x[, 1], g = rep(c("u", "v"), 15))
  by_formula <- function() streaming_gp(optimize = "none", y ~ poly(a, 2) + g, frame, kernel = kernel_se(1) * kernel_rq(2) + kernel_matern32("ard"))
  others <- list(
    function() by_formula(),
    function() toy_gp(30, 3, kernel = kernel_matern52(c(1, 2, 3), 2)),
    function() toy_gp(30, 2, select = select_fixed(toy(12, 2)$x)),
    function() toy_gp(30, 2, select = select_oips(0.5, max_points = 40)),
    function() {
      gp <- toy_gp(30)
      gp$kernel <- kernel_matern32(2, 3)
      gp$mean <- 1
      gp
    }
  )
  go_on <- function(gp) {
    if (!is.null(formula(gp))) return(list(predict(gp, frame, se.fit = TRUE), predict(gp$update(frame[5:9, ]), frame, cov = TRUE), coef(gp)))
    D <- ncol(gp$points)
    list(predict(gp, toy(9, D)$x, se.fit = TRUE), predict(suppressWarnings(continue_stream(gp, D)), toy(9, D)$x, cov = TRUE), coef(gp))
  }
  for (make in others) {
    for (road in roads[c("copy", "as.list, restore", "saveRDS", "save_gp")]) {
      gp <- make()
      expect_true(identical(go_on(road(gp)), go_on(gp)))
    }
  }
})

test_that("a selector on its own is durable", {
  for (n in c(0, 1, 7, 8, 9, 50)) {
    original <- oips(kernel_matern32(1))
    if (n > 0) original$update(3 * seq_len(n))
    go_on <- function(sel) {
      sel$update(2)
      sel$update(toy(40)$x)
      list(sel$points, sel$index, sel$seen, sel$kernel, sel$predict(1:50 / 3))
    }
    twins <- list(original$copy(), unserialize(serialize(original, NULL)), roads$saveRDS(original))
    expected <- go_on(original)
    for (twin in twins) expect_identical(go_on(twin), expected)
  }
})

test_that("B25: a new process reads, predicts and continues identically", {
  skip_on_cran()
  models <- lapply(seq_len(nrow(durable_cases)), function(i) do.call(durable_model, durable_cases[i, ]))
  files <- tempfile(c("models", "script", "answers"))
  on.exit(unlink(files))
  saveRDS(list(models = models, sel = oips(kernel_se(1))$update(1:20)), files[1])
  script <- c(
    "library(gpstream)", deparse(call("<-", quote(files), files)), deparse(call("<-", quote(toy), toy)),
    deparse(call("<-", quote(afterwards), afterwards)), "saved <- readRDS(files[1])", "saveRDS(list(lapply(saved$models, afterwards), saved$sel$update(toy(40)$x)$index), files[3])"
  )
  writeLines(script, files[2])
  out <- system2(file.path(R.home("bin"), "Rscript"), c("--vanilla", shQuote(files[2])), stdout = TRUE, stderr = TRUE, env = libraries())
  expect_null(attr(out, "status"), info = paste(out, collapse = "\n"))
  expected <- list(lapply(models, afterwards), oips(kernel_se(1))$update(1:20)$update(toy(40)$x)$index)
  expect_true(identical(readRDS(files[3]), expected))
})

test_that("B25: a PSOCK worker predicts and continues identically, and gives the model back", {
  skip_on_cran()
  skip_if_not_installed("parallel")
  old <- Sys.getenv("R_LIBS")
  Sys.setenv(R_LIBS = paste(.libPaths(), collapse = .Platform$path.sep))
  on.exit(Sys.setenv(R_LIBS = old))
  worker <- parallel::makePSOCKcluster(1)
  on.exit(parallel::stopCluster(worker), add = TRUE)
  gp <- durable_model(9, 5, FALSE)
  there <- parallel::clusterCall(worker, function(gp) {
    loadNamespace("gpstream")
    gp$update(4.4, 1)
    list(gp, stats::predict(gp, 1:9, cov = TRUE))
  }, gp)[[1]]
  gp$update(4.4, 1)
  expect_identical(there[[2]], predict(gp, 1:9, cov = TRUE))
  expect_true(identical(afterwards(there[[1]]), afterwards(gp)))
})

test_that("a thousand empty updates change nothing", {
  for (gp in list(toy_gp(0, 2), toy_gp(30, 2), toy_gp(30, 2, lookback = 0))) {
    before <- as.list(gp)
    for (i in 1:1000) gp$update(matrix(0, 0, 2), numeric())
    expect_identical(as.list(gp), before)
  }
})

test_that("the same stream gives the same bytes twice; looking at the model in between leaves its evidence alone", {
  run <- function(look) {
    gp <- toy_gp(0, 2)
    for (i in 1:40) {
      gp$update(toy(1, 2, from = i)$x, toy(1, 2, from = i)$y)
      if (look) capture.output(print(summary(gp)), predict(gp, matrix(1, 2, 2)))
    }
    as.list(gp)
  }
  expect_identical(serialize(run(TRUE), NULL), serialize(run(TRUE), NULL))
  looked <- run(TRUE)
  blind <- run(FALSE)
  derived <- c("factored", "C", "waiting") # refactored or updated row by row, the same to rounding
  looked$core[derived] <- blind$core[derived] <- NULL
  expect_identical(looked, blind)
})

test_that("a state with a part missing, of another type or size, or not finite is refused, never used", {
  read <- toy_gp(60, 2)
  predict(read, toy(1, 2)$x)
  read$update(toy(2, 2)$x, toy(2, 2)$y)
  good <- as.list(read)
  expect_true(good$core$factored == 1 && ncol(good$core$waiting) == 2)
  spoil <- function(path, value) {
    state <- good
    if (is.null(value)) state[[path]] <- NULL else state[[path]] <- value
    state
  }
  sized <- c("trend", "Z", "L", "P", "b", "H", "Phi", "s", "tau", "window_x", "window_y", "window_r", "window_s", "window_t", "window_w", "fading", "C", "waiting",
    "history_now", "pit", "learning", "used")
  scalars <- c("format", "noise", "mean", "lookback", "offset", "n", "con", "yy", "carried", "lost", "norm", "foreign", "seen", "refused",
    "turned_away", "set_aside", "removed", "divergence", "forgotten", "made_room", "moves", "history_stride", "factored")
  corrupt <- function(path, value) {
    expect_error(streaming_gp_restore(spoil(path, value)), class = "gpstream_error_corrupt", info = paste(c(path, format(value)), collapse = " "))
  }
  for (name in c("format", "spec", "frame", "core")) corrupt(name, NULL)
  for (value in list("a", 1, sum, NA)) {
    corrupt("spec", value)
    corrupt("frame", value)
    corrupt("core", value)
  }
  for (name in setdiff(names(good$spec), c("formula", "kernel", "noise", "weights"))) corrupt(c("spec", name), NULL)
  for (name in names(good$spec)) corrupt(c("spec", name), new.env())
  for (name in names(good$core)) {
    corrupt(c("core", name), NULL)
    corrupt(c("core", name), sum)
    corrupt(c("core", name), "a")
  }
  for (name in sized) {
    value <- good$core[[name]]
    corrupt(c("core", name), if (is.matrix(value)) value[-1, , drop = FALSE] else value[-1])
    corrupt(c("core", name), replace(value, 1, NaN))
    corrupt(c("core", name), matrix(0, 0, 0))
  }
  for (name in scalars) {
    corrupt(c("core", name), c(1, 1))
    corrupt(c("core", name), NaN)
  }
  corrupt(c("core", "noise"), -1)
  corrupt(c("core", "n"), -1)
  corrupt(c("core", "factored"), 0) # and yet C, and rows not yet in it
  for (spoilt in list(-1, Inf)) {
    corrupt(c("core", "pit"), replace(good$core$pit, 7, spoilt))
    corrupt(c("core", "history_now"), replace(good$core$history_now, 4, spoilt))
    corrupt(c("core", "history"), replace(good$core$history, cbind(2, 5), spoilt))
  }
  corrupt(c("core", "history"), good$core$history[2:1, ]) # out of order
  corrupt(c("core", "history"), good$core$history[, 1:3])
  corrupt(c("core", "history"), good$core$history[rep(1, 1e4), ])
  corrupt(c("core", "history_now"), replace(good$core$history_now, 1, 1)) # fewer batches than are on record
  corrupt(c("frame", "D"), 3)
  corrupt(c("frame", "names"), letters)
  for (value in list(1, "a", list(), NULL, sum, toy_gp(3))) expect_error(streaming_gp_restore(value), class = "gpstream_error_corrupt")
})

test_that("a state of a later format is refused as such", {
  later <- replace(as.list(toy_gp(20)), c("format", "package"), list(99L, "9.9.9"))
  expect_error(streaming_gp_restore(later), "format 99.*install gpstream 9.9.9", class = "gpstream_error_version")
})

# What version 0.1.0 saved, in formats 4 to 9: files, states, what they predicted, and what after more rows. Made by that version.
saved_then <- function(format = 4) readRDS(test_path("fixtures", paste0("format-", format, ".rds")))

read_out <- function(gp, at) {
  list(
    predict = predict(gp, at, interval = "prediction"), se = predict(gp, at, se.fit = TRUE)$se.fit, objective = gp$objective,
    nobs = gp$nobs, points = gp$points, noise = gp$noise, mean = gp$mean
  )
}

test_that("models saved by version 0.1.0 load, predict to 1e-10 and go on as they would have", {
  all <- saved_then()
  for (format in 5:9) {
    saved <- saved_then(format)
    all[paste(names(saved), format)] <- saved
  }
  for (name in names(all)) {
    case <- all[[name]]
    from_file <- load_gp(with_bytes(case$file))
    for (gp in list(from_file, streaming_gp_restore(case$state))) {
      expect_equal(read_out(gp, case$at), case$before, tolerance = 1e-10, info = name)
      stream(gp, case$more$x, case$more$y, case$by)
      expect_identical(gp$nobs, case$after$nobs)
      # where a kernel is searched anew the last digits depend on the search
      learns <- name %in% c("warm", "online")
      if (learns) gp$noise <- case$after$noise
      expect_equal(predict(gp, case$at), case$after$predict[, "fit"], tolerance = if (learns) 0.05 else 1e-8, info = name)
      if (!name %in% c("learned", "warm", "online", "learned 5")) expect_equal(read_out(gp, case$at), case$after, tolerance = 1e-10, info = name)
    }
  }
})

test_that("a state of format 5 has a constant trend, and knows it", {
  for (case in saved_then(5)) {
    gp <- streaming_gp_restore(case$state)
    core <- as.list(gp)$core
    expect_equal(core$trend, matrix(c(0, 0, 1, 0), 1))
    since <- c("set_aside", "removed", "divergence", "forgotten", "made_room", "used", "implausible")
    expect_identical(core[since], list(set_aside = 0, removed = 0, divergence = 0, forgotten = 0, made_room = 0, used = numeric(nrow(core$Z)), implausible = 0))
    # nothing was unlearned, and nobody knew when points had joined
    expect_identical(core[c("unlearned", "taken", "shard")], list(unlearned = 0, taken = numeric(), shard = 0))
    expect_identical(c(core$lost_rows), c(0, core$seen))
    expect_identical(core$joined, rep(core$seen, nrow(core$Z)))
    then <- case$state$core
    then$history <- unname(cbind(then$history, 0, 0, 0, 0)) # nothing was unlearned, no classes were scored
    then$history_now <- c(then$history_now, 0, 0, 0, 0)
    expect_identical(core[setdiff(names(then), "format")], then[names(then) != "format"])
    expect_equal(core$format, 11)
  }
})

test_that("a state of format 6 knows of no alarms and of nothing implausible", {
  gp <- streaming_gp(kernel = kernel_se(1, 1), noise = 0.05, mean = 0, optimize = "none")
  for (i in 1:5) gp$update(i + 1:9 / 10, sin(i + 1:9 / 10))
  core <- as.list(gp)$core
  before <- core
  before$format <- 6
  before[c("implausible", "fading", "window_t")] <- NULL
  before$history <- core$history[, 1:10, drop = FALSE]
  before$history_now <- core$history_now[1:10]
  state <- replace(as.list(gp), c("format", "core"), list(6, before))
  again <- streaming_gp_restore(state)
  now <- as.list(again)$core
  # when points joined and were needed, and when rows came, nobody knew then
  unknown <- c("used", "traces", "joined", "lost_rows", "fading", "window_t")
  expect_identical(now[setdiff(names(now), unknown)], core[setdiff(names(core), unknown)])
  expect_identical(again$history$alarms, rep(0, nrow(gp$history)))
  before$history_now <- core$history_now
  expect_error(streaming_gp_restore(replace(state, "core", list(before))), "`history_now` in the state has another length", class = "gpstream_error_corrupt")
})

# The same states in the layouts of still earlier formats.
in_format_3 <- function(state) {
  gp <- streaming_gp_restore(state)
  gp$objective # it was factored for that
  core <- state$core
  core$C <- as.list(gp)$core$C
  core$history_batches <- core$history_now[1]
  core$history <- core$history[, 1:3, drop = FALSE]
  core[c("history_now", "pit", "factored", "pending")] <- NULL
  replace(state, c("format", "core"), list(3L, core))
}

test_that("formats 3, 2 and 1 give the model they were", {
  case <- saved_then()$batches
  as_then <- function(state) {
    gp <- streaming_gp_restore(state)
    expect_equal(read_out(gp, case$at), case$before, tolerance = 1e-10)
    stream(gp, case$more$x, case$more$y, case$by)
    expect_equal(read_out(gp, case$at), case$after, tolerance = 1e-10)
    streaming_gp_restore(state)
  }
  three <- in_format_3(case$state)
  expect_false(is.na(as_then(three)$certificate()$kl))
  two <- replace(three, "format", list(2L))
  two$core[c("lost", "norm", "foreign", "moves")] <- NULL
  # for all it says, points were put in while every row was at hand
  expect_identical(as_then(two)$certificate()$trace_bound, NA_real_)
  one <- replace(two, "format", list(1L))
  one$learning <- NULL
  one$spec[c("optimize", "warmup", "any_rho")] <- NULL
  as_then(one)
  # of what it carries from a move, format 2 promises nothing
  moved <- in_format_3(saved_then()$rebased$state)
  moved$format <- 2L
  moved$core[c("lost", "norm", "foreign", "moves")] <- NULL
  expect_identical(streaming_gp_restore(moved)$certificate()$kl, NA_real_)
})

test_that("what an early version 0.1 saved by saveRDS() is read, predicts and goes on as it did", {
  saved <- readRDS(test_path("fixtures", "format-3.rds"))
  for (gp in list(saved$model, streaming_gp_restore(saved$state))) {
    # the open rows, which were in P, are taken out once
    expect_equal(predict(gp, saved$at, se.fit = TRUE), saved$predicted, tolerance = 1e-10)
    expect_equal(gp$history[names(saved$history)], saved$history)
    gp$update(saved$at, sin(saved$at))
    expect_equal(predict(gp, saved$at, se.fit = TRUE), saved$afterwards, tolerance = 1e-10)
  }
})

test_that("the state is plain R data", {
  flat <- rapply(as.list(toy_gp(20, 2)), is.atomic, how = "unlist")
  expect_true(all(flat))
  expect_named(as.list(toy_gp(20)), c("format", "package", "spec", "frame", "core"))
  expect_null(as.list(toy_gp(0))$core)
})

test_that("an object saved in version 2 of R's format, which cannot hold it, says so on first use", {
  old <- function(x) unserialize(serialize(x, NULL, version = 2))
  gp <- old(toy_gp())
  selector <- old(oips(kernel_se(1))$update(1:3))
  for (use in expression(print(gp), gp$update(1, 2), predict(gp, 1), gp$nobs, save_gp(gp, tempfile()), gp$copy(), selector$size)) {
    expect_error(eval(use), "saved with `version = 2`.*version 3.*save_gp", class = "gpstream_error_input")
  }
  expect_identical(old(streaming_gp(noise = 0.1))$noise, 0.1) # before the first row there is nothing to lose
})
