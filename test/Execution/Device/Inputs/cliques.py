"""cliques.py MODEL.so TOPOLOGIES: training on samples by eight emulated GPUs that are priced and not run, in the folder at hand. Batches find of their caches what was
predicted; and the larger the groups of GPUs with links to each other are, the less comes from the host."""
import json
import os
import subprocess
import sys

from sampled_data import generate

DEVICES, VERTICES, FEATURES, TRAINED = 8, 4000, 16, 1600


def run(file, memory, epochs=1):
    done = subprocess.run(["gnn-train", sys.argv[1], "--data", "larger", "--device", "cuda:0-%d" % (DEVICES - 1), "--topology", file, "--fanout", "5,5", "--batch", "200", "--epochs", str(epochs),
                           "--no-evaluation", "--no-run-dir", "--json", "--device-memory", str(memory)], capture_output=True, text=True,
                          env=dict(os.environ, GNN_FAKE_CUDA="devices=%d,topology=%s,clock-only" % (DEVICES, file)))
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])["samples"]


def of_last_epoch(first, both):
    """The first one has batches that have chosen the rows."""
    return {name: both["so_far"][name] - first["so_far"][name] for name in ("rows", "hits", "of_peers", "bytes")}


generate(VERTICES, FEATURES, TRAINED, folder="larger")
least, before = None, None
for topology, groups in (("no-peers", 8), ("nv4", 2)):
    file = os.path.join(sys.argv[2], topology + ".json")
    if not least:
        least = max(device["other_bytes"] + device["sample_bytes"] for device in run(file, 16 << 20)["devices"])
    first, both = (run(file, least + VERTICES * FEATURES * 4 // 20, epochs) for epochs in (1, 2))
    assert len(both["groups"]) == groups, both["groups"]
    predicted, counted = both["predicted"], of_last_epoch(first, both)
    for name in ("hits", "of_peers"):
        shares = [found[name] / found["rows"] for found in (predicted, counted)]
        assert abs(shares[0] - shares[1]) < 0.02, (topology, name, shares)  # of few batches
    rates = {}
    for early, late in zip(first["devices"][1:], both["devices"][1:]):  # the first has less memory, for updates, and so has its group
        found, group = of_last_epoch(early, late), next(group for group in both["groups"] if late["device"] in group)
        rates.setdefault("alone" if len(group) == 1 else group[0], []).append((found["hits"] + found["of_peers"]) / found["rows"])
    print(topology, counted, rates)
    assert all(max(some) - min(some) < 0.03 for some in rates.values()), rates
    assert before is None or counted["bytes"] < before, (topology, counted, before)
    before = counted["bytes"]
print("the larger the groups, the less comes from the host")
