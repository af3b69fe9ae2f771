# What the benchmark is to show: each as a ratio of two lines of the table, with the ratio that was wanted. Nothing is
# asserted. Where the machine has two ways to compute a bare operation (R's BLAS, Eigen), the faster one counts.

must_show <- function(table, agreement) {
  find <- function(workload, setting, method) {
    hit <- startsWith(table$workload, workload) & grepl(setting, table$setting, fixed = TRUE) & table$method == method
    table[which(hit)[1], ]
  }
  own <- function(workload, setting, what = "gpstream") find(workload, setting, what)$median
  peer <- own
  machine <- function(workload, setting) {
    hit <- startsWith(table$workload, workload) & grepl(setting, table$setting, fixed = TRUE) & startsWith(table$method, "machine: ")
    if (any(hit)) min(table$median[hit]) else NA
  }
  faster <- function(what, other, own, wanted) data.frame(what = what, measured = other / own, wanted = paste("at least", wanted))
  within <- function(what, own, bound, wanted) data.frame(what = what, measured = own / bound, wanted = paste("at most", wanted))

  update <- "500 points, 500 rows: update"
  long <- "500 points, 1e+05 rows, random"
  out <- rbind(
    faster("one row, 500 points: laGP::updateGP at n = 500 / gpstream", peer("W2", update, "laGP"), own("W2", update), 8),
    faster("one row, 500 points: laGP::updateGP at n = 1000 / gpstream", peer("W2", "500 points, 1000 rows", "laGP"), own("W2", "500 points, 1000 rows"), 50),
    within("one row, 500 points: gpstream / copying M x M numbers", own("W2", update), machine("W2", update), 1.5),
    within("one row, 500 points: last tenth of 1e5 rows / first tenth after settling", own("along", long, "gpstream, last tenth"), own("along", long, "gpstream, first tenth after settling"), 1.1),
    within("one row, 500 points: p99 / median", find("W2", update, "gpstream")$p99, own("W2", update), 3),
    within("batches of 1000, 500 points: gpstream / solve + symmetric update", own("W3", "500 points, batches of 1000"), machine("W3", "500 points, batches of 1000"), 1.3)
  )
  for (case in list(c("D = 2, 1000 points", 20), c("D = 3, 1000 points", 20), c("D = 8, 1500 points", 4))) {
    out <- rbind(out,
      faster(paste0("selection, ", case[1], ": distance scan by R's BLAS / gpstream"), peer("W1", case[1], "machine: R's BLAS"), own("W1", case[1]), case[2]),
      faster(paste0("selection, ", case[1], ": distance scan by Eigen / gpstream"), peer("W1", case[1], "machine: Eigen"), own("W1", case[1]), case[2]),
      faster(paste0("selection, ", case[1], ": ten steps of stats::kmeans / gpstream"), peer("W1", case[1], "stats::kmeans"), own("W1", case[1]), 50)
    )
  }
  predict <- "500 points, mean and sd"
  rbind(out,
    within("1e6 predictions with sd, 500 points: gpstream / triangular product", own("W5", paste0(predict, ", 1e6")), machine("W5", predict), 1.3),
    faster("predictions with sd: mgcv with 400 basis functions / gpstream", peer("W5", predict, "mgcv"), own("W5", predict), 3),
    faster("predictions with sd: hetGP at n = 500 / gpstream", peer("W5", predict, "hetGP"), own("W5", predict), 3),
    within("bound and gradient, D = 8, 500 points, 1e4 rows: gpstream / solve + symmetric update", own("W4 gradient", "500 points"), machine("W4 gradient", "500 points"), 4),
    within("$update of one row, 1 point: gpstream / empty closure call", own("call", ""), machine("call", ""), 40),
    data.frame(what = "same rows one at a time and in batches: largest difference of mean or sd", measured = agreement, wanted = "at most 1e-11")
  )
}

# The same rows in both modes of updating; the points are given, so that nothing but the order of sums can differ.
agreement <- function(quick) {
  data <- draw(2000, 2, 1)
  single <- grid_model(if (quick) 49 else 484)
  chunk <- single$copy()
  for (i in seq_len(2000)) single$update(data$x[i, , drop = FALSE], data$y[i])
  for (rows in split(seq_len(2000), rep(1:2, each = 1000))) chunk$update(data$x[rows, ], data$y[rows])
  x <- test_set(2)$x
  a <- gp_predict(single, x)
  b <- gp_predict(chunk, x)
  max(abs(a$mean - b$mean), abs(a$sd - b$sd))
}
