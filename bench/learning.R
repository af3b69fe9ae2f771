# How well kernel, noise and mean are learned: Rscript bench/learning.R [--quick] [--only recovery,coverage,online,peer] [--out folder]
# Public interface only; needs gpstream installed. One process, one thread, fixed seeds. Writes learning-*.csv to inst/extdata,
# where vignettes/learning.Rmd reads them; with --quick a tenth of the streams, to a temporary folder.
# The whole takes about ten minutes.
library(gpstream)

arguments <- commandArgs(TRUE)
option <- function(name, default) if (name %in% arguments) arguments[match(name, arguments) + 1] else default
quick <- "--quick" %in% arguments
parts <- strsplit(option("--only", "recovery,coverage,online,peer"), ",")[[1]]
out <- option("--out", if (quick) tempdir() else file.path("inst", "extdata"))
stopifnot(dir.exists(out))
share <- if (quick) 0.1 else 1

kernels <- list(se = kernel_se, matern52 = kernel_matern52)
rows_of <- function(x, i) x[i, , drop = FALSE]
batches <- function(n, size, from = 0) split(seq(from + 1, n), ceiling(seq_len(n - from) / size))

save <- function(table, name, begin) {
  file <- file.path(out, paste0("learning-", name, ".csv"))
  write.csv(table, file, row.names = FALSE)
  cat(sprintf("\n%s: %.0f s\n", file, as.numeric(Sys.time()) - begin))
  print(table, digits = 3, row.names = FALSE)
}

# What a 95 % prediction interval says of the spread, which is what a user has; and the model's own.
served <- function(gp, x) {
  p <- predict(gp, x, interval = "prediction")
  list(fit = p[, "fit"], lwr = p[, "lwr"], upr = p[, "upr"], sd = (p[, "upr"] - p[, "lwr"]) / (2 * qnorm(0.975)))
}

# ---- Are the parameters found from which the streams were drawn?
# 2000 rows, uniform on the unit cube, drawn exactly; variance 1, noise 0.05. Four designs, three streams each.

recovery_cases <- data.frame(
  columns = c(1, 1, 2, 2, 5, 5), kernel = c("se", "matern52"),
  lengthscale = c(0.1, 0.15, 0.2 * sqrt(2), 0.3 * sqrt(2), 0.3 * sqrt(5), 0.4 * sqrt(5))
)

# The yardsticks are the first 200 rows with each of them an inducing point, the mean learned or known to be zero. Where nothing
# is given, the family that was chosen counts, and the noise: the other parameters mean something else in another family.
recovery_settings <- c(
  "200 rows, all points, mean known", "200 rows, all points", "warm-up, 2000 rows", "family given, 2000 rows", "nothing given, 2000 rows"
)

stream <- function(gp, x, y, first = 200, size = 100) {
  gp$update(rows_of(x, seq_len(first)), y[seq_len(first)])
  if (first < length(y)) for (i in batches(length(y), size, first)) gp$update(rows_of(x, i), y[i])
  gp
}

recovered <- function(kernel, x, y) {
  few <- 1:200
  points <- select_fixed(rows_of(x, few))
  exact <- function(mean) {
    stream(streaming_gp(kernel = kernel, select = points, mean = mean, optimize = "warmup"), rows_of(x, few), y[few])
  }
  models <- list(
    exact("zero"), exact("constant"), stream(streaming_gp(kernel = kernel, optimize = "warmup"), x, y),
    stream(streaming_gp(kernel = kernel), x, y), stream(streaming_gp(), x, y)
  )
  do.call(rbind, Map(note, models, recovery_settings, list(kernel$name)))
}

note <- function(gp, setting, family) {
  chosen <- gp$kernel$name
  found <- if (setting == recovery_settings[5]) c(lengthscale = NA, variance = NA) else coef(gp)[c("lengthscale", "variance")]
  data.frame(setting, t(found), noise = gp$noise, points = gp$size, family = identical(chosen, family))
}

recover <- function(case, designs = 4, streams = if (quick) 1 else 3) {
  make <- kernels[[case$kernel]]
  truth <- c(lengthscale = case$lengthscale, variance = 1, noise = 0.05)
  set.seed(1)
  found <- NULL
  for (design in seq_len(designs)) {
    x <- matrix(runif(2000 * case$columns), 2000)
    root <- chol(kernel_matrix(make(truth[[1]], 1), x) + diag(truth[[3]], 2000))
    for (i in seq_len(streams)) found <- rbind(found, recovered(make(), x, drop(crossprod(root, rnorm(2000)))))
  }
  long <- do.call(rbind, lapply(names(truth), function(parameter) {
    data.frame(found[c("setting", "points", "family")], parameter, error = log(found[[parameter]] / truth[[parameter]]))
  }))
  long <- long[!is.na(long$error), ]
  groups <- split(long, ~ factor(parameter, names(truth)) + factor(setting, recovery_settings), drop = TRUE)
  table <- do.call(rbind, lapply(groups, function(g) {
    data.frame(
      case, setting = g$setting[1], parameter = g$parameter[1], streams = nrow(g), points = round(mean(g$points), 1),
      bias = mean(g$error), sd = sd(g$error), se = sd(g$error) / sqrt(nrow(g)), family = round(mean(g$family), 3)
    )
  }))
  table$within_3_se <- abs(table$bias) <= 3 * table$se
  table$within_3_sd <- abs(table$bias) <= 3 * table$sd
  number <- c("bias", "sd", "se", "lengthscale")
  table[number] <- round(table[number], 4)
  table
}

if ("recovery" %in% parts) {
  begin <- as.numeric(Sys.time())
  save(do.call(rbind, lapply(seq_len(nrow(recovery_cases)), function(i) recover(recovery_cases[i, ]))), "recovery", begin)
}

# ---- Do 95 % prediction intervals hold what they say?
# Streams of 500 rows (200, then batches of 50) from processes with random lengthscale and noise; 100 new observations of the same
# function for each, anywhere in the unit cube. `ordered`: the rows come sorted by the first column.

coverage_groups <- expand.grid(order = c("random", "ordered"), kernel = names(kernels), columns = 1:2, stringsAsFactors = FALSE)

cover <- function(group, seed) {
  set.seed(seed)
  make <- kernels[[group$kernel]]
  l <- exp(runif(1, log(0.05), log(0.5))) * sqrt(group$columns)
  noise <- exp(runif(1, log(0.01), log(1)))
  x <- matrix(runif(600 * group$columns), 600)
  f <- drop(crossprod(chol(kernel_matrix(make(l, 1), x) + diag(1e-9, 600)), rnorm(600)))
  y <- f + rnorm(600, sd = sqrt(noise))
  new <- 501:600
  seen <- if (group$order == "ordered") order(x[1:500, 1]) else 1:500
  one <- function(model, ...) {
    gp <- suppressMessages(stream(streaming_gp(...), rows_of(x, seen), y[seen], size = 50))
    p <- served(gp, rows_of(x, new))
    own <- predict(gp, rows_of(x, new), se.fit = TRUE)
    spread <- sqrt(own$se.fit^2 + own$residual.scale^2)
    data.frame(model, group, seed, lengthscale = l / sqrt(group$columns), noise,
      # no point among the first fifth of the rows of an ordered stream: these are forgotten
      forgot = group$order == "ordered" && min(gp$points[, 1]) > x[seen[100], 1],
      inside = mean(y[new] >= p$lwr & y[new] <= p$upr), own = mean(abs(y[new] - own$fit) <= qnorm(0.975) * spread),
      score = mean(dnorm(y[new], p$fit, p$sd, log = TRUE)), truth = mean(dnorm(y[new], f[new], sqrt(noise), log = TRUE)))
  }
  rbind(one("nothing given"), one("family given", kernel = make()), one("warm-up", kernel = make(), optimize = "warmup"))
}

if ("coverage" %in% parts) {
  begin <- as.numeric(Sys.time())
  runs <- do.call(rbind, lapply(seq_len(round(200 * share)), function(i) cover(coverage_groups[(i - 1) %% 8 + 1, ], i)))
  runs$length <- ifelse(runs$lengthscale < 0.16, "short", "long")
  by <- function(group) {
    do.call(rbind, lapply(split(runs, c(runs["model"], runs[group])), function(g) {
      data.frame(model = g$model[1], group = if (length(group) == 0) "all streams" else paste(unlist(g[1, group]), collapse = ", "),
        streams = nrow(g), coverage = round(mean(g$inside), 4), se = round(sd(g$inside) / sqrt(nrow(g)), 4),
        streams_below_80 = sum(g$inside < 0.8), own_coverage = round(mean(g$own), 4), log_score = round(mean(g$score), 4),
        truth = round(mean(g$truth), 4), forgot = sum(g$forgot))
    }))
  }
  runs$columns <- ifelse(runs$columns == 1, "1 column", "2 columns")
  save(rbind(by(NULL), by("order"), by("columns"), by("kernel"), by("length"), by(c("order", "columns"))), "coverage", begin)
}

# ---- Is it worth learning on?
# Each batch of ten rows is predicted before it is learned; mean log score of a row after the first 200, which all models get as
# one batch; of the 95 % prediction interval as a normal. "none": a squared exponential, its lengthscale the median distance,
# variance and noise fractions of the variance of these rows. "warmup": the kernel of the first 200 rows, chosen among the families,
# too.

smooth_then_rough <- function(x, from) sin(2 * pi * x / 4) + ifelse(x > from, 0.7 * sin(2 * pi * (x - from) / 0.6), 0)

streams <- list(
  "sine" = function() {
    x <- runif(1000, 0, 10)
    list(x = x, y = sin(2 * x) + rnorm(1000, sd = 0.1))
  },
  "two scales" = function() {
    x <- runif(1000, 0, 10)
    list(x = x, y = sin(x) + 0.5 * sin(8 * x) * exp(-(x - 5)^2 / 4) + rnorm(1000, sd = 0.1))
  },
  "plane" = function() {
    x <- matrix(runif(2000), 1000)
    list(x = x, y = sin(6 * x[, 1]) * cos(4 * x[, 2]) + x[, 2]^2 + rnorm(1000, sd = 0.1))
  },
  "sunspots" = function() list(x = as.numeric(time(sunspots)), y = sqrt(as.numeric(sunspots))),
  "treering" = function() list(x = as.numeric(time(treering))[1:2500], y = as.numeric(treering)[1:2500]),
  # left to right in six blocks, at random within each; from the middle on, the function is rough
  "changed: blocks" = function() {
    x <- as.vector(vapply(0:5, function(block) runif(250, 2 * block, 2 * block + 2), numeric(250)))
    list(x = x, y = smooth_then_rough(x, 6) + rnorm(1500, sd = 0.1))
  },
  # row after row; from the middle on, the series is rough
  "changed: series" = function() {
    x <- seq(0.01, 15, by = 0.01)
    list(x = x, y = smooth_then_rough(x, 7.5) + rnorm(1500, sd = 0.1))
  },
  # at random over the left half, then at random over the right one, where the function is rough
  "changed: halves" = function() {
    x <- c(runif(750, 0, 6), runif(750, 6, 12))
    list(x = x, y = smooth_then_rough(x, 6) + rnorm(1500, sd = 0.1))
  }
)
fixed <- c("sunspots", "treering") # real data: one run

cpu <- function() sum(proc.time()[1:2])

ahead <- function(data, optimize, first = 200, size = 10) {
  x <- as.matrix(data$x)
  y <- data$y
  begin <- cpu()
  gp <- streaming_gp(optimize = optimize)
  gp$update(rows_of(x, seq_len(first)), y[seq_len(first)])
  score <- unlist(lapply(batches(length(y), size, first), function(i) {
    p <- served(gp, rows_of(x, i))
    gp$update(rows_of(x, i), y[i])
    rbind(dnorm(y[i], p$fit, p$sd, log = TRUE), y[i] >= p$lwr & y[i] <= p$upr)
  }))
  score <- matrix(score, 2)
  lengthscale <- coef(gp)[grep("lengthscale", names(coef(gp)))[1]]
  c(score = mean(score[1, ]), inside = mean(score[2, ]), points = gp$size, lengthscale = lengthscale[[1]], seconds = cpu() - begin)
}

follow <- function(name, runs = if (name %in% fixed) 1 else if (quick) 2 else 3) {
  choices <- c("none", "warmup", "online")
  result <- lapply(seq_len(runs), function(seed) {
    set.seed(seed)
    data <- streams[[name]]()
    sapply(choices, function(optimize) ahead(data, optimize))
  })
  average <- Reduce(`+`, result) / runs
  lead <- vapply(result, function(r) r["score", "online"] - r["score", "warmup"], 0)
  table <- data.frame(stream = name, rows = length(streams[[name]]()$y), runs, t(average["score", ]), online_worst = min(lead))
  table <- data.frame(table, inside = t(average["inside", ]), points = t(average["points", ]), lengthscale = t(average["lengthscale", ]), seconds = t(average["seconds", ]))
  number <- vapply(table, is.numeric, NA)
  table[number] <- lapply(table[number], signif, 5)
  table
}

if ("online" %in% parts) {
  begin <- as.numeric(Sys.time())
  save(do.call(rbind, lapply(names(streams), follow)), "online", begin)
}

# ---- Against laGP, where it is installed
# The sunspots again, a year predicted before it is learned; 33 years after the first 200 months. laGP keeps every row, and its kernel is
# learned from the first 200 by maximum likelihood, from its own start. Its d is the square of our lengthscale. Where laGP is not
# installed, its line is the one that the package's table has: it does not depend on gpstream.

lagp_line <- function(data, seen) {
  if (!requireNamespace("laGP", quietly = TRUE)) {
    stored <- read.csv(file.path("inst", "extdata", "learning-peer.csv"))
    return(stored[grepl("laGP", stored$model), ])
  }
  x <- as.matrix(data$x)
  start <- 1:200
  centre <- mean(data$y[start])
  model <- laGP::newGP(rows_of(x, start), data$y[start] - centre, d = 10, g = 0.1, dK = TRUE)
  found <- laGP::jmleGP(model, drange = c(0.1, 100), grange = c(1e-3, 1))
  score <- unlist(lapply(batches(length(seen), 12, 200), function(i) {
    p <- laGP::predGP(model, rows_of(x, i), lite = TRUE)
    laGP::updateGP(model, rows_of(x, i), data$y[i] - centre)
    dnorm(data$y[i], centre + p$mean, sqrt(p$s2), log = TRUE)
  }))
  laGP::deleteGP(model)
  data.frame(
    model = paste("laGP", packageVersion("laGP")), months = length(score), score = signif(mean(score), 5),
    lengthscale_at_end = signif(sqrt(found$d), 5)
  )
}

if ("peer" %in% parts) {
  begin <- as.numeric(Sys.time())
  data <- streams[["sunspots"]]()
  seen <- seq_len(200 + 33 * 12)
  data <- list(x = data$x[seen] - 1749, y = data$y[seen])
  ours <- sapply(c("none", "warmup", "online"), function(optimize) ahead(data, optimize, size = 12)[c("score", "lengthscale")])
  save(rbind(lagp_line(data, seen), data.frame(
    model = colnames(ours), months = length(seen) - 200,
    score = signif(ours["score", ], 5), lengthscale_at_end = signif(ours["lengthscale", ], 5)
  )), "peer", begin)
}
