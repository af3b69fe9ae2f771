# gp$refresh(): what the rows of the look-back say is made to agree with all that is known by now.
gp_refresh <- function(gp) {
  if (is_started(gp)) core_gp_refresh(gp_handle(gp))
  invisible(gp)
}
