# Makes the sparse feature x of a data set dense. Usage: densify.py FOLDER

import array
import json
import os
import sys

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
header = "{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }" % (rows, columns)
header += " " * (117 - len(header)) + "\n"
with open(os.path.join(folder, "x.npy"), "wb") as file:
    file.write(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode())
    dense.tofile(file)
for part in ("indptr", "indices", "values", "shape"):
    os.remove(os.path.join(folder, "x_%s.npy" % part))
os.remove(os.path.join(folder, "dataset.json"))
