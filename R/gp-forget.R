# gp$forget(): all rows so far count less.  [derivation 2]

gp_forget <- function(gp, keep) {
  if (!is_scalar(keep) || keep <= 0 || keep > 1) {
    abort("parameter", "`keep` must be a single number above 0 and at most 1, not ", describe(keep), ".")
  }
  if (is_started(gp)) core_gp_forget(learning_handle(gp), as.double(keep))
  invisible(gp)
}

# The model is again what it was before its first row.
gp_start_anew <- function(gp) gp$state <- list()
