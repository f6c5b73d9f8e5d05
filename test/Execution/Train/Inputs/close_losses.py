"""close_losses.py RUN RUN: the losses of all epochs and splits of both runs differ by 1e-10 of them at most."""
import json
import sys

a, b = ([[line["loss"]] + [line[split]["loss"] for split in ("train", "val", "test")] for line in map(json.loads, open(run + "/metrics.jsonl"))]
        for run in sys.argv[1:])
assert a and len(a) == len(b), (a, b)
apart = max(abs(x - y) / abs(y) for m, n in zip(a, b) for x, y in zip(m, n))
assert apart < 1e-10, apart
