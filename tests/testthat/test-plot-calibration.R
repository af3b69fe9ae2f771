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

# A model that corrects its intervals: the noise grows tenfold after 300 of 400 rows.
corrected_model <- function(...) {
  rows <- toy(400)
  rows$y <- rows$y + ifelse(1:400 > 300, 1, 0.1) * sin(1e4 * (1:400)^2)
  list(data = data.frame(x = rows$x[, 1], y = rows$y), gp = streaming_gp(y ~ x, kernel = kernel_se(), ...))
}

test_that("the factors of intervals stand alone without scores, and beside the rest with them", {
  alone <- corrected_model()
  alone$gp$update(alone$data)
  expect_gt(max(abs(alone$gp$calibration$factor - 1)), 0.01)
  on_device(expect_message(drawn <- plot(alone$gp, "calibration"), "No histogram and coverage yet: consume", class = "gpstream_message"))
  expect_identical(drawn, list(factors = alone$gp$calibration))

  scored <- corrected_model()
  evaluate(scored$gp, scored$data, batch_size = 50)
  on_device(expect_no_message(drawn <- plot(scored$gp, "calibration")))
  expect_named(drawn, c("pit", "coverage", "factors"))
  expect_identical(drawn$factors, scored$gp$calibration)
  expect_equal(sum(drawn$pit$count), 350)
  for (size in c(7, 4, 3, 2.2)) on_device(expect_identical(plot(scored$gp, "calibration"), drawn), size, size)
})

test_that("a model that does not correct its intervals has no factors to show", {
  for (given in list(list(calibrate = FALSE), list(optimize = "warmup"), list(memory = 0))) {
    model <- do.call(corrected_model, given)
    model$gp$update(model$data[1:60, ])
    expect_error(plot(model$gp, "calibration"), "nothing was scored yet", class = "gpstream_error_input")
  }
  on_device(expect_named(plot(scored_model(), "calibration"), c("pit", "coverage")))
})
