#!/usr/bin/env python3
"""Whether a cache finds what its plan says: sizes, graphs and fan-outs in turn, all counted, nothing measured in seconds.

Each line is a cache of rows of edges and features that a GPU would have (`gnn-train plan --fanout --topology`), then one of rows of
features in memory where the features are on disk (`gnn-train train --fanout --memory`): the rate of hits that was predicted and the one
that was counted, in hundredths, the bytes that come from the host or the disk, and by how much more than the best of 21 alphas, all of
which were counted, the chosen one reads. Ends with 1 where a rate is off by more than half a hundredth, bytes by more than 3 % or alpha
by more than 2 %.

Graphs: R-MAT; planted communities, one of which is trained on; and a real one, the folder of Amazon Photo or another of that form, if
--real names it. All get dense features of --features columns, which no step looks at.
"""

import argparse
import array
import json
import pathlib
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile

MODEL = """import nn

model Sage(in: dim, hidden: dim = 8, classes: dim) {
  layer conv1 = SAGEConv(in, hidden)
  layer conv2 = SAGEConv(hidden, classes)

  vertex v {
    input  x: real[in]
    output logits = conv2(relu(conv1(x)))
    target label: i32
    loss   cross_entropy(logits, label)
  }
}
"""
TOPOLOGY = {"links": [{"from": "host", "to": "cuda:0", "GB/s": 16}]}
SHARES = (0.02, 0.05, 0.1, 0.2, 0.3, 0.4)  # of the features: the memory of a cache
FAN_OUTS = ("10,5", "15,10")
COMMUNITIES = 8


def write(path, kind, values, shape):
    """A .npy file."""
    header = "{'descr': '%s', 'fortran_order': False, 'shape': (%s,), }" % (kind, ", ".join(map(str, shape)))
    header += " " * (63 - (len(header) + 10) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        array.array({"<i8": "q", "<f4": "f"}[kind], values).tofile(file)


def edges_of(path):
    """Sources and destinations of an edge_index.npy of 64-bit ids."""
    content = path.read_bytes()
    (length,) = struct.unpack_from("<H", content, 8)
    assert b"'<i8'" in content[10:10 + length], path
    ids = array.array("q", content[10 + length:])
    return ids[:len(ids) // 2], ids[len(ids) // 2:]


def complete(folder, vertices, features, seeds):
    write(folder / "x.npy", "<f4", [0.5] * (vertices * features), (vertices, features))
    write(folder / "y.npy", "<i8", [vertex % 4 for vertex in range(vertices)], (vertices,))
    write(folder / "train.npy", "<i8", seeds, (len(seeds),))
    (folder / "rows.json").write_text(json.dumps(vertices))


def take(edges, folder, options):
    """A graph of these edges, all that are entered by one trained on."""
    folder.mkdir()
    shutil.copyfile(edges, folder / "edge_index.npy")
    sources, destinations = edges_of(edges)
    complete(folder, max(max(sources), max(destinations)) + 1, options.features, sorted(set(destinations)))


def make_rmat(folder, options):
    made = options.work / "made"
    command = [options.bin / "gnn-data", "generate", "rmat", made, "--vertices", options.vertices, "--edges", 16 * options.vertices, "--features", -1]
    subprocess.run([str(word) for word in command], check=True, stdout=subprocess.DEVNULL)
    take(made / "edge_index.npy", folder, options)


def make_planted(folder, options):
    """Nine of ten edges are within a community, of which some vertices are read by many."""
    draw, size = random.Random(1), options.vertices // COMMUNITIES
    vertices = size * COMMUNITIES
    sources, destinations = [], []
    for vertex in range(vertices):
        for _ in range(16):
            community = vertex // size if draw.random() < 0.9 else draw.randrange(COMMUNITIES)
            sources.append(community * size + int(size * draw.random() ** 3))
            destinations.append(vertex)
    folder.mkdir()
    write(folder / "edge_index.npy", "<i8", sources + destinations, (2, len(sources)))
    complete(folder, vertices, options.features, list(range(size)))


def make_real(folder, options):
    take(options.real / "edge_index.npy", folder, options)


def run(options, *words):
    done = subprocess.run([str(word) for word in (options.bin / "gnn-train", *words)], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, words))}: {done.stderr}")
    return json.loads(done.stdout.splitlines()[-1])


class Table:
    def __init__(self):
        self.failed = 0
        print(f"{'graph':8} {'fan-out':8} {'cache':8} {'size':>5}  {'predicted':>9} {'counted':>8} {'bytes':>7} {'alpha':>7}")

    def add(self, graph, fan_out, cache, share, predicted, counted, bytes_off, alpha_off):
        rates = [100 * predicted, 100 * counted]
        missed = abs(rates[0] - rates[1]) > 0.5 or abs(bytes_off) > 0.03 or (alpha_off or 0) > 0.02
        self.failed += missed
        alpha = "" if alpha_off is None else f"{100 * alpha_off:6.2f}%"
        print(f"{graph:8} {fan_out:8} {cache:8} {100 * share:4.0f}%  {rates[0]:8.2f}% {rates[1]:7.2f}% {100 * bytes_off:6.2f}% {alpha:>7}{'  missed' if missed else ''}", flush=True)


def off(predicted, counted):
    return (predicted - counted) / counted if counted else 0


def device(options, folder, fan_out, memory):
    """The cache of a GPU."""
    plan = run(options, "plan", options.model, "--data", folder, "--device", "cuda:0", "--topology", options.topology, "--device-memory",
               memory, "--fanout", fan_out, "--batch", options.batch, "--json")
    (group,), (of,) = plan["groups"], plan["devices"]
    predicted, counted = of["predicted"], of["counted"]
    chosen = group["counted"][round(100 * group["alpha"])]
    best = min(group["counted"][::5])
    return predicted["features"]["hit_rate"], counted["features"]["hit_rate"], off(predicted["bytes"], counted["bytes"]), chosen / best - 1 if best else 0


def memory(options, folder, fan_out, bytes_of_cache):
    """The cache of rows of features whose file is on the disk, in a limit that leaves about so many bytes for it."""
    words = ["--data", folder, "--fanout", fan_out, "--batch", options.batch, "--no-evaluation", "--json", "--spill", options.work]
    done = subprocess.run([str(word) for word in (options.bin / "gnn-train", "plan", options.model, *words, "--memory", "1KB")], capture_output=True, text=True)
    takes = 1024 * int(re.search(r"samples take ([0-9]+)KB", done.stderr).group(1))
    counts = 2 * json.loads((folder / "rows.json").read_text())  # of batches that read each row, while rows are chosen
    found = run(options, "train", options.model, *words, "--memory", takes + counts + bytes_of_cache, "--epochs", 3, "--no-run-dir")["samples"]
    batch, so_far = found["batch"], found["so_far"]
    steps = so_far["rows"] / batch["rows"]
    return batch["hit_rate"], so_far["hit_rate"], off(batch["bytes_read"] * steps, so_far["bytes"]), None


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parents[2] / "build" / "release" / "bin")
    parser.add_argument("--real", type=pathlib.Path, help="a folder with edge_index.npy of int64")
    parser.add_argument("--vertices", type=int, default=32768, help="of graphs that are generated")
    parser.add_argument("--features", type=int, default=64)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--sizes", type=float, nargs="+", default=SHARES, help="of caches, parts of all features")
    parser.add_argument("--fanouts", nargs="+", default=FAN_OUTS)
    return parser.parse_args()


def main():
    options = parse()
    makers = {"rmat": make_rmat, "planted": make_planted}
    if options.real:
        makers["real"] = make_real
    with tempfile.TemporaryDirectory() as work:
        options.work = pathlib.Path(work)
        options.model, options.topology = options.work / "sage.so", options.work / "topology.json"
        (options.work / "sage.gnn").write_text(MODEL)
        options.topology.write_text(json.dumps(TOPOLOGY))
        subprocess.run([str(options.bin / "gnnc"), "-q", "--target=host", str(options.work / "sage.gnn"), "-o", str(options.model)], check=True)
        table = Table()
        for graph, make in makers.items():
            folder = options.work / graph
            make(folder, options)
            for fan_out in options.fanouts:
                for share in options.sizes:
                    size = int(share * json.loads((folder / "rows.json").read_text()) * options.features * 4)
                    for name, cache in (("GPU", device), ("memory", memory)):
                        table.add(graph, fan_out, name, share, *cache(options, folder, fan_out, size))
        print(f"{table.failed} missed" if table.failed else "all are as predicted")
        return table.failed > 0


if __name__ == "__main__":
    sys.exit(main())
