# Model files. That models continue bitwise through them is in test-gp-durability.R.

small_gp <- function() {
  gp <- toy_gp(9, 2, lookback = 2, kernel = kernel_se(3, 1))
  predict(gp, toy(1, 2)$x)
  gp$update(toy(1, 2)$x, toy(1, 2)$y)
}

saved <- function(gp, position = NULL) {
  file <- tempfile(fileext = ".gps")
  gpstream:::write_checkpoint(gp, file, position)
  file
}

some_data <- data.frame(y = toy(30)$y, a = toy(30)$x[, 1], b = 1:30 / 7, g = rep(c("u", "v"), 15), `odd name` = 30:1 / 3, check.names = FALSE)

test_that("a file that was loaded and saved again has the same bytes, and saving does not change the model", {
  k <- 3
  models <- list(
    small_gp(), toy_gp(0), toy_gp(1), toy_gp(60, 2), streaming_gp(), streaming_gp()$update(1:30, sin(1:30)),
    toy_gp(30, 2, select = select_fixed(toy(12, 2)$x)), toy_gp(9, lookback = Inf, select = select_greedy(4)),
    streaming_gp(y ~ I(a^k), kernel = kernel_se(1) + kernel_rq(2) * kernel_matern32("ard")), streaming_gp(y ~ a + g, some_data)
  )
  gpstream:::note_scores(models[[4]], 2, 3, -1, 1, c(0.1, 0.9), 2, -7)
  for (gp in models) {
    before <- as.list(gp)
    first <- saved(gp)
    expect_true(identical(as.list(gp), before))
    expect_identical(file_bytes(saved(load_gp(first))), file_bytes(first))
  }
})

test_that("formulas with what they learned from the first batch survive exactly", {
  k <- 3
  base <- 2
  formulas <- list(
    y ~ a, y ~ ., y ~ . - g, log(y + 5) ~ I(a^k) + b, y ~ poly(a, 2) + g, y ~ poly(a, b, degree = 2), y ~ stats::poly(a, 3, raw = TRUE),
    y ~ splines::ns(a, 3) + splines::bs(b, df = 4), y ~ scale(a) + cut(b, c(0, 1, 9)), y ~ a * g - 1, y ~ a:b + (g + b)^2, y ~ log(b, base),
    y ~ `odd name` + factor(g, levels = c("v", "u")), y ~ ifelse(a > k & !is.na(b), a, -1) + pmin(a, 4) %% 2, I(y * pi) ~ sin(2 * pi * a)
  )
  for (formula in formulas) {
    gp <- suppressMessages(streaming_gp(formula, some_data, optimize = "none"))
    file <- saved(gp)
    twin <- eval(bquote(load_gp(.(file))), new.env(parent = globalenv())) # where there is no k
    for (one in list(gp, twin)) suppressMessages(one$update(some_data[3:9, ]))
    label <- deparse1(formula)
    expect_identical(predict(twin, some_data, se.fit = TRUE), predict(gp, some_data, se.fit = TRUE), label = label)
    expect_identical(as.list(twin)$core, as.list(gp)$core, label = label)
    expect_identical(formula(twin), formula(gp), ignore_formula_env = TRUE, label = label)
    expect_identical(attributes(twin$state$frame$terms)[c("predvars", "factors", "dataClasses")],
      attributes(gp$state$frame$terms)[c("predvars", "factors", "dataClasses")], label = label)
    expect_identical(file_bytes(saved(load_gp(file))), file_bytes(file), label = label)
  }
  # before the first row
  twin <- load_gp(saved(streaming_gp(y ~ I(a^k), optimize = "none")))
  expect_identical(predict(twin$update(some_data), some_data), predict(streaming_gp(y ~ I(a^k), some_data, optimize = "none"), some_data))
})

test_that("a formula with functions that could do harm is refused, unless the file is trusted", {
  assign("gpstream_test_double", function(x) 2 * x, globalenv())
  on.exit(rm("gpstream_test_double", envir = globalenv()))
  gp <- streaming_gp(y ~ gpstream_test_double(a), some_data, optimize = "none")
  for (file in c(saved(gp), saved(streaming_gp(y ~ gpstream_test_double(a))))) {
    expect_error(load_gp(file), "gpstream_test_double.*trusted = TRUE", class = "gpstream_error_corrupt")
    expect_s4_class(load_gp(file, trusted = TRUE), "StreamingGP")
  }
  twin <- load_gp(saved(gp), trusted = TRUE)
  expect_identical(predict(twin, some_data), predict(gp, some_data))
  # known from the model at hand, and found where that one finds it
  local_double <- function(x) x + x
  gp <- streaming_gp(y ~ local_double(a), some_data, optimize = "none")
  expect_error(load_gp(saved(gp)), class = "gpstream_error_corrupt")
  twin <- gpstream:::read_checkpoint(saved(gp), like = streaming_gp(y ~ local_double(a)))$gp
  expect_identical(predict(twin$update(some_data), some_data), predict(gp$update(some_data), some_data))
  expect_error(gpstream:::read_checkpoint(saved(gp), like = streaming_gp(y ~ a)), class = "gpstream_error_corrupt")
})

test_that("nothing in a file is run when it is loaded, and little when it is used", {
  ran <- FALSE
  assign("gpstream_test_run", function(...) ran <<- TRUE, globalenv())
  on.exit(rm("gpstream_test_run", envir = globalenv()))
  packed <- function(call, constants = list(), predvars = quote(list(y, a))) {
    state <- as.list(streaming_gp(y ~ a, some_data, optimize = "none"))
    state$spec$formula <- list(call = call, constants = constants)
    state$frame$terms <- list(call = call, constants = constants, predvars = predvars, dataClasses = c(y = "numeric", a = "numeric"))
    file <- tempfile(fileext = ".gps")
    gpstream:::core_file_write(list(state = state, position = NULL), "0.1.0", file)
    file
  }
  expect_s4_class(load_gp(packed(quote(y ~ a))), "StreamingGP")
  hostile <- list(
    quote(y ~ gpstream_test_run(a)), quote(gpstream_test_run(y) ~ a), quote(y ~ I(gpstream_test_run(a))), quote(y ~ (gpstream_test_run)(a)),
    quote(y ~ base::eval(gpstream_test_run(a))), quote(y ~ base::get("system")(a)),
    quote(y ~ utils::head(a)), quote(y ~ a[gpstream_test_run()]), quote(y ~ I(~gpstream_test_run())), quote(gpstream_test_run(y, a)),
    quote(`~`(formula = gpstream_test_run(), a)), quote(`~`(a)), quote(y ~ base::`::`(base, eval)(a)), quote(y ~ stats::system(a)), quote(y ~ a$gpstream_test_run())
  )
  for (call in hostile) {
    expect_error(load_gp(packed(call)), class = "gpstream_error_corrupt", info = deparse1(call))
    expect_error(load_gp(packed(quote(y ~ a), predvars = call)), class = "gpstream_error_corrupt", info = deparse1(call))
    expect_error(load_gp(packed(quote(y ~ a), predvars = bquote(list(y, .(call))))), class = "gpstream_error_corrupt", info = deparse1(call))
  }
  expect_error(load_gp(packed(quote(y ~ a), predvars = bquote(list(y, I(.(list(quote(gpstream_test_run()))))))) ), class = "gpstream_error_corrupt")
  for (constants in list(1, list(1), list(k = list(1)), NULL)) expect_error(load_gp(packed(quote(y ~ a), constants)), class = "gpstream_error_corrupt")
  # a name of ours is ours, whatever is in the workspace
  assign("log", function(x) gpstream_test_run(), globalenv())
  on.exit(rm("log", envir = globalenv()), add = TRUE)
  gp <- load_gp(packed(quote(y ~ log(a)), predvars = quote(list(y, log(a)))))
  suppressWarnings(predict(gp, data.frame(a = 2)))
  expect_false(ran)
})

test_that("what a file cannot hold is refused when it is written", {
  refused <- function(value) {
    file <- tempfile(fileext = ".gps")
    expect_error(gpstream:::core_file_write(value, "0.1.0", file), class = "gpstream_error_type")
    expect_false(file.exists(file))
  }
  for (value in list(sum, globalenv(), 1i, as.raw(1), data.frame(a = 1), structure(1, secret = 2), structure(list(), class = "lm"), expression(a), y ~ x,
    methods::getClass("numeric"), function() 1, parse(text = "y ~ (function(x) x)(a)", keep.source = FALSE)[[1]])) refused(value)
  deep <- list()
  for (i in 1:100) deep <- list(deep)
  refused(deep)
  refused(as.list(1:3e5))
})

test_that("values are exactly what they were", {
  values <- list(
    NULL, TRUE, c(a = NA, b = FALSE), -1L, NA_integer_, integer(), c(0, -0, NaN, NA, Inf, -Inf, 5e-324, .Machine$double.xmax), numeric(),
    c("", NA, "a", "\u00e4\u20ac\U1F600", "a longer one"), list(), list(a = 1, list(NULL, b = "c")), matrix(1:6, 2), matrix(0, 0, 3), array(1:8, c(2, 2, 2)),
    matrix(c(1, 2, 0, 3), 2), matrix(c(1, 2, -0, 3), 2), matrix(c(1, 2, 0, 3), 2, dimnames = list(c("a", "b"), NULL)), diag(5), diag(1), factor(c("u", NA, "v")),
    as.Date("2024-02-29"), as.POSIXct(1e9, origin = "1970-01-01", tz = "UTC"), as.difftime(3, units = "hours"), quote(x), quote(f(x, , n = 2, "a", g(y)[1])), kernel_se(1) + kernel_rq(2), select_oips(),
    ordered(c("lo", "hi"))
  )
  file <- tempfile(fileext = ".gps")
  gpstream:::core_file_write(values, "0.1.0", file)
  back <- gpstream:::core_file_read(file)
  for (i in seq_along(values)) expect_true(identical(back[[i]], values[[i]], num.eq = FALSE, single.NA = FALSE), info = i)
  latin <- "\xe4"
  Encoding(latin) <- "latin1"
  gpstream:::core_file_write(latin, "0.1.0", file)
  expect_identical(enc2utf8(latin), gpstream:::core_file_read(file))
})

test_that("the file is laid out as its help page says", {
  file <- saved(small_gp())
  bytes <- file_bytes(file)
  size <- length(bytes)
  number <- function(from, n) sum(as.integer(bytes[from + seq_len(n)]) * 256^(seq_len(n) - 1))
  expect_identical(bytes[1:8], as.raw(c(0x89, 0x47, 0x50, 0x53, 0x0d, 0x0a, 0x1a, 0x0a)))
  expect_identical(bytes[9:12], as.raw(4:1))
  expect_equal(c(number(12, 4), number(16, 8)), c(11, size))
  expect_identical(rawToChar(bytes[25:40][bytes[25:40] > 0]), as.character(utils::packageVersion("gpstream")))
  expect_equal(c(number(40, 1), number(41, 1), number(42, 6)), c(5, 1, 2)) # a list with names of two values
  expect_identical(tail(bytes, 4), crc32c_fast(head(bytes, -4)))
  expect_identical(crc32c_reference(head(bytes, 200)), crc32c_fast(head(bytes, 200)))
  expect_identical(crc32c_reference(charToRaw("123456789")), as.raw(c(0x83, 0x92, 0x06, 0xe3))) # the published check value E3069283
})

test_that("a file is hardly larger than the doubles it must hold", {
  gp <- toy_gp(0, 2, select = select_oips(0.95, max_points = 100), lookback = 50)
  suppressWarnings(for (i in 1:20) gp$update(toy(50, 2, from = 50 * i)$x, toy(50, 2, from = 50 * i)$y))
  expect_equal(gp$size, 100)
  predict(gp, toy(1, 2)$x, se.fit = TRUE)
  core <- as.list(gp)$core
  triangles <- core[c("L", "P", "C")]
  others <- core[setdiff(names(core), c(names(triangles), "kernel", "select"))]
  doubles <- sum(lengths(others)) + 3 * 100 * 101 / 2
  expect_lt(file.size(saved(gp)), 1.1 * 8 * doubles)
})

# --- damage ----------------------------------------------------------------------------------------------------------------

test_that("a file cut off anywhere, or with any byte changed, is refused as corrupt", {
  file <- saved(small_gp())
  bytes <- file_bytes(file)
  expect_lt(length(bytes), 20000)
  kind <- function() {
    tryCatch({
      gpstream:::core_file_read(file)
      "loaded"
    }, error = function(e) class(e)[1])
  }
  # in place, which is faster than a file each
  connection <- file(file, "r+b")
  on.exit(close(connection))
  kind_with <- function(byte, i) {
    seek(connection, i - 1, rw = "write")
    writeBin(byte, connection)
    flush(connection)
    kind()
  }
  some <- if (identical(Sys.getenv("NOT_CRAN"), "true")) seq_along(bytes) else round(seq(1, length(bytes), length.out = 500))
  changed <- vapply(some, function(i) {
    kinds <- vapply(c(1, 128, 255), function(pattern) kind_with(xor(bytes[i], as.raw(pattern)), i), "")
    kind_with(bytes[i], i)
    if (all(kinds == kinds[1])) kinds[1] else "of several kinds"
  }, "")
  expect_identical(unique(changed), "gpstream_error_corrupt")
  expect_identical(kind(), "loaded")
  cut <- vapply(rev(some), function(i) {
    seek(connection, i - 1, rw = "write")
    truncate(connection)
    kind()
  }, "")
  expect_identical(unique(cut), "gpstream_error_corrupt")
  writeBin(c(bytes, as.raw(0)), file)
  expect_identical(kind(), "gpstream_error_corrupt")
  # through load_gp() it is the same
  writeBin(head(bytes, -1), file)
  expect_error(load_gp(file), "not as long", class = "gpstream_error_corrupt")
  writeBin(replace(bytes, 100, xor(bytes[100], as.raw(1))), file)
  expect_error(load_gp(file), "checksum", class = "gpstream_error_corrupt")
})

test_that("a file made to do harm, with its checksum right, is refused or loads, and never crashes", {
  skip_on_cran()
  bytes <- file_bytes(saved(streaming_gp(y ~ poly(a, 2) + g, some_data, kernel = kernel_se(2, 1), noise = 0.1, optimize = "none", lookback = 0)))
  state <- 1
  random <- function(n) (state <<- (state * 16807) %% 2147483647) %% n # a generator of our own: the same files each time
  kinds <- vapply(1:200, function(i) {
    changed <- bytes
    for (j in seq_len(1 + random(3))) changed[41 + random(length(bytes) - 45)] <- as.raw(random(256))
    file <- with_bytes(resealed(changed))
    on.exit(unlink(file))
    tryCatch({
      gp <- load_gp(file)
      suppressWarnings(predict(gp, some_data, se.fit = TRUE))
      "works"
    }, error = function(e) if (inherits(e, "gpstream_error")) "refused" else paste(class(e)[1], conditionMessage(e)))
  }, "")
  expect_setequal(unique(kinds), c("works", "refused"))
})

test_that("sizes that a file cannot have are refused before memory is taken for them", {
  bytes <- file_bytes(saved(small_gp()))
  head <- function(kind, length) as.raw(c(kind, 0, length %/% 256^(0:5) %% 256))
  for (kind in 0:9) {
    used <- sum(gc(reset = TRUE)[, 6]) # for each kind anew: R lets its own garbage lie the longer the more there is in memory
    for (length in c(1, 2^20, 2^31, 2^32 - 1, 2^47)) {
      file <- with_bytes(resealed(c(bytes[1:40], head(kind, length), raw(16), raw(4))))
      expect_error(load_gp(file), class = "gpstream_error_corrupt", info = paste(kind, length))
    }
    expect_lt(sum(gc()[, 6]) - used, 50) # megabytes
  }
})

test_that("a file of a later format, and a state of a later layout, say which version is needed", {
  bytes <- file_bytes(saved(small_gp()))
  later <- replace(replace(bytes, 13, as.raw(12)), 25:30, c(charToRaw("9.9.9"), as.raw(0)))
  expect_error(load_gp(with_bytes(resealed(later))), "format 12.*up to 11; install gpstream 9.9.9", class = "gpstream_error_version")
  expect_error(load_gp(with_bytes(resealed(replace(bytes, 13, as.raw(0))))), class = "gpstream_error_corrupt")
  expect_error(load_gp(with_bytes(resealed(replace(bytes, 9, as.raw(1))))), "byte order", class = "gpstream_error_corrupt")
  file <- tempfile(fileext = ".gps")
  gpstream:::core_file_write(list(state = replace(as.list(small_gp()), c("format", "package"), list(99L, "9.9.9")), position = NULL), "9.9.9", file)
  expect_error(load_gp(file), "install gpstream 9.9.9", class = "gpstream_error_version")
})

test_that("files of every format so far load and predict what they did", {
  for (file in list.files(test_path("fixtures"), "[.]gps$", full.names = TRUE)) {
    read <- gpstream:::read_checkpoint(file)
    was <- read$position
    p <- predict(read$gp, was$at, se.fit = TRUE)
    expect_equal(unname(p$fit), was$fit, tolerance = 1e-8)
    expect_equal(unname(p$se.fit), was$se, tolerance = 1e-8)
    read$gp$update(was$at, was$fit)
    expect_equal(read$gp$objective, was$objective_afterwards, tolerance = 1e-8)
  }
  expect_gte(length(list.files(test_path("fixtures"), "[.]gps$")), 2)
})

# --- the place -------------------------------------------------------------------------------------------------------------

test_that("a name without an extension gets one, in both directions", {
  base <- tempfile()
  gp <- small_gp()
  expect_identical(expect_invisible(save_gp(gp, base)), paste0(base, ".gps"))
  expect_true(file.exists(paste0(base, ".gps")))
  expect_identical(as.list(load_gp(base)), as.list(gp))
  expect_identical(save_gp(gp, paste0(base, ".model")), paste0(base, ".model"))
  file.rename(paste0(base, ".model"), base) # by hand
  expect_identical(as.list(load_gp(base)), as.list(gp))
  expect_identical(gpstream:::model_path("../a.b/c"), "../a.b/c.gps")
  expect_identical(gpstream:::model_path("a/.hidden"), "a/.hidden.gps")
  expect_identical(gpstream:::model_path("..", TRUE), "..")
})

test_that("a position in a stream goes along", {
  position <- list(rows = 1e6, batch = 12, source = "a table", skipped = c(1, 5))
  read <- gpstream:::read_checkpoint(saved(small_gp(), position))
  expect_identical(read$position, position)
  expect_s4_class(read$gp, "StreamingGP")
  expect_null(gpstream:::read_checkpoint(saved(small_gp()))$position)
  expect_error(gpstream:::read_checkpoint(saved(small_gp(), list(1, 2))), class = "gpstream_error_corrupt")
})

test_that("what is in the way is told apart", {
  dir <- tempfile()
  dir.create(dir)
  gp <- small_gp()
  expect_error(load_gp(file.path(dir, "none.gps")), "none.gps\\) cannot be read: No such file", class = "gpstream_error_io")
  expect_error(load_gp(dir), "it is a directory", class = "gpstream_error_io")
  expect_error(save_gp(gp, dir), "it is a directory", class = "gpstream_error_io")
  expect_error(save_gp(gp, file.path(dir, "no", "place.gps")), "place.gps\\) cannot be written: No such file", class = "gpstream_error_io")
  expect_error(save_gp(gp, file.path(dir, paste(rep("x", 300), collapse = ""))), class = "gpstream_error_io")
  for (text in list(raw(), charToRaw("a,b\n1,2\n"), serialize(1, NULL), raw(1000))) {
    expect_error(load_gp(with_bytes(text)), "not a model file", class = "gpstream_error_corrupt")
  }
  expect_length(list.files(dir), 0)
})

test_that("a place where nothing can be written keeps its old file", {
  skip_on_os("windows")
  skip_if(system2("id", "-u", stdout = TRUE) == "0", "the superuser may write anywhere")
  dir <- tempfile()
  dir.create(dir)
  file <- save_gp(small_gp(), file.path(dir, "a.gps"))
  bytes <- file_bytes(file)
  Sys.chmod(dir, "555")
  on.exit(Sys.chmod(dir, "755"))
  expect_error(save_gp(toy_gp(5), file), class = "gpstream_error_io")
  expect_identical(file_bytes(file), bytes)
  Sys.chmod(dir, "755")
  Sys.chmod(file, "444")
  expect_error(save_gp(toy_gp(5), file), "must not be changed", class = "gpstream_error_io")
})

test_that("a full disk keeps the old file, and leaves nothing behind", {
  skip_on_cran()
  skip_on_os("windows")
  file <- save_gp(small_gp(), tempfile())
  bytes <- file_bytes(file)
  script <- tempfile(fileext = ".R")
  writeLines(c(
    "library(gpstream)", "gp <- streaming_gp(kernel = kernel_se(0.1, 1), noise = 1, mean = 0, optimize = 'none')$update(1:60, 1:60)",
    sprintf("out <- tryCatch(save_gp(gp, %s), error = function(e) paste(class(e)[1], conditionMessage(e)))", deparse(file)), "cat(out)"
  ), script)
  # no file beyond 16 blocks of 512 or 1024 bytes: as a disk that is full by then
  command <- paste("trap '' XFSZ; ulimit -f 16; exec", shQuote(file.path(R.home("bin"), "Rscript")), "--vanilla", shQuote(script))
  out <- system2("sh", c("-c", shQuote(command)), stdout = TRUE, stderr = TRUE, env = libraries())
  expect_match(paste(out, collapse = " "), "gpstream_error_io .*cannot be written: File too large")
  expect_identical(file_bytes(file), bytes)
  expect_false(file.exists(paste0(file, ".tmp")))
})

test_that("what a killed process left is used up, a link stays one, and permissions are kept", {
  skip_on_os("windows")
  file <- tempfile(fileext = ".gps")
  writeBin(as.raw(rep(7, 1e6)), paste0(file, ".tmp"))
  gp <- small_gp()
  save_gp(gp, file)
  expect_false(file.exists(paste0(file, ".tmp")))
  expect_identical(as.list(load_gp(file)), as.list(gp))
  Sys.chmod(file, "600")
  link <- tempfile(fileext = ".gps")
  file.symlink(file, link)
  save_gp(toy_gp(5), link)
  expect_identical(Sys.readlink(link), file)
  expect_equal(load_gp(file)$nobs, 5)
  expect_identical(format(file.mode(file)), "600")
})

test_that("two processes that save to one file do not spoil it", {
  skip_on_cran()
  skip_on_os("windows")
  skip_if_not_installed("parallel")
  file <- tempfile(fileext = ".gps")
  models <- list(toy_gp(20, 2), toy_gp(5, 2))
  jobs <- lapply(models, function(gp) parallel::mcparallel({
    for (i in 1:60) save_gp(gp, file)
    TRUE
  }))
  sizes <- numeric()
  while (length(sizes) < 100) if (file.exists(file)) sizes <- c(sizes, load_gp(file)$nobs)
  done <- parallel::mccollect(jobs)
  expect_true(all(vapply(done, isTRUE, logical(1))))
  expect_true(all(sizes %in% c(20, 5)))
  expect_false(file.exists(paste0(file, ".tmp")))
})

test_that("a formula with an offset is read without being trusted", {
  data <- data.frame(x = toy(40)$x[, 1], t = 1 + (1:40) %% 3)
  data$y <- round(data$t * exp(sin(data$x)))
  gp <- streaming_gp(y ~ x + offset(log(t)), data, kernel = kernel_se(1, 1), family = poisson(), optimize = "none")
  file <- tempfile(fileext = ".gps")
  save_gp(gp, file)
  expect_identical(predict(load_gp(file), data), predict(gp, data))
})
