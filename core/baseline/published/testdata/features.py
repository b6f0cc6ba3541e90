#!/usr/bin/env python3
"""Writes features.json: what linear Sinkhorn with positive random features costs on the problems of oracle.json, over ten
seeds. "drawn" has the features of a generator that the test has too, at a small epsilon, where they err most; "wide" has
features of numpy's own, at an epsilon so large that costs hardly depend on them. POT's Sinkhorn checks the costs
(Debian: python3-numpy python3-scipy python3-pot). Run it in this folder: python3 features.py
"""
import json
import math

import numpy
import ot
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import dijkstra

from oracle import ambient

SEEDS, RANK, SMALL, WIDE = 10, 1000, 2.0, 20.0


def drawn(seed):
    """Normal numbers by Box and Muller from Lehmer's generator."""
    state = seed + 1

    def uniform():
        nonlocal state
        state = state * 48271 % (2**31 - 1)
        return state / (2**31 - 1)

    def normal():
        length = math.sqrt(-2 * math.log(uniform()))
        return length * math.cos(2 * math.pi * uniform())

    return [[normal() for _ in range(3)] for _ in range(RANK)]


def main():
    out = []
    for p in json.load(open("oracle.json")):
        n = p["vertices"]
        i, j, w = zip(*p["edges"])
        d = dijkstra(coo_matrix((w, (i, j)), shape=(n, n)).tocsr(), directed=False)
        a, b = (numpy.array(p[side]) / sum(p[side]) for side in ("source", "target"))
        points = numpy.array(p["positions"])

        def cost(k):
            plan = ot.sinkhorn(a, b, -numpy.log(k), 1, method="sinkhorn_log", numItermax=100000, stopThr=1e-12)
            if abs(plan.sum(1) - a).sum() + abs(plan.sum(0) - b).sum() > 1e-9:
                raise SystemExit("POT has not converged")
            return float((plan * d).sum())

        own = [numpy.random.default_rng(seed).normal(size=(RANK, 3)) for seed in range(SEEDS)]
        out.append(dict(
            drawn=[cost(ambient(points, SMALL, drawn(seed))) for seed in range(SEEDS)],
            wide=[cost(ambient(points, WIDE, normal)) for normal in own],
        ))
    with open("features.json", "w") as file:
        json.dump(dict(rank=RANK, small=SMALL, wide=WIDE, problems=out), file, separators=(",", ":"))
        file.write("\n")


main()
