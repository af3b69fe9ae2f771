# A model: a function of nothing that makes a list of update(data), predict(data), which gives list(mean, sd
# of a new observation), and perhaps size(). Data frames have the output in column y.

# What a user sees of gpstream: the 95 % prediction interval. `call` is not evaluated yet.
gpstream_model <- function(call) {
  force(call)
  function() {
    if (is.null(call$formula)) call$formula <- quote(y ~ .)
    gp <- eval(call, globalenv())
    list(
      update = function(data) suppressMessages(suppressWarnings(gp$update(data))),
      predict = function(data) {
        p <- stats::predict(gp, data, interval = "prediction")
        list(mean = p[, "fit"], sd = (p[, "upr"] - p[, "lwr"]) / (2 * stats::qnorm(0.975)))
      },
      size = function() gp$size
    )
  }
}

default_call <- gpstream_model(quote(streaming_gp()))

# A baseline keeps all rows and is fitted when it is asked: anew each time, or when there are `again` times
# as many rows. Where the fit fails the one before it stays, or the mean of all rows so far, with a word.
refitted <- function(fit, again = 1) {
  force(fit)
  function() {
    kept <- list()
    known <- NULL
    at <- 0
    told <- FALSE
    list(
      update = function(data) kept[[length(kept) + 1]] <<- data,
      predict = function(data) {
        seen <- do.call(rbind, kept)
        if (nrow(seen) >= again * at) {
          new <- tryCatch(suppressWarnings(fit(seen)), error = function(e) e)
          if (inherits(new, "error") && !told) {
            message("    a fit to ", nrow(seen), " rows failed, as others may: ", conditionMessage(new))
            told <<- TRUE
          }
          if (is.function(new)) known <<- new else if (is.null(known)) return(fit_mean(seen)(data))
          at <<- nrow(seen)
        }
        suppressWarnings(known(data))
      }
    )
  }
}

baselines <- list(
  mean = refitted(fit_mean), last = refitted(fit_last), lm = refitted(fit_lm),
  bam = refitted(fit_bam, 1.5), ranger = refitted(fit_ranger, 1.5),
  laGP = refitted(fit_lagp), GpGp = refitted(fit_gpgp, 1.5)
)
needed <- c(bam = "mgcv", ranger = "ranger", laGP = "laGP", GpGp = "GpGp") # by baseline, the package
