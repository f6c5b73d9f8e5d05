"""topology.py FOLDER: plans over the topologies of a folder and runs with emulated devices that are connected so, in the folder of gcn.so and the data set data. What
a step moves from device to device is what was planned, for 2, 4 and 8 devices, and the seconds of plans are held against the clock of the devices."""
import json
import os
import subprocess
import sys


def run(arguments, settings):
    done = subprocess.run(["gnn-train", *arguments], capture_output=True, text=True, env=dict(os.environ, GNN_FAKE_CUDA=settings))
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def ways(topology, count, *comm):
    file = os.path.join(sys.argv[1], topology + ".json")
    common = ["gcn.so", "--data", "data", "--device", "cuda:0-%d" % (count - 1), "--intervals", "8", "--json", "--topology", file, *comm]
    planned = run(["plan", *common], "no-device")
    stream = run(["train", *common, "--epochs", "1", "--no-run-dir"], "devices=%d,topology=%s" % (count, file))["stream"]
    return planned, stream


verbose = len(sys.argv) > 2
some = {("one-switch", 2): "ring", ("two-switches", 8): "auto", ("nv4", 8): "ring", ("nv2", 4): "chain", ("nv8", 4): "auto", ("no-peers", 4): "ring", ("five-three", 8): "chain"}
for topology in ("one-switch", "two-switches", "nv4", "nv2", "nv8", "no-peers", "five-three"):
    for count in (2, 4, 8):
        for comm in ("replicated", "ring", "chain") if verbose else [some[topology, count]] if (topology, count) in some else []:
            planned, stream = ways(topology, count, "--comm", comm)
            routes = planned["links"]
            assert stream["comm"] == routes["chosen"] and comm in ("auto", routes["chosen"]), (topology, count, stream)
            assert stream["step"]["between_devices"] == planned["stream"]["step"]["between_devices"], (topology, count, stream)
            ratio = routes["step"]["seconds"] / stream["step_seconds"]
            if verbose:
                print(topology, count, comm, "%.3g s planned, %.3g s by the clock: %.2f" % (routes["step"]["seconds"], stream["step_seconds"], ratio))
print("seven topologies, and the bytes of the plans")
