# How observations of another likelihood than the Gaussian are shown: on the axis of what is expected of them.

# Successes as a share of their trials, counts for an exposure of 1.
shown_response <- function(likelihood, y, more = NULL, offset = NULL) {
  if (likelihood$name == "binomial" && !is.null(more)) return(y / more)
  if (likelihood$name %in% c("poisson", "negbin") && !is.null(offset)) return(y / exp(offset))
  y
}

# What is foretold, one number a row: of classes without an order, the most probable.
predictive_shown <- function(new) {
  switch(new$likelihood$name,
    quantile = new$mean, categorical = max.col(predictive_classes(new), "first"), predictive_mean(new)
  )
}

# What the axis says: of two classes a probability is shown.
response_label <- function(gp) {
  classes <- if (is_started(gp)) gp_frame(gp)$classes
  name <- response_name(gp)
  if (!shows_probability(gp)) return(name)
  if (is.null(classes)) paste("probability of", name) else paste0("probability of ", name, " = ", classes[2])
}

# Then an interval of new observations, 0 or 1 or both, says nothing.
shows_probability <- function(gp) likelihood_of(gp)$name %in% c("bernoulli", "probit", "binomial")

# Names of classes that stand at 1, 2, ...; NULL where there are none.
axis_classes <- function(gp) {
  if (from_one(likelihood_of(gp)$name) && is_started(gp)) gp_frame(gp)$classes
}

# open_plot() with the response along the side.
open_response_plot <- function(gp, given, xlim, ylim, across, time = NULL, ...) {
  classes <- axis_classes(gp)
  labels <- c(across, response_label(gp))
  if (is.null(classes)) return(open_plot(given, xlim, ylim, labels, times = list(time), ...))
  open_plot(given, xlim, ylim, labels, times = list(time), yaxt = "n", ...)
  graphics::axis(2, seq_along(classes), classes, las = 0) # along the axis: there is no room for long names
}

# The same for ggplot2.
class_axis <- function(gp) {
  classes <- axis_classes(gp)
  if (!is.null(classes)) ggplot2::scale_y_continuous(breaks = seq_along(classes), labels = classes)
}
