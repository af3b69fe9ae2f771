# The box of the live page that predicts: which fields it has, and what it answers.

# One field for each input as the user has it: with a formula, a variable of the data; otherwise a column of
# x. A list of name, levels (NULL for a number), time (NULL for others) and the value to start with, of a time
# in ISO form. NULL before the first batch, which decides what the inputs are.
player_fields <- function(player) {
  gp <- player$gp
  if (!is_started(gp)) return(NULL)
  frame <- gp_frame(gp)
  names <- if (is.null(frame$terms)) {
    column_names(gp)
  } else {
    intersect(frame$variables, all.vars(stats::delete.response(frame$terms)))
  }
  lapply(seq_along(names), function(i) {
    levels <- frame$xlevels[[names[i]]]
    time <- frame$times[[names[i]]]
    list(
      name = names[i], levels = levels, time = time,
      value = if (is.null(levels)) typical_value(player, names[i], i, time) else levels[1]
    )
  })
}

# The median of the latest batch or, before there is one, of the inducing points.
typical_value <- function(player, name, i, time = NULL) {
  latest <- player$raw
  values <- if (is.data.frame(latest) && name %in% names(latest)) {
    latest[[name]]
  } else if (!is.null(latest) && NCOL(player$seen$x) >= i) {
    player$seen$x[, i]
  } else if (name %in% column_names(player$gp)) {
    player$points[, match(name, column_names(player$gp))]
  }
  if (!is.null(time)) return(typical_time(values, time))
  if (is_number_like(values)) signif(stats::median(as.double(values), na.rm = TRUE), 3) else NA_real_
}

# A difftime is a number, in its unit.
typical_time <- function(values, time) {
  numbers <- if (is_number_like(values)) as.double(values) else time_to_number(values, time)
  middle <- stats::median(numbers, na.rm = TRUE)
  if (time$class == "difftime") signif(middle, 3) else format_iso(number_to_time(middle, time))
}

# Values of the fields as data; numbers are durations where a column holds these.
field_values <- function(fields, values) {
  columns <- Map(function(field, value) {
    if (identical(field$time$class, "difftime")) as.difftime(value, units = field$time$unit) else value
  }, fields, values)
  stats::setNames(as.data.frame(unname(columns), stringsAsFactors = FALSE), vapply(fields, `[[`, "", "name"))
}

# `values`: a list with one value for each field. The mean, the standard deviation of the function, and the 95
# % interval of a new observation; or a `problem`, in words.
player_predict <- function(player, values) {
  fields <- player_fields(player)
  if (is.null(fields)) return(list(problem = "The first batch decides what the inputs are."))
  names <- vapply(fields, `[[`, "", "name")
  blank <- vapply(values, function(value) length(value) != 1 || is.na(value) || identical(value, ""), NA)
  if (length(values) != length(names) || any(blank)) {
    return(list(problem = paste0("Give a value for ",
      few(names[c(which(blank), which(length(values) != length(names)))]), ".")))
  }
  frame <- state_of(player$gp)$frame
  newdata <- field_values(fields, values)
  if (is.null(spec_of(player$gp)$formula) && is.null(frame$times)) {
    newdata <- matrix(unlist(values), 1, dimnames = list(NULL, frame$names))
  }
  tryCatch({
    reader <- prediction_model(player$gp, newdata)
    rows <- complete_rows(reader$x, reader$offset)
    new <- predictive_at(reader$handle, rows$x, offset = rows$offset)
    limits <- predictive_interval(new, 0.95)
    list(
      mean = predictive_shown(new), sd = sqrt(predictive_latent(new)$variance),
      lwr = limits[[1, "lwr"]], upr = limits[[1, "upr"]]
    )
  }, error = function(e) list(problem = conditionMessage(e)))
}
