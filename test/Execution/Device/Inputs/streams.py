"""streams.py LIBRARY DATA: run with a GPU, or an emulated one. A limit of its memory is kept, a limit that is too low names one that works, what was planned is
copied, and the numbers are those of the whole graph."""
import json
import os
import re
import subprocess
import sys

library, data = sys.argv[1:]
common = [library, "--data", data, "--device", "cuda"]


def run(arguments, **environment):
    return subprocess.run(["gnn-train"] + arguments, capture_output=True, text=True, env=dict(os.environ, **environment))


def train(*arguments, **environment):
    done = run(common + ["--epochs", "2", "--no-run-dir", "--json"] + list(arguments), **environment)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


refused = run(["plan"] + common + ["--device-memory", "24KB"])
assert refused.returncode == 3, refused
least = int(re.search(r"does not fit in 24KB of the memory of cuda:0 \(.*\): the least that does is (\d+)KB", refused.stderr).group(1)) << 10
planned = json.loads(run(["plan"] + common + ["--device-memory", str(least), "--json"]).stdout)["stream"]
assert planned["intervals"] > 1 and 0 < planned["device_bytes"] <= least and planned["host_bytes"] > 0, planned
assert run(["plan"] + common + ["--device-memory", str(least - 1024)]).returncode == 3

whole = train()
streamed = train("--device-memory", str(least), GNN_FAKE_CUDA="memory=%d" % least)  # an emulated device has no more
assert "stream" not in whole, whole
stream = streamed["stream"]
assert {name: stream[name] for name in planned} == planned, (stream, planned)
assert planned["step"].pop("tables_passed_over") >= 0
for link, bytes in planned["step"].items():
    assert stream["so_far"][link] >= 2 * bytes > 0, (link, stream)  # and what evaluates splits
for name in ("loss", "train_loss", "val_loss", "test_loss"):
    assert abs(whole[name] - streamed[name]) < 1e-5 * whole[name], (name, whole[name], streamed[name])

ample = json.loads(run(["plan"] + common + ["--device-memory", "500MB", "--json"]).stdout)
assert ample["plan"]["executor"] == "whole graph" and "stream" not in ample, ample["plan"]
