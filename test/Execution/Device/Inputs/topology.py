"""topology.py FOLDER: plans over the topologies of a folder and runs with emulated devices that are connected so, in the folder of gcn.so and the data set data. What
a step moves is what was planned, its seconds are within 15 % of the clock of the devices, and no way of rows changes the loss. All rates are a hundredth of those in
the files, so that so small a graph is bound by them and not by latencies."""
import json
import os
import re
import subprocess
import sys

from slow_links import slowed


def run(arguments, settings):
    done = subprocess.run(["gnn-train", *arguments], capture_output=True, text=True, env=dict(os.environ, GNN_FAKE_CUDA=settings))
    assert done.returncode == 0, done.stderr
    moved = {" -> ".join(ends): int(count) for *ends, count in re.findall(r"fake libcuda: (\S+) -> (\S+): (\d+) bytes", done.stderr)}
    return json.loads(done.stdout.splitlines()[-1]), moved


losses = set()
for name, count, comm in (("one-switch", 2, "ring"), ("two-switches", 8, "auto"), ("nv4", 8, "ring"), ("nv2", 4, "chain"), ("nv8", 4, "auto"), ("no-peers", 4, "ring"),
                          ("five-three", 8, "chain")):
    file = slowed(name)
    common = ["gcn.so", "--data", "data", "--device", "cuda:0-%d" % (count - 1), "--intervals", "8", "--device-memory", "264KB", "--json", "--topology", file, "--comm", comm]
    planned, _ = run(["plan", *common], "no-device")
    result, moved = run(["train", *common, "--epochs", "1", "--no-run-dir"], "devices=%d,no-blas,links,topology=%s" % (count, file))
    stream, links = result["stream"], planned["links"]
    assert stream["step"] == planned["stream"]["step"] and stream["step"]["tables_to_device"] > 0, (name, stream, planned["stream"])
    assert stream["comm"] == links["chosen"] and comm in ("auto", links["chosen"]), (name, stream, links["chosen"])
    ratio = links["step"]["seconds"] / stream["step_seconds"]
    print(name, count, links["chosen"], "%.2f of the clock" % ratio)
    assert 0.85 < ratio < 1.15, (name, links["step"]["seconds"], stream["step_seconds"])
    losses.add(result["val_loss"])
    if name == "one-switch":  # a ring of which one loads: the other gets rows from it
        assert moved["cuda:0 -> cuda:1"] > 3 * moved["cuda:1 -> cuda:0"], moved
assert len(losses) == 1, losses
print("seven topologies, and the bytes of the plans")
