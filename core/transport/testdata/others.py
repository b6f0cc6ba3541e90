#!/usr/bin/env python3
"""Writes others.json: unbalanced plans, Sinkhorn divergences and barycentres, of distance and of its square, of the problems of oracle.json, by POT
(Debian: python3-numpy python3-scipy python3-pot). Run it in this folder: python3 others.py (three minutes)
"""
import json

import numpy
import ot
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import dijkstra


def kl(p, q):
    on = p > 0
    return float((p[on] * numpy.log(p[on] / q[on])).sum() - p.sum() + q.sum())


def unbalanced(a, b, d, epsilon, reach):
    # POT's reference is the counting measure. That of a product of masses is part of the cost.
    i, j = a > 0, b > 0
    product = numpy.outer(a[i], b[j]) / numpy.sqrt(a.sum() * b.sum())
    d = d[numpy.ix_(i, j)]
    p = ot.unbalanced.sinkhorn_unbalanced(a[i], b[j], d - epsilon * numpy.log(product), epsilon, reach, numItermax=10**6, stopThr=1e-16)
    cost = float((p * d).sum())
    relaxed = kl(p.sum(axis=1), a[i]) + kl(p.sum(axis=0), b[j])
    return {"reach": reach, "cost": cost, "primal": cost + epsilon * kl(p, product) + reach * relaxed, "moved": float(p.sum())}


def entropic(a, b, d, epsilon):
    i, j = a > 0, b > 0
    a, b, d = a[i], b[j], d[numpy.ix_(i, j)]
    p = ot.sinkhorn(a, b, d, epsilon, method="sinkhorn_log", numItermax=10**6, stopThr=1e-13)
    return float((p * d).sum() + epsilon * kl(p, numpy.outer(a, b)))


def barycentre(a, b, d, epsilon):
    # Of both densities and one between them and the uniform one, with weights of 5, 3 and 2. POT begins with equal weights, and others would keep
    # that beginning: a density is there as often as it weighs.
    densities = numpy.stack([a, b, (a + b) / 4 + 0.5 / len(a)], axis=1)
    return list(ot.bregman.barycenter(numpy.repeat(densities, [5, 3, 2], axis=1), d, epsilon, numItermax=10**5, stopThr=1e-13))


def main():
    with open("oracle.json", encoding="utf-8") as file:
        cases = json.load(file)
    others = []
    for c in cases:
        u, v, w = zip(*c["edges"])
        n, epsilon = c["vertices"], c["epsilon"]
        d = dijkstra(coo_matrix((w, (u, v)), shape=(n, n)).tocsr(), directed=False)
        a, b = (numpy.array(x) / sum(x) for x in (c["source"], c["target"]))
        others.append({
            "unbalanced": [unbalanced(a, 1.7 * b, d, epsilon, r) for r in (0.5, 4.0)],
            "divergence": entropic(a, b, d, epsilon) - (entropic(a, a, d, epsilon) + entropic(b, b, d, epsilon)) / 2,
            "barycentre": barycentre(a, b, d, epsilon),
            "squared": barycentre(a, b, d * d, epsilon * d.max()),
        })
    with open("others.json", "w", encoding="utf-8") as out:
        json.dump(others, out, separators=(",", ":"))
        out.write("\n")


main()
