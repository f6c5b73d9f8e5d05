"""rank_traffic.py ONE TWO: outputs of --json of GCN over 4 ranks, of one epoch and of two. The difference is what an epoch sends, by the formula of
docs/distributed.md."""
import json
import sys

runs = [json.load(open(path))["ranks"] for path in sys.argv[1:]]
for ranks in runs:
    assert sum(rank["sent"] for rank in ranks) == sum(rank["received"] for rank in ranks), ranks
sent = [sum(rank["sent"] for rank in ranks) for ranks in runs]
vertices, inputs, hidden, classes, ranks = 1500, 480, 16, 6, 4
# What other rows read: in the step conv1's and conv2's products, and back the gradients that pass the edges and that of the first product, which the columns
# of x read; in the evaluation the products again, then its results, the loss and whether a vertex is right.
numbers = (hidden + classes + classes + hidden + hidden) + (hidden + classes) + 2
tables = 4 * vertices * numbers + 4 * inputs * hidden  # and the gradient of conv1.W, whose rows are columns of x
totals = 4 * (hidden * classes + 1)  # gradient of conv2.W, loss
expected = (ranks - 1) * tables + 2 * (ranks - 1) * totals + 8 * ranks * (ranks - 1)  # and whether to stop
assert sent[1] - sent[0] == expected, (sent[1] - sent[0], expected)
