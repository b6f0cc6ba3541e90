#!/usr/bin/env python3
"""Writes oracle.json: the unregularised optimum of small transport problems on graphs, by POT's emd2 on all distances and by
scipy's linear programs on the edges, which must agree (Debian: python3-numpy python3-scipy python3-pot).
Run it in this folder: python3 oracle.py
"""
import json

import numpy
import ot
from scipy.optimize import linprog
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import dijkstra


def grid(rng, rows, columns, lengths):
    edges = []
    for r in range(rows):
        for c in range(columns):
            for dr, dc in ((0, 1), (1, 0), (1, 1)):
                if r + dr < rows and c + dc < columns:
                    edges.append((r * columns + c, (r + dr) * columns + c + dc, lengths()))
    return rows * columns, edges


def tree(rng, n):
    return n, [(v, int(rng.integers(max(0, v - 6), v)), round(float(rng.uniform(0.1, 1)), 6)) for v in range(1, n)]


def ring(n):
    return n, [(v, (v + 1) % n, 1.0) for v in range(n)] + [(v, (v + 7) % n, 2.5) for v in range(0, n, 3)]


def random(rng, n, m):
    edges = {(v - 1, v): 1.0 for v in range(1, n)}
    while len(edges) < m:
        u, v = sorted(int(x) for x in rng.integers(0, n, 2))
        if u < v:
            edges[u, v] = round(float(rng.exponential()), 6)
    return n, [(u, v, w) for (u, v), w in edges.items()]


def solve(n, edges, a, b):
    u, v, w = (numpy.array(x) for x in zip(*edges))
    a, b = a / a.sum(), b / b.sum()
    d = dijkstra(coo_matrix((w, (u, v)), shape=(n, n)).tocsr(), directed=False)
    pairs = float(ot.emd2(a, b, d, numItermax=10**7))
    m, ones = len(edges), numpy.ones(len(edges))
    out = coo_matrix((numpy.concatenate([ones, -ones, -ones, ones]),
                      (numpy.concatenate([u, v, u, v]), numpy.concatenate([numpy.arange(m)] * 2 + [m + numpy.arange(m)] * 2))), shape=(n, 2 * m))
    flow = linprog(numpy.concatenate([w, w]), A_eq=out.tocsr(), b_eq=a - b, method="highs").fun
    if abs(flow - pairs) > 1e-9 * pairs:
        raise SystemExit("they disagree: %r, %r" % (flow, pairs))
    return pairs


def main():
    rng = numpy.random.default_rng(20240923)
    noisy = lambda n: numpy.round(rng.exponential(size=n) * (rng.uniform(size=n) > 0.25), 6)
    cases = []
    for name, (n, edges), density in (
        ("grid", grid(rng, 9, 11, lambda: round(float(rng.uniform(0.5, 1.5)), 6)), noisy),
        ("grid of equal edges", grid(rng, 10, 10, lambda: 1.0), lambda n: numpy.round(rng.uniform(size=n) * 3)),
        ("tree", tree(rng, 120), noisy),
        ("ring", ring(45), noisy),
        ("two vertices", ring(45), lambda n: (numpy.arange(n) == rng.integers(n)) * 1.0),
        ("random", random(rng, 150, 600), noisy),
    ):
        a, b = density(n), density(n)
        cases.append({"name": name, "vertices": n, "edges": edges, "source": a.tolist(), "target": b.tolist(), "cost": solve(n, edges, a, b)})
    with open("oracle.json", "w", encoding="utf-8") as out:
        json.dump(cases, out, separators=(",", ":"))
        out.write("\n")


main()
