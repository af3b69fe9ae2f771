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

# Members that are for users: what completion after gp$ offers, and names(gp). The rest is how reference
# classes work inside.
gp_members <- function() {
  fields <- setdiff(names(StreamingGP$fields()), c("spec", "state"))
  c(fields, gp_verbs)
}
gp_verbs <- c(
  "update", "score", "forget", "refresh", "predict", "optimize", "unlearn", "bound", "certificate", "copy"
)

#' @export
names.StreamingGP <- function(x) gp_members()

#' @rawNamespace S3method(utils::.DollarNames, StreamingGP)
.DollarNames.StreamingGP <- function(x, pattern = "") grep(pattern, gp_members(), value = TRUE)
