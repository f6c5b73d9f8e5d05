"""tiers.py LIBRARY DATA: run with a GPU, or an emulated one. Limits of its memory and of that beside it are kept, a limit that is too low names one that
works, what was planned is copied, read and written, and losses have the bits of a run that has all in memory."""
import json
import re
import subprocess
import sys

library, data = sys.argv[1:]
common = [library, "--data", data, "--device", "cuda", "--intervals", "4"]


def run(arguments):
    return subprocess.run(["gnn-train"] + arguments, capture_output=True, text=True)


def train(*arguments):
    done = run(common + ["--epochs", "2", "--no-run-dir", "--json"] + list(arguments))
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def plan(*arguments):
    done = run(["plan"] + common + ["--json"] + list(arguments))
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)["stream"]


def least(where, *arguments):
    refused = run(["plan"] + common + list(arguments))
    assert refused.returncode == 3, refused
    return re.search(r"does not fit in \d+KB of %s cuda:0 \(.*\): the least that does is (\d+)KB" % where, refused.stderr).group(1) + "KB"


device = least("the memory of", "--device-memory", "100KB")
beside = least("memory beside", "--device-memory", device, "--memory", "24KB")
memory = train("--device-memory", device)
before = None
for limit in ("100MB", "%dKB" % (3 * int(beside[:-2]) // 2), beside):
    planned = plan("--device-memory", device, "--memory", limit)
    run_ = train("--device-memory", device, "--memory", limit)
    stream = run_["stream"]
    assert {name: stream[name] for name in planned} == planned, (stream, planned)
    assert stream["memory_bytes"] <= int(limit[:-2]) << (20 if limit.endswith("MB") else 10), (stream, limit)
    for link in ("tables_to_device", "edges_to_device", "tables_to_host"):
        assert stream["step"][link] == memory["stream"]["step"][link], (stream, memory["stream"])
    moved = sum(stream["step"][name] for name in ("tables_read", "edges_read", "tables_written"))
    for name in ("tables_read", "edges_read", "tables_written"):
        assert stream["so_far"][name] >= 2 * stream["step"][name], stream
    assert (moved == 0) == (before is None) and (before is None or moved > before), (moved, before)
    before = moved
    for name in ("loss", "train_loss", "val_loss", "test_loss"):
        assert run_[name] == memory[name], (name, run_[name], memory[name])
