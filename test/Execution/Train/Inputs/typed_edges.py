"""typed_edges.py FOLDER COUNT: gives the edges of a generated data set, of which there are COUNT, three types."""
import json
import random
import sys

from npy_files import write

folder, count = sys.argv[1], int(sys.argv[2])
random.seed(3)
write(folder + "/edge_type.npy", "<i4", [random.randrange(3) for _ in range(count)], (count,))
with open(folder + "/dataset.json") as file:
    description = json.load(file)
description["edge_type"] = "edge_type.npy"
with open(folder + "/dataset.json", "w") as file:
    json.dump(description, file)
