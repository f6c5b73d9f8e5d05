"""sampled-plan.py RUN.json PLAN.json FREE.json: the plan of samples within a limit is that of the run, and batches are as large as those of the plan without one."""
import json
import sys

run, plan, free = (json.load(open(name)) for name in sys.argv[1:])
so_far = run["samples"].pop("so_far")
assert run["samples"] == plan["samples"] and plan["peak_bytes"] == plan["samples"]["memory_bytes"], (run["samples"], plan["samples"])
batch = plan["samples"]["batch"]
steps = so_far["rows"] / batch["rows"]
assert abs(batch["bytes_read"] - so_far["bytes"] / steps) < 0.03 * batch["bytes_read"], (batch, so_far)  # with rows between those that are read
rows, edges = plan["batch"]["rows"]["vertex"], plan["batch"]["edges"]["edge"]
assert plan["batch"]["of_epoch"] == free["batch"]["of_epoch"] == 15
assert rows[0] <= 100 and rows[1] <= 7 * rows[0] and rows[2] == batch["rows"] <= 4 * rows[1], rows
for here, there in zip(rows + [edges], free["batch"]["rows"]["vertex"] + [free["batch"]["edges"]["edge"]]):
    assert abs(here - there) < 0.05 * there, (plan["batch"], free["batch"])
