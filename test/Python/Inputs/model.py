"""Uses what gnnc is to anybody with Python alone."""
import array
import ctypes
import importlib
import platform
import random

import gnnc
from gnnc import _native

SOURCE = """
import nn
model Net(in: dim = 3, classes: dim = 2) {
  graph { symmetric }
  layer conv1 = SAGEConv(in, 4)
  layer conv2 = Linear(4, classes)
  edge u -> v { input w: real }
  vertex v {
    input x: real[in]
    input kind: i32
    let h = tanh(conv1(x))
    output y = conv2(sum(e.w * u.h for e: u -> v)) + select(kind == 0, 0, 1)
  }
}
"""


class Table(array.array):
    """Numbers in rows."""

    def __new__(cls, rows, width):
        return super().__new__(cls, "d", (random.uniform(-1, 1) for _ in range(rows * width)))


def table(rows, width):
    return memoryview(Table(rows, width)).cast("B").cast("d", (rows, width))


def reported(body):
    try:
        body()
    except gnnc.Error as error:
        return f"{error.status}: {error}"
    return "no error"


class Offer:
    """Anything with DLPack."""

    def __init__(self, capsule):
        self.capsule = capsule

    def __dlpack__(self, max_version):
        return self.capsule


def check_capsules():
    """Memory is released once, whether a capsule is taken or dropped."""
    released, numbers = [], array.array("d", [1, 2, 3, 4])
    release = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(lambda _: released.append(True))

    def viewed():
        return gnnc.Array(_native.made(_native.api().gnn_tensor_view, numbers.buffer_info()[0], _native.F64, 1, (ctypes.c_int64 * 1)(4),
                                       ctypes.cast(release, ctypes.c_void_p), None))

    tensor = viewed()
    tensor.__dlpack__(max_version=(1, 0))  # dropped at once
    held = tensor.__dlpack__(max_version=(1, 0))
    del tensor
    gnnc.array(numbers)
    while_held = len(released)
    taken = gnnc.array(Offer(held))
    del held
    gnnc.array(numbers)
    while_taken = len(released)
    same = taken.tolist() == numbers.tolist()
    del taken
    print("capsules: released", while_held, while_taken, len(released), "the same" if same else "others")
    tensor = viewed()
    held = [tensor.__dlpack__(max_version=(1, 0)) for _ in range(3)]
    del tensor, held
    gnnc.array(numbers)
    print("dropped capsules: released", len(released))


def check_version():
    functions, version = _native._functions, _native.INTERFACE_VERSION
    _native._functions, _native.INTERFACE_VERSION = None, version + 1
    print(reported(_native.api))
    _native._functions, _native.INTERFACE_VERSION = functions, version


def check_machine():
    platform.machine = lambda: "aarch64"
    try:
        importlib.reload(_native)
    except ImportError as error:
        print("ImportError:", error)


def main():
    random.seed(1)
    model = gnnc.compile(SOURCE, real="f64")
    model.initialize(seed=1)
    print(len(model.parameter_names), "parameters")
    edges = memoryview(array.array("q", [0, 1, 2, 2, 1, 2, 0, 1])).cast("B").cast("q", (2, 4))
    graph = gnnc.Graph.from_edge_index(edges, num_vertices=4)
    inputs = {"x": table(4, 3), "w": table(4, 1).cast("B").cast("d"), "kind": array.array("i", [0, 1, 0, 1])}
    slopes = table(4, 2)
    outputs, pull_back = model.vjp(graph, **inputs)
    print("outputs:", "the same" if outputs["y"].tolist() == model.infer(graph, **inputs)["y"].tolist() else "others")
    gradients = pull_back(y=slopes)

    def value():
        y = model.infer(graph, **inputs)["y"].tolist()
        return sum(y[v][c] * slopes[v, c] for v in range(4) for c in range(2))

    def flat(numbers):
        return [x for each in numbers for x in flat(each)] if isinstance(numbers, list) else [numbers]

    places = {name: memoryview(given).cast("B").cast("d") for name, given in inputs.items() if name != "kind"}
    worst, checked = 0, 0
    for name, numbers in places.items():
        checked += 1
        for i, gradient in enumerate(flat(gradients[name].tolist())):
            before, values = numbers[i], []
            for step in (1e-6, -1e-6):
                numbers[i] = before + step
                values.append(value())
            numbers[i] = before
            worst = max(worst, abs((values[0] - values[1]) / 2e-6 - gradient))
    print(checked + sum(name in gradients for name in ("conv1.W", "conv2.W")), "gradients, off by less than 1e-8" if worst < 1e-8 else worst)
    print(reported(lambda: model.vjp(graph, wanted=["kind"], **inputs)))
    print(reported(lambda: gnnc.Graph.from_edge_index(array.array("q", [0, 1, 2]), 4)))
    print(reported(lambda: pull_back(z=slopes)))
    print(reported(lambda: model.infer(graph, x=inputs["x"], kind=inputs["kind"])).split(":")[0])
    print(reported(lambda: gnnc.compile("model Net(in: dim = 3) {\n  vertex v { output y = undefined }\n}\n")).splitlines()[0])
    print(reported(lambda: gnnc.compile("missing.gnn")).splitlines()[0])
    check_capsules()
    check_version()
    check_machine()


main()
