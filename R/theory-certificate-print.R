# A certificate in plain words.

#' @export
print.gpstream_certificate <- function(x, digits = 3, ...) {
  digits <- check_digits(digits)
  cat("<certificate> ", count(x$nobs, "observation"), ", ", count(x$size, "inducing point"),
    if (x$rows != x$nobs) {
      paste0("\nrows      the model holds ", count(x$rows, "row"), "; this is about them")
    }, "\n", sep = "")
  if (isTRUE(x$unlearned > 0)) {
    cat("rows      ", count(x$unlearned, "row"), " unlearned: this is about the others\n", sep = "")
  }
  if (x$rows == 0) {
    cat("Nothing has been approximated yet: the model is its prior.\n")
    return(invisible(x))
  }
  for (part in c("points", "evidence", "posterior", "assumes")) {
    lines <- certificate_words[[part]](x, function(value, more = 0) short_number(value, digits + more))
    if (length(lines) > 0) {
      cat(paste0(format(c(part, rep("", length(lines) - 1)), width = 10), lines, "\n"), sep = "")
    }
  }
  invisible(x)
}

short_number <- function(value, digits) {
  if (!is.finite(value)) return(format(value))
  if (value != 0 && (abs(value) >= 1e6 || abs(value) < 1e-4)) {
    return(format(value, digits = digits, scientific = TRUE))
  }
  format(signif(value, digits), digits = 15, big.mark = ",", trim = TRUE, scientific = FALSE)
}

# Digits it takes beyond the usual to tell the ends of the bracket apart.
bracket_digits <- function(x) {
  wide <- max(abs(c(x$lower, x$upper)))
  if (wide == Inf) return(0)
  max(ceiling(log10(wide / max(x$kl, 1e-9 * wide))) - 1, 0)
}

# Share of the prior variance, a row; of the rows that the present kernel knows of.
unexplained <- function(x) x$trace / (x$variance * (x$rows - x$foreign))

certificate_words <- list(
  points = function(x, number) {
    known <- x$rows - x$foreign
    promised <- if (!is.na(x$trace_bound)) {
      paste0(" (the rule promises at most ", number(x$trace_bound / (x$variance * x$rows)), ")")
    }
    c(
      if (known > 0 && !is.na(x$trace)) paste0("leave ", number(unexplained(x)),
        " of the prior variance of a row unexplained, on average", promised,
        if (x$foreign > 0) paste0(" over the other ", count(known, "row"))),
      if (isTRUE(x$early > 0)) paste0(number(100 * x$early / x$trace),
        " % of that from rows that were gone before the last point joined or was moved"),
      if (x$refused > 0) paste0(count(x$refused, "row"),
        " refused as a point: the others said the same already"),
      if (x$uncovered > 0) paste0(count(x$uncovered, "row"),
        " left uncovered: the largest number of points was reached"),
      paste0("condition number ", number(x$condition))
    )
  },
  evidence = function(x, number) {
    if (is.na(x$kl)) return(NULL)
    more <- bracket_digits(x)
    paste0("the log evidence is between ", number(x$lower, more), " and ", number(x$upper, more),
      "; the objective is ", number(x$objective, more))
  },
  posterior = function(x, number) {
    if (x$foreign > 0) {
      return(paste0("nothing can be promised: the kernel was changed when ", count(x$foreign, "row"),
        if (x$foreign == 1) " was" else " were", " gone already"))
    }
    if (is.na(x$kl)) {
      return(paste0("nothing can be promised: ",
        if (x$removed > 0) "points have left for others" else "rows count less than they did"))
    }
    c(
      paste0("at most ", number(x$kl), " nats from the exact one (Kullback-Leibler divergence), ",
        number(x$kl / x$rows), " a row"),
      if (x$mean_error <= 1) {
        c(
          paste0("so every mean is within ", number(x$mean_error), " standard errors of the exact one,"),
          paste0("and every standard error within ", number(100 * max(abs(x$sd_ratio - 1))),
            " % of the exact one")
        )
      } else {
        c(
          "too far to promise anything about single predictions, which may be good all the same;",
          paste0("more points", if (x$early > 0) " or a longer lookback", " would bring it closer")
        )
      },
      if (isTRUE(x$kl_expected < x$kl)) paste0("if the outputs came from this very model, ",
        number(x$kl_expected), " nats at most on average"),
      if (x$lost > 0) paste0(number(x$lost), " nats lost when points were moved")
    )
  },
  assumes = function(x, number) {
    if (!is.na(x$kl)) c(
      "Gaussian noise, and kernel, noise and mean as they are now: this is about the approximation,",
      "not about whether they are right"
    )
  }
)
