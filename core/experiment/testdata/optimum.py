#!/usr/bin/env python3
"""Writes optimum.json: the unregularised optimum between two densities on five small meshes, by POT's network
simplex (Debian: python3-numpy python3-scipy python3-pot). The meshes are the tool's.
Run it in this folder: python3 optimum.py
"""
import json
import os
import subprocess
import tempfile

import numpy
import ot
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import dijkstra

MESHES = (
    ("sphere", {"frequency": 4}),
    ("torus", {"segments": 20, "sides": 8}),
    ("multi-torus", {"genus": 1, "edge": 0.2}),
    ("dumbbell", {"radius": 6}),
    ("pseudo-genus", {"order": 2, "vertices": 200}),
)


def mesh(kind, params):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "mesh.off")
        flags = [x for name, value in params.items() for x in ("-" + name, str(value))]
        subprocess.run(["go", "run", "genussink/cmd/genussink", "generate", kind, *flags, "-out", path], check=True, stdout=subprocess.DEVNULL)
        with open(path, encoding="utf-8") as file:
            words = iter([w for line in file for w in line.split("#")[0].split()][1:])
    vertices, faces, _ = (int(next(words)) for _ in range(3))
    points = numpy.array([[float(next(words)) for _ in range(3)] for _ in range(vertices)])
    edges = set()
    for _ in range(faces):
        face = [int(next(words)) for _ in range(int(next(words)))]
        edges.update((min(u, v), max(u, v)) for u, v in zip(face, face[1:] + face[:1]))
    return points, sorted(edges)


def main():
    cases = []
    for kind, params in MESHES:
        points, edges = mesh(kind, params)
        u, v = numpy.array(edges).T
        n = len(points)
        d = dijkstra(coo_matrix((numpy.linalg.norm(points[u] - points[v], axis=1), (u, v)), shape=(n, n)).tocsr(), directed=False)
        # Two bumps a side about far vertices, with dust of no mass at all at every ninth.
        first = int(d[0].argmax())
        far = [first, int(d[first].argmax())]
        far.append(int(numpy.minimum(d[far[0]], d[far[1]]).argmax()))
        bump = lambda i, width: numpy.exp(-((d[i] / (width * d.max())) ** 2))
        a, b = bump(far[0], 0.2) + 0.3 * bump(far[2], 0.1), bump(far[1], 0.25)
        a[::9], b[4::9] = 0, 0
        a, b = (numpy.round(x, 9) for x in (a, b))
        a, b = a / a.sum(), b / b.sum()
        cost, log = ot.emd2(a, b, d, numItermax=10**7, log=True)
        if log["warning"] is not None:
            raise SystemExit(log["warning"])
        # The dual certifies it.
        dual = log["u"] @ a + log["v"] @ b
        if abs(cost - dual) > 1e-9 * cost or (log["u"][a > 0, None] + log["v"][None, b > 0] - d[numpy.ix_(a > 0, b > 0)]).max() > 1e-9:
            raise SystemExit("not optimal")
        cases.append({"kind": kind, "params": params, "vertices": n, "source": a.tolist(), "target": b.tolist(), "optimum": float(cost)})
    with open("optimum.json", "w", encoding="utf-8") as out:
        json.dump(cases, out, separators=(",", ":"))
        out.write("\n")


main()
