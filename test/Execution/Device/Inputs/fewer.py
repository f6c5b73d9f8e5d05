"""fewer.py FROM TO: a knowledge graph with the first edges and the first pairs of each split, which an emulated device evaluates in seconds."""
import ast
import pathlib
import shutil
import sys


def read(path):
    """Header and bytes of an .npy file of version 1."""
    data = path.read_bytes()
    begin = 10 + int.from_bytes(data[8:10], "little")
    return ast.literal_eval(data[10:begin].decode()), data[begin:]


def write(path, header, data):
    text = repr(header)
    text += " " * (-(len(text) + 11) % 64) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text.encode() + data)


source, target = map(pathlib.Path, sys.argv[1:])
shutil.copytree(source, target)
for name, count in [("edge_index", 96), ("edge_type", 96), ("val_pairs", 2), ("test_pairs", 2)]:
    header, data = read(source / f"{name}.npy")
    shape, column = list(header["shape"]), len(header["shape"]) - 1 if name == "edge_index" else 0
    before = shape[0] if column else 1
    run, kept = len(data) // before, len(data) // before // shape[column] * count
    shape[column] = count
    rows = b"".join(data[i * run:i * run + kept] for i in range(before))
    write(target / f"{name}.npy", {**header, "shape": tuple(shape)}, rows)
