#!/usr/bin/env python3
"""Computes what PyTorch Geometric's layers give on small graphs of twelve kinds with fixed weights, for the tests in test/Execution/PyG.

Writes the graphs (graphs.json), and for each case NAME the weights under our names (NAME.safetensors) and the float64 results, graph
after graph (NAME.npy), to test/Execution/PyG/Inputs. Needs numpy, torch and torch_geometric (2.8.1 wrote the files); the tests need
Python only.
"""

import json
import pathlib
import sys

import numpy as np
import torch
import torch_geometric.nn as pyg
from torch_geometric.nn.models.schnet import CFConv, ShiftedSoftplus

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "test" / "Execution" / "PyG" / "Inputs"
IN, OUT, HIDDEN, FEATURES, TYPES = 6, 4, 5, 3, 4
CUTOFF = 3.0


def edges_by_kind(draws):
    """The vertices and edges of each graph, by the kind that it shows."""
    def some(vertices, count):
        pairs = [(u, v) for u in range(vertices) for v in range(vertices) if u != v]
        return [pairs[i] for i in draws.choice(len(pairs), count, replace=False)]

    random = some(11, 39)
    mutual = some(6, 7)
    return {
        "random": (12, random + random[:1]),  # two edges are parallel; vertex 11 is isolated
        "mutual": (6, mutual + [(v, u) for u, v in mutual if (v, u) not in mutual]),
        "loops": (7, some(7, 12) + [(0, 0), (3, 3), (6, 6)]),
        "repeated loops": (5, [(0, 0), (0, 0), (0, 1), (1, 2), (1, 2), (2, 2), (2, 2), (2, 2), (2, 0), (3, 3)]),
        "parallel": (3, [(0, 1)] * 5 + [(1, 0), (1, 2), (1, 2)]),
        "sources and sinks": (8, [(0, 4), (0, 5), (1, 5), (1, 6), (2, 6), (3, 4), (3, 7), (3, 5)]),
        "path": (5, [(0, 1), (1, 2), (2, 3), (3, 4)]),
        "hub of edges in": (6, [(v, 0) for v in range(1, 6)]),
        "hub of edges out": (6, [(0, v) for v in range(1, 6)]),
        "no edges": (4, []),
        "one vertex": (1, []),
        "one loop": (1, [(0, 0)]),
    }


class Graph:
    """A graph with features of vertices of two kinds and of edges, rounded to what an f32 holds. An edge's type says the kinds of its ends."""

    def __init__(self, vertices, edges, draws):
        rounded = lambda numbers: torch.tensor(np.asarray(numbers, np.float32)).double()
        self.vertices = vertices
        self.edges = torch.tensor(edges, dtype=torch.int64).reshape(-1, 2).T
        self.kind = (torch.arange(vertices) >= (vertices + 1) // 2).long()
        self.type = 2 * self.kind[self.edges[0]] + self.kind[self.edges[1]]
        self.x = rounded(draws.normal(size=(vertices, IN)))
        self.a = rounded(draws.normal(size=(len(edges), FEATURES)))
        self.distance = rounded(draws.uniform(0.5, CUTOFF, size=len(edges)))
        self.cut = rounded(0.5 * (np.cos(self.distance.numpy() * np.pi / CUTOFF) + 1))

    def description(self):
        numbers = lambda tensor: [[float("%.9g" % number) for number in row] for row in tensor.tolist()]
        return {"vertices": self.vertices, "edges": self.edges.T.tolist(), "types": self.type.tolist(), "kinds": self.kind.tolist(),
                "x": numbers(self.x), "a": numbers(self.a), "cut": numbers(self.cut[:, None])}


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


def mlp(network, name="nn"):
    """Two dense layers, the weights of an MLP that is the parameter `name` of a layer."""
    return {**linear(network[0], name + ".W1", name + ".b1"), **linear(network[2], name + ".W2", name + ".b2")}


def two_layers(first, hidden, last):
    return torch.nn.Sequential(torch.nn.Linear(first, hidden), torch.nn.ReLU(), torch.nn.Linear(hidden, last))


def gru(cell):
    names = {}
    for letters, weight, bias in [("Wb", cell.weight_ih, cell.bias_ih), ("Uc", cell.weight_hh, cell.bias_hh)]:
        for gate, rows, part in zip("rzn", weight.chunk(3), bias.chunk(3)):
            names[letters[0] + gate], names[letters[1] + gate] = rows.T, part
    return names


def case(name, module, apply, weights):
    """A layer with weights drawn for it, what it gives for a graph, and its weights as the layer of stdlib/nn calls them."""
    torch.manual_seed(1)
    module = module.double().eval()
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.copy_((0.5 * torch.randn(parameter.shape, dtype=torch.float64)).float())
    return name, lambda g: apply(module, g), lambda: weights(module)


def spectral():
    """Layers that normalise the adjacency."""
    on = lambda m, g: m(g.x, g.edges)
    gcn = lambda m: {"W": m.lin.weight.T, "b": m.bias}
    yield case("gcn", pyg.GCNConv(IN, OUT), on, gcn)
    yield case("gcn-without-loops", pyg.GCNConv(IN, OUT, add_self_loops=False), on, gcn)
    yield case("gcn-without-norm", pyg.GCNConv(IN, OUT, normalize=False, bias=False), on, lambda m: {"W": m.lin.weight.T})
    weighted = lambda m, g: m(g.x, g.edges, g.cut)
    yield case("gcn-improved", pyg.GCNConv(IN, OUT, improved=True), on, gcn)
    yield case("gcn-weighted", pyg.GCNConv(IN, OUT), weighted, gcn)
    yield case("gcn-weighted-improved", pyg.GCNConv(IN, OUT, improved=True), weighted, gcn)
    yield case("gcn-weighted-without-loops", pyg.GCNConv(IN, OUT, add_self_loops=False), weighted, gcn)
    yield case("gcn-weighted-without-norm", pyg.GCNConv(IN, OUT, normalize=False, bias=False), weighted, lambda m: {"W": m.lin.weight.T})
    sgc = lambda m: linear(m.lin, "W", "b")
    yield case("sgc-without-bias", pyg.SGConv(IN, OUT, K=2, bias=False), on, lambda m: linear(m.lin, "W", None))
    yield case("sgc", pyg.SGConv(IN, OUT, K=3), on, sgc)
    yield case("sgc-without-loops", pyg.SGConv(IN, OUT, add_self_loops=False), on, sgc)
    yield case("appnp", pyg.APPNP(K=4, alpha=0.2), on, lambda m: {})
    yield case("appnp-without-loops", pyg.APPNP(K=10, alpha=0.1, add_self_loops=False), on, lambda m: {})
    residual = lambda m, g: m(g.x, g.x * g.x, g.edges)
    yield case("gcn2", pyg.GCN2Conv(IN, alpha=0.2, theta=0.7, layer=3), residual, lambda m: {"W": m.weight1})
    yield case("gcn2-without-loops", pyg.GCN2Conv(IN, alpha=0.1, theta=0.5, layer=1, add_self_loops=False), residual, lambda m: {"W": m.weight1})
    filters = lambda m: {"W": torch.stack([lin.weight.T for lin in m.lins]), "b": m.bias}
    yield case("tag", pyg.TAGConv(IN, OUT), on, filters)
    yield case("tag-of-one-step", pyg.TAGConv(IN, OUT, K=1), on, filters)
    unbiased = lambda m: {"W": torch.stack([lin.weight.T for lin in m.lins])}
    yield case("tag-without-bias", pyg.TAGConv(IN, OUT, K=2, bias=False), on, unbiased)
    yield case("cheb-without-bias", pyg.ChebConv(IN, OUT, K=3, bias=False), on, unbiased)
    for terms in [1, 2, 4]:
        yield case("cheb" if terms == 4 else f"cheb-of-{terms}", pyg.ChebConv(IN, OUT, K=terms), on, filters)
    arma = lambda m: {"W0": m.init_weight[0], "V": m.root_weight[0, 0], "b": m.bias[0, 0, 0]}
    yield case("arma", pyg.ARMAConv(IN, OUT, num_layers=3, shared_weights=True), on, lambda m: {**arma(m), "W": m.weight[0, 0]})
    yield case("arma-without-bias", pyg.ARMAConv(IN, OUT, num_layers=2, shared_weights=True, bias=False), on,
               lambda m: {"W0": m.init_weight[0], "V": m.root_weight[0, 0], "W": m.weight[0, 0]})
    unread = {"W": torch.zeros(OUT, OUT)}
    yield case("arma-of-one-step", pyg.ARMAConv(IN, OUT, num_layers=1, shared_weights=True), on, lambda m: {**arma(m), **unread})


def spatial():
    """Layers of messages, and layers of attention."""
    on = lambda m, g: m(g.x, g.edges)
    gat = lambda heads: lambda m: {"W": m.lin.weight.T.reshape(IN, heads, OUT), "a_src": m.att_src[0], "a_dst": m.att_dst[0],
                                   "b": m.bias.reshape(heads, OUT)}
    yield case("gat", pyg.GATConv(IN, OUT, heads=3), on, gat(3))
    yield case("gat-without-loops", pyg.GATConv(IN, OUT, negative_slope=0.1, add_self_loops=False), on, gat(1))
    featured = lambda m, g: m(g.x, g.edges, g.a)
    edge = lambda m, heads: linear(m.lin_edge, "W_edge", None, heads, OUT)
    yield case("gat-of-one-loop", pyg.GATConv(IN, OUT, heads=3, residual=True), on,
               lambda m: {**gat(3)(m), **linear(m.res, "W_res", None, 3, OUT)})
    for name, loops in [("gat-of-edges", True), ("gat-of-edges-without-loops", False)]:
        yield case(name, pyg.GATConv(IN, OUT, heads=2, edge_dim=FEATURES, add_self_loops=loops), featured,
                   lambda m: {**gat(2)(m), **edge(m, 2), "a_edge": m.att_edge[0]})
    gatv2 = lambda heads: lambda m: {**linear(m.lin_l, "W_src", "b_src", heads, OUT), **linear(m.lin_r, "W_dst", "b_dst", heads, OUT),
                                     "a": m.att[0], "b": m.bias.reshape(heads, OUT)}
    yield case("gatv2", pyg.GATv2Conv(IN, OUT, heads=3), on, gatv2(3))
    yield case("gatv2-without-loops", pyg.GATv2Conv(IN, OUT, negative_slope=0.1, add_self_loops=False), on, gatv2(1))
    yield case("gatv2-of-one-loop", pyg.GATv2Conv(IN, OUT, heads=2, share_weights=True, residual=True), on,
               lambda m: {**linear(m.lin_l, "W_src", "b_src", 2, OUT), "a": m.att[0], "b": m.bias.reshape(2, OUT),
                          **linear(m.res, "W_res", None, 2, OUT)})
    yield case("gatv2-of-edges", pyg.GATv2Conv(IN, OUT, heads=3, edge_dim=FEATURES, bias=False), featured,
               lambda m: {**linear(m.lin_l, "W_src", None, 3, OUT), **linear(m.lin_r, "W_dst", None, 3, OUT), "a": m.att[0], **edge(m, 3)})
    yield case("sage", pyg.SAGEConv(IN, OUT), on, lambda m: {**linear(m.lin_l, "W", "b"), **linear(m.lin_r, "W_self", None)})
    yield case("sage-projected", pyg.SAGEConv(IN, OUT, normalize=True, project=True), on,
               lambda m: {**linear(m.lin, "P", "p"), **linear(m.lin_l, "W", "b"), **linear(m.lin_r, "W_self", None)})
    yield case("sage-without-root", pyg.SAGEConv(IN, OUT, normalize=True, root_weight=False, bias=False), on, lambda m: linear(m.lin_l, "W", None))
    yield case("sage-pool", pyg.SAGEConv(IN, OUT, aggr="max", project=True), on,
               lambda m: {**linear(m.lin, "P", "p"), **linear(m.lin_l, "W", "b"), **linear(m.lin_r, "W_self", None)})
    sage = lambda m: {**linear(m.lin_l, "W", "b"), **linear(m.lin_r, "W_self", None)}
    yield case("sage-of-maxima", pyg.SAGEConv(IN, OUT, aggr="max"), on, sage)
    yield case("sage-of-three", pyg.SAGEConv(IN, OUT, aggr=["mean", "max", "std"]), on, sage)
    graph_conv = lambda m: {**linear(m.lin_rel, "W", "b"), **linear(m.lin_root, "W_self", None)}
    yield case("graph-conv", pyg.GraphConv(IN, OUT), on, graph_conv)
    yield case("graph-conv-weighted", pyg.GraphConv(IN, OUT, aggr="max", bias=False), lambda m, g: m(g.x, g.edges, g.cut),
               lambda m: {**linear(m.lin_rel, "W", None), **linear(m.lin_root, "W_self", None)})
    gin = lambda m: mlp(m.nn)
    yield case("gin", pyg.GINConv(two_layers(IN, HIDDEN, OUT)), on, gin)
    yield case("gin-of-eps", pyg.GINConv(two_layers(IN, HIDDEN, OUT), eps=0.3), on, gin)
    yield case("gin-eps", pyg.GINConv(two_layers(IN, HIDDEN, OUT), train_eps=True), on, lambda m: {**gin(m), "e": m.eps[0]})
    gated = lambda m: {"A": m.weight, **gru(m.rnn)}
    yield case("gated", pyg.GatedGraphConv(IN + 2, num_layers=2), on, gated)
    yield case("gated-as-wide", pyg.GatedGraphConv(IN, num_layers=5), on, gated)
    yield case("res-gated", pyg.ResGatedGraphConv(IN, OUT), on,
               lambda m: {**linear(m.lin_key, "W_key", "b_key"), **linear(m.lin_query, "W_query", "b_query"),
                          **linear(m.lin_value, "W_value", "b_value"), **linear(m.lin_skip, "W_skip", None), "b": m.bias})
    yield case("res-gated-without-root", pyg.ResGatedGraphConv(IN, OUT, root_weight=False, bias=False), on,
               lambda m: {**linear(m.lin_key, "W_key", "b_key"), **linear(m.lin_query, "W_query", "b_query"),
                          **linear(m.lin_value, "W_value", "b_value")})
    yield case("edge-conv", pyg.EdgeConv(two_layers(2 * IN, HIDDEN, OUT)), on, lambda m: mlp(m.nn))
    yield case("edge-conv-of-means", pyg.EdgeConv(torch.nn.Sequential(torch.nn.Linear(2 * IN, HIDDEN), torch.nn.Tanh(), torch.nn.Linear(HIDDEN, OUT)),
                                                  aggr="mean"), on, lambda m: mlp(m.nn))
    yield case("point-net", pyg.PointNetConv(two_layers(2 * IN, HIDDEN, HIDDEN), torch.nn.Linear(HIDDEN, OUT)),
               lambda m, g: m(g.x, g.x * g.x, g.edges),
               lambda m: {**mlp(m.local_nn, "local_nn"), **linear(m.global_nn, "global_nn.W", "global_nn.b")})
    attention = ("key", "query", "value")
    transformer = lambda heads, parts=(*attention, "skip"): lambda m: {name: tensor for part in parts
                                           for name, tensor in linear(getattr(m, "lin_" + part), "W_" + part, "b_" + part, heads, OUT).items()}
    yield case("transformer", pyg.TransformerConv(IN, OUT, heads=2), on, transformer(2))
    yield case("transformer-without-root", pyg.TransformerConv(IN, OUT, heads=2, root_weight=False), on, transformer(2, attention))
    yield case("transformer-of-one-head", pyg.TransformerConv(IN, OUT), on, transformer(1))
    degrees = torch.tensor([1, 1, 1, 3, 4, 2])  # how many vertices have the in-degree 0, 1, 2, ...
    yield case("pna", pyg.PNAConv(IN, OUT, ["mean", "min", "max", "std"], ["identity", "amplification", "attenuation"], degrees), on,
               lambda m: {**linear(m.pre_nns[0][0], "M", "m"), **linear(m.post_nns[0][0], "U", "b"), **linear(m.lin, "L", "l")})
    pna = pyg.PNAConv(IN, OUT, ["sum", "max", "var"], ["linear", "identity", "inverse_linear"], degrees, edge_dim=FEATURES)
    message = lambda m: m.pre_nns[0][0].weight.T
    yield case("pna-of-edges", pna, lambda m, g: m(g.x, g.edges, g.a),
               lambda m: {"M": message(m)[:2 * IN], "M_edge": message(m)[2 * IN:], "m": m.pre_nns[0][0].bias, **linear(m.edge_encoder, "E", "e0"),
                          **linear(m.post_nns[0][0], "U", "b"), **linear(m.lin, "L", "l")})


def of_edges():
    """Layers that read features or types of edges."""
    featured = lambda m, g: m(g.x, g.edges, g.a)
    network = two_layers(FEATURES, HIDDEN, IN * OUT)
    yield case("nn-conv", pyg.NNConv(IN, OUT, network), featured, lambda m: {**mlp(m.nn), **linear(m.lin, "W", None), "b": m.bias})
    yield case("nn-conv-without-root", pyg.NNConv(IN, OUT, two_layers(FEATURES, HIDDEN, IN * OUT), root_weight=False, bias=False), featured,
               lambda m: mlp(m.nn))
    yield case("nn-conv-of-maxima", pyg.NNConv(IN, OUT, two_layers(FEATURES, HIDDEN, IN * OUT), aggr="max"), featured,
               lambda m: {**mlp(m.nn), **linear(m.lin, "W", None), "b": m.bias})
    network = torch.nn.Sequential(torch.nn.Linear(FEATURES, HIDDEN), ShiftedSoftplus(), torch.nn.Linear(HIDDEN, HIDDEN))
    yield case("cfconv", CFConv(IN, OUT, HIDDEN, network, CUTOFF), lambda m, g: m(g.x, g.edges, g.distance, g.a),
               lambda m: {**linear(m.lin1, "W_in", None), **mlp(m.nn), **linear(m.lin2, "W_out", "b_out")})
    as_wide = lambda m, g: m(g.x, g.edges, g.x[g.edges[0]] * g.cut[:, None])
    yield case("gine", pyg.GINEConv(two_layers(IN, HIDDEN, OUT), eps=0.3), as_wide, lambda m: mlp(m.nn))
    yield case("gine-of-edges", pyg.GINEConv(two_layers(IN, HIDDEN, OUT), train_eps=True, edge_dim=FEATURES), featured,
               lambda m: {**mlp(m.nn), **linear(m.lin, "W_edge", "b_edge"), "e": m.eps[0]})
    crystal = lambda m, rows, names: {name: lin.weight.T[rows] for name, lin in zip(names, [m.lin_f, m.lin_s])}
    biases = lambda m: {"b_f": m.lin_f.bias, "b_s": m.lin_s.bias}
    yield case("cg", pyg.CGConv(IN, dim=FEATURES), featured,
               lambda m: {**crystal(m, slice(0, 2 * IN), ["W_f", "W_s"]), **crystal(m, slice(2 * IN, None), ["A_f", "A_s"]), **biases(m)})
    norm = pyg.CGConv(IN, batch_norm=True)
    norm.bn.running_mean.copy_(torch.linspace(-1, 1, IN))
    norm.bn.running_var.copy_(torch.linspace(0.5, 2, IN))
    yield case("cg-of-vertices", norm, lambda m, g: m(g.x, g.edges),
               lambda m: {**crystal(m, slice(0, 2 * IN), ["W_f", "W_s"]), **biases(m), "norm.gamma": m.bn.weight, "norm.beta": m.bn.bias,
                          "norm.mean_all": m.bn.running_mean, "norm.var_all": m.bn.running_var})
    typed = lambda m, g: m(g.x, g.edges, g.type)
    root = lambda m: {"W0": m.root, "b": m.bias}
    yield case("rgcn", pyg.RGCNConv(IN, OUT, TYPES), typed, lambda m: {"W": m.weight, **root(m)})
    yield case("rgcn-without-root", pyg.RGCNConv(IN, OUT, TYPES, root_weight=False, bias=False), typed, lambda m: {"W": m.weight})
    yield case("rgcn-basis", pyg.RGCNConv(IN, OUT, TYPES, num_bases=2), typed, lambda m: {"V": m.weight.transpose(0, 1), "a": m.comp, **root(m)})
    yield case("rgcn-block", pyg.RGCNConv(IN, OUT, TYPES, num_blocks=2), typed,
               lambda m: {"Q": m.weight, "W0": m.root.reshape(IN, 2, OUT // 2), "b": m.bias.reshape(2, OUT // 2)})
    yield hgt("hgt", 2)
    yield hgt("hgt-of-one-head", 1)
    yield han("han", 2, 0.2)
    yield han("han-of-one-head", 1, 0.1)


def aggregations_and_norms():
    over = lambda m, g: m(g.x[g.edges[0]], g.edges[1], dim_size=g.vertices)
    yield case("softmax-aggregation", pyg.SoftmaxAggregation(learn=True), over, lambda m: {"t": m.t[0]})
    yield case("attentional-aggregation", pyg.AttentionalAggregation(torch.nn.Linear(IN, 1), torch.nn.Linear(IN, OUT)), over,
               lambda m: {"g": m.gate_nn.weight[0], "c": m.gate_nn.bias[0], **linear(m.nn, "W", "b")})
    on = lambda m, g: m(g.x)
    norm = lambda m: {"gamma": m.weight, "beta": m.bias}
    yield case("layer-norm-without-affine", pyg.LayerNorm(IN, affine=False), on, lambda m: {})
    yield case("node-layer-norm-without-affine", pyg.LayerNorm(IN, affine=False, mode="node"), on, lambda m: {})
    batch = pyg.BatchNorm(IN, affine=False)
    batch.module.running_mean.copy_(torch.linspace(-2, 1, IN))
    batch.module.running_var.copy_(torch.linspace(0.25, 3, IN))
    yield case("batch-norm-without-affine", batch, on, lambda m: {"mean_all": m.module.running_mean, "var_all": m.module.running_var})
    for suffix, eps in [("", 1e-5), ("-of-eps", 0.1)]:
        yield case("layer-norm" + suffix, pyg.LayerNorm(IN, eps), on, norm)
        yield case("node-layer-norm" + suffix, pyg.LayerNorm(IN, eps, mode="node"), on, norm)
        yield case("graph-norm" + suffix, pyg.GraphNorm(IN, eps), on, lambda m: {"alpha": m.mean_scale, **norm(m)})
        batch = pyg.BatchNorm(IN, eps)
        batch.module.running_mean.copy_(torch.linspace(-1, 1, IN))
        batch.module.running_var.copy_(torch.linspace(0.5, 2, IN))
        yield case("batch-norm" + suffix, batch, on,
                   lambda m: {**norm(m.module), "mean_all": m.module.running_mean, "var_all": m.module.running_var})


def hgt(name, heads):
    width = IN // heads
    names = ["a", "b"]
    relations = [(names[t // 2], "to", names[t % 2]) for t in range(TYPES)]
    module = pyg.HGTConv(IN, IN, (names, relations), heads)

    def apply(m, g):
        first = {name: int((g.kind < i).sum()) for i, name in enumerate(names)}
        x = {name: g.x[g.kind == i] for i, name in enumerate(names)}
        edges = {r: g.edges[:, g.type == t] - torch.tensor([[first[r[0]]], [first[r[2]]]]) for t, r in enumerate(relations)}
        result = m(x, edges)
        return torch.cat([result[name] for name in names if result.get(name) is not None])

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

    return case(name, module, apply, weights)


def han(name, heads, slope):
    relations = [("v", str(t), "v") for t in range(TYPES)]
    module = pyg.HANConv(IN, heads * OUT, (["v"], relations), heads, negative_slope=slope)

    def weights(m):
        ends = {ours: torch.cat([theirs["__".join(r)] for r in relations]) for ours, theirs in [("a_src", m.lin_src), ("a_dst", m.lin_dst)]}
        return {**linear(m.proj["v"], "P", "p", heads, OUT), **ends, **linear(m.k_lin, "K", "k"), "q": m.q[0]}

    return case(name, module, lambda m, g: m({"v": g.x}, {r: g.edges[:, g.type == t] for t, r in enumerate(relations)})["v"], weights)


def main():
    draws = np.random.default_rng(7)
    graphs = {kind: Graph(vertices, edges, draws) for kind, (vertices, edges) in edges_by_kind(draws).items()}
    text = ",\n".join(json.dumps(kind) + ": " + json.dumps(graph.description()) for kind, graph in graphs.items())
    (FOLDER / "graphs.json").write_text("{" + text + "}\n")
    for family in (spectral, spatial, of_edges, aggregations_and_norms):
        for name, apply, weights in family():
            with torch.no_grad():
                results = [apply(graph).reshape(graph.vertices, -1) for graph in graphs.values()]
            np.save(FOLDER / (name + ".npy"), torch.cat(results).numpy())
            save_weights(FOLDER / (name + ".safetensors"), {"conv." + key: tensor for key, tensor in weights().items()})
            print(f"{name}: {results[0].shape[1]} numbers a vertex")


if __name__ == "__main__":
    sys.exit(main())
