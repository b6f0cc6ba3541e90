#!/usr/bin/env python3
"""Writes oracle.json: small transport problems on graphs, solved with the
kernels of the published methods, made dense by numpy and scipy straight from
their definitions, and by POT's Sinkhorn, Greenkhorn and Screenkhorn (Debian: python3-numpy python3-scipy
python3-pot). Costs are on true graph distances.
Run it in this folder: python3 oracle.py
"""
import json

import numpy
import ot
from scipy.linalg import expm
from scipy.optimize import fmin_l_bfgs_b
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import dijkstra
from scipy.special import ive, lambertw


def grid(rng, rows, columns):
    points = [[c + rng.uniform(-0.3, 0.3), r + rng.uniform(-0.3, 0.3), rng.uniform(0, 0.4)] for r in range(rows) for c in range(columns)]
    points = numpy.round(points, 6)
    edges = []
    for r in range(rows):
        for c in range(columns):
            for dr, dc in ((0, 1), (1, 0), (1, 1)):
                if r + dr < rows and c + dc < columns:
                    i, j = r * columns + c, (r + dr) * columns + c + dc
                    edges.append((i, j, round(float(numpy.linalg.norm(points[i] - points[j])), 6)))
    return points, edges


def sinkhorn(a, b, k, d):
    """The cost of the plan with kernel k, checked by POT where k comes from a cost."""
    if k.min() < -1e-12 * k.max():
        return None
    u, v = numpy.ones(len(a)), numpy.ones(len(b))
    for _ in range(20000):
        s = k @ v
        if s.min() <= 0:
            return None
        u = a / s
        if not numpy.isfinite(u).all():
            return "infeasible"
        s = k.T @ u
        if s.min() <= 0:
            return None
        v = b / s
        if abs(u * (k @ v) - a).sum() < 1e-13:
            break
    else:
        return "infeasible"  # too few entries for the masses
    p = u[:, None] * k * v
    if k.min() > 0:
        other = ot.sinkhorn(a, b, -numpy.log(k), 1, method="sinkhorn_log", numItermax=100000, stopThr=1e-13)
        if abs((other * d).sum() - (p * d).sum()) > 1e-9 * (p * d).sum():
            raise SystemExit("POT disagrees")
    return float((p * d).sum())


def greenkhorn(a, b, k, d, updates):
    """Altschuler, Weed and Rigollet 2017, Algorithm 4, a whole plan for every step."""
    u, v = numpy.full(len(a), 1 / k.sum()), numpy.ones(len(b))
    rho = lambda m, s: s - m + m * numpy.log(m / s)
    for _ in range(updates):
        r, c = u * (k @ v), v * (k.T @ u)
        gr, gc = rho(a, r), rho(b, c)
        i, j = gr.argmax(), gc.argmax()
        if gr[i] >= gc[j]:
            u[i] *= a[i] / r[i]
        else:
            v[j] *= b[j] / c[j]
    return float((u[:, None] * k * v * d).sum())


def screenkhorn(a, b, d, epsilon, budget):
    """POT's, with SciPy's L-BFGS-B run to its end, checked by the conditions of optimality."""
    ends = {}

    def solve(func, x0, bounds, **_):
        x = x0
        for _ in range(20):
            x, _, _ = fmin_l_bfgs_b(func, x, bounds=bounds, maxfun=10**6, maxiter=10**6, pgtol=1e-14, factr=1, m=50)
        low, high = numpy.array(bounds).T
        g = func(x)[1] * x  # of the logarithms
        ends["missed"] = abs(numpy.where((g > 0) & (x <= low) | (g < 0) & (x >= high), 0, g)).sum()
        return x, None, None

    ot.bregman.fmin_l_bfgs_b = solve
    keep = int(budget * len(a))
    p, log = ot.bregman.screenkhorn(a, b, d, epsilon, keep, keep, log=True)
    if keep < len(a):  # rounding may take POT's thresholds for others
        k = numpy.exp(-d / epsilon)
        least = [numpy.sort(m / k.sum(1))[-keep] for m in (a, b)]
        if abs(log["u"][~log["Isel"]] * log["v"][~log["Jsel"]] / numpy.sqrt(least[0] * least[1]) - 1).max() > 1e-12:
            return None
    if ends["missed"] > 1e-5:
        raise SystemExit("SciPy's L-BFGS-B has not converged")
    return float((p * d).sum())


def nystroem(d, epsilon, rank):
    marks, far = [0], d[0].copy()
    while len(marks) < rank:
        marks.append(int(far.argmax()))
        far = numpy.minimum(far, d[marks[-1]])
    c = numpy.exp(-d[:, marks] / epsilon)
    w = c[marks]
    return c @ numpy.linalg.pinv(w, rcond=rank * 2.0**-52, hermitian=True) @ c.T


def laplacian(n, edges):
    w = numpy.zeros((n, n))
    for i, j, x in edges:
        w[i, j] = w[j, i] = 1 / x
    return numpy.diag(w.sum(0)) - w


def heat(n, edges, time, degree):
    l = laplacian(n, edges)
    bound = max(l[i, i] + l[j, j] for i, j, _ in edges)
    z, m = time * bound / 2, 2 * l / bound - numpy.eye(n)
    last, now = numpy.eye(n), m
    k = ive(0, z) * last - 2 * ive(1, z) * now
    for order in range(2, degree + 1):
        last, now = now, 2 * m @ now - last
        k += 2 * (-1) ** order * ive(order, z) * now
    return k


def ambient(points, epsilon, normal):
    x = points - (points.min(0) + points.max(0)) / 2
    beta, m = epsilon**2, 3
    r2 = (x**2).sum(1).max()
    q = r2 / (2 * beta * m * lambertw(r2 / (beta * m)).real)
    u = numpy.array(normal) * numpy.sqrt(q * beta / 4)
    phi = (2 * q) ** (m / 4) * numpy.exp(-2 / beta * ((x[:, None] - u) ** 2).sum(2) + (u**2).sum(1) / (q * beta))
    return phi @ phi.T / len(normal)


def main():
    cases = []
    for seed, rows, columns, epsilon in ((1, 6, 7, 1.0), (2, 5, 12, 2.0), (3, 8, 8, 0.6)):
        rng = numpy.random.default_rng(seed)
        points, edges = grid(rng, rows, columns)
        n = len(points)
        i, j, w = zip(*edges)
        d = dijkstra(coo_matrix((w, (i, j)), shape=(n, n)).tocsr(), directed=False)
        a, b = (numpy.round(rng.exponential(size=n) + 0.01, 6) for _ in range(2))
        source, target = a.tolist(), b.tolist()
        a, b = a / a.sum(), b / b.sum()
        k = numpy.exp(-d / epsilon)
        tests = []

        def add(method, kernel, **settings):
            cost = sinkhorn(a, b, kernel, d)
            if cost == "infeasible":
                return
            tests.append(dict(method=method, refused=cost is None, cost=cost or 0, **settings))

        add("dense", k)
        for threshold in (1e-1, 1e-2, 1e-4, 1e-300):
            add("sparse", numpy.where(k >= threshold, k, 0), threshold=threshold)
        for rank in (n // 8, n // 2, n - n // 8, n):
            add("nystroem", nystroem(d, epsilon, rank), rank=rank)
        for time, degree in ((epsilon / 4, 20), (epsilon, 40), (4 * epsilon, 60)):
            add("heat", heat(n, edges, time, degree), time=time, degree=degree)
        add("heat", expm(-epsilon * laplacian(n, edges)), time=epsilon, degree=200)
        for count in (16, 64):
            normal = numpy.round(rng.normal(size=(count, 3)), 6).tolist()
            add("ambient", ambient(points, epsilon, normal), normal=normal)
        for updates in (1, 50, 400):
            tests.append(dict(method="greenkhorn", refused=False, updates=updates, cost=greenkhorn(a, b, k, d, updates)))
        for budget in (0.25, 0.4, 0.5, 0.6, 0.75, 1):
            cost = screenkhorn(a, b, d, epsilon, budget)
            if cost is not None:
                tests.append(dict(method="screenkhorn", refused=False, budget=budget, cost=cost))
        limit = ot.bregman.greenkhorn(a, b, d, epsilon, numItermax=1000000, stopThr=1e-13)
        if abs(limit.sum(0) - b).sum() + abs(limit.sum(1) - a).sum() > 1e-10:
            raise SystemExit("POT's Greenkhorn has not converged")
        tests.append(dict(method="greenkhorn", refused=False, updates=1000000, cost=float((limit * d).sum())))
        cases.append(dict(vertices=n, edges=edges, positions=points.tolist(), source=source, target=target, epsilon=epsilon, tests=tests))
    with open("oracle.json", "w") as file:
        json.dump(cases, file, separators=(",", ":"))
        file.write("\n")


if __name__ == "__main__":
    main()
