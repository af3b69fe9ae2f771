# Several outputs: each is what a model of it alone says.

draw_outputs <- function(..., selectors = setdiff(all_selectors, c("greedy", "noise", "full", "support", "kmeans", "random", "kdpp"))) {
  case <- draw_given("gaussian", c("a", "a + b", "a + g"), steady_kernels, selectors, ...)
  case$data$z <- round(draw_function(case$data)^2 + stats::rnorm(nrow(case$data), sd = 0.3), 5)
  case$left <- "cbind(y, z)"
  case$one <- function(name) replace(case, "left", name)
  case
}
of_output <- function(p, name) list(fit = p$fit[, name], se = p$se.fit[, name])

relation("outputs are models of their own", function() {
  case <- draw_outputs()
  parts <- batches(case$data)
  gp <- learned(case, parts)
  p <- predict(gp, case$new, se.fit = TRUE)
  level <- predict(gp, case$new, interval = "prediction")
  for (name in c("y", "z")) {
    alone <- learned(case$one(name), parts)
    q <- predict(alone, case$new, se.fit = TRUE)
    same(of_output(p, name), list(fit = q$fit, se = q$se.fit), 1e-8, name)
    same(level[, , name], predict(alone, case$new, interval = "prediction"), 1e-8, paste("the interval of", name))
  }
  same(gp$objective, learned(case$one("y"), parts)$objective + learned(case$one("z"), parts)$objective, 1e-8, "the objective")
})

relation("outputs that are missing", function() {
  # with the points given: what an output says is what the rows say in which it was observed
  case <- draw_outputs(selectors = "fixed", lookbacks = c(0, Inf))
  n <- nrow(case$data)
  away <- sample(4:n, n %/% 3)
  data <- case$data
  data$z[away] <- NA
  gp <- learned(case, batches(data))
  p <- predict(gp, case$new, se.fit = TRUE)
  z <- predict(learned(case$one("z"), list(case$data[-away, ])), case$new, se.fit = TRUE)
  y <- predict(learned(case$one("y")), case$new, se.fit = TRUE)
  same(of_output(p, "z"), list(fit = z$fit, se = z$se.fit), 1e-7, "the output that is missing")
  same(of_output(p, "y"), list(fit = y$fit, se = y$se.fit), 1e-7, "the other output")
})

relation("outputs in another order", function() {
  case <- draw_outputs()
  gp <- learned(case)
  other <- learned(replace(case, "left", "cbind(z, y)"))
  p <- predict(gp, case$new, interval = "prediction")
  same(predict(other, case$new, interval = "prediction")[, , c("y", "z")], p, 1e-9, "the prediction")
  set.seed(case$seed)
  by_matrix <- do.call(streaming_gp, case$args)
  x <- stats::model.matrix(~ . - 1, case$data["a"])
  if (case$right != "a") return()
  parts <- batches(case$data)
  for (part in parts) by_matrix$update(as.matrix(part["a"]), part[shuffled_if(c("y", "z"), part, parts)])
  same(predict(by_matrix, case$new["a"], interval = "prediction"), predict(learned(case, parts), case$new, interval = "prediction"), 1e-9, "x and y")
})
# Later columns are matched by name.
shuffled_if <- function(names, part, parts) if (identical(part, parts[[1]])) names else shuffled(names)

relation("one output is an output", function() {
  case <- draw_outputs()
  gp <- learned(case$one("cbind(y)"))
  other <- learned(case$one("y"))
  same(predict(gp, case$new), predict(other, case$new), 1e-12, "the prediction")
})
