# Writes tests/testthat/fixtures/log-esp.json: python3 tools/log-esp.py  (needs mpmath; seconds)
# Reference values of the k-DPP to 17 digits, computed with 200 digits from inputs that are exact in double precision.
import json
from decimal import Decimal, getcontext

import mpmath as mp

getcontext().prec = 220
mp.mp.dps = 200


# lambda_i = ((7919 i) mod 10007 + 1) / 2^floor(i / 40), i = 0, ..., 1999: over 18 decades
def spectrum():
    numbers = [Decimal((7919 * i) % 10007 + 1) / Decimal(2) ** (i // 40) for i in range(2000)]
    e = [Decimal(1)] + [Decimal(0)] * 2000
    for n, x in enumerate(numbers):
        for j in range(n + 1, 0, -1):
            e[j] += x * e[j - 1]
    k = [0, 1, 2, 5, 10, 50, 100, 500, 1000, 1500, 1900, 1999, 2000]
    return {"k": k, "log_e": [float(e[j].ln()) for j in k]}


# Rows i / 64, i = 0, ..., 59, squared exponential kernel with lengthscale 1/2; the set of k rows floor(60 j / k), j = 0, ..., k - 1
def kernel():
    n = 60
    K = mp.matrix(n, n)
    for i in range(n):
        for j in range(n):
            K[i, j] = mp.exp(-(mp.mpf(i - j) / 32) ** 2)
    e = [mp.mpf(1)] + [mp.mpf(0)] * n
    for x in mp.eigsy(K, eigvals_only=True):
        for j in range(n, 0, -1):
            e[j] += x * e[j - 1]
    log_e, log_p = [], []
    for k in range(1, 16):
        rows = [i * n // k for i in range(k)]
        block = mp.matrix(k, k)
        for a in range(k):
            for b in range(k):
                block[a, b] = K[rows[a], rows[b]]
        log_e.append(float(mp.log(e[k])))
        log_p.append(float(mp.log(mp.det(block)) - mp.log(e[k])))
    return {"log_e": log_e, "log_p": log_p}


about = "written by tools/log-esp.py, which says what the inputs are; 200 digits, rounded to double precision"
with open("tests/testthat/fixtures/log-esp.json", "w") as file:
    json.dump({"about": about, "spectrum": spectrum(), "kernel": kernel()}, file, indent=1)
    file.write("\n")
