"""several.py: run with emulated devices, in the folder of small.so, gat.so and the data sets dense and karate. Several devices have the bits of one, whatever way
rows take, and move the bytes that were planned, which are those of the formulas of docs/dev/streaming.md."""
import json
import os
import re
import struct
import subprocess


def run(arguments, settings):
    done = subprocess.run(["gnn-train"] + arguments, capture_output=True, text=True, env=dict(os.environ, GNN_FAKE_CUDA=settings))
    assert done.returncode == 0 or "least that does" in done.stderr, done.stderr
    return done


def train(case, device, *more, settings="devices=4,links"):
    """What it says of streams, bytes by link, and the weights, without the notes beside them, which name the devices."""
    done = run(["%s.so" % case[0], "--data", case[1], "--device", device, "--epochs", "1", "--json", "--run-dir", "run", "--exist-ok", *case[2:], *more], settings)
    moved = {(a, b): int(count) for a, b, count in re.findall(r"fake libcuda: (\S+) -> (\S+): (\d+) bytes", done.stderr)}
    with open("run/last.safetensors", "rb") as file:
        header = json.loads(file.read(struct.unpack("<Q", file.read(8))[0]))
        numbers = file.read()
    weights = {name: numbers[slice(*entry["data_offsets"])] for name, entry in header.items() if name != "__metadata__"}
    return json.loads(done.stdout.splitlines()[-1])["stream"], moved, weights


def between(moved):
    return sum(count for ends, count in moved.items() if "host" not in ends)


def least(model, data, *more):
    """Of four devices, which need more than one: each interval has a part of the totals."""
    refused = run(["plan", model, "--data", data, "--device", "cuda:0-3", "--device-memory", "16KB", *more], "devices=4")
    return [*more, "--device-memory", re.search(r"the least that does is (\d+)KB", refused.stderr).group(1) + "KB"]


# In the memory of each device as much as there is, and as little as can be.
little = ["small", "dense", *least("small.so", "dense", "--intervals", "8")]
cases = {
    "all of a GCN": (["small", "dense", "--intervals", "5"], [("cuda:0-3", "auto")]),
    "little of a GCN": (little, [("cuda:0-1", "auto"), ("cuda:3,0,2", "chain"), ("cuda:0-3", "replicated")]),
    "all of a GAT": (["gat", "karate", "--intervals", "4"], [("cuda:1-3", "auto")]),
    "little of a GAT": (["gat", "karate", *least("gat.so", "karate", "--intervals", "4")], [("cuda:0-2", "ring")]),
}
expected = {}
for name, (case, ways) in cases.items():
    one, moved, expected[name] = train(case, "cuda:0")
    assert between(moved) == 0 and "devices" not in one, (moved, one)
    for device, comm in ways:
        stream, moved, weights = train(case, device, "--comm", comm)
        assert weights == expected[name], (name, device, comm)
        assert between(moved) == stream["so_far"]["between_devices"] > 0, (moved, stream)
        assert stream["comm"] == comm or comm == "auto", stream

# Of 8 intervals D devices load each ceil(8 / D) times in a sweep by a ring or a chain, and 8 times where they are replicated. Every chunk of this graph has edges, and
# what sweeps read by col is 16 numbers of a vertex twice, and 6 once.
for count, device in ((2, "cuda:0-1"), (3, "cuda:0-2"), (4, "cuda:0-3")):
    steps = {}
    for comm in ("replicated", "ring", "chain"):
        planned = run(["plan", "small.so", "--data", "dense", "--device", device, "--comm", comm, "--json", *little[2:]], "devices=4")
        steps[comm] = json.loads(planned.stdout)["stream"]["step"]
    hops = (8 - -(-8 // count)) * 48 * 4 * (16 + 16 + 6)
    for comm in ("ring", "chain"):
        assert steps["replicated"]["tables_to_device"] - steps[comm]["tables_to_device"] == hops, (count, steps)
        assert steps[comm]["between_devices"] - steps["replicated"]["between_devices"] == hops, (count, steps)

# In a ring each of four devices loads two intervals of a group, in a chain the first one all eight, and the last one sends no rows on.
links = {comm: train(little, "cuda:0-3", "--comm", comm)[1] for comm in ("ring", "chain")}
more = [links["chain"]["host", "cuda:%d" % d] - links["ring"]["host", "cuda:%d" % d] for d in range(4)]
assert more[0] == -3 * more[1] > 0 and more[1] == more[2] == more[3], links
assert links["ring"]["cuda:3", "cuda:0"] - links["chain"]["cuda:3", "cuda:0"] == more[0], links

# Where devices do not reach each other, what goes between them goes by the memory of the machine, and rows are replicated.
stream, moved, weights = train(little, "cuda:0-3", settings="devices=4,peers=1,links")
assert stream["comm"] == "replicated" and between(moved) == 0 and weights == expected["little of a GCN"], (stream, moved)
stream, moved, weights = train(little, "cuda:0-3", "--comm", "ring", settings="devices=4,peers=2,links")
assert weights == expected["little of a GCN"] and moved["cuda:0", "cuda:1"] > 0 and ("cuda:1", "cuda:2") not in moved, moved

# The last device of a chain takes rows late: the one before it may not load others over them.
assert train(little, "cuda:0-3", "--comm", "chain", settings="devices=4,late=3")[2] == expected["little of a GCN"]
print("the bits of one device, and the bytes of the formulas")
