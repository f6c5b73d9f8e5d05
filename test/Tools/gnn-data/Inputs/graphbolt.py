"""Folders as DGL's GraphBolt has them, most of them wrong: graphbolt.py FOLDER"""
import pathlib
import sys

from npy_files import write

NUMBERS = dict(edges=("<i8", [2, 3], [0, 1, 2, 1, 2, 3]), x=("<f4", [4, 2], [float(i) for i in range(8)]), w=("<f4", [3], [1.0, 2.0, 3.0]),
               train=("<i4", [2], [3, 0]), train_y=("<i8", [2], [1, 0]), test=("<i4", [1], [1]), test_y=("<i8", [1], [1]),
               pairs=("<i8", [2, 2], [0, 1, 2, 3]), truths=("<i8", [2], [1, 0]), real=("<f4", [2], [0.5, 1.5]), far=("<i8", [1], [9]))
GRAPH = """dataset_name: papers
graph:
  nodes:
  - num: 4
  edges:
  - {format: numpy, path: edges.npy}
  feature_data:
  - {domain: edge, type: null, name: w, format: numpy, path: w.npy}
"""
FEATURES = """feature_data:
- {domain: node, name: feat, format: numpy, in_memory: true, path: x.npy}
"""
TASKS = """tasks:
- name: node_classification
  num_classes: 3
  train_set:
  - data:
    - {name: seeds, format: numpy, path: train.npy}
    - {name: labels, format: numpy, path: train_y.npy}
  test_set:
  - data:
    - {format: numpy, path: test.npy}
    - {format: numpy, path: test_y.npy}
"""
LINKS = """tasks:
- train_set:
  - data:
    - {name: seeds, path: pairs.npy}
    - {name: labels, path: truths.npy}
    - {name: indexes, path: far.npy}
"""
TYPES = """graph:
  nodes:
  - {num: 2, type: author}
  - {num: 4, type: paper}
  edges:
  - {format: csv, path: writes.csv, type: "author:writes:paper"}
  - {format: numpy, path: edges.npy, type: "paper:cites:paper"}
feature_data:
- {domain: node, type: paper, name: feat, format: numpy, path: x.npy}
- {domain: edge, type: "paper:cites:paper", name: w, format: numpy, path: w.npy}
""" + TASKS.replace("- data:", "- type: paper\n    data:")


def folder(name, text=GRAPH + FEATURES + TASKS, *changes):
    where = pathlib.Path(sys.argv[1]) / name
    where.mkdir()
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    (where / "metadata.yaml").write_text(text)
    (where / "writes.csv").write_text("0,1\n1,3\n")
    for file, (kind, shape, values) in NUMBERS.items():
        write(where / f"{file}.npy", kind, values, shape)


ALL = GRAPH + FEATURES + TASKS
folder("papers")
folder("types", TYPES)
folder("links", GRAPH + LINKS)
folder("torch", ALL, ("format: numpy, in_memory", "format: torch, in_memory"))
folder("outside", ALL, ("path: x.npy", "path: ../papers/x.npy"))
folder("absolute", ALL, ("path: x.npy", "path: /etc/passwd"))
folder("linked", ALL)
(pathlib.Path(sys.argv[1]) / "linked" / "x.npy").unlink()
(pathlib.Path(sys.argv[1]) / "linked" / "x.npy").symlink_to("../papers/x.npy")
folder("prepared", "graph_topology:\n  type: FusedCSCSamplingGraph\n  path: g.pt\n")
folder("anchor", ALL, ("- num: 4", "- &a {num: 4}\n  - *a"))
folder("alias", ALL, ("- num: 4", "- *a"))
folder("twice", ALL, ("dataset_name: papers", "graph: 1"))
folder("bad", "graph: [}\n")
folder("deep", "a: " + "[" * 30 + "]" * 30 + "\n")
folder("empty", "# nothing\n")
folder("second", ALL + "---\na: 1\n")
folder("number", ALL, ("num: 4", "num: four"))
folder("missing", ALL, ("- num: 4", "- count: 4"))
folder("list", ALL, ("\n  - num: 4", " all"))
folder("ends", TYPES, ("author:writes:paper", "writes"))
folder("stranger", TYPES, ("type: paper, name", "type: book, name"))
folder("seeds", ALL, ("path: train.npy", "path: far.npy"), ("path: train_y.npy", "path: test_y.npy"))
folder("labels", ALL, ("path: train_y.npy", "path: test_y.npy"))
folder("real", ALL, ("path: train_y.npy", "path: real.npy"), ("path: test_y.npy", "path: test_y.npy"))
folder("many", ALL, ("- num: 4", "- num: 3000000000"))
folder("bare", GRAPH + TASKS, ("- num: 4", "- num: 3000000000"))
folder("huge", TYPES.replace(TYPES[TYPES.index("feature_data"):TYPES.index("tasks")], ""), ("num: 4, type: paper", "num: 3000000000, type: paper"))
folder("rows", ALL, ("path: x.npy", "path: w.npy"))
folder("gone", ALL, ("path: x.npy", "path: z.npy"))
folder("csv", TYPES, ("path: writes.csv", "path: metadata.yaml"))
