"""no-evaluation.py EVALUATED.json NOT.json PLAN.json: a run without evaluation has the steps of one with it, and its memory for rows that are kept."""
import json
import sys

evaluated, without, plan = (json.load(open(name)) for name in sys.argv[1:])
assert evaluated["loss"] == without["loss"]
assert not any(name.startswith(("train_", "val_", "test_")) for name in without), without.keys()
assert without["best_epochs"] == [-1]
before, after = evaluated["samples"], without["samples"]
assert before["evaluation_bytes"] > 0 == after["evaluation_bytes"] == after["file_bytes"] == after["intervals"]
assert after["kept_bytes"] > before["kept_bytes"] and after["memory_bytes"] <= 5 << 20, after
assert plan["samples"]["kept_bytes"] == after["kept_bytes"]
