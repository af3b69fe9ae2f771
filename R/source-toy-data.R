#' Toy streams A, B and C
#'
#' Three streams with one input column, on which ways to choose inducing points differ. Galy-Fajou and Opper
#' compare theirs on three toy data sets of 200 points that come in 4 batches, and show figures of the results
#' only. These are ours, in that spirit, and not their data.
#' \itemize{
#'   \item A: inputs equally spaced and in order, as in a time series. Each batch is a new stretch. A smooth
#'     function, noise of standard deviation 0.1.
#'   \item B: inputs in five clusters of different width and density, with gaps between them, and in order. A
#'     smooth function, noise 0.1.
#'   \item C: inputs uniform and in no order, so that each batch visits everything anew. A function that is
#'     slow on the left and five times as fast on the right, noise 0.2.
#' }
#' All inputs lie between 0 and 10. The functions are fixed; the inputs (but those of A) and the noise are
#' random.
#'
#' @param name `"A"`, `"B"` or `"C"`.
#' @param n Number of observations, at least 4.
#' @param seed `NULL` to draw from the random number generator as it stands, or a seed for this call only:
#'   then the data are the same whatever generator is in use, and its state is put back afterwards.
#' @return A list with
#' \describe{
#'   \item{`x`, `y`}{the `n` observations, in the order of the stream,}
#'   \item{`batch`}{a number from 1 to 4 for each of them,}
#'   \item{`x_test`, `y_test`}{200 more observations of the same process, sorted. Their inputs come from the
#'     same distribution; those of A are uniform,}
#'   \item{`f`}{the true function, for plots.}
#' }
#' @examples
#' toy <- toy_data("B", seed = 1)
#' plot(toy$x, toy$y, col = toy$batch)
#' curve(toy$f(x), add = TRUE)
#'
#' gp <- streaming_gp(kernel = kernel_se(lengthscale = 1, variance = 1), noise = 0.01)
#' for (i in 1:4) gp$update(toy$x[toy$batch == i], toy$y[toy$batch == i])
#' sqrt(mean((toy$y_test - predict(gp, toy$x_test))^2))
#' @references
#' Galy-Fajou, T. and Opper, M. (2021) Adaptive Inducing Points Selection for Gaussian Processes.
#' arXiv:2107.10066.
#' @seealso `vignette("experiments")`
#' @export
toy_data <- function(name = c("A", "B", "C"), n = 200, seed = NULL) {
  name <- check_choice(name, c("A", "B", "C"), "name")
  n <- check_count(n, "n", 4, most = 1e7)
  if (!is.null(seed)) {
    seed <- check_count(seed, "seed", -.Machine$integer.max, most = .Machine$integer.max)
    if (!exists(".Random.seed", envir = globalenv(), inherits = FALSE)) stats::runif(1)
    before <- get(".Random.seed", envir = globalenv(), inherits = FALSE)
    on.exit(assign(".Random.seed", before, envir = globalenv()))
    set.seed(seed, "Mersenne-Twister", "Inversion", "Rejection")
  }
  toy <- toy_streams[[name]]
  x <- toy$inputs(n)
  x_test <- sort(if (name == "A") stats::runif(200, 0, 10) else toy$inputs(200))
  list(
    x = x, y = toy$f(x) + stats::rnorm(n, sd = toy$noise), batch = as.integer(ceiling(4 * seq_len(n) / n)),
    x_test = x_test, y_test = toy$f(x_test) + stats::rnorm(200, sd = toy$noise), f = toy$f
  )
}

toy_streams <- list(
  A = list(
    inputs = function(n) seq(0, 10, length.out = n), f = function(x) sin(2 * x) + cos(0.7 * x), noise = 0.1
  ),
  B = list(
    inputs = function(n) sort(clustered(n)), f = function(x) sin(1.5 * x) + 0.4 * sin(3.5 * x), noise = 0.1
  ),
  C = list(
    inputs = function(n) stats::runif(n, 0, 10), f = function(x) sin(x) + (x > 5) * sin(5 * (x - 5)),
    noise = 0.2
  )
)

# Five stretches of [0, 10] and how much of the data each of them gets.
clustered <- function(n) {
  from <- c(0, 1.8, 3.5, 6.2, 9)
  to <- c(1, 2.1, 5, 7.8, 10)
  cluster <- sample(5, n, replace = TRUE, prob = c(0.15, 0.25, 0.1, 0.35, 0.15))
  stats::runif(n, from[cluster], to[cluster])
}
