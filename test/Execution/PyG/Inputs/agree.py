# On every graph of graphs.json a compiled layer must give PyTorch Geometric's results, which scripts/pyg-results.py wrote, but for rounding.
# Usage: agree.py LIBRARY.so CASE FOLDER [KIND: a graph that is left out]

import ast
import json
import pathlib
import struct
import subprocess
import sys

from npy_files import write

INPUTS = pathlib.Path(__file__).parent


def save(path, kind, shape, rows):
    write(path, kind, [number for row in rows for number in (row if isinstance(row, list) else [row])], shape)


def load(path):
    data = path.read_bytes()
    begin = 10 + int.from_bytes(data[8:10], "little")
    header = ast.literal_eval(data[10:begin].decode())
    kind = {"<f4": "f", "<f8": "d"}[header["descr"]]
    return list(struct.unpack("<%d%s" % ((len(data) - begin) // struct.calcsize(kind), kind), data[begin:]))


def save_graph(folder, graph):
    folder.mkdir(parents=True)
    vertices, edges = graph["vertices"], len(graph["edges"])
    save(folder / "edge_index.npy", "<i8", (2, edges), [edge[end] for end in (0, 1) for edge in graph["edges"]])
    save(folder / "edge_type.npy", "<i8", (edges,), graph["types"])
    save(folder / "x.npy", "<f4", (vertices, 6), graph["x"])
    save(folder / "blocks.npy", "<f4", (vertices, 2, 3), graph["x"])
    save(folder / "kind.npy", "<i8", (vertices,), graph["kinds"])
    save(folder / "a.npy", "<f4", (edges, 3), graph["a"])
    save(folder / "cut.npy", "<f4", (edges,), graph["cut"])
    files = {"num_vertices": vertices, "num_edge_types": 4, "edge_index": "edge_index.npy", "edge_type": "edge_type.npy",
             "vertex": {"x": "x.npy", "blocks": "blocks.npy", "kind": "kind.npy"}, "edge": {"a": "a.npy", "cut": "cut.npy"}}
    (folder / "dataset.json").write_text(json.dumps(files))


library, case, folder, left_out = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3]), sys.argv[4:]
graphs = json.loads((INPUTS / "graphs.json").read_text())
theirs = load(INPUTS / (case + ".npy"))
width = len(theirs) // sum(graph["vertices"] for graph in graphs.values())
largest = max(map(abs, theirs))
failed, begin = 0, 0
for number, (kind, graph) in enumerate(graphs.items()):
    if kind in left_out:
        begin += width * graph["vertices"]
        continue
    data, predictions = folder / str(number), folder / (str(number) + ".npy")
    save_graph(data, graph)
    subprocess.run(["gnn-train", "predict", library, "--data", data, "--weights", INPUTS / (case + ".safetensors"), "--predictions", predictions],
                   check=True, stdout=subprocess.DEVNULL)
    ours, expected = load(predictions), theirs[begin:begin + width * graph["vertices"]]
    begin += len(expected)
    error = max(abs(a - b) for a, b in zip(ours, expected)) / largest if len(ours) == len(expected) else float("inf")
    print("%s: largest error %.2g of the largest value" % (kind, error))
    failed += not error < 2e-6
sys.exit(failed)
