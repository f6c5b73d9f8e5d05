# Makes the sparse feature x of a data set dense. Usage: densify.py FOLDER

import array
import json
import os
import sys

from npy_files import write

folder = sys.argv[1]


def read(name, kinds={"<i8": "q", "<i4": "i", "<f4": "f", "<f8": "d"}):
    with open(os.path.join(folder, name), "rb") as file:
        file.seek(8)
        header = file.read(int.from_bytes(file.read(2), "little")).decode()
        numbers = array.array(kinds[header.split("'descr': '")[1][:3]])
        numbers.frombytes(file.read())
        return numbers


indptr, indices, values, (rows, columns) = (read("x_%s.npy" % part) for part in ("indptr", "indices", "values", "shape"))
dense = array.array("f", bytes(4 * rows * columns))
for row in range(rows):
    for entry in range(indptr[row], indptr[row + 1]):
        dense[row * columns + indices[entry]] += values[entry]
write(os.path.join(folder, "x.npy"), "<f4", dense.tobytes(), (rows, columns))
for part in ("indptr", "indices", "values", "shape"):
    os.remove(os.path.join(folder, "x_%s.npy" % part))
os.remove(os.path.join(folder, "dataset.json"))
