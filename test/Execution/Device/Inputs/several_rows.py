"""several_rows.py FOLDER: several devices over a graph of few edges, with topologies of a folder, in the folder of gcn.so and the data set sparse. What travels are the
rows that somebody needs, which are counted here anew, wherever they are few enough by the rule of docs/dev/streaming.md."""
import json
import os
import re
import struct
import subprocess
import sys

INTERVALS, ROWS = 8, 60  # of each interval
STEP = 4 * (16 + 16 + 6)  # bytes of a vertex that sweeps read by col


def run(arguments, settings):
    done = subprocess.run(["gnn-train"] + arguments, capture_output=True, text=True, env=dict(os.environ, GNN_FAKE_CUDA=settings))
    assert done.returncode == 0 or "least that does" in done.stderr, done.stderr
    return done


def train(device, *more, settings):
    done = run(["gcn.so", "--data", "sparse", "--device", device, "--epochs", "1", "--json", "--run-dir", "run", "--exist-ok", *little, *more], settings)
    moved = {(a, b): int(count) for a, b, count in re.findall(r"fake libcuda: (\S+) -> (\S+): (\d+) bytes", done.stderr)}
    with open("run/last.safetensors", "rb") as file:
        header = json.loads(file.read(struct.unpack("<Q", file.read(8))[0]))
        numbers = file.read()
    weights = {name: numbers[slice(*entry["data_offsets"])] for name, entry in header.items() if name != "__metadata__"}
    return json.loads(done.stdout.splitlines()[-1])["stream"], moved, weights


refused = run(["plan", "gcn.so", "--data", "sparse", "--device", "cuda:0-7", "--intervals", "8", "--device-memory", "16KB"], "devices=8")
little = ["--intervals", "8", "--device-memory", re.search(r"the least that does is (\d+)KB", refused.stderr).group(1) + "KB"]

# Rows of cols that chunks need. The graph has each edge in both directions, and a loop at each vertex.
with open("sparse/edge_index.npy", "rb") as file:
    content = file.read()
numbers = struct.unpack("<%dq" % (int(re.search(rb"\(2, (\d+)\)", content).group(1)) * 2), content[10 + struct.unpack("<H", content[8:10])[0] :])
edges = {*zip(numbers[: len(numbers) // 2], numbers[len(numbers) // 2 :])}
assert {(b, a) for a, b in edges} == edges
needed = {(p, q): set() for p in range(INTERVALS) for q in range(INTERVALS)}
for a, b in edges | {(v, v) for v in range(INTERVALS * ROWS)}:
    needed[a // ROWS, b // ROWS].add(b)


def travelling(devices, sets, loaders):
    """Rows that leave the memory of the machine, and those that go from device to device, in all chunks of a sweep: of the useful ones, and of whole intervals. `sets`:
    devices that give them on."""
    counts, whole = [0, 0], [0, 0]
    for group in range(INTERVALS // devices):
        for members in sets:
            for q in range(INTERVALS):
                of_chunks = [needed[member * INTERVALS // devices + group, q] for member in members]
                meets, useful = sum(map(bool, of_chunks)), len(set.union(*of_chunks))
                useful = useful if useful < ROWS * 8 / (8 + 24 * loaders) else ROWS
                for of, rows in ((counts, useful), (whole, ROWS)):
                    of[0] += rows if meets else 0
                    of[1] += rows * max(meets - 1, 0)
    return counts, whole


def all_of(moved, isOfHost):
    return sum(count for (a, b), count in moved.items() if (a == "host" and b != "host" if isOfHost else "host" not in (a, b)))


_, _, expected = train("cuda:0", settings="devices=1")
for topology, devices, loaders in (("one-switch", 2, 1), ("one-switch", 4, 1), ("nv4", 4, 2), ("nv4", 8, 4)):
    last = "cuda:0-%d" % (devices - 1)
    file = os.path.join(sys.argv[1], topology + ".json")
    machine = "devices=%d,no-blas,links,topology=%s" % (devices, file)
    under = devices if topology == "one-switch" else 2  # a switch
    saved = {}
    for comm, sets in (
        ("replicated", [[d] for d in range(devices)]),
        ("chain", [list(range(first, first + under)) for first in range(0, devices, under)]),
        ("ring", [list(range(devices))]),
    ):
        useful, whole = travelling(devices, sets, loaders)
        plans = [json.loads(run(["plan", "gcn.so", "--data", "sparse", "--device", last, "--comm", comm, "--topology", file, "--json", *little, *more], "no-device").stdout)
                 for more in ([], ["--whole-intervals"])]
        step, wholeStep = (plan["stream"]["step"] for plan in plans)
        spared = [a - b for a, b in zip(whole, useful)]
        difference = [count * STEP for count in spared]
        assert wholeStep["tables_to_device"] - step["tables_to_device"] == step["tables_passed_over"] == difference[0], (topology, devices, comm, step, wholeStep, difference)
        assert wholeStep["between_devices"] - step["between_devices"] == difference[1] and wholeStep["tables_passed_over"] == 0, (topology, devices, comm, step, wholeStep)
        saved[comm] = difference[0] / wholeStep["tables_to_device"]
        stream, moved, weights = train(last, "--comm", comm, "--topology", file, settings=machine)
        wholeStream, wholeMoved, _ = train(last, "--comm", comm, "--topology", file, "--whole-intervals", settings=machine)
        assert stream["step"] == step and stream["comm"] == comm, (stream, step)
        assert weights == expected, (topology, devices, comm)
        for key, isOfHost, planned in (("tables_to_device", True, difference[0]), ("between_devices", False, difference[1])):  # of the step, and the evaluation after it
            spared_so_far = wholeStream["so_far"][key] - stream["so_far"][key]
            assert all_of(wholeMoved, isOfHost) - all_of(moved, isOfHost) == spared_so_far >= planned, (topology, devices, comm, key, spared_so_far, planned)
    print(topology, devices, {comm: "%.2f" % share for comm, share in saved.items()})
    assert saved["replicated"] > 0
print("the bits of one device, and the rows that edges touch")
