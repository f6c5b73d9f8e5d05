"""The graphs and arrays that all contestants get, and what they are compared with."""

import ctypes
import json
import shutil
import subprocess

import numpy

from benchmark.runtime import Model, Runtime

SEED = 1
SAMPLED_ROWS = 256
TRAIN_STEPS = 3


class Problem:
    """A case's data set, in a folder of the cache; edges are sorted by destination and source.

    `source`, `destination`, `type`: of the edges; `inputs`: arrays by the names that the model reads; `labels`, `train`: of training.
    """

    def __init__(self, case, cache, build):
        self.case, graph = case, case.graph
        self.runtime = Runtime(build / "lib/libgnnrt.so")
        self.folder = ensure(graph, cache, build / "bin")
        self.source, self.destination = numpy.load(self.folder / "edge_index.npy", mmap_mode="r")
        self.type = numpy.load(self.folder / "edge_type.npy") if graph.relations else None
        self.vertices = graph.vertices
        random = numpy.random.Generator(numpy.random.PCG64(SEED))
        sizes = dict(case.sizes)
        self.inputs = {}
        if case.what in ("sum", "gat"):
            self.inputs["x"] = random.random((self.vertices, sizes.get("width", sizes.get("in"))), dtype=numpy.float32) * 2 - 1
        elif case.what == "gcn":  # a hundredth of the words occur, as in Cora
            self.inputs["x"] = (random.random((self.vertices, sizes["in"]), dtype=numpy.float32) < 0.0127).astype(numpy.float32)
        self.labels = random.integers(0, graph.classes, self.vertices, dtype=numpy.int32)
        self.train = numpy.arange(0, self.vertices, 16 if self.vertices > 1000 else 1, dtype=numpy.int64)
        self.library = cache / "libraries" / (case.source.stem + "-" + "-".join("%s%d" % size for size in case.sizes) + ".so")
        compile_library(case, self.library, build / "bin")

    def load_graph(self):
        dataset = self.runtime.make("gnn_dataset_load", str(self.folder).encode())
        handle = self.runtime.make("gnn_dataset_graph", dataset, 0, 0)
        self.runtime.destroy("dataset", dataset)
        return handle

    def model(self, device):
        """With the parameters that are the same everywhere, and its inputs bound."""
        model = Model(self.runtime, self.library, 0, device)
        inputs = dict(self.inputs, label=self.labels) if self.case.trains else self.inputs
        model.bind(inputs)
        return model

    def trainer(self, model, graph):
        return model.trainer(graph, self.train)

    def sampled_rows(self):
        return numpy.linspace(0, self.vertices - 1, min(self.vertices, SAMPLED_ROWS)).astype(numpy.int64)

    def reference(self):
        """Rows of a sum in double precision; of training the loss without dropout and those of the first steps, by gnnc on the processor."""
        if not self.case.trains:
            bounds = numpy.searchsorted(self.destination, numpy.stack([self.sampled_rows(), self.sampled_rows() + 1]))
            rows = [self.inputs["x"][self.source[first:last]].sum(0, dtype=numpy.float64) for first, last in bounds.T]
            return numpy.concatenate(rows).tolist()
        graph, model = self.load_graph(), self.model("cpu")
        trainer = self.trainer(model, graph)
        self.parameters = {name: self.runtime.array(tensor).copy() for name, tensor in parameters_of(model)}
        losses = losses_of(model, trainer, self.train)
        self.runtime.destroy("trainer", trainer)
        model.destroy()
        self.runtime.destroy("graph", graph)
        return losses


def parameters_of(model):
    runtime = model.runtime
    name_of = runtime.library.gnn_model_parameter_name
    name_of.restype = ctypes.c_char_p
    for index in range(runtime.library.gnn_model_num_parameters(model.handle)):
        name = name_of(model.handle, index)
        tensor = runtime.make("gnn_model_parameter", model.handle, name)
        yield name.decode(), tensor
        runtime.destroy("tensor", tensor)


def losses_of(model, trainer, vertices):
    return [model.evaluate(trainer, vertices)] + [model.step(trainer) for _ in range(TRAIN_STEPS)]


def compile_library(case, library, tools):
    library.parent.mkdir(parents=True, exist_ok=True)
    sizes = ["-D%s=%d" % size for size in case.sizes]
    subprocess.run([str(tools / "gnnc"), "-q", str(case.source), "-o", str(library), "--target=host,sm_80,sm_90", *sizes], check=True)


def ensure(graph, cache, tools):
    """The folder of a graph in the cache, generated if it is not there yet."""
    folder = cache / "graphs" / ("%s-%d-%d-%d" % (graph.name, graph.vertices, graph.edges, graph.relations))
    if (folder / "complete").exists():
        return folder
    shutil.rmtree(folder, ignore_errors=True)
    folder.parent.mkdir(parents=True, exist_ok=True)
    command = [tools / "gnn-data", "generate", graph.kind, folder, "--vertices", graph.vertices, "--edges", graph.edges, "--features", -1, "--seed", SEED]
    subprocess.run([str(word) for word in command], check=True, stdout=subprocess.DEVNULL)
    edges = numpy.load(folder / "edge_index.npy")
    types = None
    if graph.relations:
        types = numpy.random.Generator(numpy.random.PCG64(SEED)).integers(0, graph.relations, edges.shape[1])
        edges, types = numpy.concatenate([edges, edges[::-1]], 1), numpy.concatenate([types, types + graph.relations])
    order = numpy.lexsort((edges[0], edges[1])) if types is not None else None
    if order is not None:
        edges, types = edges[:, order], types[order]
        numpy.save(folder / "edge_type.npy", types.astype(numpy.int32))
        description = json.loads((folder / "dataset.json").read_text())
        (folder / "dataset.json").write_text(json.dumps(dict(description, edge_type="edge_type.npy", num_edge_types=2 * graph.relations)))
    else:
        keys = edges[1] * graph.vertices + edges[0]
        keys.sort()
        edges = numpy.stack([keys % graph.vertices, keys // graph.vertices])
    numpy.save(folder / "edge_index.npy", edges)
    (folder / "complete").touch()
    return folder


class Ours:
    """gnnc on the GPU, through the C interface; timed by the GPU's clock."""

    note, draws_its_own = "", False

    def __init__(self, problem, device, used_bytes):
        self.problem, self.runtime, self.used_bytes = problem, problem.runtime, used_bytes
        self.before = used_bytes() if used_bytes else 0
        self.graph, self.network, self.trainer = problem.load_graph(), problem.model(device), None
        self.runtime.library.gnn_model_isa.restype = self.runtime.library.gnn_model_device.restype = ctypes.c_char_p
        if problem.case.trains:
            self.trainer = problem.trainer(self.network, self.graph)
        else:
            self.network.initialize({})
        self.note = "%s, %s" % tuple(getattr(self.runtime.library, name)(self.network.handle).decode() for name in ("gnn_model_device", "gnn_model_isa"))

    def check(self):
        if self.trainer:
            return losses_of(self.network, self.trainer, self.problem.train)
        outputs = self.network.infer(self.graph)
        rows = self.runtime.array(outputs[0])[self.problem.sampled_rows()].ravel().tolist()
        for tensor in outputs:
            self.runtime.destroy("tensor", tensor)
        return rows

    def seconds(self):
        if self.trainer:
            self.network.step(self.trainer)
        else:
            for tensor in self.network.infer(self.graph):
                self.runtime.destroy("tensor", tensor)
        return self.network.device_seconds()

    def bytes(self):
        return self.used_bytes() - self.before if self.used_bytes else None

    def close(self):
        if self.trainer:
            self.runtime.destroy("trainer", self.trainer)
        self.network.destroy()
        self.runtime.destroy("graph", self.graph)
