#!/usr/bin/env python3
"""Write verdicts.txt: for many small graphs, whether networkx's check_planarity
calls them planar, and the same for the road graphs and PACE graphs beside the
repository. Lines: a graph in graph6, or a file below shared/data; then 1 or 0.

    /usr/bin/python3 verdicts.py ../../../../shared/data > verdicts.txt
"""
import csv
import pathlib
import random
import sys

import networkx as nx
from networkx.generators.atlas import graph_atlas_g


def verdict(g):
    return int(nx.check_planarity(g)[0])


def small():
    """All graphs of up to 7 vertices, and random ones of 8 to 14 about where
    planarity is lost."""
    yield from graph_atlas_g()
    rng = random.Random(1)
    for i in range(3000):
        n = 8 + (i % 7 if i % 2 else 0)
        yield nx.gnm_random_graph(n, rng.randint(n, 3 * n - 6), seed=rng.randrange(2**32))


def pace(text):
    g = nx.Graph()
    for line in text.splitlines():
        f = line.split()
        if not f or f[0] == "c":
            continue
        if f[0] == "p":
            g.add_nodes_from(range(1, int(f[-2]) + 1))
        elif f[0] == "a":
            g.add_edge(int(f[1]), int(f[2]))
        else:
            g.add_edge(int(f[0]), int(f[1]))
    g.remove_edges_from(nx.selfloop_edges(g))
    return g


def table(text):
    """Rows of edge, from, to."""
    g = nx.Graph()
    g.add_edges_from((int(u), int(v)) for _, u, v in csv.reader(text) if u != v)
    return g


def main(data):
    print("# made by verdicts.py with networkx", nx.__version__)
    for g in small():
        print(nx.to_graph6_bytes(g, header=False).decode().strip(), verdict(g))
    for path in sorted(data.glob("treewidth/pace*/*.gr")) + [data / "roads/rome99/rome99.gr"]:
        print(path.relative_to(data).as_posix(), verdict(pace(path.read_text())))
    taxi = data / "roads/manhattan_taxi/edges.csv"
    print(taxi.relative_to(data).as_posix(), verdict(table(taxi.open())))


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
