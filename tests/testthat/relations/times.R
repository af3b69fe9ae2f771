# Times: an instant is an instant, in whatever class, zone, text or unit it comes.

draw_times <- function(...) {
  case <- draw_case(setdiff(all_likelihoods, "binomial"), formulas = "a", ...)
  n <- nrow(case$data)
  start <- as.POSIXct(one_of("2024-03-30 12:00:00", "2023-12-31 23:00:00", "2024-02-28 00:00:00", "2024-10-26 20:00:00", "1969-12-30 00:00:00"), tz = "UTC")
  span <- one_of(40, 3600, 86400)
  case$data$a <- start + span * sort(round(stats::runif(n, 0, 9), 3)) - 0
  case$data$a <- as.POSIXct(round(as.numeric(case$data$a)), origin = "1970-01-01", tz = "UTC")
  case$new$a <- as.POSIXct(round(as.numeric(start + span * stats::runif(nrow(case$new), 0, 10))), origin = "1970-01-01", tz = "UTC")
  note("from ", format(start), " in steps of ", span, " s")
  case
}
# Both ways, in every batch and in what is predicted.
same_times <- function(case, as, exact = TRUE) {
  parts <- batches(case$data)
  turned <- function(data) {
    data$a <- as(data$a)
    data
  }
  gp <- learned(case, parts)
  other <- learned(case, lapply(parts, function(part) if (chance(0.7)) turned(part) else part))
  if (exact) same_bytes(bytes(other), bytes(gp), "the model")
  same(says(other, turned(case$new)), says(gp, case$new), if (exact) 0 else 1e-6, "the prediction")
}

relation("times of other classes", function() {
  case <- draw_times()
  way <- one_name(c("zone", "POSIXlt", "zone of summer time", "text with Z", "text with a space", "text with an offset", "integer seconds", "factor of text"))
  note(way)
  same_times(case, switch(way,
    zone = function(t) structure(t, tzone = "Asia/Kolkata"), POSIXlt = function(t) as.POSIXlt(t), `zone of summer time` = function(t) structure(t, tzone = "Europe/Berlin"),
    `text with Z` = function(t) format(t, "%Y-%m-%dT%H:%M:%SZ", tz = "UTC"), `text with a space` = function(t) format(t, "%Y-%m-%d %H:%M:%S", tz = "UTC"),
    `text with an offset` = function(t) paste0(format(t + 7200, "%Y-%m-%dT%H:%M:%S", tz = "UTC"), "+02:00"),
    `integer seconds` = function(t) structure(as.integer(as.numeric(t)), class = class(t), tzone = "UTC"), `factor of text` = function(t) format(t, "%Y-%m-%d %H:%M:%S", tz = "UTC")
  ))
})

relation("dates are midnights", function() {
  case <- draw_times()
  day <- as.Date("2024-02-20") + sort(sample(60, nrow(case$data), TRUE))
  day[1] <- as.Date("2024-02-20")
  case$data$a <- day
  case$new$a <- as.Date("2024-02-20") + sample(70, nrow(case$new))
  way <- one_name(c("POSIXct", "text", "text with 00:00", "POSIXlt"))
  note(way)
  same_times(case, switch(way,
    POSIXct = function(t) as.POSIXct(format(t), tz = "UTC"), text = function(t) format(t), `text with 00:00` = function(t) paste(format(t), "00:00"),
    POSIXlt = function(t) as.POSIXlt(t)
  ))
})

relation("times in another zone of the computer", function() {
  case <- draw_times()
  gp <- learned(case)
  old <- Sys.getenv("TZ", NA)
  on.exit(if (is.na(old)) Sys.unsetenv("TZ") else Sys.setenv(TZ = old))
  Sys.setenv(TZ = one_of("America/New_York", "Asia/Kathmandu", "Europe/London", "UTC"))
  plain <- function(data) {
    data$a <- structure(data$a, tzone = one_of(NULL, "", "UTC"))
    data
  }
  other <- learned(case, list(plain(case$data)))
  same_bytes(bytes(other), bytes(gp), "the model")
  same(says(other, plain(case$new)), says(gp, case$new), 0, "the prediction")
})

relation("times moved by days", function() {
  # the origin is midnight before the first: the same numbers
  case <- draw_times()
  days <- one_of(1, 365, 10000, -20000)
  moved <- function(data) {
    data$a <- data$a + 86400 * days
    data
  }
  parts <- batches(case$data)
  gp <- learned(case, parts)
  other <- learned(case, lapply(parts, moved))
  same_bytes(bytes(other), bytes(gp), "the model")
  same_bytes(unname(unlist(says(other, moved(case$new)))), unname(unlist(says(gp, case$new))), "the prediction")
})

relation("durations in other units", function() {
  # the first batch fixes the unit: later ones in any
  case <- draw_times()
  since <- case$data$a[1]
  unit <- one_of("secs", "mins", "hours", "days")
  case$data$a <- as.difftime(as.numeric(case$data$a - since, units = unit), units = unit)
  case$new$a <- as.difftime(as.numeric(case$new$a - since, units = unit), units = unit)
  parts <- batches(case$data)
  gp <- learned(case, parts)
  turn <- function(data) {
    units(data$a) <- one_of("secs", "mins", "hours", "days", "weeks")
    data
  }
  other <- learned(case, c(parts[1], lapply(parts[-1], turn)))
  same(says(other, turn(case$new)), says(gp, case$new), 1e-6, "the prediction")
})

relation("periods and half-lives in time", function() {
  case <- draw_given("gaussian", formulas = "a", kernels = "se", selectors = "oips", means = "number")
  n <- nrow(case$data)
  hours <- sort(round(stats::runif(n, 0, 200), 2))
  t <- as.POSIXct("2024-03-01", tz = "UTC") + 3600 * hours
  durations <- list("1 day" = 1, "36 hours" = 1.5, "2 days" = 2)
  which <- one_name(names(durations))
  ways <- list(which, durations[[which]], as.difftime(24 * durations[[which]], units = "hours"))
  data <- transform(case$data, a = t)
  new <- transform(case$new, a = t[1] + 3600 * seq(1, 210, length.out = nrow(case$new)))
  run <- function(period, half = Inf) {
    # two weeks would be counted in weeks: the span is at most nine days
    learned(case, list(data), kernel = kernel_periodic(period, 1, 1, columns = 1) + kernel_matern32(3, 0.5), half_life = half)
  }
  expected <- says(run(ways[[2]]), new)
  for (way in ways[-2]) same(says(run(way), new), expected, 1e-9, "another way to say the period")
  same(says(run(1, half_life("2 days", by = "a")), new), says(run(1, "48 hours"), new), 1e-12, "a half-life")
  same(says(run(1, half_life(2, by = "a")), new), says(run(1, "48 hours"), new), 1e-12, "a half-life in days")
})
