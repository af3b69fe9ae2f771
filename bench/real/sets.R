# Data nobody here made, from R and from packages on CRAN: none of it is in this repository. One entry a
# set, which says where it is and what is to be predicted from what. `streams` come in their natural order
# (time, track, one subject after another), or in that of the columns `by`; `tables` have none, and are
# shuffled.

# The package's data set, without attaching the package or loading what it depends on.
given <- function(package, name) {
  items <- utils::data(package = package)$results[, "Item"]
  file <- sub(".*\\((.*)\\)", "\\1", items[sub(" .*", "", items) == name])
  if (length(file) == 0) stop(package, " has no data set ", name)
  place <- new.env()
  utils::data(list = file, package = package, envir = place)
  place[[name]]
}

# A data frame with the output in column y: numbers as they come, factors as factors, complete rows only.
rows <- function(package, name, formula, by = NULL, only = TRUE) {
  list(package = package, read = function() {
    data <- given(package, name)
    if (is.matrix(data)) data <- as.data.frame(data)
    class(data) <- "data.frame" # not those of nlme or tibble, whose methods need the package
    data <- data[eval(only, data), ]
    if (!is.null(by)) data <- data[do.call(order, unname(unclass(data)[by])), ]
    terms <- attr(stats::terms(formula), "term.labels")
    inputs <- lapply(terms, function(term) as_input(eval(str2lang(term), data)))
    frame <- data.frame(stats::setNames(inputs, terms), y = as.numeric(data[[deparse(formula[[2]])]]))
    frame <- droplevels(frame[stats::complete.cases(frame), ])
    rownames(frame) <- NULL
    frame
  })
}
as_input <- function(column) {
  if (is.character(column)) factor(column) else if (is.factor(column)) column else as.numeric(column)
}

# A series, or one column of several, against time (or number in the line) alone, or with the other columns.
series <- function(package, name, y = NULL, x = NULL) {
  list(package = package, read = function() {
    s <- given(package, name)
    if (is.null(y)) return(data.frame(time = as.numeric(stats::time(s)), y = as.numeric(s)))
    if (is.data.frame(s)) return(data.frame(place = seq_len(nrow(s)), y = as.numeric(s[[y]])))
    data.frame(time = as.numeric(stats::time(s)), as.data.frame(unclass(s))[x], y = as.numeric(s[, y]))
  })
}

# The volcano of Auckland, scanned line by line: a place and its height.
scan_of <- function(package, name) {
  list(package = package, read = function() {
    m <- given(package, name)
    data.frame(west = c(col(m)), north = c(row(m)), y = c(m))
  })
}

streams <- list(
  sunspots = series("datasets", "sunspots"),
  treering = series("datasets", "treering"),
  co2 = series("datasets", "co2"),
  nottem = series("datasets", "nottem"),
  manaus = series("boot", "manaus"),
  SP500 = series("MASS", "SP500"),
  gilgais = series("MASS", "gilgais", "pH30"),
  stocks = series("datasets", "EuStockMarkets", "DAX", c("SMI", "CAC", "FTSE")),
  seatbelts = series("datasets", "Seatbelts", "drivers", c("kms", "PetrolPrice", "law")),
  volcano = scan_of("datasets", "volcano"),
  geyser = rows("MASS", "geyser", duration ~ waiting),
  milk = rows("nlme", "Milk", protein ~ Time + Diet),
  spruce = rows("nlme", "Spruce", logSize ~ days + plot),
  remifentanil = rows("nlme", "Remifentanil", conc ~ Time + Rate + Amt + Age + Sex + Ht + Wt),
  pbcseq = rows("survival", "pbcseq", albumin ~ day + age + sex + bili + alk.phos + ast + platelet + protime +
    stage, by = c("id", "day")),
  economics = rows("ggplot2", "economics", unemploy ~ date + pce + pop + psavert + uempmed),
  txhousing = rows("ggplot2", "txhousing", median ~ date + month + sales + listings, by = "date"),
  weather = rows("nycflights13", "weather", temp ~ time_hour + hour + dewp + pressure + wind_speed,
    only = quote(origin == "JFK")),
  deaths = rows("gamair", "chicago", death ~ time + tmpd + o3median + so2median + pm10median),
  bikes = rows("ISLR2", "Bikeshare", bikers ~ day + as.numeric(hr) + workingday + temp + hum + windspeed +
    weathersit),
  ridership = rows("modeldata", "Chicago", ridership ~ date + Austin + Clark_Lake + Harlem + Quincy_Wells +
    temp + dew + humidity + pressure + wind + weather_rain + weather_snow + weather_cloud),
  ozone = rows("mlbench", "Ozone", V4 ~ V5 + V6 + V7 + V8 + V10 + V11 + V12 + V13)
)

tables <- list(
  GAGurine = rows("MASS", "GAGurine", GAG ~ Age),
  boston = rows("MASS", "Boston", medv ~ crim + zn + indus + chas + nox + rm + age + dis + rad + tax +
    ptratio + black + lstat),
  cpus = rows("MASS", "cpus", perf ~ syct + mmin + mmax + cach + chmin + chmax),
  glass = rows("MASS", "fgl", RI ~ Na + Mg + Al + Si + K + Ca + Ba + Fe),
  crabs = rows("MASS", "crabs", CW ~ FL + RW + CL + BD + sp + sex),
  birthwt = rows("MASS", "birthwt", bwt ~ age + lwt + race + smoke + ptl + ht + ui + ftv),
  nlschools = rows("MASS", "nlschools", lang ~ IQ + GS + SES + COMB),
  quakes = rows("datasets", "quakes", depth ~ lat + long),
  attenu = rows("datasets", "attenu", accel ~ mag + dist),
  heights = scan_of("datasets", "volcano"),
  mathachieve = rows("nlme", "MathAchieve", MathAch ~ SES + MEANSES + Sex + Minority),
  wheat = rows("nlme", "Wheat2", yield ~ latitude + longitude),
  flchain = rows("survival", "flchain", lambda ~ age + sex + sample.yr + kappa + creatinine),
  nafld = rows("survival", "nafld1", weight ~ age + male + height),
  amis = rows("boot", "amis", speed ~ period + warning + pair),
  solder = rows("rpart", "solder.balance", skips ~ Opening + Solder + Mask + Panel),
  diamonds = rows("ggplot2", "diamonds", price ~ carat + cut + clarity + depth),
  faithfuld = rows("ggplot2", "faithfuld", density ~ eruptions + waiting),
  seals = rows("ggplot2", "seals", delta_lat ~ lat + long),
  mpg = rows("ggplot2", "mpg", hwy ~ displ + year + cyl + drv + class),
  wage = rows("ISLR2", "Wage", wage ~ year + age + education + jobclass),
  abalone = rows("AppliedPredictiveModeling", "abalone", Rings ~ Type + LongestShell + Diameter + Height +
    WholeWeight + ShuckedWeight),
  concrete = rows("modeldata", "concrete", compressive_strength ~ cement + blast_furnace_slag + fly_ash +
    water + superplasticizer + coarse_aggregate + fine_aggregate + age),
  sacramento = rows("modeldata", "Sacramento", price ~ beds + baths + sqft + type + latitude + longitude),
  slid = rows("carData", "SLID", wages ~ education + age + sex + language)
)
