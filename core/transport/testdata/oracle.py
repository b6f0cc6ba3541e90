#!/usr/bin/env python3
"""Writes oracle.json: small transport problems on graphs, solved by numpy and
scipy and checked against POT (Debian: python3-numpy python3-scipy python3-pot).
Run it in this folder: python3 oracle.py
"""
import json

import numpy
import ot
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import dijkstra
from scipy.special import logsumexp


def grid(rng, rows, columns):
    edges = []
    for r in range(rows):
        for c in range(columns):
            for dr, dc in ((0, 1), (1, 0), (1, 1)):
                if r + dr < rows and c + dc < columns:
                    edges.append((r * columns + c, (r + dr) * columns + c + dc, round(float(rng.uniform(0.5, 1.5)), 6)))
    return rows * columns, edges


def tree(rng, n):
    return n, [(v, int(rng.integers(max(0, v - 6), v)), round(float(rng.uniform(0.1, 1)), 6)) for v in range(1, n)]


def ring(rng, n):
    return n, [(v, (v + 1) % n, 1.0) for v in range(n)] + [(v, (v + 7) % n, 2.5) for v in range(0, n, 3)]


def density(rng, n):
    a = numpy.round(rng.exponential(size=n) * (rng.uniform(size=n) > 0.25), 6)
    a[0] += 0.001
    return a


def solve(n, edges, a, b, epsilon):
    u, v, w = zip(*edges)
    d = dijkstra(coo_matrix((w, (u, v)), shape=(n, n)).tocsr(), directed=False)
    a, b = a / a.sum(), b / b.sum()
    i, j = a > 0, b > 0
    a, b, d = a[i], b[j], d[numpy.ix_(i, j)]
    k, f, g = -d / epsilon, numpy.zeros(len(a)), numpy.zeros(len(b))
    for _ in range(200000):
        f = numpy.log(a) - logsumexp(k + g, axis=1)
        g = numpy.log(b) - logsumexp(k.T + f, axis=1)
        p = numpy.exp(f[:, None] + k + g)
        if abs(p.sum(axis=1) - a).sum() < 1e-14:
            break
    else:
        if abs(p.sum(axis=1) - a).sum() > 1e-12:
            raise SystemExit("no convergence")
    cost, dual = float((p * d).sum()), float(epsilon * (a @ f + b @ g))
    other = ot.sinkhorn(a, b, d, epsilon, method="sinkhorn_log", numItermax=200000, stopThr=1e-13)
    if abs((other * d).sum() - cost) > 1e-9 * cost:
        raise SystemExit("POT disagrees: %r, %r" % ((other * d).sum(), cost))
    return cost, dual


def main():
    rng = numpy.random.default_rng(20240607)
    cases = []
    for name, (n, edges), epsilons in (
        ("grid", grid(rng, 9, 11), (2.0, 0.4)),
        ("tree", tree(rng, 120), (1.0, 0.25)),
        ("ring", ring(rng, 45), (3.0, 1.0)),
        ("long grid", grid(rng, 4, 45), (6.0, 1.5)),
    ):
        a, b = density(rng, n), density(rng, n)
        for epsilon in epsilons:
            cost, dual = solve(n, edges, a, b, epsilon)
            cases.append({
                "name": name, "vertices": n, "edges": edges, "source": a.tolist(), "target": b.tolist(),
                "epsilon": epsilon, "cost": cost, "dual": dual,
            })
    with open("oracle.json", "w", encoding="utf-8") as out:
        json.dump(cases, out, separators=(",", ":"))
        out.write("\n")


main()
