# gp$name and sel$name. The general method of reference classes takes longer than the update of a small model:
# it is asked only for what is not in the object yet, a method that is used for the first time.

# The two stored fields of a reference object, without the general method.
state_of <- function(object) object@.xData$state
spec_of <- function(object) object@.xData$spec

general_access <- methods::selectMethod("$", "envRefClass")

access <- function(x, name) {
  found <- x@.xData[[name]]
  if (is.null(found)) do.call(general_access, list(x, name)) else found
}

#' @exportMethod $
methods::setMethod("$", "StreamingGP", access)

#' @exportMethod $
methods::setMethod("$", "OIPS", access)
