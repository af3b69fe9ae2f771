# What an entry of a kernel matrix costs, beside the squared exponential: Rscript bench/kernels.R
# The quickest of some turns, in turns of all kernels, so that other programs hit all alike; ratios. Needs gpstream installed.
suppressMessages(library(gpstream))
set.seed(1)
x <- matrix(runif(3000), ncol = 3)
one <- list(
  se = kernel_se(0.5), matern12 = kernel_matern12(0.5), matern32 = kernel_matern32(0.5), matern52 = kernel_matern52(0.5),
  "rq, alpha 1" = kernel_rq(0.5), "rq, alpha 2.5" = kernel_rq(0.5, alpha = 2.5), periodic = kernel_periodic(0.3, 0.5),
  gibbs = kernel_gibbs(0.5, knots = c(0, 1), values = 1), linear = kernel_linear(1, 0, 1)
)
several <- lapply(stats::setNames(c(2, 4), paste("se", c(2, 4), sep = " x ")), function(k) {
  Reduce(`+`, lapply(seq_len(k), function(i) kernel_se(0.2 * i, 1)))
})
waves <- list(cosine = function(D) kernel_cosine(rep(0.7, D)))
# 64 rows at a time: R's own work on a large matrix would be counted, too
seconds <- function(kernel, x) system.time(for (i in 1:40) kernel_matrix(kernel, x, x[1:64, , drop = FALSE]), gcFirst = FALSE)[["elapsed"]]
for (D in c(1, 3)) {
  kernels <- c(one, several, lapply(waves, function(make) make(D)))
  best <- stats::setNames(rep(Inf, length(kernels)), names(kernels))
  for (turn in 1:15) {
    for (name in names(kernels)) best[name] <- min(best[name], seconds(kernels[[name]], x[, seq_len(D), drop = FALSE]))
  }
  cat(D, if (D == 1) "column:" else "columns:", paste0(names(best), " ", format(best / best[["se"]], digits = 2), collapse = ", "), "\n")
}
