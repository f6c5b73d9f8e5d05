# Usage: npy.py FILE SHAPE VALUE...; an int64 array in NumPy's format. SHAPE is as in 2x3; needs no NumPy.

import struct
import sys

shape = tuple(int(extent) for extent in sys.argv[2].split("x"))
values = [int(word) for word in sys.argv[3:]]
header = str({"descr": "<i8", "fortran_order": False, "shape": shape}).encode()
header += b" " * (-(len(header) + 11) % 64) + b"\n"
with open(sys.argv[1], "wb") as file:
    file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + struct.pack("<%dq" % len(values), *values))
