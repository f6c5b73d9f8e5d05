#!/usr/bin/env python3
"""Sampling and training on samples: a two-layer GraphSAGE with mean aggregation, gnnc's and, where dgl 2.1 is installed for --peer,
that of DGL's GraphBolt over the same graph, features, batches and fan-outs.

On one thread each: batches a second of sampling alone, of sampling and copying features, and of whole training steps. The contestants
take turns, one round each, in processes of their own; the table has the median, the least and the greatest of the rounds. So a machine
that is slower for a while is slower for both.
"""

import argparse
import json
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
STAGES = ["sampling", "with features", "steps"]
MODEL = """import nn

model SAGE(in: dim, hidden: dim = %d, classes: dim) {
  train {
    optimizer adam
    lr 0.001
  }
  layer conv1 = SAGEConv(in, hidden)
  layer conv2 = SAGEConv(hidden, classes)
  vertex v {
    input  x: real[in]
    let    h      = relu(conv1(x))
    output logits = conv2(h)
    target label: i32
    loss   cross_entropy(logits, label)
  }
}
"""


def gnnc_round(arguments, library):
    command = [arguments.bin / "gnn-train", library, "--data", arguments.data, "--epochs", 1, "--threads", 1, "--seed", 0, "--profile",
               "--ahead", 0, "--fanout", arguments.fanout, "--batch", arguments.batch, "--no-run-dir"]
    output = subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True).stdout
    found = re.findall(r"([0-9.]+) ms .*least [0-9.]+ ms  (.+)", output)
    of = {name: float(ms) for ms, name in found}
    sampling, features = of["sampling"], of["features of the sample"]
    return dict(zip(STAGES, (1e3 / sampling, 1e3 / (sampling + features), 1e3 / sum(of.values()))))


def peer_round(arguments):
    command = [arguments.peer, __file__, "--data", arguments.data, "--fanout", arguments.fanout, "--batch", arguments.batch, "--hidden",
               arguments.hidden, "--peer-child"]
    return json.loads(subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True).stdout)


def peer_child(arguments):
    """Prints what GraphBolt does in a second."""
    import time

    import dgl.graphbolt as bolt
    import numpy
    import peer_sage
    import torch

    torch.set_num_threads(1)
    torch.manual_seed(0)
    sources, destinations = numpy.load(arguments.data / "edge_index.npy")
    x = torch.from_numpy(numpy.load(arguments.data / "x.npy"))
    labels = torch.from_numpy(numpy.load(arguments.data / "y.npy")).long()
    train = torch.from_numpy(numpy.load(arguments.data / "train.npy")).long()
    order = numpy.argsort(destinations, kind="stable")
    offsets = numpy.concatenate([[0], numpy.cumsum(numpy.bincount(destinations, minlength=len(x)))])
    graph = bolt.fused_csc_sampling_graph(torch.from_numpy(offsets), torch.from_numpy(sources[order]))
    features = peer_sage.store_of(x)
    step = peer_sage.trainer(x.shape[1], arguments.hidden, int(labels.max()) + 1)

    def batches(with_features):
        return peer_sage.batches(graph, train, labels, arguments, features if with_features else None)

    def rate(loader, use):
        use(next(iter(loader)))
        begin, count = time.perf_counter(), 0
        for batch in loader:
            use(batch)
            count += 1
            if count == arguments.peer_batches:
                break
        return count / (time.perf_counter() - begin)

    def look(batch):
        pass

    print(json.dumps(dict(zip(STAGES, (rate(batches(False), look), rate(batches(True), look), rate(batches(True), step))))))


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=pathlib.Path, required=True, help="data set folder, of gnn-data generate rmat --features 128")
    parser.add_argument("--bin", type=pathlib.Path, default=HERE.parents[1] / "build/release/bin", help="folder of gnnc and gnn-train")
    parser.add_argument("--peer", type=pathlib.Path, help="a Python that has dgl 2.1: CACHE/environments/dgl/bin/python")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--fanout", default="15,10", help="of the seeds first")
    parser.add_argument("--batch", type=int, default=1024)
    parser.add_argument("--hidden", type=int, default=256)
    parser.add_argument("--peer-batches", type=int, default=60, help="batches a stage and round of the peer")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of a table")
    parser.add_argument("--peer-child", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    if arguments.peer_child:
        return peer_child(arguments)
    with tempfile.TemporaryDirectory() as folder:
        source, library = pathlib.Path(folder) / "sage.gnn", pathlib.Path(folder) / "sage.so"
        source.write_text(MODEL % arguments.hidden)
        subprocess.run([str(arguments.bin / "gnnc"), "-q", "--target=host", str(source), "-o", str(library)], check=True)
        contestants = {"gnnc": lambda: gnnc_round(arguments, library)}
        if arguments.peer:
            contestants["GraphBolt"] = lambda: peer_round(arguments)
        rounds = {name: [] for name in contestants}
        for _ in range(arguments.rounds):
            for name, run in contestants.items():
                rounds[name].append(run())

    medians = {name: {stage: statistics.median(of[stage] for of in results) for stage in STAGES} for name, results in rounds.items()}
    if arguments.json:
        print(json.dumps({"batches_per_second": medians, "rounds": rounds}))
        return
    print("%-12s %-14s %10s %10s %10s %8s" % ("", "batches a s", "median", "least", "greatest", "ratio"))
    for name, results in rounds.items():
        for stage in STAGES:
            values = [of[stage] for of in results]
            ratio = "%7.1fx" % (medians["gnnc"][stage] / medians[name][stage])
            print("%-12s %-14s %10.1f %10.1f %10.1f %8s" % (name, stage, medians[name][stage], min(values), max(values), ratio))


if __name__ == "__main__":
    main()
