# Model files as bytes.

file_bytes <- function(file) readBin(file, "raw", file.size(file))

with_bytes <- function(bytes, file = tempfile(fileext = ".gps")) {
  writeBin(bytes, file)
  file
}

# CRC-32C, written from its definition: the remainder of a division of polynomials over two elements, bit by bit.
crc32c_reference <- function(bytes) {
  crc <- rep(1L, 32) # the lowest bit first
  polynomial <- c(0L, rev(as.integer(intToBits(0x1EDC6F41))))[2:33] # without its highest bit, reflected
  for (byte in as.integer(bytes)) {
    crc[1:8] <- bitwXor(crc[1:8], as.integer(intToBits(byte))[1:8])
    for (i in 1:8) {
      out <- crc[1]
      crc <- c(crc[-1], 0L)
      if (out == 1L) crc <- bitwXor(crc, polynomial)
    }
  }
  packBits(1L - crc, "raw")
}

# A hostile file: changed, with size and checksum made right again.
resealed <- function(bytes) {
  body <- bytes[seq_len(length(bytes) - 4)]
  size <- length(bytes)
  body[17:24] <- c(writeBin(as.integer(size), raw(), endian = "little"), raw(4))
  c(body, crc32c_fast(body))
}

crc32c_table <- NULL
crc32c_fast <- function(bytes) {
  as_number <- function(raw) sum(as.integer(raw) * 256^(0:3))
  if (is.null(crc32c_table)) {
    crc32c_table <<- vapply(0:255, function(i) {
      rest <- i
      for (bit in 1:8) rest <- if (rest %% 2 == 1) xor32(rest %/% 2, 0x82F63B78) else rest %/% 2
      rest
    }, 0)
  }
  crc <- 2^32 - 1
  for (byte in as.integer(bytes)) crc <- xor32(crc %/% 256, crc32c_table[1 + bitwXor(as.integer(crc %% 256), byte)])
  crc <- 2^32 - 1 - crc
  as.raw(crc %/% 256^(0:3) %% 256)
}
xor32 <- function(a, b) bitwXor(as.integer(a %/% 65536), as.integer(b %/% 65536)) * 65536 + bitwXor(as.integer(a %% 65536), as.integer(b %% 65536))
