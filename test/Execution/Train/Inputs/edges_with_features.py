"""Writes a data set whose features of edges are most of it: edges_with_features.py FOLDER"""

import random
import sys

from npy_files import write

VERTICES, EDGES, WIDTH = 2000, 30000, 16
folder = sys.argv[1]
draw = random.Random(3)


def save(name, kind, shape, numbers):
    write("%s/%s.npy" % (folder, name), kind, numbers, shape)


save("edge_index", "<i8", [2, EDGES], [draw.randrange(VERTICES) for _ in range(2 * EDGES)])
save("edge_w", "<f8", [EDGES, WIDTH], [draw.gauss(0, 1) for _ in range(EDGES * WIDTH)])
save("x", "<f4", [VERTICES, 8], [draw.gauss(0, 1) for _ in range(VERTICES * 8)])
save("y", "<i8", [VERTICES], [draw.randrange(4) for _ in range(VERTICES)])
save("train", "<i8", [VERTICES // 2], list(range(VERTICES // 2)))
save("val", "<i8", [VERTICES // 2], list(range(VERTICES // 2, VERTICES)))
