"""End-to-end steps: two-layer GCN, GraphSAGE and GAT with the same inputs, labels and parameters for every contestant. There is no dropout: how fast numbers are
drawn says nothing of graphs, and without it the losses can be compared."""

import dataclasses
import pathlib

import numpy

from benchmark.arrays import uniform

SOURCES = pathlib.Path(__file__).resolve().parent.parent
HIDDEN = {"gcn": 512, "sage": 256, "gat": 256}  # FeatGraph's; GAT's are 4 heads of 64
HEADS = 4
LEARNING_RATE = 0.01
GENERATED_FEATURES = 602  # of the real reddit
MODELS = list(HIDDEN)
MOST_DENSE = 0.1  # features of which more are not zero are given to gnnc as dense ones


@dataclasses.dataclass(frozen=True)
class Model:
    name: str

    @property
    def source(self):
        return SOURCES / "models" / (self.name + ".gnn")

    @property
    def self_loops(self):
        return self.name != "sage"

    def dims(self, problem):
        dims = {"in": problem.features, "hidden": HIDDEN[self.name], "classes": problem.classes}
        return dict(dims, hidden=HIDDEN[self.name] // HEADS, heads=HEADS) if self.name == "gat" else dims

    def parameters(self, problem):
        """By the names of the .gnn files, Glorot-like numbers."""
        random = numpy.random.Generator(numpy.random.PCG64(11))
        hidden, values = HIDDEN[self.name], {}

        def make(name, *shape, scale):
            values[name] = ((random.random(shape, dtype=numpy.float32) * 2 - 1) * scale).astype(numpy.float32)

        for layer, width, out, heads in [("conv1", problem.features, hidden, HEADS), ("conv2", hidden, problem.classes, 1)]:
            scale = (6 / (width + out)) ** 0.5
            if self.name == "gat":
                make(layer + ".W", width, heads, out // heads, scale=scale)
                make(layer + ".a_src", heads, out // heads, scale=0.3)
                make(layer + ".a_dst", heads, out // heads, scale=0.3)
                make(layer + ".b", heads, out // heads, scale=0.1)
                continue
            make(layer + ".W", width, out, scale=scale)
            make(layer + ".b", out, scale=0.1)
            if self.name == "sage":
                make(layer + ".W_self", width, out, scale=scale)
        return values


class Problem:
    """Features, labels and the vertices to train on: a real data set's, or random ones for a generated graph."""

    def __init__(self, edges):
        folder = edges.folder
        self.labels = numpy.load(folder / "y.npy")
        self.train = numpy.load(folder / "train.npy")
        self.classes = int(self.labels.max()) + 1
        self.sparse, self.nonzeros = False, None
        if (folder / "x_indptr.npy").exists():
            indptr, indices, values = (numpy.load(folder / name) for name in ("x_indptr.npy", "x_indices.npy", "x_values.npy"))
            rows, self.features = (int(extent) for extent in numpy.load(folder / "x_shape.npy"))
            row = numpy.repeat(numpy.arange(rows), numpy.diff(indptr))
            sums = numpy.bincount(row, values, rows)
            values = (values / numpy.maximum(sums, 1e-12)[row]).astype(numpy.float32)  # row-normalised, as all examples do
            self.nonzeros = indptr, indices, values, self.features
            self.sparse = len(values) < MOST_DENSE * rows * self.features
            self.x = numpy.zeros((rows, self.features), numpy.float32)
            self.x[row, indices] = values
        else:
            self.features = GENERATED_FEATURES
            random = numpy.random.Generator(numpy.random.PCG64(3))
            self.x = uniform(random, edges.vertices, self.features)
