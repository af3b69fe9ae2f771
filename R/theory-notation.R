#' Notation
#'
#' The symbols of the documentation, the code and the state of a model (`as.list(gp)$core`), and the keys by
#' which comments in the sources refer to the literature.
#'
#' Everything is kept in *correlation space*: the kernel is
#' \eqn{k(x, z) = v\, k_1(x, z)}{k(x, z) = v k1(x, z)}, for the kernels there are with
#' \eqn{k_1(x, x) = 1}{k1(x, x) = 1}, and the variance \eqn{v}, the noise variance
#' \eqn{\sigma^2}{s2} and the mean enter only when something is read out.
#'
#' A row says something of the function at its input: its *site*. Rows of the look-back are *open*, kept one
#' by one; when a row leaves the look-back it *settles*: its site is added to the evidence, and the row is
#' dropped (a sample is kept apart, to learn from: the memory). The model is that of all rows, settled and
#' open.
#'
#' In brackets stands what the sources call a symbol, where that is not its letter. Where help is shown as
#' plain text, formulas are written with these names.
#'
#' | symbol | in the state | meaning |
#' |---|---|---|
#' | \eqn{X}, \eqn{y}, \eqn{n}, \eqn{D} | `seen`, `n` | inputs (observations in rows), outputs, their number (of all rows, and of those that have settled), the number of columns |
#' | \eqn{Z}, \eqn{M} | `Z` | inducing points, in the order in which they joined, and their number |
#' | \eqn{v}, \eqn{\sigma^2}{sigma^2} (`s2`), \eqn{\xi}{xi} (`xi`) | `kernel`, `noise` | variance of the process, variance of the noise; \eqn{\xi = v / \sigma^2}{xi = v / s2} |
#' | \eqn{\rho}{rho} (`rho`) | `select` | threshold on the correlation: below it a row joins |
#' | \eqn{L} | `L` | lower Cholesky factor of the correlation matrix of \eqn{Z} |
#' | \eqn{w(x)} | `window_w` | feature of a row: \eqn{L^{-1} k_1(Z, x)}{L^-1 k1(Z, x)} |
#' | \eqn{r(x)} | `window_r` | what the points leave of its variance: \eqn{k_1(x, x) - |w|^2}{k1(x, x) - |w|^2}, with \eqn{k_1(x, x) = 1}{k1(x, x) = 1} |
#' | \eqn{\omega}{omega} (`om`), \eqn{\gamma}{gamma} (`ga`), \eqn{c}, \eqn{q} | `window_s` | the site of a row, \eqn{c - \kappa \log \sigma^2 - (q - 2 \gamma f + \omega f^2) / (2 \sigma^2)}{c - kappa log s2 - (q - 2 ga f + om f^2) / (2 s2)}; with Gaussian noise and weight \eqn{\mathrm{wt}}{wt} they are \eqn{\mathrm{wt}}{wt}, \eqn{\mathrm{wt}\, y}{wt y}, \eqn{\log(\mathrm{wt} / 2\pi) / 2}{log(wt / 2 pi) / 2}, \eqn{\mathrm{wt}\, y^2}{wt y^2}, and \eqn{\kappa}{kappa} is 1 / 2; a fifth column: how often the row counts |
#' | | `window_apart` | 1 for a row of the look-back that waits for a point and does not count yet (`support` in [selectors]); left out where none does |
#' | \eqn{t} | `window_t` | the time of a row, by which it fades: its number in the stream, or the column that a half-life is measured by |
#' | \eqn{h}, \eqn{T} | `fading` | half-life, the column it is measured by (0: rows), and the latest time there was; `bank.` has the evidence under other half-lives, where these compete ([half_life()]) |
#' | \eqn{t(x)} | `trend` | trend functions, of which the prior mean is made: the constant 1, and columns of \eqn{x}; a row of `trend` each: column (0: the constant), centre, scale, prior variance of the coefficient over \eqn{v} |
#' | \eqn{P}, \eqn{b}, \eqn{H} | `P`, `b`, `H` | the evidence: sums over settled rows of \eqn{\omega w w^\top}{om w w'}, \eqn{\gamma w}{ga w}, \eqn{\omega w t^\top}{om w t'} |
#' | \eqn{\Phi}{Phi} (`Phi`), \eqn{s}, \eqn{\mathrm{con}}{con}, \eqn{\mathrm{yy}}{yy} | `Phi`, `s`, `con`, `yy` | sums of \eqn{\omega t t^\top}{om t t'}, \eqn{\gamma t}{ga t}, \eqn{c} and \eqn{q}, \eqn{y} being measured from `offset` |
#' | \eqn{\tau}{tau} (`tau`) | `tau`, `carried` | sum of \eqn{\omega r}{om r} over settled rows, by the length of their feature; and what changes of points or kernel added |
#' | \eqn{G}, \eqn{C} | `C`, `waiting` | posterior precision \eqn{I + \xi P}{I + xi P}, \eqn{P} of all rows, and its lower Cholesky factor; what is to be turned into it yet, one column a row |
#' | \eqn{\mathrm{scale}_d}{scale_d}, \eqn{a}, \eqn{\delta_d}{delta_d} (`delta_d`) | - | a lengthscale as it is looked for: \eqn{\log l_d = \log \mathrm{scale}_d + a + \delta_d}{log l_d = log scale_d + a + delta_d}, \eqn{\mathrm{scale}_d}{scale_d} being the standard deviation of column \eqn{d} |
#' | \eqn{\Sigma}{Sigma} (`Sigma`), \eqn{e}; \eqn{\Sigma_0}{Sigma_0} (`Sigma_0`), \eqn{e_0} | - | posterior covariance of the latest rows and what the posterior leaves of them; the same had they not come |
#' | \eqn{u} | `gp$posterior` | the function at the inducing points |
#' | \eqn{F} | `gp$objective` | the collapsed variational objective |
#'
#' A row that settles adds \eqn{\omega w w^\top}{om w w'} to \eqn{P} and \eqn{\gamma w}{ga w} to \eqn{b}.
#' Predictions are read out, with \eqn{P} and \eqn{b} of all rows, \eqn{b} measured from the mean, as
#' \eqn{\mathrm{mean}\, f(x) = \mathrm{mean} + \xi\, w^\top G^{-1} b}{mean f(x) = mean + xi w'G^-1 b},
#' \eqn{\mathrm{var}\, f(x) = v\, (r(x) + w^\top G^{-1} w)}{var f(x) = v (r(x) + w'G^-1 w)},
#' \eqn{\mathrm{var}\, y(x) = \mathrm{var}\, f(x) + \sigma^2}{var y(x) = var f(x) + s2}.
#' In the sources \eqn{\sigma^2}{s2} is also called `phi`, the dispersion.
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
