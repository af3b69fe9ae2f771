# Gross errors under Gaussian noise, which takes every row at its word: summary() says where some rows lie so
# far off that another likelihood would have served better. Nothing is kept for it: it looks at the rows that
# are at hand (the memory and the look-back) and at the sums of all.

gross_after <- 20 # rows at hand; fewer say nothing of what is far
far_rows <- 12 # times the spread of the others, measured by medians, which a few gross errors do not move
far_sums <- 100 # of rows that are gone

gross_errors <- function(gp) {
  if (!is_gaussian(gp) || !is_started(gp) || !is.null(output_names(gp))) return(NULL)
  rows <- rows_at_hand(gp)
  if (length(rows$y) < gross_after) return(NULL)
  error <- rows$y - core_gp_predict(gp_handle(gp), rows$x, FALSE)$mean
  far <- which(are_far(rows$y) | are_far(error))
  far <- far[vapply(far, is_alone, NA, rows, max(spread_of(error), 0.3 * gp_info(gp)$noise^0.5), gp)]
  gone <- are_gone_far(gp, if (length(far) > 0) rows$y[-far] else rows$y)
  if (length(far) == 0 && !gone) return(NULL)
  list(
    count = length(far), farthest = if (length(far) > 0) rows$y[far][which.max(abs(error[far]))], gone = gone
  )
}

are_far <- function(values) abs(values - stats::median(values)) > far_rows * spread_of(values)

# Where most values are alike, that of the nearer nine tenths.
spread_of <- function(values) {
  spread <- stats::mad(values)
  if (spread > 0) return(spread)
  off <- sort(abs(values - stats::median(values)))
  mean(off[seq_len(floor(0.9 * length(off)))])
}

# Is a row also far from those next to it? Where the function has a step, or bends to a gross error, it is
# not.
is_alone <- function(i, rows, spread, gp) {
  close <- core_kernel_matrix(gp_info(gp)$kernel, rows$x, rows$x[i, , drop = FALSE])
  close[i] <- -Inf
  others <- rows$y[order(close, decreasing = TRUE)[1:5]]
  stats::median(abs(rows$y[i] - others)) > far_rows * spread
}

rows_at_hand <- function(gp) {
  open <- core_gp_rows(gp_handle(gp))
  kept <- core_gp_memory(gp_handle(gp))
  if (length(kept$row) == 0) return(open)
  older <- kept$row <= gp_info(gp)$nobs - length(open$y)
  list(x = rbind(kept$x[older, , drop = FALSE], open$x), y = c(kept$y[older], open$y))
}

# All rows about their mean, against those that are at hand.
are_gone_far <- function(gp, y) {
  sums <- core_gp_spectrum(gp_handle(gp))
  if (sums$n <= length(y) + gross_after || gp_info(gp)$fades) return(FALSE)
  all <- sums$yy / sums$n - (sums$sum_y / sums$n)^2
  rounding <- 1e-12 * sums$yy / sums$n + (4 * .Machine$double.eps)^2 * mean(y^2)
  all > far_sums^2 * mean((y - mean(y))^2) + rounding
}

format_gross <- function(found) {
  if (is.null(found)) return(NULL)
  what <- if (found$count > 0) {
    paste0(count(found$count, "row"), " far from all else, ", format(signif(found$farthest, 4)),
      if (found$count > 1) " the farthest")
  } else {
    "rows that are gone lay far from those at hand"
  }
  c(paste0(what, ": Gaussian noise takes gross errors at their word;"), "likelihood_student() does not")
}
