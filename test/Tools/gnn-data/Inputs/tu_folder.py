"""Writes a small look-alike of a TUDataset folder, or checks what was imported of it. Usage: tu_folder.py write|check FOLDER"""
import json
import pathlib
import sys

sys.path.insert(0, __file__.rsplit("/", 1)[0])
from npy_table import table as load

INDICATOR = [1, 1, 1, 2, 2, 3]
EDGES = [(1, 2), (2, 1), (2, 3), (3, 2), (4, 5), (5, 4)]
NODE_LABELS = [4, 7, 4, 9, 7, 4]
ATTRIBUTES = [(0.5, -1), (1.5, 2), (0, 0), (3.25, 4), (-2, 8), (1, 1)]
EDGE_LABELS = [2, 2, 5, 5, 2, 2]
CLASSES = [1, -1, 1]

what, folder = sys.argv[1:]
if what == "write":
    pathlib.Path(folder).mkdir()
    rows = {
        "A": [f"{a}, {b}" for a, b in EDGES], "graph_indicator": INDICATOR, "graph_labels": CLASSES, "node_labels": NODE_LABELS,
        "node_attributes": [f"{a}, {b}" for a, b in ATTRIBUTES], "edge_labels": EDGE_LABELS,
    }
    for name, lines in rows.items():
        pathlib.Path(f"{folder}/TINY_{name}.txt").write_text("".join(f"{line}\n" for line in lines))
else:
    layout = json.load(open(f"{folder}/dataset.json"))
    assert layout["labelled"] == "Graph" and layout["class_names"] == ["-1", "1"], layout
    assert load(f"{folder}/Vertex_link_Vertex.npy") == [[a - 1 for a, _ in EDGES], [b - 1 for _, b in EDGES]]
    assert load(f"{folder}/Vertex_of_Graph.npy") == [list(range(6)), [graph - 1 for graph in INDICATOR]]
    kinds = sorted(set(NODE_LABELS))
    assert load(f"{folder}/vertex_Vertex_x.npy") == [[*a, *(float(l == kind) for kind in kinds)] for a, l in zip(ATTRIBUTES, NODE_LABELS)]
    assert load(f"{folder}/Vertex_link_Vertex_type.npy") == [sorted(set(EDGE_LABELS)).index(l) for l in EDGE_LABELS]
    assert load(f"{folder}/y.npy") == [1, 0, 1]
    print("graphs are as in the folder")
