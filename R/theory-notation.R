#' Notation
#'
#' The symbols of the documentation, the code and the state of a model (`as.list(gp)$core`), and the keys by which comments in
#' the sources refer to the literature.
#'
#' Everything is kept in *correlation space*: the kernel is \eqn{k(x, z) = v\, k_1(x, z)} with \eqn{k_1(x, x) = 1}, and the
#' variance \eqn{v} and the noise variance \eqn{s_2} enter only when something is read out.
#'
#' | symbol | in the state | meaning |
#' |---|---|---|
#' | X, y, n, D | `n` | inputs (observations in rows), outputs, their number, the number of columns |
#' | Z, M | `Z` | inducing points, in the order in which they joined, and their number |
#' | v, s2 | `kernel`, `noise` | variance of the process, variance of the noise; xi = v / s2 |
#' | rho | `select` | threshold on the correlation: below it a row joins |
#' | L | `L` | lower Cholesky factor of the correlation matrix of Z |
#' | w(x) | `window_w` | feature of a row: L^-1 k1(Z, x) |
#' | r(x) | `window_r` | what the points leave of its variance: 1 - \|w\|^2 |
#' | P, b, h | `P`, `b`, `h` | the evidence: sums over rows of w w', w y, w |
#' | yy | `yy`, `sum_y` | sums of y^2 and of y, measured from `offset` |
#' | tau | `tau`, `carried` | sum of r over rows, by the length of their feature; and what changes of points or kernel added |
#' | G, C | `C` | posterior precision I + xi P, and its lower Cholesky factor |
#' | u | `gp$posterior` | the function at the inducing points |
#' | F | `gp$objective` | the collapsed variational objective |
#'
#' A new row adds w w' to P and w y to b. Predictions are read out as
#' mean f(x) = mean + xi w'G^-1 b, var f(x) = v (r(x) + w'G^-1 w), var y(x) = var f(x) + s2.
#'
#' | key | source |
#' |---|---|
#' | GFO21 | Galy-Fajou and Opper (2021), Adaptive Inducing Points Selection for Gaussian Processes, arXiv:2107.10066 |
#' | Bui17 | Bui, Nguyen and Turner (2017), Streaming Sparse Gaussian Process Approximations, NeurIPS |
#' | Titsias09 | Titsias (2009), Variational Learning of Inducing Variables in Sparse Gaussian Processes, AISTATS |
#' | derivation n | section n of `vignette("derivation")`, the package's own |
#'
#' `vignette("derivation")` derives every formula, in sections by which comments in the sources refer to it, names the file that
#' implements it and the test that checks it, and lists the errata of GFO21, each with a computation that shows it.
#' @name notation
NULL
