#!/usr/bin/env python3
"""Write oracle.txt: small weighted graphs with the distances that SciPy
(Debian: python3-scipy) finds. Run it in this folder:

    python3 oracle.py > oracle.txt

A graph is a line "graph NAME n", lines "edge U V WEIGHT" with vertices from 0,
and lines "from U D0 D1 ..." with the distances of all vertices, inf where no
path leads.
"""
import numpy
import scipy
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import dijkstra


def write(name, n, edges):
    # Weights are above 0: SciPy takes an entry of 0 for no edge.
    shortest = {}
    for u, v, w in edges:
        if u != v:
            key = (min(u, v), max(u, v))
            shortest[key] = min(w, shortest.get(key, w))
    rows = [u for u, v in shortest] + [v for u, v in shortest]
    columns = [v for u, v in shortest] + [u for u, v in shortest]
    matrix = coo_matrix((list(shortest.values()) * 2, (rows, columns)), shape=(n, n)).tocsr()
    print("graph", name, n)
    for u, v, w in edges:
        print("edge", u, v, repr(w))
    for s in range(0, n, max(1, n // 6)):
        print("from", s, *(repr(float(d)) for d in dijkstra(matrix, directed=False, indices=s)))


def main():
    print("# made by oracle.py with scipy", scipy.__version__)
    rng = numpy.random.default_rng(3)

    def weight():
        return round(float(rng.uniform(0.01, 2)), 4)

    write("path", 12, [(v, v + 1, weight()) for v in range(11)])
    write("grid", 30, [(v, v + d, weight()) for v in range(30) for d in (1, 6) if v + d < 30 and (d == 6 or v % 6 < 5)])
    write("ties", 25, [(v, v + d, 1.0) for v in range(25) for d in (1, 5) if v + d < 25 and (d == 5 or v % 5 < 4)])
    write("parts", 20, [(v, (v + 3) % 10, weight()) for v in range(10)] + [(10 + v, 10 + (v + 1) % 10, weight()) for v in range(10)])
    for i, (n, m) in enumerate([(8, 14), (20, 30), (40, 60), (40, 300), (60, 90)]):
        write(f"random{i}", n, [(int(rng.integers(n)), int(rng.integers(n)), weight()) for _ in range(m)])


main()
