"""Prints the losses of the first two steps that conv_norm_twice.py expects: NumPy, nothing of gnnc, and the normalizations of
docs/sampling.md, which are over the seeds and over the vertices within one step of them."""
import numpy as np

from conv_norm_twice_data import EDGES, LABELS, RATE, SEEDS, VERTICES, WEIGHTS, X

weights = {name: np.array(values, float).reshape(shape) for name, (shape, values) in WEIGHTS.items()}
adjacency = np.zeros((VERTICES, VERTICES))
for source, destination in EDGES:
    adjacency[destination, source] += 1
degrees = adjacency.sum(axis=1)
adjacency /= np.sqrt(np.outer(degrees, degrees))
near = np.array(SEEDS)
far = np.unique(np.concatenate([near, np.nonzero(adjacency[near].any(axis=0))[0]]))
inputs, labels = np.array(X, float), np.array(LABELS)[near]


def layer(w, number, h):
    h = h @ w["conv%d.W" % number] + w["conv%d.b" % number]
    centered = h - h.mean(axis=0)
    normed = centered / np.sqrt((centered ** 2).mean(axis=0) + 1e-5)
    return np.maximum(w["norm%d.gamma" % number] * normed + w["norm%d.beta" % number], 0)


def loss(w):
    hidden = layer(w, 1, adjacency[far] @ inputs)
    logits = layer(w, 2, adjacency[np.ix_(near, far)] @ hidden)
    shifted = logits - logits.max(axis=1, keepdims=True)
    return np.mean(np.log(np.exp(shifted).sum(axis=1)) - shifted[np.arange(len(near)), labels])


def gradient(w, name, step=1e-6):
    result = np.zeros_like(w[name])
    for index in np.ndindex(result.shape):
        for sign in 1, -1:
            moved = dict(w, **{name: w[name].copy()})
            moved[name][index] += sign * step
            result[index] += sign * loss(moved) / (2 * step)
    return result


print("%.6f" % loss(weights), end=" ")
print("%.6f" % loss({name: values - RATE * gradient(weights, name) for name, values in weights.items()}))
