"""sampled_data.py: the folder `data`, a small random graph some of whose vertices are read by many."""
import os
import random

from npy_files import write

VERTICES, DEGREE, FEATURES, TRAINED = 300, 6, 8, 24


def generate(vertices=VERTICES, features=FEATURES, trained=TRAINED, folder="data"):
    draw = random.Random(1)
    sources = [int(vertices * draw.random() ** 3) for _ in range(vertices * DEGREE)]
    os.mkdir(folder)
    write(folder + "/edge_index.npy", "<i8", sources + [vertex for vertex in range(vertices) for _ in range(DEGREE)], (2, len(sources)))
    write(folder + "/x.npy", "<f4", [draw.random() for _ in range(vertices * features)], (vertices, features))
    write(folder + "/y.npy", "<i8", [vertex % 3 for vertex in range(vertices)], (vertices,))
    write(folder + "/train.npy", "<i8", list(range(0, vertices, vertices // trained))[:trained], (trained,))
    write(folder + "/val.npy", "<i8", list(range(1, vertices, 30)), (len(range(1, vertices, 30)),))
