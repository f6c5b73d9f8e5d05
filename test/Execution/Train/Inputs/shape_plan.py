"""shape_plan.py MODEL.so DATA SHAPE: `gnn-train plan --data-shape SHAPE` says to the byte what 2 and 4 ranks over DATA, which has that shape, send each other
in an epoch (two epochs less one), and nearly the memory that their plan has."""
import json
import subprocess
import sys

model, data, shape = sys.argv[1:]
most = 0.05  # of the memory: edges are taken to be shared out evenly, and what steps need for themselves is not looked at


def output_of(*command):
    return json.loads(subprocess.run(["gnn-train", *command, "--json"], check=True, capture_output=True).stdout)


def run(ranks, epochs):
    result = output_of(model, "--data", data, "--ranks", str(ranks), "--epochs", str(epochs), "--no-run-dir", "--threads", "1")
    return sum(rank["sent"] for rank in result["ranks"]), result["stream"]


for plan in output_of("plan", model, "--data-shape", shape, "--ranks", "2,4")["plans"]:
    ranks = plan["ranks"]
    (one, stream), (two, _) = run(ranks, 1), run(ranks, 2)
    assert plan["sent"]["together"] == two - one > 0, (ranks, plan["sent"], two - one)
    assert plan["intervals"] == stream["intervals"] == ranks, (plan, stream)
    planned, memory = plan["memory"]["together"], stream["memory_bytes"]
    print(ranks, "ranks: sent", plan["sent"]["together"], "memory", planned, memory, "%+.2f %%" % (100 * (planned / memory - 1)))
    assert abs(planned / memory - 1) < most, (ranks, plan["memory"], memory)
