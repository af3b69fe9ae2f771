# plot(gp, "components"): what each term adds, along the column it is about; of more than one, along the
# first, the others held where plot() holds them.

# One line a term and place: `term`, `column`, `x`, `fit`, `lwr`, `upr`.
component_numbers <- function(gp, at, n, level) {
  if (likelihood_of(gp)$name == "categorical") {
    abort("likelihood", "components are those of one latent function; each class has one of its own.")
  }
  info <- gp_info(gp)
  view <- plot_view(gp, 1, at, NULL)
  terms <- term_names(gp, view$handle)
  about <- term_columns(info, length(view$names))
  z <- stats::qnorm((1 + level) / 2)
  lines <- lapply(which(lengths(about) > 0), function(i) {
    one <- view
    one$shown <- about[[i]][1]
    limits <- range(view$points[, one$shown])
    if (diff(limits) == 0) limits <- limits + c(-1, 1)
    along <- seq(limits[1], limits[2], length.out = if (is.null(n)) 401 else n)
    x <- view_inputs(one, cbind(along))
    found <- core_gp_components(view$handle, x, TRUE)
    K <- length(terms)
    se <- sqrt(pmax(found$cov[, (i - 1) * K + i], 0))
    data.frame(term = terms[i], column = view$names[one$shown], x = along, fit = found$mean[, i],
      lwr = found$mean[, i] - z * se, upr = found$mean[, i] + z * se)
  })
  out <- do.call(rbind, lines)
  out$term <- factor(out$term, unique(out$term))
  out
}

# The columns that each term sees; none of the constant.
term_columns <- function(info, D) {
  kernel <- info$kernel
  parts <- if (identical(kernel$name, "sum")) kernel$parts else list(kernel)
  seen <- lapply(parts, function(part) if (length(part$columns) == 0) seq_len(D) else part$columns)
  c(list(integer()), as.list(info$trend$columns), seen)
}

plot_components <- function(gp, at, given, n, level, col) {
  drawn <- component_numbers(gp, at, n, level)
  terms <- split(drawn, drawn$term)
  colours <- curve_colours(if (is.null(col)) "#1B5E8C" else col[1])
  open_panels(given)
  wide <- if (length(terms) > 3) 2 else 1
  high <- ceiling(length(terms) / wide)
  gap <- c(axis_room("-0.00"), title_room())
  for (i in seq_along(terms)) {
    one <- terms[[i]]
    place <- c((i - 1) %% wide, high - 1 - (i - 1) %/% wide)
    across <- (place[1] + c(0, 1)) / wide - c(0, if (place[1] + 1 < wide) gap[1] else 0) +
      c(if (place[1] > 0) gap[1] / 2 else 0, 0)
    up <- (place[2] + c(0, 1)) / high + c(if (place[2] > 0) 2 * gap[2] else 0, -gap[2])
    box <- panel(across, up, range(one$x), range(one$lwr, one$upr))
    panel_band(box, one$x, one$lwr, one$upr, colours$narrow)
    graphics::segments(box$across[1], box$y(max(min(0, box$ylim[2]), box$ylim[1])), box$across[2],
      col = "grey60", lty = 3)
    graphics::lines(box$x(one$x), box$y(one$fit), col = colours$mean, lwd = 2)
    frame_panel(box, paste0(one$term[1], ", along ", one$column[1]), ticks = c(5, 4))
  }
  draw_top(given, list(
    list("line", "what the term adds", colours$mean),
    list("box", paste0(format(100 * level), " % confidence"), colours$narrow)
  ))
  drawn
}

autoplot_components <- function(gp, at, n, level) {
  drawn <- component_numbers(gp, at, n, level)
  drawn$panel <- paste0(drawn$term, ", along ", drawn$column)
  drawn$panel <- factor(drawn$panel, unique(drawn$panel))
  colours <- curve_colours("#1B5E8C")
  ggplot2::ggplot(drawn, ggplot2::aes(x = .data$x)) +
    ggplot2::geom_ribbon(ggplot2::aes(ymin = .data$lwr, ymax = .data$upr), fill = colours$narrow) +
    ggplot2::geom_line(ggplot2::aes(y = .data$fit), colour = colours$mean) +
    ggplot2::facet_wrap(ggplot2::vars(.data$panel), scales = "free", ncol = 1) +
    ggplot2::labs(x = NULL, y = "what the term adds")
}
