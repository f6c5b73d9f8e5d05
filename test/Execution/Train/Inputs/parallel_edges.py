"""parallel_edges.py --write FOLDER: a small multigraph: parallel edges, edges against them, repeated loops.
parallel_edges.py --check OUTPUT FILE: an output of parallel-edges.gnn against sums over edges that are listed
here one by one.
parallel_edges.py --check-step WEIGHTS: the weights after one step with learning rate 0.01, from ones."""
import array
import json
import random
import sys

import npy_files

VERTICES, WIDTH, TYPES, EDGES, RATE = 12, 3, 2, 160, 0.01


def draw():
    random.seed(5)
    ends = []
    for _ in range(EDGES):
        u, v = random.randrange(VERTICES - 1), random.randrange(VERTICES - 1)  # the last vertex has no edge
        ends.append((u, u if random.random() < 0.2 else v))
    number = lambda: random.randrange(-8, 9) / 8
    types = [random.randrange(TYPES) for _ in ends]
    weights = [number() for _ in ends]
    x = [[number() for _ in range(WIDTH)] for _ in range(VERTICES)]
    target = [[number() for _ in range(WIDTH)] for _ in range(VERTICES)]
    return ends, types, weights, x, target


def transformed():
    """(source, destination, type, weight) of every edge: first by searching for partners, then loops."""
    ends, types, weights, _, _ = draw()
    edges = [(u, v, t, w) for (u, v), t, w in zip(ends, types, weights)]
    free = list(range(len(edges)))
    unmatched = []
    while free:
        i = free.pop(0)
        u, v, t, _ = edges[i]
        partners = [j for j in free if edges[j][:3] == (v, u, t)]
        if u != v and partners:
            free.remove(partners[0])
        elif u != v:
            unmatched.append(i)
    edges += [(edges[i][1], edges[i][0], edges[i][2], edges[i][3]) for i in unmatched]
    return edges + [(v, v, None, 1.0) for v in range(VERTICES) if not any(u == v == w for u, w, _, _ in edges)]


def outputs():
    _, _, _, x, _ = draw()
    y, n = [[0.0] * WIDTH for _ in range(VERTICES)], [0] * VERTICES
    for u, v, t, w in transformed():
        n[v] += 1
        n[u] += 1000
        for k in range(WIDTH):
            y[v][k] += w * x[u][k] + (w if t is not None else 0)
    return {"y": [number for row in y for number in row], "n": n}


def step():
    _, _, _, x, target = draw()
    y = outputs()["y"]
    slope = [2 * (y[v * WIDTH + k] - target[v][k]) / WIDTH / VERTICES for v in range(VERTICES) for k in range(WIDTH)]
    g, t = [0.0] * WIDTH, [0.0] * (TYPES * WIDTH)
    for u, v, kind, w in transformed():
        for k in range(WIDTH):
            g[k] += slope[v * WIDTH + k] * w * x[u][k]
            if kind is not None:
                t[kind * WIDTH + k] += slope[v * WIDTH + k] * w
    return {"g": [1 - RATE * d for d in g], "t": [1 - RATE * d for d in t]}


def write(folder):
    ends, types, weights, x, target = draw()
    flat = lambda rows: [number for row in rows for number in row]
    npy_files.write(folder + "/edge_index.npy", "<i8", [u for u, _ in ends] + [v for _, v in ends], (2, EDGES))
    npy_files.write(folder + "/edge_type.npy", "<i8", types, (EDGES,))
    npy_files.write(folder + "/edge_w.npy", "<f4", weights, (EDGES,))
    npy_files.write(folder + "/x.npy", "<f4", flat(x), (VERTICES, WIDTH))
    npy_files.write(folder + "/vertex_s.npy", "<f4", flat(target), (VERTICES, WIDTH))
    npy_files.write(folder + "/y.npy", "<i8", [0] * VERTICES, (VERTICES,))
    npy_files.write(folder + "/train.npy", "<i8", list(range(VERTICES)), (VERTICES,))


def expect_near(name, found, expected):
    assert len(found) == len(expected), name
    for i, (a, b) in enumerate(zip(found, expected)):
        if abs(a - b) > 1e-4:
            sys.exit("%s[%d] is %r, expected %r" % (name, i, a, b))
    print(name, "is right")


def floats(data):
    return array.array("f", data).tolist()


if sys.argv[1] == "--write":
    write(sys.argv[2])
elif sys.argv[1] == "--check":
    with open(sys.argv[3], "rb") as file:
        data = file.read()
    expected = outputs()[sys.argv[2]]
    expect_near(sys.argv[2], floats(data[-4 * len(expected):]), expected)
else:
    with open(sys.argv[2], "rb") as file:
        data = file.read()
    begin = 8 + int.from_bytes(data[:8], "little")
    table = json.loads(data[8:begin])
    for name, expected in step().items():
        first, end = table[name]["data_offsets"]
        expect_near(name, floats(data[begin + first:begin + end]), expected)
