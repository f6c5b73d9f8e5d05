"""logits.py data FOLDER: writes the graph of logits.json as a data set. logits.py compare NAME FILE.csv: the largest difference of the columns of
a prediction to PyTorch's logits."""
import json
import os
import struct
import sys

with open(os.path.join(os.path.dirname(__file__), "logits.json")) as file:
    STORED = json.load(file)


def write(path, kind, shape, numbers, code):
    header = "{'descr': '%s', 'fortran_order': False, 'shape': %s, }" % (kind, shape)
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        file.write(struct.pack("<%d%s" % (len(numbers), code), *numbers))


def read(path):
    with open(path, "rb") as file:
        data = file.read()
    begin = 10 + struct.unpack("<H", data[8:10])[0]
    return struct.unpack("<%df" % ((len(data) - begin) // 4), data[begin:])


if sys.argv[1] == "data":
    os.makedirs(sys.argv[2], exist_ok=True)
    for name, rows, kind, code in (("x", STORED["x"], "<f4", "f"), ("edge_index", STORED["edges"], "<i8", "q")):
        write(os.path.join(sys.argv[2], name + ".npy"), kind, (len(rows), len(rows[0])), sum(rows, []), code)
    write(os.path.join(sys.argv[2], "edge_near.npy"), "<f4", (len(STORED["near"]),), STORED["near"], "f")
else:
    theirs, ours = sum(STORED[sys.argv[2]], []), read(sys.argv[3])
    assert len(theirs) == len(ours)
    print("equal" if max(abs(a - b) for a, b in zip(ours, theirs)) < 1e-5 else "different")
