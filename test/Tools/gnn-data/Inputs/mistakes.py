"""Folders with the usual mistakes of those who bring data, and one without: mistakes.py FOLDER"""
import pathlib
import sys

from npy_files import write

N = 6
EDGES = [[0, 1, 2, 3, 4, 5], [1, 2, 0, 4, 5, 3]]
LABELS = [0, 0, 1, 1, 0, 1]
MASK = [1, 0, 1, 1, 0, 0]


def folder(name, **files):
    where = pathlib.Path(sys.argv[1]) / name
    where.mkdir(parents=True)
    whole = {
        "edge_index": ("<i8", [2, N], EDGES[0] + EDGES[1]),
        "x": ("<f4", [N, 2], [float(i % 5) for i in range(2 * N)]),
        "y": ("<i8", [N], LABELS),
        "train": ("|b1", [N], MASK),
    }
    for file, content in {**whole, **files}.items():
        if content:
            kind, shape, values = content
            write(where / f"{file}.npy", kind, values, shape)


folder("right")
folder("transposed", edge_index=("<i8", [N, 2], [end for pair in zip(*EDGES) for end in pair]))
folder("from-one", edge_index=("<i8", [2, N], [end + 1 for end in EDGES[0] + EDGES[1]]))
folder("mask-of-numbers", train=("<i8", [N], MASK))
folder("one-hot", y=("<f4", [N, 2], [float(label == c) for label in LABELS for c in range(2)]))
folder("float-labels", y=("<f4", [N], [float(label) for label in LABELS]))
folder("names", train=None, y=None, x=None, train_mask=("|b1", [N], MASK), labels=("<i8", [N], LABELS), features=("<f4", [N, 1], [1.0] * N), other=("<i8", [1], [1]))
