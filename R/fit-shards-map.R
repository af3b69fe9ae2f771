# Shards are asked by the name of a function of the package, with plain values: a worker looks it up in its
# own gpstream.

# One answer a shard. `args` are the same for all, `each` has a list for each.
ask_shards <- function(fit, name, args = list(), each = NULL, which = seq_along(fit$sources)) {
  tasks <- lapply(which, function(i) {
    reading <- list(key = fit$key, number = i, source = fit$sources[[i]], spec = fit$spec, frame = fit$frame)
    c(list(shard = reading), args, each[[i]])
  })
  answers <- map_shards(fit$cluster, name, tasks)
  failed <- vapply(answers, inherits, NA, "gpstream_shard_failure")
  if (any(failed)) abort_shard(fit$sources, which[failed][1], answers[failed][[1]])
  answers
}

# The one place that knows of processes.
map_shards <- function(cluster, name, tasks) {
  if (is.null(cluster)) return(lapply(tasks, function(task) answer_task(name, task)))
  worker <- function(task, name) getNamespace("gpstream")$answer_task(name, task)
  environment(worker) <- baseenv()
  parallel::clusterApply(cluster, tasks, worker, name)
}

# An error is an answer, so that whoever asked can say which shard it was.
answer_task <- function(name, task) {
  tryCatch(
    quiet_drops(do.call(get(name, asNamespace("gpstream"), mode = "function"), task, quote = TRUE)),
    error = function(e) {
      structure(list(why = conditionMessage(e), class = class(e)), class = "gpstream_shard_failure")
    }
  )
}

# The original error with the number of its shard; its classes stay.
abort_shard <- function(sources, i, failure) {
  name <- names(sources)[i]
  if (is.null(name) || !nzchar(name)) name <- if (is_name(sources[[i]])) sources[[i]]
  kept <- grep("^gpstream_error_", failure$class, value = TRUE)
  stop(structure(
    class = unique(c("gpstream_error_shard", kept, "gpstream_error", "error", "condition")),
    list(
      message = paste0("shard ", i, if (!is.null(name)) paste0(" (", dQuote(name, FALSE), ")"),
        " could not be read or learned: ", failure$why, "\nThe model is as it was."),
      call = NULL, shard = i
    )
  ))
}
