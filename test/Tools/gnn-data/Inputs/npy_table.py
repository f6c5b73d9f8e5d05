"""Reads a .npy file of version 1 in row-major order, as the runtime writes it, without NumPy: npy_table.py FILE… prints each as JSON."""
import array
import ast
import json
import pathlib
import sys

CODES = {"<f4": "f", "<f8": "d", "<i4": "i", "<i8": "q"}


def table(path):
    """A list of numbers, or of lists of a row each."""
    data = pathlib.Path(path).read_bytes()
    size = int.from_bytes(data[8:10], "little")
    header = ast.literal_eval(data[10 : 10 + size].decode())
    assert data[:7] == b"\x93NUMPY\x01" and not header["fortran_order"], path
    values = array.array(CODES[header["descr"]], data[10 + size :]).tolist()
    if len(header["shape"]) == 1:
        return values
    rows, width = header["shape"]
    return [values[row * width : (row + 1) * width] for row in range(rows)]


if __name__ == "__main__":
    print(*(json.dumps(table(path)) for path in sys.argv[1:]))
