# gp$bound(): the streaming bound of a batch that is not absorbed.  [derivation 5]

gp_bound <- function(gp, x, y = NULL) {
  only_gaussian(gp, "gp$bound()")
  batch <- read_batch(gp, x, y, NULL)
  if (nrow(batch$x) == 0) return(bound_list(numeric(6)))
  spec <- gp_spec(gp)
  spec$select <- selector_for(spec$select, colnames(batch$x))
  check_fixed_columns(spec$select, batch$x)
  handle <- if (is_started(gp)) gp_handle(gp) else core_gp_new(spec, batch$x, batch$y, numeric(), numeric())
  bound_list(core_gp_bound(handle, batch$x, batch$y))
}

bound_list <- function(values) {
  list(
    bound = values[[1]],
    terms = c(prior = values[[2]], likelihood = values[[3]], old_prior = values[[4]],
      old_posterior = values[[5]]),
    points = values[[6]]
  )
}
