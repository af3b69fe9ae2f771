#' Notation
#'
#' The symbols of the documentation, the code and the state of a model (`as.list(gp)$core`), and the keys by
#' which comments in the sources refer to the literature.
#'
#' Everything is kept in *correlation space*: the kernel is \eqn{k(x, z) = v\, k_1(x, z)}, for the kernels
#' there are with \eqn{k_1(x, x) = 1}, and the variance \eqn{v}, the noise variance \eqn{s_2} and the mean
#' enter only when something is read out.
#'
#' A row says something of the function at its input: its *site*. Rows of the look-back are *open*, kept one
#' by one; when a row leaves the look-back it *settles*: its site is added to the evidence, and the row is
#' dropped (a sample is kept apart, to learn from: the memory). The model is that of all rows, settled and
#' open.
#'
#' | symbol | in the state | meaning |
#' |---|---|---|
#' | X, y, n, D | `seen`, `n` | inputs (observations in rows), outputs, their number (of all rows, and of those that have settled), the number of columns |
#' | Z, M | `Z` | inducing points, in the order in which they joined, and their number |
#' | v, s2 | `kernel`, `noise` | variance of the process, variance of the noise; xi = v / s2 |
#' | rho | `select` | threshold on the correlation: below it a row joins |
#' | L | `L` | lower Cholesky factor of the correlation matrix of Z |
#' | w(x) | `window_w` | feature of a row: L^-1 k1(Z, x) |
#' | r(x) | `window_r` | what the points leave of its variance: k1(x, x) - \|w\|^2, with k1(x, x) = 1 |
#' | om, ga, c, q | `window_s` | the site of a row, c - kappa log s2 - (q - 2 ga f + om f^2) / (2 s2); with Gaussian noise and weight wt they are wt, wt y, log(wt / 2 pi) / 2, wt y^2, and kappa is 1 / 2; a fifth column: how often the row counts |
#' | | `window_apart` | 1 for a row of the look-back that waits for a point and does not count yet (`support` in [selectors]); left out where none does |
#' | t | `window_t` | the time of a row, by which it fades: its number in the stream, or the column that a half-life is measured by |
#' | h, T | `fading` | half-life, the column it is measured by (0: rows), and the latest time there was; `bank.` has the evidence under other half-lives, where these compete ([half_life()]) |
#' | t(x) | `trend` | trend functions, of which the prior mean is made: the constant 1, and columns of x; a row of `trend` each: column (0: the constant), centre, scale, prior variance of the coefficient over v |
#' | P, b, H | `P`, `b`, `H` | the evidence: sums over settled rows of om w w', ga w, om w t' |
#' | Phi, s, con, yy | `Phi`, `s`, `con`, `yy` | sums of om t t', ga t, c and q, y being measured from `offset` |
#' | tau | `tau`, `carried` | sum of om r over settled rows, by the length of their feature; and what changes of points or kernel added |
#' | G, C | `C`, `waiting` | posterior precision I + xi P, P of all rows, and its lower Cholesky factor; what is to be turned into it yet, one column a row |
#' | scale_d, a, delta_d | - | a lengthscale as it is looked for: log l_d = log scale_d + a + delta_d, scale_d being the standard deviation of column d |
#' | Sigma, e; Sigma_0, e_0 | - | posterior covariance of the latest rows and what the posterior leaves of them; the same had they not come |
#' | u | `gp$posterior` | the function at the inducing points |
#' | F | `gp$objective` | the collapsed variational objective |
#'
#' A row that settles adds om w w' to P and ga w to b. Predictions are read out, with P and b of all rows, b
#' measured from the mean, as mean f(x) = mean + xi w'G^-1 b, var f(x) = v (r(x) + w'G^-1 w),
#' var y(x) = var f(x) + s2. In the sources s2 is also called phi, the dispersion.
#'
#' | key | source |
#' |---|---|
#' | GFO21 | Galy-Fajou and Opper (2021), Adaptive Inducing Points Selection for Gaussian Processes, arXiv:2107.10066 |
#' | Bui17 | Bui, Nguyen and Turner (2017), Streaming Sparse Gaussian Process Approximations, NeurIPS |
#' | Titsias09 | Titsias (2009), Variational Learning of Inducing Variables in Sparse Gaussian Processes, AISTATS |
#' | derivation n | section n of `vignette("derivation")`, the package's own |
#'
#' `vignette("derivation")` derives every formula, in sections by which comments in the sources refer to it,
#' names the file that implements it and the test that checks it, and lists the errata of GFO21, each with a
#' computation that shows it.
#' @name notation
NULL
