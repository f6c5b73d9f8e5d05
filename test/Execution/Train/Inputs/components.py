"""components.py ALONE BOTH: a data set of 30 vertices that are all trained on, and the same one beside 50 others, to which no edge leads."""
import os
import random
import sys

from npy_files import write

random.seed(5)
mine, others, width = 30, 50, 6
edges = [(random.randrange(mine), random.randrange(mine)) for _ in range(120)]
apart = [(mine + random.randrange(others), mine + random.randrange(others)) for _ in range(200)]
x = [random.uniform(-1, 1) for _ in range(mine * width)]
wild = [random.uniform(5, 90) for _ in range(others * width)]
y = [random.randrange(3) for _ in range(mine + others)]
for folder, count, edge_list, features in ((sys.argv[1], mine, edges, x), (sys.argv[2], mine + others, edges + apart, x + wild)):
    os.makedirs(folder)
    write(folder + "/edge_index.npy", "<i8", [s for s, _ in edge_list] + [d for _, d in edge_list], (2, len(edge_list)))
    write(folder + "/x.npy", "<f4", features, (count, width))
    write(folder + "/y.npy", "<i8", y[:count], (count,))
    for split in ("train", "val", "test"):
        write(folder + "/" + split + ".npy", "<i8", list(range(mine)), (mine,))
