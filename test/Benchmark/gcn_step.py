#!/usr/bin/env python3
"""Time of a training step of the two-layer GCN: gnnc with its input in either form, and in the one that it chooses, and, where torch and torch_geometric are installed,
the same model in PyTorch Geometric. A step is forward, backward and the Adam update over the whole graph, without evaluation.

The contestants take turns, one round each, in processes of their own; a round's number is the median of its steps, and the table shows
the median, the least and the greatest of the rounds. So a machine that is slower for a while is slower for all of them.
"""

import argparse
import importlib.util
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
HIDDEN, DROPOUT, LEARNING_RATE, WEIGHT_DECAY = 16, 0.5, 0.01, 5e-4
WARM_UP = 20


def gnnc_round(arguments, library, form):
    command = [arguments.bin / "gnn-train", library, "--data", arguments.data, "--epochs", arguments.steps, "--threads", arguments.threads,
               "--seed", 0, "--inputs", form, "--json"]
    with tempfile.TemporaryDirectory() as run_folder:
        command += ["--run-dir", run_folder + "/run"]
        output = subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True).stdout
    return json.loads(output.splitlines()[-1])["step_ms_median"]


def pyg_round(arguments):
    command = [sys.executable, __file__, "--data", arguments.data, "--steps", arguments.steps, "--threads", arguments.threads, "--pyg-child"]
    return float(subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True).stdout)


def pyg_child(arguments):
    """Prints the median step of one run of the model in PyTorch Geometric."""
    import time

    import numpy
    import torch
    from torch_geometric.nn import GCNConv

    def load(name):
        return numpy.load(arguments.data / (name + ".npy"))

    torch.set_num_threads(arguments.threads)
    torch.manual_seed(0)
    vertices, width = load("x_shape")
    features = numpy.zeros((vertices, width), dtype=numpy.float32)
    rows = numpy.repeat(numpy.arange(vertices), numpy.diff(load("x_indptr")))
    features[rows, load("x_indices")] = load("x_values")
    x = torch.from_numpy(features / features.sum(1, keepdims=True).clip(min=1e-12))
    edges = torch.from_numpy(load("edge_index"))
    labels = torch.from_numpy(load("y")).long()
    train = torch.from_numpy(load("train")).long()

    class Gcn(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.conv1 = GCNConv(int(width), HIDDEN, cached=True)
            self.conv2 = GCNConv(HIDDEN, int(labels.max()) + 1, cached=True)

        def forward(self, x):
            x = torch.nn.functional.dropout(x, DROPOUT, self.training)
            x = torch.nn.functional.dropout(self.conv1(x, edges).relu(), DROPOUT, self.training)
            return self.conv2(x, edges)

    model = Gcn().train()
    optimizer = torch.optim.Adam([{"params": model.conv1.parameters(), "weight_decay": WEIGHT_DECAY},
                                  {"params": model.conv2.parameters(), "weight_decay": 0.0}], lr=LEARNING_RATE)
    times = []
    for _ in range(arguments.steps):
        start = time.perf_counter()
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(model(x)[train], labels[train]).backward()
        optimizer.step()
        times.append(1e3 * (time.perf_counter() - start))
    print(statistics.median(times[WARM_UP:]))


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=pathlib.Path, required=True, help="data set folder, such as cora")
    parser.add_argument("--bin", type=pathlib.Path, default=HERE.parents[1] / "build/release/bin", help="folder of gnnc and gnn-train")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--steps", type=int, default=200, help="steps a round; at least %d" % (WARM_UP + 1))
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of a table")
    parser.add_argument("--pyg-child", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.steps <= WARM_UP:
        parser.error("--steps must be more than %d" % WARM_UP)
    return arguments


def main():
    arguments = parse_arguments()
    if arguments.pyg_child:
        return pyg_child(arguments)

    with tempfile.TemporaryDirectory() as folder:
        contestants = {}
        library = pathlib.Path(folder) / "gcn.so"
        subprocess.run([str(arguments.bin / "gnnc"), str(HERE.parents[1] / "examples/gcn/gcn.gnn"), "-o", str(library)], check=True)
        for form in ["sparse", "dense", "auto"]:
            contestants["gnnc, %s input" % form] = lambda form=form: gnnc_round(arguments, library, form)
        if importlib.util.find_spec("torch") and importlib.util.find_spec("torch_geometric"):
            contestants["PyTorch Geometric"] = lambda: pyg_round(arguments)
        else:
            print("torch and torch_geometric are not installed: gnnc alone", file=sys.stderr)

        rounds = {name: [] for name in contestants}
        for _ in range(arguments.rounds):
            for name, run in contestants.items():
                rounds[name].append(run())

    medians = {name: statistics.median(times) for name, times in rounds.items()}
    reference = medians.get("PyTorch Geometric")
    if arguments.json:
        ratios = {name: reference / ms for name, ms in medians.items()} if reference else {}
        print(json.dumps({"step_ms": medians, "rounds": rounds, "faster_than_pyg": ratios, "threads": arguments.threads}))
        return
    print("%-20s %10s %10s %10s %8s" % ("", "median ms", "least", "greatest", "ratio"))
    for name, times in rounds.items():
        ratio = "%7.1fx" % (reference / medians[name]) if reference else ""
        print("%-20s %10.3f %10.3f %10.3f %8s" % (name, medians[name], min(times), max(times), ratio))


if __name__ == "__main__":
    main()
