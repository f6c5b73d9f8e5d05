"""clock_only.py FOLDER: runs with emulated devices that are priced and not run, connected as the topologies of a folder say, in the folder of gcn.so and the data sets
data and dense. The first part holds them against runs with kernels. In the second one what goes over each link is that of the formulas of docs/dev/streaming.md, for 2, 4
and 8 devices."""
import json
import os
import re
import subprocess
import sys
from collections import Counter

INTERVALS, ROWS = 8, 6  # of each interval
PARAMETERS = 4 * (32 * 16 + 16 * 6)  # bytes, in float


def run(name, devices, comm, data, *more, settings="clock-only"):
    """What the run says of streams, its loss, and bytes by link."""
    file = os.path.join(sys.argv[1], name + ".json")
    device = "cuda:0-%d" % (devices - 1) if devices > 1 else "cuda:0"
    comm = ["--comm", comm] if devices > 1 else []
    done = subprocess.run(["gnn-train", "gcn.so", "--data", data, "--device", device, *comm, "--intervals", str(INTERVALS), "--epochs", "1", "--no-run-dir", "--json", "--topology", file, *more],
                          capture_output=True, text=True, env=dict(os.environ, GNN_FAKE_CUDA="devices=%d,no-blas,links,topology=%s,%s" % (devices, file, settings)))
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout.splitlines()[-1])
    moved = Counter({(a, b): int(count) for a, b, count in re.findall(r"fake libcuda: (\S+) -> (\S+): (\d+) bytes", done.stderr)})
    return result["stream"], result["val_loss"], moved


def least(data):
    """Of eight devices, which need more than one: each interval has a part of the totals."""
    refused = subprocess.run(["gnn-train", "plan", "gcn.so", "--data", data, "--device", "cuda:0-7", "--intervals", str(INTERVALS), "--device-memory", "16KB"],
                             capture_output=True, text=True, env=dict(os.environ, GNN_FAKE_CUDA="devices=8"))
    return ["--device-memory", re.search(r"the least that does is (\d+)KB", refused.stderr).group(1) + "KB"]


little = least("data")
for name, devices, comm in (("two-switches", 8, "chain"), ("nv4", 4, "ring"), ("one-device", 1, None)):
    stream, loss, moved = run(name, devices, comm, "data", *little, settings="")
    priced, none, counted = run(name, devices, comm, "data", *little)
    moved["host", "cuda:0"] -= PARAMETERS  # the weights of the best epoch are put back; without numbers there is none
    if devices == 1:
        moved["cuda:0", "host"] -= PARAMETERS  # and were read to be kept, as several devices read them in any case
    assert counted == moved and priced["so_far"] == stream["so_far"] and loss > 0, (name, counted, moved)
    assert none is None, none  # NaN, in JSON
    ratio = priced["step_seconds"] / stream["step_seconds"]
    assert 0.97 < ratio < 1.03, (name, priced["step_seconds"], stream["step_seconds"])
print("the bytes of runs with kernels, and %.3f of their seconds" % ratio)

# By hand: who loads in a ring, which chains there are, in which order a ring goes if not in that of the numbers, and who reaches whose memory.
machines = {
    "one-switch": {2: ([0], [2]), 4: ([0], [4]), 8: ([0], [8])},
    "two-switches": {2: ([0], [2]), 4: ([0], [4]), 8: ([0, 4], [4, 4])},
    "nv4": {2: ([0], [2]), 4: ([0, 2], [2, 2]), 8: ([0, 2, 4, 6], [2, 2, 2, 2])},
    "nv2": {2: ([0, 1], [1, 1]), 4: ([0, 1, 2, 3], [1] * 4), 8: (list(range(8)), [1] * 8)},
    "nv8": {2: ([0], [2]), 4: ([0, 2], [2, 2]), 8: ([0, 2, 4, 6], [2, 2, 2, 2])},
    "no-peers": {2: ([0], [2]), 4: ([0], [4]), 8: ([0, 4], [4, 4])},
    "five-three": {2: ([0], [2]), 4: ([0], [4]), 8: ([0, 5], [5, 3])},
    "four-switches": {2: ([0], [2]), 4: ([0, 2], [2, 2]), 8: ([0, 2, 4, 6], [2, 2, 2, 2])},
}
rings = {("nv4", 8): [0, 1, 2, 3, 7, 5, 6, 4]}
reaches = {
    "one-switch": lambda a, b: True,
    "two-switches": lambda a, b: a // 4 == b // 4,
    "nv4": lambda a, b: True,  # of those that are neighbours in its ring or under a switch
    "nv2": lambda a, b: a // 2 == b // 2,
    "nv8": lambda a, b: True,
    "no-peers": lambda a, b: False,
    "five-three": lambda a, b: (a < 5) == (b < 5),
    "four-switches": lambda a, b: a // 4 == b // 4,
}
# Numbers of a vertex that sweeps read by col: 16 twice and 6 once in a step; what those of an evaluation read stays in memory. Every chunk has edges, and needs nearly
# all rows.
UNIT = ROWS * 4 * (16 + 16 + 6)


def expected(name, devices, comm):
    """Of what sweeps read by col: how often an interval goes over each link."""
    loaders, chains = machines[name][devices]
    times = Counter()

    def load(device):
        times["host", "cuda:%d" % device] += 1

    def send(a, b):
        if reaches[name](a, b):
            times["cuda:%d" % a, "cuda:%d" % b] += 1
        else:
            times["cuda:%d" % a, "host"] += 1
            times["host", "cuda:%d" % b] += 1

    for q in range(INTERVALS):
        if comm == "replicated":
            for device in range(devices):
                load(device)
        elif comm == "ring":
            order = rings.get((name, devices), list(range(devices)))
            first = order.index(loaders[q % len(loaders)])
            order = order[first:] + order[:first]
            load(order[0])
            for a, b in zip(order, order[1:]):
                send(a, b)
        else:
            first = 0
            for count in chains:
                load(first)
                for device in range(first, first + count - 1):
                    send(device, device + 1)
                first += count
    groups = INTERVALS // devices
    return Counter({ends: groups * count * UNIT for ends, count in times.items()})


little = least("dense")
for name, by_count in machines.items():
    for devices in by_count:
        found = {comm: run(name, devices, comm, "dense", *little) for comm in ("replicated", "ring", "chain")}
        others = found["replicated"][2].copy()  # edges, own rows, totals: the same however cols come
        others.subtract(expected(name, devices, "replicated"))
        for comm, (stream, _, moved) in found.items():
            rest = moved.copy()
            rest.subtract(expected(name, devices, comm))
            assert {ends: count for ends, count in rest.items() if count} == {ends: count for ends, count in others.items() if count}, (name, devices, comm, rest, others)
            assert stream["comm"] == comm, stream
print("eight topologies, 2, 4 and 8 devices, and the bytes of the formulas")
