# A stream that starts badly:
#   Rscript bench/bad-starts.R [--quick] [--only=corner,offset] [--models=gpstream,lm] [--seeds=1,2,3]
#     [--out=FILE]
# The first 200 of 4000 rows are unlike the rest. Does a model get over them? Beside it, on the same rows,
# one that starts when they are over. Rows 1001 to 4000, predicted in batches of 50 before they are learned:
# error in units of their sd, loss in nats a row (as in bench/real.R), share inside the 95 % interval, the
# ratio of the two errors, the difference of the two losses. Public interface only; needs gpstream
# installed; a minute. A whole run writes inst/extdata/bad-starts.csv; one with --quick, --only or --models
# a temporary file. --quick: two starts, seconds.
suppressMessages(library(gpstream))

here <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
here <- dirname(gsub("~+~", " ", here, fixed = TRUE))
for (part in c("options", "fits", "models", "run")) source(file.path(here, "real", paste0(part, ".R")))
known_options("quick", c("only", "models", "seeds", "out"))
quick <- "--quick" %in% arguments
n <- 4000
bad <- 1:200
judged <- 1001:n

# A smooth random function of x in [0, 10]: 200 cosines, lengthscale 0.7.
random_function <- function() {
  frequency <- stats::rnorm(200, sd = sqrt(2) / 0.7)
  phase <- stats::runif(200, 0, 2 * pi)
  function(x) colSums(cos(outer(frequency, x) + phase)) * sqrt(2 / 200)
}

# What becomes of the first rows. Nothing ("good"): what 200 more rows are worth.
starts <- list(
  good = identity,
  corner = function(s) {
    s$x[bad] <- stats::runif(length(bad), 0, 0.05)
    s$y[bad] <- s$f(s$x[bad]) + stats::rnorm(length(bad), sd = 0.1)
    s
  },
  constant = function(s) replace_bad(s, 0),
  night = function(s) { # what a light meter says: nothing below 0, and at first it is dark
    s$y <- pmax(s$f(s$x), 0) + abs(stats::rnorm(n, sd = 0.02))
    replace_bad(s, stats::rnorm(length(bad), sd = 1e-6))
  },
  noisy = function(s) replace_bad(s, s$f(s$x[bad]) + stats::rnorm(length(bad), sd = 3)),
  offset = function(s) replace_bad(s, s$y[bad] + 100)
)
replace_bad <- function(s, y) {
  s$y[bad] <- y
  s
}

draw <- function(start, seed) {
  set.seed(seed)
  f <- random_function()
  x <- stats::runif(n, 0, 10)
  s <- starts[[start]](list(x = x, y = f(x) + stats::rnorm(n, sd = 0.1), f = f))
  data.frame(x = s$x, y = s$y)
}

# Scores of the judged rows, for a model that learns from row `from` on. NA, with a word, where it fails.
foretold <- function(data, make, from) {
  scale <- stats::sd(data$y[judged])
  tryCatch({
    model <- make()
    total <- 0
    for (i in in_batches(seq(from, n), 50)) {
      if (i[1] >= judged[1]) total <- total + scores(data$y[i], model$predict(data[i, ]), scale)
      model$update(data[i, ])
    }
    rows <- total[["scored"]]
    c(error = sqrt(total[["squared"]] / rows) / scale, total[c("loss", "inside")] / rows)
  }, error = function(e) {
    message("    failed: ", conditionMessage(e))
    c(error = NA, loss = NA, inside = NA)
  })
}

models <- models_of(value("models", "gpstream"), c(list(gpstream = default_call), baselines))
kinds <- values("only", if (quick) c("corner", "offset") else names(starts))
kinds <- match.arg(kinds, names(starts), several.ok = TRUE)
seeds <- as.integer(values("seeds", if (quick) "1" else c("1", "2", "3")))

table <- NULL
cat(sprintf("%38s started after row %d\n", "", length(bad)))
titles <- c("", "", "seed", "error", "loss", "inside", "error", "loss", "inside", "ratio", "more loss")
cat(do.call(sprintf, c("%-14s %-9s %4s %8s %8s %7s %8s %8s %7s %8s %9s\n", as.list(titles))))
for (model in names(models)) for (start in kinds) for (seed in seeds) {
  data <- draw(start, seed)
  ours <- foretold(data, models[[model]], 1)
  late <- foretold(data, models[[model]], length(bad) + 1)
  line <- data.frame(
    model, start, seed, t(ours), without = t(late), ratio = ours[["error"]] / late[["error"]],
    more_loss = ours[["loss"]] - late[["loss"]]
  )
  cat(do.call(sprintf, c("%-14s %-9s %4d %8.3f %8.3f %7.3f %8.3f %8.3f %7.3f %8.2f %9.3f\n", line)))
  table <- rbind(table, line)
}
table[-(1:3)] <- lapply(table[-(1:3)], signif, 5)
part <- quick || length(c(value("only"), value("models"))) > 0
file <- table_file("bad-starts.csv", whole = !part)
utils::write.csv(table, file, row.names = FALSE)
for (model in names(models)) {
  worst <- sapply(table[table$model == model, c("ratio", "more_loss")], max)
  cat(sprintf("%s: largest ratio of errors %.2f, most loss added %.3f\n", model, worst[1], worst[2]))
}
cat("written to", file, "\n")
