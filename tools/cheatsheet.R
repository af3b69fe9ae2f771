# One page with what one types most: Rscript tools/cheatsheet.R FILE, FILE.pdf or FILE.svg
# Code stands as it is typed, and every function of the package that it calls is looked up where the package is installed.

file <- commandArgs(TRUE)
if (length(file) != 1) stop("say where: Rscript tools/cheatsheet.R FILE.pdf", call. = FALSE)

# title = lines of code and what they do, "code  # what"
sheet <- list(
  "Model" = c(
    "gp <- streaming_gp(y ~ u + v, data)  # nothing to choose",
    "gp <- streaming_gp()  # then gp$update(x, y)",
    "streaming_gp(y ~ x, noise = 0.1)  # what is given stays",
    "streaming_gp(y ~ x, family = binomial())  # yes or no",
    "likelihood_student()  # gross errors; ?likelihoods",
    "streaming_gp(cbind(a, b) ~ x)  # several outputs",
    "y ~ trend(t) + season(t, \"1 day\") + gp(u)  # a sum",
    "kernel_matern52() + kernel_periodic(1)  # kernels add",
    "kernel_se(columns = \"u\")  # of some columns"
  ),
  "Stream" = c(
    "gp$update(data)  # in place, any number of rows",
    "consume(gp, \"rows.csv\")  # file, query, feed",
    "consume(gp, s, checkpoint = \"r.gps\")  # survives kill",
    "consume(gp, s, checkpoint = \"r.gps\", resume = TRUE)",
    "gp$update(data, if_plausible = 1e-6)  # refuse wild rows",
    "gp$unlearn(data)  # as if they had never come",
    "consume(gp, s, alarm = drift_alarm(0.01))  # changed?"
  ),
  "Predict" = c(
    "predict(gp, new)  # as predict.lm()",
    "predict(gp, new, se.fit = TRUE)",
    "predict(gp, new, interval = \"prediction\")  # y",
    "predict(gp, new, interval = \"confidence\")  # f",
    "components(gp, new)  # what each term adds",
    "simulate(gp, 10, newdata = new)  # whole functions",
    "gp$score(data)  # how surprising are rows?"
  ),
  "Look" = c(
    "gp; summary(gp); coef(gp)",
    "plot(gp)  # mean, bands, points; maps",
    "plot(gp, columns = \"u\", at = list(v = 3))",
    "plot(gp, \"history\")  # how well foretold",
    "plot(gp, \"components\")  # the parts",
    "watch(gp, data)  # in the browser"
  ),
  "Trust" = c(
    "evaluate(list(gp, baseline_mean()), data)",
    "gp$history  # error, coverage, batch by batch",
    "gp$calibration  # by how much intervals are corrected",
    "gp$certificate()  # how far from exact at most"
  ),
  "Keep" = c(
    "save_gp(gp, \"model\"); gp <- load_gp(\"model\")",
    "saveRDS(gp, \"model.rds\")  # works as well",
    "gp2 <- gp$copy()  # gp2 <- gp is the same model",
    "gp$noise <- 0.01  # exact, without the data"
  ),
  "Endless" = c(
    "streaming_gp(y ~ t, half_life = \"auto\")  # forget",
    "gp$forget(0.5)  # now, by half",
    "streaming_gp(y ~ t, lookback = 500)  # ordered streams"
  ),
  "Points" = c(
    "select_oips(rho = 0.9, max_points = 500)",
    "select_oips(0.9, support = 3)  # not for rows alone",
    "suggest_rho(kernel, x, points = 60)  # as many",
    "forecast_points(gp, n = 1e5)  # how many will come"
  ),
  "Scale out" = c(
    "consume(gp, files, cluster = cl)  # rows stay there",
    "merge(gp1, gp2)  # models that saw other rows",
    "part <- shard(gp)  # an empty twin, to be merged"
  )
)

code <- function(line) sub("  # .*", "", line)
about <- function(line) ifelse(grepl("  # ", line, fixed = TRUE), sub(".*  # ", "", line), "")
called <- unique(unlist(lapply(code(unlist(sheet)), function(line) all.names(parse(text = line)))))
ours <- grep("^(streaming_gp|kernel_|likelihood_|select_|baseline_|consume|evaluate|components|watch|save_gp|load_gp|shard|drift_alarm|suggest_rho|forecast_points)", called, value = TRUE)
gone <- setdiff(ours, getNamespaceExports("gpstream"))
if (length(gone) > 0) stop("not in gpstream: ", toString(gone), call. = FALSE)

# ---- A4, across; boxes fill three columns, none is split ----------------------------------------

columns <- 3
heights <- lengths(sheet) + 1.9
column <- c(1, 1, 2, 2, 2, 3, 3, 3, 3)
rows <- max(tapply(heights, column, sum))

if (grepl("[.]svg$", file)) grDevices::svg(file, 11.7, 8.3) else grDevices::pdf(file, 11.7, 8.3, title = "gpstream cheat sheet")
graphics::par(mar = rep(0, 4))
plot(NULL, xlim = c(0, columns), ylim = c(-rows - 0.4, 2), axes = FALSE, xlab = "", ylab = "", xaxs = "i", yaxs = "i")
graphics::text(0.03, 1, "gpstream: Gaussian processes on data streams", adj = c(0, 0.5), font = 2, cex = 1.2, col = "#1B5E8C")
graphics::text(columns - 0.03, 1, "?gpstream is the map, vignette(\"gpstream\") the way in", adj = c(1, 0.5), cex = 0.75, col = "grey35")
for (k in seq_len(columns)) {
  y <- 0
  for (name in names(sheet)[column == k]) {
    lines <- sheet[[name]]
    left <- k - 1 + 0.03
    graphics::rect(left - 0.01, y - length(lines) - 1.3, k - 0.02, y - 0.05, col = "#f4f7f9", border = NA)
    graphics::text(left, y - 0.6, name, adj = c(0, 0.5), font = 2, cex = 0.95, col = "#B5451B")
    at <- y - 0.9 - seq_along(lines) + 0.3
    graphics::text(left, at, code(lines), adj = c(0, 0.5), family = "mono", cex = 0.66)
    end <- left + graphics::strwidth(code(lines), family = "mono", cex = 0.66)
    graphics::text(end + 0.02, at, about(lines), adj = c(0, 0.5), cex = 0.64, col = "grey35")
    over <- end + 0.02 + graphics::strwidth(about(lines), cex = 0.64) > k - 0.02
    if (any(over)) stop("too wide: ", paste(lines[over], collapse = "; "), call. = FALSE)
    y <- y - length(lines) - 1.9
  }
}
invisible(grDevices::dev.off())
