# Usage: put.py FILE.npy ELEMENT VALUE; overwrites an f32 of an array in NumPy's format. Needs no NumPy.

import struct
import sys

with open(sys.argv[1], "r+b") as file:
    begin = 10 + struct.unpack("<8xH", file.read(10))[0]
    file.seek(begin + 4 * int(sys.argv[2]))
    file.write(struct.pack("<f", float(sys.argv[3])))
