"""no_rows.py FILE: makes it an array of no vertices."""
import sys

header = "{'descr': '<i8', 'fortran_order': False, 'shape': (0,), }"
header = header.ljust(128 - 10 - 1) + "\n"
with open(sys.argv[1], "wb") as file:
    file.write(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode())
