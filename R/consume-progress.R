# The bar that consume() shows, by the package progress.

# `default`: nobody asked for it, so that its package may be missing. `at(run)` of `total` are done, and
# `text(run, seconds)` says more.
new_progress <- function(show, default, total, force = FALSE, at = function(run) run$rows,
                         text = progress_text) {
  none <- list(tick = function(run) invisible(), end = function() invisible())
  if (!show || (default && !requireNamespace("progress", quietly = TRUE))) return(none)
  need_package("progress", "shows progress")
  known <- !is.na(total) && total > 0
  format <- if (known) "[:bar] :percent :state, :eta left" else ":spin :state"
  bar <- progress::progress_bar$new(
    format, total = if (known) total else NA, show_after = 0.5, clear = FALSE, force = force
  )
  start <- now()
  before <- NULL
  list(
    tick = function(run) {
      step <- at(run) - if (is.null(before)) 0 else before
      before <<- at(run)
      if (!bar$finished) bar$tick(step, tokens = list(state = text(run, now() - start)))
    },
    end = function() if (!bar$finished && !is.null(before)) bar$terminate()
  )
}

progress_text <- function(run, seconds) {
  rmse <- sqrt(run$squared / run$scored)
  paste0(count(run$rows, "row"), ", ", whole(signif(run$taken / max(seconds, 1e-3), 2)), "/s, ",
    count(gp_info(run$gp)$size, "point"), if (is.finite(rmse)) paste0(", RMSE ", format(rmse, digits = 3)))
}
