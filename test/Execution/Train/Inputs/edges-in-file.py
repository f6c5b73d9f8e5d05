"""edges-in-file.py RUN.json PLAN.json: samples that are drawn of edges in a file keep to the limit, and find as many rows of edges in memory, and read as many bytes,
as was predicted."""
import json
import sys

run, plan = (json.load(open(name))["samples"] for name in sys.argv[1:])
parts = sum(run[part + "_bytes"] for part in ("edge", "table", "sample", "evaluation", "kept", "kept_edge"))
assert parts == run["memory_bytes"] <= 7 << 20, run
batch, so_far = run["batch"], run["so_far"]
assert 0.02 < batch["edge_hit_rate"] < 1 and abs(batch["edge_hit_rate"] - so_far["edge_hit_rate"]) < 0.02, run
batches = so_far["edge_rows"] / batch["edge_rows"]
assert abs(so_far["edge_bytes"] - batches * batch["edge_bytes_read"]) < 0.03 * so_far["edge_bytes"], run
assert plan["batch"] == batch and plan["kept_edge_bytes"] == run["kept_edge_bytes"], (plan, run)
