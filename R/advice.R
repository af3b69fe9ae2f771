# What to write instead: of arguments that are none here, and of words where an object belongs.

# What others call an argument -> its name here; of several, the one that the function has.
synonyms <- c(
  na.action = "na_action", na.rm = "na_action", nugget = "noise", sigma2 = "noise", sigma = "noise",
  lengthscales = "lengthscale", theta = "lengthscale", ell = "lengthscale", ls = "lengthscale",
  amplitude = "variance", covariance = "kernel", covtype = "kernel", threshold = "rho", budget = "max_points",
  m = "max_points", n_inducing = "max_points", num_inducing = "max_points", inducing = "Z",
  inducing_points = "Z", points = "Z", window = "lookback", forgetting = "half_life", lambda = "half_life",
  data = "newdata", x = "newdata", newx = "newdata", xnew = "newdata", se = "se.fit", std = "se.fit",
  conf.level = "level", derivative = "deriv", slope = "deriv", batch = "batch_size",
  chunk_size = "batch_size", n_max = "max_rows", nrows = "max_rows"
)

# Where arguments belong: functions, and what to write (%s: the argument).
homes <- function() {
  in_model <- function(argument, call) paste0("streaming_gp(", argument, " = ", call, "(%s = ))")
  list(
    list(streaming_gp, "it is said when a model is made: streaming_gp(%s = )"),
    list(select_oips, paste("it belongs to the selector:", in_model("select", "select_oips"))),
    list(select_fixed, paste("it belongs to the selector:", in_model("select", "select_fixed"))),
    list(kernel_se, paste("it belongs to the kernel:", in_model("kernel", "kernel_se"))),
    list(kernel_rq, paste("it belongs to the kernel:", in_model("kernel", "kernel_rq"))),
    list(kernel_periodic, paste("it belongs to the kernel:", in_model("kernel", "kernel_periodic"))),
    list(likelihood_student,
      paste("it belongs to the likelihood:", in_model("likelihood", "likelihood_student"))),
    list(function(x, y) NULL, "it belongs to the update: gp$update(x, y)%.0s"),
    list(gp_update, "it belongs to the update: gp$update(x, y, %s = )"),
    list(predict.StreamingGP, "it belongs to the prediction: predict(gp, newdata, %s = )"),
    list(consume, "it belongs to consume(gp, source, %s = )")
  )
}

arguments_of <- function(f) setdiff(names(formals(f)), c("...", "object", "gp"))

# `...` of a function that has no use for any.
check_no_dots <- function(..., of = sys.function(sys.parent())) {
  if (...length() == 0) return(invisible())
  own <- arguments_of(of)
  names <- dot_names(...)
  if (!all(nzchar(names))) {
    abort("parameter",
      "there is no use for an argument without a name here; see the help page for the arguments.")
  }
  advice <- argument_advice(names[1], own)
  if (length(names) > 1) advice <- sub("^it ", paste0("`", names[1], "` "), advice)
  abort("parameter", "there is no use for ", backtick(names), " here; ", advice)
}

# Without evaluating any of them.
dot_names <- function(...) {
  names <- names(substitute(list(...)))[-1]
  if (is.null(names)) rep("", ...length()) else names
}

argument_advice <- function(name, own) {
  meant <- unname(synonyms[names(synonyms) == name])
  near <- c(intersect(meant, own), nearest_word(name, own))
  if (length(near) > 0) return(paste0("did you mean `", near[1], "`?"))
  for (known in c(name, meant)) {
    for (home in homes()) {
      if (known %in% arguments_of(home[[1]])) return(paste0(sprintf(home[[2]], known), "."))
    }
  }
  for (home in homes()) {
    near <- nearest_word(name, arguments_of(home[[1]]))
    if (!is.null(near)) {
      return(paste0("did you mean `", near, "`? ", sub("^it", "That", sprintf(home[[2]], near)), "."))
    }
  }
  "see the help page for the arguments."
}

# The word that is meant, capitals, dots and underscores aside: at most one letter away or, of long ones, two.
nearest_word <- function(word, known) {
  plain <- function(text) gsub("[._]", "", tolower(text))
  away <- utils::adist(plain(word), plain(known))[1, ]
  if (length(away) == 0 || nchar(word) < 3 || min(away) > 1 + (nchar(word) > 5)) return(NULL)
  known[which.min(away)]
}

# Of a word, or a function that was not called, where what it makes is wanted: kernel = "se".
constructor_advice <- function(x, prefix) {
  makers <- grep(paste0("^", prefix), getNamespaceExports("gpstream"), value = TRUE)
  makers <- setdiff(makers, c("kernel_matrix", "kernel_radius", "select_points"))
  found <- if (is.function(x)) {
    Filter(function(maker) identical(get(maker), x), makers)
  } else if (is_name(x)) {
    paste0(prefix, meant_maker(x, prefix, sub(prefix, "", makers, fixed = TRUE)))
  }
  if (any(found %in% makers)) paste0("; write ", found[1], "()")
}

meant_maker <- function(x, prefix, known) {
  others <- c(
    rbf = "se", gauss = "se", gaussian = "se", squared_exponential = "se", sqexp = "se",
    exponential = "matern12", exp = "matern12", matern = "matern52", matern5_2 = "matern52",
    matern3_2 = "matern32", matern1_2 = "matern12", logistic = "bernoulli", normal = "gaussian"
  )
  word <- sub(prefix, "", tolower(gsub("[. /-]", "_", sub("\\(\\)$", "", x))), fixed = TRUE)
  candidates <- c(intersect(c(word, others[word]), known), nearest_word(word, known), "")
  candidates[1]
}

# weights = w, as lm() takes a column of the data; here its name is wanted.
column_word <- function(value, arg) {
  written <- deparse1(eval(call("substitute", substitute(value)), parent.frame()))
  tryCatch(value, error = function(e) {
    abort("parameter", "`", arg, "` must be the name of a column of the data in quotes, not ",
      written, " (", conditionMessage(e), ").")
  })
}
