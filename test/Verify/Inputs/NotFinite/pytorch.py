"""Writes pytorch.txt: what PyTorch says of infinities, of what is no number, and of huge and tiny numbers, for each
function of the language.

python pytorch.py > pytorch.txt    # needs PyTorch and PyTorch Geometric; written by 2.15.0 and 2.8.1

A line has a precision, a function, its arguments x and y, its value (of a vector all elements), and derivatives by x
and y: of a loss the function itself, else binary_cross_entropy(value, 0.25), which brings sigmoid(value) - 0.25 to the
value. Functions of several elements, edges or vertices get x and y as these. Lines of f32 are those that are not what
f64 gives, rounded.
"""
import math
import pathlib
import re

import torch
import torch.nn.functional as F
from torch_geometric.nn import aggr
from torch_geometric.utils import softmax

NUMBERS = [float("nan"), float("inf"), float("-inf"), 0.0, -0.0, 1.5, -2.0, 1e30, -1e30, 1e-30]


def pair(function):
    """`function` of the vector [x, y]."""
    return lambda x, y: function(torch.stack([x, y]))


def std(v):
    """What PyTorch Geometric's StdAggregation makes of a variance."""
    root = v.var(0, unbiased=False).clamp(min=1e-5).sqrt()
    return root.masked_fill(root <= 1e-5**0.5, 0.0)


def aggregated(aggregation):
    """An aggregation of PyTorch Geometric, over the edges of one vertex."""
    return lambda v: aggregation(v[:, None], torch.tensor([0, 0]), dim_size=1)[0, 0]


def shares(v):
    """PyTorch Geometric's softmax over the edges of one vertex."""
    return softmax(v, torch.tensor([0, 0]), num_nodes=1)


def picked(x):
    """An entry of [1, 2], 0 for what is none."""
    return (torch.trunc(x) == 0).to(x.dtype) + 2 * (torch.trunc(x) == 1).to(x.dtype)


def weights(v):
    return torch.tensor([1.0, 2.0], dtype=v.dtype)


UNARY = {
    "neg": lambda x: -x,
    "exp": lambda x: torch.exp(x),
    "log": lambda x: torch.log(x),
    "sqrt": lambda x: torch.sqrt(x),
    "rsqrt": lambda x: torch.rsqrt(x),
    "abs": lambda x: torch.abs(x),
    "sigmoid": lambda x: torch.sigmoid(x),
    "tanh": lambda x: torch.tanh(x),
    "relu": lambda x: F.relu(x),
    "leaky_relu": lambda x: F.leaky_relu(x, 0.1),
    "elu": lambda x: F.elu(x),
    "gelu": lambda x: F.gelu(x),
    "gelu_tanh": lambda x: F.gelu(x, approximate="tanh"),
    "erf": lambda x: torch.erf(x),
    "guarded": lambda x: torch.where(x > 0, torch.sqrt(x), 0),
    "as_i32": lambda x: x.detach().int().to(x.dtype),
    "as_i64": lambda x: x.detach().long().to(x.dtype),
    "index": lambda x: picked(x.detach()),
    "pad": lambda x: F.pad(x[None], (0, 1)),
    "softplus": lambda x: F.softplus(x),
    "silu": lambda x: F.silu(x),
}
BINARY = {
    "add": torch.add,
    "sub": torch.sub,
    "mul": torch.mul,
    "div": torch.div,
    "maximum": lambda x, y: pair(lambda v: v.max(0).values)(x, y),  # torch.maximum gives half to each of two equal ones
    "minimum": lambda x, y: pair(lambda v: v.min(0).values)(x, y),
    "pow": torch.pow,
    "select": lambda x, y: torch.where(x > 0, x, y),
    "stop_gradient": lambda x, y: x.detach() * y,
    "equal": lambda x, y: (x == y).to(x.dtype),
    "not_equal": lambda x, y: (x != y).to(x.dtype),
    "less": lambda x, y: (x < y).to(x.dtype),
    "less_equal": lambda x, y: (x <= y).to(x.dtype),
    "greater": lambda x, y: (x > y).to(x.dtype),
    "greater_equal": lambda x, y: (x >= y).to(x.dtype),
    "logic": lambda x, y: (((x > 0) & ~(y > 0)) | (y < -1)).to(x.dtype),
}
# elementwise.gnn has `output o_NAME = NAME(NAME_x)` or `NAME(NAME_x, NAME_y)` for functions that torch has by the same name.
MODEL = pathlib.Path(__file__).with_name("elementwise.gnn").read_text()
for name, second in re.findall(r"output o_(\w+) = \1\(\1_x(, \1_y)?\)", MODEL):
    if name not in UNARY and name not in BINARY:
        (BINARY if second else UNARY)[name] = getattr(torch, name)
FOLDS = {
    "sum": lambda v: v.sum(0),
    "mean": lambda v: v.mean(0),
    "max": lambda v: v.max(0).values,
    "min": lambda v: v.min(0).values,
    "var": lambda v: v.var(0, unbiased=False),
    "std": std,
}
MORE_FOLDS = {
    "prod": lambda v: v.prod(0),
    "logsumexp": lambda v: v.logsumexp(0),
    "softmax": lambda v: v.softmax(0),
}
VECTORS = {
    "dot": lambda v: v.dot(v),
    "matmul": lambda v: v @ torch.ones(2, 2, dtype=v.dtype),
    "concat": lambda v: torch.cat([v[:1], v[1:]]),
    "flatten": lambda v: v.reshape(1, 2).flatten(),
    "slice": lambda v: v[1:],
    "transpose": lambda v: v[None].t().flatten(),
    "outer": lambda v: torch.outer(v, v).flatten(),
    "matrix": lambda v: v @ torch.outer(v, v),
}
EDGES = {
    "var": aggregated(aggr.VarAggregation()),
    "std": aggregated(aggr.StdAggregation()),
    "scored": lambda v: shares(v) @ weights(v),
    "share": lambda v: shares(v).max(0).values,
    "weighed": lambda v: shares(weights(v)) @ v,
    "positive": lambda v: torch.where(v > 0, v, torch.zeros_like(v)).sum(0),
    "count": lambda v: (v > 0).sum().to(v.dtype),
}
LOSSES = {
    "cross_entropy": pair(lambda v: F.cross_entropy(v[None], torch.tensor([0]))),
    "binary_cross_entropy": lambda x, y: F.binary_cross_entropy_with_logits(x, y),
    "mean_squared_error": lambda x, y: F.mse_loss(x, y),
}
TARGETS = {"binary_cross_entropy", "mean_squared_error"}  # of which y is no argument


def functions():
    for name, function in UNARY.items():
        yield name, lambda x, y, function=function: function(x)
    yield from BINARY.items()
    for name, fold in {**FOLDS, **MORE_FOLDS}.items():
        yield name + "_dim", pair(fold)
        if name != "softmax" and name not in EDGES:
            yield name + "_edges", pair(fold)
    for name, fold in FOLDS.items():
        yield name + "_all", pair(fold)
    for name, function in VECTORS.items():
        yield name, pair(function)
    for name, function in EDGES.items():
        yield name + "_edges", pair(function)
    yield from LOSSES.items()


def answer(name, function, a, b, dtype):
    """The elements of the value, and both derivatives."""
    x, y = (torch.tensor(number, dtype=dtype, requires_grad=True) for number in (a, b))
    value = function(x, y)
    if value.requires_grad:
        value.backward(None if name in LOSSES else torch.sigmoid(value.detach()) - 0.25)
    slopes = [0.0 if argument.grad is None else argument.grad.item() for argument in (x, y)]
    if name in TARGETS:
        slopes[1] = 0.0
    return value.detach().reshape(-1).tolist() + slopes


def text(number):
    return "nan" if number != number else "%.12g" % number


def write(precision, name, a, b, numbers):
    elements = ",".join(map(text, numbers[:-2]))
    print(precision, name, text(a), text(b), elements, text(numbers[-2]), text(numbers[-1]))


def is_near(a, b):
    return text(a) == text(b) or math.isclose(a, b, rel_tol=1e-6, abs_tol=1e-6)


def main():
    print("# precision function x y value dx dy, by PyTorch", torch.__version__.split("+")[0])
    for name, function in functions():
        for a in NUMBERS:
            for b in [0.0] if name in UNARY else NUMBERS:
                exact, single = (answer(name, function, a, b, dtype) for dtype in (torch.float64, torch.float32))
                write("f64", name, a, b, exact)
                if not all(map(is_near, exact, single)):
                    write("f32", name, a, b, single)


main()
