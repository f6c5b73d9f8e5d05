"""Compiled models as modules of PyTorch.

    fast = gnnc.torch.compile(model, (data.x, data.edge_index))      # the same parameters, under the same names
    for epoch in range(200):
        loss = F.cross_entropy(fast(data.x, data.edge_index)[data.train_mask], ...)

`compile` exports a module, imports the program, and compiles it; `Module` is a model that is compiled already. Outputs,
and gradients by parameters and inputs, come from the compiled model; parameters stay PyTorch's. Gradients of gradients
are not there: asking for one is an error. Tensors are on the processor.
"""

import collections
import ctypes
import hashlib
import itertools
import json
import os
import tempfile
import weakref

import torch

import gnnc

from ._arrays import view
from ._native import BOOL, F32, F64, I32, I64, Error

_DTYPES = {F32: torch.float32, F64: torch.float64, I32: torch.int32, I64: torch.int64, BOOL: torch.bool}
_ELEMENTS = {dtype: element for element, dtype in _DTYPES.items()}

_numbers = itertools.count(1)
_plans = weakref.WeakValueDictionary()  # by number: an op takes numbers and tensors alone


class _Plan:
    """A pullback with the names of its inputs."""

    def __init__(self, pullback, names):
        self.pullback = pullback
        self.names = names
        self.number = next(_numbers)
        _plans[self.number] = self


def _tensor(given):
    if given.device.type != "cpu":
        raise Error(f"a tensor is on {given.device}: compiled models take tensors on the processor", "argument error")
    given = given.detach().contiguous()
    if given.dtype not in _ELEMENTS:
        raise Error(f"a tensor is {given.dtype}, expected one of {[str(dtype) for dtype in _ELEMENTS]}", "argument error")
    return view(given.data_ptr(), _ELEMENTS[given.dtype], given.shape, given)


def _inputs(plan, tensors):
    return gnnc._Inputs(dict(zip(plan.names, map(_tensor, tensors))))


def _empty(items, like):
    return [torch.empty(shape, dtype=_DTYPES[element], device=like.device) for _, element, shape in items]


@torch.library.custom_op("gnnc::forward", mutates_args=(), device_types="cpu")
def _forward(inputs: list[torch.Tensor], parameters: list[torch.Tensor], plan: int, seed: int) -> list[torch.Tensor]:
    """The outputs, then the workspace."""
    planned = _plans[plan]
    outputs = _empty(planned.pullback.outputs, inputs[0])
    workspace = torch.empty(planned.pullback.workspace_bytes, dtype=torch.uint8)
    planned.pullback.forward(_inputs(planned, inputs), list(map(_tensor, parameters)), workspace.data_ptr(),
                             list(map(_tensor, outputs)), seed)
    return [*outputs, workspace]


@_forward.register_fake
def _(inputs, parameters, plan, seed):
    pullback = _plans[plan].pullback
    return [*_empty(pullback.outputs, inputs[0]),
            torch.empty(pullback.workspace_bytes, dtype=torch.uint8, device=inputs[0].device)]


@torch.library.custom_op("gnnc::backward", mutates_args=(), device_types="cpu")
def _backward(inputs: list[torch.Tensor], parameters: list[torch.Tensor], workspace: torch.Tensor,
              cotangents: list[torch.Tensor], plan: int) -> list[torch.Tensor]:
    planned = _plans[plan]
    gradients = _empty(planned.pullback.gradients, inputs[0])
    planned.pullback.backward(_inputs(planned, inputs), list(map(_tensor, parameters)), workspace.data_ptr(),
                              list(map(_tensor, cotangents)), list(map(_tensor, gradients)))
    return gradients


@_backward.register_fake
def _(inputs, parameters, workspace, cotangents, plan):
    return _empty(_plans[plan].pullback.gradients, inputs[0])


def _keep(ctx, inputs, output):
    tables, parameters, plan, _ = inputs
    ctx.plan = _plans[plan]
    ctx.num_inputs = len(tables)
    ctx.save_for_backward(*tables, *parameters, output[-1])


def _pull_back(ctx, slopes):
    pullback = ctx.plan.pullback
    *tensors, workspace = ctx.saved_tensors
    inputs, parameters = tensors[: ctx.num_inputs], tensors[ctx.num_inputs :]
    by_output = dict(zip((name for name, _, _ in pullback.outputs), slopes))
    cotangents = [torch.zeros(shape, dtype=_DTYPES[element]) if by_output[name] is None else by_output[name].contiguous()
                  for name, element, shape in pullback.cotangents]
    made = _backward(inputs, parameters, workspace, cotangents, ctx.plan.number)
    gradients = dict(zip((name for name, _, _ in pullback.gradients), made))
    of_inputs = [gradients[name].reshape(tensor.shape) if name in gradients else None
                 for name, tensor in zip(ctx.plan.names, inputs)]
    return of_inputs, [gradients.get(name) for name, _, _ in pullback.parameters], None, None


torch.library.register_autograd("gnnc::forward", _pull_back, setup_context=_keep)


class Graphs:
    """Prepared graphs by a digest of their `edge_index`, wherever it lies; those that were used last."""

    def __init__(self, most=16):
        self._most = most
        self._known = collections.OrderedDict()

    def get(self, edge_index, num_vertices):
        edges = edge_index.detach().contiguous()
        held = (ctypes.c_char * edges.nbytes).from_address(edges.data_ptr()) if edges.numel() else b""
        key = (hashlib.blake2b(held, digest_size=16).digest(), tuple(edges.shape), num_vertices)
        if key not in self._known:
            self._known[key] = gnnc.Graph.from_edge_index(_tensor(edges), num_vertices)
            if len(self._known) > self._most:
                self._known.popitem(last=False)
        self._known.move_to_end(key)
        return self._known[key]


class _Function:
    """A compiled model as a differentiable function of tensors."""

    def __init__(self, model):
        self.model = model
        self.outputs = [output["name"] for output in model.manifest["outputs"]]
        self._plans = weakref.WeakKeyDictionary()  # by graph

    def __call__(self, graph, inputs, parameters, training):
        """Outputs by name and, in training, the next values of states by theirs. `inputs` and `parameters` are tensors by
        name."""
        asks = torch.is_grad_enabled()
        wanted = tuple(name for name, tensor in (parameters | inputs).items() if asks and tensor.requires_grad)
        plan = self._plan(graph, inputs, wanted, training)
        seed = int(torch.randint(2**62, ())) if training else 0
        in_order = [parameters[name] for name, _, _ in plan.pullback.parameters]
        *outputs, _ = _forward(list(inputs.values()), in_order, plan.number, seed)
        return dict(zip((name for name, _, _ in plan.pullback.outputs), outputs))

    def _plan(self, graph, inputs, wanted, training):
        known = self._plans.setdefault(graph, {})
        key = (wanted, training, tuple((name, tensor.shape, tensor.dtype) for name, tensor in inputs.items()))
        if key not in known:
            given = gnnc._Inputs({name: _tensor(tensor) for name, tensor in inputs.items()})
            known[key] = _Plan(gnnc.Pullback(self.model, graph, given, wanted, training), list(inputs))
        return known[key]


class Module(torch.nn.Module):
    """A compiled model whose parameters and states are PyTorch's: `conv1.W` of the model is `conv1.W` here. All
    dimensions must be known. Called with a `gnnc.Graph`, or an `edge_index` of int64 [2, edges], and inputs by name; gives
    the output, or several by name."""

    def __init__(self, model, *, seed=None):
        super().__init__()
        self._function, self._graphs = _Function(model), Graphs()
        if seed is not None:
            model.initialize(seed)
        trained = {param["name"]: param["trained"] for param in model.manifest["params"]}
        for name in model.parameter_names:
            value = torch.from_dlpack(model.parameter(name)).clone()
            *path, last = name.split(".")
            owner = self
            for part in path:
                if not hasattr(owner, part):
                    owner.add_module(part, torch.nn.Module())
                owner = getattr(owner, part)
            if trained[name]:
                owner.register_parameter(last, torch.nn.Parameter(value))
            else:
                owner.register_buffer(last, value)

    def forward(self, graph, **inputs):
        if isinstance(graph, torch.Tensor):
            graph = self._graphs.get(graph, next(iter(inputs.values())).shape[0])
        own = dict(itertools.chain(self.named_parameters(), self.named_buffers()))
        results = self._function(graph, inputs, own, self.training)
        _take_states(own, results)
        outputs = {name: results[name] for name in self._function.outputs}
        return outputs if len(outputs) > 1 else next(iter(outputs.values()))


def _take_states(own, results):
    with torch.no_grad():
        for name in own.keys() & results.keys():
            own[name].copy_(results[name])


def _weight_map(path):
    """For each parameter of an imported model the name of the module's, and whether it is transposed."""
    with open(path, "rb") as file:
        header = json.loads(file.read(int.from_bytes(file.read(8), "little")))
    lines = header["__metadata__"]["gnnc.weights"].splitlines()
    words = [(name, source.split()) for name, source in (line.split(" <- ") for line in lines)]
    shapes = {name: entry["shape"] for name, entry in header.items() if name != "__metadata__"}
    return {name: (source[0], "transposed" in source[1:], shapes[name]) for name, source in words}


def _open_dims(example):
    """The dimensions that other graphs may have otherwise: numbers of vertices, those of the first table, and of edges."""
    vertices = next(tensor.shape[0] for tensor in example if tensor.is_floating_point())
    edges = next(tensor.shape[1] for tensor in example if not tensor.is_floating_point())
    open_n, open_e = torch.export.Dim("N"), torch.export.Dim("E")
    shapes = []
    for tensor in example:
        if not tensor.is_floating_point():
            shapes.append({1: open_e})
        elif tensor.shape[0] == vertices:
            shapes.append({0: open_n})
        else:
            shapes.append({0: open_e} if tensor.shape[0] == edges else None)
    return tuple(shapes)


class Compiled(torch.nn.Module):
    """What `compile` gives: the modules, parameters and buffers of another module, and its outputs from compiled code."""

    def __init__(self, module, model, weights, names):
        super().__init__()
        self._parameters, self._buffers, self._modules = module._parameters, module._buffers, module._modules
        self._function, self._graphs = _Function(model), Graphs()
        self._weights, self._names = weights, names
        self.training = module.training

    def _weight(self, name):
        source, is_transposed, shape = self._weights[name]
        *path, last = source.split(".")
        tensor = getattr(self.get_submodule(".".join(path)), last)
        return (tensor.t() if is_transposed else tensor).reshape(shape)

    def forward(self, *inputs):
        given = dict(zip(self._names, inputs))
        edges = [tensor for tensor in given.values() if not tensor.is_floating_point()]
        tables = {name: tensor for name, tensor in given.items() if tensor.is_floating_point()}
        graph = self._graphs.get(edges[0], next(iter(tables.values())).shape[0])
        results = self._function(graph, tables, {name: self._weight(name) for name in self._weights}, self.training)
        outputs = tuple(results[name] for name in self._function.outputs)
        return outputs if len(outputs) > 1 else outputs[0]


def compile(module, example, *, real=None, threads=None):
    """Compiles a module of PyTorch Geometric's layers, for inference and training on any graph. `example` is a tuple of
    the tensors that its `forward` takes: features of vertices, an `edge_index`, perhaps features of edges.

    The module that comes back has the same parameters, under the same names: optimizers and `state_dict` go on
    unchanged. What `gnnc import` does not take is an error that names the line of Python."""
    was_training = module.training
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.pt2")
        try:
            program = torch.export.export(module.eval(), tuple(example), dynamic_shapes=_open_dims(example))
        finally:
            module.train(was_training)
        torch.export.save(program, path)
        weights = gnnc.import_model(path, os.path.join(folder, "model.gnn"))
        if real is None:
            real = "f64" if next(tensor for tensor in example if tensor.is_floating_point()).dtype == torch.float64 else "f32"
        threads = torch.get_num_threads() if threads is None else threads
        model = gnnc.compile(os.path.join(folder, "model.gnn"), real=real, threads=threads)
        return Compiled(module, model, _weight_map(weights), program.graph_signature.user_inputs)
