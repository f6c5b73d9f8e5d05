# The first array must be the second but for rounding; its rows may have any shape.
# Usage: same.py OURS.npy THEIRS.npy [TOLERANCE]

import array
import ast
import sys


def values(path):
    data = open(path, "rb").read()
    begin = 10 + int.from_bytes(data[8:10], "little")
    header = ast.literal_eval(data[10:begin].decode())
    assert data[:7] == b"\x93NUMPY\x01" and not header["fortran_order"]
    return array.array({"<f4": "f", "<f8": "d"}[header["descr"]], data[begin:]).tolist()


ours, theirs = (values(path) for path in sys.argv[1:3])
assert len(ours) == len(theirs) > 0
error = max(abs(a - b) for a, b in zip(ours, theirs)) / max(map(abs, theirs))
print("largest error %.2g of the largest value" % error)
sys.exit(not error < float(sys.argv[3] if len(sys.argv) > 3 else 2e-6))
