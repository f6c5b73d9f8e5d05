"""Checks pairs of --split-edges against the table of edges. Usage: held_out.py EDGES DATA undirected|directed|between [VAL TEST]

Ids are numbers from 0 on. Edges between the same ends, in either direction where they are of one type, are one pair: `between` has two types. With VAL and
TEST, numbers in the column `time`, pairs are as early as the first of their edges."""
import csv
import pathlib
import sys

sys.path.insert(0, __file__.rsplit("/", 1)[0])
from npy_table import table as load

edges, data, kind = sys.argv[1:4]
rows = [(int(row["a"]), int(row["b"]), int(row["time"])) for row in csv.DictReader(open(edges))]
pair = (lambda a, b: (a, b)) if kind == "between" else lambda a, b: (min(a, b), max(a, b))
given = {}
for a, b, time in rows:
    given[pair(a, b)] = min(time, given.get(pair(a, b), time))
splits = {name: load(f"{data}/{name}_pairs.npy") for name in ("train", "val", "test")}
found = [pair(*ends) for pairs in splits.values() for ends in pairs]
assert sorted(found) == sorted(given), "each pair is in one split, once"
assert all(tuple(ends) in {(a, b) for a, b, _ in rows} for pairs in splits.values() for ends in pairs), "in a direction that is there"

train = {pair(*ends) for ends in splits["train"]}
if len(sys.argv) > 4:
    val, test = map(int, sys.argv[4:])
    for name, low, high in (("train", 0, val), ("val", val, test), ("test", test, 1 << 40)):
        assert {pair(*ends) for ends in splits[name]} == {ends for ends, time in given.items() if low <= time < high}, name
    kept = [(a, b) for a, b, time in rows if pair(a, b) in train and time < val]
else:
    counts = [len(splits[name]) for name in ("train", "val")]
    assert counts == [round(len(given) * 0.7), round(len(given) * 0.9) - round(len(given) * 0.7)], counts
    kept = [(a, b) for a, b, _ in rows if pair(a, b) in train]
if kind == "undirected":
    kept += [(b, a) for a, b in kept if a != b]
layout = pathlib.Path(f"{data}/dataset.json").read_text()
index = next(path for path in pathlib.Path(data).glob("*.npy") if path.name in ("edge_index.npy", "a_r_b.npy"))
assert [list(ends) for ends in zip(*load(index))] == [list(ends) for ends in kept], "the others are the graph"
print(f"{len(given)} pairs, {len(kept)} edges in the graph")
