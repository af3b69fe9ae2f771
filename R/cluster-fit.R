# The kernel of all rows, wherever they are: src/core/learn/fit.h. Here is what asks the shards.

#' Learn kernel, noise and trend from rows in many places
#'
#' `fit_shards()` learns what was left open of a new model from all rows of all `sources`, however many they
#' are and wherever they can be read: no process need hold more than a batch of rows, and what travels between
#' processes is a small sample of them, the inducing points, and sums and slopes about these. The result is
#' that of batch sparse regression: the kernel and noise at which the variational bound of all rows is
#' highest, and the posterior given all rows under it.
#'
#' @details
#' **In which steps.** A sample of the rows is drawn, at most as many as the model keeps (`memory`, at least
#' 1000): blocks of consecutive rows by a hash of their number, so that it is the same for every cut. From it
#' the kernel is found as a model finds it in a stream, families competing where none was given. Then points
#' are chosen in every shard, the points of all shards are united, and every shard adds those that its rows
#' still lack. With these points the bound and its gradient are evaluated for one kernel after another by
#' L-BFGS, 100 steps at most; for each evaluation every source is read twice, to add up what its rows say, and
#' to add up the slopes. At last points are chosen anew under the kernel that was found, and the source is
#' read once more for what all rows say about them; variance and noise follow from that.
#'
#' *Why points are chosen twice.* Points as far apart as a kernel wants them favour that kernel or a longer
#' one: with few points a short lengthscale cannot show its worth, and choosing and learning in turn would end
#' with next to none. The points of the search are therefore as dense as half of the lengthscales found in the
#' sample would have them, and the kernel is not learned again on those that are chosen after it.
#'
#' **Any cut.** With given points ([select_fixed()]) the result is the same for any number of shards, to
#' rounding. Points that are chosen cover all rows by the selector's rule, however these are cut, but which
#' rows they are depends on the cut, and what is learned does so by as much as they do.
#'
#' **What is learned.** Whatever was not given to [streaming_gp()], also with `optimize = "none"`. Where only
#' variance, noise and mean are open, there is nothing to search: they follow from what the rows say. The
#' prior variance of a trend, over that of the kernel, is that of the sample. The rows are settled, the
#' look-back is empty afterwards, and the model goes on with new rows as it was made to: one that learns in a
#' stream keeps the sample as its memory.
#'
#' **Memory.** Rows that were read are kept by the process that read them, up to 256 MB of numbers, so that
#' small sources are not read again and again; they go when the call ends.
#'
#' @param gp A model made by [streaming_gp()] that has seen no rows, with Gaussian noise, one output and no
#'   half-life. It is changed in place, when all is done; an error or Ctrl-C leaves it as it was.
#' @param sources Names of files, or a list with an element for each shard: anything that [as_source()] takes
#'   and that can be read again from its first row (the name of a file, a data frame, `list(x = , y = )`, a
#'   `function(reset)`), or a function without arguments that returns such a thing, or a source (the examples
#'   of [consume()] have one for a database); it is called by the process that reads the shard, each time it
#'   is read. Columns are matched by name. In data frames for a model without a formula the output is the
#'   column `y`.
#' @param cluster `NULL`: shards are read one after the other, by this process. Or a cluster, as for
#'   [consume()]. Give file names or functions then: data frames are sent anew each time they are read.
#'
#' @return The model, invisibly.
#' @examples
#' x <- runif(600, 0, 10)
#' data <- data.frame(x = x, y = sin(x) + rnorm(600, sd = 0.1))
#' gp <- streaming_gp(y ~ x, kernel = kernel_se(), select = select_oips(0.8))
#' fit_shards(gp, list(data[1:200, ], data[201:400, ], data[401:600, ]))
#' gp
#'
#' # a shard that is opened where it is read
#' file <- tempfile(fileext = ".csv")
#' write.csv(data, file, row.names = FALSE)
#' gp <- streaming_gp(y ~ x, kernel = kernel_se(), select = select_oips(0.8))
#' fit_shards(gp, list(file, function() data[1:10, ]))
#' gp$nobs
#' @seealso [consume()] for learning as rows come, and from shards under one kernel; [shard()] and
#'   [merge()][merge.StreamingGP] for parts of a model by hand; `vignette("derivation")`, section 23
#' @export
fit_shards <- function(gp, sources, cluster = NULL) {
  check_model(gp)
  refuse_fit(gp)
  sources <- check_sources(refuse_pair(sources), "sources", "")
  fit <- new_fit(gp_spec(gp), sources, check_cluster(cluster))
  on.exit(forget_rows())
  quiet_drops({
    fit$frame <- first_frame(fit)
    if (!is.null(fit$frame$outputs)) abort("input", "fit_shards() is for models of one output.")
    spec <- wishes(gp_spec(gp), fit$frame)
    check_fixed_columns(spec$select, matrix(0, 0, fit$frame$D))
    handle <- core_fit_start(spec, shard_samples(fit, max(1000, spec$memory)))
    sums <- function(view) all_sums(fit, view)
    slopes <- function(view, adjoint, points) {
      add_up(ask_shards(fit, "pass_slopes", list(view = view, adjoint = adjoint, points = points)))
    }
    if (open_kernel(spec)$shape) {
      near <- shards_points(fit, core_fit_rule(handle, spec, TRUE))$points
      handle <- core_fit_search(handle, spec, near, 100L, sums, slopes)
    }
    chosen <- shards_points(fit, core_fit_rule(handle, spec, FALSE))
    last <- function(view) all_sums(fit, view, last = !is.null(fit$cluster))
    handle <- core_fit_end(handle, spec, chosen$points, last)
  })
  if (chosen$full) warn_full(spec$select)
  set_state(gp, handle, fit$frame)
  if (fit$dropped > 0) {
    inform("Dropped ", whole(fit$dropped), " of ", count(fit$rows + fit$dropped, "row"),
      ", with missing or infinite values or of weight 0.", kind = "dropped")
  }
  invisible(gp)
}

# Before anything is read.
refuse_fit <- function(gp) {
  spec <- gp_spec(gp)
  if (is_started(gp)) {
    abort("input", "fit_shards() needs a model that has seen no rows, and this one has seen ",
      whole(gp_info(gp)$nobs), ": make a new one, and give those rows as one of `sources`.")
  }
  if (spec$likelihood$name != "gaussian") {
    abort("input", "fit_shards() is for Gaussian noise: what rows say is a sum only then, and this is ",
      format(spec$likelihood), ".")
  }
  if (!identical(spec$half_life, Inf)) {
    abort("input", "fit_shards() is for rows that all count the same: make the model without `half_life`.")
  }
}

# `list(x = , y = )` is one shard, not two.
refuse_pair <- function(sources) {
  if (is.list(sources) && identical(sort(names(sources)), c("x", "y"))) {
    abort("type", "`sources` must be a list of shards, and this looks like one: say list(list(x = , y = )).")
  }
  sources
}

warn_full <- function(select) {
  warn("max_inducing", "the shards asked for more than `max_points` (", whole(select$max_points),
    ") points: what these leave of some rows is more than the rule allows. ", fewer_points(select),
    ", use a longer lengthscale, or raise `max_points`.")
}

# --- what all shards say ------------------------------------------------------------------------------------

# `key` names the rows that processes keep for this call.
new_fit <- function(spec, sources, cluster) {
  fit <- new.env(parent = emptyenv())
  fit$spec <- spec
  fit$sources <- sources
  fit$cluster <- cluster
  fit$key <- paste(Sys.info()[["nodename"]], Sys.getpid(), format(now(), digits = 20))
  fit$rows <- NA_real_
  fit
}

# One answer a shard, in their order. `args` are the same for all, `each` has a list for each.
ask_shards <- function(fit, name, args = list(), each = NULL, which = seq_along(fit$sources)) {
  answers <- vector("list", length(which))
  common <- c(list(reading = list(key = fit$key, spec = fit$spec, frame = fit$frame)), args)
  tasks <- lapply(which, function(i) c(list(source = fit$sources[[i]], number = i), each[[i]]))
  cluster_map(
    fit$cluster, name, tasks, common, function(k, value) answers[k] <<- list(value),
    function(k) source_label(fit$sources, which[k])
  )
  answers
}

# How inputs are read: by the first rows there are.
first_frame <- function(fit) {
  for (i in seq_along(fit$sources)) {
    found <- ask_shards(fit, "pass_frame", which = i)[[1]]
    if (is.null(found)) next
    if (!is.null(found$ends)) warn_constant(found$ends, found$numeric)
    return(found$frame)
  }
  abort("input", "there are no rows in `sources`.")
}

# Rows are numbered through all shards, so that the sample does not depend on where one ends.
shard_samples <- function(fit, limit) {
  counts <- vapply(ask_shards(fit, "pass_count"), identity, c(rows = 0, dropped = 0))
  rows <- counts["rows", ]
  fit$rows <- sum(rows)
  fit$dropped <- sum(counts["dropped", ])
  first <- lapply(cumsum(c(0, rows))[seq_along(rows)], function(n) list(first = n))
  ask_shards(fit, "pass_sample", list(limit = limit), first)
}

# Points of every shard, of their union, and what rows still lack then: all rows are covered by the rule,
# unless there are `max_points`.
shards_points <- function(fit, rule) {
  most <- if (is.null(rule$select$max_points)) Inf else rule$select$max_points
  parts <- ask_shards(fit, "pass_points", list(rule = rule))
  alone <- rule
  alone$select$support <- NULL # the points had it when they were chosen
  set <- new_points(alone, fit$frame$D)
  core_set_update(set, do.call(rbind, lapply(parts, `[[`, "points")), rule$variance, rule$noise)
  united <- core_set_state(set)$points
  more <- ask_shards(fit, "pass_points", list(rule = rule, from = united))
  points <- rbind(united, do.call(rbind, lapply(more, `[[`, "points")))
  list(
    points = utils::head(points, most),
    full = nrow(points) > most || any(vapply(more, `[[`, 0, "turned_away") > 0)
  )
}

all_sums <- function(fit, view, last = FALSE) {
  sums <- add_up(ask_shards(fit, "pass_sums", list(view = view, last = last)))
  if (sums$n != fit$rows) {
    abort("input", "the sources gave ", count(fit$rows, "row"), " at first, and then ", whole(sums$n),
      ": a shard must have the same rows whenever it is read.")
  }
  sums
}

# In the order of the shards, so that the bits do not depend on who was first.
add_up <- function(answers) Reduce(function(sum, one) Map(`+`, sum, one), answers)
