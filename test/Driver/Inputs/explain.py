"""Reads the JSON of `gnnc explain` and says the numbers that the test looks for."""
import json
import sys

report = json.load(sys.stdin)
print(len(report["programs"]), "programs")
for program in report["programs"]:
    sweeps = [step for step in program["steps"] if step["kind"] == "sweep"]
    backward = sum(step["backward"] for step in sweeps)
    for step in program["steps"]:
        assert step["bound"] in ("memory", "arithmetic") and step["flops_per_byte"] >= 0, step
        assert all(kept["form"] in ("kept", "compact") and kept["reason"] for kept in step["keeps"]), step
    print(f"{program['name']}: sweeps {len(sweeps) - backward} + {backward}, edge tensors {len(program['edge_tensors'])}")
