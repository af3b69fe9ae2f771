# Rscript tools/interrupts.R: a table of long calls, with how many seconds after SIGINT each returned.
library(gpstream)
source("tests/testthat/helper-interrupts.R")
calls <- long_calls()
print(interrupted_calls(calls, names(calls)), row.names = FALSE)
