"""Graph neural networks that were compiled ahead of time.

    import gnnc

    model = gnnc.compile("gcn.gnn", **{"in": 1433}, classes=7)
    model.load("gcn.safetensors")
    graph = gnnc.Graph.from_edge_index(edge_index, num_vertices=2708)
    logits = model.infer(graph, x=features)["logits"]

    outputs, pull_back = model.vjp(graph, x=features)      # a differentiable function
    gradients = pull_back(logits=slopes)                   # by parameters and inputs

Arrays are anything with DLPack or the buffer protocol, NumPy and PyTorch among them; results are `Array`s, which
`numpy.asarray` and `torch.from_dlpack` read without a copy. `gnnc.torch` has modules for PyTorch. Any number of threads
may infer with a model, and call `vjp` and what it gives; all else wants the model alone.
"""

import ctypes
import json
import os
import subprocess
import tempfile
import weakref

from . import _native
from ._arrays import Array, array, empty
from ._native import Error, api, made

__all__ = ["Array", "Error", "Graph", "Model", "array", "compile", "import_model"]

PARAMETERS, OUTPUTS, COTANGENTS, GRADIENTS = range(4)  # GNN_PULLBACK_*


def _run(*command):
    """Runs a program of the installation; its diagnostics are the text of the error."""
    done = subprocess.run([_native.program(command[0]), *command[1:]], capture_output=True, text=True, check=False)
    if done.returncode:
        raise Error(done.stderr.strip() or f"{command[0]} ended with status {done.returncode}", command[0])
    return done.stdout


def compile(source, *, real="f32", vjp=True, target="host", output=None, threads=0, options=(), **dims):
    """Compiles a model and opens it.

    `source` is the path of a `.gnn` file, or the text of one, which has a line break. `real` is the type of real
    numbers, "f32" or "f64". With `vjp`, the model is a differentiable function too. The library is written to
    `output`, or to a temporary file. `options` are further arguments of gnnc; other keywords fix dimensions."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.fspath(source)
        if "\n" in path:
            path = os.path.join(folder, "model.gnn")
            with open(path, "w", encoding="utf-8") as file:
                file.write(source)
        library = os.fspath(output) if output else os.path.join(folder, "model.so")
        defines = [f"-D{name}={size}" for name, size in dims.items()]
        _run("gnnc", path, "-q", "-o", library, f"--real={real}", f"--target={target}", *(["--vjp"] if vjp else []), *defines,
             *options)
        return Model(library, threads=threads)  # which stays open when the file is gone


def import_model(path, output):
    """Writes the model and the weights of a program of PyTorch (`.pt2`): `output`, a `.gnn` file, and a safetensors file
    beside it, whose path is returned."""
    _run("gnnc", "import", os.fspath(path), "-q", "-o", os.fspath(output))
    return os.path.splitext(os.fspath(output))[0] + ".safetensors"


class Graph:
    """Edges among vertices, prepared once for all calls."""

    def __init__(self, handle):
        self._handle = handle

    def __del__(self):
        if getattr(self, "_handle", None):
            api().gnn_graph_destroy(self._handle)

    @classmethod
    def from_edge_index(cls, edge_index, num_vertices, edge_type=None):
        """`edge_index` is int64 [2, edges]: sources, then destinations. `edge_type` is int64 [edges]. Both are copied."""
        edges = array(edge_index)
        if edges.dtype != "int64" or len(edges.shape) != 2 or edges.shape[0] != 2:
            raise Error(f"edge_index is {edges.dtype} {list(edges.shape)}, expected int64 [2, edges]", "argument error")
        count = edges.shape[1]
        types = None if edge_type is None else array(edge_type)
        if types is not None and (types.dtype != "int64" or types.shape != (count,)):
            raise Error(f"edge_type is {types.dtype} {list(types.shape)}, expected int64 [{count}]", "argument error")
        first = api().gnn_tensor_data(edges._handle)
        options = _native.GraphOptions(ctypes.sizeof(_native.GraphOptions), 0, 0, 0,
                                       api().gnn_tensor_data(types._handle) if types else None)
        return cls(made(api().gnn_graph_from_edges, first, first + 8 * count, count, num_vertices, options))

    @property
    def num_vertices(self):
        return api().gnn_graph_num_vertices(self._handle)

    @property
    def num_edges(self):
        return api().gnn_graph_num_edges(self._handle)


class _Inputs:
    """Tables by name as the C interface takes them."""

    def __init__(self, tables):
        self.kept = {name: array(table) for name, table in tables.items()}
        self.count = len(self.kept)
        self.items = (_native.Input * max(self.count, 1))(
            *((name.encode(), tensor._handle, None, None, None, 0) for name, tensor in self.kept.items()))


def _aligned(memory):
    """The first address in `memory` that is a multiple of 64."""
    return (ctypes.addressof(memory) + 63) // 64 * 64


def _handles(arrays):
    """The handles of arrays; of None NULL."""
    return (ctypes.c_void_p * max(len(arrays), 1))(*(each._handle if each else None for each in arrays))


class Pullback:
    """A model planned as a differentiable function over a graph, for gradients of some parameters and inputs
    (gnn/pullback.h). `Model.vjp` makes and keeps them; `gnnc.torch` calls them by hand."""

    def __init__(self, model, graph, inputs, wanted=None, training=False):
        names = None if wanted is None else (ctypes.c_char_p * max(len(wanted), 1))(*(name.encode() for name in wanted))
        options = _native.PullbackOptions(ctypes.sizeof(_native.PullbackOptions), training, names, len(wanted or ()), 0)
        self._handle = made(api().gnn_pullback_create, model._handle, graph._handle, inputs.items, inputs.count, options)
        self.workspace_bytes = api().gnn_pullback_workspace_bytes(self._handle)
        self.parameters, self.outputs, self.cotangents, self.gradients = map(self._list, range(4))

    def __del__(self):
        if getattr(self, "_handle", None):
            api().gnn_pullback_destroy(self._handle)

    def _list(self, which):
        """Name, element type and shape of each tensor of a list."""
        count = ctypes.c_uint32()
        items = api().gnn_pullback_list(self._handle, which, ctypes.byref(count))
        return [(item.name.decode(), item.element, tuple(item.shape[: item.rank])) for item in items[: count.value]]

    def forward(self, inputs, parameters, workspace, outputs, seed=0, step=0):
        """Writes `outputs`. `workspace` is the address of `workspace_bytes` bytes, aligned to 64."""
        api().gnn_pullback_forward(self._handle, inputs.items, inputs.count, None if parameters is None else _handles(parameters), seed, step,
                                   workspace, _handles(outputs))

    def backward(self, inputs, parameters, workspace, cotangents, gradients):
        """Writes `gradients`. Inputs and parameters are those of `forward`."""
        api().gnn_pullback_backward(self._handle, inputs.items, inputs.count, None if parameters is None else _handles(parameters), workspace,
                                    _handles(cotangents), _handles(gradients))


class Model:
    """A compiled model, opened from its library."""

    def __init__(self, path, *, threads=0):
        options = _native.ModelOptions(size=ctypes.sizeof(_native.ModelOptions), threads=threads, inputs=b"dense")
        try:
            self._handle = made(api().gnn_model_open, os.fsencode(os.path.abspath(path)), options)
        except Error as error:
            if error.status != "mismatch":
                raise
            options.inputs = None  # a model that only reads sparse rows
            self._handle = made(api().gnn_model_open, os.fsencode(os.path.abspath(path)), options)
        self.manifest = json.loads(api().gnn_model_manifest(self._handle).decode())
        self._pullbacks = weakref.WeakKeyDictionary()  # by graph

    def __del__(self):
        if getattr(self, "_handle", None):
            api().gnn_model_destroy(self._handle)

    @property
    def name(self):
        return self.manifest["model"]

    def initialize(self, seed=0):
        """Gives all parameters and states their first values. All dimensions must be known."""
        api().gnn_model_initialize(self._handle, seed)

    def bind_dim(self, name, value):
        api().gnn_model_bind_dim(self._handle, name.encode(), value)

    def load(self, path):
        """Reads parameters and states from a safetensors file."""
        api().gnn_model_load(self._handle, os.fsencode(path))

    def save(self, path):
        api().gnn_model_save(self._handle, os.fsencode(path))

    @property
    def parameter_names(self):
        """Names of parameters and states."""
        count = api().gnn_model_num_parameters(self._handle)
        return [api().gnn_model_parameter_name(self._handle, i).decode() for i in range(count)]

    def parameter(self, name):
        """The parameter's own storage: writing to it changes the model."""
        return Array(made(api().gnn_model_parameter, self._handle, name.encode()), self)

    def infer(self, graph, **inputs):
        """Outputs by name, for the model's own parameters."""
        count = api().gnn_model_num_outputs(self._handle)
        given, results = _Inputs(inputs), (ctypes.c_void_p * max(count, 1))()
        api().gnn_model_infer(self._handle, graph._handle, given.items, given.count, results)
        names = (api().gnn_model_output_name(self._handle, i).decode() for i in range(count))
        return {name: Array(ctypes.c_void_p(handle)) for name, handle in zip(names, results)}

    def pullback(self, graph, inputs, wanted=None, training=False):
        """The plan for inputs of these shapes, made once for a graph."""
        known = self._pullbacks.setdefault(graph, {})
        key = (None if wanted is None else tuple(wanted), training,
               tuple((name, tensor.shape) for name, tensor in inputs.kept.items()))
        if key not in known:
            known[key] = Pullback(self, graph, inputs, wanted, training)
        return known[key]

    def vjp(self, graph, *, wanted=None, training=False, seed=0, step=0, **inputs):
        """Outputs by name, and a function that takes gradients of outputs by name and gives gradients by parameters and
        inputs, for the model's own parameters. `wanted` names these; None: all that have gradients. In training
        there is dropout, drawn by seed and step, and outputs have the next values of states."""
        given = _Inputs(inputs)
        plan = self.pullback(graph, given, wanted, training)
        outputs = [empty(element, shape) for _, element, shape in plan.outputs]
        memory = (ctypes.c_char * (plan.workspace_bytes + 63))()
        plan.forward(given, None, _aligned(memory), outputs, seed, step)

        def pull_back(**cotangents):
            known = [name for name, _, _ in plan.cotangents]
            for name in cotangents:
                if name not in known:
                    raise Error(f"no output '{name}' has a gradient; {known} have", "argument error")
            slopes = [array(cotangents[name]) if name in cotangents else None for name in known]
            gradients = [empty(element, shape) for _, element, shape in plan.gradients]
            plan.backward(given, None, _aligned(memory), slopes, gradients)
            return {name: gradient for (name, _, _), gradient in zip(plan.gradients, gradients)}

        return {name: output for (name, _, _), output in zip(plan.outputs, outputs)}, pull_back
