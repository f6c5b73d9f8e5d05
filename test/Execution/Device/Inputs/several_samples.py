"""several_samples.py MODEL.so TOPOLOGIES: training on samples by several emulated GPUs of one process, in the folder at hand. Whoever runs the shares of batches, and
whatever rows they keep for each other, the bits are the same; and what was planned of an epoch is what its batches have found."""
import json
import os
import subprocess
import sys

from sampled_data import VERTICES, generate

BITS = ("loss", "train_loss", "val_loss")
FEATURES, TRAINED = 256, 100  # so that all rows have no room in what the first GPU has for updates and others have for rows
COUNTED = ("rows", "hits", "of_peers", "bytes")


def run(command, devices, *options, topology=None, settings=""):
    file = topology and os.path.join(sys.argv[2], topology + ".json")
    fake = "devices=%d%s%s" % (devices, ",topology=" + file if file else "", settings)
    options = ["--device", "cuda:0-%d" % (devices - 1), *(["--topology", file] if file else []), *options]
    return subprocess.run(["gnn-train", command, sys.argv[1], "--data", "data", "--fanout", "3,2", "--json", *options], capture_output=True, text=True,
                          env=dict(os.environ, GNN_FAKE_CUDA=fake))


def train(devices, *options, batch=40, epochs=2, shares=4, **more):
    folder = [] if "--run-dir" in options else ["--no-run-dir"]
    done = run("train", devices, "--batch", str(batch), "--shares", str(shares), "--epochs", str(epochs), *folder, *options, **more)
    assert done.returncode == 0, (devices, options, done.stderr)
    return json.loads(done.stdout.splitlines()[-1])


def plan(devices, memory):
    done = run("plan", devices, "--batch", str(TRAINED), "--no-evaluation", "--device-memory", str(memory))
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)["samples"]


def least_memory(devices):
    """In which a batch has room, and not more."""
    samples = plan(devices, 4 << 20)
    return max(device["other_bytes"] + device["sample_bytes"] for device in samples.get("devices", [samples]))


def check(devices, topology, group, more):
    """With so many bytes for rows: no bit is another; and what was predicted and planned is what was found, in the second of two epochs."""
    memory = least_memory(devices) + more
    options = ("--no-evaluation", "--device-memory", str(memory))
    first, both = (train(devices, *options, batch=TRAINED, epochs=epochs, shares=devices, topology=topology) for epochs in (1, 2))
    plain = train(1, "--no-evaluation", batch=TRAINED, shares=devices)
    assert both["loss"] == plain["loss"], (devices, topology, both["loss"], plain["loss"])
    samples = both["samples"]
    assert sum(len(each) for each in samples.get("groups", [[0]])) == devices, samples
    assert samples["kept_bytes"] <= devices // group * VERTICES * FEATURES * 4, samples  # no row is twice in a group
    drawn = {name: both["samples"]["draws"][name] - first["samples"]["draws"][name] for name in ("edges", "edge_hits", "edges_of_peers")}
    assert {name: samples["predicted"][name] for name in drawn} == drawn, (devices, topology, samples["predicted"], drawn)
    assert drawn["edge_hits"] > 0 and (drawn["edges_of_peers"] > 0) == (group > 1), (devices, topology, drawn)
    planned = plan(devices, memory) if group == 1 else samples  # a plan with links is of seeds of their own
    for now, before, paper in zip(*(result.get("devices", [result]) for result in (samples, first["samples"], planned))):
        counted = {name: now["so_far"][name] - before["so_far"][name] for name in COUNTED}
        assert {name: now["predicted"][name] for name in COUNTED} == counted, (devices, topology, now, before)
        assert paper["predicted"] == now["predicted"] and paper["device_bytes"] == now["device_bytes"] <= memory, (paper, now)
        assert (counted["of_peers"] > 0) == (group > 1), (devices, topology, counted)
        assert now["so_far"]["peer_bytes"] == now["so_far"]["of_peers"] * FEATURES * 4, now
        assert (counted["bytes"] == 0) == (more > VERTICES * FEATURES * 4), (devices, topology, more, counted)


generate(features=FEATURES, trained=TRAINED)
one = train(1)
for devices, ahead in ((2, 0), (3, 1), (4, 3)):
    found = train(devices, "--ahead", str(ahead))
    assert all(found[name] == one[name] for name in BITS), (devices, ahead, found, one)
for devices, topology, group, more in ((1, None, 1, 4000), (2, "nv2", 2, 3000), (4, "nv2", 2, 3000), (4, "nv4", 4, 2000), (2, "no-peers", 1, 3 << 20)):
    check(devices, topology, group, more)

# With evaluation, by all of them.
found = train(4, "--device-memory", "4MB", topology="nv4")
assert found["loss"] == one["loss"] and abs(found["val_loss"] - one["val_loss"]) < 1e-5, (found, one)
assert found["samples"]["intervals"] >= 4 and found["samples"]["evaluation_bytes"] > 0, found["samples"]
print("samples have the same bits on 1, 2, 3 and 4 GPUs")
