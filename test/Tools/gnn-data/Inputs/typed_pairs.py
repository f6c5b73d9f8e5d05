"""Checks pairs of typed edges. Usage: typed_pairs.py EDGES DATA

EDGES has the columns a, r and b: ids and types, numbers from 0 on. All edges between two vertices, of any type and in either direction, become pairs of one
split, and the graph has those of training alone."""
import csv
import sys

sys.path.insert(0, __file__.rsplit("/", 1)[0])
from npy_table import table as load

edges, data = sys.argv[1:]
rows = [tuple(int(row[name]) for name in "arb") for row in csv.DictReader(open(edges))]
splits = {name: load(f"{data}/{name}_pairs.npy") for name in ("train", "val", "test")}
splitOf = {}
for name, pairs in splits.items():
    for a, _, b in pairs:
        assert splitOf.setdefault(frozenset((a, b)), name) == name, f"{a} and {b} are in two splits"
triples = lambda edges: sorted({(min(a, b), r, max(a, b)) for a, r, b in edges})
assert triples(rows) == sorted((min(a, b), r, max(a, b)) for pairs in splits.values() for a, r, b in pairs), "each is a pair, once"
graph = zip(*load(f"{data}/edge_index.npy"), load(f"{data}/edge_type.npy"))
assert [(a, r, b) for a, b, r in graph] == [row for row in rows if splitOf[frozenset((row[0], row[2]))] == "train"]
share = len(splits["train"]) / len(triples(rows))
assert 0.68 < share < 0.72, share
print("no edge of the graph is between held-out vertices")
