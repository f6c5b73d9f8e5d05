# Writes the data set 0 -> 1 -> 2 with x = 1, 10, 100, and parameters: ones, zeros, second (0 and 1) and none (a bias). Usage: path.py FOLDER
import os
import sys

from npy_files import write


def save(name, shape, kind, values):
    write(os.path.join(sys.argv[1], name), kind, values, shape)


save("edge_index.npy", (2, 2), "<i8", [0, 1, 1, 2])
save("x.npy", (3, 1), "<f4", [1, 10, 100])
save("ones.npy", (1, 1), "<f4", [1])
save("zeros.npy", (1, 1), "<f4", [0])
save("second.npy", (2, 1, 1), "<f4", [0, 1])
save("none.npy", (1,), "<f4", [0])
