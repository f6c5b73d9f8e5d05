"""sampled_norms.py NORMS.so FOLDER: one step of stochastic gradient descent on a sample of all edges, against plain
loops. A normalization is over the vertices that are as far from the seeds as those that it is computed for: within one
step for the first layer's, the seeds for the two others'."""
import json
import math
import random
import struct
import subprocess
import sys

import npy_files

library, folder = sys.argv[1:]
VERTICES, EDGES, SEEDS, WIDTH, CLASSES, RATE = 24, 40, 6, 4, 3, 0.5
random.seed(3)
x = [[random.uniform(-1, 1) for _ in range(WIDTH)] for _ in range(VERTICES)]
x = [list(struct.unpack("<%df" % WIDTH, struct.pack("<%df" % WIDTH, *row))) for row in x]
label = [v % CLASSES for v in range(VERTICES)]
edges = [(random.randrange(VERTICES), random.randrange(VERTICES)) for _ in range(EDGES)]
seeds = list(range(SEEDS))

npy_files.write(folder + "/x.npy", "<f4", sum(x, []), (VERTICES, WIDTH))
npy_files.write(folder + "/y.npy", "<i8", label, (VERTICES,))
npy_files.write(folder + "/edge_index.npy", "<i8", [e[0] for e in edges] + [e[1] for e in edges], (2, EDGES))
for split, rows in ("train", seeds), ("val", [10]), ("test", [11]):
    npy_files.write("%s/%s.npy" % (folder, split), "<i8", rows, (len(rows),))
with open(folder + "/dataset.json", "w") as file:
    json.dump({"name": "small", "num_vertices": VERTICES, "num_classes": CLASSES, "edge_index": "edge_index.npy", "vertex": {"x": "x.npy"},
               "labels": "y.npy", "split": {split: split + ".npy" for split in ("train", "val", "test")}}, file)


def train(epochs):
    """The weights after so many epochs, of one step each, and the loss of the last."""
    run = "%s/%d" % (folder, epochs)
    subprocess.run(["gnn-train", library, "--data", folder, "--fanout", "all,all", "--batch", "100", "--optimizer", "sgd", "--lr", str(RATE),
                    "--no-evaluation", "--epochs", str(epochs), "--run-dir", run], check=True, stdout=subprocess.DEVNULL)
    with open(run + "/last.safetensors", "rb") as file:
        size = struct.unpack("<Q", file.read(8))[0]
        header, data = json.loads(file.read(size)), file.read()
    weights = {}
    for name, tensor in header.items():
        if name != "__metadata__" and tensor["dtype"] == "F64":
            begin, end = tensor["data_offsets"]
            weights[name] = list(struct.unpack("<%dd" % ((end - begin) // 8), data[begin:end]))
    with open(run + "/metrics.jsonl") as file:
        losses = [json.loads(line)["loss"] for line in file]
    return weights, losses


within = {0: set(seeds)}
within[1] = within[0] | {u for u, v in edges if v in within[0]}


def product(row, matrix, columns):
    return [sum(a * matrix[i * columns + c] for i, a in enumerate(row)) for c in range(columns)]


def convolution(w, layer, h, vertices):
    columns = len(w[layer + ".b"])
    result = {}
    for v in vertices:
        own = product(h[v], w[layer + ".W_self"], columns)
        read = [product(h[u], w[layer + ".W"], columns) for u, end in edges if end == v]
        mean = [sum(row[c] for row in read) / max(len(read), 1) for c in range(columns)]
        result[v] = [a + b + c for a, b, c in zip(own, mean, w[layer + ".b"])]
    return result


def normalization(w, layer, h, vertices):
    result = {v: [] for v in vertices}
    for c, (gamma, beta) in enumerate(zip(w[layer + ".gamma"], w[layer + ".beta"])):
        mean = sum(h[v][c] for v in vertices) / len(vertices)
        variance = sum((h[v][c] - mean) ** 2 for v in vertices) / len(vertices)
        for v in vertices:
            result[v].append(gamma * (h[v][c] - mean) / math.sqrt(variance + 1e-5) + beta)
    return result


def relu(h):
    return {v: [max(a, 0) for a in row] for v, row in h.items()}


def loss(w):
    h = relu(normalization(w, "norm1", convolution(w, "conv1", x, within[1]), within[1]))
    a = relu(normalization(w, "norm2", convolution(w, "conv2", h, within[0]), within[0]))
    b = normalization(w, "skip", h, within[0])
    total = 0
    for v in seeds:
        logits = [p + q for p, q in zip(product([p + q for p, q in zip(a[v], b[v])], w["last.W"], CLASSES), w["last.b"])]
        total += math.log(sum(map(math.exp, logits))) - logits[label[v]]
    return total / len(seeds)


before, _ = train(0)
after, losses = train(1)
expected = loss(before)
assert abs(losses[0] - expected) < 1e-6, (losses, expected)
checked, worst = 0, 0
for name, numbers in before.items():
    if name.endswith(("mean_all", "var_all")):
        continue
    for i, number in enumerate(numbers):
        difference = 0
        for step in 1e-5, -1e-5:
            numbers[i] = number + step
            difference += loss(before) * (1 if step > 0 else -1) / 2e-5
        numbers[i] = number
        worst = max(worst, abs((number - after[name][i]) / RATE - difference))
        checked += 1
assert worst < 1e-5, worst
print("loss %.6f, %d gradients checked" % (expected, checked))
