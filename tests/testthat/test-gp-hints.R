# Messages and prints that say what to write: noise, dates in another order, periods, families by name.

test_that("no noise says what to write", {
  d <- data.frame(x = 1:20, y = sin(1:20))
  for (zero in list(0, 0L)) expect_error(streaming_gp(y ~ x, noise = zero), "write noise = 1e-6", class = "gpstream_error_parameter")
  gp <- streaming_gp(y ~ x, d, noise = 1e-6)
  expect_error(gp$noise <- 0, "write noise = 1e-6", class = "gpstream_error_parameter")
  expect_equal(predict(gp, d), setNames(d$y, rownames(d)), tolerance = 1e-3, ignore_attr = TRUE)
})

test_that("dates in another order say how to read them, and that is right for any format", {
  set.seed(1)
  at <- as.POSIXct("2024-01-05 00:30", tz = "UTC") + 86400 * sort(sample(300, 40))
  for (format in c("%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%d-%m-%y", "%d.%m.%Y %H:%M", "%m/%d/%Y %H:%M:%S", "%d/%m/%YT%H:%M")) {
    time <- format(at, format)
    d <- data.frame(time, y = sin(seq_along(at)))
    text <- tryCatch(streaming_gp(y ~ time, d), error = conditionMessage)
    call <- regmatches(text, regexpr("as[.]POSIXct[(].*\"UTC\"[)]", text))
    read <- eval(str2lang(call))
    clock <- grepl("%H", format)
    expect_identical(as.numeric(read), as.numeric(if (clock) at else trunc(at, "days")), info = format)
    gp <- streaming_gp(as.formula(paste("y ~", call)), d)
    expect_match(capture.output(print(gp)), "weeks since 2024-01", all = FALSE)
    expect_error(streaming_gp()$update(time, d$y), "Write as.POSIXct(x, format = ", fixed = TRUE)
  }
  few <- suppressWarnings(streaming_gp(y ~ time, data.frame(time = "31.12.2023", y = 1:2)))
  expect_error(few$update(data.frame(time = "01.01.2024", y = 3)), "For times write as.POSIXct(time, format = \"%d.%m.%Y\"", fixed = TRUE)
  expect_error(streaming_gp(y ~ id, data.frame(id = paste0("n", 1:60), y = 1:60)), "write factor(id) where it is meant.", fixed = TRUE)
  two <- streaming_gp(y ~ g, data.frame(g = rep(c("a", "b"), 20), y = 1:40))
  expect_identical(unname(predict(two, data.frame(g = c("", NA, "a")))), c(NA, NA, unname(predict(two, data.frame(g = "a"))))) # text without letters is missing
})

test_that("a season of a time without a unit suggests the likely one; print() has it in words", {
  d <- data.frame(t = as.POSIXct("2024-01-01", tz = "UTC") + 6 * 3600 * (0:199))
  d$y <- sin(pi * (0:199) / 2 + 0.3) + rep(c(0, 0.1), 100)
  expect_error(streaming_gp(y ~ season(t, 24), d), "\"24 hours\"", class = "gpstream_error_parameter")
  expect_error(streaming_gp(y ~ season(t, 7), d), "\"7 days\"")
  expect_error(streaming_gp(y ~ season(t, 3), d), "\"3 weeks\"")
  gp <- streaming_gp(y ~ season(t, "1 day"), d)
  shown <- capture.output(print(gp), print(summary(gp)))
  expect_identical(sum(grepl("period 1 day)", shown, fixed = TRUE)), 2L)
  expect_equal(gp$kernel$period, 1 / 7) # the number is the model's
  expect_false(any(grepl("as given", shown)))
  both <- streaming_gp(y ~ season(t, "1 day") + season(t, "52 weeks") + gp(t), d)
  expect_match(capture.output(print(both)), "period 1 day.*period 52 weeks", all = FALSE)
  words <- function(seconds) gpstream:::duration_words(seconds, 4)
  expect_identical(vapply(c(1, 90, 7200, 86400, 86550, 7 * 86400, 365.25 * 86400, 0.5), words, ""),
    c("1 second", "90 seconds", "2 hours", "1 day", "1.002 days", "1 week", "1 year", "0.5 seconds"))
  plain <- streaming_gp(y ~ season(x, 4), data.frame(x = 0:199, y = d$y))
  expect_match(capture.output(print(plain)), "period 4)", fixed = TRUE, all = FALSE)
})

test_that("a family can be named by a word, as for glm()", {
  d <- data.frame(x = 1:30, n = rep(0:4, 6))
  expect_identical(streaming_gp(n ~ x, family = "poisson")$likelihood, streaming_gp(n ~ x, family = poisson())$likelihood)
  expect_identical(streaming_gp(n ~ x, family = "gaussian")$likelihood$name, "gaussian")
  expect_error(streaming_gp(n ~ x, family = "Gamma"), "link inverse", class = "gpstream_error_parameter") # as Gamma() is
  expect_error(streaming_gp(n ~ x, family = "negbin"), "write likelihood_negbin()", fixed = TRUE, class = "gpstream_error_parameter")
})
