# Pictures become PNG files with few colours: R would make some of them three times as large, as letters alone have more greys than a
# palette. They are drawn as BMP, which is plain numbers, and colours that differ little become one, the most frequent of them.

# What knitr takes for measuring and for drawing, so that a legend has the room that its words need. Lines without antialiasing take
# little room, but where they are narrower than a pixel, lwd < 96 / dpi, they vanish if they fall between two: so no fewer than 96 dpi, and
# no lwd below 1.
picture_device <- function(filename = tempfile(), width = 5.8, height = 3.2, ...) {
  cairo <- if (capabilities("cairo")) list(type = "cairo", antialias = "none")
  do.call(grDevices::bmp, c(list(filename, width, height, units = "in", res = 96, pointsize = 10), cairo))
}

# Pixels as numbers, 65536 red + 256 green + blue, a column a line of the picture from above.
read_bmp <- function(file) {
  bytes <- as.integer(readBin(file, "raw", file.size(file)))
  number <- function(at, n = 4) sum(bytes[at + seq_len(n)] * 256^(seq_len(n) - 1))
  wide <- number(18)
  depth <- number(28, 2) / 8
  lines <- matrix(utils::tail(bytes, -number(10)), ceiling(wide * depth / 4) * 4)[seq_len(wide * depth), number(22):1]
  colours <- function(channels) drop(c(1, 256, 65536) %*% channels[1:3, ])
  if (depth == 1) {
    palette <- matrix(bytes[14 + number(14) + seq_len(number(10) - number(14) - 14)], 4)
    matrix(colours(palette)[lines + 1], wide)
  } else {
    matrix(colours(matrix(lines, depth)), wide)
  }
}

# Channels in steps of about 24, or of more where there are still more colours than a palette has. White is alone.
few_colours <- function(pixels, step = 24) {
  found <- unique(c(pixels))
  frequent <- found[order(tabulate(match(pixels, found)), decreasing = TRUE)]
  repeat {
    key <- function(colour) drop((outer(c(colour), 256^(0:2), `%/%`) %% 256 + step / 2) %/% step %*% 256^(0:2))
    kept <- !duplicated(key(frequent))
    if (sum(kept) <= 256) break
    step <- 1.25 * step
  }
  list(palette = frequent[kept], index = matrix(match(key(pixels), key(frequent[kept])) - 1, nrow(pixels)))
}

write_png <- function(picture, file) {
  index <- picture$index
  bits <- if (length(picture$palette) <= 16) 4 else 8
  if (bits == 4) {
    padded <- rbind(index, 0)[seq_len(2 * ceiling(nrow(index) / 2)), ]
    index <- 16 * padded[c(TRUE, FALSE), ] + padded[c(FALSE, TRUE), ]
  }
  big_endian <- function(n, bytes = 4) n %/% 256^((bytes - 1):0) %% 256
  chunk <- function(name, data) {
    body <- c(charToRaw(name), as.raw(data))
    con <- gzfile(file, "wb") # which ends with the checksum that is wanted here, and the length
    writeBin(body, con)
    close(con)
    c(as.raw(big_endian(length(data))), body, rev(utils::tail(readBin(file, "raw", file.size(file)), 8)[1:4]))
  }
  writeBin(c(
    as.raw(c(137, 80, 78, 71, 13, 10, 26, 10)),
    chunk("IHDR", c(big_endian(nrow(picture$index)), big_endian(ncol(index)), bits, 3, 0, 0, 0)),
    chunk("PLTE", vapply(picture$palette, big_endian, numeric(3), 3)),
    chunk("IDAT", memCompress(as.raw(rbind(0, index)), "gzip")), chunk("IEND", numeric())
  ), file)
}

small_png <- function(file, options) {
  out <- sub("[.]bmp$", ".png", file)
  write_png(few_colours(read_bmp(file)), out)
  unlink(file)
  out
}
