"""caches.py MODEL.so TOPOLOGIES: plans of caches for up to 8 GPUs over a planted graph of communities, in the folder at hand. What was predicted is what other batches
are counted to find; each alpha is hardly worse than the best; more GPUs read less from the host; and caches that cliques share are better than caches apart."""
import json
import os
import random
import subprocess
import sys

from npy_files import write

VERTICES, COMMUNITIES, DEGREE, FEATURES = 6400, 32, 12, 64


def generate():
    """Seven of ten edges, and more, are within a community, of which some vertices are read by many."""
    draw = random.Random(1)
    size = VERTICES // COMMUNITIES
    sources, destinations = [], []
    for vertex in range(VERTICES):
        for _ in range(DEGREE):
            community = vertex // size if draw.random() < 0.7 else draw.randrange(COMMUNITIES)
            sources.append(community * size + int(size * draw.random() ** 3))
            destinations.append(vertex)
    os.mkdir("data")
    write("data/edge_index.npy", "<i8", sources + destinations, (2, len(sources)))
    write("data/x.npy", "<f4", [0.5] * (VERTICES * FEATURES), (VERTICES, FEATURES))
    write("data/y.npy", "<i8", [vertex // size for vertex in range(VERTICES)], (VERTICES,))
    write("data/train.npy", "<i8", list(range(VERTICES)), (VERTICES,))


def connect(name, groups):
    """A file of GPUs that have links to all of their group."""
    links = [{"from": "host", "to": "cuda:%d" % device, "GB/s": 16} for group in groups for device in group]
    links += [{"from": "cuda:%d" % a, "to": "cuda:%d" % b, "GB/s": 25} for group in groups for a in group for b in group if a < b]
    with open(name, "w") as file:
        json.dump({"links": links}, file)
    return name


def plan(topology, devices, memory=VERTICES * FEATURES * 4 // 20, fanout="10,5"):
    command = ["gnn-train", "plan", sys.argv[1], "--data", "data", "--device", "cuda:0-%d" % (devices - 1), "--topology", topology, "--device-memory", str(memory), "--fanout", fanout, "--batch", "50", "--json"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def check(result):
    """What a plan says is what is counted."""
    for group in result["groups"]:
        counted, at = group["counted"], round(100 * group["alpha"])
        assert len(counted) == 101 and group["predicted"][at] == min(group["predicted"]), group
        assert counted[at] <= 1.02 * min(counted[::5]), (group["alpha"], counted[at], counted[::5])
    for device in result["devices"]:
        predicted, counted = device["predicted"], device["counted"]
        for kind in ("edges", "features"):
            assert abs(predicted[kind]["hit_rate"] - counted[kind]["hit_rate"]) < 0.03, (kind, device)  # of a few hundred seeds
        assert abs(predicted["bytes"] - counted["bytes"]) <= 0.06 * counted["bytes"] + 1, device
    rates = {}
    for group in result["groups"]:  # a larger group finds more
        rates.setdefault(len(group["devices"]), []).extend(device["counted"]["features"]["hit_rate"] for device in result["devices"] if device["device"] in group["devices"])
    for some in rates.values():
        assert max(some) - min(some) < 0.03, rates


def file(name):
    return os.path.join(sys.argv[2], name + ".json")


generate()
# 5 % of the features for each
before = None
for devices in range(1, 9):
    found = plan(file("nv8"), devices)
    check(found)
    now = found["transactions_of_epoch"]["counted"]
    assert before is None or now < before, (devices, now, before)
    before = now
five_three = connect("five-three.json", [[0, 2, 3, 5, 7], [1, 4, 6]])
for topology, groups in ((file("nv2"), 4), (file("nv4"), 2), (file("nv8"), 1), (five_three, 2)):
    found = plan(topology, 8)
    check(found)
    assert len(found["groups"]) == groups, found["groups"]
    now, others = found["transactions_of_epoch"]["counted"], found["compared"]
    print(os.path.basename(topology), [group["alpha"] for group in found["groups"]], round(now), others)
    assert now < min(others.values()), (topology, now, others)
    assert found["pieces"] == 0, found["pieces"]
assert len(plan(file("no-peers"), 8)["groups"]) == 8
found = plan(file("nv2"), 8, memory=0x3000)  # so little that each GPU does better with communities of its own; pairs of them do too, then
assert found["pieces"] > 0, found["pieces"]
now, others = found["transactions_of_epoch"]["counted"], found["compared"]
assert now < min(others.values()), (now, others, found["pieces"])
check(plan(file("nv4"), 8, memory=0x4000, fanout="15,10"))
print("what is predicted is counted")
