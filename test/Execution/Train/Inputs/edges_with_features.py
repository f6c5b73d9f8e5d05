"""Writes a data set whose features of edges are most of it: edges_with_features.py FOLDER"""

import random
import struct
import sys

VERTICES, EDGES, WIDTH = 2000, 30000, 16
folder = sys.argv[1]
draw = random.Random(3)


def save(name, kind, code, shape, numbers):
    header = "{'descr': '%s', 'fortran_order': False, 'shape': %s, }" % (kind, tuple(shape))
    header += " " * (-(len(header) + 11) % 64) + "\n"
    with open("%s/%s.npy" % (folder, name), "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        file.write(struct.pack("<%d%s" % (len(numbers), code), *numbers))


save("edge_index", "<i8", "q", [2, EDGES], [draw.randrange(VERTICES) for _ in range(2 * EDGES)])
save("edge_w", "<f8", "d", [EDGES, WIDTH], [draw.gauss(0, 1) for _ in range(EDGES * WIDTH)])
save("x", "<f4", "f", [VERTICES, 8], [draw.gauss(0, 1) for _ in range(VERTICES * 8)])
save("y", "<i8", "q", [VERTICES], [draw.randrange(4) for _ in range(VERTICES)])
save("train", "<i8", "q", [VERTICES // 2], list(range(VERTICES // 2)))
save("val", "<i8", "q", [VERTICES // 2], list(range(VERTICES // 2, VERTICES)))
