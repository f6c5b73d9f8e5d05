"""same_losses.py RUN RUN: the losses of all epochs and splits have the same bits in both runs."""
import json
import sys

a, b = ([[line["epoch"], line["loss"]] + [line[split]["loss"] for split in ("train", "val", "test")]
         for line in map(json.loads, open(run + "/metrics.jsonl"))] for run in sys.argv[1:])
assert a and a == b, (a, b)
