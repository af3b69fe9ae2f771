# Months to come, foretold from the months so far: Rscript bench/time-series.R
# datasets::co2, 468 months of CO2 at Mauna Loa. Each year but the first two is predicted from the years before it: by a gpstream model that
# learns a year at a time and is given the formula only, and by others that are fitted anew to all months so far: lm(y ~ t), lm with two
# harmonics of the year beside t, mgcv::gam(y ~ s(t) + s(month, bs = "cc")) by REML, whose intervals have the residual variance added, and two
# that are for evenly spaced series only, stats::arima with the airline model and stats::HoltWinters. Writes inst/extdata/time-series.csv: root
# mean square error, mean absolute error, share inside the 95 % prediction intervals, and seconds for the whole of it.
# A minute on one core; needs gpstream and mgcv installed.

local({
  file <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
  setwd(file.path(dirname(gsub("~+~", " ", file, fixed = TRUE)), ".."))
})
library(gpstream)

months <- data.frame(
  t = as.Date(sprintf("%d-%02d-15", rep(1959:1997, each = 12), 1:12)), y = as.numeric(co2), month = rep(1:12, 39)
)
months$phase <- 2 * pi * as.numeric(months$t) / 365.25
year <- as.numeric(format(months$t, "%Y"))

refitted <- list(
  "lm(y ~ t)" = function(past, new) predict(lm(y ~ t, past), new, interval = "prediction"),
  "lm, t and two harmonics" = function(past, new) {
    fit <- lm(y ~ t + sin(phase) + cos(phase) + sin(2 * phase) + cos(2 * phase), past)
    predict(fit, new, interval = "prediction")
  },
  "mgcv::gam, s(t) + s(month, bs = \"cc\")" = function(past, new) {
    past$day <- as.numeric(past$t)
    new$day <- as.numeric(new$t)
    fit <- mgcv::gam(y ~ s(day) + s(month, bs = "cc", k = 12), data = past, method = "REML", knots = list(month = c(0.5, 12.5)))
    p <- predict(fit, new, se.fit = TRUE)
    half <- qt(0.975, fit$df.residual) * sqrt(p$se.fit^2 + fit$sig2)
    cbind(fit = p$fit, lwr = p$fit - half, upr = p$fit + half)
  },
  "stats::arima, (0,1,1)(0,1,1)12" = function(past, new) {
    fit <- arima(past$y, c(0, 1, 1), list(order = c(0, 1, 1), period = 12))
    p <- predict(fit, nrow(new))
    cbind(fit = p$pred, lwr = p$pred - 1.96 * p$se, upr = p$pred + 1.96 * p$se)
  },
  "stats::HoltWinters" = function(past, new) {
    fit <- HoltWinters(ts(past$y, frequency = 12))
    predict(fit, nrow(new), prediction.interval = TRUE)
  }
)

streamed <- function() {
  gp <- streaming_gp(y ~ trend(t) + season(t, "1 year"))
  gp$update(months[year < 1961, ])
  foretold <- lapply(1961:1997, function(now) {
    p <- predict(gp, months[year == now, ], interval = "prediction")
    gp$update(months[year == now, ])
    p
  })
  do.call(rbind, foretold)
}
anew <- function(model) {
  do.call(rbind, lapply(1961:1997, function(now) model(months[year < now, ], months[year == now, ])))
}

came <- months$y[year >= 1961]
rows <- function(name, run) {
  seconds <- system.time(p <- run())[["user.self"]]
  data.frame(
    model = name, rmse = sqrt(mean((p[, "fit"] - came)^2)), mae = mean(abs(p[, "fit"] - came)),
    inside = mean(p[, "lwr"] <= came & came <= p[, "upr"]), seconds
  )
}
out <- rbind(
  rows("gpstream, trend(t) + season(t, \"1 year\")", streamed),
  do.call(rbind, lapply(names(refitted), function(name) rows(name, function() anew(refitted[[name]]))))
)
out[-1] <- lapply(out[-1], signif, 4)
print(out)
write.csv(out, "inst/extdata/time-series.csv", row.names = FALSE)
