"""sampled_norms.py NORMS.so FOLDER: one step of stochastic gradient descent on a sample of all edges, against plain
loops. A normalization is over the vertices that are as far from the seeds as those that it is computed for: within one
step for the first layer's, the seeds for the two others'."""
import math
import sys

import sampled_step

step = sampled_step.SampledStep(*sys.argv[1:], width=4)


def product(row, matrix, columns):
    return [sum(a * matrix[i * columns + c] for i, a in enumerate(row)) for c in range(columns)]


def convolution(w, layer, h, vertices):
    columns = len(w[layer + ".b"])
    result = {}
    for v in vertices:
        own = product(h[v], w[layer + ".W_self"], columns)
        read = [product(h[u], w[layer + ".W"], columns) for u, end in step.edges if end == v]
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
    near, far = step.within[0], step.within[1]
    h = relu(normalization(w, "norm1", convolution(w, "conv1", step.x, far), far))
    a = relu(normalization(w, "norm2", convolution(w, "conv2", h, near), near))
    b = normalization(w, "skip", h, near)
    total = 0
    for v in step.seeds:
        logits = [p + q for p, q in zip(product([p + q for p, q in zip(a[v], b[v])], w["last.W"], sampled_step.CLASSES), w["last.b"])]
        total += math.log(sum(map(math.exp, logits))) - logits[step.label[v]]
    return total / len(step.seeds)


step.check("all,all", loss, isTrained=lambda name: not name.endswith(("mean_all", "var_all")))
