# Usage: patch.py FROM TO FIND REPLACE; copies a file with one place changed. FIND and REPLACE are hexadecimal and equally long.

import sys

with open(sys.argv[1], "rb") as file:
    data = file.read()
find, replace = bytes.fromhex(sys.argv[3]), bytes.fromhex(sys.argv[4])
assert len(find) == len(replace) and data.count(find) == 1, (len(find), len(replace), data.count(find))
with open(sys.argv[2], "wb") as file:
    file.write(data.replace(find, replace))
