"""far_totals.py FAR_TOTALS.so FOLDER: one step of stochastic gradient descent on a sample of all edges, against plain
loops. All totals are over the vertices within one step of the seeds, as edges read them, and so are their gradients."""
import math
import sys

import sampled_step

step = sampled_step.SampledStep(*sys.argv[1:], width=0)
x, far = step.x, step.within[1]
frozen = None


def mean(of):
    return sum(of(v) for v in far) / len(far)


def loss(w):
    global frozen
    [a], [b], [d], p = w["a"], w["b"], w["d"], w["p"]
    factor = mean(lambda v: math.exp(x[v] * a))
    if frozen is None:  # before weights change
        frozen = factor
    k = mean(lambda v: math.exp(x[v] * b))
    m = mean(lambda v: math.tanh(x[v] * d + k))
    total = 0
    for v in step.seeds:
        read = [x[u] for u, end in step.edges if end == v]
        y = sum(xu * frozen * x[v] for xu in read) + x[v] * factor
        y += sum(xu for xu in read if xu * m > 0.1) * m
        y += sum(math.tanh(xu * d) * x[v] * k for xu in read)
        logits = [y * each for each in p]
        total += math.log(sum(map(math.exp, logits))) - logits[step.label[v]]
    return total / len(step.seeds)


step.check("all", loss)
