"""mixed_loops.py [COUNT [SEED]]: random stacks of layers about different loops, on graphs with repeated loops, beside PyTorch Geometric's
in double: outputs, and the gradients of parameters and input."""
import pathlib
import random
import sys
import tempfile

import gnnc
import gnnc.torch
import torch
from torch_geometric import nn as pyg

WIDTH = 5


def dense(lin, weight, bias, of):
    return {weight: of(lin.weight).T, **({bias: of(lin.bias)} if lin.bias is not None else {})}


# The layer here and there, and its weights, or what `of` gives of them, by their names here.
LAYERS = {
    "one loop": ("GCNConv({0}, {0})", lambda: pyg.GCNConv(WIDTH, WIDTH),
                 lambda m, of: {"W": of(m.lin.weight).T, "b": of(m.bias)}),
    "one loop, attended": ("GATConv({0}, {0}, 1)", lambda: pyg.GATConv(WIDTH, WIDTH),
                           lambda m, of: {"W": of(m.lin.weight).T[:, None], "a_src": of(m.att_src)[0], "a_dst": of(m.att_dst)[0],
                                          "b": of(m.bias)[None]}),
    "no loops": ("ChebConv({0}, {0}, 2)", lambda: pyg.ChebConv(WIDTH, WIDTH, K=3),
                 lambda m, of: {"W": torch.stack([of(lin.weight).T for lin in m.lins]), "b": of(m.bias)}),
    "those of the graph": ("SAGEConv({0}, {0})", lambda: pyg.SAGEConv(WIDTH, WIDTH),
                           lambda m, of: {**dense(m.lin_l, "W", "b", of), **dense(m.lin_r, "W_self", "", of)}),
    "those of the graph, normalised": ("TAGConv({0}, {0}, 2)", lambda: pyg.TAGConv(WIDTH, WIDTH, K=2),
                                       lambda m, of: {"W": torch.stack([of(lin.weight).T for lin in m.lins]), "b": of(m.bias)}),
    "those of the graph, by maxima": ("GraphConv({0}, {0}, max)", lambda: pyg.GraphConv(WIDTH, WIDTH, aggr="max"),
                                      lambda m, of: {**dense(m.lin_rel, "W", "b", of), **dense(m.lin_root, "W_self", "", of)}),
}


def source(names):
    layers = "".join(f"  layer l{i} = {LAYERS[name][0].format(WIDTH)}\n" for i, name in enumerate(names))
    body, h = "", "x"
    for i, name in enumerate(names):
        body += f"    let h{i} = tanh(l{i}({h}))\n"
        h = f"h{i}"
    return f"import nn\n\nmodel Stack() {{\n{layers}  vertex v {{\n    input x: real[{WIDTH}]\n{body}    output y = {h}\n  }}\n}}\n"


def drawn_edges(draw, vertices):
    edges = [(draw.randrange(vertices), draw.randrange(vertices)) for _ in range(3 * vertices)]
    for v in draw.sample(range(vertices), vertices // 2):  # 1 to 3 loops at half of the vertices
        edges += draw.randrange(1, 4) * [(v, v)]
    draw.shuffle(edges)
    return torch.tensor(edges).T.contiguous()


def worst(names, draw, folder):
    """The largest difference, relative to the largest number beside it."""
    modules = [LAYERS[name][1]().double() for name in names]
    path = pathlib.Path(folder) / "stack.gnn"
    path.write_text(source(names))
    ours = gnnc.torch.Module(gnnc.compile(path, real="f64", output=str(path.with_suffix(".so"))))
    own = dict(ours.named_parameters())
    with torch.no_grad():
        for module in modules:
            for parameter in module.parameters():
                parameter.copy_(0.7 * torch.randn(parameter.shape))
        for i, name in enumerate(names):
            for key, value in LAYERS[name][2](modules[i], lambda p: p).items():
                own[f"l{i}.{key}"].copy_(value)
    vertices = draw.randrange(1, 25)
    edges, slopes = drawn_edges(draw, vertices), torch.randn(vertices, WIDTH, dtype=torch.float64)
    x = torch.randn(vertices, WIDTH, dtype=torch.float64)
    mine, theirs = x.clone().requires_grad_(), x.clone().requires_grad_()
    output = ours(edges, x=mine)
    h = theirs
    for module in modules:
        h = torch.tanh(module(h, edges))
    output.backward(slopes)
    h.backward(slopes)
    pairs = [(output, h), (mine.grad, theirs.grad)]
    for i, name in enumerate(names):
        grads = LAYERS[name][2](modules[i], lambda p: torch.zeros_like(p) if p.grad is None else p.grad)
        pairs += [(own[f"l{i}.{key}"].grad, grad) for key, grad in grads.items()]
    return max(float((a - b).detach().abs().max() / max(float(b.detach().abs().max()), 1e-3)) for a, b in pairs)


def main(count=4, seed=0):
    draw = random.Random(seed)
    torch.manual_seed(seed)
    for number in range(count):
        names = draw.choices(list(LAYERS), k=draw.randrange(2, 5)) if number else ["one loop", "those of the graph", "no loops"]
        with tempfile.TemporaryDirectory() as folder:
            error = worst(names, draw, folder)
        print(f"{'agree' if error < 1e-9 else f'DIFFER by {error:.2g}'}: {'; '.join(names)}", flush=True)


main(*map(int, sys.argv[1:]))
