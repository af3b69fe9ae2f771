#' What leaves a site
#'
#' Where rows must not leave the place they are at, a model of them can: what it knows is sums over rows.
#' `shard_message()` makes what is sent of a model, or of a [shard()], and lists it. [merge()] takes it where
#' it arrives, and [save_gp()] writes the model in it to a file.
#'
#' Rows of the look-back are settled first, so that they are in the sums, too; rows that are kept to learn a
#' kernel from, and the history, are left out. What remains does not grow with the number of rows.
#'
#' @param gp A model made by [streaming_gp()], most often a shard. It is not changed.
#' @param min_rows The least number of rows' worth of evidence at each point; with less, the message is
#'   refused. A row at a point counts 1 there; one between points is shared by them (the weights by which they
#'   predict it, squared). 0: no matter how few.
#' @return An object of class `shard_message`: a list of `model`, a `StreamingGP`, and `contents`, a data
#'   frame with a line for each part of it: `part`, `numbers` (how many), and `tells`.
#'
#' @section What this protects, and what not:
#' Nobody can read rows off a message whose sums are over many rows at every point. It is no proof against
#' someone who knows the rest: sums over all rows less those over all rows but one are that row, so that two
#' messages of which the second knows a few rows more tell these rows. Points that a shard chose are inputs of
#' its rows, as they are; fix the points beforehand (`select_fixed()`) where inputs are secret. No noise is
#' added: this is not differential privacy.
#' @examples
#' set.seed(1)
#' gp <- streaming_gp(kernel = kernel_se(1, 1), noise = 0.01, mean = 0, optimize = "none",
#'   select = select_fixed(seq(0, 5, 0.5)))
#' there <- shard(gp$update(1:5, sin(1:5)))
#' x <- runif(500, 0, 5)
#' there$update(x, sin(x) + rnorm(500, sd = 0.1))
#' message <- shard_message(there, min_rows = 5)
#' message
#' merge(gp, message)$nobs
#' @seealso [merge()][merge.StreamingGP], [fit_shards()], `vignette("scale-out")`
#' @export
shard_message <- function(gp, min_rows = 0) {
  check_model(gp)
  check_count(min_rows, "min_rows", most = 1e15)
  if (!is_started(gp) || is_warm(gp)) {
    abort("input", "a model that has no kernel yet has nothing to say: update it first.")
  }
  worth <- core_gp_rows_at_points(gp_handle(gp))
  few <- sum(worth < min_rows)
  if (few > 0) {
    abort("private", "at ", count(few, "point"), " of ", whole(length(worth)), " there are fewer than ",
      "`min_rows` (", whole(min_rows), ") rows' worth of evidence; least: ", format(round(min(worth), 1)),
      ".\nLearn more rows, use fewer points (a smaller rho), or fix points where rows are.")
  }
  model <- StreamingGP$new(spec = replace(spec_of(gp), "optimize", "none"))
  frame <- gp_frame(gp)
  frame$prototype <- NULL # it has the ranges of the columns
  set_state(model, core_gp_message(learning_handle(gp)), frame)
  structure(list(model = model, contents = message_contents(model)), class = "shard_message")
}

# Counted in the state itself, so that nothing can be in it that is not listed.
message_contents <- function(gp) {
  core <- as.list(gp)$core
  part <- rep("settings and counts", length(core))
  sums <- c("P", "H", "b", "Phi", "s", "n", "con", "yy", "tau", "carried")
  part[names(core) %in% c("Z", "L")] <- "points and their factor"
  part[sub("^sister[.][0-9]+[.]", "", names(core)) %in% sums] <- "sums over rows"
  part[grepl("window_|^learner[.]memory", names(core))] <- "rows"
  parts <- c("points and their factor", "sums over rows", "rows", "settings and counts")
  numbers <- vapply(core, function(value) sum(lengths(rapply(list(value), c, how = "unlist"))), 0)
  own <- sum(core$joined >= 0)
  data.frame(
    part = parts, numbers = vapply(parts, function(one) sum(numbers[part == one]), 0, USE.NAMES = FALSE),
    tells = c(
      paste0(own, " of ", count(length(core$joined), "point"), " are inputs of rows of this site"),
      "what rows said at the points", "nothing", "kernel, noise, how many rows there were"
    )
  )
}

#' @export
print.shard_message <- function(x, ...) {
  info <- gp_info(x$model)
  cat("<shard_message> of ", count(info$nobs, "row"), ", about ", count(info$size, "point"),
    "; no row is in it\n", sep = "")
  print(x$contents, row.names = FALSE, right = FALSE)
  invisible(x)
}
