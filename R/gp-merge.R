# Models that saw different rows become one; parts of a model, to be updated elsewhere.

#' Merge models that saw different rows
#'
#' `merge()` makes a new model of two or more: what one model would know that had seen the rows of all of
#' them. `shard()` makes an empty twin of a model, to be updated elsewhere (in another process, on another
#' machine) and merged. Models travel as files ([save_gp()]) or as they are, to parallel workers.
#'
#' @param x,y,... Models made by [streaming_gp()], or messages of such ([shard_message()]). None of them
#'   changes.
#' @param rebase Are models with another kernel, or another noise, variance, mean or prior of the trend that
#'   was given, to be merged all the same? Their evidence is then carried over to the kernel of the first.
#' @param gp A model that has seen rows and has its kernel.
#' @return A new `StreamingGP`. A message tells what was lost, if something was.
#'
#' @section What is merged, and how:
#' The result is that of one stream in which the rows of the second model came after those of the first, and
#' so on; in any order and any grouping it says the same, to rounding. Its settings are those of the first
#' model that is no shard, and that model's rows come first.
#' \describe{
#'   \item{same points and kernel}{What the data said is a sum over rows, and sums are added: exact. Kernels
#'     are the same here when they differ in their variance only.}
#'   \item{other points}{All are carried to the points of all of them. Nothing is lost on the way, except
#'     about points that say no more than the others do; but rows that had left the look-back of one model do
#'     not get to know the points of another (the certificate counts them as `early`). There may be more
#'     points than `max_points` then.}
#'   \item{other kernels}{Refused, unless `rebase = TRUE`: a projection, as for `gp$kernel <- `.}
#'   \item{variance, noise, mean}{Where they differ and both models learn them by themselves, they are learned
#'     anew from what all rows said, exactly. Where they were given, or nothing is learned: refused, unless
#'     `rebase = TRUE`, and then those of the first are used. A shard has none of its own. The same holds for
#'     the prior variances of a trend, which are never learned in a merge.}
#'   \item{offsets and trends}{Outputs are measured from an offset, columns of a trend from their centres;
#'     where they differ, those of the first are taken, exactly. Trends in other columns are refused.}
#'   \item{look-backs}{Rows of all look-backs side by side; the oldest that are too many leave.}
#'   \item{counts and history}{Counts add up. `$history` goes on with the batches of the second model: sums
#'     over rows go on, `points` is as many as there would have been, and `bound` is `NA` there, for it was
#'     about that model alone.}
#'   \item{models that go on learning}{Memories are merged: the blocks that stay are an even sample of all
#'     rows. Rivals go, for they know nothing of the others' rows. Intervals are corrected by whichever
#'     calibration has scored more rows. Where one of the models kept no rows (its kernel was given, say),
#'     the kernel is not learned anew any more: doing so would forget that model's rows.}
#' }
#' Refused are also models with different formulas, columns, levels, or units and origins of times, and models
#' that are warming up.
#'
#' @section Shards:
#' A shard has the points, kernel, noise, mean, trend, offset and columns of its model, and has seen nothing.
#' It learns nothing but its rows, so that what it learns adds up; but rows far from all points become points
#' by the model's own rule, and a merge then unites them. A shard of a model that goes on learning keeps rows
#' for it, too. Where that model has learned another kernel meanwhile, `rebase = TRUE` is needed.
#' @examples
#' x <- runif(400, 0, 10)
#' y <- sin(x) + rnorm(400, sd = 0.1)
#' gp <- streaming_gp(kernel = kernel_se(1, 1), noise = 0.01, mean = 0, optimize = "none")
#' gp$update(x[1:100], y[1:100])
#' parts <- list(shard(gp), shard(gp), shard(gp)) # to three workers, say
#' for (i in 1:3) parts[[i]]$update(x[100 * i + 1:100], y[100 * i + 1:100])
#' whole <- merge(gp, parts[[1]], parts[[2]], parts[[3]])
#' whole$nobs
#' @seealso `gp$unlearn()` in [streaming_gp()]; [fit_shards()]; `vignette("derivation")`, section 18
#' @export
merge.StreamingGP <- function(x, y, ..., rebase = FALSE) {
  check_flag(rebase, "rebase")
  others <- list(...)
  if (any(nzchar(names(others)))) {
    abort("parameter", "there is no use for ", backtick(Filter(nzchar, names(others))), " here; models are ",
      "given without names.")
  }
  models <- c(list(x), if (!missing(y)) list(y), others)
  models <- lapply(models, function(one) if (inherits(one, "shard_message")) one$model else one)
  for (i in seq_along(models)) {
    if (!inherits(models[[i]], "StreamingGP")) {
      abort("type", "argument ", i, " must be a model made by streaming_gp(), not ", describe(models[[i]]),
        ".")
    }
    check_same_frame(models[[1]], models[[i]], i)
  }
  models <- Filter(is_started, models)
  if (length(models) == 0) return(gp_copy(x))
  for (i in seq_along(models)) {
    check_same_frame(models[[1]], models[[i]], i)
    check_same_functions(models[[1]], models[[i]], i)
    if (length(models) > 1 && is_warm(models[[i]])) {
      abort("input", "model ", i, " is warming up, and has no kernel of its own yet: merge it when ",
        count(warmup_rows(spec_of(models[[i]])), "row"), " have come.")
    }
  }
  is_shard <- vapply(models, function(gp) gp_info(gp)$shard, logical(1))
  home <- which.min(is_shard) # the first that is none
  merge_all(c(models[home], models[-home]), rebase)
}

# In their order, into a copy of the first.
merge_all <- function(models, rebase) {
  out <- gp_copy(models[[1]])
  told <- c(added = 0, refused = 0, foreign = 0, lost = 0)
  for (i in seq_along(models)[-1]) {
    one <- models[[i]]
    relearn <- check_mergeable(out, one, i, rebase)
    spec <- wishes(gp_spec(out), gp_frame(out))
    told <- told + core_gp_merge(gp_handle(out), learning_handle(one), spec, relearn)
    out$state$frame$prototype <- merge_prototypes(gp_frame(out)$prototype, gp_frame(one)$prototype)
  }
  tell_merged(told, gp_info(out)$size)
  out
}

# What became of models that were not like the first.
tell_merged <- function(told, size) {
  points <- told[["added"]] + told[["refused"]]
  if (points + told[["foreign"]] == 0) return(invisible())
  inform(
    paste(c(
      if (points > 0) paste0("The models had different points: together they have ", size, "."),
      if (told[["refused"]] > 0) paste0(count(told[["refused"]], "point"),
        " said nothing the others do not say already."),
      if (told[["foreign"]] > 0) paste0("What ", count(told[["foreign"]], "row"),
        " had said under another kernel was carried over."),
      if (told[["refused"]] + told[["foreign"]] > 0) paste0(short_number(told[["lost"]], 3),
        " nats were lost on the way.")
    ), collapse = " "),
    kind = "merge"
  )
}

# Stops where two models must not be merged. Are variance, noise and mean to be learned anew?
check_mergeable <- function(first, second, i, rebase) {
  differ <- core_gp_differ(gp_handle(first), learning_handle(second))
  if ("kernel" %in% differ && !rebase) {
    abort("input", "model ", i, " has another kernel, ", format(gp_info(second)$kernel, 4), " and not ",
      format(gp_info(first)$kernel, 4), ": `rebase = TRUE` carries what it knows over, and says what ",
      "is lost.")
  }
  scale <- setdiff(differ, "kernel")
  if (length(scale) == 0 || gp_info(second)$shard || rebase && "kernel" %in% differ) return(FALSE)
  given <- scale[!(learns_scale(first, scale) & learns_scale(second, scale))]
  if (length(given) == 0) return(gp_info(first)$nobs + gp_info(second)$nobs >= core_few_rows())
  if (rebase) return(FALSE)
  abort("input", "model ", i, " has another ", paste(scale_words[given], collapse = " and another "),
    ", and it is not for the models to learn: assign one to both, or `rebase = TRUE` to use that of the ",
    "first.")
}

scale_words <- c(
  variance = "variance of the kernel", noise = "noise", mean = "mean", trend = "prior variance of the trend"
)

# Which of these does a model learn by itself?
learns_scale <- function(gp, what) {
  spec <- gp_spec(gp)
  open <- c(
    variance = open_kernel(spec)$amplitude, noise = is.null(spec$noise),
    mean = !is.numeric(spec$mean) && !identical(spec$mean, "zero"), trend = FALSE
  )
  spec$optimize != "none" & open[what]
}

# Do two models read their inputs alike? Says in what they differ.
check_same_frame <- function(first, second, i) {
  differ <- function(what, one, two) {
    abort("input", "model ", i, " cannot be merged: it has ", what, two, ", the first has ", one, ".")
  }
  formulas <- lapply(list(spec_of(first)$formula, spec_of(second)$formula), function(formula) {
    if (is.null(formula)) "no formula" else paste("the formula", deparse1(formula))
  })
  if (!identical(formulas[[1]], formulas[[2]])) differ("", formulas[[1]], formulas[[2]])
  if (!is_started(first) || !is_started(second)) return(invisible())
  frames <- list(gp_frame(first), gp_frame(second))
  D <- vapply(frames, function(frame) frame$D, 0)
  if (D[1] != D[2]) differ("columns: ", D[1], D[2])
  if (!identical(frames[[1]]$xlevels, frames[[2]]$xlevels)) {
    levels <- lapply(frames, function(frame) {
      few(paste0(names(frame$xlevels), ": ", vapply(frame$xlevels, quoted, "")))
    })
    differ("the levels ", levels[[1]], levels[[2]])
  }
  check_same_times(frames, i)
  made <- lapply(frames, function(frame) if (!is.null(frame$terms)) {
    constants <- setdiff(all.vars(frame$terms), frame$variables)
    list(attr(frame$terms, "predvars"), constants_of(frame$terms, constants))
  })
  if (!identical(made[[1]], made[[2]])) {
    abort("input", "model ", i,
      " cannot be merged: what its formula makes of the columns was settled by its ",
      "first batch, or by constants, that the first model does not have.")
  }
  outputs <- lapply(frames, function(frame) if (is.null(frame$outputs)) "y" else frame$outputs)
  if (!identical(outputs[[1]], outputs[[2]])) {
    differ("the outputs ", backtick(outputs[[1]]), backtick(outputs[[2]]))
  }
  names <- lapply(frames, function(frame) frame$names) # inputs without names are matched by position
  if (!any(vapply(names, is.null, logical(1))) && !identical(names[[1]], names[[2]])) {
    differ("the columns ", backtick(names[[1]]), backtick(names[[2]]))
  }
}

# Numbers of one unit and origin are no numbers of another; how instants are shown does not matter.
check_same_times <- function(frames, i) {
  times <- lapply(frames, column_times)
  meaning <- function(time) if (!is.null(time)) list(time$class == "difftime", time$unit, time$origin)
  for (j in seq_along(times[[1]])) {
    pair <- list(times[[1]][[j]], times[[2]][[j]])
    if (identical(meaning(pair[[1]]), meaning(pair[[2]]))) next
    words <- lapply(pair, function(time) if (is.null(time)) "numbers" else format_time(time))
    abort("input", "model ", i, " cannot be merged: it has ", words[[2]], " in column ",
      backtick(input_names(frames[[1]])[j]), ", the first has ", words[[1]], ", as their first batches ",
      "were; a shard() of the first has its times.")
  }
}

#' @rdname merge.StreamingGP
#' @export
shard <- function(gp) {
  check_model(gp)
  if (!is_started(gp)) {
    spec <- gp_spec(gp)
    known <- !core_kernel_open(if (is.null(spec$kernel)) kernel_se() else spec$kernel)$any &&
      !is.null(spec$noise) && (is.numeric(spec$mean) || identical(spec$mean, "zero"))
    if (known) return(gp_copy(gp))
    abort("input", "a model that has seen no data has no kernel, noise or mean to share: give them, or ",
      "update it first.")
  }
  learner <- core_gp_learner(gp_handle(gp))
  if (is_warm(gp) || learner$follows && gp_info(gp)$nobs < 50) {
    abort("input", "the kernel of the model is still being found, and its shards would not fit it: wait ",
      "until ", if (learner$follows) 50 else warmup_rows(spec_of(gp)), " rows have come.")
  }
  out <- StreamingGP$new(spec = replace(spec_of(gp), "optimize", "none"))
  set_state(out, core_gp_shard(learning_handle(gp)), gp_frame(gp))
  out
}
