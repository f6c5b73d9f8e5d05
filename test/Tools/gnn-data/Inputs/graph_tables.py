"""Imports random sets of graphs with --graph-id and compares every array with the sets. Usage: graph_tables.py write | random CASES

`write` makes atoms.csv, bonds.csv (ids of all graphs), nodes.csv, links.csv (ids within a graph) and molecules.csv.
"""
import csv
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys

sys.path.insert(0, __file__.rsplit("/", 1)[0])
from npy_table import table as load


def graphs_of(rng):
    """[(id, label, split, vertices: [(id in the graph, mass)], edges: [(place, place, order)])]"""
    names = rng.sample([f"mol {i}" for i in range(40)] if rng.random() < 0.5 else [str(7 * i + 3) for i in range(40)], rng.randrange(3, 8))
    graphs = []
    for number, name in enumerate(names):
        size = rng.randrange(1, 6)
        ids = rng.sample(["a", "b", "c", "d", "e", "f"] if rng.random() < 0.5 else ["0", "1", "2", "3", "4", "5"], size)
        edges = [(rng.randrange(size), rng.randrange(size), rng.randrange(1, 4)) for _ in range(rng.randrange(0, 8))]
        graphs.append((name, rng.choice(["toxic", "safe"]), ["train", "val", "test"][number % 3], [(i, rng.random()) for i in ids], edges))
    graphs[0][4].append((0, 0, 1))  # there is an edge
    return graphs


def write(path, header, rows):
    with open(path, "w", newline="") as file:
        csv.writer(file).writerows([header, *rows])


def write_set(graphs, rng):
    """The vertices in the order of the tables, as (graph, place in the graph)."""
    order = [(g, v) for g, graph in enumerate(graphs) for v in range(len(graph[3]))]
    rng.shuffle(order)
    edges = [(g, *edge) for g, graph in enumerate(graphs) for edge in graph[4]]
    rng.shuffle(edges)
    name, local = lambda g: graphs[g][0], lambda g, v: graphs[g][3][v][0]
    write("molecules.csv", ["id", "family", "safety", "set"], [(g[0], f"k{i % 2}", g[1], g[2]) for i, g in enumerate(graphs)])
    write("atoms.csv", ["molecule", "id", "mass"], [(name(g), f"{g}_{v}", graphs[g][3][v][1]) for g, v in order])
    write("bonds.csv", ["source", "target", "order"], [(f"{g}_{a}", f"{g}_{b}", o) for g, a, b, o in edges])
    write("nodes.csv", ["molecule", "node_id", "mass"], [(name(g), local(g, v), graphs[g][3][v][1]) for g, v in order])
    write("links.csv", ["molecule", "src", "dst", "order"], [(name(g), local(g, a), local(g, b), o) for g, a, b, o in edges])
    return order, edges


def check(folder, graphs, order, edges, are_local):
    layout = json.load(open(f"{folder}/dataset.json"))
    assert layout["labelled"] == "Graph", layout
    place = {vertex: i for i, vertex in enumerate(order)}
    assert load(f"{folder}/Vertex_of_Graph.npy") == [list(range(len(order))), [g for g, _ in order]]
    assert load(f"{folder}/Vertex_link_Vertex.npy") == [[place[g, a] for g, a, _, _ in edges], [place[g, b] for g, _, b, _ in edges]]
    assert load(f"{folder}/Vertex_link_Vertex_edge_order.npy") == [float(o) for *_, o in edges]
    width = len(load(f"{folder}/vertex_Vertex_x.npy")[0])
    assert width == 1, width  # the mass alone: neither ids nor graphs are features
    classes = sorted({graph[1] for graph in graphs})
    assert load(f"{folder}/y.npy") == [classes.index(graph[1]) for graph in graphs]
    for split in ("train", "val", "test"):
        assert load(f"{folder}/{split}.npy") == [i for i, graph in enumerate(graphs) if graph[2] == split]
    names = pathlib.Path(f"{folder}/ids_Graph.txt").read_text().splitlines()
    assert names == [graph[0] for graph in graphs], names
    names = pathlib.Path(f"{folder}/ids_Vertex.txt").read_text().splitlines()
    assert names == [f"{graphs[g][0]}/{graphs[g][3][v][0]}" if are_local else f"{g}_{v}" for g, v in order], names


def run(*arguments):
    done = subprocess.run(["gnn-data", "import", *arguments], capture_output=True, text=True)
    assert done.returncode == 0, (arguments, done.stdout, done.stderr)
    return done.stdout


if sys.argv[1] == "write":
    rng = random.Random(8)
    write_set(graphs_of(rng), rng)
else:
    for case in range(int(sys.argv[2])):
        rng = random.Random(case)
        graphs = graphs_of(rng)
        order, edges = write_set(graphs, rng)
        for vertices, table, are_local in (("atoms.csv", "bonds.csv", False), ("nodes.csv", "links.csv", True)):
            options = ["--vertices", vertices, "--vertices", "Graph=molecules.csv", "--graph-id", "molecule", "--label", "Graph.safety", "--split", "Graph.set"]
            options += ["--drop", "Graph.family"] if rng.random() < 0.5 else []
            shutil.rmtree("direct", ignore_errors=True)
            shutil.rmtree("again", ignore_errors=True)
            run(table, "direct", *options)
            check("direct", graphs, order, edges, are_local)
            pathlib.Path("set.yaml").write_text(run(table, "none", *options, "--dry-run"))
            run("set.yaml", "again")
            check("again", graphs, order, edges, are_local)
            for name in os.listdir("direct"):
                assert name == "dataset.json" or pathlib.Path("direct", name).read_bytes() == pathlib.Path("again", name).read_bytes(), (case, name)
    print("every graph is as in the tables")
