#!/usr/bin/env python3
"""Write oracle.txt: small graphs with what networkx (Debian: python3-networkx)
and a brute force say of their treewidth. Run it in this folder:

    python3 oracle.py > oracle.txt

A line is: name, vertices, treewidth, clique number, chordal (1 or 0), the
widths of networkx's minimum degree and minimum fill heuristics, and the edges
as u-v with vertices from 0. A dash stands for what was not computed.
"""
import random

import networkx as nx
from networkx.algorithms.approximation import treewidth_min_degree, treewidth_min_fill_in
from networkx.generators.atlas import graph_atlas_g


def brute(g):
    """The treewidth, by the sets of vertices that can be eliminated first: the
    degree of v after a set is the number of vertices outside that it reaches
    through the set."""
    n = g.number_of_nodes()
    adjacent = [sum(1 << u for u in g[v]) for v in range(n)]
    best = [-1] + [n] * (2**n - 1)
    for gone in range(1, 2**n):
        for v in range(n):
            if not gone >> v & 1:
                continue
            before = gone & ~(1 << v)
            reached, todo = 1 << v, adjacent[v]
            while todo:
                u = todo.bit_length() - 1
                todo &= ~(1 << u)
                reached |= 1 << u
                if before >> u & 1:
                    todo |= adjacent[u] & ~reached
            degree = bin(reached & ~gone).count("1")
            best[gone] = min(best[gone], max(best[before], degree))
    return best[-1]


def line(name, g, exact):
    g = nx.convert_node_labels_to_integers(g, ordering="sorted")
    chordal = nx.is_chordal(g)
    omega = max(len(c) for c in nx.find_cliques(g))
    width = "-"
    if exact:
        width = brute(g)
    if chordal:
        assert width in ("-", omega - 1) and nx.chordal_graph_treewidth(g) == omega - 1
        width = omega - 1
    edges = " ".join(f"{u}-{v}" for u, v in sorted(tuple(sorted(e)) for e in g.edges))
    print(name, g.number_of_nodes(), width, omega, int(chordal),
          treewidth_min_degree(g)[0], treewidth_min_fill_in(g)[0], edges)


def main():
    print("# made by oracle.py with networkx", nx.__version__)
    for i, g in enumerate(graph_atlas_g()):
        if g.number_of_nodes() > 0 and nx.is_connected(g):
            line(f"atlas{i}", g, True)
    r = random.Random(20)
    for i in range(90):
        n, p = r.randint(8, 10), r.choice([0.2, 0.35, 0.5, 0.7])
        line(f"random{i}", nx.gnp_random_graph(n, p, seed=r.randrange(10**6)), True)
    for i in range(20):
        g = nx.gnp_random_graph(r.randint(15, 40), r.choice([0.05, 0.1, 0.2]), seed=r.randrange(10**6))
        line(f"chordal{i}", nx.complete_to_chordal_graph(g)[0], False)
    for i in range(8):
        line(f"sparse{i}", nx.gnm_random_graph(60, 100, seed=i), False)
        line(f"regular{i}", nx.random_regular_graph(3, 50, seed=i), False)
        line(f"geometric{i}", nx.random_geometric_graph(80, 0.18, seed=i), False)
        line(f"scalefree{i}", nx.barabasi_albert_graph(60, 3, seed=i), False)
    for name, g in [("petersen", nx.petersen_graph()), ("heawood", nx.heawood_graph()), ("tutte", nx.tutte_graph()),
                    ("desargues", nx.desargues_graph()), ("hypercube4", nx.hypercube_graph(4)), ("hypercube5", nx.hypercube_graph(5)),
                    ("grid7", nx.grid_2d_graph(7, 7)), ("torus5", nx.grid_2d_graph(5, 5, periodic=True)),
                    ("lattice8", nx.triangular_lattice_graph(8, 8)), ("margulis4", nx.Graph(nx.margulis_gabber_galil_graph(4)))]:
        g.remove_edges_from(list(nx.selfloop_edges(g)))
        line(name, g, False)


main()
