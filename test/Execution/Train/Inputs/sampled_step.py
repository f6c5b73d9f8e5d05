"""Steps of stochastic gradient descent on a sample of all edges of a small random graph, for comparison with losses in
plain loops. Nothing is shared with the compiler."""
import json
import os
import random
import struct
import subprocess

import npy_files

VERTICES, EDGES, SEEDS, CLASSES, RATE = 24, 40, 6, 3, 0.5


class SampledStep:
    """Writes a data set into `folder`. `width`: numbers of a vertex in `x`; 0: one number without a dimension.

    x, label, edges, seeds: the data. within[d]: vertices at most d steps along edges away from the seeds.
    """

    def __init__(self, library, folder, width):
        self.library, self.folder = library, folder
        os.makedirs(folder, exist_ok=True)
        random.seed(3)
        numbers = [random.uniform(-1, 1) for _ in range(VERTICES * max(width, 1))]
        numbers = list(struct.unpack("<%df" % len(numbers), struct.pack("<%df" % len(numbers), *numbers)))
        self.x = [numbers[v * width:(v + 1) * width] for v in range(VERTICES)] if width else numbers
        self.label = [v % CLASSES for v in range(VERTICES)]
        self.edges = [(random.randrange(VERTICES), random.randrange(VERTICES)) for _ in range(EDGES)]
        self.seeds = list(range(SEEDS))
        self.within = {0: set(self.seeds)}
        for depth in range(3):
            near = self.within[depth]
            self.within[depth + 1] = near | {u for u, v in self.edges if v in near}
        npy_files.write(folder + "/x.npy", "<f4", numbers, (VERTICES, width) if width else (VERTICES,))
        npy_files.write(folder + "/y.npy", "<i8", self.label, (VERTICES,))
        npy_files.write(folder + "/edge_index.npy", "<i8", [e[0] for e in self.edges] + [e[1] for e in self.edges], (2, EDGES))
        for split, rows in ("train", self.seeds), ("val", [10]), ("test", [11]):
            npy_files.write("%s/%s.npy" % (folder, split), "<i8", rows, (len(rows),))
        with open(folder + "/dataset.json", "w") as file:
            json.dump({"name": "small", "num_vertices": VERTICES, "num_classes": CLASSES, "edge_index": "edge_index.npy",
                       "vertex": {"x": "x.npy"}, "labels": "y.npy",
                       "split": {split: split + ".npy" for split in ("train", "val", "test")}}, file)

    def train(self, epochs, fanout):
        """The weights after so many epochs, of one step each, and the losses."""
        run = "%s/%d" % (self.folder, epochs)
        subprocess.run(["gnn-train", self.library, "--data", self.folder, "--fanout", fanout, "--batch", "100", "--optimizer", "sgd",
                        "--lr", str(RATE), "--no-evaluation", "--epochs", str(epochs), "--run-dir", run],
                       check=True, stdout=subprocess.DEVNULL)
        with open(run + "/last.safetensors", "rb") as file:
            size = struct.unpack("<Q", file.read(8))[0]
            header, data = json.loads(file.read(size)), file.read()
        weights = {}
        for name, tensor in header.items():
            if name != "__metadata__" and tensor["dtype"] == "F64":
                begin, end = tensor["data_offsets"]
                weights[name] = list(struct.unpack("<%dd" % ((end - begin) // 8), data[begin:end]))
        with open(run + "/metrics.jsonl") as file:
            losses = [json.loads(line)["loss"] for line in file]
        return weights, losses

    def check(self, fanout, loss, isTrained=lambda name: True):
        """Compares a step with `loss`, a function of weights, and with its differences."""
        before, _ = self.train(0, fanout)
        after, losses = self.train(1, fanout)
        expected = loss(before)
        assert abs(losses[0] - expected) < 1e-6, (losses, expected)
        checked = 0
        for name, numbers in before.items():
            if not isTrained(name):
                continue
            for i, number in enumerate(numbers):
                difference = 0
                for step in 1e-5, -1e-5:
                    numbers[i] = number + step
                    difference += loss(before) * (1 if step > 0 else -1) / 2e-5
                numbers[i] = number
                gradient = (number - after[name][i]) / RATE
                assert abs(gradient - difference) < 1e-5, (name, i, gradient, difference)
                checked += 1
        print("loss %.6f, %d gradients checked" % (expected, checked))
