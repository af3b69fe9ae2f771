# drift_alarm(): the test by itself, and in consume() and watch().

test_that("[derivation 17] bets are fair: the stake is a martingale under even ranks, 1 at the beginning", {
  bets <- gpstream:::test_bets
  for (i in seq_len(nrow(bets))) {
    total <- integrate(dbeta, 0, 0.5, bets[i, 1], bets[i, 2], rel.tol = 1e-10)$value +
      integrate(function(u) dbeta(1 - u, bets[i, 1], bets[i, 2]), 0, 0.5, rel.tol = 1e-10)$value
    expect_equal(total, 1, tolerance = 1e-8)
  }
  kept <- gpstream:::test_kept
  expect_identical(kept(0), 1)
  expect_true(all(diff(kept(0:1000)) < 0))
  # a row averaged over all ranks among distinct scores, and over lots: as much as before
  state <- gpstream:::new_test()
  for (z in c(0.3, -1, 2, 0.5, 0.1)) state <- gpstream:::test_row(state, z)
  lots <- ((seq_len(400) - 0.5) / 400)^4 # finer where densities are steep
  lots <- sort(c(lots / 2, 1 - lots / 2))
  widths <- diff(c(0, (lots[-1] + lots[-800]) / 2, 1))
  after <- vapply(c(-2, 0, 0.2, 0.4, 1, 3), function(z) {
    sum(widths * vapply(lots, function(u) {
      gpstream:::test_evidence(gpstream:::test_row(state, z, list(u = c(u, 0.5), state = 1)))
    }, 0))
  }, 0)
  expect_equal(mean(after), gpstream:::test_evidence(state), tolerance = 1e-3)
})

test_that("[derivation 17] ranks of exchangeable scores are even and independent, though all but a few scores are forgotten", {
  permutations <- function(n) {
    if (n == 1) return(matrix(1))
    before <- permutations(n - 1)
    do.call(rbind, lapply(seq_len(n), function(i) cbind(i, before + (before >= i))))
  }
  orders <- permutations(5)
  drops <- as.matrix(expand.grid(0:2, 0:2, 0:2)) # which of three goes, at rows 3, 4 and 5
  ranks <- NULL
  for (drop in seq_len(nrow(drops))) {
    lots <- c(0, 0, drops[drop, ] + 0.5) / 3
    ranks <- c(ranks, apply(orders, 1, function(z) {
      state <- gpstream:::new_test()
      below <- character()
      for (t in 1:5) {
        below <- c(below, sum(state$sample < z[t]))
        state <- gpstream:::test_row(state, z[t], list(u = c(0.5, lots[t]), state = 1), most = 2)
      }
      paste(below, collapse = "")
    }))
  }
  # ranks of rows 1 to 5 can be 1, 2, 3, 3 and 3 different ones
  expect_identical(unname(c(table(ranks))), rep(as.integer(120 * 27 / 54), 54))
})

test_that("the pseudo-random numbers are even, and not related to those before", {
  draws <- gpstream:::test_draws
  state <- 20210701
  u <- matrix(0, 5000, 2)
  for (i in 1:5000) {
    one <- draws(state)
    u[i, ] <- one$u
    state <- one$state
  }
  expect_gt(min(u), 0)
  expect_lt(max(u), 1)
  expect_gt(ks.test(u[, 1], "punif")$p.value, 1e-3)
  expect_gt(ks.test(u[, 2], "punif")$p.value, 1e-3)
  expect_lt(max(abs(cor(cbind(u[-1, ], u[-5000, ])) - diag(4))), 0.06)
})

test_that("[derivation 17] no more false alarms than the level says, whatever the noise", {
  set.seed(2)
  noises <- list(rnorm, function(n) rt(n, 2), function(n) rexp(n), function(n) round(rnorm(n)))
  false <- vapply(1:200, function(i) {
    alarm <- drift_alarm(0.2, after = 0)
    alarm$see(noises[[1 + i %% 4]](300))
    alarm$alarms > 0
  }, NA)
  expect_lte(sum(false), qbinom(0.9999, 200, 0.2))
})

test_that("a jump, and larger noise, are found soon", {
  set.seed(3)
  for (change in list(function(z) z + 3, function(z) z - 3, function(z) 4 * z)) {
    delay <- replicate(10, {
      alarm <- drift_alarm()
      alarm$see(c(rnorm(800), change(rnorm(60))))
      alarm$rows[1] - 800
    })
    expect_true(all(delay > 0 & delay <= 30))
  }
})

test_that("any cut of the stream gives the same; copies and saved alarms go on alike", {
  set.seed(4)
  z <- c(rnorm(700), rnorm(400, 4), rnorm(500, -4), rnorm(300))
  whole <- drift_alarm()
  expect_true(whole$see(z))
  expect_identical(whole$alarms, 3L)
  expect_identical(whole$seen, 1900)
  changes <- c(700, 1100, 1600)
  expect_true(all(whole$rows > changes & whole$rows <= changes + 20))
  expect_identical(whole$threshold, 16 / 1e-3)
  pieces <- drift_alarm()
  told <- vapply(split(z, ceiling(seq_along(z) / 7)), function(part) pieces$see(part), NA)
  expect_identical(pieces$state, whole$state)
  expect_equal(unname(which(told)), ceiling(whole$rows / 7))
  half <- drift_alarm()
  half$see(z[1:900])
  twin <- half$copy()
  file <- tempfile()
  saveRDS(half, file)
  again <- readRDS(file)
  again$see(z[901:1900])
  expect_identical(again$state, whole$state)
  expect_identical(half$seen, 900)
  twin$see(data.frame(z = z[901:1900]))
  expect_identical(twin$state, whole$state)
  seed <- .Random.seed
  half$see(z)
  expect_identical(.Random.seed, seed)
})

test_that("rows before `after`, and missing scores, are counted and not looked at", {
  alarm <- drift_alarm(after = 50)
  expect_false(alarm$see(rep(c(-1e6, 1e6), 25)))
  expect_identical(alarm$evidence, 1)
  alarm$see(rep(NA_real_, 10))
  expect_identical(c(alarm$seen, alarm$evidence), c(60, 1))
  alarm$see(1)
  expect_false(alarm$evidence == 1)
})

test_that("alarms say what is wrong with what they are given", {
  expect_error(drift_alarm(0), "`level` must be a single number between 0 and 1", class = "gpstream_error_parameter")
  expect_error(drift_alarm(action = "stop"), "`action` must be one of \"warn\", \"forget\", \"restart\", not \"stop\"", class = "gpstream_error_parameter")
  expect_error(drift_alarm(action = 3), "or a function, not 3", class = "gpstream_error_parameter")
  expect_error(drift_alarm(after = -1), "`after`", class = "gpstream_error_parameter")
  expect_error(drift_alarm()$see("a"), "`scores` must be what gp\\$score\\(\\) gives", class = "gpstream_error_type")
  alarm <- drift_alarm()
  expect_error(alarm$alarms <- 3, "read-only", class = "gpstream_error_input")
  expect_error(consume(stream_model(), stream_rows(10), alarm = 3), "`alarm` must be a drift_alarm", class = "gpstream_error_type")
  expect_error(consume(stream_model(), stream_rows(10), alarm = "x"), "`alarm` must be one of", class = "gpstream_error_parameter")
  expect_output(print(drift_alarm()), "level 0.001, 0 rows seen, 0 alarms\nevidence 1 of 2000; warns")
})
