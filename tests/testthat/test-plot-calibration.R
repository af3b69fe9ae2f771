# plot(gp, "calibration"): what it says it drew.

test_that("bins and intervals count the PIT values of the rows that were scored", {
  gp <- scored_model()
  on_device(drawn <- plot(gp, "calibration"))
  rows <- toy(200)
  twin <- streaming_gp(y ~ x, kernel = kernel_se(1, 1), noise = 0.05, mean = 0, optimize = "none")
  pit <- NULL
  for (i in split(1:200, ceiling(1:200 / 40))) {
    batch <- data.frame(x = rows$x[i, 1], y = rows$y[i])
    if (twin$nobs > 0) {
      p <- predict(twin, batch, se.fit = TRUE)
      pit <- c(pit, pnorm(batch$y, p$fit, sqrt(p$se.fit^2 + p$residual.scale^2)))
    }
    twin$update(batch)
  }
  expect_equal(drawn$pit$count, as.vector(table(cut(pit, seq(0, 1, 0.05)))))
  expect_equal(drawn$pit$observed, drawn$pit$count / 160 * 20)
  expect_equal(drawn$coverage$level, seq(0.1, 1, 0.1))
  expect_equal(drawn$coverage$observed, vapply(seq(0.1, 1, 0.1), function(level) mean(abs(pit - 0.5) <= level / 2), 0))
  expect_equal(drawn$coverage$lwr, qbinom(0.025, 160, drawn$coverage$level) / 160)
})

test_that("too wide, too narrow and off to one side look as the page says", {
  z <- qnorm(ppoints(4000))
  look <- function(mean, sd) gpstream:::calibration_numbers(gpstream:::bin_pit(pnorm(z, mean, sd)))
  right <- look(0, 1)
  expect_true(all(right$pit$observed > right$pit$lwr & right$pit$observed < right$pit$upr))
  expect_true(all(right$coverage$observed >= right$coverage$lwr & right$coverage$observed <= right$coverage$upr))
  expect_gt(look(0, 2)$pit$observed[10], 1.5)
  expect_gt(look(0, 0.5)$pit$observed[20], 1.5)
  expect_true(all(diff(look(0.5, 1)$pit$observed) < 0))
  expect_true(all(look(0, 2)$coverage$observed[1:9] > right$coverage$upr[1:9]))
})

test_that("without scores it says how to get them", {
  expect_error(plot(toy_gp(30), "calibration"), "nothing was scored yet: consume", class = "gpstream_error_input")
  expect_error(plot(toy_gp(0), "calibration"), "nothing was scored yet", class = "gpstream_error_input")
})
