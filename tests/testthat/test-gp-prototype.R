# What a model remembers of the columns of its rows.

mixed_rows <- function(n = 60, from = 1) {
  i <- seq(from, length.out = n)
  data.frame(
    a = toy(n, from = from)$x[, 1], day = as.Date("2024-03-01") + i, g = factor(c("u", "v", "w")[1 + i %% 3]),
    word = c("left", "right")[1 + i %% 2], yes = i %% 5 == 0, y = toy(n, from = from)$y
  )
}
mixed_gp <- function(data = mixed_rows()) {
  streaming_gp(y ~ a + day + g + word + yes, data = data, kernel = kernel_se(3, 1), noise = 0.1, mean = 0)
}

test_that("the prototype has the columns as they came, their levels and ranges", {
  data <- mixed_rows()
  known <- gp_prototype(mixed_gp(data))
  expect_identical(known$rows[names(data)], data[0, ])
  expect_identical(known$response, "y")
  expect_identical(known$levels, list(g = c("u", "v", "w"), word = c("left", "right"), yes = c("FALSE", "TRUE")))
  expect_identical(known$seen[, "a"], c(min = min(data$a), max = max(data$a)))
  expect_identical(as_measured(known$seen[["max", "day"]], known$rows$day), max(data$day))
})

test_that("ranges are those of all rows, however they are cut, merged or kept in a file", {
  data <- mixed_rows(120)
  gp <- mixed_gp(data[1:40, ])
  for (i in 41:50) gp$update(data[i, ])
  gp$update(data[51:120, ])
  whole <- gp_prototype(mixed_gp(data))
  expect_identical(gp_prototype(gp), whole)
  expect_refused(gp, gp$update(transform(data[1:2, ], a = c(1e6, NA))), "nonfinite", "NA")
  file <- save_gp(gp, tempfile())
  expect_identical(gp_prototype(load_gp(file)), whole)
  expect_identical(gp_prototype(unserialize(serialize(gp, NULL))), whole)
  part <- shard(gp)
  part$update(transform(data[1:3, ], a = c(-7, 5, 70)))
  expect_identical(gp_prototype(merge(gp, part))$seen[, "a"], c(min = -7, max = 70))
  expect_identical(gp_prototype(gp), whole)
})

test_that("models that were saved without a prototype load, and get one with the next rows", {
  data <- mixed_rows()
  state <- as.list(mixed_gp(data[1:50, ]))
  state$frame$prototype <- NULL
  old <- streaming_gp_restore(state)
  expect_error(gp_prototype(old), "earlier version", class = "gpstream_error_input")
  old$update(data[51:60, ])
  expect_identical(gp_prototype(old)$seen[, "a"], c(min = min(data$a[51:60]), max = max(data$a[51:60])))
  expect_error(gp_prototype(streaming_gp(y ~ x)), "seen no rows", class = "gpstream_error_input")
  state$frame$prototype <- list(columns = 1)
  expect_error(streaming_gp_restore(state), "does not fit", class = "gpstream_error_corrupt")
})

test_that("rows that are kept are rows that came", {
  data <- mixed_rows(80)
  gp <- streaming_gp(y ~ a + day + g + word + yes, data = data)
  kept <- kept_rows(gp)
  expect_identical(names(kept), names(data))
  rows <- match(round(kept$y, 9), round(data$y, 9))
  expect_equal(kept, data[rows, ], ignore_attr = "row.names")
  expect_null(kept_rows(streaming_gp(y ~ log(a), data = data, kernel = kernel_se(1, 1), noise = 0.1)))
  plain <- toy_gp(D = 2)
  expect_identical(as.matrix(kept_rows(plain)), plain$points, ignore_attr = TRUE)
  typical <- typical_rows(gp)
  expect_identical(levels(droplevels(typical$g)), levels(data$g))
  expect_equal(unique(typical$a), mean(kept$a))
})

test_that("where nothing is measured, response and inputs being factors, there is no warning", {
  rows <- data.frame(kind = factor(rep(c("a", "b"), 10)), group = factor(rep(1:2, each = 10)))
  expect_no_warning(gp <- streaming_gp(kind ~ group, rows, likelihood = likelihood_bernoulli(), kernel = kernel_se(1, 1), optimize = "none"))
  expect_no_warning(gp$update(rows[1:9, ]))
})
