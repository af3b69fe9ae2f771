# Formulas in model files: the call, the constants it uses, and what terms() cannot know. The rest is made
# anew when it is read.

# A formula that was loaded can call these, and no other. None of them runs what it is given.
harmless <- list(
  base = c(
    "+", "-", "*", "/", "^", "%%", "%/%", ":", "(", "[", "!", "&", "|", "==", "!=", "<", ">", "<=", ">=",
    "%in%", "I", "c", "list", "identity", "log", "log2", "log10", "log1p", "exp", "expm1", "sqrt", "abs",
    "sign", "floor", "ceiling", "round", "signif", "trunc", "sin", "cos", "tan", "asin", "acos", "atan",
    "atan2", "sinh", "cosh", "tanh", "sinpi", "cospi", "tanpi", "pmin", "pmax", "ifelse", "is.na",
    "as.numeric", "as.double", "as.integer", "as.character", "as.factor", "factor", "ordered",
    "interaction", "cut", "scale", "cbind", "as.Date", "as.POSIXct", "difftime", "weekdays", "months"
  ),
  stats = c("offset", "poly", "polym"),
  splines = c("ns", "bs"),
  gpstream = paste0("kernel_", c(
    "se", "matern12", "matern32", "matern52", "rq", "periodic", "cosine", "spectral", "constant", "linear",
    "brownian", "factor", "gibbs", "warped"
  ))
)

# --- writing ------------------------------------------------------------------------------------------------

# `variables`: the columns of the data, as far as they are known.
pack_formula <- function(formula, variables) {
  if (is.null(formula)) return(NULL)
  list(call = bare_call(formula), constants = constants_of(formula, setdiff(all.vars(formula), variables)))
}

pack_terms <- function(terms, variables) {
  packed <- list(
    call = bare_call(terms), constants = constants_of(terms, setdiff(all.vars(terms), variables)),
    predvars = attr(terms, "predvars"), dataClasses = attr(terms, "dataClasses")
  )
  made <- made_terms(packed, environment(terms))
  if (!identical(made, terms)) {
    abort("type", "the formula of the model is of a kind that a model file cannot hold; saveRDS() can.")
  }
  packed
}

bare_call <- function(formula) {
  attributes(formula) <- NULL
  formula
}

# Variables that are not in the data, as formula_constants() finds them.
constants_of <- function(formula, names) {
  values <- lapply(names, get0, environment(formula))
  keep <- vapply(values, function(value) is.atomic(value) && length(value) == 1, logical(1))
  stats::setNames(values[keep], names[keep])
}

# --- reading ------------------------------------------------------------------------------------------------

# Where the functions of a formula are looked up, and which it may call (NULL: any). What a formula at hand
# calls is `known`.
formula_home <- function(trusted, known = NULL) {
  if (trusted) return(list(env = globalenv(), allowed = NULL))
  allowed <- c(unlist(harmless, use.names = FALSE), special_names)
  if (is.null(known)) return(list(env = harmless_functions(), allowed = allowed))
  list(env = environment(known), allowed = c(allowed, setdiff(all.names(known), all.vars(known))))
}

harmless_functions <- function() {
  found <- list2env(list(`::` = `::`), parent = emptyenv())
  for (package in names(harmless)) {
    for (name in harmless[[package]]) assign(name, getExportedValue(package, name), found)
  }
  found
}

unpack_formula <- function(packed, home) {
  if (is.null(packed)) return(NULL)
  as_formula(packed$call, rebuilt_env(packed, home))
}

unpack_terms <- function(packed, home) {
  env <- rebuilt_env(packed, home)
  if (!is.call(packed$predvars) || !identical(packed$predvars[[1]], quote(list))) not_whole()
  check_calls(packed$predvars, home$allowed)
  terms <- made_terms(packed, env)
  variables <- length(attr(terms, "variables")) - 1
  classes <- packed$dataClasses
  fits <- is.character(classes) && length(classes) == variables && !is.null(names(classes)) &&
    length(packed$predvars) - 1 == variables
  if (!fits) not_whole()
  terms
}

# The environment in which a formula is evaluated, once all of it is known to be sound.
rebuilt_env <- function(packed, home) {
  call <- if (is.list(packed)) packed$call
  ok <- is.call(call) && identical(call[[1]], quote(`~`)) && length(call) == 3 && is.null(names(call)) &&
    is_constants(packed$constants)
  if (!ok) not_whole()
  # another ~ in there is refused with the functions
  for (side in as.list(call)[-1]) check_calls(side, home$allowed)
  if (length(packed$constants) == 0) home$env else list2env(packed$constants, parent = home$env)
}

is_constants <- function(constants) {
  if (!is.list(constants)) return(FALSE)
  names <- names(constants)
  length(constants) == 0 ||
    (!is.null(names) && !anyNA(names) && all(nzchar(names)) && all(vapply(constants, is.atomic, logical(1))))
}

# As `~` makes it; stats::as.formula() would evaluate parts of the call.
as_formula <- function(call, env) structure(call, class = "formula", .Environment = env)

made_terms <- function(packed, env) {
  terms <- stats::terms(as_formula(packed$call, env))
  attr(terms, "intercept") <- 1L
  attr(terms, "predvars") <- packed$predvars
  attr(terms, "dataClasses") <- packed$dataClasses
  terms
}

check_calls <- function(expr, allowed) {
  if (is.list(expr) && any(rapply(list(expr), is.language, how = "unlist"))) not_whole()
  if (is.null(allowed) || !is.call(expr)) return(invisible())
  name <- expr[[1]]
  if (is.call(name)) name <- unqualified(name)
  if (!is.name(name) || !as.character(name) %in% allowed) {
    abort("corrupt", "its formula calls ", deparse1(expr[[1]]),
      "(), which is not known to be harmless. If you trust whoever made the file: ",
      "load_gp(file, trusted = TRUE).")
  }
  arguments <- as.list(expr)[-1]
  for (i in seq_along(arguments)) {
    if (!identical(arguments[[i]], quote(expr = ))) check_calls(arguments[[i]], allowed)
  }
}

# splines::ns as ns
unqualified <- function(name) {
  parts <- as.character(name)
  ok <- length(parts) == 3 && parts[1] == "::" && is.name(name[[2]]) && is.name(name[[3]]) &&
    parts[3] %in% harmless[[parts[2]]]
  if (ok) name[[3]]
}
