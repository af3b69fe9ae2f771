# Observations of other likelihoods in plots: on the axis of what is expected of them.

picture_models <- function() {
  set.seed(1)
  x <- runif(120, 0, 10)
  f <- sin(x)
  trials <- rpois(120, 5) + 1
  data <- data.frame(x, trials, yes = rbinom(120, trials, plogis(f)), alarm = factor(ifelse(runif(120) < plogis(2 * f), "on", "off")),
    hours = rep(c(1, 10), 60), grade = cut(2 * f + rlogis(120), c(-Inf, -1, 1, Inf), c("good", "worn", "bad"), ordered_result = TRUE))
  data$failures <- rpois(120, data$hours * exp(f))
  fit <- function(formula, likelihood) streaming_gp(formula, data, kernel = kernel_se(2), likelihood = likelihood)
  list(data = data, alarm = fit(alarm ~ x, likelihood_bernoulli()), trials = fit(cbind(yes, trials - yes) ~ x, likelihood_binomial()),
    counts = fit(failures ~ x + offset(log(hours)), likelihood_poisson()), grades = fit(grade ~ x, likelihood_ordinal()))
}

test_that("probabilities lie within 0 and 1, counts not below 0, and rows of the look-back beside them", {
  all <- picture_models()
  rows <- function(gp) gpstream:::observed_rows(gp, gpstream:::plot_view(gp, NULL, NULL, NULL))$y
  for (gp in all[c("alarm", "trials")]) {
    on_device(drawn <- plot(gp))
    expect_true(all(drawn$lwr >= 0 & drawn$upr <= 1))
    expect_true(all(rows(gp) >= 0 & rows(gp) <= 1))
    expect_match(gpstream:::response_label(gp), "probability of")
  }
  expect_identical(gpstream:::response_label(all$alarm), "probability of alarm = on")
  latest <- utils::tail(all$data, length(rows(all$trials)))
  expect_equal(rows(all$trials), latest$yes / latest$trials)
  latest <- utils::tail(all$data, length(rows(all$counts)))
  expect_equal(rows(all$counts), latest$failures / latest$hours)
  on_device(drawn <- plot(all$counts))
  expect_true(all(drawn$lwr_new >= 0 & drawn$lwr >= 0))
  expect_identical(gpstream:::axis_classes(all$grades), c("good", "worn", "bad"))
  on_device(expect_no_error(plot(all$grades)))
  expect_null(gpstream:::axis_classes(all$counts))
  skip_if_not_installed("ggplot2")
  for (gp in all[-1]) expect_no_error(ggplot2::ggplot_build(ggplot2::autoplot(gp)))
})

test_that("the live page shows and predicts them", {
  all <- picture_models()
  for (name in names(all)[-1]) {
    gp <- all[[name]]
    player <- gpstream:::new_player(gp, as_source(all$data), batch_size = 20)
    for (i in 1:3) gpstream:::player_step(player)
    on_device({
      expect_no_error(gpstream:::watch_picture(player))
      expect_no_error(gpstream:::watch_error(player))
    })
    if (name == "trials") expect_true(all(player$seen$y <= 1))
    if (name == "counts") next # needs hours beside x
    answer <- gpstream:::player_predict(player, list(2))
    expect_null(answer$problem)
    expect_true(answer$lwr <= answer$mean && answer$mean <= answer$upr)
  }
})
