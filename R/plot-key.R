# Title and key of a plot, drawn in its top margin without changing a graphical parameter: plot(gp), then
# points(), still works. An entry of a key is a list: kind of symbol, label, colour; for a colour bar also the
# limits (NULL: no numbers) and the contour levels.

# In the top margin, from below: the key in as many lines as it needs, the title and, beside it, what is held.
draw_top <- function(given, key) {
  inch <- inch_scale()
  texts <- list(given$main, if (!is_blank(given$main) && !is_blank(given$note)) "   " else "", given$note)
  title_line <- if (all(vapply(texts, is_blank, logical(1)))) 0 else 1.3 * inch$line
  used <- if (given$legend) draw_key(key, inch, inch$room - title_line) else 0
  if (title_line == 0 || inch$room < title_line) return(invisible())
  wide <- c(inch$width(texts[[1]], font = 2) + inch$width(texts[[2]]), inch$width(given$note, 0.85))
  shrink <- min(1, inch$across / sum(wide))
  inch$text(0, used + title_line / 2, given$main, shrink, font = 2)
  inch$text(shrink * wide[1], used + title_line / 2, given$note, 0.85 * shrink)
}

is_blank <- function(label) identical(label, "")

# Drawing in inches from the upper left corner of the plot region, into the margin.
inch_scale <- function() {
  left <- graphics::grconvertX(0, "npc", "inches")
  top <- graphics::grconvertY(1, "npc", "inches")
  x <- function(inches) graphics::grconvertX(left + inches, "inches", "user")
  y <- function(inches) graphics::grconvertY(top + inches, "inches", "user")
  list(
    x = x, y = y, line = graphics::par("cin")[2] * graphics::par("cex"), room = graphics::par("mai")[3],
    across = graphics::par("pin")[1] + 0.8 * graphics::par("mai")[4],
    width = function(label, cex = 1, font = 1) graphics::strwidth(label, "inches", cex = cex, font = font),
    text = function(at, height, label, cex, font = 1) {
      graphics::text(x(at), y(height), label, adj = c(0, 0.5), cex = cex, font = font, xpd = NA)
    }
  )
}

# The largest of a few sizes at which the key fits; the height it takes, 0 when none does.
draw_key <- function(key, inch, room) {
  for (cex in c(0.85, 0.75, 0.65, 0.55)) {
    line <- 1.25 * cex * inch$line
    symbol <- vapply(key, function(entry) symbol_width(entry, inch, line, cex), 0)
    label <- vapply(key, function(entry) inch$width(entry[[2]], cex), 0)
    place <- key_places(symbol + label + 1.1 * line, inch$across + 1.1 * line)
    if (max(place$row) * line > room || any(symbol + label > inch$across)) next
    height <- (max(place$row) - place$row + 0.75) * line
    for (i in seq_along(key)) {
      draw_symbol(key[[i]], inch, place$left[i], height[i], symbol[i] - 0.4 * line, 0.55 * line, cex)
      inch$text(place$left[i] + symbol[i], height[i], key[[i]][[2]], cex)
    }
    return((max(place$row) + 0.25) * line)
  }
  0
}

# Left to right, a new line when the next entry does not fit.
key_places <- function(widths, across) {
  left <- row <- numeric(length(widths))
  at <- 0
  line <- 1
  for (i in seq_along(widths)) {
    if (at > 0 && at + widths[i] > across) {
      at <- 0
      line <- line + 1
    }
    left[i] <- at
    row[i] <- line
    at <- at + widths[i]
  }
  list(left = left, row = row)
}

# A colour bar stands between its numbers.
symbol_width <- function(entry, inch, line, cex) {
  if (entry[[1]] != "bar") return(if (line_type(entry) == 1) 1.5 * line else 3 * line)
  numbers <- bar_numbers(entry)
  (if (is.null(numbers)) 3 else if (cex < 0.7) 4 else 6) * line + sum(inch$width(numbers, cex))
}

# A line is dashed where its entry says so.
line_type <- function(entry) if (entry[[1]] == "line" && length(entry) > 3) entry[[4]] else 1

# The ends of the bar, with as many digits as tell them apart.
bar_numbers <- function(entry) {
  limits <- entry[[4]]
  if (is.null(limits)) return(NULL)
  digits <- 3
  while (digits < 15 && length(unique(signif(limits, digits))) < length(unique(limits))) digits <- digits + 1
  vapply(signif(limits, digits), format, "", digits = digits)
}

# A symbol `wide` and `high` inches, its left edge at `left` and its middle at `height`.
draw_symbol <- function(entry, inch, left, height, wide, high, cex) {
  if (entry[[1]] == "bar") return(draw_bar(entry, inch, left, height, wide, high, cex))
  x <- inch$x(left + c(0, wide / 2, wide))
  y <- inch$y(height + c(-high / 2, 0, high / 2))
  col <- entry[[3]]
  switch(entry[[1]],
    line = graphics::segments(x[1], y[2], x[3], y[2], col = col, lwd = 2, lty = line_type(entry), xpd = NA),
    thin = graphics::segments(x[1], y[2], x[3], y[2], col = col, xpd = NA),
    dash = graphics::segments(x[1], y[2], x[3], y[2], col = col, lty = 2, xpd = NA),
    box = graphics::rect(
      x[1], y[1], x[3], y[3], col = col, border = if (col == "white") "grey60" else NA, xpd = NA
    ),
    tick = graphics::segments(x[2], y[1], x[2], y[3], col = col, lwd = 1.5, xpd = NA),
    dot = graphics::points(x[2], y[2], pch = 16, cex = 0.6, col = col, xpd = NA),
    ring = graphics::points(x[2], y[2], pch = 21, cex = 0.8, col = col, bg = "white", lwd = 1.2, xpd = NA)
  )
}

draw_bar <- function(entry, inch, left, height, wide, high, cex) {
  col <- entry[[3]]
  numbers <- bar_numbers(entry)
  if (!is.null(numbers)) {
    beside <- inch$width(numbers, cex) + 0.6 * high
    inch$text(left, height, numbers[1], cex)
    inch$text(left + wide - beside[2] + 0.6 * high, height, numbers[2], cex)
    left <- left + beside[1]
    wide <- wide - sum(beside)
  }
  y <- inch$y(height + c(-high / 2, high / 2))
  edge <- inch$x(left + wide * seq(0, 1, length.out = length(col) + 1))
  graphics::rect(edge[-length(edge)], y[1], edge[-1], y[2], col = col, border = NA, xpd = NA)
  if (is.null(numbers)) return(invisible())
  inner <- (entry[[5]] - entry[[4]][1]) / diff(entry[[4]])
  inner <- inch$x(left + wide * inner[inner > 0 & inner < 1])
  if (length(inner) > 0) graphics::segments(inner, y[1], inner, y[2], col = "grey30", xpd = NA)
}
