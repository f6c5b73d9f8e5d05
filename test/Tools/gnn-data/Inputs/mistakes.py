"""Folders with the usual mistakes of those who bring data, and one without: mistakes.py FOLDER"""
import pathlib
import struct
import sys

N = 6
EDGES = [[0, 1, 2, 3, 4, 5], [1, 2, 0, 4, 5, 3]]
LABELS = [0, 0, 1, 1, 0, 1]
MASK = [1, 0, 1, 1, 0, 0]


def save(path, kind, shape, values):
    descr, code = {"i8": ("<i8", "q"), "f4": ("<f4", "f"), "b1": ("|b1", "?")}[kind]
    header = str({"descr": descr, "fortran_order": False, "shape": tuple(shape)})
    header += " " * (-(len(header) + 11) % 64) + "\n"
    data = struct.pack(f"<{len(values)}{code}", *values)
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + data)


def folder(name, **files):
    where = pathlib.Path(sys.argv[1]) / name
    where.mkdir(parents=True)
    whole = {
        "edge_index": ("i8", [2, N], EDGES[0] + EDGES[1]),
        "x": ("f4", [N, 2], [float(i % 5) for i in range(2 * N)]),
        "y": ("i8", [N], LABELS),
        "train": ("b1", [N], MASK),
    }
    for file, content in {**whole, **files}.items():
        if content:
            save(where / f"{file}.npy", *content)


folder("right")
folder("transposed", edge_index=("i8", [N, 2], [end for pair in zip(*EDGES) for end in pair]))
folder("from-one", edge_index=("i8", [2, N], [end + 1 for end in EDGES[0] + EDGES[1]]))
folder("mask-of-numbers", train=("i8", [N], MASK))
folder("one-hot", y=("f4", [N, 2], [float(label == c) for label in LABELS for c in range(2)]))
folder("float-labels", y=("f4", [N], [float(label) for label in LABELS]))
folder("names", train=None, y=None, x=None, train_mask=("b1", [N], MASK), labels=("i8", [N], LABELS), features=("f4", [N, 1], [1.0] * N), other=("i8", [1], [1]))
