# Rows far away in x, and which rule makes points of them:
#   Rscript bench/robust.R [--quick] [--out=FILE]
# Two columns, uniform on a square of 5 lengthscales, noise of standard deviation 0.2. In one stream of two,
# one row in twenty lies anywhere (normal, standard deviation 60), with an output that means nothing. Three
# kinds of models: the lengthscale is given, with a look-back of 100 or 300 rows; everything is learned. Rows
# are predicted 20 at a time before they are learned; `error` and `function` are over the good ones after the
# first 400: against the rows, and against the function without noise. Means over three seeds.
# Public interface only; needs gpstream installed. Writes inst/extdata/robust.csv; --quick: seconds, to a
# temporary file.
suppressMessages(library(gpstream))

here <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
here <- dirname(gsub("~+~", " ", here, fixed = TRUE))
source(file.path(here, "real", "options.R"))
known_options("quick", "out")
quick <- "--quick" %in% arguments
n <- if (quick) 600 else 4000
seeds <- if (quick) 1 else 1:3

strayed <- function(share, seed) {
  set.seed(seed)
  frequency <- matrix(stats::rnorm(600, sd = sqrt(2)), 2)
  phase <- stats::runif(300, 0, 2 * pi)
  x <- matrix(stats::runif(2 * n, 0, 5), n)
  f <- rowSums(cos(x %*% frequency + rep(phase, each = n))) * sqrt(2 / 300)
  y <- f + stats::rnorm(n, sd = 0.2)
  far <- stats::runif(n) < share
  x[far, ] <- stats::rnorm(2 * sum(far), sd = 60)
  y[far] <- stats::rnorm(sum(far))
  list(x = x, y = y, f = f, far = far)
}

measured <- function(gp, s) {
  fit <- s$y
  for (i in split(seq_len(n), (seq_len(n) - 1) %/% 20)) {
    if (i[1] > 1) fit[i] <- predict(gp, s$x[i, , drop = FALSE])
    gp$update(s$x[i, , drop = FALSE], s$y[i])
  }
  good <- !s$far & seq_len(n) > 400
  away <- apply(gp$points, 1, function(z) any(z < 0 | z > 5))
  c(
    points = gp$size, far = sum(away), error = sqrt(mean((fit - s$y)[good]^2)),
    "function" = sqrt(mean((fit - s$f)[good]^2)), noise = gp$noise, set_aside = gp$set_aside
  )
}

given <- function(lookback) {
  function(select) streaming_gp(kernel = kernel_se(1), mean = 0, select = select, lookback = lookback)
}
models <- list(
  "lengthscale given, look-back 100" = given(100), "lengthscale given, look-back 300" = given(300),
  "everything learned" = function(select) streaming_gp(select = select)
)
rules <- function(model) {
  rho <- if (model != "everything learned") 0.8
  out <- list("one row" = select_oips(rho), "support 2" = select_oips(rho, support = 2),
    "support 3" = select_oips(rho, support = 3), "support 5" = select_oips(rho, support = 5))
  if (is.null(rho)) return(out)
  c(out, list("mean of the 3 nearest" = select_knearest(3), "median of the 3 nearest" = select_knearest(3, statistic = "median")))
}

table <- NULL
for (model in names(models)) {
  for (rule in names(rules(model))) {
    for (share in c(0, 0.05)) {
      runs <- sapply(seeds, function(seed) measured(models[[model]](rules(model)[[rule]]), strayed(share, seed)))
      line <- data.frame(model, rule, rows = if (share > 0) "5 % far away" else "clean",
        t(signif(rowMeans(runs), 4)), check.names = FALSE)
      # of each seed the error beside that of the rule without support on its clean rows
      if (rule == "one row" && share == 0) clean <- runs["error", ]
      line$ratio <- signif(mean(runs["error", ] / clean), 4)
      line$worst <- signif(max(runs["error", ] / clean), 4)
      print(line, row.names = FALSE)
      table <- rbind(table, line)
    }
  }
}
file <- table_file("robust.csv", !quick)
utils::write.csv(table, file, row.names = FALSE, quote = c(1:3))
