#!/usr/bin/env python3
"""A whole-graph training step of a two-layer GraphSAGE that does not fit in memory: gnn-train --memory beside what one would write by hand.

The script by hand (--peer, a Python that has torch and numpy) keeps features and all that layers leave in np.memmap files, and goes over
the P x P blocks of the adjacency matrix as torch CSR matrices: forward, the cross entropy, backward and a step of plain descent. It drops
nothing that it needs again: sums of neighbours are kept for the backward pass, so no block is read more often than a pass needs.

Both have the same limit: gnn-train by its option, and each of the two by the memory cgroup named by --cgroup, where there is one, page
cache included. They go over the same intervals, begin with the same weights and take turns, one round of two steps each, in processes of
their own. The table has the median, the least and the greatest of the seconds of a step, and the loss of the second step, which must agree.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

from sampled_step import MODEL

HERE = pathlib.Path(__file__).resolve().parent
RATE = 0.01  # of learning


def inside(cgroup):
    """What a child does before it begins: it moves itself to the group, whose limit is then its own."""
    return None if cgroup is None else lambda: (cgroup / "cgroup.procs").write_text(str(os.getpid()))


def output_of(command, arguments):
    words = [str(word) for word in command]
    return json.loads(subprocess.run(words, check=True, capture_output=True, text=True, preexec_fn=inside(arguments.cgroup)).stdout)


def gnnc_round(arguments, library):
    said = output_of([arguments.bin / "gnn-train", library, "--data", arguments.data, "--epochs", 2, "--optimizer", "sgd", "--lr", RATE,
                      "--memory", arguments.memory, "--spill", arguments.spill, "--weights", arguments.weights, "--no-run-dir", "--json"],
                     arguments)
    return {"seconds": said["step_ms_median"] / 1e3, "loss": said["loss"], "intervals": said["stream"]["intervals"]}


def hand_round(arguments, intervals):
    return output_of([arguments.peer, __file__, "--data", arguments.data, "--memory", arguments.memory, "--spill", arguments.spill,
                      "--weights", arguments.weights, "--hidden", arguments.hidden, "--by-hand", intervals], arguments)


def write_weights(path, dims, hidden):
    """Weights that both begin with, as safetensors."""
    import numpy

    chance = numpy.random.default_rng(0)
    columns, classes = dims
    shapes = {}
    for layer, (rows, outputs) in {"conv1": (columns, hidden), "conv2": (hidden, classes)}.items():
        shapes.update({layer + ".W_self": (rows, outputs), layer + ".W": (rows, outputs), layer + ".b": (outputs,)})
    header, data = {}, b""
    for name, shape in shapes.items():
        values = (chance.standard_normal(shape) * (0.1 if len(shape) == 2 else 0)).astype("float32").tobytes()
        header[name] = {"dtype": "F32", "shape": list(shape), "data_offsets": [len(data), len(data) + len(values)]}
        data += values
    text = json.dumps(header).encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text + data)


def read_weights(path):
    import numpy

    content = path.read_bytes()
    length = int.from_bytes(content[:8], "little")
    header, data = json.loads(content[8 : 8 + length]), content[8 + length :]
    return {name: numpy.frombuffer(data[slice(*of["data_offsets"])], "float32").reshape(of["shape"]).copy() for name, of in header.items()}


def blocks_of(rows, columns, bounds, folder, name):
    """The P x P blocks of the matrix as CSR in files: (offsets, columns) of block (i, j), read when it is gone over."""
    import numpy

    of = numpy.searchsorted(bounds, rows, side="right") - 1, numpy.searchsorted(bounds, columns, side="right") - 1
    order = numpy.lexsort((columns, rows, of[1], of[0]))
    rows, columns, block = rows[order], columns[order], (of[0] * (len(bounds) - 1) + of[1])[order]
    cuts = numpy.searchsorted(block, numpy.arange((len(bounds) - 1) ** 2 + 1))
    blocks = {}
    for i in range(len(bounds) - 1):
        for j in range(len(bounds) - 1):
            own = slice(cuts[i * (len(bounds) - 1) + j], cuts[i * (len(bounds) - 1) + j + 1])
            offsets = numpy.searchsorted(rows[own] - bounds[i], numpy.arange(bounds[i + 1] - bounds[i] + 1)).astype("int32")
            files = []
            for part, values in (("offsets", offsets), ("columns", (columns[own] - bounds[j]).astype("int32"))):
                files.append(folder / ("%s-%d-%d-%s.npy" % (name, i, j, part)))
                numpy.save(files[-1], values)
            blocks[i, j] = files
    return blocks


def by_hand(arguments):
    """Prints the seconds of each step and the loss before the first update."""
    import time

    import numpy
    import torch

    folder = pathlib.Path(tempfile.mkdtemp(dir=arguments.spill))
    x = numpy.load(arguments.data / "x.npy", mmap_mode="r")
    count, hidden, P = len(x), arguments.hidden, arguments.by_hand
    bounds = numpy.linspace(0, count, P + 1).astype("int64")
    parts = [slice(bounds[i], bounds[i + 1]) for i in range(P)]
    sources, destinations = numpy.load(arguments.data / "edge_index.npy")
    degree = torch.from_numpy(numpy.maximum(numpy.bincount(destinations, minlength=count), 1).astype("float32"))[:, None]
    forward = blocks_of(destinations, sources, bounds, folder, "forward")
    backward = blocks_of(sources, destinations, bounds, folder, "backward")
    del sources, destinations
    labels = torch.from_numpy(numpy.load(arguments.data / "y.npy")).long()
    train = torch.zeros(count, dtype=torch.bool)
    train[torch.from_numpy(numpy.load(arguments.data / "train.npy")).long()] = True
    weights = {name: torch.from_numpy(values) for name, values in read_weights(arguments.weights).items()}

    def table(name, columns):
        return numpy.memmap(folder / name, "float32", "w+", shape=(count, columns))

    sums1, h, sums2 = table("sums1", x.shape[1]), table("h", hidden), table("sums2", hidden)
    to_sums, to_h = table("to_sums", hidden), table("to_h", hidden)

    def rows(of, part):
        return torch.from_numpy(numpy.ascontiguousarray(of[part]))

    def gathered(blocks, i, of, width):
        """Of rows i the sums over their neighbours in every other interval."""
        total = torch.zeros(bounds[i + 1] - bounds[i], width)
        for j in range(P):
            offsets, columns = (torch.from_numpy(numpy.load(file)) for file in blocks[i, j])
            matrix = torch.sparse_csr_tensor(offsets, columns, torch.ones(len(columns)), (len(total), int(bounds[j + 1] - bounds[j])))
            total += matrix @ rows(of, parts[j])
        return total

    def step():
        loss, gradients = 0.0, {name: torch.zeros_like(values) for name, values in weights.items()}
        for i, part in enumerate(parts):
            own, means = rows(x, part), gathered(forward, i, x, x.shape[1]) / degree[part]
            sums1[part] = means
            h[part] = torch.relu(own @ weights["conv1.W_self"] + means @ weights["conv1.W"] + weights["conv1.b"])
        for i, part in enumerate(parts):
            own, means = rows(h, part), gathered(forward, i, h, hidden) / degree[part]
            logits = own @ weights["conv2.W_self"] + means @ weights["conv2.W"] + weights["conv2.b"]
            log_chances, chosen = torch.log_softmax(logits, 1), train[part]
            loss -= float(log_chances[chosen, labels[part][chosen]].sum()) / int(train.sum())
            to_logits = torch.exp(log_chances)
            to_logits[torch.arange(len(own)), labels[part]] -= 1
            to_logits *= chosen[:, None] / train.sum()
            gradients["conv2.W_self"] += own.T @ to_logits
            gradients["conv2.W"] += means.T @ to_logits
            gradients["conv2.b"] += to_logits.sum(0)
            to_h[part] = to_logits @ weights["conv2.W_self"].T
            to_sums[part] = to_logits @ weights["conv2.W"].T / degree[part]
        for i, part in enumerate(parts):
            to_own = (rows(to_h, part) + gathered(backward, i, to_sums, hidden)) * (rows(h, part) > 0)
            gradients["conv1.W_self"] += rows(x, part).T @ to_own
            gradients["conv1.W"] += rows(sums1, part).T @ to_own
            gradients["conv1.b"] += to_own.sum(0)
        for name, values in weights.items():
            values -= RATE * gradients[name]
        return loss

    seconds, losses = [], []
    for _ in range(2):
        begin = time.perf_counter()
        losses.append(step())
        seconds.append(time.perf_counter() - begin)
    for file in folder.iterdir():
        file.unlink()
    folder.rmdir()
    print(json.dumps({"seconds": statistics.median(seconds), "loss": losses[-1]}))


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=pathlib.Path, required=True, help="data set folder, of gnn-data generate rmat --features 128")
    parser.add_argument("--memory", required=True, help="limit of gnn-train, as 300MB")
    parser.add_argument("--cgroup", type=pathlib.Path, help="folder of a memory cgroup, whose limit both have")
    parser.add_argument("--spill", type=pathlib.Path, default=pathlib.Path("/var/tmp"), help="where both put what does not fit")
    parser.add_argument("--bin", type=pathlib.Path, default=HERE.parents[1] / "build/release/bin", help="folder of gnnc and gnn-train")
    parser.add_argument("--peer", type=pathlib.Path, help="a Python that has torch and numpy")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--hidden", type=int, default=128)
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of a table")
    parser.add_argument("--by-hand", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--weights", type=pathlib.Path, help=argparse.SUPPRESS)
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    if arguments.by_hand:
        return by_hand(arguments)
    import numpy

    classes = int(numpy.load(arguments.data / "y.npy").max()) + 1
    columns = numpy.load(arguments.data / "x.npy", mmap_mode="r").shape[1]
    rounds = {"gnnc": [], "by hand": []} if arguments.peer else {"gnnc": []}
    with tempfile.TemporaryDirectory() as folder:
        source, library = pathlib.Path(folder) / "sage.gnn", pathlib.Path(folder) / "sage.so"
        source.write_text(MODEL % arguments.hidden)
        subprocess.run([str(arguments.bin / "gnnc"), "-q", "--target=host", str(source), "-o", str(library)], check=True)
        arguments.weights = pathlib.Path(folder) / "weights.safetensors"
        write_weights(arguments.weights, (columns, classes), arguments.hidden)
        for _ in range(arguments.rounds):
            rounds["gnnc"].append(gnnc_round(arguments, library))
            if arguments.peer:
                rounds["by hand"].append(hand_round(arguments, rounds["gnnc"][0]["intervals"]))
    medians = {name: statistics.median(of["seconds"] for of in results) for name, results in rounds.items()}
    if arguments.json:
        print(json.dumps({"seconds": medians, "rounds": rounds}))
        return
    print("%-10s %10s %10s %10s %8s %12s" % ("", "s a step", "least", "greatest", "ratio", "second loss"))
    for name, results in rounds.items():
        seconds = [of["seconds"] for of in results]
        ratio = "%7.1fx" % (medians[name] / medians["gnnc"])
        print("%-10s %10.2f %10.2f %10.2f %8s %12.6f" % (name, medians[name], min(seconds), max(seconds), ratio, results[0]["loss"]))


if __name__ == "__main__":
    main()
