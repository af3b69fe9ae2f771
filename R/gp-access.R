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
  meant <- meant_member(name, own)
  advice <- if (is.null(meant)) {
    c("it has ", paste0("`", own, "`", collapse = ", "), ".")
  } else {
    c("did you mean `", meant, "`?", if (meant == "kernel") " coef(gp) gives its parameters as numbers.")
  }
  abort("input", "there is no `", name, "` in <", class(x)[1], ">; ", paste(advice, collapse = ""))
}

# What members are called elsewhere.
member_synonyms <- c(
  elbo = "objective", loglik = "objective", log_likelihood = "objective", evidence = "objective",
  loss = "objective", lengthscale = "kernel", lengthscales = "kernel", variance = "kernel", period = "kernel",
  theta = "kernel", hyperparameters = "kernel", covariance = "kernel", inducing_points = "points",
  inducing = "points", z = "points", m = "size", n = "nobs", nugget = "noise", sigma2 = "noise",
  forecast = "predict", prediction = "predict", fit = "update", train = "update", partial_fit = "update",
  learn = "update", save = "copy", clone = "copy", family = "likelihood", scores = "score"
)

meant_member <- function(name, own) {
  meant <- member_synonyms[names(member_synonyms) == tolower(name)]
  found <- c(intersect(c(meant, synonyms[names(synonyms) == name]), own), nearest_word(name, own))
  if (length(found) > 0) found[1]
}

general_assignment <- methods::selectMethod("$<-", "envRefClass")

# gp$noise <- 2
assign_member <- function(x, name, value) {
  if (exists(name, envir = x@.xData, inherits = FALSE) && !name %in% gp_verbs) {
    return(do.call(general_assignment, list(x, name, value), quote = TRUE))
  }
  meant <- meant_member(name, assignable)
  shown <- if (is_scalar(value)) format(value, digits = 7) else ""
  write <- if (is.null(meant)) {
    paste0("what can be assigned is ", paste0("gp$", assignable, collapse = ", "))
  } else if (meant == "kernel") {
    paste0("write gp$kernel <- ", kernel_call(x, name, shown))
  } else {
    trimws(paste0("write gp$", meant, " <- ", shown))
  }
  abort("input", "there is no `", name, "` to assign in <", class(x)[1], ">; ", write, ".")
}

assignable <- c("kernel", "noise", "mean", "points")

# A constructor with this argument, that of the kernel in use if it has it.
kernel_call <- function(gp, argument, value) {
  makers <- list(se = kernel_se, periodic = kernel_periodic)
  own <- gp_info(gp)$kernel$name
  if (isTRUE(own %in% core_kernel_names())) {
    makers <- c(stats::setNames(list(get(paste0("kernel_", own))), own), makers)
  }
  fits <- Filter(function(maker) argument %in% names(formals(maker)), makers)
  if (length(fits) == 0) return("kernel_se()")
  paste0("kernel_", names(fits)[1], "(", trimws(paste(argument, "=", value)), ")")
}

#' @exportMethod $
methods::setMethod("$", "StreamingGP", access)

#' @exportMethod $
methods::setMethod("$", "OIPS", access)

#' @exportMethod $<-
methods::setMethod("$<-", "StreamingGP", assign_member)

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
