# Usage: classes.py LOGITS.npy VERTEX...; the class with the greatest logit of each, as examples/embed prints it. Needs no NumPy.

import ast
import struct
import sys

with open(sys.argv[1], "rb") as file:
    data = file.read()
start = 10 + struct.unpack_from("<H", data, 8)[0]
header = ast.literal_eval(data[10:start].decode("latin-1"))
assert header["descr"] == "<f4" and not header["fortran_order"], header
classes = header["shape"][1]
for vertex in map(int, sys.argv[2:]):
    row = struct.unpack_from("<%df" % classes, data, start + 4 * classes * vertex)
    print("%d: class %d" % (vertex, row.index(max(row))))
