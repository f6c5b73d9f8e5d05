"""left_out.py FOLDER NUMBER: writes the data of left-out.gnn; whatever the model leaves out is NUMBER.
left_out.py --compare WEIGHTS...: whether all files have the same bits for every parameter, all of them finite."""
import array
import json
import math
import random
import sys

import npy_files

VERTICES, EDGES, WIDTH, CHOICES = 40, 160, 5, 2


def write(folder, left_out):
    draw = random.Random(3)
    numbers = lambda count: [draw.uniform(0.2, 1.2) for _ in range(count)]
    ends = [draw.randrange(VERTICES) for _ in range(2 * EDGES)]
    good = [float(draw.random() < 0.7) for _ in range(VERTICES)]
    counts = [draw.random() < 0.6 for _ in range(VERTICES)]
    ok = [float(draw.random() < 0.7) for _ in range(EDGES)]

    def where(holds, width=1):
        return [x if holds[i // width] else left_out for i, x in enumerate(numbers(len(holds) * width))]

    def save(name, kind, values, *shape):
        npy_files.write("%s/%s.npy" % (folder, name), kind, values, shape)

    save("edge_index", "<i8", ends, 2, EDGES)
    save("edge_ok", "<f4", ok, EDGES)
    save("edge_a", "<f4", where(ok), EDGES)
    save("edge_b", "<f4", where([good[v] for v in ends[EDGES:]]), EDGES)
    save("x", "<f4", numbers(VERTICES * WIDTH), VERTICES, WIDTH)
    save("vertex_good", "<f4", good, VERTICES)
    save("vertex_n", "<f4", where(good, WIDTH), VERTICES, WIDTH)
    save("vertex_m", "<f4", where(counts, WIDTH), VERTICES, WIDTH)
    save("vertex_t", "<f4", where(counts, WIDTH), VERTICES, WIDTH)
    pick = [x * good[i // CHOICES] for i, x in enumerate(numbers(VERTICES * CHOICES))]
    save("vertex_pick", "<f4", pick, VERTICES, CHOICES)
    save("y", "<i8", [0 if c else -1 for c in counts], VERTICES)
    train = [v for v in range(VERTICES) if counts[v]]
    save("train", "<i8", train, len(train))


def parameters(path):
    with open(path, "rb") as file:
        data = file.read()
    begin = 8 + int.from_bytes(data[:8], "little")
    table = json.loads(data[8:begin])
    return {name: data[begin + entry["data_offsets"][0]:begin + entry["data_offsets"][1]]
            for name, entry in table.items() if name[0] in "pw" and entry.get("dtype") == "F32"}


def compare(paths):
    first = parameters(paths[0])
    for path in paths:
        for name, data in parameters(path).items():
            if not all(map(math.isfinite, array.array("f", data))):
                print(path, name, "is not finite")
            if data != first[name]:
                print(path, name, "differs")
    print(len(first), "parameters compared")


if sys.argv[1] == "--compare":
    compare(sys.argv[2:])
else:
    write(sys.argv[1], float(sys.argv[2]))
