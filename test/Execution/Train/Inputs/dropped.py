"""dropped.py DROPPED.json KEPT.json: the first of two runs has given up x, both have given up the ids of edges, and
their numbers are the same."""
import json
import sys

dropped, kept = (json.load(open(name)) for name in sys.argv[1:])
assert "x" in kept["bytes"]["tables"], "what is timed has x"
assert "x" not in dropped["bytes"]["tables"], "x is there"
rows, edges = 2000, 20000 + 1979  # with self loops; 21 vertices had one
assert dropped["bytes"]["edges"]["edge"] == 2 * (8 * (rows + 1) + 4 * edges), dropped["bytes"]["edges"]
assert dropped["bytes"]["program"] == kept["bytes"]["program"]


def numbers(run):
    return {key: value for key, value in run.items() if "loss" in key or "accuracy" in key}


assert numbers(dropped) and numbers(dropped) == numbers(kept), (numbers(dropped), numbers(kept))
