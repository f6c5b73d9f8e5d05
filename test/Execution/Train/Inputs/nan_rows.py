# Usage: nan_rows.py FILE.npy; prints the rows of an f32 array that have what is no number. Needs no NumPy.

import ast
import struct
import sys

with open(sys.argv[1], "rb") as file:
    header = ast.literal_eval(file.read(10 + struct.unpack("<8xH", file.read(10))[0] - 10).decode())
    values = [number for (number,) in struct.iter_unpack("<f", file.read())]
rows = header["shape"][0]
width = len(values) // rows
print(*(row for row in range(rows) if any(value != value for value in values[row * width : (row + 1) * width])))
