"""tiers_together.py LIBRARY DATA: run with emulated GPUs. What has no room in memory is read of files by several GPUs of one process and by ranks with a GPU
each: with the bits of one GPU that has all in memory, and the bytes of files that were planned. All ranks together read as often as one process."""
import json
import os
import re
import struct
import subprocess
import sys

library, data = sys.argv[1:]
common = [library, "--data", data, "--intervals", "6"]


def run(arguments, devices=3):
    return subprocess.run(["gnn-train"] + arguments, capture_output=True, text=True, env=dict(os.environ, GNN_FAKE_CUDA="devices=%d" % devices))


def train(*arguments):
    done = run(common + ["--epochs", "2", "--run-dir", "run", "--exist-ok", "--json", *arguments])
    assert done.returncode == 0, done.stderr
    with open("run/last.safetensors", "rb") as file:
        header = json.loads(file.read(struct.unpack("<Q", file.read(8))[0]))
        numbers = file.read()
    weights = {name: numbers[slice(*entry["data_offsets"])] for name, entry in header.items() if name != "__metadata__"}
    return json.loads(done.stdout.splitlines()[-1]), weights


def plan(*arguments):
    done = run(["plan"] + common + ["--json", *arguments])
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)["stream"]


def least(where, *arguments):
    refused = run(common + ["--no-run-dir", "--epochs", "1", *arguments])
    assert refused.returncode == 3, refused
    return re.search(r"does not fit in \d+KB of %s cuda:[0-9,]+ \(.*\): the least that does is (\d+)KB" % where, refused.stderr).group(1) + "KB"


def little(device):
    """A limit at which one GPU, several and ranks keep the same tables."""
    return ["--device-memory", "%dKB" % (int(least("the memory of", "--device", device, "--device-memory", "16KB")[:-2]) + 1)]


# One GPU takes less: it has two parts of each total, not one for each interval.
alone = ["--device", "cuda", *little("cuda")]
device = little("cuda:0-2")
_, expected = train(*alone)

# Several GPUs of one process.
read = {}
for devices, comm in (("cuda:0-1", "replicated"), ("cuda:0-2", "ring"), ("cuda:0-2", "chain"), ("cuda:0-2", "replicated")):
    together = ["--device", devices, "--comm", comm, *device]
    limit = least("memory beside", *together, "--memory", "1KB")
    planned = plan(*together, "--memory", limit)
    found, weights = train(*together, "--memory", limit)
    stream = found["stream"]
    assert weights == expected, (devices, comm)
    assert {name: stream[name] for name in planned if name != "so_far"} == {name: planned[name] for name in planned if name != "so_far"}, (stream, planned)
    assert stream["memory_bytes"] <= int(limit[:-2]) << 10 and stream["comm"] == comm, (stream, limit)
    for name in ("tables_read", "edges_read", "tables_written"):
        assert stream["so_far"][name] >= 2 * stream["step"][name] > 0, stream
    read[devices, comm] = stream["step"]["tables_read"]
assert read["cuda:0-2", "ring"] == read["cuda:0-2", "chain"] < read["cuda:0-2", "replicated"], read

# With all that there is in memory nothing is read.
stream = plan("--device", "cuda:0-2", *device, "--memory", "100MB")
assert stream["step"]["tables_read"] == stream["step"]["edges_read"] == stream["file_bytes"] == 0, stream

# Ranks. Besides what one process reads and writes, each reads its part of the tables that all need and writes what others send it of these; and for metrics
# each reads the results that others have.
one, weights = train(*alone, "--memory", least("memory beside", *alone, "--memory", "1KB"))
assert weights == expected
one = one["stream"]
for ranks in (2, 3):
    by_ranks = ["--device", "cuda", *device, "--ranks", str(ranks)]
    many, weights = train(*by_ranks, "--memory", least("memory beside", *by_ranks, "--memory", "1KB"))
    assert weights == expected, ranks
    together = {name: sum(rank[name] for rank in many["ranks"]) for name in one["so_far"]}
    assert many["stream"]["step"] == one["step"], (many["stream"], one)
    for name in ("tables_to_device", "edges_to_device", "tables_to_host", "edges_read"):
        assert together[name] == one["so_far"][name] > 0, (name, together, one)
    exchanged, rest = divmod(together["tables_written"] - one["so_far"]["tables_written"], ranks - 1)
    assert exchanged > 0 and rest == 0, (together, one)
    of_metrics, rest = divmod(together["tables_read"] - one["so_far"]["tables_read"] - exchanged, ranks - 1)
    assert of_metrics > 0 and rest == 0, (together, one)

# No other rows read those of x, so each rank reads its part of them alone, whether there is a limit of memory or not.
parts = [rank["features_read"] for rank in train("--device", "cuda", *device, "--ranks", "3")[0]["ranks"]]
assert parts == [(os.path.getsize("%s/x.npy" % data) - 128) // 3] * 3, parts  # after a header
print("the bits of one GPU, and the bytes of files that were planned")
