"""reached.py ALL REACHED: what two runs of gnn-train --json say, of steps over all rows and over those that the loss reaches."""
import json
import sys

everything, reached = (json.load(open(path)) for path in sys.argv[1:])
print("all:", everything["rows"]["why"])
rows = reached["rows"]["rows"]["vertex"]
print("reached: %d of 6000 vertices have the loss" % rows[0])
assert rows[0] < rows[1] < rows[2] < 6000 and reached["rows"]["share"] < 0.7, rows
for name in ("loss", "val_loss", "test_loss"):
    assert abs(everything[name] - reached[name]) < 1e-3 * everything[name], (name, everything[name], reached[name])
print("losses are alike")
