#!/usr/bin/env python3
"""How long one answer takes on a small graph: two layers of GCN, GraphSAGE and GAT, gnnc's in a C++ program and, where torch_geometric is installed for
--peer, PyTorch Geometric's.

Inference over the same graph again and again, and over a graph that is new at each call (made of its edges). All have the same graphs, features and
parameters; who gives other numbers is not timed. The contestants take turns, in processes of their own; the table has the median and the 99th percentile of
all calls, in microseconds.
"""

import argparse
import array
import json
import math
import pathlib
import random
import struct
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
FEATURES, CLASSES, HEADS, DEGREE = 32, 8, 4, 8
KINDS = ["same", "new"]
WARM_UP = 50


def parameters(model, hidden):
    """{name in the .gnn file: (shape, numbers)}"""
    generator, values = random.Random(11), {}
    for layer, width, out, heads in [("conv1", FEATURES, hidden, HEADS), ("conv2", hidden, CLASSES, 1)]:
        of_heads = (heads, out // heads)
        shapes = {"gcn": {"W": (width, out), "b": (out,)}, "sage": {"W": (width, out), "W_self": (width, out), "b": (out,)},
                  "gat": {"W": (width, *of_heads), "a_src": of_heads, "a_dst": of_heads, "b": of_heads}}[model]
        for name, shape in shapes.items():
            values[layer + "." + name] = (shape, array.array("f", (generator.uniform(-0.25, 0.25) for _ in range(math.prod(shape)))))
    return values


def save_safetensors(values, path):
    header, blob = {}, b""
    for name, (shape, numbers) in values.items():
        data = numbers.tobytes()
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [len(blob), len(blob) + len(data)]}
        blob += data
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + blob)


def peer_child(arguments):
    """The counterpart of latency.cpp, which compares its logits with those of that."""
    import time

    import numpy
    import torch

    from benchmark.contestants.pyg import Network

    if arguments.threads != ["0"]:
        torch.set_num_threads(int(arguments.threads[0]))
    x, index, logits = (numpy.load(path) for path in (arguments.data / "x.npy", arguments.data / "edge_index.npy", arguments.logits))
    values = {name: numpy.array(numbers).reshape(shape) for name, (shape, numbers) in parameters(arguments.peer_child, arguments.hidden).items()}
    network, x, edges = Network(arguments.peer_child, values).eval(), torch.from_numpy(x), torch.from_numpy(index)
    with torch.inference_mode():
        difference = numpy.abs(network(x, edges).numpy() - logits.reshape(len(x), -1)).max() / numpy.abs(logits).max()
        if not difference <= 1e-4:
            sys.exit("latency: the results differ by %.1e" % difference)
        print("ready", flush=True)
        for line in sys.stdin:
            kind, calls = line.split()
            for conv in (network.conv1, network.conv2):
                conv.cached, conv._cached_edge_index = kind == "same", None
            taken = []
            for _ in range(int(calls)):
                begin = time.perf_counter()
                if kind == "new":
                    edges = torch.from_numpy(index.copy())
                network(x, edges)
                taken.append(1e6 * (time.perf_counter() - begin))
            print(" ".join("%.2f" % one for one in taken), flush=True)


class Contestant:
    def __init__(self, command):
        self.process = subprocess.Popen([str(word) for word in command], text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=HERE)
        if self.process.stdout.readline().strip() != "ready":
            sys.exit("latency: could not start: %s" % " ".join(str(word) for word in command))
        self.times = {kind: [] for kind in KINDS}

    def take(self, kind, calls):
        self.process.stdin.write("%s %d\n" % (kind, calls))
        self.process.stdin.flush()
        return [float(word) for word in self.process.stdout.readline().split()]

    def stop(self):
        self.process.stdin.close()
        self.process.wait()


def percentile(times, share):
    return sorted(times)[round((len(times) - 1) * share / 100)]


def case(arguments, scratch, model, vertices, threads):
    """{contestant: {kind: times}}"""
    data, weights, logits = scratch / ("graph-" + vertices), scratch / (model + ".safetensors"), scratch / "logits.npy"
    save_safetensors(parameters(model, arguments.hidden), weights)
    contestants = {"gnnc": Contestant([scratch / "latency", scratch / (model + ".so"), weights, data, threads, logits])}
    if arguments.peer:
        contestants["PyG"] = Contestant([arguments.peer, __file__, "--peer-child", model, "--data", data, "--threads", threads, "--hidden", arguments.hidden,
                                         "--logits", logits])
    for number in range(arguments.rounds + 1):
        for kind in KINDS:
            for contestant in contestants.values():
                taken = contestant.take(kind, arguments.calls if number else WARM_UP)
                contestant.times[kind] += taken if number else []
    for contestant in contestants.values():
        contestant.stop()
    return {name: contestant.times for name, contestant in contestants.items()}


def main():
    words = lambda text: text.split(",")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release", help="where gnnc is built")
    parser.add_argument("--peer", type=pathlib.Path, help="a Python with numpy, torch and torch_geometric")
    parser.add_argument("--models", type=words, default=["gcn", "sage", "gat"])
    parser.add_argument("--vertices", type=words, default=["30", "300", "3000"])
    parser.add_argument("--threads", type=words, default=["1", "0"], help="comma-separated numbers; 0: each contestant's default")
    parser.add_argument("--hidden", type=int, default=64)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--calls", type=int, default=200, help="of a round")
    parser.add_argument("--data", type=pathlib.Path, help=argparse.SUPPRESS)
    parser.add_argument("--logits", type=pathlib.Path, help=argparse.SUPPRESS)
    parser.add_argument("--peer-child", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.peer_child:
        return peer_child(arguments)
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        library = arguments.build.resolve() / "lib"
        run = lambda *command: subprocess.run([str(word) for word in command], check=True, stdout=subprocess.DEVNULL)
        run("c++", "-O2", "-std=c++17", HERE / "latency.cpp", "-I", ROOT / "runtime/include", "-L", library, "-lgnnrt", "-Wl,-rpath," + str(library),
            "-o", scratch / "latency")
        for model in arguments.models:
            run(arguments.build / "bin/gnnc", "-q", HERE / "models" / (model + ".gnn"), "-o", scratch / (model + ".so"))
        for vertices in arguments.vertices:
            run(arguments.build / "bin/gnn-data", "generate", "uniform", scratch / ("graph-" + vertices), "--vertices", vertices,
                "--edges", DEGREE * int(vertices), "--features", FEATURES)
        print("| model | vertices | threads | graph | gnnc, p50 | p99 | PyG, p50 | p99 | p50, times as fast |\n|---|---|---|---|---|---|---|---|---|", flush=True)
        for threads in arguments.threads:
            for model in arguments.models:
                for vertices in arguments.vertices:
                    times = case(arguments, scratch, model, vertices, threads)
                    for kind in KINDS:
                        p50, p99 = ({name: percentile(of[kind], share) for name, of in times.items()} for share in (50, 99))
                        cells = [model, vertices, threads if threads != "0" else "default", kind] + [
                            "%.3g" % value[name] if name in value else "" for name in ("gnnc", "PyG") for value in (p50, p99)]
                        print("| " + " | ".join(cells + ["%.1f" % (p50["PyG"] / p50["gnnc"]) if "PyG" in p50 else ""]) + " |", flush=True)


if __name__ == "__main__":
    main()
