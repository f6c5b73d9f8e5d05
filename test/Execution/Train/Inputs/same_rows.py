"""Whether the second .npy file has these rows of the first: same_rows.py all.npy some.npy 17 3"""
import ast
import struct
import sys


def read(path):
    data = open(path, "rb").read()
    end = 10 + struct.unpack("<H", data[8:10])[0]
    header = ast.literal_eval(data[10:end].decode())
    assert header["descr"] == "<f4" and not header["fortran_order"], header
    rows, width = header["shape"]
    numbers = struct.unpack(f"<{rows * width}f", data[end:])
    return [numbers[row * width : (row + 1) * width] for row in range(rows)]


whole, some, rows = read(sys.argv[1]), read(sys.argv[2]), [int(row) for row in sys.argv[3:]]
assert len(some) == len(rows), (len(some), rows)
for row, found in zip(rows, some):
    largest = max(abs(number) for number in whole[row])
    for a, b in zip(whole[row], found):
        # Dense products of other numbers of rows may round differently.
        assert abs(a - b) <= 1e-5 * largest, f"row {row}: {found}, expected {whole[row]}"
