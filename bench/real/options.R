# --name=value on the command line, and models as R text.

arguments <- commandArgs(TRUE)

value <- function(name, default = NULL) {
  hit <- grep(paste0("^--", name, "="), arguments, value = TRUE)
  if (length(hit)) sub("^[^=]*=", "", hit[1]) else default
}
values <- function(name, default) {
  given <- value(name)
  if (is.null(given)) default else strsplit(given, ",")[[1]]
}

known_options <- function(flags, names) {
  known <- arguments %in% paste0("--", flags) | sub("=.*", "=", arguments) %in% paste0("--", names, "=")
  if (!all(known)) stop("no such option: ", paste(arguments[!known], collapse = ", "), call. = FALSE)
}

# --models=lm,ard=streaming_gp(kernel = kernel_se("ard")): a list by name; a word is one of `known`, a call is
# evaluated anew for each run.
models_of <- function(text, known) {
  given <- as.list(str2lang(paste0("list(", text, ")")))[-1]
  words <- vapply(given, function(model) paste(deparse(model, 500), collapse = " "), "")
  if (is.null(names(given))) names(given) <- rep("", length(given))
  names(given)[names(given) == ""] <- words[names(given) == ""]
  lacking <- setdiff(words[vapply(given, is.name, NA)], names(known))
  if (length(lacking)) stop("no such model: ", paste(lacking, collapse = ", "), call. = FALSE)
  Map(function(model, word) if (is.name(model)) known[[word]] else gpstream_model(model), given, words)
}

# Where a table goes: where it is told, into the package after a whole run, else to a temporary file.
table_file <- function(name, whole) {
  value("out", if (whole) file.path(here, "..", "inst", "extdata", name) else file.path(tempdir(), name))
}
