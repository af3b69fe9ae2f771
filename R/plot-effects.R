# plot(gp, "effects"): the prediction along each input column, the others held where plot() holds them.

# One line a column and place: `column`, `x`, `level` (of a factor; x is its number then), `fit`, `lwr` and
# `upr`, and the note on what is held as attribute.
effect_numbers <- function(gp, at, n, level) {
  if (!is_started(gp)) abort("input", "the model has seen no data yet, so there are no effects to show.")
  if (from_one(likelihood_of(gp)$name)) {
    abort("likelihood", "plot(gp, \"effects\") is for one number a row, not for several classes; ",
      "plot(gp, columns = ) shows these along a column.")
  }
  view <- plot_view(gp, 1, NULL, NULL) # `at` may have any column
  frame <- state_of(gp)$frame
  view$held <- held_values(view$seen$x, view$names, factor_columns(frame), at, view$times)
  lines <- lapply(input_groups(frame), function(own) {
    one <- term_view(list(columns = own), view, n)
    new <- predictive_at(view$handle, one$inputs)
    data.frame(column = one$column, x = one$x, level = one$level, fit = predictive_shown(new),
      predicted_limits(new, "response", "confidence", level))
  })
  out <- do.call(rbind, unname(lines))
  note <- held_note(view$names, integer(), view$held, factor_columns(frame), view$times)
  structure(out, note = if (length(lines) > 1) sub("^at", "others at", note) else "")
}

plot_effects <- function(gp, at, given, n, level, col) {
  drawn <- effect_numbers(gp, at, n, level)
  given$note <- attr(drawn, "note")
  attr(drawn, "note") <- NULL
  panels <- split(drawn, factor(drawn$column, unique(drawn$column)))
  draw_terms(gp, drawn, panels, given, level, col, response_label(gp), effects = TRUE)
}

autoplot_effects <- function(gp, at, n, level) {
  outputs <- output_names(gp)
  drawn <- of_each_output(gp, effect_numbers, at, n, level)
  note <- if (is.null(outputs)) attr(drawn, "note") else ""
  up <- if (is.null(outputs)) response_label(gp) else ""
  autoplot_lines(gp, drawn, drawn$column, up, "free_x", level) + ggplot2::labs(subtitle = blank_null(note))
}
