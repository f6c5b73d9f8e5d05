# Usage: same_rank.py OURS.json REFERENCE.json: the mean reciprocal rank of the test links is that of the reference, and far from chance.

import json
import sys

ours, reference = (json.load(open(path)) for path in sys.argv[1:3])
ours, reference = ours["test"]["mrr"], reference["test"]["mrr"]
print("mean reciprocal rank %.4f, reference %.4f" % (ours, reference))
sys.exit(not (abs(ours - reference) < 0.0015 and ours > 0.13))
