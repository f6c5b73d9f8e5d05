"""dropped.py DROPPED.json KEPT.json: the first of two runs has given up x, and its numbers are those of the other."""
import json
import sys

dropped, kept = (json.load(open(name)) for name in sys.argv[1:])
assert "x" in kept["bytes"]["tables"], "what is timed has x"
assert "x" not in dropped["bytes"]["tables"], "x is there"
assert dropped["bytes"]["program"] == kept["bytes"]["program"]


def numbers(run):
    return {key: value for key, value in run.items() if "loss" in key or "accuracy" in key}


assert numbers(dropped) and numbers(dropped) == numbers(kept), (numbers(dropped), numbers(kept))
