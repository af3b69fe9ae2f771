# What does one lengthscale a column cost where one for all would do?
#   Rscript bench/isotropic.R [--quick] [--columns=2,5] [--seeds=1,2,3,4,5] [--out=FILE]
# Streams y = f(x) + noise, f equally smooth in all directions: kernel_se("ard") beside kernel_se(), both
# learned by the model, on the same rows. After 50, 100, 200 and 500 of them 500 others are predicted: error
# in units of their sd, loss in nats a row (as in bench/real.R), and by how much the loss with "ard" is
# higher, averaged over streams, with its standard error. Five lengthscales, two noises, uniform or normal
# inputs of sd 1, 2 or 5 columns, five draws each: 200 streams. Public interface only; needs gpstream
# installed; minutes. A whole run writes inst/extdata/isotropic.csv, one line a setting and
# number of rows; one with --quick, --columns or --seeds a temporary file. --quick: four streams, seconds.
suppressMessages(library(gpstream))

here <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
here <- dirname(gsub("~+~", " ", here, fixed = TRUE))
for (part in c("options", "fits", "models", "run")) source(file.path(here, "real", paste0(part, ".R")))
known_options("quick", c("columns", "seeds", "out"))
quick <- "--quick" %in% arguments
sizes <- c(50, 100, 200, 500)
judged <- 500

models <- list(
  one = gpstream_model(quote(streaming_gp(kernel = kernel_se()))),
  ard = gpstream_model(quote(streaming_gp(kernel = kernel_se("ard"))))
)

# A draw from the squared exponential with variance 1, nearly: 500 cosines.
random_function <- function(D, lengthscale) {
  frequency <- matrix(stats::rnorm(500 * D, sd = sqrt(2) / lengthscale), 500)
  phase <- stats::runif(500, 0, 2 * pi)
  function(x) colSums(cos(frequency %*% t(x) + phase)) * sqrt(2 / 500)
}

draw <- function(setting, seed) {
  set.seed(seed)
  n <- max(sizes) + judged
  f <- random_function(setting$D, setting$lengthscale)
  inputs <- list(uniform = function(k) stats::runif(k, -sqrt(3), sqrt(3)), normal = stats::rnorm)
  x <- matrix(inputs[[setting$inputs]](n * setting$D), n)
  data.frame(x = x, y = f(x) + stats::rnorm(n, sd = setting$noise))
}

# Error and loss after each number of rows, one a line.
learned <- function(data, make) {
  model <- make()
  test <- data[-seq_len(max(sizes)), ]
  scale <- stats::sd(test$y)
  lines <- NULL
  for (i in in_batches(seq_len(max(sizes)), 25)) {
    model$update(data[i, ])
    if (!max(i) %in% sizes) next
    sums <- scores(test$y, model$predict(test), scale)
    lines <- rbind(lines, c(error = sqrt(sums[["squared"]] / judged) / scale, loss = sums[["loss"]] / judged))
  }
  lines
}

columns <- as.integer(values("columns", c("2", "5")))
seeds <- as.integer(values("seeds", if (quick) c("1", "2") else as.character(1:5)))
settings <- expand.grid(
  noise = if (quick) 0.3 else c(0.1, 0.5), lengthscale = if (quick) 2 else c(1, 1.5, 2, 3, 5),
  inputs = if (quick) "uniform" else c("uniform", "normal"), D = columns, stringsAsFactors = FALSE
)

standard_error <- function(values) stats::sd(values) / sqrt(length(values))
table <- NULL
for (s in seq_len(nrow(settings))) {
  setting <- settings[s, ]
  each <- lapply(seeds, function(seed) {
    data <- draw(setting, seed)
    lapply(models, function(make) learned(data, make))
  })
  of <- function(model, score) vapply(each, function(one) one[[model]][, score], numeric(length(sizes)))
  more_loss <- of("ard", "loss") - of("one", "loss")
  more_error <- of("ard", "error") - of("one", "error")
  lines <- data.frame(
    setting[c("D", "inputs", "lengthscale", "noise")], rows = sizes, streams = length(seeds),
    error = rowMeans(of("one", "error")), loss = rowMeans(of("one", "loss")),
    more_error = rowMeans(more_error), more_loss = rowMeans(more_loss),
    se = apply(more_loss, 1, standard_error), most = apply(more_loss, 1, max), row.names = NULL
  )
  said <- sprintf("%d columns, %s, lengthscale %.1f, noise %.1f: more loss", setting$D, setting$inputs,
    setting$lengthscale, setting$noise)
  cat(said, sprintf("%7.4f", lines$more_loss), "\n")
  table <- rbind(table, lines)
}
scored <- c("error", "loss", "more_error", "more_loss", "se", "most")
table[scored] <- lapply(table[scored], signif, 4)
file <- table_file("isotropic.csv", whole = !quick && length(c(value("columns"), value("seeds"))) == 0)
utils::write.csv(table, file, row.names = FALSE)

# Streams of different settings are independent, and there are equally many of each.
cat(sprintf("%-3s %5s %8s %10s %10s %11s\n", "D", "rows", "streams", "more loss", "its error", "more error"))
for (D in columns) for (n in sizes) {
  part <- table[table$D == D & table$rows == n, ]
  cat(sprintf("%-3d %5d %8d %10.4f %10.4f %11.4f\n", D, n, sum(part$streams), mean(part$more_loss),
    sqrt(sum(part$se^2)) / nrow(part), mean(part$more_error)))
}
cat("written to", file, "\n")
