# plot(gp) along the levels of a factor.

test_that("a factor alone, or by name, is shown level by level as predict() has it", {
  gp <- chick_model()
  on_device(drawn <- plot(gp, columns = "Diet", at = list(Time = 10)))
  expect_identical(drawn$Diet, factor(1:4))
  expect_equal(drawn$fit, unname(predict(gp, data.frame(Time = 10, Diet = drawn$Diet))))
  bands <- predict(gp, data.frame(Time = 10, Diet = drawn$Diet), interval = "prediction")
  expect_equal(drawn$upr_new, unname(bands[, "upr"]))
  expect_error(plot(gp, columns = "Diet", at = list(Diet = "3")), "`Diet`", class = "gpstream_error_parameter")

  alone <- streaming_gp(weight ~ Diet, as.data.frame(ChickWeight), kernel = kernel_se(1), noise = 200, optimize = "none")
  on_device({
    drawn <- plot(alone)
    expect_equal(par("usr")[1:2], c(0.5, 4.5))
    expect_named(plot(alone, "points")[1:4], paste0("Diet", 1:4))
  })
  expect_equal(drawn$fit, unname(predict(alone, drawn["Diet"])))
  classes <- streaming_gp(Diet ~ Chick, transform(ChickWeight, Chick = factor(Chick %in% 1:20)), likelihood = likelihood_categorical(),
    kernel = kernel_se(1, 1), optimize = "none")
  on_device(chances <- plot(classes))
  expect_equal(rowSums(chances[startsWith(names(chances), "probability.")]), c(1, 1), ignore_attr = TRUE)

  skip_if_not_installed("ggplot2")
  for (model in list(alone, classes)) {
    picture <- ggplot2::autoplot(model)
    on_device(expected <- plot(model))
    expect_equal(picture$data, expected)
    on_device(print(picture))
  }
})
