"""rank_traffic.py COMMAND...: what each of 2, 4 and 8 ranks of the GCN sends in an epoch over 8 intervals, by the formula of docs/dev/distributed.md: two epochs
less one."""
import json
import subprocess
import sys

vertices, inputs, hidden, classes, parts = 1500, 480, 16, 6, 8
# What other rows read: in the step conv1's and conv2's products, and back the gradients that pass the edges and that of the first product, which the columns
# of x read; in the evaluation the products again, then its results, the loss and whether a vertex is right.
numbers = (hidden + classes + classes + hidden + hidden) + (hidden + classes) + 2
totals = 4 * (hidden * classes + 1)  # gradient of conv2.W, loss


def traffic(ranks, epochs):
    options = ["--ranks", str(ranks), "--epochs", str(epochs), "--intervals", str(parts), "--no-run-dir", "--json"]
    return json.loads(subprocess.run(sys.argv[1:] + options, check=True, capture_output=True).stdout)["ranks"]


def expected(rank, ranks):
    rows = vertices * ((rank + 1) * parts // ranks) // parts - vertices * (rank * parts // ranks) // parts
    table = 4 * rows * numbers + (4 * inputs * hidden if rank == 0 else 0)  # and the gradient of conv1.W, whose rows are columns of x
    others = ranks - 1
    return others * table + totals * (1 if rank < others else others) + 8 * others  # and whether to stop


for ranks in (2, 4, 8):
    runs = [traffic(ranks, epochs) for epochs in (1, 2)]
    for run in runs:
        assert sum(rank["sent"] for rank in run) == sum(rank["received"] for rank in run), run
    sent = [two["sent"] - one["sent"] for one, two in zip(*runs)]
    formula = [expected(rank, ranks) for rank in range(ranks)]
    assert sent == formula, (sent, formula)
