# OIPS sets and k-DPP draws of the same size: Rscript bench/kdpp.R [--quick] [--only abalone,uniform,times] [--out folder]
# Public interface only; needs gpstream installed. One process, one thread, fixed seeds. Writes kdpp-*.csv.gz to inst/extdata, where
# vignettes/kdpp.Rmd reads them; with --quick few repetitions and rows, to a temporary folder. The whole takes about ten minutes.
#
# The Abalone data come with the package AppliedPredictiveModeling; without it, a simulated stand-in of like shape is used, and
# the column `data` says so. kdpp-settings.csv.gz has a line for each setting, kdpp-sets.csv.gz one for each pair of sets.
library(gpstream)

arguments <- commandArgs(TRUE)
option <- function(name, default) if (name %in% arguments) arguments[match(name, arguments) + 1] else default
quick <- "--quick" %in% arguments
parts <- strsplit(option("--only", "abalone,uniform,times"), ",")[[1]]
out <- option("--out", if (quick) tempdir() else file.path("inst", "extdata"))
stopifnot(dir.exists(out))
begin <- Sys.time()

write <- function(table, name) {
  file <- file.path(out, paste0("kdpp-", name, ".csv.gz"))
  write.csv(table, gzfile(file), row.names = FALSE, quote = FALSE)
  cat(sprintf("%s: %d lines, after %.0f s\n", file, nrow(table), as.numeric(difftime(Sys.time(), begin, units = "secs"))))
}

# ---- Data

# Seven measurements of 4177 shells, standardised: sizes and weights, all driven by one thing, the age.
abalone <- function() {
  if (requireNamespace("AppliedPredictiveModeling", quietly = TRUE)) {
    place <- new.env()
    utils::data("abalone", package = "AppliedPredictiveModeling", envir = place)
    x <- as.matrix(place$abalone[2:8])
    name <- "abalone"
  } else {
    set.seed(1)
    size <- pmax(0.15, 0.8 - rgamma(4177, 3, 12))
    x <- cbind(size, 0.8 * size, 0.28 * size, outer(size^3, c(5, 2.2, 1.1, 1.4))) * exp(rnorm(4177 * 7, sd = 0.1) + rnorm(4177, sd = 0.1))
    name <- "stand-in"
  }
  list(x = unname(scale(x))[, ], name = name)
}

median_distance <- function(x) {
  set.seed(1)
  median(dist(x[sample.int(nrow(x), min(nrow(x), 800)), , drop = FALSE]))
}

# ---- One setting: OIPS over shuffles, and a k-DPP draw of the same size for each

# `first`: rows that come before all others.
oips_sets <- function(x, kernel, rho, times, first) {
  lapply(seq_len(times), function(i) {
    order <- c(first, setdiff(sample.int(nrow(x)), first))
    order[select_points(select_oips(rho, max_points = Inf), x[order, , drop = FALSE], kernel)$index]
  })
}

# NULL where the sets are beyond the numerical rank.
compare <- function(x, kernel, rho, times, seed, first = integer()) {
  set.seed(seed)
  chosen <- oips_sets(x, kernel, rho, times, first)
  drawn <- tryCatch(kdpp_sample(kernel, x, lengths(chosen)), gpstream_error_rank = function(e) NULL)
  list(oips = chosen, kdpp = if (is.null(drawn) || is.list(drawn)) drawn else list(drawn))
}

settings <- sets <- NULL
note <- function(setting, pair, log_p) {
  n <- length(pair$oips)
  settings <<- rbind(settings, cbind(id = NROW(settings) + 1, setting))
  if (is.null(log_p)) return(invisible())
  result <- data.frame(id = nrow(settings), k = lengths(pair$oips), oips = round(log_p[1:n], 2), kdpp = round(log_p[-(1:n)], 2))
  sets <<- rbind(sets, result)
  cat(sprintf(
    "%-10s N %4d D %d l %.2f rho %.2f: k %5.1f, OIPS %8.1f, k-DPP %8.1f, P(OIPS > k-DPP) %.2f; %.0f s\n", setting$data, setting$rows, setting$columns,
    setting$lengthscale, setting$rho, mean(result$k), mean(result$oips), mean(result$kdpp), mean(result$oips > result$kdpp),
    as.numeric(difftime(Sys.time(), begin, units = "secs"))
  ))
}

# Log probabilities of the sets of several settings with the same rows and kernel, which share the eigenvalues.
note_all <- function(x, kernel, plan, pairs) {
  ok <- !vapply(pairs, function(pair) is.null(pair$kdpp), TRUE)
  all_sets <- unlist(lapply(pairs[ok], function(pair) c(pair$oips, pair$kdpp)), recursive = FALSE)
  which <- rep(seq_along(pairs)[ok], vapply(pairs[ok], function(pair) 2 * length(pair$oips), 0))
  log_p <- if (any(ok)) tryCatch(kdpp_log_prob(kernel, x, all_sets), gpstream_error_rank = function(e) NULL)
  for (i in seq_along(pairs)) note(plan[i, ], pairs[[i]], if (ok[i] && !is.null(log_p)) log_p[which == i])
}

# ---- Abalone [GFO21 B]

if ("abalone" %in% parts) {
  shells <- abalone()
  # all rows where the sets are small enough, 1000 of them for every rho
  plans <- list(
    list(rows = 4177, factor = 1, rho = c(0.5, 0.7, 0.8, 0.9, 0.95), times = c(50, 50, 50, 50, 20)),
    list(rows = 4177, factor = 0.5, rho = c(0.5, 0.7, 0.8), times = c(50, 50, 20)),
    list(rows = 1000, factor = 1, rho = c(0.5, 0.7, 0.8, 0.9, 0.95), times = rep(50, 5)),
    list(rows = 1000, factor = 0.5, rho = c(0.5, 0.7, 0.8, 0.9, 0.95), times = rep(50, 5))
  )
  for (plan in if (quick) plans[3] else plans) {
    set.seed(1)
    x <- if (plan$rows < nrow(shells$x)) shells$x[sample.int(nrow(shells$x), if (quick) 300 else plan$rows), ] else shells$x
    kernel <- kernel_se(plan$factor * median_distance(shells$x), 1)
    table <- data.frame(data = shells$name, rows = nrow(x), columns = ncol(x), lengthscale = round(kernel$lengthscale, 4), factor = plan$factor, rho = plan$rho)
    pairs <- lapply(seq_along(plan$rho), function(i) compare(x, kernel, plan$rho[i], if (quick) 5 else plan$times[i], seed = i))
    note_all(x, kernel, table, pairs)
  }
  # with the rows at the outside first: 300 of 1000, those farthest from the mean (x and the kernel are the last plan's)
  far <- order(-mahalanobis(x, colMeans(x), cov(x)))[seq_len(0.3 * nrow(x))]
  table <- transform(table[nrow(table), ], data = "outside first")
  note_all(x, kernel, table, list(compare(x, kernel, table$rho, if (quick) 5 else 50, seed = 1, first = far)))
}

# ---- Uniform inputs in the unit cube, where the claim fails for high rho; on a torus, which has no boundary; and in the cube with the
# rows within 0.05 of the boundary first, the nearest first. kdpp-edges.csv.gz: the share of the rows, and of the points chosen, within half a radius of the boundary.

if ("uniform" %in% parts) {
  plan <- rbind(
    data.frame(columns = c(1, 1, 1, 1, 2, 2, 2, 3, 3, 5, 7), lengthscale = c(0.3, 0.1, 0.3, 0.5, 0.3, 0.3, 0.5, 0.5, 0.5, 0.8, 0.7),
               rho = c(0.5, 0.7, 0.93, 0.9, 0.5, 0.7, 0.93, 0.7, 0.9, 0.7, 0.5), rows = c(300, 300, 300, 300, 400, 400, 400, 400, 400, 300, 300), data = "uniform"),
    expand.grid(columns = c(1, 2, 3), lengthscale = 0, rho = c(0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.93), rows = 400, data = c("cube", "torus", "edges first"))
  )
  # sweep: lengthscales such that the cube and the torus, of the same volume, have room for more than a few points
  plan$lengthscale[plan$data != "uniform"] <- c(0.1, 0.3, 0.5)[plan$columns[plan$data != "uniform"]]
  # a circle of circumference 1 in the plane for each column: the same distances nearby, and no boundary
  torus <- function(u) do.call(cbind, lapply(seq_len(ncol(u)), function(j) cbind(cos(2 * pi * u[, j]), sin(2 * pi * u[, j])) / (2 * pi)))
  edges <- NULL
  for (i in if (quick) c(1, 4, 31, 50, 70) else seq_len(nrow(plan))) {
    set.seed(plan$columns[i])
    u <- matrix(runif(plan$rows[i] * plan$columns[i]), plan$rows[i])
    x <- if (plan$data[i] == "torus") torus(u) else u
    kernel <- kernel_se(plan$lengthscale[i], 1)
    to_boundary <- apply(pmin(u, 1 - u), 1, min)
    first <- if (plan$data[i] == "edges first") order(to_boundary)[seq_len(sum(to_boundary < 0.05))] else integer()
    table <- data.frame(data = plan$data[i], rows = nrow(x), columns = plan$columns[i], lengthscale = plan$lengthscale[i], factor = NA, rho = plan$rho[i])
    pair <- compare(x, kernel, plan$rho[i], if (quick) 5 else 50, seed = i, first)
    note_all(x, kernel, table, list(pair))
    near <- to_boundary < kernel_radius(kernel, plan$rho[i]) / 2
    share <- function(sets) round(mean(vapply(sets, function(set) mean(near[set]), 0)), 4)
    if (plan$data[i] %in% c("cube", "edges first") && !is.null(pair$kdpp)) {
      edges <- rbind(edges, cbind(table[c("data", "columns", "rho")], rows = mean(near), oips = share(pair$oips), kdpp = share(pair$kdpp)))
    }
  }
  write(edges, "edges")
}

if (!is.null(sets)) {
  write(settings, "settings")
  write(sets, "sets")
}

# ---- What it costs, in seconds of processor time

seconds <- function(code) sum(system.time(code)[1:2])

if ("times" %in% parts) {
  x <- abalone()$x
  kernel <- kernel_se(median_distance(x), 1)
  times <- do.call(rbind, lapply(if (quick) 500 else c(500, 1000, 2000, 4177), function(n) {
    set.seed(1)
    rows <- x[sample.int(nrow(x), n), ]
    one <- seconds(sample <- kdpp_sample(kernel, rows, 50))
    data.frame(
      rows = n, oips = seconds(select_points(select_oips(0.7), rows, kernel)), first = one, fifty = seconds(kdpp_sample(kernel, rows, rep(50, 50))),
      probability = seconds(kdpp_log_prob(kernel, rows, sample)), eigen = if (n > 2000) NA else seconds(eigen(kernel_matrix(kernel, rows), symmetric = TRUE))
    )
  }))
  write(round(times, 3), "times")
  print(times)
}
