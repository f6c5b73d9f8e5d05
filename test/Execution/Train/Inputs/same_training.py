# Two runs of gnn-train --json must have the same loss but for rounding; the second one must stay under PEAK bytes.
# Usage: same_training.py FIRST.json SECOND.json PEAK

import json
import sys

first, second = (json.loads(open(path).read().splitlines()[-1]) for path in sys.argv[1:3])
print("losses %.9g and %.9g, %d bytes" % (first["loss"], second["loss"], second["peak_bytes"]))
assert abs(first["loss"] - second["loss"]) < 1e-5 * abs(first["loss"])
assert second["peak_bytes"] < float(sys.argv[3])
