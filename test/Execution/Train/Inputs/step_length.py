"""step_length.py BEFORE AFTER LENGTH: how far apart the parameters of two checkpoints are."""
import json
import math
import struct
import sys


def parameters(path):
    data = open(path, "rb").read()
    begin = 8 + struct.unpack("<Q", data[:8])[0]
    found = []
    for name, tensor in sorted(json.loads(data[8:begin]).items()):
        if not name.startswith(("__metadata__", "optimizer.")):
            first, last = tensor["data_offsets"]
            found += struct.unpack("<%df" % ((last - first) // 4), data[begin + first:begin + last])
    return found


before, after = parameters(sys.argv[1]), parameters(sys.argv[2])
length = math.sqrt(sum((a - b) ** 2 for a, b in zip(before, after)))
assert len(before) == len(after) > 0 and abs(length / float(sys.argv[3]) - 1) < 1e-3, length
