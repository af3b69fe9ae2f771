# gp$name and sel$name. The general method of reference classes takes longer than the update of a small model:
# it is asked only for what is not in the object yet, a method that is used for the first time.

# The two stored fields of a reference object, without the general method.
state_of <- function(object) object@.xData$state
spec_of <- function(object) object@.xData$spec

general_access <- methods::selectMethod("$", "envRefClass")

access <- function(x, name) {
  found <- x@.xData[[name]]
  if (!is.null(found)) return(found)
  tryCatch(do.call(general_access, list(x, name)), error = function(e) no_member(x, name))
}

no_member <- function(x, name) {
  own <- if (methods::is(x, "StreamingGP")) gp_members() else oips_members()
  meant <- c(intersect(synonyms[names(synonyms) == name], own), nearest_word(name, own))
  advice <- if (length(meant) > 0) c("did you mean `", meant[1], "`?") else c("it has ", backtick(own), ".")
  abort("input", "there is no `", name, "` in <", class(x)[1], ">; ", paste(advice, collapse = ""))
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
oips_members <- function() {
  c(setdiff(names(OIPS$fields()), c("spec", "state")), "update", "predict", "copy")
}

#' @export
names.StreamingGP <- function(x) gp_members()

#' @rawNamespace S3method(utils::.DollarNames, StreamingGP)
.DollarNames.StreamingGP <- function(x, pattern = "") grep(pattern, gp_members(), value = TRUE)
