"""drawn_edges.py MODEL.so: training on samples whose edges the emulated GPU draws, over a small random graph in the folder at hand. Who draws, and which rows of edges
are kept, changes no bit; and what was predicted of an epoch is what is found."""
import json
import os
import subprocess
import sys

from sampled_data import TRAINED, VERTICES, generate


def run(*options, command="train", fake=None):
    settings = {**os.environ, **({"GNN_FAKE_CUDA": fake} if fake else {})}
    done = subprocess.run(["gnn-train", command, sys.argv[1], "--data", "data", "--json", "--device", "cuda", *options], capture_output=True, text=True, env=settings)
    assert done.returncode == 0, (options, done.stderr)
    return json.loads(done.stdout.splitlines()[-1])


def train(*options, fanout="3,2", batch=6, epochs=2, **more):
    return run("--fanout", fanout, "--batch", str(batch), "--epochs", str(epochs), "--no-run-dir", *options, **more)


def draws(result):
    return result["samples"]["draws"]


def least_memory(batch):
    """In which a batch has room, and not much more."""
    options = ["--fanout", "3,2", "--batch", str(batch), "--no-evaluation", "--device-memory", "4MB"]
    samples = run(*options, command="plan")["samples"]
    return samples["other_bytes"] + samples["sample_bytes"]


generate()

# What nobody draws on a GPU.
for options in ({"sampler": "labor"}, {"fanout": "3,all"}, {"fanout": "3,65"}):
    by = draws(train("--sampler", options.get("sampler", "uniform"), fanout=options.get("fanout", "3,2"), epochs=1))
    assert by["by"] == "processor" and "not all edges are drawn alike" in by["because"], (options, by)

# Who draws changes no bit.
for options in (("--sampler", "replace"), ("--ahead", "3", "--order", "degree")):
    there, asked = (train(*options, "--draws", who, epochs=1) for who in ("device", "host"))
    unmapped = train(*options, epochs=1, fake="no-map")
    assert [draws(result)["by"] for result in (there, asked, unmapped)] == ["gpu", "processor", "processor"], (there, asked, unmapped)
    assert draws(asked)["because"] == "asked for" and "can't read edges" in draws(unmapped)["because"], (asked, unmapped)
    assert all(there[name] == asked[name] == unmapped[name] for name in ("loss", "train_loss", "val_loss")), (options, there, asked, unmapped)

# Kept rows: none, some, all that were foreseen. The more, the more is found, and the bits are the same.
plain, found = train("--no-evaluation"), []
least = least_memory(batch=6)
for more in (0, 6000, 60000):
    result = train("--no-evaluation", "--device-memory", str(least + more))
    samples = result["samples"]
    assert result["loss"] == plain["loss"], (more, result["loss"], plain["loss"])
    assert samples["device_bytes"] <= least + more, samples
    assert [draws(result)[name] for name in ("rows", "edges")] == [draws(plain)[name] for name in ("rows", "edges")], (draws(result), draws(plain))
    found.append((samples["kept_edge_bytes"], draws(result)["edge_hits"]))
assert found[0] == (0, 0) and found[1][0] > 0 < found[1][1] < found[2][1] <= draws(plain)["edges"], found

# One batch an epoch: what was predicted is the second epoch.
options = ["--no-evaluation", "--device-memory", str(least_memory(TRAINED) + 6000)]
first, both = (train(*options, batch=TRAINED, epochs=epochs)["samples"] for epochs in (1, 2))
counted = {name: both["draws"][name] - first["draws"][name] for name in ("edges", "edge_hits")}
assert {name: both["predicted"][name] for name in counted} == counted and 0 < counted["edge_hits"] < counted["edges"], (both, counted)
print("edges are the same whoever draws them")
