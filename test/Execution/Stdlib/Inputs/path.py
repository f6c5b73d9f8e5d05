# Writes the data set 0 -> 1 -> 2 with x = 1, 10, 100, and parameters: ones, zeros, second (0 and 1) and none (a bias). Usage: path.py FOLDER
import os
import struct
import sys


def save(name, shape, kind, values):
    header = "{'descr': '%s', 'fortran_order': False, 'shape': %r, }" % ({"f": "<f4", "q": "<i8"}[kind], shape)
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    with open(os.path.join(sys.argv[1], name), "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + struct.pack("<%d%s" % (len(values), kind), *values))


save("edge_index.npy", (2, 2), "q", [0, 1, 1, 2])
save("x.npy", (3, 1), "f", [1, 10, 100])
save("ones.npy", (1, 1), "f", [1])
save("zeros.npy", (1, 1), "f", [0])
save("second.npy", (2, 1, 1), "f", [0, 1])
save("none.npy", (1,), "f", [0])
