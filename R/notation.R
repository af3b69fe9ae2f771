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
#' | derivation n | section n of this package's own derivation, below |
#'
#' @section Derivation:
#' **1. Model.** f is a Gaussian process with constant mean and kernel k; y = f(x) + noise of variance s2; u = f(Z).
#'
#' **2. Evidence.** With u - mean = sqrt(v) L nu and nu standard normal a priori, a row's conditional mean given u is
#' sqrt(v) w'nu and its conditional variance v r(x). The optimal q(nu) of the variational bound therefore has precision
#' G = I + xi P and mean (sqrt(v) / s2) G^-1 b: sums over rows in which neither v nor s2 appears. When a point z joins,
#' the factor L gets the row (l', d) with l = L^-1 k1(Z, z) and d^2 = 1 - \|l\|^2; the entries that features have already do
#' not change, and the new entry is (k1(z, x) - l'w) / d for the rows of the look-back window. For rows that are gone it is
#' set to 0, which is the streaming update of Bui17 for nested points.
#'
#' **3. Other v, s2 and mean** read the same sums, so changing them is exact. With P = Q diag(lambda) Q', g = Q'b, q = Q'h and
#' d_j = xi / (1 + xi lambda_j), and measuring y from a mean shifted by m, the residual sum of squares is
#' a - 2 m c + m^2 e with a = yy - sum d g^2, c = sum_y - sum d g q, e = n - sum d q^2. So the best mean is c / e, the best noise
#' that sum over n, and F = -1/2 sum log(1 + xi lambda_j) - n/2 (log(2 pi s2) + 1) - xi tau/2 is left to be maximised over xi
#' alone; v = xi s2.
#'
#' **4. Other points or another kernel.** The old evidence is a Gaussian factor of u_old = f(Z_old) with precision
#' L_old^-T (P_old / s2) L_old^-1. Its expectation given the new u is the factor with P = S P_old S', b = S b_old, where
#' S = L^-1 k1(Z, Z_old) L_old^-T under the new kernel, and the residual grows by
#' tr(P_old (L_old^-1 k1(Z_old, Z_old) L_old^-T - S'S)). A prime is a transpose.
#'
#' **5. Objective.** F = -1/2 log\|G\| + xi/(2 s2) b'G^-1 b - n/2 log(2 pi s2) - yy/(2 s2) - xi tau/2. For points that are
#' fixed from the start this is the bound of Titsias09 on the log evidence. While points are being added it is the sum of
#' the streaming bounds of GFO21, which is not a bound. The bound of one batch, F after it minus F before it, is
#' -KL(q(u) || p(u)) + E log p(y | f) + KL(q(u_old) || p(u_old)) - KL(q(u_old) || q_old(u_old)), q being the posterior after the batch.
#'
#' **6. Gradients.** Rows at hand X (look-back and batch) have features W = L^-1 k1(Z, X); the evidence of the others, P_old = R R', is
#' carried by S as in 4. With a = G^-1 b and Q = xi G^-1 P, which is I - G^-1 without its cancellation, reverse accumulation gives
#' dF/dW = xi (Q W + a (y - xi W'a)'/s2) and dF/dS = xi (Q S P_old + a (b_old - xi P_old S'a)'/s2), hence
#' dF/dk1(Z, X) = L^-T dF/dW, dF/dk1(Z, Z_old) = L^-T dF/dS L_old^-1, dF/dk1(Z_old, Z_old) = -xi/2 L_old^-T P_old L_old^-1 and
#' dF/dk1(Z, Z) = -1/2 L^-T xi (Q P + a a'/s2) L^-1, which is symmetric because F does not change when L is rotated. The kernel pulls
#' these back to its parameters and to Z. Through the amplitude, dF/dlog xi = 1/2 (xi \|a\|^2/s2 - tr Q - xi tau).
#' @name notation
NULL
