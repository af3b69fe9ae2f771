# A few cases of every relation, always the same ones; tools/relations.R runs many others.

test_that("every relation holds", {
  kinds <- RNGkind()
  on.exit(do.call(RNGkind, as.list(kinds)))
  for (name in names(held$relations)) {
    for (case in 1:3) {
      why <- held$broken_case(name, case, seed = 1)
      expect(is.null(why), paste0("Rscript tools/relations.R --only=\"", name, "\" --case=", case, "\n    ", why))
    }
  }
})

test_that("a relation that does not hold is reported with its case", {
  home <- new.env(parent = held)
  broken <- function(check) {
    name <- "a relation of this test"
    held$relation(name, check)
    on.exit(held$relations[[name]] <- NULL)
    held$broken_case(name, 1, 1)
  }
  expect_null(broken(function() held$same(1 + 1e-9, 1, 1e-8, "the number")))
  expect_match(broken(function() {
    held$note("a case")
    held$same(1 + 1e-7, 1, 1e-8, "the number")
  }), "the number is off by 1e-07, more than 1e-08 .*\n    a case")
  expect_match(broken(function() held$same(c(NA, 1), c(1, 1), 1)), "NA elsewhere")
  expect_match(broken(function() held$same(Inf, 1, 1)), "infinite elsewhere")
  expect_match(broken(function() held$same(1:2, 1, 1)), "2 values for 1")
  expect_match(broken(function() held$same_bytes(list(a = 1, b = 2), list(a = 1, b = 3), "the model")), "the model is not identical: b")
  gp <- toy_gp(5)
  expect_match(broken(function() held$refused(gp, gp$nobs, what = "reading")), "reading: was not refused")
  expect_match(broken(function() held$refused(gp, stop("raw"), what = "it")), "it: an error of R, raw")
  expect_match(broken(function() held$refused(gp, {
    gp$update(1, 1)
    gp$update("text")
  })), "a model after an error is not identical")
  # the same case again, whatever was drawn before
  draws <- replicate(2, {
    stats::runif(1)
    broken(function() stop(stats::runif(1)))
  })
  expect_identical(draws[1], draws[2])
})
