library(testthat)
library(gpstream)

test_check("gpstream")
