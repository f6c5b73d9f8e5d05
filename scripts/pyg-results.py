#!/usr/bin/env python3
"""Computes what PyTorch Geometric's layers give on a small graph with fixed weights, for the tests in test/Execution/PyG.

Writes the graph, and for each layer NAME the weights under our names (NAME.safetensors) and the float64 results (NAME.npy), to
test/Execution/PyG/Inputs. Needs numpy, torch and torch_geometric (2.8.1 wrote the files); the tests need numpy only.
"""

import json
import pathlib
import sys

import numpy as np
import torch
import torch_geometric.nn as pyg
from torch_geometric.nn.models.schnet import CFConv, ShiftedSoftplus

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "test" / "Execution" / "PyG" / "Inputs"
VERTICES, IN, OUT, HIDDEN, FEATURES, TYPES = 12, 6, 4, 5, 3, 4
CUTOFF = 3.0


class Graph:
    """12 vertices of two kinds, 40 edges, two of them parallel, no self loops; vertex 11 is isolated. An edge's type says the kinds of its ends."""

    def __init__(self):
        draws = np.random.default_rng(7)
        pairs = [(u, v) for u in range(VERTICES - 1) for v in range(VERTICES - 1) if u != v]
        chosen = [pairs[i] for i in draws.choice(len(pairs), 39, replace=False)]
        self.edges = torch.tensor(chosen + chosen[:1]).T
        self.kind = torch.tensor([0] * 7 + [1] * 5)
        self.type = 2 * self.kind[self.edges[0]] + self.kind[self.edges[1]]
        self.x = torch.tensor(draws.normal(size=(VERTICES, IN)))
        self.a = torch.tensor(draws.normal(size=(40, FEATURES)))
        self.distance = torch.tensor(draws.uniform(0.5, CUTOFF, size=40))
        self.cut = 0.5 * (torch.cos(self.distance * torch.pi / CUTOFF) + 1)

    def save(self):
        (FOLDER / "graph").mkdir(parents=True, exist_ok=True)
        real, integer = np.float32, np.int32
        for name, tensor, kind in [("edge_index", self.edges, integer), ("edge_type", self.type, integer), ("x", self.x, real), ("vertex_blocks", self.x.reshape(VERTICES, 2, IN // 2), real),
                                   ("vertex_kind", self.kind, integer), ("edge_a", self.a, real), ("edge_cut", self.cut, real)]:
            np.save(FOLDER / "graph" / (name + ".npy"), tensor.numpy().astype(kind))


def save_weights(path, weights):
    """The safetensors format: a length, a JSON header, and the bytes of each tensor."""
    header, body = {}, b""
    for name, tensor in weights.items():
        data = np.ascontiguousarray(tensor.detach().numpy().astype(np.float32)).tobytes()
        header[name] = {"dtype": "F32", "shape": list(tensor.shape), "data_offsets": [len(body), len(body) + len(data)]}
        body += data
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(len(text).to_bytes(8, "little") + text + body)


def linear(module, weight, bias, *shape):
    """A dense layer's weights under the names `weight` and `bias`; the results may come in several dimensions."""
    result = {weight: module.weight.T.reshape(module.weight.shape[1], *(shape or [module.weight.shape[0]]))}
    if bias:
        result[bias] = module.bias.reshape(shape or [module.weight.shape[0]])
    return result


def mlp(network, names=("W1", "b1", "W2", "b2")):
    return {**linear(network[0], *names[:2]), **linear(network[2], *names[2:])}


def two_layers(first, hidden, last):
    return torch.nn.Sequential(torch.nn.Linear(first, hidden), torch.nn.ReLU(), torch.nn.Linear(hidden, last))


def gru(cell):
    names = {}
    for letters, weight, bias in [("Wb", cell.weight_ih, cell.bias_ih), ("Uc", cell.weight_hh, cell.bias_hh)]:
        for gate, rows, part in zip("rzn", weight.chunk(3), bias.chunk(3)):
            names[letters[0] + gate], names[letters[1] + gate] = rows.T, part
    return names


def layers(g):
    """Yields name, module, its result and its weights as the layer of stdlib/nn calls them."""
    one = g.edges

    def case(name, module, apply, weights):
        torch.manual_seed(1)
        module = module.double()
        with torch.no_grad():
            for parameter in module.parameters():
                parameter.copy_(0.5 * torch.randn(parameter.shape, dtype=torch.float64))
            module.eval()
            return name, apply(module), weights(module)

    yield case("gcn", pyg.GCNConv(IN, OUT), lambda m: m(g.x, one), lambda m: {"W": m.lin.weight.T, "b": m.bias})
    yield case("sgc", pyg.SGConv(IN, OUT, K=3), lambda m: m(g.x, one), lambda m: linear(m.lin, "W", "b"))
    yield case("appnp", pyg.APPNP(K=4, alpha=0.2), lambda m: m(g.x, one), lambda m: {})
    yield case("gat", pyg.GATConv(IN, OUT, heads=3), lambda m: m(g.x, one),
               lambda m: {"W": m.lin.weight.T.reshape(IN, 3, OUT), "a_src": m.att_src[0], "a_dst": m.att_dst[0], "bias": m.bias.reshape(3, OUT)})
    yield case("gatv2", pyg.GATv2Conv(IN, OUT, heads=3), lambda m: m(g.x, one),
               lambda m: {**linear(m.lin_l, "W_src", "b_src", 3, OUT), **linear(m.lin_r, "W_dst", "b_dst", 3, OUT), "a": m.att[0],
                          "bias": m.bias.reshape(3, OUT)})
    yield case("sage", pyg.SAGEConv(IN, OUT), lambda m: m(g.x, one),
               lambda m: {**linear(m.lin_l, "W", "b"), **linear(m.lin_r, "W_self", None)})
    yield case("sage-pool", pyg.SAGEConv(IN, OUT, aggr="max", project=True), lambda m: m(g.x, one),
               lambda m: {**linear(m.lin, "P", "p"), **linear(m.lin_l, "W", "b"), **linear(m.lin_r, "W_self", None)})
    yield case("gin", pyg.GINConv(two_layers(IN, HIDDEN, OUT)), lambda m: m(g.x, one),
               lambda m: {"mlp." + name: tensor for name, tensor in mlp(m.nn).items()})
    yield case("tag", pyg.TAGConv(IN, OUT), lambda m: m(g.x, one),
               lambda m: {"W": torch.stack([lin.weight.T for lin in m.lins]), "b": m.bias})
    yield case("cheb", pyg.ChebConv(IN, OUT, K=4), lambda m: m(g.x, one),
               lambda m: {"W": torch.stack([lin.weight.T for lin in m.lins]), "b": m.bias})
    yield case("arma", pyg.ARMAConv(IN, OUT, num_layers=3, shared_weights=True), lambda m: m(g.x, one),
               lambda m: {"W0": m.init_weight[0], "W": m.weight[0, 0], "V": m.root_weight[0, 0], "b": m.bias[0, 0, 0]})
    yield case("gcn2", pyg.GCN2Conv(IN, alpha=0.2, theta=0.7, layer=3), lambda m: m(g.x, g.x * g.x, one), lambda m: {"W": m.weight1})
    yield case("gated", pyg.GatedGraphConv(IN + 2, num_layers=2), lambda m: m(g.x, one), lambda m: {"A": m.weight, **gru(m.rnn)})
    yield case("res-gated", pyg.ResGatedGraphConv(IN, OUT), lambda m: m(g.x, one),
               lambda m: {**linear(m.lin_key, "W_key", "b_key"), **linear(m.lin_query, "W_query", "b_query"),
                          **linear(m.lin_value, "W_value", "b_value"), **linear(m.lin_skip, "W_skip", None), "b": m.bias})
    yield case("edge-conv", pyg.EdgeConv(two_layers(2 * IN, HIDDEN, OUT)), lambda m: m(g.x, one), lambda m: mlp(m.nn))
    yield case("transformer", pyg.TransformerConv(IN, OUT, heads=2), lambda m: m(g.x, one),
               lambda m: {name: tensor for part in ("key", "query", "value", "skip")
                          for name, tensor in linear(getattr(m, "lin_" + part), "W_" + part, "b_" + part, 2, OUT).items()})
    degrees = torch.bincount(torch.bincount(g.edges[1], minlength=VERTICES))
    yield case("pna", pyg.PNAConv(IN, OUT, ["mean", "min", "max", "std"], ["identity", "amplification", "attenuation"], degrees),
               lambda m: m(g.x, one),
               lambda m: {**linear(m.pre_nns[0][0], "M", "m"), **linear(m.post_nns[0][0], "U", "b"), **linear(m.lin, "L", "l")})
    network = two_layers(FEATURES, HIDDEN, IN * OUT)
    yield case("nn-conv", pyg.NNConv(IN, OUT, network), lambda m: m(g.x, one, g.a),
               lambda m: {**linear(m.nn[0], "W1", "b1"), **linear(m.nn[2], "Theta", "theta", IN, OUT), **linear(m.lin, "W", None), "b": m.bias})
    network = torch.nn.Sequential(torch.nn.Linear(FEATURES, HIDDEN), ShiftedSoftplus(), torch.nn.Linear(HIDDEN, HIDDEN))
    yield case("cfconv", CFConv(IN, OUT, HIDDEN, network, CUTOFF), lambda m: m(g.x, one, g.distance, g.a),
               lambda m: {**linear(m.lin1, "W_in", None), **mlp(m.nn, ("F1", "f1", "F2", "f2")), **linear(m.lin2, "W_out", "b_out")})
    yield case("softmax-aggregation", pyg.SoftmaxAggregation(learn=True),
               lambda m: m(g.x[one[0]], one[1], dim_size=VERTICES), lambda m: {"t": m.t[0]})
    yield case("attentional-aggregation", pyg.AttentionalAggregation(torch.nn.Linear(IN, 1), torch.nn.Linear(IN, OUT)),
               lambda m: m(g.x[one[0]], one[1], dim_size=VERTICES),
               lambda m: {"g": m.gate_nn.weight[0], "c": m.gate_nn.bias[0], **linear(m.nn, "W", "b")})
    root = lambda m: {"W0": m.root, "b": m.bias}
    yield case("rgcn", pyg.RGCNConv(IN, OUT, TYPES), lambda m: m(g.x, one, g.type), lambda m: {"W": m.weight, **root(m)})
    yield case("rgcn-basis", pyg.RGCNConv(IN, OUT, TYPES, num_bases=2), lambda m: m(g.x, one, g.type),
               lambda m: {"V": m.weight.transpose(0, 1), "a": m.comp, **root(m)})
    yield case("rgcn-block", pyg.RGCNConv(IN, OUT, TYPES, num_blocks=2), lambda m: m(g.x, one, g.type),
               lambda m: {"Q": m.weight, "W0": m.root.reshape(IN, 2, OUT // 2), "b": m.bias.reshape(2, OUT // 2)})
    norm = lambda m: {"gamma": m.weight, "beta": m.bias}
    yield case("layer-norm", pyg.LayerNorm(IN), lambda m: m(g.x), norm)
    yield case("node-layer-norm", pyg.LayerNorm(IN, mode="node"), lambda m: m(g.x), norm)
    yield case("graph-norm", pyg.GraphNorm(IN), lambda m: m(g.x), lambda m: {"alpha": m.mean_scale, **norm(m)})
    batch = pyg.BatchNorm(IN).double()
    batch.module.running_mean.copy_(torch.linspace(-1, 1, IN))
    batch.module.running_var.copy_(torch.linspace(0.5, 2, IN))
    yield case("batch-norm", batch, lambda m: m(g.x), lambda m: {**norm(m.module), "mean_all": m.module.running_mean, "var_all": m.module.running_var})
    yield hgt(g, case)
    yield han(g, case)


def hgt(g, case):
    heads, width = 2, IN // 2
    names = ["a", "b"]
    relations = [(names[t // 2], "to", names[t % 2]) for t in range(TYPES)]
    module = pyg.HGTConv(IN, IN, (names, relations), heads)
    first = {name: int((g.kind < i).sum()) for i, name in enumerate(names)}

    def apply(m):
        x = {name: g.x[g.kind == i] for i, name in enumerate(names)}
        edges = {r: g.edges[:, g.type == t] - torch.tensor([[first[r[0]]], [first[r[2]]]]) for t, r in enumerate(relations)}
        result = m(x, edges)
        return torch.cat([result[name] for name in names])

    def weights(m):
        kqv = [m.kqv_lin.lins[name] for name in names]
        result = {}
        for part, (weight, bias) in enumerate([("K", "k"), ("Q", "q"), ("V", "b")]):
            result[weight] = torch.stack([lin.weight.chunk(3)[part].T.reshape(IN, heads, width) for lin in kqv])
            result[bias] = torch.stack([lin.bias.chunk(3)[part].reshape(heads, width) for lin in kqv])
        for ours, theirs in [("W_att", m.k_rel), ("W_msg", m.v_rel)]:
            result[ours] = theirs.weight.reshape(heads, TYPES, width, width).transpose(0, 1)
        result["mu"] = torch.cat([m.p_rel["__".join(r)] for r in relations])
        result["A"] = torch.stack([m.out_lin.lins[name].weight.T for name in names])
        result["a"] = torch.stack([m.out_lin.lins[name].bias for name in names])
        result["skip"] = torch.cat([m.skip[name] for name in names])
        return result

    exact, torch.nn.functional.gelu = torch.nn.functional.gelu, lambda x: exact(x, approximate="tanh")  # the language's gelu
    try:
        return case("hgt", module, apply, weights)
    finally:
        torch.nn.functional.gelu = exact


def han(g, case):
    heads = 2
    relations = [("v", str(t), "v") for t in range(TYPES)]
    module = pyg.HANConv(IN, heads * OUT, (["v"], relations), heads)
    edges = {r: g.edges[:, g.type == t] for t, r in enumerate(relations)}

    def weights(m):
        ends = {ours: torch.cat([theirs["__".join(r)] for r in relations]) for ours, theirs in [("a_src", m.lin_src), ("a_dst", m.lin_dst)]}
        return {**linear(m.proj["v"], "P", "p", heads, OUT), **ends, **linear(m.k_lin, "K", "k"), "q": m.q[0]}

    return case("han", module, lambda m: m({"v": g.x}, edges)["v"], weights)


def main():
    graph = Graph()
    graph.save()
    for name, result, weights in layers(graph):
        np.save(FOLDER / (name + ".npy"), result.detach().numpy().reshape(VERTICES, -1))
        save_weights(FOLDER / (name + ".safetensors"), {"conv." + key: tensor for key, tensor in weights.items()})
        print(f"{name}: {tuple(result.shape)}")


if __name__ == "__main__":
    sys.exit(main())
