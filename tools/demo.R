# A first look: Rscript tools/demo.R
# Installs the package, then lets it watch 1000 earthquakes near Fiji arrive in batches of 50 and
# predict the depth of each from its position *before* being told. Takes a few seconds once installed.

local({
  file <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
  source(file.path(dirname(gsub("~+~", " ", file, fixed = TRUE)), "setup.R"), local = globalenv())
})

install <- function() {
  need(c("Rcpp", "RcppEigen"))
  lib <- writable_library()
  say("Installing gpstream into ", lib, " (compiles C++, some minutes) ...")
  sources <- copy_sources(package_root(), file.path(tempfile(), "gpstream"))
  log <- tempfile()
  args <- c("CMD", "INSTALL", "--no-multiarch", paste0("--library=", lib), sources)
  if (run(r_program(), args, env = "MAKEFLAGS=-j2", log = log, check = FALSE) != 0) {
    writeLines(readLines(log))
    stop("the package does not install", call. = FALSE)
  }
  library(gpstream, lib.loc = lib)
}

rmse <- function(error) sqrt(mean(error^2))

# Predict each batch, score, and only then learn it. Baselines: the mean depth so far, and the depth of
# the nearest earthquake so far, which has to keep every one of them.
watch <- function(gp, stream, batch = 50) {
  say("\n  rows  points |  RMSE of unseen batch, km      | inside 95 %\n",
    "  seen         |   model  nearest  running mean |    interval")
  starts <- seq(batch + 1, nrow(stream), by = batch)
  scores <- NULL
  gp$update(stream[seq_len(batch), ])
  for (start in starts) {
    past <- stream[seq_len(start - 1), ]
    now <- stream[start:min(start + batch - 1, nrow(stream)), ]
    p <- predict(gp, now, interval = "prediction")
    nearest <- vapply(seq_len(nrow(now)), function(i) {
      which.min((past$long - now$long[i])^2 + (past$lat - now$lat[i])^2)
    }, 1L)
    score <- data.frame(rows = start - 1, depth = now$depth, fit = p[, "fit"],
              inside = now$depth >= p[, "lwr"] & now$depth <= p[, "upr"],
              nearest = past$depth[nearest], mean = mean(past$depth))
    gp$update(now)
    say(sprintf("  %4d  %6d | %7.0f  %7.0f  %12.0f | %8.0f %%", gp$nobs, gp$size, rmse(score$depth - score$fit),
          rmse(score$depth - score$nearest), rmse(score$depth - score$mean), 100 * mean(score$inside)))
    scores <- rbind(scores, score)
  }
  scores
}

# Cairo needs no display; without it a PDF is as good.
open_plot <- function(name = "gpstream-demo", width = 11, height = 5.2) {
  dir <- if (file.access(getwd(), 2) == 0) getwd() else tempdir()
  file <- file.path(dir, paste0(name, ".png"))
  ok <- capabilities("cairo") && tryCatch({
    grDevices::png(file, width, height, units = "in", res = 120, type = "cairo")
    TRUE
  }, error = function(e) FALSE, warning = function(w) FALSE)
  if (!ok) {
    file <- sub("png$", "pdf", file)
    grDevices::pdf(file, width, height)
  }
  file
}

draw <- function(gp, stream, scores) {
  file <- open_plot()
  layout(t(1:2), widths = c(1.25, 1))
  par(mar = c(4, 4, 3, 1), las = 1, mgp = c(2.5, 0.7, 0))

  # the map, left blank where the model knows little more than before it started
  long <- seq(min(stream$long), max(stream$long), length.out = 120)
  lat <- seq(min(stream$lat), max(stream$lat), length.out = 120)
  p <- predict(gp, expand.grid(long = long, lat = lat), se.fit = TRUE)
  p$fit[p$se.fit > 0.4 * max(p$se.fit)] <- NA
  depths <- seq(0, 700, by = 50)
  colour <- grDevices::hcl.colors(length(depths) - 1, "YlGnBu", rev = TRUE)
  image(long, lat, matrix(pmin(pmax(p$fit, 0), 700), length(long)), col = colour, breaks = depths,
          xlab = "longitude", ylab = "latitude", main = "Depth of the sinking plate, as learned")
  points(stream$long, stream$lat, pch = 16, cex = 0.3, col = "grey40")
  points(gp$points, pch = 3, cex = 0.9, lwd = 2, col = "firebrick")
  legend("bottomleft", c("earthquake", "inducing point", "0 km", "350 km", "700 km"), bty = "n", cex = 0.8,
           pch = c(16, 3, 15, 15, 15), pt.cex = c(0.5, 0.9, 1.5, 1.5, 1.5),
           col = c("grey40", "firebrick", colour[c(1, 7, 14)]))

  # error so far, on rows not yet seen
  so_far <- function(x) sqrt(cumsum((scores$depth - x)^2) / seq_along(x))
  curves <- cbind(so_far(scores$mean), so_far(scores$nearest), so_far(scores$fit))
  colours <- c("grey60", "goldenrod3", "steelblue4")
  from <- 50:nrow(scores) # an average over fewer says little
  matplot(scores$rows[1] + from, curves[from, ], type = "l", lty = 1, lwd = 2, col = colours, ylim = c(0, 260),
      xlab = "earthquakes seen", ylab = "RMSE so far, km", main = "Predicted before seen")
  legend("topright", c("running mean", "nearest so far (keeps all rows)", "gpstream"),
           col = colours, lwd = 2, bty = "n", cex = 0.8)
  grDevices::dev.off()
  file
}

install()
stream <- datasets::quakes
say("\nThe stream: ", nrow(stream), " earthquakes near Fiji (datasets::quakes); depth from longitude and latitude.")
# nothing is given: lengthscale, variance, noise and mean are learned from the stream
gp <- streaming_gp(depth ~ long + lat)
seconds <- system.time(scores <- watch(gp, stream))[["elapsed"]]

say("\nWhat it learned:")
print(gp)
error <- rmse(scores$depth - scores$fit)
say(sprintf("\nOver all %d predictions made before the answer was known (%.1f s):", nrow(scores), seconds))
say(sprintf("  RMSE %.0f km; nearest earthquake so far %.0f km; running mean %.0f km", error,
      rmse(scores$depth - scores$nearest), rmse(scores$depth - scores$mean)))
say(sprintf("  %.1f %% of the depths inside their 95 %% intervals", 100 * mean(scores$inside)))
say(sprintf("  remembered: %d inducing points and the last 100 rows, of %d rows seen", gp$size, gp$nobs))
say("\nPicture: ", draw(gp, stream, scores))
