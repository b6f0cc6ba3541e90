#!/usr/bin/env python3
"""Writes barycentres.json: barycentres of the densities of each problem of oracle.json and of their mean with the uniform density, by POT
(Debian: python3-numpy python3-scipy python3-pot). Run it in this folder: python3 barycentres.py
"""
import json

import numpy
import ot
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import dijkstra

WEIGHTS = [5, 3, 2]


def main():
    with open("oracle.json", encoding="utf-8") as file:
        cases = json.load(file)
    out = []
    for c in cases:
        u, v, w = zip(*c["edges"])
        n, epsilon = c["vertices"], c["epsilon"]
        d = dijkstra(coo_matrix((w, (u, v)), shape=(n, n)).tocsr(), directed=False)
        a, b = (numpy.array(x) / sum(x) for x in (c["source"], c["target"]))
        # POT begins with equal weights, and others would keep that beginning: a density is there as often as it weighs.
        densities = numpy.repeat(numpy.stack([a, b, (a + b) / 4 + 0.5 / n], axis=1), WEIGHTS, axis=1)
        p = ot.bregman.barycenter(densities, d, epsilon, numItermax=10**5, stopThr=1e-13)
        out.append(list(p))
    with open("barycentres.json", "w", encoding="utf-8") as file:
        json.dump(out, file, separators=(",", ":"))
        file.write("\n")


main()
