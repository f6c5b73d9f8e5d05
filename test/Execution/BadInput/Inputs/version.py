# Usage: version.py FROM TO VERSION; copies a compiled library and says that it is for another version of the runtime's interface.

import re
import struct
import sys

with open(sys.argv[1], "rb") as file:
    data = file.read()
places = [place.end() for place in re.finditer(b"GNNL(?=.\0\0\0)", data, re.DOTALL)]  # the magic number, before the version
assert len(places) == 1, places
with open(sys.argv[2], "wb") as file:
    file.write(data[: places[0]] + struct.pack("<I", int(sys.argv[3])) + data[places[0] + 4 :])
