# The measurements of the vignette "theorem-2": Rscript bench/theorem-2.R [--quick] [cases|figure|settings|large ...]
# Writes inst/extdata/theorem-2-*.csv; with --quick a small part of everything, written to a temporary directory. One process, about
# five minutes; needs gpstream installed. Without names, all four:
#   cases     10,000 random cases of the chain spectral <= Frobenius <= trace <= row by row <= bounds, by kind of rows; and those beside
#             in which nystrom_error() left a point out, which the bounds do not cover
#   figure    errors and bounds by the number of rows, uniform data in three columns
#   settings  errors and bounds over dimensions, lengthscales and thresholds, 500 rows
#   large     time and memory of nystrom_error() on many rows

local({
  file <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
  setwd(file.path(dirname(gsub("~+~", " ", file, fixed = TRUE)), ".."))
})
library(gpstream)

arguments <- commandArgs(TRUE)
quick <- "--quick" %in% arguments
wanted <- setdiff(arguments, "--quick")
is_wanted <- function(name) length(wanted) == 0 || name %in% wanted
folder <- if (quick) tempdir() else "inst/extdata"

save_table <- function(name, table, digits = 6) {
  numbers <- vapply(table, is.double, TRUE)
  table[numbers] <- lapply(table[numbers], signif, digits)
  write.csv(table, file.path(folder, paste0("theorem-2-", name, ".csv")), row.names = FALSE, quote = FALSE)
  print(table, row.names = FALSE)
}

# ---- cases --------------------------------------------------------------------------------------

if (is_wanted("cases")) {
  kernel_constructors <- list(
    se = kernel_se, matern12 = kernel_matern12, matern32 = kernel_matern32, matern52 = kernel_matern52, rq = kernel_rq
  )
  source("tests/testthat/helper-nystrom.R")
  most <- if (quick) 100 else 10000 # of cases within the assumption: no point left out
  cases <- list()
  while (sum(vapply(cases, `[[`, 0, "refused") == 0) < most) cases[[length(cases) + 1]] <- nystrom_case(length(cases) + 1)
  each <- data.frame(
    kind = vapply(cases, `[[`, "", "kind"),
    violation = vapply(cases, chain_violation, 0),
    refused = vapply(cases, `[[`, 0, "refused") > 0,
    to_nearest = vapply(cases, function(case) case$chain[["trace"]] / case$chain[["bound_nearest"]], 0),
    to_paper = vapply(cases, function(case) case$chain[["trace"]] / case$chain[["bound_paper"]], 0),
    bounded = vapply(cases, function(case) case$n > case$m, TRUE)
  )
  rows <- lapply(split(each, factor(each$kind, row_kinds)), function(part) {
    inside <- part[!part$refused, ]
    open <- inside[inside$bounded, ]
    data.frame(
      rows = part$kind[1], cases = nrow(inside), violations = sum(inside$violation > 1e-12), largest_violation = max(inside$violation, 0),
      median_to_nearest = median(open$to_nearest), largest_to_nearest = max(open$to_nearest), median_to_paper = median(open$to_paper),
      largest_to_paper = max(open$to_paper), refused = sum(part$refused), refused_beyond = sum(part$refused & part$violation > 1e-12),
      refused_largest = max(part$violation[part$refused], 0)
    )
  })
  save_table("cases", do.call(rbind, rows), 4)
}

# ---- errors and bounds of one set of rows -----------------------------------------------------

compare <- function(D, lengthscale, rho, n, seed, norms) {
  set.seed(seed)
  x <- matrix(runif(n * D), n)
  kernel <- kernel_se(lengthscale, 1)
  z <- select_points(select_oips(rho, max_points = Inf), x, kernel)$points
  m <- nrow(z)
  K <- kernel_matrix(kernel, x)
  lambda <- eigen(K, symmetric = TRUE, only.values = TRUE)$values
  error <- vapply(norms, function(norm) nystrom_error(kernel, x, z, norm), 0)
  left <- sum(pmax(1 - apply(kernel_matrix(kernel, x, z), 1, max)^2, 0))
  bound <- vapply(c("nearest", "gershgorin", "frobenius", "paper"), function(type) bound_nystrom(n, m, rho, type = type), 0)
  names(bound)[3] <- "bound_frobenius"
  data.frame(
    D, lengthscale, rho, n, seed, m, as.list(error), row_by_row = left, as.list(bound), burt = bound_nystrom_kdpp(lambda, m),
    kdpp = bound_nystrom_kdpp(lambda, m, "expected"), rank = sum(lambda > n * .Machine$double.eps * lambda[1])
  )
}

if (is_wanted("figure")) {
  norms <- c("spectral", "frobenius", "trace")
  figure <- NULL
  for (setting in list(c(0.3, 0.7), c(1, 0.9))) {
    for (n in if (quick) c(50, 100) else c(50, 100, 200, 400, 800, 1600)) {
      for (seed in if (quick) 1 else 1:5) figure <- rbind(figure, compare(3, setting[1], setting[2], n, seed, norms))
    }
  }
  save_table("figure", figure)
}

if (is_wanted("settings")) {
  grid <- expand.grid(rho = c(0.5, 0.7, 0.9, 0.95), lengthscale = c(0.1, 0.3, 1), D = c(1, 2, 3, 5, 8))
  if (quick) grid <- grid[c(2, 23, 40), ]
  n <- if (quick) 100 else 500
  settings <- do.call(rbind, lapply(seq_len(nrow(grid)), function(i) {
    runs <- do.call(rbind, lapply(if (quick) 1 else 1:3, function(seed) compare(grid$D[i], grid$lengthscale[i], grid$rho[i], n, seed, "trace")))
    as.data.frame(as.list(colMeans(runs[names(runs) != "seed"])))
  }))
  save_table("settings", settings)
}

# ---- many rows: each in a process of its own, so that its memory is its own ------------------------

if (is_wanted("large")) {
  peak <- function(n, lengthscale, norm) {
    code <- sprintf("
      library(gpstream)
      status <- function(what) {
        if (!file.exists('/proc/self/status')) return(NA_real_)
        as.numeric(gsub('[^0-9]', '', grep(what, readLines('/proc/self/status'), value = TRUE))) / 1024
      }
      set.seed(1)
      x <- matrix(runif(3 * %d), ncol = 3)
      kernel <- kernel_se(%g)
      z <- select_points(select_oips(0.7, max_points = Inf), x, kernel)$points
      invisible(gc())
      before <- status('VmRSS')
      seconds <- system.time(error <- nystrom_error(kernel, x, z, '%s'))[['elapsed']]
      cat(nrow(z), error, seconds, status('VmHWM') - before, bound_nystrom(nrow(x), nrow(z), 0.7))
    ", n, lengthscale, norm)
    file <- tempfile(fileext = ".R")
    writeLines(code, file)
    out <- as.numeric(strsplit(system2(file.path(R.home("bin"), "Rscript"), shQuote(file), stdout = TRUE), " ")[[1]])
    data.frame(norm = norm, n = n, m = out[1], error = out[2], nearest = out[5], seconds = out[3], megabytes = out[4])
  }
  shrink <- if (quick) 50 else 1
  save_table("large", rbind(
    peak(1e5 / shrink, 0.145, "trace"), peak(1e4 / shrink, 0.3, "trace"), peak(1e4 / shrink, 0.3, "frobenius"), peak(1e4 / shrink, 0.3, "spectral")
  ), 3)
}
