# Work on shards, on the workers of a cluster that the user made, or in this process. What travels is the name
# of a function of this package and plain arguments; which worker does what never matters for the result.

# `cluster`: as of package parallel (PSOCK, fork, MPI by snow) or made by mirai::make_cluster(). NULL: none.
check_cluster <- function(cluster) {
  if (is.null(cluster)) return(NULL)
  if (inherits(cluster, "cluster") && length(cluster) > 0) return(cluster)
  abort("type", "`cluster` must be a cluster, such as parallel::makeCluster(2) or mirai::make_cluster(2) ",
    "gives, or NULL, not ", describe(cluster), ".")
}

# done(i, value) is called for the values of call(name, c(tasks[[i]], common)), here and in the order of the
# tasks. A task whose worker dies is done anew by another one, one that fails once more; a task about rows
# that cannot be learned fails everywhere. `label(i)`: the task, for people.
cluster_map <- function(cluster, name, tasks, common, done, label) {
  if (is.null(cluster)) {
    for (i in seq_along(tasks)) done(i, value_of(do_task(name, c(tasks[[i]], common)), label(i)))
    return(invisible())
  }
  dispatch(new_farm(cluster), name, tasks, common, done, label)
}

# On a worker: errors come back as values.
do_task <- function(name, args) {
  tryCatch(list(value = do.call(name, args, quote = TRUE)), error = function(e) {
    # the call could hold the rows
    list(failed = structure(e[setdiff(names(e), "call")], class = class(e)))
  })
}

value_of <- function(result, label) {
  if (is.null(result$failed)) return(result$value)
  cause <- result$failed
  kept <- grep("^gpstream_error_", class(cause), value = TRUE)
  stop(structure(
    class = unique(c("gpstream_error_shard", kept, "gpstream_error", "error", "condition")),
    list(message = paste0(label, ": ", conditionMessage(cause)), call = NULL, parent = cause)
  ))
}

# --- workers ------------------------------------------------------------------------------------------------
# A farm: `nodes`, the workers; `task`, what each is at (0: nothing, NA: it is lost).

new_farm <- function(cluster) {
  list2env(list(nodes = cluster, task = rep(0, length(cluster))), parent = emptyenv())
}

tries_after_loss <- 3 # a shard that takes three workers with it takes all of them

dispatch <- function(farm, name, tasks, common, done, label) {
  waiting <- as.list(seq_along(tasks)) # what is to be done; what is done but not yet in turn; how often tried
  values <- vector("list", length(tasks))
  lost <- failed <- numeric(length(tasks))
  turn <- 1
  on.exit(drain(farm))
  while (turn <= length(tasks)) {
    for (node in which(farm$task %in% 0)) {
      if (length(waiting) == 0) break
      i <- waiting[[1]]
      if (send_task(farm, node, i, name, c(tasks[[i]], common))) waiting <- waiting[-1]
    }
    if (all(is.na(farm$task))) {
      abort("cluster", "all ", count(length(farm$nodes), "worker"), " of `cluster` are lost: they ended, or ",
        "cannot be reached.")
    }
    for (answer in receive(farm)) {
      i <- answer$task
      result <- answer$result
      if (is.null(result)) {
        lost[i] <- lost[i] + 1
        if (lost[i] >= tries_after_loss) {
          abort("cluster", label(i), ": ", lost[i], " workers were lost while they were at it.")
        }
        waiting <- c(list(i), waiting)
      } else if (failed[i] == 0 && may_pass(result$failed)) {
        failed[i] <- 1
        waiting <- c(waiting, list(i))
      } else {
        values[[i]] <- list(value_of(result, label(i)))
      }
    }
    while (turn <= length(tasks) && !is.null(values[[turn]])) {
      done(turn, values[[turn]][[1]])
      values[turn] <- list(NULL)
      turn <- turn + 1
    }
  }
}

# An error that another worker, or a later time, may not have; one about rows comes again.
may_pass <- function(failed) !is.null(failed) && !inherits(failed, "gpstream_error_batch")

# What package parallel and whoever builds on it talk to workers with; it keeps them to itself.
node_call <- function(name, ...) utils::getFromNamespace(name, "parallel")(...)

# In the base environment, so that nothing but this comes along. gpstream is attached there, as it is here:
# functions that open a shard call as_source().
remote_task <- function(name, args) {
  if (!"package:gpstream" %in% search()) attachNamespace("gpstream")
  get("do_task", asNamespace("gpstream"))(name, args)
}
environment(remote_task) <- baseenv()

# FALSE: the worker is lost.
send_task <- function(farm, node, i, name, args) {
  sent <- tryCatch({
    node_call("sendCall", farm$nodes[[node]], remote_task, list(name = name, args = args))
    TRUE
  }, error = function(e) FALSE)
  farm$task[node] <- if (sent) i else NA
  sent
}

# What workers that are ready have to say: a list of list(task = , result = ); no result: the worker is lost.
receive <- function(farm) {
  busy <- which(farm$task > 0)
  lapply(busy[wait_for(farm$nodes[busy])], function(node) {
    result <- tryCatch(node_call("recvResult", farm$nodes[[node]]), error = function(e) NULL)
    i <- farm$task[node]
    farm$task[node] <- if (understood(result)) 0 else NA
    list(task = i, result = as_result(result, node))
  })
}

# Lost workers of mirai answer with a number.
understood <- function(result) is.list(result) || inherits(result, "try-error")

as_result <- function(result, node) {
  if (!understood(result)) return(NULL)
  if (is.list(result)) return(result)
  why <- trimws(sub("^Error[^:]*: *", "", as.character(result)[1])) # not even our own function was found
  list(failed = simpleError(paste0("worker ", node, " cannot work for gpstream: ", why)))
}

# Which of these busy workers are ready, or gone? Waits until one is.
wait_for <- function(nodes) {
  sockets <- lapply(nodes, function(node) if (is.list(node)) node$con)
  if (!any(vapply(sockets, is.null, NA))) {
    repeat {
      ready <- socketSelect(sockets, timeout = 1)
      if (any(ready)) return(ready)
    }
  }
  if (all(vapply(nodes, inherits, NA, "miraiNode"))) {
    repeat {
      ready <- !vapply(nodes, function(node) mirai::unresolved(node$mirai), NA)
      if (any(ready)) return(ready)
      Sys.sleep(0.005)
    }
  }
  seq_along(nodes) == 1 # others are asked one after the other
}

# Workers answer whoever asks next: what nobody waits for any more is taken from them.
drain <- function(farm) {
  for (node in which(farm$task > 0)) try(node_call("recvResult", farm$nodes[[node]]), silent = TRUE)
}
