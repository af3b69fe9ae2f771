# W6: classes and counts, a stream in batches of 200. Each batch is foretold, scored, then learned; a peer, which cannot learn a batch, is
# fitted anew to all rows so far. Seconds of all the learning; the log score is the mean log probability of the observations
# foretold, the RMSE that of their probabilities or means.

observed <- list(
  classes = list(likelihood = likelihood_bernoulli, mean = plogis, family = binomial(), draw = function(p) as.numeric(runif(length(p)) < p),
                 density = function(y, p) log(ifelse(y == 1, p, 1 - p))),
  counts = list(likelihood = likelihood_poisson, mean = exp, family = poisson(), draw = function(mu) rpois(length(mu), mu),
                density = function(y, mu) dpois(y, mu, log = TRUE))
)

families <- function(quick) do.call(rbind, lapply(if (quick) "classes" else names(observed), family_case, n = if (quick) 400 else 2000))

family_case <- function(kind, n) {
  about <- observed[[kind]]
  data <- with_seed(12, {
    x <- matrix(runif(2 * n), ncol = 2)
    mean <- about$mean(2 * target(2)(x))
    list(x = x, mean = mean, y = about$draw(mean))
  })
  batches <- split(seq_len(n), ceiling(seq_len(n) / 200))
  # learn(rows) takes them in, foretell(x, y) gives list(mean, log_density)
  streamed <- function(begin) function() {
    told <- NULL
    method(function() {
      model <- begin()
      told <<- list(mean = data$mean[batches[[1]]], log_density = NULL) # nothing is foretold of the first
      took <- 0
      for (rows in batches) {
        if (rows[1] > 1) {
          p <- model$foretell(data$x[rows, ], data$y[rows])
          told <<- list(mean = c(told$mean, p$mean), log_density = c(told$log_density, p$log_density))
        }
        took <- took + timed(model$learn(rows))
      }
      took
    }, predict = function(x) told, rows = function() n)
  }
  own <- function() {
    gp <- streaming_gp(likelihood = about$likelihood())
    list(learn = function(rows) suppressMessages(gp$update(data$x[rows, ], data$y[rows])),
         foretell = function(x, y) list(mean = predict(gp, x), log_density = gp$score(x, y)$log_density))
  }
  refitted <- function(peer) function() {
    model <- NULL
    list(learn = function(rows) model <<- peer$refit(data$x[seq_len(max(rows)), ], data$y[seq_len(max(rows))], about$family),
         foretell = function(x, y) {
           mean <- peer$expect(model, x)
           list(mean = mean, log_density = about$density(y, mean))
         })
  }
  others <- Filter(function(peer) about$family$family %in% peer$families, installed_peers())
  truth <- function() list(learn = function(rows) NULL, foretell = function(x, y) {
    mean <- about$mean(2 * target(2)(x))
    list(mean = mean, log_density = about$density(y, mean))
  })
  measure("W6 likelihoods", sprintf("%s, %d rows in batches of 200", kind, n), "s", test = list(f = data$mean), rounds = 1,
          makers = c(list(gpstream = streamed(own)), lapply(lapply(others, refitted), streamed), list("the function itself" = streamed(truth))))
}
